// Sends queued messages: carries out what `SendFlow` decides, with statements and links. Guarantees: the start of
// sending is committed before the first octet leaves, so a message whose sender died is either still waiting or of
// unknown outcome, never sent twice. Only the process that holds the sending lease runs it. A message that this process
// accepts while no other waits ahead of it is stored as leaving (`assign`), and leaves as soon as that is committed
// (`leave`).

import { type Clock, pause } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { Unavailable } from "../../base/unavailable.ts";
import type { ClaimKind } from "../give-back.ts";
import type { LoadOrder, Outgoing, SendingLink, SendQueue, SettledMessage, Submit } from "./ports.ts";
import type { Placer, Route } from "./routing.ts";
import { type Assigned, type Leaving, SendFlow } from "./send-flow.ts";
import type { UnstoredAnswers } from "./unstored-answers.ts";

export interface SenderDeps {
  readonly queue: SendQueue;
  readonly placer: Placer;
  readonly routes: ReadonlyMap<string, Route<SendingLink>>;
  /** The weight of an account's share of a link. */
  readonly weightOf: (accountSid: string) => number;
  readonly clock: Clock;
  readonly log: Log;
  readonly report: (settled: SettledMessage) => void;
  /** Gets every answer of a carrier until it is stored, or storing it has failed. */
  readonly answers: Pick<UnstoredAnswers, "add" | "remove">;
}

/** The sender of this process. */
export interface OwnSending {
  /** The term in which it sends; undefined while it takes no more. */
  readonly term: () => number | undefined;
  readonly sender: Pick<Sender, "assign" | "leave" | "drop">;
}

interface Unwritten {
  readonly unwritten: readonly SettledMessage[];
  /** Why some were not written. */
  readonly fault?: Error;
}

const SETTLED_PER_STATEMENT_MAX = 500;
const RETRY_MS = 1_000;
const LOOK_PAUSE_MS = 50;
/** Bounds how long `close` waits for a database that does not recover. */
const FAILURES_WHEN_CLOSED_MAX = 10;

