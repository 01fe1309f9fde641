// What the SMSC has for its ESMEs: receipts, and messages from handsets.
//
// Guarantees: a delivery waits until a link of its ESME's can take it, is sent again when it was refused for now, was not answered or was
// under way when its link broke (so an ESME may get it twice), and ends exactly once: taken, or given up with a reason. What waits is
// bounded by its owner, who asks `held` before adding.

import { backoffMs } from "../../base/backoff.ts";
import type { DeliverSm, Unnumbered } from "../../wire/smpp/pdu.ts";
import type { Outcome } from "../../wire/smpp/session-state.ts";
import { STATUS, statusName } from "../../wire/smpp/statuses.ts";
import { Fifo } from "./fifo.ts";
import type { Link } from "./link.ts";

const REDELIVER_MS_MAX = 256_000;

export interface Delivery {
  /** Whose it is; anybody's when absent. */
  readonly systemId: string | undefined;
  readonly pdu: Unnumbered<DeliverSm>;
  /** Once. */
  readonly onEnd: (failure: string | undefined) => void;
}

interface Waiting {
  readonly delivery: Delivery;
  refusals: number;
}

export interface DeliveryRules {
  /** After the first refusal; after each further one twice as long. */
  readonly redeliverMs: number;
  readonly refusalsMax: number;
}

/** 5.2.23: what an ESME says when it wants the same message never again. */
const PERMANENT: readonly number[] = [STATUS.ESME_RX_P_APPN, STATUS.ESME_RX_R_APPN];

export class Deliveries {
  readonly #rules: DeliveryRules;
  readonly #links = new Set<Link>();
  /** By whose they are. An entry goes when it is empty. */
  readonly #waiting = new Map<string | undefined, Fifo<Waiting>>();
  /** Neither ended nor called off. */
  readonly #open = new Set<Delivery>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(rules: DeliveryRules) {
    this.#rules = rules;
  }

  get held(): number {
    return this.#open.size;
  }

  add(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      this.#open.add(delivery);
      this.#enqueue({ delivery, refusals: 0 });
    }
    this.#sendAll();
  }

  /** Ends it unless it has ended. What is under way cannot be called back, but is not sent again. */
  end(delivery: Delivery, failure: string | undefined): void {
    if (this.#open.delete(delivery)) delivery.onEnd(failure);
  }

  attach(link: Link): void {
    this.#links.add(link);
    this.send(link);
  }

  detach(link: Link): void {
    this.#links.delete(link);
    this.#sendAll();
  }

  /** Gives the link as much as it takes. */
  send(link: Link): void {
    const batch: Waiting[] = [];
    for (let room = link.room; room > 0; room--) {
      const waiting = this.#take(link.systemId) ?? this.#take(undefined);
      if (!waiting) break;
      batch.push(waiting);
    }
    if (batch.length === 0) return;
    link.deliver(
      batch.map((waiting) => ({
        pdu: waiting.delivery.pdu,
        onOutcome: (outcome) => this.#hear(link, waiting, outcome),
      })),
    );
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const delivery of this.#open) this.end(delivery, "the SMSC has closed");
  }

  #hear(link: Link, waiting: Waiting, outcome: Outcome) {
    const { delivery } = waiting;
    if (outcome.kind === "accepted") return this.end(delivery, undefined);
    if (outcome.kind === "notSent") return this.end(delivery, outcome.reason);
    if (outcome.kind === "unknown" && link.isOver) return this.#enqueue(waiting);
    const reason = outcome.kind === "unknown" ? outcome.reason : statusName(outcome.status);
    waiting.refusals += 1;
    const isPermanent = outcome.kind === "rejected" && PERMANENT.includes(outcome.status);
    if (isPermanent || waiting.refusals >= this.#rules.refusalsMax) return this.end(delivery, reason);
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#enqueue(waiting);
        this.#sendAll();
      },
      backoffMs({ msMin: this.#rules.redeliverMs, msMax: REDELIVER_MS_MAX }, waiting.refusals),
    );
    this.#timers.add(timer);
  }

  #sendAll(): void {
    for (const link of this.#links) this.send(link);
  }

  #enqueue(waiting: Waiting): void {
    const { systemId } = waiting.delivery;
    let queue = this.#waiting.get(systemId);
    if (!queue) {
      queue = new Fifo();
      this.#waiting.set(systemId, queue);
    }
    queue.push(waiting);
  }

  #take(systemId: string | undefined): Waiting | undefined {
    const queue = this.#waiting.get(systemId);
    if (!queue) return undefined;
    for (let waiting = queue.shift(); waiting; waiting = queue.shift()) {
      if (this.#open.has(waiting.delivery)) return waiting;
    }
    this.#waiting.delete(systemId);
    return undefined;
  }
}
