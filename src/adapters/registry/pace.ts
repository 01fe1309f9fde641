// Keeps a rate: turns come no nearer to each other than the rate allows. A turn that would come too late is refused at once and costs
// nobody's time, so a crowd that gives up does not hold up those who come after it.

export interface Time {
  nowMs(): number;
  /** Rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export class Pace {
  readonly #intervalMs: number;
  readonly #time: Time;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number, time: Time) {
    this.#intervalMs = 1000 / perSecond;
    this.#time = time;
  }

  /** False when the turn would come after `untilMs`. Rejects when the signal aborts. */
  async turn(untilMs: number, signal: AbortSignal): Promise<boolean> {
    const nowMs = this.#time.nowMs();
    const turnMs = Math.max(nowMs, this.#nextMs);
    if (turnMs >= untilMs) return false;
    this.#nextMs = turnMs + this.#intervalMs;
    if (turnMs > nowMs) await this.#time.sleep(turnMs - nowMs, signal);
    return true;
  }
}
