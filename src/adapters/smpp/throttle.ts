// How a link gives way to an SMSC that wants less (ESME_RTHROTTLED, ESME_RMSGQFUL): it waits, twice as long each time it is told again, then
// tries with one message at a time and opens up with every one that is accepted.

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

  /** The clock is asked only while there is something to wait for: asking costs more than the rest of sending. */
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

  /** How many messages may be unanswered at once. */
  get allowance(): number {
    return this.#allowance;
  }

  throttled(): void {
    // The rest of a window sent before the wait began says nothing new.
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
