// Places that accounts share for work that keeps this process busy. The work of a place is done in units: while other
// accounts have something to do, the place rests after each unit for as long as that took, before its next unit and
// before another account gets it. So an account that always has more to do takes up half of each of its places at most,
// and the busier the process is, the longer it rests. An account that is alone never waits.

import type { ActiveAccounts } from "./active-accounts.ts";
import { type Clock, pause } from "./clock.ts";
import { FairPlaces, type PlaceLimits } from "./fair-places.ts";

/** Does one unit of the work. */
export type RunUnit = <Value>(work: () => Promise<Value>) => Promise<Value>;

export interface RestingDeps {
  readonly clock: Clock;
  readonly active: Pick<ActiveAccounts, "hasOthers">;
}

export class RestingPlaces {
  readonly #deps: RestingDeps;
  readonly #places: FairPlaces;

  constructor(deps: RestingDeps, limits: PlaceLimits) {
    this.#deps = deps;
    this.#places = new FairPlaces(limits);
  }

  /** Rejects when `stop` aborts while a place is waited for. */
  async run<Value>(account: string, work: (unit: RunUnit) => Promise<Value>, stop?: AbortSignal): Promise<Value> {
    const { clock, active } = this.#deps;
    await this.#places.take(account, stop);
    let restedMs = clock.elapsedMs();
    const restMs = () => Math.max(0, restedMs - clock.elapsedMs());
    const unit: RunUnit = async (part) => {
      if (restMs() > 0) await pause(clock, restMs());
      const startMs = clock.elapsedMs();
      try {
        return await part();
      } finally {
        const endMs = clock.elapsedMs();
        restedMs = endMs + (active.hasOthers(account) ? endMs - startMs : 0);
      }
    };
    try {
      return await work(unit);
    } finally {
      if (restMs() > 0) clock.after(restMs(), () => this.#places.release(account));
      else this.#places.release(account);
    }
  }
}
