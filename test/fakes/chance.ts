// Repeatable random numbers: the same seed gives the same numbers.

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** mulberry32: from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From `from` to below `to`. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from));
  }

  happens(share: number): boolean {
    return this.next() < share;
  }

  oneOf<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.integer(0, items.length)] as Item;
  }
}
