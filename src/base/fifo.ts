// For speed alone (`bench -- messages` would notice): a FIFO queue with constant-time push and shift at any length (an
// array's own `shift` moves all other items).

const COMPACT_MIN = 1024;

export class Fifo<Item> {
  #items: Item[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  get first(): Item | undefined {
    return this.#items[this.#head];
  }

  toArray(): Item[] {
    return this.#items.slice(this.#head);
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Puts an item before all others. */
  unshift(item: Item): void {
    if (this.#head > 0) this.#items[--this.#head] = item;
    else this.#items.unshift(item);
  }

  shift(): Item | undefined {
    const item = this.first;
    if (this.length > 0) this.#head++;
    if (this.#head > COMPACT_MIN && this.#head > this.length) this.#restart(this.toArray());
    return item;
  }

  /** Removes one item wherever it is, in time that grows with the length. False when it is not here. */
  remove(item: Item): boolean {
    const at = this.#items.indexOf(item, this.#head);
    if (at === -1) return false;
    this.#items.splice(at, 1);
    return true;
  }

  /** Removes and returns all items. */
  drain(): Item[] {
    const items = this.toArray();
    this.#restart([]);
    return items;
  }

  #restart(items: Item[]): void {
    this.#items = items;
    this.#head = 0;
  }
}
