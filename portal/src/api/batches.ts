// Hands on what comes one by one in batches that a page can show: what comes after a rest at once, with the next frame;
// while more comes, together, BATCH_EVERY_MS after the batch before. Nobody reads faster, and each batch costs the page
// a list that is drawn anew.
//
// Guarantees: each item is handed on once and in order. A page that nobody looks at has no frames: there no more than
// BATCH_MAX wait.

export interface BatchClock {
  readonly nowMs: () => number;
  /** Runs it with the first frame after so long; answers what calls it off. */
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

  /** Hands on what waits without waiting longer. */
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
