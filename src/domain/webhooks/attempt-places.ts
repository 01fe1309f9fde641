// The places for attempts under way, shared by account. An account has an eighth of them at most. Attempts that have
// waited for their receiver for a second are slow: an account may have only so many of these, and together they hold
// half of the places at most, so that receivers that hang cannot keep others from being called. Attempts are not ended
// for this; an account that has too many begins no more until some have ended.

import { Fifo } from "../../base/fifo.ts";

/** An account may have one in so many of the places, and one in so many of those for slow attempts. */
const ACCOUNT_SHARE = 8;
const SLOW_AFTER_MS = 1_000;

export interface PlacedAttempt {
  readonly account: string;
  readonly beganMs: number;
  state: "fresh" | "slow" | "over";
}

interface Held {
  all: number;
  slow: number;
}

export class AttemptPlaces {
  /** By account. */
  readonly #held = new Map<string, Held>();
  /** Attempts that were fresh when last looked at, the oldest first. */
  readonly #fresh = new Fifo<PlacedAttempt>();
  readonly #places: number;
  readonly #slowMax: number;
  #taken = 0;
  #slow = 0;

  constructor(places: number) {
    this.#places = places;
    this.#slowMax = Math.ceil(places / 2);
  }

  get taken(): number {
    return this.#taken;
  }

  get isFull(): boolean {
    return this.#taken >= this.#places;
  }

  mayBegin(account: string, nowMs: number): boolean {
    return !this.isFull && this.hasShare(account, nowMs);
  }

  /** Whether it may begin an attempt when a place is free. */
  hasShare(account: string, nowMs: number): boolean {
    this.#age(nowMs);
    const held = this.#held.get(account);
    if (!held) return true;
    return (
      held.all < this.#places / ACCOUNT_SHARE &&
      held.slow < this.#slowMax / ACCOUNT_SHARE &&
      (held.slow === 0 || this.#slow < this.#slowMax)
    );
  }

  begin(account: string, nowMs: number): PlacedAttempt {
    this.#age(nowMs);
    const attempt: PlacedAttempt = { account, beganMs: nowMs, state: "fresh" };
    const held = this.#held.get(account);
    if (held) held.all++;
    else this.#held.set(account, { all: 1, slow: 0 });
    this.#taken++;
    this.#fresh.push(attempt);
    return attempt;
  }

  end(attempt: PlacedAttempt): void {
    const { account, state } = attempt;
    const held = this.#held.get(account) as Held;
    attempt.state = "over";
    held.all--;
    this.#taken--;
    if (state === "slow") {
      held.slow--;
      this.#slow--;
    }
    if (held.all === 0) this.#held.delete(account);
  }

  #age(nowMs: number): void {
    for (let oldest = this.#fresh.first; oldest; oldest = this.#fresh.first) {
      if (oldest.state === "fresh") {
        if (nowMs - oldest.beganMs < SLOW_AFTER_MS) return;
        oldest.state = "slow";
        (this.#held.get(oldest.account) as Held).slow++;
        this.#slow++;
      }
      this.#fresh.shift();
    }
  }
}
