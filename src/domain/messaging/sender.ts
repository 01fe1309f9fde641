// Sends queued messages. Guarantees: the start of sending is committed before the first octet leaves, so a message
// whose worker died is either still queued or of unknown outcome, never sent twice; the most urgent messages leave
// first, in order within a priority; everything is bounded. Only the process that holds the sending lease runs it; its
// claims end with the lease. A message that this process accepts while no other waits ahead of it gets its link before
// it is stored (`assign`): the statement that stores it also commits the start of sending, and it leaves after that
// (`leave`).

import { type Clock, pause } from "../../base/clock.ts";
import { Fifo } from "../../base/fifo.ts";
import type { Log } from "../../base/log.ts";
import { Unavailable } from "../../base/unavailable.ts";
import type { ClaimKind } from "../give-back.ts";
import { mustBeJudged } from "./judge-sending.ts";
import type { CarrierLink, Outgoing, SendQueue, SettledMessage, SubmitOutcome } from "./ports.ts";
import { pickLink, type Route, type Router } from "./routing.ts";
import type { UnstoredAnswers } from "./unstored-answers.ts";

export interface SenderDeps {
  readonly queue: SendQueue;
  readonly route: Router;
  readonly clock: Clock;
  readonly chance: () => number;
  readonly log: Log;
  readonly report: (settled: SettledMessage) => void;
  /** Gets every answer of a carrier until it is stored, or storing it has failed. */
  readonly answers: Pick<UnstoredAnswers, "add" | "remove">;
}

interface Written {
  readonly written: readonly SettledMessage[];
  readonly unwritten: readonly SettledMessage[];
  /** Why some were not written. */
  readonly fault?: Error;
}

/** A message that is about to be stored; with a link, it is stored as leaving over that link. */
export interface Assigned {
  readonly message: Outgoing;
  readonly link: CarrierLink | undefined;
}

/** The sender of this process. */
export interface OwnSending {
  /** The term in which it sends; undefined while it has no capacity for more. */
  readonly term: () => number | undefined;
  readonly sender: Pick<Sender, "assign" | "leave" | "drop">;
}

interface WaitingRoute {
  readonly route: Route;
  /** One queue for each priority. */
  readonly queues: readonly Fifo<Outgoing>[];
}

const PRIORITY_COUNT = 4;
const WAITING_MAX = 20_000;
/** Below this, more messages are claimed from the queue. */
const WAITING_LOW = 5_000;
const CLAIMED_MAX = 2_000;
const BEGUN_PER_STATEMENT_MAX = 500;
const BEGINNING_MAX = 2;
const SETTLED_PER_STATEMENT_MAX = 500;
const RETRY_MS = 1_000;
/** Bounds how long `close` waits for a database that does not recover. */
const FAILURES_WHEN_CLOSED_MAX = 10;

