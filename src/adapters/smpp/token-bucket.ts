// A rate limit as a bucket of tokens that fills evenly and holds a twentieth of a second's worth.

const BURST_SECONDS = 0.05;
const WAKE_SECONDS = 0.01;

export class TokenBucket {
  readonly #perMs: number;
  readonly #capacity: number;
  readonly #batch: number;
  #tokens: number;
  #filledMs: number;

  constructor(perSecond: number, nowMs: number) {
    this.#perMs = perSecond / 1000;
    this.#capacity = Math.max(1, perSecond * BURST_SECONDS);
    this.#batch = Math.max(1, perSecond * WAKE_SECONDS);
    this.#tokens = this.#capacity;
    this.#filledMs = nowMs;
  }

  /** Whole tokens. */
  available(nowMs: number): number {
    this.#fill(nowMs);
    return Math.floor(this.#tokens);
  }

  take(count: number): void {
    this.#tokens -= count;
  }

  /** When to look again: at high rates after a batch of tokens instead of each single one. */
  readyMs(nowMs: number): number {
    this.#fill(nowMs);
    return nowMs + Math.max(0, this.#batch - this.#tokens) / this.#perMs;
  }

  #fill(nowMs: number): void {
    if (nowMs <= this.#filledMs) return;
    this.#tokens = Math.min(this.#capacity, this.#tokens + (nowMs - this.#filledMs) * this.#perMs);
    this.#filledMs = nowMs;
  }
}
