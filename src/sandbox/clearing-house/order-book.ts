// The orders of the simulated clearing house and their updates: pure decisions without timers and sockets.
//
// Guarantees: an order is identified by its reference and accepted once. Updates are numbered without gaps, per order
// and over all orders. A closed number (rejected, cancelled, or moved for voice and messaging) gets no more updates.
// Bounded by `ORDERS_MAX`.

import { ok, type Result, refused } from "../../base/result.ts";
import type { OrderBody } from "./order-body.ts";
import { type Outcome, ordinaryPlan, planOf, type Reason, type Step, type UpdateContent } from "./port-plan.ts";

const ORDERS_MAX = 10_000;
/** A number with this PIN gets an exception until the order is corrected with another one. */
export const WRONG_PIN = "0000";

export type Update = UpdateContent & {
  readonly order: string;
  readonly sequence: number;
  readonly at: string;
  readonly numbers: readonly string[];
};

/** As stored on disk: without PINs. */
export interface StoredOrder {
  readonly reference: string;
  /** Of the submitted order; distinguishes a repeat from another order with the same key. */
  readonly fingerprint: string;
  readonly numbers: readonly string[];
  /** The sequence of the last exception that was corrected. */
  readonly answered: number;
  readonly steps: readonly Step[];
  /** Each update with its place among the updates of all orders. */
  readonly history: readonly { readonly place: number; readonly news: Update }[];
}

export type OrderFault = Reason & { readonly status: 404 | 409 | 503 };

export class OrderBook {
  readonly #portMs: number;
  readonly #orders = new Map<string, StoredOrder>();
  readonly #updates: Update[] = [];

  constructor(portMs: number, stored: readonly StoredOrder[]) {
    this.#portMs = portMs;
    for (const order of stored) {
      this.#orders.set(order.reference, order);
      for (const { place, news } of order.history) this.#updates[place] = news;
    }
  }

  get updateCount(): number {
    return this.#updates.length;
  }

