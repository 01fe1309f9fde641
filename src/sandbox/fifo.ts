// A FIFO queue with constant-time push and shift at any length (an array's own `shift` moves all other items).

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

  shift(): Item | undefined {
    const item = this.first;
    if (this.length > 0) this.#head++;
    if (this.#head > COMPACT_MIN && this.#head > this.length) {
      this.#items = this.toArray();
      this.#head = 0;
    }
    return item;
  }
}

const COMPACT_MIN = 1024;
