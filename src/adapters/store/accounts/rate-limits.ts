// Rate limits by fixed windows, counted in one unlogged table that all processes share. Requests that arrive while a
// statement runs are counted together by the next one, and share its round trip. The count is exact: the statement that
// checks the limit adds the cost only where it fits, so neither a race nor a refusal uses up the limit.

import type { Clock } from "../../../base/clock.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { type Gatherer, gather } from "../engine/gather.ts";
import { sweep } from "../engine/sweeps.ts";

interface Limit {
  readonly requests: number;
  readonly windowSeconds: number;
}

interface TakeResult {
  readonly admitted: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface TakeRequest {
  readonly subject: string;
  readonly limitClass: string;
  readonly limit: Limit;
  readonly cost: number;
}

/** All requests for one subject and class that are counted by one statement. */
interface Tally {
  readonly key: string;
  readonly subject: string;
  readonly limitClass: string;
  readonly limit: Limit;
  readonly windowStart: number;
  readonly requests: TakeRequest[];
}

/** What a tally tries to take: the sum of its requests that fit, as far as is known. */
interface Attempt {
  readonly tally: Tally;
  readonly chosen: ReadonlySet<TakeRequest>;
  readonly cost: number;
}

interface CountRow {
  readonly key: string;
  readonly used: string;
}

/** Clocks of different machines may differ by this much; a window further ahead comes from a clock that was wrong. */
const SKEW_MS_MAX = 60_000;

// A window that another process began a moment ahead of our clock counts as the present one.
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
  readonly #requests: Gatherer<TakeRequest, TakeResult>;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#requests = gather((requests) => this.#count(requests));
  }

  take(subject: string, limitClass: string, limit: Limit, cost: number): Promise<TakeResult> {
    return this.#requests.ask({ subject, limitClass, limit, cost });
  }

  async #count(requests: readonly TakeRequest[]): Promise<readonly TakeResult[]> {
    const nowMs = this.#clock.now().getTime();
    const answers = new Map<TakeRequest, TakeResult>();
    let attempts = tally(requests, nowMs).map((all) => attemptOf(all, new Set(all.requests)));
    // This loop ends: an attempt that did not fit has seen the count grow, and it cannot grow beyond the limit.
    while (attempts.length > 0) {
      const used = await this.#take(attempts, nowMs);
      const missed = attempts.filter(({ tally: { key } }) => !used.has(key));
      for (const attempt of attempts) settle(attempt, used.get(attempt.tally.key), nowMs, answers);
      const known = missed.length === 0 ? new Map<string, number>() : await this.#look(missed, nowMs);
      attempts = [];
      for (const { tally: all } of missed) {
        const usedBefore = known.get(all.key) ?? 0;
        const attempt = attemptOf(all, fittingRequests(all, usedBefore));
        if (attempt.cost > 0) attempts.push(attempt);
        else settle(attempt, usedBefore, nowMs, answers);
      }
    }
    return requests.map((request) => answers.get(request) as TakeResult);
  }

  /** Returns what is used now, for the attempts that fitted. */
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

/** Every process locks keys in the same order, or two statements could deadlock. */
function tally(requests: readonly TakeRequest[], nowMs: number): readonly Tally[] {
  const tallies = new Map<string, Tally>();
  for (const request of requests) {
    const { subject, limitClass, limit } = request;
    const key = `${subject} ${limitClass}`;
    const known = tallies.get(key);
    if (known) known.requests.push(request);
    else
      tallies.set(key, {
        key,
        subject,
        limitClass,
        limit,
        windowStart: windowStartOf(limit, nowMs),
        requests: [request],
      });
  }
  return [...tallies.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function attemptOf(all: Tally, chosen: ReadonlySet<TakeRequest>): Attempt {
  let cost = 0;
  for (const request of chosen) cost += request.cost;
  return { tally: all, chosen, cost };
}

function fittingRequests(all: Tally, usedBefore: number): ReadonlySet<TakeRequest> {
  const chosen = new Set<TakeRequest>();
  let used = usedBefore;
  for (const request of all.requests) {
    if (request.cost > 0 && used + request.cost > all.limit.requests) continue;
    chosen.add(request);
    used += request.cost;
  }
  return chosen;
}

/** `usedNow` includes the attempt; each request is answered with what was left after it. */
function settle(
  attempt: Attempt,
  usedNow: number | undefined,
  nowMs: number,
  answers: Map<TakeRequest, TakeResult>,
): void {
  if (usedNow === undefined) return;
  const { limit, windowStart, requests } = attempt.tally;
  const resetMs = windowStart + limit.windowSeconds * 1000 - nowMs;
  let used = usedNow - attempt.cost;
  for (const request of requests) {
    const admitted = attempt.chosen.has(request);
    if (admitted) used += request.cost;
    answers.set(request, {
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

/** No window is longer than a day, so one that began two days ago is over. */
const KEPT_MS = 2 * 24 * 3_600_000;

/** Deletes windows that are over. */
export function sweepRateWindows(db: Queryable, now: Date): Promise<number> {
  return sweep(db, "rate_windows", "window_start < $1", [now.getTime() - KEPT_MS]);
}
