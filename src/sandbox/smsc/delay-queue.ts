// Items that all become due after the same delay, and so in the order of arrival: one timer serves all of them.

import { Fifo } from "../../base/fifo.ts";

export class DelayQueue<Item> {
  readonly #delayMs: number;
  readonly #onDue: (items: readonly Item[]) => void;
  readonly #waiting = new Fifo<{ readonly item: Item; readonly dueMs: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number, onDue: (items: readonly Item[]) => void) {
    this.#delayMs = delayMs;
    this.#onDue = onDue;
  }

  get length(): number {
    return this.#waiting.length;
  }

  push(item: Item): void {
    this.#waiting.push({ item, dueMs: performance.now() + this.#delayMs });
    this.#timer ??= setTimeout(() => this.#release(), this.#delayMs);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #release(): void {
    const nowMs = performance.now();
    const due: Item[] = [];
    while ((this.#waiting.first?.dueMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      due.push((this.#waiting.shift() as { item: Item }).item);
    }
    const next = this.#waiting.first;
    this.#timer = next && setTimeout(() => this.#release(), Math.max(1, next.dueMs - nowMs));
    if (due.length > 0) this.#onDue(due);
  }
}
