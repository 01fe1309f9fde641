// For speed alone (`bench -- messages` would notice): the part of a rate limit's window that one process has leased in
// advance. Requests are admitted from it without a query. Pure.
//
// Guarantees: what is spent here is counted in the database as used. A lease is never larger than what the process
// recently needed in LEASE_MS, nor than an eighth of what is left of the limit, so a process that dies wastes no more
// than that. It is valid only for its window and for the limit it was taken under, and for a second after the last
// answer of the database.

export interface Limit {
  readonly requests: number;
  readonly windowSeconds: number;
}

export interface TakeResult {
  readonly admitted: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Both clocks of the process. */
export interface Moment {
  readonly nowMs: number;
  readonly elapsedMs: number;
}

/** The state of a counter in the database after a statement. */
interface Counted {
  readonly windowStart: number;
  /** Includes all leases. */
  readonly used: number;
  /** The size of the lease that was just taken. */
  readonly leased: number;
  /** What was taken in addition to the lease. */
  readonly cost: number;
  readonly isRecorded: boolean;
}

/** Clocks of different machines may differ by this much; a window further ahead comes from a clock that was wrong. */
export const SKEW_MS_MAX = 60_000;

const LEASE_MS = 250;
const SHARES = 8;
/** A smaller lease saves nothing: low limits are counted in the database only. */
const LEASE_MIN = 8;
const CURRENT_MS = 1_000;
/** The shortest time over which a rate is measured. */
const MEASURED_MS = 20;

export class RateLease {
  #limit: Limit = { requests: 0, windowSeconds: 0 };
  /** The start of the counter's window in the database. */
  #windowStart = 0;
  #left = 0;
  /** What is left of the whole limit, as far as is known. */
  #remaining = 0;
  #confirmedMs = Number.NEGATIVE_INFINITY;
  /** What was admitted since the rate was last measured. */
  #spent = 0;
  #measuredMs: number;
  #ratePerMs = 0;
  /** Another process asked for the lease back: no lease is taken until then. */
  #noneUntilMs = Number.NEGATIVE_INFINITY;
  #isRecorded = false;
  /** A renewal is under way. */
  isRenewed = false;

  constructor({ elapsedMs }: Moment) {
    this.#measuredMs = elapsedMs;
  }

  /** The limit under which it was taken. */
  get limit(): Limit {
    return this.#limit;
  }

  /** Whether the counter names this process as a holder, even when the lease is spent. */
  get isRecorded(): boolean {
    return this.#isRecorded;
  }

  get left(): number {
    return this.#left;
  }

  /** Takes the cost from the lease; undefined when the database has to be asked. */
  spend(limit: Limit, cost: number, at: Moment): TakeResult | undefined {
    if (cost > this.#left || this.#left === 0 || !this.#holdsFor(limit, at)) return undefined;
    this.#left -= cost;
    this.#remaining -= cost;
    this.#spent += cost;
    return { admitted: true, remaining: this.#remaining, resetSeconds: resetSecondsOf(limit, at.nowMs) };
  }

  #holdsFor(limit: Limit, { nowMs, elapsedMs }: Moment): boolean {
    return (
      elapsedMs - this.#confirmedMs < CURRENT_MS && isSameLimit(limit, this.#limit) && this.#isOfWindow(limit, nowMs)
    );
  }

  #isOfWindow(limit: Limit, nowMs: number): boolean {
    return windowStartOf(limit, nowMs) <= this.#windowStart && this.#windowStart <= nowMs + SKEW_MS_MAX;
  }

  /** Whether less than half of what would be leased now is left. */
  isLow(at: Moment): boolean {
    return !this.isRenewed && this.#left * 2 < this.#sizeOf(this.#limit, this.#remaining, at);
  }

  /** Empties the lease and returns what was left, which the database then offsets against the cost. */
  takeOut(): number {
    const left = this.#left;
    this.#left = 0;
    return left;
  }

  /** How much to lease in addition to a cost. */
  size(limit: Limit, cost: number, at: Moment): number {
    this.#measure(at);
    const isKnown = isSameLimit(limit, this.#limit) && this.#isOfWindow(limit, at.nowMs);
    return this.#sizeOf(limit, (isKnown ? this.#remaining : limit.requests) - cost, at);
  }

  #sizeOf(limit: Limit, remaining: number, { nowMs }: Moment): number {
    if (nowMs < this.#noneUntilMs && this.#noneUntilMs <= nowMs + limit.windowSeconds * 1000) return 0;
    const size = Math.floor(Math.min(this.#ratePerMs * LEASE_MS, remaining / SHARES));
    return size < LEASE_MIN ? 0 : size;
  }

  /** Takes over the database's count: `used` includes everything that is leased here. */
  confirm(limit: Limit, counted: Counted, at: Moment): void {
    if (this.#windowStart !== counted.windowStart || !isSameLimit(limit, this.#limit)) this.#left = 0;
    this.#limit = limit;
    this.#windowStart = counted.windowStart;
    this.#left += counted.leased;
    this.#remaining = Math.max(this.#left, limit.requests - counted.used + this.#left);
    this.#confirmedMs = at.elapsedMs;
    this.#spent += counted.cost;
    this.#isRecorded = counted.isRecorded;
  }

  /** Another process needs what is leased: no lease is taken again in this window. */
  stop({ nowMs }: Moment): void {
    const windowMs = this.#limit.windowSeconds * 1000;
    this.#noneUntilMs = windowStartOf(this.#limit, nowMs) + windowMs;
  }

  isOver(nowMs: number): boolean {
    return !this.#isRecorded || !this.#isOfWindow(this.#limit, nowMs);
  }

  #measure({ elapsedMs }: Moment): void {
    const ms = elapsedMs - this.#measuredMs;
    if (ms < MEASURED_MS) return;
    this.#ratePerMs = this.#spent / ms;
    this.#spent = 0;
    this.#measuredMs = elapsedMs;
  }
}

function isSameLimit(a: Limit, b: Limit): boolean {
  return a.requests === b.requests && a.windowSeconds === b.windowSeconds;
}

export function windowStartOf(limit: Limit, nowMs: number): number {
  const windowMs = limit.windowSeconds * 1000;
  return Math.floor(nowMs / windowMs) * windowMs;
}

export function resetSecondsOf(limit: Limit, nowMs: number): number {
  const resetMs = windowStartOf(limit, nowMs) + limit.windowSeconds * 1000 - nowMs;
  return Math.max(1, Math.ceil(resetMs / 1000));
}
