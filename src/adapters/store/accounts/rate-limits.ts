// Rate limits by fixed windows, counted in one unlogged table that all processes share. Requests that arrive while a
// statement runs are counted together by the next one, and share its round trip. The count is exact: the statement that
// checks the limit adds the cost only where it fits, so neither a race nor a refusal uses up the limit.
//
// A process that needs much of a limit leases a part of the window (rate-lease.ts) and admits requests from it without
// a round trip. A lease counts as used, so all processes together never admit more than the limit, and the counter
// names its holder. When a request does not fit because other processes hold leases, they are notified and give back
// what they have not spent; the request waits for that. A process that does not give back in time has died or hangs:
// its lease stays used.

import { randomUUID } from "node:crypto";
import { type Clock, pause } from "../../../base/clock.ts";
import type { MaybePromise } from "../../../base/maybe-promise.ts";
import { LIMITS_WANTED } from "../engine/channels.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { type Gatherer, gather } from "../engine/gather.ts";
import { named } from "../engine/named-statements.ts";
import { sweep } from "../engine/sweeps.ts";
import {
  type Limit,
  type Moment,
  RateLease,
  resetSecondsOf,
  SKEW_MS_MAX,
  type TakeResult,
  windowStartOf,
} from "./rate-lease.ts";

interface TakeRequest {
  readonly subject: string;
  readonly limitClass: string;
  readonly limit: Limit;
  readonly cost: number;
  /** Renew: the process leases more, and keeps spending meanwhile. Return: it gives back what it has. */
  readonly purpose: "take" | "renew" | "return";
  /** Whether the request waits for what other processes have leased. */
  readonly waits: boolean;
}

/** Other processes have leased what the request needs. */
const LEASED_ELSEWHERE = "leasedElsewhere";
type Answer = TakeResult | typeof LEASED_ELSEWHERE;

/** All requests for one subject and class that are counted by one statement. */
interface Tally {
  readonly key: string;
  readonly subject: string;
  readonly limitClass: string;
  readonly limit: Limit;
  readonly windowStart: number;
  readonly requests: TakeRequest[];
  readonly lease: RateLease | undefined;
  /** What is left of the lease and offset against the cost. */
  held: number;
  /** What is left of the lease and may be spent while the statement runs. */
  kept: number;
}

/** What a tally tries to take: the sum of its requests that fit, as far as is known, and a lease in addition. */
interface Attempt {
  readonly tally: Tally;
  readonly chosen: ReadonlySet<TakeRequest>;
  readonly cost: number;
  readonly leased: number;
  /** What other processes have leased, as far as is known. */
  readonly others: number;
}

interface CountRow {
  readonly key: string;
  readonly used: string;
  readonly windowStart: string;
}

interface LookRow extends CountRow {
  /** What this process and others have leased, by the counter. */
  readonly own: string;
  readonly others: string;
}

const LEASES_MAX = 10_000;
const TIDY_MS = 1_000;
/** How often a request that waits for the leases of other processes tries again, and for how long. */
const ASK_AGAIN_MS = 10;
const PATIENCE_MS = 500;

// A window that another process began slightly ahead of our clock counts as the current one.
const SAME_WINDOW = "counter.window_start between excluded.window_start and $7";
const ASKED = "($6::jsonb -> (counter.subject || ' ' || counter.class))";
/** The recorded lease of this process ($8); zero after a crash of PostgreSQL, which empties the table. */
const OWN_LEASE = "coalesce((counter.leases ->> $8::text)::bigint, 0)";
const USED = `excluded.used + case when ${SAME_WINDOW} then counter.used - least((${ASKED} ->> 'held')::bigint, ${OWN_LEASE}) else 0 end`;

const TAKE = named(
  "take-requests",
  `
insert into rate_windows as counter (subject, class, window_start, used, leases)
select asked.subject, asked.class, asked.window_start, asked.cost + asked.leased,
       case when asked.leased > 0 then jsonb_build_object($8::text, asked.leased) else '{}' end
  from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $9::bigint[])
    as asked (subject, class, window_start, cost, allowed, leased)
 where asked.cost + asked.leased <= asked.allowed
on conflict (subject, class) do update set
  window_start = case when ${SAME_WINDOW} then counter.window_start else excluded.window_start end,
  used = ${USED},
  leases = case when not ${SAME_WINDOW} then excluded.leases
    when excluded.leases = '{}' then counter.leases - $8::text
    else counter.leases || jsonb_build_object($8::text, (excluded.leases ->> $8::text)::bigint + least((${ASKED} ->> 'kept')::bigint, ${OWN_LEASE})) end
where ${USED} <= (${ASKED} ->> 'allowed')::bigint
returning subject || ' ' || class as key, used, window_start as "windowStart"`,
);

