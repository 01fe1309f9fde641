// How a link reacts to an SMSC that throttles it (ESME_RTHROTTLED, ESME_RMSGQFUL): it pauses, twice as long each time
// in a row, then sends one message at a time and doubles that number with every message that is accepted.

import { backoffMs } from "../../base/backoff.ts";

export interface ThrottleTimes {
  readonly throttleMsMin: number;
  readonly throttleMsMax: number;
}

export class Throttle {
  readonly #times: ThrottleTimes;
  readonly #elapsedMs: () => number;
  #denials = 0;
  #opensMs = 0;
  #allowance = Number.POSITIVE_INFINITY;

  /** `elapsedMs` is called only while throttled: reading the clock costs more than the rest of sending. */
  constructor(times: ThrottleTimes, elapsedMs: () => number) {
    this.#times = times;
    this.#elapsedMs = elapsedMs;
  }

  get isClosed(): boolean {
    return this.#allowance !== Number.POSITIVE_INFINITY && this.#elapsedMs() < this.#opensMs;
  }

  get opensMs(): number {
    return this.#opensMs;
  }

  /** How many messages may be unanswered at the same time. */
  get allowance(): number {
    return this.#allowance;
  }

  throttled(): void {
    // Answers to the rest of a window that was sent before the pause began do not count again.
    if (this.isClosed) return;
    const { throttleMsMin: msMin, throttleMsMax: msMax } = this.#times;
    this.#denials += 1;
    this.#opensMs = this.#elapsedMs() + backoffMs({ msMin, msMax }, this.#denials);
    this.#allowance = 1;
  }

  accepted(): void {
    if (this.#allowance === Number.POSITIVE_INFINITY || this.isClosed) return;
    this.#denials = 0;
    this.#allowance = this.#allowance >= ALLOWANCE_MAX ? Number.POSITIVE_INFINITY : this.#allowance * 2;
  }
}

const ALLOWANCE_MAX = 1024;
