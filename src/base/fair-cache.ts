// Values that are kept for the next use, shared by accounts.
//
// Guarantees: bounded memory. What no longer fits is taken from the account that holds the most, its least recently
// used value first, so that the many values of one account do not displace the few of others.

export interface FairCacheOptions<Value> {
  /** Of all values. */
  readonly sizeMax: number;
  /** More than 0 for every value. */
  readonly sizeOf: (value: Value) => number;
}

interface Kept<Value> {
  readonly accountSid: string;
  readonly value: Value;
  readonly size: number;
}

export class FairCache<Value> {
  readonly #options: FairCacheOptions<Value>;
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept<Value>>();
  /** What each account holds. */
  readonly #held = new Map<string, number>();
  #size = 0;

  constructor(options: FairCacheOptions<Value>) {
    this.#options = options;
  }

  find(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  add(accountSid: string, key: string, value: Value): void {
    this.remove(key);
    const size = this.#options.sizeOf(value);
    this.#kept.set(key, { accountSid, value, size });
    this.#count(accountSid, size);
    while (this.#size > this.#options.sizeMax) this.remove(this.#leastNeeded());
  }

  remove(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#count(kept.accountSid, -kept.size);
  }

  #leastNeeded(): string {
    const [[heaviest] = [""]] = [...this.#held].sort(([, one], [, other]) => other - one);
    for (const [key, { accountSid }] of this.#kept) if (accountSid === heaviest) return key;
    throw new Error("the cache holds nothing");
  }

  #count(accountSid: string, change: number): void {
    const held = (this.#held.get(accountSid) ?? 0) + change;
    if (held > 0) this.#held.set(accountSid, held);
    else this.#held.delete(accountSid);
    this.#size += change;
  }
}
