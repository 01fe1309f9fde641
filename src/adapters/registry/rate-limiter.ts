// A rate limiter: allows a small burst, and in the long run no more than the rate. A permit that would come too late is
// refused immediately and uses nothing of the rate, so callers that give up do not delay later ones.

export interface Time {
  nowMs(): number;
  /** Rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export class RateLimiter {
  readonly #intervalMs: number;
  readonly #headStartMs: number;
  readonly #time: Time;
  /** When the next permit would be due if all kept the interval. */
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(rate: { readonly perSecond: number; readonly atOnce: number }, time: Time) {
    this.#intervalMs = 1000 / rate.perSecond;
    this.#headStartMs = (rate.atOnce - 1) * this.#intervalMs;
    this.#time = time;
  }

  /** Waits for a permit; false when it would come after `untilMs`. Rejects when the signal aborts. */
  async acquire(untilMs: number, signal: AbortSignal): Promise<boolean> {
    const nowMs = this.#time.nowMs();
    const dueMs = Math.max(nowMs, this.#nextMs - this.#headStartMs);
    if (dueMs >= untilMs) return false;
    this.#nextMs = Math.max(nowMs, this.#nextMs) + this.#intervalMs;
    if (dueMs > nowMs) await this.#time.sleep(dueMs - nowMs, signal);
    return true;
  }
}
