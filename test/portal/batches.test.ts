// When the portal shows events of the stream: the first immediately, later ones in batches, none lost or out of order.

import { expect, test } from "vitest";
import { BATCH_EVERY_MS, BATCH_MAX, type BatchClock, Batches } from "../../portal/src/api/batches.ts";

/** A clock that only moves when a test advances it. */
class HandClock implements BatchClock {
  #nowMs = 1_000_000;
  #due: { readonly ms: number; readonly run: () => void } | undefined;

  readonly nowMs = () => this.#nowMs;
  readonly frameAfter = (ms: number, run: () => void) => {
    const due = { ms: this.#nowMs + ms, run };
    this.#due = due;
    return () => {
      if (this.#due === due) this.#due = undefined;
    };
  };

  move(ms: number): void {
    this.#nowMs += ms;
    const due = this.#due;
    if (!due || due.ms > this.#nowMs) return;
    this.#due = undefined;
    due.run();
  }
}

function begin() {
  const clock = new HandClock();
  const taken: (readonly number[])[] = [];
  const batches = new Batches<number>(clock, (batch) => taken.push(batch));
  return { clock, taken, batches };
}

test("what comes after a rest is shown with the next frame", () => {
  const { clock, taken, batches } = begin();
  batches.add(1);
  clock.move(0);
  expect(taken).toEqual([[1]]);
  clock.move(BATCH_EVERY_MS);
  batches.add(2);
  clock.move(0);
  expect(taken).toEqual([[1], [2]]);
});

test("what comes soon after waits for the others, no longer than a batch", () => {
  const { clock, taken, batches } = begin();
  batches.add(1);
  clock.move(0);
  batches.add(2);
  clock.move(BATCH_EVERY_MS - 1);
  batches.add(3);
  expect(taken).toEqual([[1]]);
  clock.move(1);
  expect(taken).toEqual([[1], [2, 3]]);
});

test("five hundred a second are shown ten times a second, each once and in order", () => {
  const { clock, taken, batches } = begin();
  for (let item = 0; item < 1000; item++) {
    batches.add(item);
    clock.move(2);
  }
  clock.move(BATCH_EVERY_MS);
  expect(taken.flat()).toEqual(Array.from({ length: 1000 }, (_, item) => item));
  expect(taken.length).toBeLessThanOrEqual(2000 / BATCH_EVERY_MS + 2);
});

test("without frames no more wait than a batch may hold", () => {
  const { taken, batches } = begin();
  for (let item = 0; item < BATCH_MAX; item++) batches.add(item);
  expect(taken.map(({ length }) => length)).toEqual([BATCH_MAX]);
});

test("a pause shows what waits, once", () => {
  const { clock, taken, batches } = begin();
  batches.add(1);
  batches.flush();
  batches.flush();
  clock.move(BATCH_EVERY_MS);
  expect(taken).toEqual([[1]]);
});
