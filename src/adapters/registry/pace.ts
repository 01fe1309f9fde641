// Keeps a rate: a few turns may come at once, and in the long run no more come than the rate allows. A turn that would
// come too late is refused at once and costs nobody's time, so a crowd that gives up does not hold up those who come
// after it.

export interface Time {
  nowMs(): number;
  /** Rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export class Pace {
  readonly #intervalMs: number;
  readonly #headStartMs: number;
  readonly #time: Time;
  /** When the next turn would be if all kept the interval. */
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(rate: { readonly perSecond: number; readonly atOnce: number }, time: Time) {
    this.#intervalMs = 1000 / rate.perSecond;
    this.#headStartMs = (rate.atOnce - 1) * this.#intervalMs;
    this.#time = time;
  }

  /** False when the turn would come after `untilMs`. Rejects when the signal aborts. */
  async turn(untilMs: number, signal: AbortSignal): Promise<boolean> {
    const nowMs = this.#time.nowMs();
    const turnMs = Math.max(nowMs, this.#nextMs - this.#headStartMs);
    if (turnMs >= untilMs) return false;
    this.#nextMs = Math.max(nowMs, this.#nextMs) + this.#intervalMs;
    if (turnMs > nowMs) await this.#time.sleep(turnMs - nowMs, signal);
    return true;
  }
}
