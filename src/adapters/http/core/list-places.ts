// A semaphore for lists. A page of few records among very many keeps a database connection busy for a while, up to the
// time that a statement may take, and all requests share one pool of them. So only a part of the connections reads
// lists, accounts take turns at them, and one account never has all. A list that waits too long is refused.
// `RateLimits` bounds how many an account asks for.
//
// A long page is read in slices (read-list.ts), each of which takes a turn. It also keeps this process busy, which
// answers no other request meanwhile. So an account reads one long page at a time, and while others have something to
// do it rests after each slice (resting-places.ts): they are answered in between.

import type { ActiveAccounts } from "../../../base/active-accounts.ts";
import type { Clock } from "../../../base/clock.ts";
import { FairPlaces, type PlaceLimits } from "../../../base/fair-places.ts";
import { RestingPlaces, type RunUnit } from "../../../base/resting-places.ts";

/** Of the ten connections of the pool. */
const PLACES = 5;
export const LISTS_PER_ACCOUNT_MAX = 3;
const WAIT_MS = 5_000;
/** A page of more records is long. */
export const SLICE = 100;
const LONG_LIMITS: PlaceLimits = { places: 4, placesPerAccount: 1 };

/** A place did not come in time. */
class TooLate extends Error {}

interface Places<Given> {
  run<Value>(account: string, work: (given: Given) => Promise<Value>, stop: AbortSignal): Promise<Value>;
}

export class ListPlaces {
  readonly #clock: Clock;
  readonly #places = new FairPlaces({ places: PLACES, placesPerAccount: LISTS_PER_ACCOUNT_MAX });
  readonly #long: RestingPlaces;

  constructor(clock: Clock, active: Pick<ActiveAccounts, "hasOthers">) {
    this.#clock = clock;
    this.#long = new RestingPlaces({ clock, active }, LONG_LIMITS);
  }

  /**
   * Undefined when the account had no place in time. `size`: how many records may be read; `read` reads each slice of
   * them by the function that it is given.
   */
  async run<Value>(
    account: string,
    size: number,
    read: (slice: RunUnit) => Promise<Value>,
  ): Promise<Value | undefined> {
    const slice: RunUnit = (part) => this.#inTime(this.#places, account, part);
    try {
      if (size <= SLICE) return await read(slice);
      return await this.#inTime(this.#long, account, (unit) => read((part) => unit(() => slice(part))));
    } catch (fault) {
      if (fault instanceof TooLate) return undefined;
      throw fault;
    }
  }

  async #inTime<Given, Value>(
    places: Places<Given>,
    account: string,
    work: (given: Given) => Promise<Value>,
  ): Promise<Value> {
    const late = new AbortController();
    const cancel = this.#clock.after(WAIT_MS, () => late.abort());
    let hasBegun = false;
    const begin = (given: Given) => {
      hasBegun = true;
      cancel();
      return work(given);
    };
    try {
      return await places.run(account, begin, late.signal);
    } catch (fault) {
      throw hasBegun ? fault : new TooLate();
    }
  }
}