const LOOK = named(
  "look-at-requests",
  `
select counter.subject || ' ' || counter.class as key, counter.used, counter.window_start as "windowStart",
       coalesce((counter.leases ->> $5::text)::bigint, 0) as own,
       (select coalesce(sum(leased.value::bigint), 0) from jsonb_each_text(counter.leases - $5::text) as leased) as others
  from unnest($1::text[], $2::text[], $3::bigint[]) as asked (subject, class, window_start)
  join rate_windows as counter
    on counter.subject = asked.subject and counter.class = asked.class
   and counter.window_start between asked.window_start and $4`,
);

const ASK_BACK = "select pg_notify($1, wanted) from unnest($2::text[]) as wanted";

/** The leases of other processes stay used, and no request waits for them any longer. */
const WRITE_OFF = `
update rate_windows set leases = case when leases ? $3 then jsonb_build_object($3::text, leases -> $3::text) else '{}' end
 where subject = $1 and class = $2`;

export class RateCounters {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #hearsOthers: () => boolean;
  readonly #requests: Gatherer<TakeRequest, Answer>;
  readonly #leases = new Map<string, RateLease>();
  /** This process's id as a holder of leases in the database. */
  readonly #id = randomUUID();
  #tidiedMs = 0;

  /** `hearsOthers`: whether this process is notified when others want its lease back; if not, it leases nothing. */
  constructor(db: Database, clock: Clock, hearsOthers: () => boolean = () => false) {
    this.#db = db;
    this.#clock = clock;
    this.#hearsOthers = hearsOthers;
    this.#requests = gather((requests) => this.#count(requests));
  }

  /** Returns synchronously where a lease admits the request. */
  take(subject: string, limitClass: string, limit: Limit, cost: number): MaybePromise<TakeResult> {
    const at = this.#moment();
    const lease = this.#leases.get(`${subject} ${limitClass}`);
    const spent = lease?.spend(limit, cost, at);
    if (!lease || !spent) return this.#takeFromCounter(subject, limitClass, limit, cost);
    if (lease.isLow(at)) this.#renew(lease, subject, limitClass, limit);
    return spent;
  }

  async #takeFromCounter(subject: string, limitClass: string, limit: Limit, cost: number): Promise<TakeResult> {
    const startMs = this.#clock.elapsedMs();
    for (;;) {
      const waits = this.#clock.elapsedMs() - startMs < PATIENCE_MS;
      const answer = await this.#requests.ask({ subject, limitClass, limit, cost, purpose: "take", waits });
      if (answer !== LEASED_ELSEWHERE) return answer;
      await pause(this.#clock, ASK_AGAIN_MS);
    }
  }

  /** Another process wants what is leased here. `key` is the payload of the notification. */
  async giveBack(key: string): Promise<void> {
    const lease = this.#leases.get(key);
    if (!lease) return;
    lease.stop(this.#moment());
    // If this fails, the other process asks again or writes the lease off.
    if (lease.isRecorded || lease.isRenewed) await this.#return(key, lease).catch(() => undefined);
  }

  /** Gives all leases back. */
  async close(): Promise<void> {
    const nowMs = this.#clock.now().getTime();
    for (const [key, lease] of this.#leases)
      if (!lease.isOver(nowMs)) await this.#return(key, lease).catch(() => undefined);
  }

  async #return(key: string, lease: RateLease): Promise<void> {
    const at = key.lastIndexOf(" ");
    const [subject, limitClass] = [key.slice(0, at), key.slice(at + 1)];
    await this.#requests.ask({ subject, limitClass, limit: lease.limit, cost: 0, purpose: "return", waits: false });
  }

  #renew(lease: RateLease, subject: string, limitClass: string, limit: Limit): void {
    lease.isRenewed = true;
    const asked = this.#requests.ask({ subject, limitClass, limit, cost: 0, purpose: "renew", waits: false });
    // A renewal that fails leaves the lease as it is; when it is spent, requests go to the database.
    asked
      .catch(() => undefined)
      .finally(() => {
        lease.isRenewed = false;
      });
  }

