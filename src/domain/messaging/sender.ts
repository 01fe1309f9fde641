// Sends what is queued. Guarantees: nothing leaves before it is written down that it is leaving, so a message whose worker died is
// either still queued or known to be of unknown outcome, never sent twice; the most urgent first, in order within a priority;
// everything bounded. One process runs it, the one that holds the sending lease; what is claimed holds for the lease's term only.

import { type Clock, pause } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { Unavailable } from "../../base/unavailable.ts";
import type { CarrierLink, Outgoing, SendQueue, SettledMessage, SubmitOutcome } from "./ports.ts";
import { pickLink, type Route, type Router } from "./routing.ts";

export interface SenderDeps {
  readonly queue: SendQueue;
  readonly route: Router;
  readonly clock: Clock;
  readonly chance: () => number;
  readonly log: Log;
  readonly report: (settled: SettledMessage) => void;
}

interface Written {
  readonly written: readonly SettledMessage[];
  readonly unwritten: readonly SettledMessage[];
  /** Why there are any. */
  readonly fault?: Error;
}

interface WaitingRoute {
  readonly route: Route;
  /** One line for every priority. */
  readonly lines: readonly Line[];
}

const PRIORITY_COUNT = 4;
const WAITING_MAX = 20_000;
/** Below this the queue is asked for more. */
const WAITING_LOW = 5_000;
const CLAIMED_MAX = 2_000;
const BEGUN_PER_STATEMENT_MAX = 500;
const BEGINNING_MAX = 2;
const SETTLED_PER_STATEMENT_MAX = 500;
const RETRY_MS = 1_000;
/** Whoever stops does not wait for ever for a database that does not come back. */
const FAILURES_WHEN_CLOSED_MAX = 10;

export class Sender {
  readonly #deps: SenderDeps;
  readonly #routes = new Map<string, WaitingRoute>();
  /** Messages that are about to be given to a link: their room is taken already. */
  readonly #reserved = new Map<CarrierLink, number>();
  /** Everything here until it is settled, so that what is brought a second time is not sent a second time. */
  readonly #inHand = new Set<string>();
  /** Those of them that were claimed once more: when the first claim no longer holds, the second does. */
  readonly #claimedAgain = new Set<string>();
  #waiting = 0;
  #beginning = 0;
  #submitted = 0;
  #unsettled: SettledMessage[] = [];
  #settling = false;
  #isPumping = false;
  #isLooking = false;
  #isMoreQueued = false;
  /** A claim has failed, and may have been made all the same. */
  #hasStrays = false;
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Whether messages accepted just now may be kept at hand instead of being fetched later. */
  get hasRoom(): boolean {
    return !this.#isClosed && this.#waiting < WAITING_MAX;
  }

  /** These are ours to send: claimed when they were stored. */
  take(messages: readonly Outgoing[]): void {
    for (const message of messages) {
      if (this.#inHand.has(message.sid)) this.#claimedAgain.add(message.sid);
      else this.#put(message);
    }
    this.pump();
  }

  /** Something may be due in the queue. */
  async look(): Promise<void> {
    if (this.#isClosed) return;
    this.#isMoreQueued = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#isMoreQueued && this.#waiting < WAITING_LOW && !this.#isClosed) {
        this.#isMoreQueued = false;
        const claimed = await this.#claim();
        if (claimed.length === CLAIMED_MAX) this.#isMoreQueued = true;
        this.take(claimed);
      }
    } finally {
      this.#isLooking = false;
    }
  }

  async #claim(): Promise<readonly Outgoing[]> {
    const { queue, clock } = this.#deps;
    if (this.#hasStrays) await queue.giveBackAllBut([...this.#inHand]);
    this.#hasStrays = true;
    const claimed = await queue.claim(CLAIMED_MAX, clock.now());
    this.#hasStrays = false;
    return claimed;
  }

