// The places for attempts under way, shared by account. An account has an eighth of them at most. Attempts that have
// waited for their receiver for a second are slow: an account may have only so many of these, and together they hold
// half of the places at most, so that receivers that hang cannot keep others from being called. Attempts are not ended
// for this; an account that has too many begins no more until some have ended.

import { Fifo } from "../../base/fifo.ts";

const PLACES = 4_000;
const PLACES_PER_ACCOUNT = PLACES / 8;
const SLOW_MAX = PLACES / 2;
const SLOW_PER_ACCOUNT = SLOW_MAX / 8;
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
  #taken = 0;
  #slow = 0;

  get taken(): number {
    return this.#taken;
  }

  get isFull(): boolean {
    return this.#taken >= PLACES;
  }

  mayBegin(account: string, nowMs: number): boolean {
    this.#age(nowMs);
    const held = this.#held.get(account);
    if (this.isFull) return false;
    if (!held) return true;
    return held.all < PLACES_PER_ACCOUNT && held.slow < SLOW_PER_ACCOUNT && (held.slow === 0 || this.#slow < SLOW_MAX);
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
