// The orders of the simulated clearing house and what was said of each: decisions only, no time, no sockets.
//
// Guarantees: an order is known by its reference and taken once; news is numbered without gaps, per order and over all; what is closed
// for a number (rejected, cancelled, both halves moved) gets no more news. Bounded by `ORDERS_MAX`.

import { ok, type Result, refused } from "../../base/result.ts";
import type { OrderBody } from "./order-body.ts";
import { type Outcome, ordinaryPlan, planOf, type Reason, type Step, type Word } from "./port-plan.ts";

const ORDERS_MAX = 10_000;
/** A number that comes with it is held up until it comes with another one. */
export const WRONG_PIN = "0000";

export type News = Word & {
  readonly order: string;
  readonly sequence: number;
  readonly at: string;
  readonly numbers: readonly string[];
};

/** As it is kept on disk: without PINs. */
export interface HouseOrder {
  readonly reference: string;
  /** Of what was submitted: tells a repeat from another order under the same key. */
  readonly fingerprint: string;
  readonly numbers: readonly string[];
  /** The last exception that was answered. */
  readonly answered: number;
  readonly steps: readonly Step[];
  /** With its place among the news of all orders. */
  readonly history: readonly { readonly place: number; readonly news: News }[];
}

export type BookFault = Reason & { readonly status: 404 | 409 | 503 };

export class OrderBook {
  readonly #portMs: number;
  readonly #orders = new Map<string, HouseOrder>();
  readonly #news: News[] = [];

  constructor(portMs: number, kept: readonly HouseOrder[]) {
    this.#portMs = portMs;
    for (const order of kept) {
      this.#orders.set(order.reference, order);
      for (const { place, news } of order.history) this.#news[place] = news;
    }
  }

  get newsCount(): number {
    return this.#news.length;
  }

  /** When the next step of any order is due. */
  get nextDueMs(): number | undefined {
    const due = [...this.#orders.values()].flatMap(({ steps }) => steps.map(({ dueMs }) => dueMs));
    return due.length === 0 ? undefined : due.reduce((first, next) => Math.min(first, next));
  }

  find(reference: string): HouseOrder | undefined {
    return this.#orders.get(reference);
  }

  newsAfter(place: number, limit: number): readonly News[] {
    return this.#news.slice(place, place + limit);
  }

  submit(body: OrderBody, fingerprint: string, nowMs: number): Result<HouseOrder, BookFault> {
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
    return ok(this.#say(order, numbers, { kind: "submitted" }, nowMs));
  }

  supplement(body: OrderBody, nowMs: number): Result<HouseOrder, BookFault> {
    const order = this.#orders.get(body.reference);
    if (!order) return refused(UNKNOWN);
    if (body.answers > 0 && body.answers <= order.answered) return ok(order);
    const held = order.numbers.filter((number) => lastWord(order, number) === "exception");
    if (held.length === 0) return refused(fault(409, "NO_EXCEPTION", "There is no exception to answer."));
    const steps = [...order.steps, ...this.#planFor(body, held, nowMs)];
    return ok(this.#say({ ...order, answered: body.answers, steps }, held, { kind: "submitted" }, nowMs));
  }

  cancel(reference: string, nowMs: number): Result<HouseOrder, BookFault> {
    const order = this.#orders.get(reference);
    if (!order) return refused(UNKNOWN);
    const still = order.numbers.filter((number) => !hasMoved(order, number) && !isClosed(order, number));
    if (still.length > 0) return ok(this.#say(order, still, { kind: "cancelled" }, nowMs));
    const isCancelled = order.history.some(({ news }) => news.kind === "cancelled");
    return isCancelled ? ok(order) : refused(fault(409, "TOO_LATE", "Every number has moved or was rejected."));
  }

  /** Instead of whatever was to come. */
  decide(
    reference: string,
    outcome: Outcome,
    reason: Reason | undefined,
    nowMs: number,
  ): Result<HouseOrder, BookFault> {
    const order = this.#orders.get(reference);
    if (!order) return refused(UNKNOWN);
    const numbers = order.numbers.filter((number) => !isClosed(order, number));
    if (numbers.length === 0) return refused(fault(409, "CLOSED", "The order is closed."));
    const steps = planOf(outcome, { numbers, nowMs, portMs: this.#portMs, reason });
    return ok(this.#keep({ ...order, steps }));
  }

  /** Takes every step that is due; answers the orders that have changed. */
  advance(nowMs: number): readonly HouseOrder[] {
    return [...this.#orders.values()]
      .filter(({ steps }) => steps.some(({ dueMs }) => dueMs <= nowMs))
      .map((order) => {
        const due = order.steps.filter(({ dueMs }) => dueMs <= nowMs).sort((left, right) => left.dueMs - right.dueMs);
        const rest = { ...order, steps: order.steps.filter(({ dueMs }) => dueMs > nowMs) };
        return due.reduce((after, { numbers, word }) => this.#say(after, numbers, word, nowMs), this.#keep(rest));
      });
  }

  #planFor({ numbers }: OrderBody, wanted: readonly string[], nowMs: number): readonly Step[] {
    const wrong = new Set(numbers.filter(({ pin }) => pin === WRONG_PIN).map(({ number }) => number));
    const reason = { code: "PASSCODE_PIN_INVALID", detail: `${WRONG_PIN} is nobody's PIN.` };
    const plan = { nowMs, portMs: this.#portMs };
    const held = wanted.filter((number) => wrong.has(number));
    const good = wanted.filter((number) => !wrong.has(number));
    return [
      ...(good.length > 0 ? ordinaryPlan({ ...plan, numbers: good }) : []),
      ...(held.length > 0 ? planOf("exception", { ...plan, numbers: held, reason }) : []),
    ];
  }

  #say(order: HouseOrder, numbers: readonly string[], word: Word, nowMs: number): HouseOrder {
    const isSaid = (number: string) => isMove(word.kind) && wordsOf(order, number).includes(word.kind);
    const open = numbers.filter((number) => !isClosed(order, number) && !isSaid(number));
    if (open.length === 0) return this.#keep(order);
    const sequence = (order.history.at(-1)?.news.sequence ?? 0) + 1;
    const news = { order: order.reference, sequence, at: new Date(nowMs).toISOString(), numbers: open, ...word };
    const place = this.#news.push(news) - 1;
    return this.#keep({ ...order, history: [...order.history, { place, news }] });
  }

  #keep(order: HouseOrder): HouseOrder {
    this.#orders.set(order.reference, order);
    return order;
  }
}

const fault = (status: BookFault["status"], code: string, detail: string): BookFault => ({ status, code, detail });
const UNKNOWN = fault(404, "UNKNOWN_ORDER", "There is no such order.");

function wordsOf({ history }: HouseOrder, number: string): readonly string[] {
  return history.filter(({ news }) => news.numbers.includes(number)).map(({ news }) => news.kind);
}

const isMove = (kind: string) => kind === "voiceMoved" || kind === "messagingMoved";

function lastWord(order: HouseOrder, number: string): string | undefined {
  return wordsOf(order, number).at(-1);
}

function hasMoved(order: HouseOrder, number: string): boolean {
  return wordsOf(order, number).some(isMove);
}

function isClosed(order: HouseOrder, number: string): boolean {
  const words = wordsOf(order, number);
  const isRefused = words.includes("rejected") || words.includes("cancelled");
  return isRefused || (words.includes("voiceMoved") && words.includes("messagingMoved"));
}
