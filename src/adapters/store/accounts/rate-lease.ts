// What one process has taken of a rate limit's window ahead of need. Requests are answered from it without the
// database. Pure.
//
// Guarantees: what is spent here is counted in the database as used. A lease is never larger than what the process
// needed of late in LEASE_MS, nor than an eighth of what is left of the limit: a process that dies takes no more with
// it. It holds for its window alone, for the limit it was taken under, and for a second after the database was last
// asked.

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

/** What a counter in the database shows after it was asked. */
interface Counted {
  readonly windowStart: number;
  /** Includes all leases. */
  readonly used: number;
  /** What was leased just now. */
  readonly leased: number;
  /** What was taken beside it. */
  readonly cost: number;
  readonly isRecorded: boolean;
}

/** Clocks of different machines may differ by this much; a window further ahead comes from a clock that was wrong. */
export const SKEW_MS_MAX = 60_000;

const LEASE_MS = 250;
const SHARES = 8;
/** A smaller lease saves nothing: low limits are counted in the database alone. */
const LEASE_MIN = 8;
const CURRENT_MS = 1_000;
/** Over so long at least a rate is measured. */
const MEASURED_MS = 20;

export class RateLease {
  #limit: Limit = { requests: 0, windowSeconds: 0 };
  /** Of the counter in the database. */
  #windowStart = 0;
  #left = 0;
  /** Of the whole limit, as far as is known. */
  #remaining = 0;
  #confirmedMs = Number.NEGATIVE_INFINITY;
  /** What was admitted since the rate was measured. */
  #spent = 0;
  #measuredMs: number;
  #ratePerMs = 0;
  /** Asked back by another process: none is taken until then. */
  #noneUntilMs = Number.NEGATIVE_INFINITY;
  #isRecorded = false;
  /** A renewal is on its way. */
  isRenewed = false;

  constructor({ elapsedMs }: Moment) {
    this.#measuredMs = elapsedMs;
  }

  /** That it was taken under. */
  get limit(): Limit {
    return this.#limit;
  }

  /** Whether the counter names this process, even where everything is spent. */
  get isRecorded(): boolean {
    return this.#isRecorded;
  }

  get left(): number {
    return this.#left;
  }

  /** Answers from the lease; undefined when the database has to be asked. */
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

  /** Whether half of what would be leased now is spent. */
  isLow(at: Moment): boolean {
    return !this.isRenewed && this.#left * 2 < this.#sizeOf(this.#limit, this.#remaining, at);
  }

  /** Hands over what is left, which the database then sets off against what it is asked for. */
  takeOut(): number {
    const left = this.#left;
    this.#left = 0;
    return left;
  }

  /** How much to lease beside a cost. */
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

  /** The database has counted: `used` has everything in it that is leased here. */
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

  /** Another process needs what is leased: none is taken again in this window. */
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
