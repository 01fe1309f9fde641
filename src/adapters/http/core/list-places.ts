// A semaphore for lists. A page of a thousand records, or of few among very many, keeps a database connection busy for
// a while, up to the time that a statement may take, and all requests share one pool of them. So only a part of the
// connections reads lists, accounts take turns at them, and one account never has all. A list that waits too long is
// refused. `RateLimits` bounds how many an account asks for.
//
// A long page also keeps this process busy, which answers no other request meanwhile. So an account reads one long page
// at a time, with a rest after each (resting-places.ts): others are answered in between.

import type { Clock } from "../../../base/clock.ts";
import { FairPlaces } from "../../../base/fair-places.ts";
import { RestingPlaces } from "../../../base/resting-places.ts";

/** Of the ten connections of the pool. */
const PLACES = 5;
export const LISTS_PER_ACCOUNT_MAX = 3;
const WAIT_MS = 5_000;
/** A page of more records is long. */
const LONG = 100;
const LONG_PLACES = 2;

export class ListPlaces {
  readonly #clock: Clock;
  readonly #places = new FairPlaces({ places: PLACES, placesPerAccount: LISTS_PER_ACCOUNT_MAX });
  readonly #long: RestingPlaces;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#long = new RestingPlaces(clock, { places: LONG_PLACES, placesPerAccount: 1 });
  }

  /** Undefined when the account had no place in time. `size`: how many records may be read. */
  async run<Value>(account: string, size: number, read: () => Promise<Value>): Promise<Value | undefined> {
    const late = new AbortController();
    const cancel = this.#clock.after(WAIT_MS, () => late.abort());
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      cancel();
      return read();
    };
    const inPlace = () => this.#places.run(account, begin, late.signal);
    try {
      return size > LONG ? await this.#long.run(account, inPlace, late.signal) : await inPlace();
    } catch (fault) {
      if (hasBegun) throw fault;
      return undefined;
    }
  }
}
