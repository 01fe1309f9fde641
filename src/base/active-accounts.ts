// Knows whether others than an account had something to do lately: then work that keeps this process busy gives way
// (resting-places.ts). Remembers two accounts, whatever their number.

import type { Clock } from "./clock.ts";

const LATELY_MS = 10_000;

export class ActiveAccounts {
  readonly #clock: Clock;
  #last = "";
  #lastMs = Number.NEGATIVE_INFINITY;
  /** When an account other than the last one was active. */
  #otherMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The account has asked for something, or gets something. */
  note(account: string): void {
    if (account !== this.#last) this.#otherMs = this.#lastMs;
    this.#last = account;
    this.#lastMs = this.#clock.elapsedMs();
  }

  hasOthers(account: string): boolean {
    const otherMs = account === this.#last ? this.#otherMs : this.#lastMs;
    return this.#clock.elapsedMs() - otherMs < LATELY_MS;
  }
}
