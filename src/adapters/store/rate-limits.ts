// Fixed windows counted in one unlogged table, so that all processes share them. Requests that arrive while a statement is under way
// are counted by the next one together: the count is exact, and the cost of the round trip is shared.

import type { Clock } from "../../base/clock.ts";
import type { Database } from "./database.ts";
import { type Gatherer, gather } from "./gather.ts";

interface Limit {
  readonly requests: number;
  readonly windowSeconds: number;
}

interface Taken {
  readonly admitted: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface Taking {
  readonly subject: string;
  readonly limitClass: string;
  readonly limit: Limit;
  readonly cost: number;
}

interface Counted {
  readonly subject: string;
  readonly class: string;
  readonly used: string;
}

/** All takings of one subject and class in one statement. */
interface Tally {
  readonly first: Taking;
  readonly windowStart: number;
  sum: number;
}

const COUNT = `
insert into rate_windows as counter (subject, class, window_start, used)
select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
on conflict (subject, class) do update set
  window_start = excluded.window_start,
  used = greatest(0, case when counter.window_start = excluded.window_start then counter.used + excluded.used else excluded.used end)
returning subject, class, used`;

export class RateCounters {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #takings: Gatherer<Taking, Taken>;
  /** Costs that were counted and then refused; given back with the next statement of the same window. */
  readonly #refunds = new Map<string, { readonly windowStart: number; cost: number }>();

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#takings = gather((takings) => this.#count(takings));
  }

  take(subject: string, limitClass: string, limit: Limit, cost: number): Promise<Taken> {
    return this.#takings.ask({ subject, limitClass, limit, cost });
  }

  async #count(takings: readonly Taking[]): Promise<readonly Taken[]> {
    const nowMs = this.#clock.now().getTime();
    const tallies = new Map<string, Tally>();
    for (const taking of takings) {
      const key = keyOf(taking.subject, taking.limitClass);
      const tally = tallies.get(key);
      if (tally) tally.sum += taking.cost;
      else tallies.set(key, { first: taking, windowStart: windowStartOf(taking.limit, nowMs), sum: taking.cost });
    }
    const used = await this.#addUp(tallies);
    return takings.map((taking) => {
      const key = keyOf(taking.subject, taking.limitClass);
      const before = used.get(key) ?? 0;
      const admitted = taking.cost === 0 || before + taking.cost <= taking.limit.requests;
      if (admitted) used.set(key, before + taking.cost);
      else this.#refund(key, windowStartOf(taking.limit, nowMs), taking.cost);
      const windowMs = taking.limit.windowSeconds * 1000;
      return {
        admitted,
        remaining: Math.max(0, taking.limit.requests - (used.get(key) ?? 0)),
        resetSeconds: Math.max(1, Math.ceil((windowStartOf(taking.limit, nowMs) + windowMs - nowMs) / 1000)),
      };
    });
  }

  /** Answers, per key, what was used before this batch. */
  async #addUp(tallies: ReadonlyMap<string, Tally>): Promise<Map<string, number>> {
    // One order of rows in every process, or two statements could wait for each other.
    const ordered = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1));
    const sums = ordered.map(([key, tally]) => tally.sum - this.#takeRefund(key, tally.windowStart));
    const rows = await this.#db.prepared<Counted>("count-requests", COUNT, [
      ordered.map(([, tally]) => tally.first.subject),
      ordered.map(([, tally]) => tally.first.limitClass),
      ordered.map(([, tally]) => tally.windowStart),
      sums,
    ]);
    return new Map(
      rows.map((row) => {
        const key = keyOf(row.subject, row.class);
        return [key, Number(row.used) - (tallies.get(key)?.sum ?? 0)];
      }),
    );
  }

  #refund(key: string, windowStart: number, cost: number): void {
    const known = this.#refunds.get(key);
    if (known?.windowStart === windowStart) known.cost += cost;
    else this.#refunds.set(key, { windowStart, cost });
  }

  #takeRefund(key: string, windowStart: number): number {
    const refund = this.#refunds.get(key);
    this.#refunds.delete(key);
    return refund?.windowStart === windowStart ? refund.cost : 0;
  }
}

function keyOf(subject: string, limitClass: string): string {
  return `${subject} ${limitClass}`;
}

function windowStartOf(limit: Limit, nowMs: number): number {
  const windowMs = limit.windowSeconds * 1000;
  return Math.floor(nowMs / windowMs) * windowMs;
}