  /** When the next step of any order is due. */
  get nextDueMs(): number | undefined {
    const due = [...this.#orders.values()].flatMap(({ steps }) => steps.map(({ dueMs }) => dueMs));
    return due.length === 0 ? undefined : due.reduce((first, next) => Math.min(first, next));
  }

  find(reference: string): StoredOrder | undefined {
    return this.#orders.get(reference);
  }

  updatesAfter(place: number, limit: number): readonly Update[] {
    return this.#updates.slice(place, place + limit);
  }

  submit(body: OrderBody, fingerprint: string, nowMs: number): Result<StoredOrder, OrderFault> {
    const known = this.#orders.get(body.reference);
    if (known?.fingerprint === fingerprint) return ok(known);
    if (known) return refused(fault(409, "IDEMPOTENCY_KEY_REUSED", "This reference is another order's."));
    if (this.#orders.size >= ORDERS_MAX) return refused(fault(503, "FULL", "The sandbox holds no more orders."));
    const { reference } = body;
    const numbers = body.numbers.map(({ number }) => number);
    const order = {
      reference,
      fingerprint,
      numbers,
      answered: 0,
      steps: this.#planFor(body, numbers, nowMs),
      history: [],
    };
    return ok(this.#update(order, numbers, { kind: "submitted" }, nowMs));
  }

  supplement(body: OrderBody, nowMs: number): Result<StoredOrder, OrderFault> {
    const order = this.#orders.get(body.reference);
    if (!order) return refused(UNKNOWN);
    if (body.answers > 0 && body.answers <= order.answered) return ok(order);
    const held = order.numbers.filter((number) => updateKinds(order, number).at(-1) === "exception");
    if (held.length === 0) return refused(fault(409, "NO_EXCEPTION", "There is no exception to answer."));
    const steps = [...order.steps, ...this.#planFor(body, held, nowMs)];
    return ok(this.#update({ ...order, answered: body.answers, steps }, held, { kind: "submitted" }, nowMs));
  }

  cancel(reference: string, nowMs: number): Result<StoredOrder, OrderFault> {
    const order = this.#orders.get(reference);
    if (!order) return refused(UNKNOWN);
    const open = order.numbers.filter((number) => !updateKinds(order, number).some(isMove) && !isClosed(order, number));
    if (open.length > 0) return ok(this.#update(order, open, { kind: "cancelled" }, nowMs));
    const isCancelled = order.history.some(({ news }) => news.kind === "cancelled");
    return isCancelled ? ok(order) : refused(fault(409, "TOO_LATE", "Every number has moved or was rejected."));
  }

  /** Replaces the scheduled steps. */
  decide(
    reference: string,
    outcome: Outcome,
    reason: Reason | undefined,
    nowMs: number,
  ): Result<StoredOrder, OrderFault> {
    const order = this.#orders.get(reference);
    if (!order) return refused(UNKNOWN);
    const numbers = order.numbers.filter((number) => !isClosed(order, number));
    if (numbers.length === 0) return refused(fault(409, "CLOSED", "The order is closed."));
    const steps = planOf(outcome, { numbers, nowMs, portMs: this.#portMs, reason });
    return ok(this.#store({ ...order, steps }));
  }

  /** Carries out every step that is due, and returns the changed orders. */
  advance(nowMs: number): readonly StoredOrder[] {
    return [...this.#orders.values()]
      .filter(({ steps }) => steps.some(({ dueMs }) => dueMs <= nowMs))
      .map((order) => {
        const due = order.steps.filter(({ dueMs }) => dueMs <= nowMs).sort((left, right) => left.dueMs - right.dueMs);
        const rest = { ...order, steps: order.steps.filter(({ dueMs }) => dueMs > nowMs) };
        return due.reduce(
          (after, { numbers, update }) => this.#update(after, numbers, update, nowMs),
          this.#store(rest),
        );
      });
  }

  #planFor({ numbers }: OrderBody, wanted: readonly string[], nowMs: number): readonly Step[] {
    const wrong = new Set(numbers.filter(({ pin }) => pin === WRONG_PIN).map(({ number }) => number));
    const reason = { code: "PASSCODE_PIN_INVALID", detail: `${WRONG_PIN} is not a valid PIN.` };
    const plan = { nowMs, portMs: this.#portMs };
    const held = wanted.filter((number) => wrong.has(number));
    const good = wanted.filter((number) => !wrong.has(number));
    return [
      ...(good.length > 0 ? ordinaryPlan({ ...plan, numbers: good }) : []),
      ...(held.length > 0 ? planOf("exception", { ...plan, numbers: held, reason }) : []),
    ];
  }

  #update(order: StoredOrder, numbers: readonly string[], content: UpdateContent, nowMs: number): StoredOrder {
    const isRepeat = (number: string) => isMove(content.kind) && updateKinds(order, number).includes(content.kind);
    const open = numbers.filter((number) => !isClosed(order, number) && !isRepeat(number));
    if (open.length === 0) return this.#store(order);
    const sequence = (order.history.at(-1)?.news.sequence ?? 0) + 1;
    const news = { order: order.reference, sequence, at: new Date(nowMs).toISOString(), numbers: open, ...content };
    const place = this.#updates.push(news) - 1;
    return this.#store({ ...order, history: [...order.history, { place, news }] });
  }

  #store(order: StoredOrder): StoredOrder {
    this.#orders.set(order.reference, order);
    return order;
  }
}

const fault = (status: OrderFault["status"], code: string, detail: string): OrderFault => ({ status, code, detail });
const UNKNOWN = fault(404, "UNKNOWN_ORDER", "There is no such order.");

function updateKinds({ history }: StoredOrder, number: string): readonly string[] {
  return history.filter(({ news }) => news.numbers.includes(number)).map(({ news }) => news.kind);
}

const isMove = (kind: string) => kind === "voiceMoved" || kind === "messagingMoved";

function isClosed(order: StoredOrder, number: string): boolean {
  const kinds = updateKinds(order, number);
  const isRefused = kinds.includes("rejected") || kinds.includes("cancelled");
  return isRefused || (kinds.includes("voiceMoved") && kinds.includes("messagingMoved"));
}
