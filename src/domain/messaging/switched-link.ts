// A link that the operator can stop and start. A stopped link is closed and takes nothing: messages wait, or take
// another link.
//
// Guarantees: at most one link is open at a time; changes are made one after the other; a stop waits a bounded time for
// submits under way, and each of them gets its outcome. A failed opening is retried by the next `setStopped`.

import type { Clock } from "../../base/clock.ts";
import { RecentTimes } from "../../base/recent-times.ts";
import {
  type CarrierLink,
  isUp,
  type LinkHealth,
  type LinkState,
  type OpenLink,
  type Outgoing,
  type SubmitOutcome,
} from "./ports.ts";
import type { CarrierReceipt } from "./receipt.ts";

export interface SwitchedLinkOrder extends Pick<CarrierLink, "name" | "carrier" | "kind"> {
  readonly open: () => Promise<OpenLink>;
  readonly clock: Clock;
  /** How many messages may be unanswered at the same time. */
  readonly window: number;
}

const STOPPED = { kind: "stopped", reason: "stopped by the operator" } as const;

export class SwitchedLink implements OpenLink {
  readonly name: string;
  readonly carrier: string;
  readonly kind: CarrierLink["kind"];
  readonly #order: SwitchedLinkOrder;
  #link: OpenLink | undefined;
  /** The state while there is no link. */
  #absence: LinkState;
  #changing: Promise<void> = Promise.resolve();
  #isClosed = false;
  #inFlight = 0;
  readonly #answers = new RecentTimes();

  /** Stopped until `setStopped(false)`. */
  constructor(order: SwitchedLinkOrder) {
    this.name = order.name;
    this.carrier = order.carrier;
    this.kind = order.kind;
    this.#order = order;
    this.#absence = { ...STOPPED, since: order.clock.now() };
  }

  get state(): LinkState {
    return this.#link?.state ?? this.#absence;
  }

  get isUp(): boolean {
    return isUp(this.state);
  }

  get health(): LinkHealth {
    const { name, carrier, kind, state } = this;
    const nowMs = this.#order.clock.elapsedMs();
    return {
      name,
      carrier,
      kind,
      state: state.kind,
      reason: state.reason,
      since: state.since,
      room: this.capacity(),
      window: this.#order.window,
      inFlight: this.#inFlight,
      perSecond: this.#answers.perSecond(nowMs),
      p95Ms: this.#answers.p95Ms(nowMs),
    };
  }

  /** Resolves when the link is stopped, or open. */
  setStopped(isStopped: boolean): Promise<void> {
    const change = this.#changing.then(() => (isStopped ? this.#stop() : this.#start()));
    this.#changing = change.catch(() => undefined);
    return change;
  }

  capacity(): number {
    return this.#link?.capacity() ?? 0;
  }

  roomFor(accountSid: string): number | undefined {
    return this.#link?.roomFor?.(accountSid);
  }

  submit(message: Outgoing, done: (outcome: SubmitOutcome) => void): void {
    if (this.#link) this.#link.submit(message, this.#timed(done));
    else queueMicrotask(() => done({ kind: "notSent", reason: "link stopped" }));
  }

  #timed(done: (outcome: SubmitOutcome) => void): (outcome: SubmitOutcome) => void {
    const { clock } = this.#order;
    const givenMs = clock.elapsedMs();
    this.#inFlight++;
    return (outcome) => {
      const nowMs = clock.elapsedMs();
      this.#inFlight--;
      if (outcome.kind !== "notSent") this.#answers.note(nowMs - givenMs, nowMs);
      done(outcome);
    };
  }

  async ask(carrierId: string, from: string): Promise<CarrierReceipt | undefined> {
    return this.#link?.ask?.(carrierId, from);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // Closes it also while it is being stopped or opened.
    await this.#link?.close();
    await this.#changing;
    await this.#link?.close();
  }

  async #stop(): Promise<void> {
    await this.#link?.close();
    if (!this.#link && this.#absence.kind === "stopped") return;
    this.#link = undefined;
    this.#absence = { ...STOPPED, since: this.#order.clock.now() };
  }

  async #start(): Promise<void> {
    if (this.#link || this.#isClosed) return;
    try {
      this.#link = await this.#order.open();
    } catch (fault) {
      this.#absence = { kind: "down", reason: (fault as Error).message, since: this.#absence.since };
      throw fault;
    }
  }
}
