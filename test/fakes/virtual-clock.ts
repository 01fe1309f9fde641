// A clock that stands still until the test advances it. Timers run in the order in which they are due, those due at the
// same time in the order in which they were set; before each, all pending promises have settled. Callbacks given to
// `soon` run before any timer.

import type { Clock } from "../../src/base/clock.ts";

/** What runs more often than this at one moment, or while one promise is awaited, never ends. */
const ENDLESS = 100_000;

interface Timer {
  readonly dueMs: number;
  /** Undefined when it was canceled. */
  run: (() => void) | undefined;
}

export class VirtualClock implements Clock {
  /** A test may set it to false. */
  isRight = true;
  /** May be set: then time has passed without any timer running, as when a machine was asleep. */
  nowMs: number;
  readonly #startMs: number;
  /** Sorted: the timer due first is last. */
  readonly #timers: Timer[] = [];
  readonly #soon: (() => void)[] = [];

  constructor(start: Date | number = 0) {
    this.#startMs = this.nowMs = Number(start);
  }

  readonly now = () => new Date(this.nowMs);

  elapsedMs(): number {
    return this.nowMs - this.#startMs;
  }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { dueMs: this.nowMs + Math.max(0, ms), run };
    let place = 0;
    for (let end = this.#timers.length; place < end; ) {
      const middle = (place + end) >> 1;
      if ((this.#timers[middle] as Timer).dueMs > timer.dueMs) place = middle + 1;
      else end = middle;
    }
    this.#timers.splice(place, 0, timer);
    return () => {
      timer.run = undefined;
    };
  }

  /** Timers that have neither run nor been canceled. */
  get waiting(): number {
    return this.#timers.filter(({ run }) => run).length;
  }

  soon(run: () => void): void {
    this.#soon.push(run);
  }

  /** Lets `ms` pass: runs everything that is due by then, each at its time. */
  async advance(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    await this.#settle();
    while (await this.#runNext(endMs));
    this.nowMs = Math.max(this.nowMs, endMs);
  }

  /** Advances time until the promise has settled. */
  async until<Value>(promise: Promise<Value>): Promise<Value> {
    let isSettled = false;
    const settled = () => {
      isSettled = true;
    };
    promise.then(settled, settled);
    await this.#settle();
    for (let timers = 0; !isSettled; timers++) {
      if (timers === ENDLESS) throw new Error(`It still waits after ${ENDLESS} timers`);
      if (!(await this.#runNext(Number.POSITIVE_INFINITY))) throw new Error("It waits, and nothing more will happen");
    }
    return promise;
  }

  async #runNext(endMs: number): Promise<boolean> {
    while (this.#timers.length > 0 && !this.#timers.at(-1)?.run) this.#timers.pop();
    const next = this.#timers.at(-1);
    if (!next || next.dueMs > endMs) return false;
    this.#timers.pop();
    this.nowMs = Math.max(this.nowMs, next.dueMs);
    next.run?.();
    await this.#settle();
    return true;
  }

  /** Runs until nothing is left to do at this moment. */
  async #settle(): Promise<void> {
    await drainMicrotasks();
    let callbacks = 0;
    for (let run = this.#soon.shift(); run; run = this.#soon.shift()) {
      if (++callbacks > ENDLESS) throw new Error(`${ENDLESS} callbacks ran, and time did not pass`);
      run();
      await drainMicrotasks();
    }
  }
}

/** A tick requested by a microtask runs when no microtask is left. */
async function drainMicrotasks(): Promise<void> {
  await undefined;
  await new Promise<void>((resolve) => process.nextTick(resolve));
}
