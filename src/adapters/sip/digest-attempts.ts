// Limits how often passwords are guessed: by the address that guesses, and by the user whose password it is.
//
// Guarantees: users that do not exist are counted as those that do; a user that was proven from an address can go on
// there while its password is guessed elsewhere. Bounded.

import { parseAddress, subscriberOf } from "../../base/cidr.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";

const WINDOW_MS = 60_000;
const OF_ADDRESS_MAX = 10;
const OF_USER_MAX = 30;
const REMEMBERED_MAX = 20_000;
const NAME_MAX = 128;

interface Failures {
  readonly sinceMs: number;
  count: number;
}

export class DigestAttempts {
  readonly #elapsedMs: () => number;
  readonly #byAddress = new Map<string, Failures>();
  readonly #byUser = new Map<string, Failures>();
  /** Where each user was last proven. */
  readonly #proven = new Map<string, string>();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  mayTry(user: string, address: string): boolean {
    if (this.#isFull(this.#byAddress, networkOf(address), OF_ADDRESS_MAX)) return false;
    const name = nameOf(user);
    return this.#proven.get(name) === networkOf(address) || !this.#isFull(this.#byUser, name, OF_USER_MAX);
  }

  /** True when it was the last one that the address may try for now. */
  failed(user: string, address: string): boolean {
    this.#count(this.#byUser, nameOf(user));
    return this.#count(this.#byAddress, networkOf(address)) === OF_ADDRESS_MAX;
  }

  proven(user: string, address: string): void {
    this.#proven.set(nameOf(user), networkOf(address));
  }

  #isFull(failures: ReadonlyMap<string, Failures>, key: string, max: number): boolean {
    const known = failures.get(key);
    return known !== undefined && this.#isRecent(known) && known.count >= max;
  }

  #count(failures: Map<string, Failures>, key: string): number {
    const known = failures.get(key);
    if (known && this.#isRecent(known)) return ++known.count;
    failures.delete(key);
    failures.set(key, { sinceMs: this.#elapsedMs(), count: 1 });
    forgetOldest(failures, REMEMBERED_MAX);
    return 1;
  }

  #isRecent({ sinceMs }: Failures): boolean {
    return this.#elapsedMs() - sinceMs < WINDOW_MS;
  }
}

function nameOf(user: string): string {
  return user.slice(0, NAME_MAX);
}

function networkOf(address: string): string {
  const parsed = parseAddress(address);
  return parsed ? subscriberOf(parsed) : address;
}