export class Sender {
  readonly claims: ClaimKind;
  readonly #deps: SenderDeps;
  readonly #flow: SendFlow;
  #unsettled: SettledMessage[] = [];
  #isSettling = false;
  #isPumping = false;
  /** Looking for messages: now, and again. */
  #looking: Promise<void> | undefined;
  #looksAgain = false;
  #givingBack = 0;
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#flow = new SendFlow(deps.placer, deps.routes, deps.weightOf);
    const { queue } = deps;
    this.claims = {
      name: "messages",
      owned: () => queue.owned(),
      // After closing, this process cannot tell: a message that was sent but not settled must not be given back.
      isHeld: (number) => this.#isClosed || this.#flow.isOpen(Number(number)),
      claimsAnswered: async () => undefined,
      giveBackStrays: (strays) => queue.giveBackStrays(strays),
    };
  }

  /** Whether newly accepted messages may be given to `assign`. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#deps.clock.isRight;
  }

  /** For messages that are about to be stored. Must be followed by `leave` or `drop`. */
  assign(messages: readonly Outgoing[]): readonly Assigned[] {
    return this.#flow.assign(messages, this.#deps.clock.now());
  }

  /** The messages are stored in our lease term. */
  leave(assigned: readonly Assigned[]): void {
    if (this.#isClosed) this.drop(assigned);
    else {
      this.#submit(this.#flow.stored(assigned));
      this.pump();
    }
  }

  /**
   * The messages are not stored, or not in our lease term, or the outcome is unknown. No octet of them has left. The
   * records of their submits are given back: immediately if closed, otherwise by the next search for claims that are
   * not held (give-back.ts).
   */
  drop(assigned: readonly Assigned[]): void {
    this.#flow.notStored(assigned);
    if (this.#isClosed) void this.#giveBack([...new Set(assigned.flatMap(({ submit }) => submit?.number ?? []))]);
    this.pump();
    this.#resolveIdle();
  }

  /** Messages left as leaving would be of unknown outcome: failures are retried, up to a limit. */
  async #giveBack(numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    const { queue, clock } = this.#deps;
    this.#givingBack++;
    for (let failures = 0; failures < FAILURES_WHEN_CLOSED_MAX; failures++) {
      if (failures > 0) await pause(clock, RETRY_MS);
      try {
        await queue.giveBack(numbers);
        break;
      } catch (error) {
        this.#warn(error as Error, "messages not given back");
      }
    }
    this.#givingBack--;
    this.#resolveIdle();
  }

  /** Looks for messages that wait in the database. */
  look(): Promise<void> {
    if (!this.isOpen) return Promise.resolve();
    this.#looksAgain = true;
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookAll(): Promise<void> {
    const { queue, clock } = this.#deps;
    while (this.#looksAgain && this.isOpen) {
      this.#looksAgain = false;
      const { routes, isMore } = await queue.ready(clock.now());
      this.#flow.queued(routes);
      await this.#loadAll();
      if (isMore) this.#looksAgain = true;
      // Notifications of other processes may come by the thousand.
      else if (this.#looksAgain) await pause(clock, LOOK_PAUSE_MS);
    }
  }

  async #loadAll(first = this.#flow.nextLoad()): Promise<void> {
    for (let order = first; order && this.isOpen; order = this.#flow.nextLoad()) if (!(await this.#load(order))) return;
  }

  /** Returns whether another load may bring more now. */
  async #load(order: LoadOrder): Promise<boolean> {
    const { queue, clock } = this.#deps;
    try {
      const found = await queue.load(order, clock.now());
      const missing = this.#flow.missing(found.keys);
      const messages = missing.length > 0 ? await queue.read(missing) : [];
      if (!this.isOpen) return false;
      const goesOn = this.#flow.loaded(order, found, messages);
      this.pump();
      return goesOn;
    } catch (error) {
      this.#flow.notLoaded(order);
      throw error;
    }
  }

  /** Gives messages to links in the next turn of the event loop, so that what arrives in one turn is one batch. */
  pump(): void {
    if (this.#isPumping || this.#isClosed) return;
    this.#isPumping = true;
    this.#deps.clock.soon(() => {
      this.#isPumping = false;
      this.#beginAll();
    });
  }

  #beginAll(): void {
    for (;;) {
      const submit = this.#isClosed ? undefined : this.#flow.nextSubmit();
      if (!submit) break;
      void this.#begin(submit);
    }
    if (!this.#looking && this.isOpen) this.#loadMore();
  }

  /** A link that has little left to do gets more, if more is known to wait. */
  #loadMore(): void {
    const order = this.#flow.nextLoad();
    if (!order) return;
    this.#looking = this.#loadAll(order)
      .catch((error: Error) => this.#warn(error, "queue not read"))
      .finally(() => {
        this.#looking = undefined;
        if (this.#looksAgain) void this.look().catch((error: Error) => this.#warn(error, "queue not read"));
      });
  }

  async #begin(submit: Submit): Promise<void> {
    const begun = await this.#deps.queue.begin(submit, this.#deps.clock.now()).catch((error: Error) => {
      this.#warn(error, "messages not begun, trying again");
      return undefined;
    });
    if (begun) this.#submit(this.#flow.begun(submit, begun));
    else await this.#undo(submit);
    this.pump();
    this.#resolveIdle();
  }

  /** The submit may be on record: then its messages wait again. If that fails too, the search for strays finds it. */
  async #undo(submit: Submit): Promise<void> {
    const { queue, clock } = this.#deps;
    await pause(clock, RETRY_MS);
    if (this.#isClosed) await this.#giveBack([submit.number]);
    else await queue.giveBack([submit.number]).catch((error: Error) => this.#warn(error, "messages not given back"));
    this.#flow.notBegun(submit);
    if (this.#isClosed) this.#flow.close();
  }

  /** Waits for messages given to links. The others wait in the database. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#flow.close();
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #submit(leaving: readonly Leaving[]): void {
    const leftOn = this.#deps.clock.now();
    for (const { message, submit, link } of leaving)
      link.submit(message, (outcome) => {
        this.#flow.answered(link, outcome);
        this.#settle({ message, submit, link, outcome, leftOn, at: this.#deps.clock.now() });
      });
  }

  #settle(settled: SettledMessage): void {
    this.#deps.report(settled);
    this.#deps.answers.add(settled);
    this.#unsettled.push(settled);
    if (!this.#isSettling) void this.#settleAll();
    this.pump();
  }

  async #settleAll(): Promise<void> {
    this.#isSettling = true;
    // Waits one turn of the event loop, so that answers read from the sockets together are written together.
    await new Promise<void>((resolve) => this.#deps.clock.soon(resolve));
    for (let failures = 0; this.#unsettled.length > 0; ) {
      const batch = this.#unsettled.splice(0, SETTLED_PER_STATEMENT_MAX);
      const { unwritten, fault } = await this.#write(batch);
      if (this.#isClosed) this.#flow.close();
      if (!fault) continue;
      this.#unsettled.push(...unwritten);
      if (this.#isClosed && ++failures === FAILURES_WHEN_CLOSED_MAX) {
        this.#warn(fault, "answers of carriers not written down, their messages will be of unknown outcome");
        this.#flow.forget(this.#unsettled.splice(0));
        break;
      }
      this.#warn(fault, "answers of carriers not written down, trying again");
      await pause(this.#deps.clock, RETRY_MS);
    }
    this.#isSettling = false;
    this.pump();
    this.#resolveIdle();
  }

  async #write(batch: readonly SettledMessage[]): Promise<Unwritten> {
    const { queue, clock, answers } = this.#deps;
    try {
      await queue.settle(batch, this.#flow.finishedBy(batch), clock.now()).finally(() => answers.remove(batch));
      this.#flow.written(batch);
      return { unwritten: [] };
    } catch (error) {
      const fault = error as Error;
      if (fault instanceof Unavailable || batch.length === 1) return { unwritten: batch, fault };
      // One message may cause the fault: each is written by itself, so that the others are not held up.
      const unwritten: SettledMessage[] = [];
      for (const settled of batch) unwritten.push(...(await this.#write([settled])).unwritten);
      return { unwritten, fault };
    }
  }

  #warn(error: Error, what: string): void {
    this.#deps.log.warn({ reason: error.message }, what);
  }

  #isIdle(): boolean {
    return this.#flow.isIdle && this.#givingBack === 0 && this.#unsettled.length === 0 && !this.#isSettling;
  }

  #resolveIdle(): void {
    if (!this.#isClosed || !this.#isIdle()) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