  /** A link has room, or something waits for one. What arrives in one turn of the loop is handled together. */
  pump(): void {
    if (this.#isPumping || this.#isClosed) return;
    this.#isPumping = true;
    this.#deps.clock.soon(() => {
      this.#isPumping = false;
      this.#assign();
    });
  }

  /** Waits for what was given to links, gives the rest back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const left = [...this.#routes.values()].flatMap(({ lines }) => lines.flatMap((line) => line.drain()));
    this.#waiting = 0;
    if (left.length > 0) await this.#deps.queue.giveBack(left.map(({ sid }) => sid)).catch(() => undefined);
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #put(message: Outgoing): void {
    const route = this.#deps.route(message);
    let waiting = this.#routes.get(route.name);
    if (!waiting) {
      waiting = { route, lines: Array.from({ length: PRIORITY_COUNT }, () => new Line()) };
      this.#routes.set(route.name, waiting);
    }
    waiting.lines[message.priority]?.push(message);
    this.#inHand.add(message.sid);
    this.#waiting++;
  }

  #assign(): void {
    while (this.#beginning < BEGINNING_MAX && !this.#isClosed) {
      const batch: { message: Outgoing; link: CarrierLink }[] = [];
      for (const waiting of this.#routes.values()) this.#assignRoute(waiting, batch);
      if (batch.length === 0) break;
      void this.#begin(batch);
    }
    if (this.#isMoreQueued && this.#waiting < WAITING_LOW)
      this.look().catch((error: Error) => this.#warn(error, "queue not read"));
  }

  #assignRoute({ route, lines }: WaitingRoute, batch: { message: Outgoing; link: CarrierLink }[]): void {
    const hasRoom = (link: CarrierLink) => link.room() > (this.#reserved.get(link) ?? 0);
    for (const line of lines) {
      while (line.length > 0 && batch.length < BEGUN_PER_STATEMENT_MAX) {
        const link = pickLink(route, hasRoom, this.#deps.chance);
        if (!link) return;
        this.#reserved.set(link, (this.#reserved.get(link) ?? 0) + 1);
        batch.push({ message: line.shift(), link });
        this.#waiting--;
      }
    }
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
    // Whatever became of the statement, no octet has left: beginning them once more does no harm.
    if (!begun) this.#takeBack(batch.map(({ message }) => message));
    else {
      for (const { message, link } of batch) {
        if (begun.has(message.sid)) this.#submit(message, link);
        else if (this.#claimedAgain.delete(message.sid)) this.#takeBack([message]);
        else this.#inHand.delete(message.sid);
      }
    }
    this.pump();
    this.#tellIdle();
  }

  #submit(message: Outgoing, link: CarrierLink): void {
    this.#submitted++;
    link.submit(message, (outcome) => this.#settle(message, link, outcome));
  }

  #settle(message: Outgoing, link: CarrierLink, outcome: SubmitOutcome): void {
    const settled = { message, link, outcome, at: this.#deps.clock.now() };
    this.#deps.report(settled);
    this.#unsettled.push(settled);
    if (!this.#settling) void this.#settleAll();
    this.pump();
  }

  async #settleAll(): Promise<void> {
    this.#settling = true;
    // One turn of the loop, so that answers read from the sockets together are written together.
    await new Promise<void>((resolve) => this.#deps.clock.soon(resolve));
    for (let failures = 0; this.#unsettled.length > 0; ) {
      const batch = this.#unsettled.splice(0, SETTLED_PER_STATEMENT_MAX);
      const { written, unwritten, fault } = await this.#write(batch);
      this.#submitted -= written.length;
      for (const { message, outcome } of written) if (!isUntaken(outcome)) this.#letGo(message.sid);
      this.#takeBack(written.filter(({ outcome }) => isUntaken(outcome)).map(({ message }) => message));
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
    this.#tellIdle();
  }

  async #write(batch: readonly SettledMessage[]): Promise<Written> {
    try {
      await this.#deps.queue.settle(batch, this.#deps.clock.now());
      return { written: batch, unwritten: [] };
    } catch (error) {
      const fault = error as Error;
      if (fault instanceof Unavailable || batch.length === 1) return { written: [], unwritten: batch, fault };
      // One of them may be to blame: the others are written without it.
      const apart: Written[] = [];
      for (const settled of batch) apart.push(await this.#write([settled]));
      return {
        written: apart.flatMap(({ written }) => written),
        unwritten: apart.flatMap(({ unwritten }) => unwritten),
        fault,
      };
    }
  }

  #letGo(sid: string): void {
    this.#inHand.delete(sid);
    this.#claimedAgain.delete(sid);
  }

  /** What no carrier took is sent again: at the head of its line, for it is the oldest. */
  #takeBack(untaken: readonly Outgoing[]): void {
    if (untaken.length === 0) return;
    if (this.#isClosed) {
      this.#deps.queue
        .giveBack(untaken.map(({ sid }) => sid))
        .catch((error: Error) => this.#warn(error, "messages not given back"));
      return;
    }
    for (const message of untaken.toReversed()) {
      this.#routes.get(this.#deps.route(message).name)?.lines[message.priority]?.unshift(message);
      this.#waiting++;
    }
  }

  #warn(error: Error, what: string): void {
    this.#deps.log.warn({ reason: error.message }, what);
  }

  #isIdle(): boolean {
    return this.#beginning === 0 && this.#submitted === 0 && this.#unsettled.length === 0;
  }

  #tellIdle(): void {
    if (!this.#isIdle()) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

/** Nothing was taken: it may be sent again. */
export function isUntaken(
  outcome: SubmitOutcome,
): outcome is Extract<SubmitOutcome, { kind: "throttled" | "notSent" }> {
  return outcome.kind === "throttled" || outcome.kind === "notSent";
}

/** First in, first out; taking from the head moves nothing. */
class Line {
  #items: Outgoing[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(message: Outgoing): void {
    this.#items.push(message);
  }

  unshift(message: Outgoing): void {
    if (this.#head > 0) this.#items[--this.#head] = message;
    else this.#items.unshift(message);
  }

  shift(): Outgoing {
    const message = this.#items[this.#head++] as Outgoing;
    if (this.#head > 1_000 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return message;
  }

  drain(): readonly Outgoing[] {
    const left = this.#items.slice(this.#head);
    this.#items = [];
    this.#head = 0;
    return left;
  }
}