  async #count(requests: readonly TakeRequest[]): Promise<readonly Answer[]> {
    const at = this.#moment();
    const answers = new Map<TakeRequest, Answer>();
    let attempts = this.#tally(requests, at).map((all) => this.#firstAttempt(all, at));
    // This loop ends: an attempt that did not fit has seen the count grow, and it cannot grow beyond the limit.
    while (attempts.length > 0) {
      const taken = await this.#take(attempts, at);
      const missed = attempts.filter(({ tally: { key } }) => !taken.has(key));
      for (const attempt of attempts) {
        const row = taken.get(attempt.tally.key);
        if (row) await this.#settleTaken(attempt, row, at, answers);
      }
      const known = missed.length === 0 ? new Map<string, LookRow>() : await this.#look(missed, at);
      attempts = [];
      for (const { tally: all } of missed) {
        const attempt = nextAttempt(all, known.get(all.key));
        if (attempt.cost > 0) attempts.push(attempt);
        else await this.#settleRefused(attempt, known.get(all.key), at, answers);
      }
    }
    await this.#askBack(answers);
    return requests.map((request) => answers.get(request) as Answer);
  }

  /** Every process locks keys in the same order, or two statements could deadlock. */
  #tally(requests: readonly TakeRequest[], at: Moment): readonly Tally[] {
    const tallies = new Map<string, Tally>();
    for (const request of requests) {
      const { subject, limitClass, limit } = request;
      const key = `${subject} ${limitClass}`;
      const known = tallies.get(key);
      if (known) known.requests.push(request);
      else {
        const windowStart = windowStartOf(limit, at.nowMs);
        const lease = this.#leaseOf(key, at);
        tallies.set(key, {
          key,
          subject,
          limitClass,
          limit,
          windowStart,
          requests: [request],
          lease,
          held: 0,
          kept: 0,
        });
      }
    }
    for (const all of tallies.values()) {
      if (all.requests.every(({ purpose }) => purpose === "renew")) all.kept = all.lease?.left ?? 0;
      else all.held = all.lease?.takeOut() ?? 0;
    }
    return [...tallies.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  #firstAttempt(all: Tally, at: Moment): Attempt {
    const attempt = attemptOf(all, new Set(all.requests));
    if (!all.lease || !this.#hearsOthers() || isReturn(all)) return attempt;
    const leased = Math.max(0, all.lease.size(all.limit, attempt.cost, at) - all.kept);
    return { ...attempt, leased };
  }

  /** Returns the counters of the attempts that fit. */
  async #take(attempts: readonly Attempt[], at: Moment): Promise<Map<string, CountRow>> {
    const asking = attempts.filter(({ cost, leased, tally }) => cost + leased + tally.held > 0 || isReturn(tally));
    if (asking.length === 0) return new Map();
    const bounds = asking.map(({ tally: { key, limit, held, kept }, cost, leased }) => {
      // A lease can be given back even when the limit was lowered below what is used.
      const allowed = cost + leased > 0 ? limit.requests : Number.MAX_SAFE_INTEGER;
      return [key, { allowed, held, kept }] as const;
    });
    const rows = await this.#db.query<CountRow>(TAKE, [
      asking.map(({ tally: { subject } }) => subject),
      asking.map(({ tally: { limitClass } }) => limitClass),
      asking.map(({ tally: { windowStart } }) => windowStart),
      asking.map(({ cost }) => cost),
      asking.map(({ tally: { limit } }) => limit.requests),
      JSON.stringify(Object.fromEntries(bounds)),
      at.nowMs + SKEW_MS_MAX,
      this.#id,
      asking.map(({ leased }) => leased),
    ]);
    return new Map(rows.map((row) => [row.key, row]));
  }

  async #look(attempts: readonly Attempt[], { nowMs }: Moment): Promise<Map<string, LookRow>> {
    const rows = await this.#db.query<LookRow>(LOOK, [
      attempts.map(({ tally: { subject } }) => subject),
      attempts.map(({ tally: { limitClass } }) => limitClass),
      attempts.map(({ tally: { windowStart } }) => windowStart),
      nowMs + SKEW_MS_MAX,
      this.#id,
    ]);
    return new Map(rows.map((row) => [row.key, row]));
  }

  async #settleTaken(attempt: Attempt, row: CountRow, at: Moment, answers: Map<TakeRequest, Answer>): Promise<void> {
    const { tally: all, cost, leased } = attempt;
    const used = Number(row.used);
    const windowStart = Number(row.windowStart);
    all.lease?.confirm(all.limit, { windowStart, used, leased, cost, isRecorded: leased > 0 }, at);
    if (settle(attempt, used - leased, at, answers)) await this.#writeOff(all);
  }

  /** Nothing was taken: what was left of the lease is put back. */
  async #settleRefused(
    attempt: Attempt,
    row: LookRow | undefined,
    at: Moment,
    answers: Map<TakeRequest, Answer>,
  ): Promise<void> {
    const { tally: all } = attempt;
    const used = Number(row?.used ?? 0);
    const own = heldBy(all, row);
    if (row) {
      const counted = { windowStart: Number(row.windowStart), used, leased: own, cost: 0, isRecorded: row.own !== "0" };
      all.lease?.confirm(all.limit, counted, at);
    }
    if (settle(attempt, used - own, at, answers)) await this.#writeOff(all);
  }

  async #writeOff({ subject, limitClass }: Tally): Promise<void> {
    // The requests are answered even if this fails: the next request then waits again.
    await this.#db.query(WRITE_OFF, [subject, limitClass, this.#id]).catch(() => undefined);
  }

  async #askBack(answers: ReadonlyMap<TakeRequest, Answer>): Promise<void> {
    const wanted = new Set<string>();
    for (const [{ subject, limitClass }, answer] of answers) {
      if (answer === LEASED_ELSEWHERE) wanted.add(`${subject} ${limitClass}`);
    }
    // If this fails, the waiting requests try again anyway.
    if (wanted.size > 0) await this.#db.query(ASK_BACK, [LIMITS_WANTED, [...wanted]]).catch(() => undefined);
  }

  #leaseOf(key: string, at: Moment): RateLease | undefined {
    const known = this.#leases.get(key);
    if (known || (this.#leases.size >= LEASES_MAX && !this.#tidy(at.nowMs))) return known;
    const lease = new RateLease(at);
    this.#leases.set(key, lease);
    return lease;
  }

  /** Returns whether there is capacity for another lease. */
  #tidy(nowMs: number): boolean {
    if (Math.abs(nowMs - this.#tidiedMs) < TIDY_MS) return false;
    this.#tidiedMs = nowMs;
    for (const [key, lease] of this.#leases) if (lease.isOver(nowMs)) this.#leases.delete(key);
    return this.#leases.size < LEASES_MAX;
  }

  #moment(): Moment {
    return { nowMs: this.#clock.now().getTime(), elapsedMs: this.#clock.elapsedMs() };
  }
}

function attemptOf(tally: Tally, chosen: ReadonlySet<TakeRequest>): Attempt {
  let cost = 0;
  for (const request of chosen) cost += request.cost;
  return { tally, chosen, cost, leased: 0, others: 0 };
}

function isReturn({ requests }: Tally): boolean {
  return requests.some(({ purpose }) => purpose === "return");
}

/** The part of the lease that is in the counter and may be offset: none after a crash of PostgreSQL. */
function heldBy({ held }: Tally, row: LookRow | undefined): number {
  return Math.min(held, Number(row?.own ?? 0));
}

/** The requests that fit the count known now, without a further lease. */
function nextAttempt(all: Tally, row: LookRow | undefined): Attempt {
  const chosen = new Set<TakeRequest>();
  let used = Number(row?.used ?? 0) - heldBy(all, row);
  for (const request of all.requests) {
    if (request.cost > 0 && used + request.cost > all.limit.requests) continue;
    chosen.add(request);
    used += request.cost;
  }
  return { ...attemptOf(all, chosen), others: Number(row?.others ?? 0) };
}

/**
 * `usedNow` includes the attempt; each request is answered with what was left after it. Returns whether a request was
 * refused after it waited for the leases of other processes.
 */
function settle(attempt: Attempt, usedNow: number, { nowMs }: Moment, answers: Map<TakeRequest, Answer>): boolean {
  const { others } = attempt;
  const { limit, requests } = attempt.tally;
  let used = usedNow - attempt.cost;
  let isInVain = false;
  for (const request of requests) {
    const admitted = attempt.chosen.has(request);
    if (admitted) used += request.cost;
    const isLeased = !admitted && others > 0 && used - others + request.cost <= limit.requests;
    if (isLeased && request.waits) {
      answers.set(request, LEASED_ELSEWHERE);
      continue;
    }
    isInVain ||= isLeased;
    const remaining = Math.max(0, limit.requests - used);
    answers.set(request, { admitted, remaining, resetSeconds: resetSecondsOf(limit, nowMs) });
  }
  return isInVain;
}

/** No window is longer than a day, so one that began two days ago is over. */
const KEPT_MS = 2 * 24 * 3_600_000;

/** Deletes windows that are over. */
export function sweepRateWindows(db: Queryable, now: Date): Promise<number> {
  return sweep(db, "rate_windows", "window_start < $1", [now.getTime() - KEPT_MS]);
}
