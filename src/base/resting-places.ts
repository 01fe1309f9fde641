// Places that accounts share for work that keeps this process busy: after each piece of work its place rests for a
// multiple of the time that it took. So an account that always has more to do takes up a share of each of its places
// at most, and the busier the process is, the longer it rests; an account that has something to do now and then notices
// nothing.

import type { Clock } from "./clock.ts";
import { FairPlaces, type PlaceLimits } from "./fair-places.ts";

/** A place works for a third of the time at most. */
const REST_TIMES = 2;

export class RestingPlaces {
  readonly #clock: Clock;
  readonly #places: FairPlaces;

  constructor(clock: Clock, limits: PlaceLimits) {
    this.#clock = clock;
    this.#places = new FairPlaces(limits);
  }

  /** Rejects when `stop` aborts while a place is waited for. */
  async run<Value>(account: string, work: () => Promise<Value>, stop?: AbortSignal): Promise<Value> {
    await this.#places.take(account, stop);
    const startMs = this.#clock.elapsedMs();
    try {
      return await work();
    } finally {
      const tookMs = this.#clock.elapsedMs() - startMs;
      this.#clock.after(REST_TIMES * tookMs, () => this.#places.release(account));
    }
  }
}
