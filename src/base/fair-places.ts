// A semaphore that accounts share: a number of places, at most so many of them for one account, given in turns by
// account (fair-queue.ts).
//
// Long work is done in units (`run`): after each unit its place goes to the next in turn. So an account that comes
// waits for at most one unit of each other account for each place, however long their work is.

import { FairQueue } from "./fair-queue.ts";

export interface PlaceLimits {
  readonly places: number;
  readonly placesPerAccount: number;
}

/** A place that is waited for, and then held. */
class Permit {
  readonly account: string;
  /** Rejects when it is withdrawn. */
  readonly given: Promise<void>;
  isHeld = false;
  #settle = (_fault?: Error): void => {};

  constructor(account: string) {
    this.account = account;
    this.given = new Promise((resolve, reject) => {
      this.#settle = (fault) => (fault ? reject(fault) : resolve());
    });
  }

  begin(): void {
    this.isHeld = true;
    this.#settle();
  }

  withdraw(): void {
    this.#settle(new Error("it is no longer wanted"));
  }
}

export class FairPlaces {
  readonly #limits: PlaceLimits;
  readonly #waiting: FairQueue<Permit>;
  readonly #taken = new Map<string, number>();
  #free: number;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
    this.#free = limits.places;
    this.#waiting = new FairQueue();
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when the account has a place; `release` must follow, once. Rejects when `stop` aborts before that. */
  take(account: string, stop?: AbortSignal): Promise<void> {
    return this.#ask(account, stop).given;
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

  /**
   * Runs the work in a place of the account. Work of several units awaits `nextUnit` between two of them. Rejects when
   * `stop` aborts while a place is waited for.
   */
  async run<Value>(
    account: string,
    work: (nextUnit: () => Promise<void>) => Promise<Value>,
    stop?: AbortSignal,
  ): Promise<Value> {
    let permit = this.#ask(account, stop);
    try {
      await permit.given;
      return await work(() => {
        const last = permit;
        permit = this.#ask(account, stop);
        this.#leave(last);
        return permit.given;
      });
    } finally {
      this.#leave(permit);
    }
  }

  #ask(account: string, stop?: AbortSignal): Permit {
    const permit = new Permit(account);
    if (stop?.aborted) {
      permit.withdraw();
      return permit;
    }
    if (stop) {
      const withdraw = () => {
        this.#waiting.remove(account, permit);
        permit.withdraw();
      };
      stop.addEventListener("abort", withdraw);
      permit.given.finally(() => stop.removeEventListener("abort", withdraw)).catch(() => {});
    }
    this.#waiting.push(account, permit);
    this.#give();
    return permit;
  }

  #leave(permit: Permit): void {
    if (permit.isHeld) {
      permit.isHeld = false;
      this.release(permit.account);
    } else if (this.#waiting.remove(permit.account, permit)) {
      permit.withdraw();
    }
  }

  #give(): void {
    while (this.#free > 0) {
      const permit = this.#waiting.shift();
      if (!permit) return;
      const taken = (this.#taken.get(permit.account) ?? 0) + 1;
      this.#taken.set(permit.account, taken);
      this.#free--;
      if (taken >= this.#limits.placesPerAccount) this.#waiting.pause(permit.account);
      permit.begin();
    }
  }
}
