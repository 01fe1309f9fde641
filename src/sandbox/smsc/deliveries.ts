// The queue of receipts and handsets' messages that the SMSC delivers to its ESMEs.
//
// Guarantees: a delivery waits until a link of its ESME has a free window slot. It is sent again after a temporary
// refusal, a timeout or a broken link, so an ESME may get it twice. It ends exactly once: accepted, or failed with a
// reason. The caller bounds the queue: it checks `held` before adding.

import { backoffMs } from "../../base/backoff.ts";
import { Fifo } from "../../base/fifo.ts";
import type { DeliverSm, Unnumbered } from "../../wire/smpp/pdu.ts";
import type { Outcome } from "../../wire/smpp/session-state.ts";
import { STATUS, statusName } from "../../wire/smpp/statuses.ts";
import type { Link } from "./link.ts";

const REDELIVER_MS_MAX = 256_000;

export interface Delivery {
  /** The ESME it is for; any ESME when undefined. */
  readonly systemId: string | undefined;
  readonly pdu: Unnumbered<DeliverSm>;
  /** Called once. */
  readonly onEnd: (failure: string | undefined) => void;
}

interface Waiting {
  readonly delivery: Delivery;
  refusals: number;
}

export interface DeliveryRules {
  /** The pause after the first refusal; doubles after each further one. */
  readonly redeliverMs: number;
  readonly refusalsMax: number;
}

/** 5.2.23: the ESME does not want the message again. */
const PERMANENT: readonly number[] = [STATUS.ESME_RX_P_APPN, STATUS.ESME_RX_R_APPN];

export class Deliveries {
  readonly #rules: DeliveryRules;
  readonly #links = new Set<Link>();
  /** By system id. Empty queues are removed. */
  readonly #waiting = new Map<string | undefined, Fifo<Waiting>>();
  /** Deliveries that have not ended. */
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

  /** Ends the delivery unless it has ended. One that is already sent is not sent again. */
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

  /** Sends as many deliveries as the link's window has free slots. */
  send(link: Link): void {
    const batch: Waiting[] = [];
    for (let slots = link.freeSlots; slots > 0; slots--) {
      const waiting = this.#take(link.systemId) ?? this.#take(undefined);
      if (!waiting) break;
      batch.push(waiting);
    }
    if (batch.length === 0) return;
    link.deliver(
      batch.map((waiting) => ({
        pdu: waiting.delivery.pdu,
        onOutcome: (outcome) => this.#settle(link, waiting, outcome),
      })),
    );
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const delivery of this.#open) this.end(delivery, "the SMSC has closed");
  }

  #settle(link: Link, waiting: Waiting, outcome: Outcome) {
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