export class Sender {
  readonly claims: ClaimKind;
  readonly #deps: SenderDeps;
  readonly #routes = new Map<string, WaitingRoute>();
  /** How many messages are about to be given to a link; they count against its capacity. */
  readonly #reserved = new Map<CarrierLink, number>();
  /** All claimed messages until they are settled, so that a message that is claimed twice is sent once. */
  readonly #held = new Set<string>();
  /** Those that were claimed a second time: if the first claim is no longer valid, the second one is. */
  readonly #claimedAgain = new Set<string>();
  /** Those that are being stored as claimed by us. */
  readonly #assigned = new Set<string>();
  #waiting = 0;
  #beginning = 0;
  #submitted = 0;
  #givingBack = 0;
  #unsettled: SettledMessage[] = [];
  #settling = false;
  #isPumping = false;
  #isLooking = false;
  #isMoreQueued = false;
  /** The claim under way. */
  #claiming: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    const { queue } = deps;
    this.claims = {
      name: "messages",
      owned: () => queue.owned(),
      // After closing, this process cannot tell: a message that was sent but not settled must not be given back.
      isHeld: (sid) => this.#isClosed || this.#held.has(sid) || this.#assigned.has(sid),
      claimsAnswered: () => this.#claiming,
      giveBackStrays: (strays) => queue.giveBackStrays(strays),
    };
  }

  /** Whether newly accepted messages may be given to `assign` instead of being claimed later. */
  get hasCapacity(): boolean {
    return this.#mayClaim && this.#waiting < WAITING_MAX;
  }

  /**
   * Messages that are about to be stored as claimed by this process, with links for those that can leave immediately
   * because no other waits ahead of them. Must be followed by `leave` or `drop`.
   */
  assign(messages: readonly Outgoing[]): readonly Assigned[] {
    for (const { sid } of messages) this.#assigned.add(sid);
    const now = this.#deps.clock.now();
    const full = new Set<Route>();
    // Messages that are being begun are ahead of these.
    const isBehind = this.#beginning > 0;
    return messages.map((message) => {
      const route = this.#deps.route(message);
      const isLate = mustBeJudged(message, now) || message.expiresOn <= now;
      const link =
        isBehind || isLate || this.#held.has(message.sid) || full.has(route)
          ? undefined
          : this.#linkFor(message, route);
      if (!link) full.add(route);
      return { message, link };
    });
  }

  /** The messages are stored as claimed in our lease term, those with a link as leaving. */
  leave(assigned: readonly Assigned[]): void {
    this.drop(assigned);
    if (this.#isClosed) return;
    for (const { message, link } of assigned) {
      // A claim may have returned it before the statement that stored it did.
      if (this.#held.has(message.sid)) this.#claimedAgain.add(message.sid);
      else if (!link) this.#put(message);
      else {
        this.#held.add(message.sid);
        this.#submit(message, link);
      }
    }
  }

  /**
   * The messages are not stored, or not claimed in our lease term, or the outcome is unknown. No octet of them has
   * left. Those that are stored as ours are given back: immediately if closed, otherwise by the next search for claims
   * that are not held (give-back.ts).
   */
  drop(assigned: readonly Assigned[]): void {
    if (this.#isClosed)
      void this.#giveBack(assigned.map(({ message }) => message).filter(({ sid }) => !this.#held.has(sid)));
    for (const { message, link } of assigned) {
      this.#assigned.delete(message.sid);
      if (link) this.#reserved.set(link, (this.#reserved.get(link) ?? 1) - 1);
    }
    this.pump();
    this.#resolveIdle();
  }

  /** Used when closed. Messages left as leaving would be of unknown outcome: failures are retried, up to a limit. */
  async #giveBack(messages: readonly Pick<Outgoing, "sid">[]): Promise<void> {
    if (messages.length === 0) return;
    const { queue, clock } = this.#deps;
    const sids = messages.map(({ sid }) => sid);
    this.#givingBack++;
    for (let failures = 0; failures < FAILURES_WHEN_CLOSED_MAX; failures++) {
      if (failures > 0) await pause(clock, RETRY_MS);
      try {
        await queue.giveBack(sids);
        break;
      } catch (error) {
        this.#warn(error as Error, "messages not given back");
      }
    }
    this.#givingBack--;
    this.#resolveIdle();
  }

  get #mayClaim(): boolean {
    return !this.#isClosed && this.#deps.clock.isRight;
  }

  /** Claims messages that are due in the queue. */
  async look(): Promise<void> {
    if (!this.#mayClaim) return;
    this.#isMoreQueued = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#isMoreQueued && this.#waiting < WAITING_LOW && this.#mayClaim) {
        this.#isMoreQueued = false;
        const claim = this.#claim();
        this.#claiming = claim.catch(() => undefined);
        await claim;
      }
    } finally {
      this.#isLooking = false;
    }
  }

  async #claim(): Promise<void> {
    const { queue, clock } = this.#deps;
    const claimed = await queue.claim(CLAIMED_MAX, clock.now());
    if (claimed.length === CLAIMED_MAX) this.#isMoreQueued = true;
    this.take(claimed);
  }

  /** Takes claimed messages. */
  take(messages: readonly Outgoing[]): void {
    for (const message of messages) {
      if (this.#held.has(message.sid)) this.#claimedAgain.add(message.sid);
      else this.#put(message);
    }
    this.pump();
  }

  /** Assigns messages to links in the next turn of the event loop, so that what arrives in one turn is one batch. */
  pump(): void {
    if (this.#isPumping || this.#isClosed) return;
    this.#isPumping = true;
    this.#deps.clock.soon(() => {
      this.#isPumping = false;
      this.#assign();
    });
  }

  /** Waits for messages given to links, and gives the others back to the queue. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const left = [...this.#routes.values()].flatMap(({ queues }) => queues.flatMap((queue) => queue.drain()));
    this.#waiting = 0;
    for (const { sid } of left) this.#release(sid);
    await this.#giveBack(left);
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #put(message: Outgoing): void {
    this.#queuesOf(this.#deps.route(message))[message.priority]?.push(message);
    this.#held.add(message.sid);
    this.#waiting++;
  }

  #queuesOf(route: Route): readonly Fifo<Outgoing>[] {
    let waiting = this.#routes.get(route.name);
    if (!waiting) {
      waiting = { route, queues: Array.from({ length: PRIORITY_COUNT }, () => new Fifo()) };
      this.#routes.set(route.name, waiting);
    }
    return waiting.queues;
  }

  #assign(): void {
    while (this.#beginning < BEGINNING_MAX && !this.#isClosed) {
      const batch: { message: Outgoing; link: CarrierLink }[] = [];
      for (const waiting of this.#routes.values()) this.#assignRoute(waiting, batch);
      if (batch.length === 0) break;
      void this.#begin(batch);
    }
    if (this.#isMoreQueued && !this.#isLooking && this.#waiting < WAITING_LOW)
      this.look().catch((error: Error) => this.#warn(error, "queue not read"));
  }

  #assignRoute({ route, queues }: WaitingRoute, batch: { message: Outgoing; link: CarrierLink }[]): void {
    for (const queue of queues) {
      for (let message = queue.first; message && batch.length < BEGUN_PER_STATEMENT_MAX; message = queue.first) {
        const link = this.#reserveLink(route);
        if (!link) return;
        queue.shift();
        batch.push({ message, link });
        this.#waiting--;
      }
    }
  }

  /** Reserves a link if no other message waits ahead of this one. */
  #linkFor({ priority }: Outgoing, route: Route): CarrierLink | undefined {
    if (this.#queuesOf(route).some((queue, urgency) => urgency <= priority && queue.length > 0)) return undefined;
    return this.#reserveLink(route);
  }

  #reserveLink(route: Route): CarrierLink | undefined {
    const hasCapacity = (link: CarrierLink) => link.capacity() > (this.#reserved.get(link) ?? 0);
    const link = pickLink(route, hasCapacity, this.#deps.chance);
    if (link) this.#reserved.set(link, (this.#reserved.get(link) ?? 0) + 1);
    return link;
  }

  async #begin(batch: readonly { readonly message: Outgoing; readonly link: CarrierLink }[]): Promise<void> {
    this.#beginning++;
    let begun: ReadonlySet<string> | undefined;
    try {
      begun = await this.#deps.queue.begin(
        batch.map(({ message, link }) => ({ message, link: link.name })),
        this.#deps.clock.now(),
      );
    } catch (error) {
      this.#warn(error as Error, "messages not begun, trying again");
      await pause(this.#deps.clock, RETRY_MS);
    }
    this.#beginning--;
    for (const { link } of batch) this.#reserved.set(link, (this.#reserved.get(link) ?? 1) - 1);
    // Even if the statement was committed, no octet has left: beginning the messages again is safe.
    if (!begun) this.#requeue(batch.map(({ message }) => message));
    else {
      for (const { message, link } of batch) {
        if (begun.has(message.sid)) this.#submit(message, link);
        else if (this.#claimedAgain.delete(message.sid)) this.#requeue([message]);
        else this.#held.delete(message.sid);
      }
    }
    this.pump();
    this.#resolveIdle();
  }

  #submit(message: Outgoing, link: CarrierLink): void {
    this.#submitted++;
    link.submit(message, (outcome) => this.#settle(message, link, outcome));
  }

  #settle(message: Outgoing, link: CarrierLink, outcome: SubmitOutcome): void {
    const settled = { message, link, outcome, at: this.#deps.clock.now() };
    this.#deps.report(settled);
    this.#deps.answers.add(settled);
    this.#unsettled.push(settled);
    if (!this.#settling) void this.#settleAll();
    this.pump();
  }

  async #settleAll(): Promise<void> {
    this.#settling = true;
    // Waits one turn of the event loop, so that answers read from the sockets together are written together.
    await new Promise<void>((resolve) => this.#deps.clock.soon(resolve));
    for (let failures = 0; this.#unsettled.length > 0; ) {
      const batch = this.#unsettled.splice(0, SETTLED_PER_STATEMENT_MAX);
      const { written, unwritten, fault } = await this.#write(batch);
      this.#submitted -= written.length;
      for (const { message, outcome } of written) if (!isUntaken(outcome)) this.#release(message.sid);
      this.#requeue(written.filter(({ outcome }) => isUntaken(outcome)).map(({ message }) => message));
      if (!fault) continue;
      this.#unsettled.push(...unwritten);
      if (this.#isClosed && ++failures === FAILURES_WHEN_CLOSED_MAX) {
        this.#warn(fault, "answers of carriers not written down, their messages will be of unknown outcome");
        this.#submitted -= this.#unsettled.splice(0).length;
        break;
      }
      this.#warn(fault, "answers of carriers not written down, trying again");
      await pause(this.#deps.clock, RETRY_MS);
    }
    this.#settling = false;
    this.#resolveIdle();
  }

  async #write(batch: readonly SettledMessage[]): Promise<Written> {
    try {
      await this.#deps.queue.settle(batch, this.#deps.clock.now()).finally(() => this.#deps.answers.remove(batch));
      return { written: batch, unwritten: [] };
    } catch (error) {
      const fault = error as Error;
      if (fault instanceof Unavailable || batch.length === 1) return { written: [], unwritten: batch, fault };
      // One message may cause the fault: each is written by itself, so that the others are not held up.
      const apart: Written[] = [];
      for (const settled of batch) apart.push(await this.#write([settled]));
      return {
        written: apart.flatMap(({ written }) => written),
        unwritten: apart.flatMap(({ unwritten }) => unwritten),
        fault,
      };
    }
  }

  #release(sid: string): void {
    this.#held.delete(sid);
    this.#claimedAgain.delete(sid);
  }

  /** Puts messages that no carrier took at the head of their queue, because they are the oldest. */
  #requeue(untaken: readonly Outgoing[]): void {
    if (untaken.length === 0) return;
    if (this.#isClosed) {
      void this.#giveBack(untaken);
      return;
    }
    for (const message of untaken.toReversed()) {
      this.#queuesOf(this.#deps.route(message))[message.priority]?.unshift(message);
      this.#waiting++;
    }
  }

  #warn(error: Error, what: string): void {
    this.#deps.log.warn({ reason: error.message }, what);
  }

  #isIdle(): boolean {
    const underWay = this.#assigned.size + this.#beginning + this.#submitted + this.#givingBack;
    return underWay === 0 && this.#unsettled.length === 0;
  }

  #resolveIdle(): void {
    if (!this.#isIdle()) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

/** The carrier took nothing: the message may be sent again. */
export function isUntaken(
  outcome: SubmitOutcome,
): outcome is Extract<SubmitOutcome, { kind: "throttled" | "notSent" }> {
  return outcome.kind === "throttled" || outcome.kind === "notSent";
}
