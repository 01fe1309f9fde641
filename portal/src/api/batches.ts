// Hands on single items in batches that a page can show: an item after a pause is handed on with the next frame; while
// more arrive, they are handed on together, BATCH_EVERY_MS after the previous batch. Users read no faster, and each
// batch makes the page draw its list again.
//
// Guarantees: each item is handed on once and in order. A hidden page has no frames: no more than BATCH_MAX items wait
// there.

export interface BatchClock {
  readonly nowMs: () => number;
  /** Runs the function with the first frame after this time; returns a function that cancels it. */
  readonly frameAfter: (ms: number, run: () => void) => () => void;
}

export const BATCH_EVERY_MS = 100;
export const BATCH_MAX = 1000;

export class Batches<Item> {
  readonly #clock: BatchClock;
  readonly #take: (batch: readonly Item[]) => void;
  #waiting: Item[] = [];
  #lastMs = Number.NEGATIVE_INFINITY;
  #callOff: (() => void) | undefined;

  constructor(clock: BatchClock, take: (batch: readonly Item[]) => void) {
    [this.#clock, this.#take] = [clock, take];
  }

  add(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length >= BATCH_MAX) this.flush();
    else this.#callOff ??= this.#clock.frameAfter(this.#restMs(), () => this.flush());
  }

  /** Hands on the waiting items immediately. */
  flush(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    this.#lastMs = this.#clock.nowMs();
    this.#take(batch);
  }

  #restMs(): number {
    return Math.max(0, this.#lastMs + BATCH_EVERY_MS - this.#clock.nowMs());
  }
}
