// An endpoint: the deliveries of one subscription that this process has claimed. Its concurrency limit protects the
// other receivers: it starts low, grows with every success and halves with every failure, so that a receiver that hangs
// takes up almost no capacity.
//
// A receiver that keeps failing while more is due than its limit allows is probed: very few deliveries are claimed
// after a growing pause, however many wait. The others wait untried, and are due immediately when a probe succeeds.
// Where little is due, every delivery is tried at its own time.
//
//   answers ──failure──▶ failing ──the 20th failure in a row, while more is due──▶ probed
//      ▲                   │ ▲                                                       │
//      ├──────success──────┘ └──────────a failure, while no more is due──────────────┤
//      └───────────────────────────────success───────────────────────────────────────┘

import { backoffMs } from "../../base/backoff.ts";
import type { ClaimedDelivery } from "./ports.ts";

const CONCURRENCY_AT_FIRST = 4;
const CONCURRENCY_MIN = 2;
const CONCURRENCY_MAX = 32;
/** A healthy endpoint claims this many times its limit, so that it does not idle while the next claim is under way. */
const CLAIMED_AHEAD = 4;
/** A receiver is probed after this many failures in a row. */
const PROBE_AFTER_FAILURES = 20;
const PROBE_PAUSES = { msMin: 1_000, msMax: 30_000 };

export class Endpoint {
  readonly sid: string;
  /** Its own sid until the account is known from a claim. */
  account: string;
  /** It waits for its turn to begin an attempt. */
  isReady = false;
  /** Claimed and not begun. */
  readonly waiting: ClaimedDelivery[] = [];
  running = 0;
  failuresInARow = 0;
  /** When a success was last noted on the subscription; 0 when the next success must be noted. */
  notedAtMs = 0;
  #concurrency = CONCURRENCY_AT_FIRST;
  #probes = 0;
  #probeAtMs = 0;

  constructor(sid: string) {
    this.sid = sid;
    this.account = sid;
  }

  get mayBegin(): boolean {
    return this.waiting.length > 0 && this.running < this.#concurrency;
  }

  /** How many more may be claimed; 0 while it holds more than half of its maximum, to make few and large claims. */
  claimable(nowMs: number): number {
    if (nowMs < this.#probeAtMs) return 0;
    const max = this.#isHealthy ? CLAIMED_AHEAD * this.#concurrency : this.#concurrency;
    const free = max - this.running - this.waiting.length;
    return 2 * free >= max ? free : 0;
  }

  /** Its receiver answers, so claimed deliveries do not wait long. */
  get #isHealthy(): boolean {
    return this.failuresInARow === 0 && this.#concurrency > CONCURRENCY_AT_FIRST;
  }

  /** It holds no state worth keeping. */
  get isForgettable(): boolean {
    return this.running === 0 && this.waiting.length === 0 && this.failuresInARow === 0;
  }

  succeed(): void {
    this.failuresInARow = 0;
    this.#endProbes();
    if (this.#concurrency < CONCURRENCY_MAX) this.#concurrency += 1;
  }

  /** `isMoreDue`: more is due than was claimed. */
  fail(nowMs: number, isMoreDue: boolean): void {
    this.failuresInARow += 1;
    this.notedAtMs = 0;
    this.#concurrency = Math.max(CONCURRENCY_MIN, this.#concurrency >> 1);
    if (this.failuresInARow < PROBE_AFTER_FAILURES || nowMs < this.#probeAtMs) return;
    if (!isMoreDue) {
      this.#endProbes();
      return;
    }
    this.#probeAtMs = nowMs + backoffMs(PROBE_PAUSES, ++this.#probes);
  }

  /**
   * The outcome at a URL that came with the delivery, such as a callback's: it shows how many attempts at the same time
   * succeed, and nothing about the receiver of the subscription. Failures do not lower the limit below the initial one.
   */
  learnElsewhere(isDelivered: boolean): void {
    if (this.failuresInARow > 0) return;
    if (!isDelivered) this.#concurrency = Math.max(CONCURRENCY_AT_FIRST, this.#concurrency >> 1);
    else if (this.#concurrency < CONCURRENCY_MAX) this.#concurrency += 1;
  }

  /** Forgets how the receiver behaved before. */
  reset(): void {
    this.failuresInARow = 0;
    this.#concurrency = CONCURRENCY_AT_FIRST;
    this.#endProbes();
  }

  #endProbes(): void {
    this.#probes = 0;
    this.#probeAtMs = 0;
  }
}
