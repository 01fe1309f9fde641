// A fixed-window rate limit per caller, as the registry limits its API.

import type { Clock } from "../../base/clock.ts";

export class RateLimit {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();
  #window = -1;

  constructor(max: number, windowMs: number, clock: Clock) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  mayPass(caller: string): boolean {
    const window = Math.floor(this.#clock.now().getTime() / this.#windowMs);
    if (window !== this.#window) this.#counts.clear();
    this.#window = window;
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return count <= this.#max;
  }
}
