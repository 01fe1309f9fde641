// A semaphore that accounts share: a number of places, at most so many of them for one account, given in turns by
// account (fair-queue.ts). `release` must be called once for each place.

import { FairQueue, type FairQueueOptions } from "./fair-queue.ts";

export interface PlaceLimits extends Pick<FairQueueOptions<unknown>, "weightOf"> {
  readonly places: number;
  readonly placesPerAccount: number;
}

interface Waiting {
  readonly account: string;
  readonly begin: () => void;
}

export class FairPlaces {
  readonly #limits: PlaceLimits;
  readonly #waiting: FairQueue<Waiting>;
  readonly #taken = new Map<string, number>();
  #free: number;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
    this.#free = limits.places;
    this.#waiting = new FairQueue(limits.weightOf ? { weightOf: limits.weightOf } : {});
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves with true when the account has a place, or with false when the signal aborts before. */
  take(account: string, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal?.aborted) {
        resolve(false);
        return;
      }
      const giveUp = () => {
        this.#waiting.remove(account, waiting);
        resolve(false);
      };
      const begin = () => {
        signal?.removeEventListener("abort", giveUp);
        resolve(true);
      };
      const waiting = { account, begin };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(account, waiting);
      this.#give();
    });
  }

  release(account: string): void {
    const taken = (this.#taken.get(account) ?? 0) - 1;
    if (taken < 0) throw new Error(`${account} has no place to release`);
    if (taken === 0) this.#taken.delete(account);
    else this.#taken.set(account, taken);
    this.#free++;
    this.#waiting.resume(account);
    this.#give();
  }

  /** Runs the work in a place of the account. */
  async run<Value>(account: string, work: () => Promise<Value>): Promise<Value> {
    await this.take(account);
    try {
      return await work();
    } finally {
      this.release(account);
    }
  }

  #give(): void {
    while (this.#free > 0) {
      const next = this.#waiting.shift();
      if (!next) return;
      const taken = (this.#taken.get(next.account) ?? 0) + 1;
      this.#taken.set(next.account, taken);
      this.#free--;
      if (taken >= this.#limits.placesPerAccount) this.#waiting.pause(next.account);
      next.begin();
    }
  }
}
