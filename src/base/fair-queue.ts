// A queue that accounts share: start-time fair queueing. Each account has a start time on a virtual clock, which moves
// on by the cost of whatever it takes out, divided by its weight; the account with the earliest start time is next. An
// account that was idle starts at the present, so its first item waits for at most one item of each other account (of
// weight 1), however many they have. Within an account the lowest level leaves first, in order within a level.
//
// An account without items keeps its place until the clock has passed its start time: emptying the queue between two
// items gains nothing. Then it is forgotten, so only accounts that wait, or took something lately, use memory.

import { Fifo } from "./fifo.ts";

export interface FairQueueOptions<Item> {
  /** How many levels of urgency an account's items have; 0 is the most urgent. */
  readonly levels?: number;
  readonly costOf?: (item: Item) => number;
  /** An account of weight 3 gets three times the share of one of weight 1. */
  readonly weightOf?: (account: string) => number;
}

interface Share<Item> {
  readonly account: string;
  readonly levels: readonly Fifo<Item>[];
  count: number;
  start: number;
  /** Breaks ties: first come, first served. */
  order: number;
  /** Paid for items that came back. */
  credit: number;
  isPaused: boolean;
  isListed: boolean;
}

export class FairQueue<Item> {
  readonly #levels: number;
  readonly #costOf: (item: Item) => number;
  readonly #weightOf: (account: string) => number;
  readonly #shares = new Map<string, Share<Item>>();
  /** A binary heap, the next account first. Paused accounts are taken out when they reach the top. */
  readonly #heap: Share<Item>[] = [];
  #now = 0;
  #order = 0;
  #length = 0;

  constructor({ levels = 1, costOf = () => 1, weightOf = () => 1 }: FairQueueOptions<Item> = {}) {
    this.#levels = levels;
    this.#costOf = costOf;
    this.#weightOf = weightOf;
  }

  get length(): number {
    return this.#length;
  }

  /** How many items of the account wait. */
  lengthOf(account: string): number {
    return this.#shares.get(account)?.count ?? 0;
  }

  push(account: string, item: Item, level = 0): void {
    this.#add(account, level).push(item);
  }

  /** Puts an item back that was taken out, before all others of its account and level. It is not paid for twice. */
  unshift(account: string, item: Item, level = 0): void {
    this.#add(account, level).unshift(item);
    this.#shareOf(account).credit += this.#costOf(item);
  }

  /** The account whose item is taken out next. */
  get next(): string | undefined {
    return this.#first()?.account;
  }

  /** Takes the next item out. */
  shift(): Item | undefined {
    const share = this.#first();
    return share && this.#takeFrom(share);
  }

  /** Takes an item out before its turn, at no cost to the account; false when it is not waiting. */
  remove(account: string, item: Item): boolean {
    const share = this.#shares.get(account);
    if (!share?.levels.some((level) => level.remove(item))) return false;
    share.count--;
    this.#length--;
    return true;
  }

  /** Until `resume`, nothing of this account is taken out. */
  pause(account: string): void {
    this.#shareOf(account).isPaused = true;
  }

  resume(account: string): void {
    const share = this.#shareOf(account);
    share.isPaused = false;
    if (!share.isListed) this.#list(share);
  }

  /** Takes all items out, account by account, in their order. */
  drain(): Item[] {
    const items = [...this.#shares.values()].flatMap(({ levels }) => levels.flatMap((level) => level.drain()));
    for (const share of this.#shares.values()) share.count = 0;
    this.#length = 0;
    return items;
  }

  #first(): Share<Item> | undefined {
    for (;;) {
      const share = this.#heap[0];
      if (!share) return undefined;
      this.#now = share.start;
      if (share.count > 0 && !share.isPaused) return share;
      this.#unlistFirst();
      if (share.count === 0 && !share.isPaused) this.#shares.delete(share.account);
    }
  }

  #add(account: string, level: number): Fifo<Item> {
    const share = this.#shareOf(account);
    share.count++;
    this.#length++;
    return share.levels[level] as Fifo<Item>;
  }

  #shareOf(account: string): Share<Item> {
    let share = this.#shares.get(account);
    if (!share) {
      const levels = Array.from({ length: this.#levels }, () => new Fifo<Item>());
      share = { account, levels, count: 0, start: this.#now, order: 0, credit: 0, isPaused: false, isListed: false };
      this.#shares.set(account, share);
      this.#list(share);
    }
    return share;
  }

  #takeFrom(share: Share<Item>): Item {
    const level = share.levels.find(({ length }) => length > 0) as Fifo<Item>;
    const item = level.shift() as Item;
    share.count--;
    this.#length--;
    const cost = this.#costOf(item);
    const owed = Math.max(0, cost - share.credit);
    share.credit -= cost - owed;
    share.start += owed / this.#weightOf(share.account);
    share.order = ++this.#order;
    this.#sink(0);
    return item;
  }

  #list(share: Share<Item>): void {
    share.isListed = true;
    share.start = Math.max(share.start, this.#now);
    share.order = ++this.#order;
    let at = this.#heap.push(share) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #unlistFirst(): void {
    this.#swap(0, this.#heap.length - 1);
    const share = this.#heap.pop() as Share<Item>;
    share.isListed = false;
    this.#sink(0);
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const left = 2 * at + 1;
      if (left >= this.#heap.length) return;
      const least = left + 1 < this.#heap.length && this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(least, at)) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [left, right] = [this.#heap[one] as Share<Item>, this.#heap[other] as Share<Item>];
    return left.start === right.start ? left.order < right.order : left.start < right.start;
  }

  #swap(one: number, other: number): void {
    const [left, right] = [this.#heap[one] as Share<Item>, this.#heap[other] as Share<Item>];
    this.#heap[one] = right;
    this.#heap[other] = left;
  }
}
