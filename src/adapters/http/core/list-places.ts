// A semaphore for lists. A page of a thousand records, or of few among very many, keeps a database connection busy for
// a while, up to the time that a statement may take, and all requests share one pool of them. So only a part of the
// connections reads lists, accounts take turns at them, and one account never has all. A list that waits too long is
// refused. `RateLimits` bounds how many an account asks for.

import type { Clock } from "../../../base/clock.ts";
import { FairPlaces } from "../../../base/fair-places.ts";

/** Of the ten connections of the pool. */
const PLACES = 5;
export const LISTS_PER_ACCOUNT_MAX = 3;
const WAIT_MS = 5_000;

export class ListPlaces {
  readonly #clock: Clock;
  readonly #places = new FairPlaces({ places: PLACES, placesPerAccount: LISTS_PER_ACCOUNT_MAX });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined when the account had no place in time. */
  async run<Value>(account: string, read: () => Promise<Value>): Promise<Value | undefined> {
    const late = new AbortController();
    const cancel = this.#clock.after(WAIT_MS, () => late.abort());
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      cancel();
      return read();
    };
    try {
      return await this.#places.run(account, begin, late.signal);
    } catch (fault) {
      if (hasBegun) throw fault;
      return undefined;
    }
  }
}
