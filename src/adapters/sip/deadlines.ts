// Many deadlines on one timer: a heap, because there are thousands of transactions and legs.
//
// Guarantees: `fire` is called for an item not before its deadline and soon after it. An item whose deadline was
// postponed keeps its place in the heap and is checked once too early, which costs less than finding it again.

import type { Clock } from "../../base/clock.ts";

export interface Due {
  /** When `fire` is to be called; infinite: never. Read again whenever the item reaches the top of the heap. */
  dueMs(): number;
  fire(nowMs: number): void;
  /** The item's time in the heap; written only here. */
  plannedMs: number;
}

export const UNPLANNED = Number.POSITIVE_INFINITY;
/** Items due later than this are checked earlier, so that the heap releases finished ones. */
const LOOK_MS = 60_000;

interface Entry {
  readonly ms: number;
  readonly item: Due;
}

export class Deadlines {
  readonly #clock: Clock;
  readonly #heap: Entry[] = [];
  #cancel: (() => void) | undefined;
  #timerMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Called after every change of the item's deadline. */
  plan(item: Due): void {
    const dueMs = item.dueMs();
    if (dueMs === UNPLANNED) return;
    const ms = Math.min(dueMs, this.#clock.elapsedMs() + LOOK_MS);
    if (ms >= item.plannedMs) return;
    item.plannedMs = ms;
    this.#push({ ms, item });
    this.#arm();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#heap.length = 0;
  }

  #arm(): void {
    const first = this.#heap[0];
    if (!first || first.ms >= this.#timerMs) return;
    this.#cancel?.();
    this.#timerMs = first.ms;
    const waitMs = Math.min(Math.max(1, Math.ceil(first.ms - this.#clock.elapsedMs())), 0x7fffffff);
    this.#cancel = this.#clock.after(waitMs, () => this.#run());
  }

  #run(): void {
    this.#timerMs = Number.POSITIVE_INFINITY;
    this.#cancel = undefined;
    const nowMs = this.#clock.elapsedMs();
    for (let first = this.#heap[0]; first && first.ms <= nowMs; first = this.#heap[0]) {
      this.#pop();
      const { item, ms } = first;
      // An entry that an earlier deadline has replaced.
      if (item.plannedMs !== ms) continue;
      item.plannedMs = UNPLANNED;
      if (item.dueMs() <= nowMs) item.fire(nowMs);
      this.plan(item);
    }
    this.#arm();
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Entry;
      if (above.ms <= entry.ms) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right && right.ms < (heap[child] as Entry).ms) child++;
      const below = heap[child] as Entry;
      if (below.ms >= last.ms) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}
