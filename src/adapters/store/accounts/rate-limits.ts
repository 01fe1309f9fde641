// Fixed windows counted in one unlogged table, so that all processes share them. Requests that arrive while a statement is under way
// are counted by the next one together, and the cost of the round trip is shared. The count is exact: a cost is added only where
// it fits, in the same statement that looks, so neither a race nor a refusal takes anything from the limit.

import type { Clock } from "../../../base/clock.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { type Gatherer, gather } from "../engine/gather.ts";
import { sweep } from "../engine/sweeps.ts";

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

/** All takings of one subject and class that travel together. */
interface Tally {
  readonly key: string;
  readonly subject: string;
  readonly limitClass: string;
  readonly limit: Limit;
  readonly windowStart: number;
  readonly takings: Taking[];
}

/** What a tally tries to take: those of its takings that fit as far as is known. */
interface Attempt {
  readonly tally: Tally;
  readonly chosen: ReadonlySet<Taking>;
  readonly cost: number;
}

interface CountRow {
  readonly key: string;
  readonly used: string;
}

/** Clocks of different machines may differ by this much; a window further ahead comes from a clock that was wrong. */
const SKEW_MS_MAX = 60_000;

// A window that another process began a moment ahead of our clock is the present one.
const SAME_WINDOW = "counter.window_start between excluded.window_start and $7";

const TAKE = `
insert into rate_windows as counter (subject, class, window_start, used)
select asked.subject, asked.class, asked.window_start, asked.cost
  from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as asked (subject, class, window_start, cost, allowed)
 where asked.cost <= asked.allowed
on conflict (subject, class) do update set
  window_start = case when ${SAME_WINDOW} then counter.window_start else excluded.window_start end,
  used = excluded.used + case when ${SAME_WINDOW} then counter.used else 0 end
where excluded.used + case when ${SAME_WINDOW} then counter.used else 0 end
  <= ($6::jsonb -> (counter.subject || ' ' || counter.class))::bigint
returning subject || ' ' || class as key, used`;

const LOOK = `
select counter.subject || ' ' || counter.class as key, counter.used
  from unnest($1::text[], $2::text[], $3::bigint[]) as asked (subject, class, window_start)
  join rate_windows as counter
    on counter.subject = asked.subject and counter.class = asked.class
   and counter.window_start between asked.window_start and $4`;

export class RateCounters {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #takings: Gatherer<Taking, Taken>;

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
    const answers = new Map<Taking, Taken>();
    let attempts = tally(takings, nowMs).map((all) => attemptOf(all, new Set(all.takings)));
    // Ends, for an attempt that did not fit has seen the count grow, and it grows no further than the limit.
    while (attempts.length > 0) {
      const used = await this.#take(attempts, nowMs);
      const missed = attempts.filter(({ tally: { key } }) => !used.has(key));
      for (const attempt of attempts) settle(attempt, used.get(attempt.tally.key), nowMs, answers);
      const known = missed.length === 0 ? new Map<string, number>() : await this.#look(missed, nowMs);
      attempts = [];
      for (const { tally: all } of missed) {
        const usedBefore = known.get(all.key) ?? 0;
        const attempt = attemptOf(all, thoseThatFit(all, usedBefore));
        if (attempt.cost > 0) attempts.push(attempt);
        else settle(attempt, usedBefore, nowMs, answers);
      }
    }
    return takings.map((taking) => answers.get(taking) as Taken);
  }

  /** Answers what is used now, for those that could take all they asked for. */
  async #take(attempts: readonly Attempt[], nowMs: number): Promise<Map<string, number>> {
    const asking = attempts.filter(({ cost }) => cost > 0);
    if (asking.length === 0) return new Map();
    const rows = await this.#db.query<CountRow>(
      TAKE,
      [
        asking.map(({ tally: { subject } }) => subject),
        asking.map(({ tally: { limitClass } }) => limitClass),
        asking.map(({ tally: { windowStart } }) => windowStart),
        asking.map(({ cost }) => cost),
        asking.map(({ tally: { limit } }) => limit.requests),
        JSON.stringify(Object.fromEntries(asking.map(({ tally: { key, limit } }) => [key, limit.requests]))),
        nowMs + SKEW_MS_MAX,
      ],
      "take-requests",
    );
    return new Map(rows.map((row) => [row.key, Number(row.used)]));
  }

  async #look(attempts: readonly Attempt[], nowMs: number): Promise<Map<string, number>> {
    const rows = await this.#db.query<CountRow>(
      LOOK,
      [
        attempts.map(({ tally: { subject } }) => subject),
        attempts.map(({ tally: { limitClass } }) => limitClass),
        attempts.map(({ tally: { windowStart } }) => windowStart),
        nowMs + SKEW_MS_MAX,
      ],
      "look-at-requests",
    );
    return new Map(rows.map((row) => [row.key, Number(row.used)]));
  }
}

/** One order of keys in every process, or two statements could wait for each other. */
function tally(takings: readonly Taking[], nowMs: number): readonly Tally[] {
  const tallies = new Map<string, Tally>();
  for (const taking of takings) {
    const { subject, limitClass, limit } = taking;
    const key = `${subject} ${limitClass}`;
    const known = tallies.get(key);
    if (known) known.takings.push(taking);
    else
      tallies.set(key, {
        key,
        subject,
        limitClass,
        limit,
        windowStart: windowStartOf(limit, nowMs),
        takings: [taking],
      });
  }
  return [...tallies.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function attemptOf(all: Tally, chosen: ReadonlySet<Taking>): Attempt {
  let cost = 0;
  for (const taking of chosen) cost += taking.cost;
  return { tally: all, chosen, cost };
}

function thoseThatFit(all: Tally, usedBefore: number): ReadonlySet<Taking> {
  const chosen = new Set<Taking>();
  let used = usedBefore;
  for (const taking of all.takings) {
    if (taking.cost > 0 && used + taking.cost > all.limit.requests) continue;
    chosen.add(taking);
    used += taking.cost;
  }
  return chosen;
}

/** `usedNow` is what is used with the attempt; each taking is told what it left behind. */
function settle(attempt: Attempt, usedNow: number | undefined, nowMs: number, answers: Map<Taking, Taken>): void {
  if (usedNow === undefined) return;
  const { limit, windowStart, takings } = attempt.tally;
  const resetMs = windowStart + limit.windowSeconds * 1000 - nowMs;
  let used = usedNow - attempt.cost;
  for (const taking of takings) {
    const admitted = attempt.chosen.has(taking);
    if (admitted) used += taking.cost;
    answers.set(taking, {
      admitted,
      remaining: Math.max(0, limit.requests - used),
      resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)),
    });
  }
}

export function windowStartOf(limit: Limit, nowMs: number): number {
  const windowMs = limit.windowSeconds * 1000;
  return Math.floor(nowMs / windowMs) * windowMs;
}

/** No window is longer than a day, so what began two days ago counts nothing any more. */
const KEPT_MS = 2 * 24 * 3_600_000;

/** Forgets windows long over. */
export function sweepRateWindows(db: Queryable, now: Date): Promise<number> {
  return sweep(db, "rate_windows", "window_start < $1", [now.getTime() - KEPT_MS]);
}
