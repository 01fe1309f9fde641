// An endpoint: what one process holds of a subscription's deliveries. Its room is what keeps a receiver from harming
// the others: it begins small, grows with every success and shrinks with every failure, so that one who hangs holds
// next to nothing.

import type { ClaimedDelivery } from "./ports.ts";

export interface Claimed {
  readonly delivery: ClaimedDelivery;
  readonly leaseEndMs: number;
}

const ROOM_AT_FIRST = 4;
const ROOM_MIN = 2;
const ROOM_MAX = 32;
/**
 * So many times what may run is claimed, so that an endpoint that gets on does not idle while the next claim is under
 * way.
 */
const CLAIMED_AHEAD = 4;

export class Endpoint {
  readonly sid: string;
  /** Claimed and not begun. */
  readonly waiting: Claimed[] = [];
  running = 0;
  failuresInARow = 0;
  /** When its subscription was last noted to fare well; 0 when a success is news. */
  notedAtMs = 0;
  /** How many may run at once. */
  #room = ROOM_AT_FIRST;

  constructor(sid: string) {
    this.sid = sid;
  }

  get mayBegin(): boolean {
    return this.waiting.length > 0 && this.running < this.#room;
  }

  /**
   * How many more may be claimed; nothing while it has half of what it may have, for claims should be few and large.
   */
  get claimable(): number {
    const max = this.#getsOn ? CLAIMED_AHEAD * this.#room : this.#room;
    const free = max - this.running - this.waiting.length;
    return 2 * free >= max ? free : 0;
  }

  /** Its receiver answers: what is claimed for it will not lie about. */
  get #getsOn(): boolean {
    return this.failuresInARow === 0 && this.#room > ROOM_AT_FIRST;
  }

  /** Nothing about it is worth knowing. */
  get isForgettable(): boolean {
    return this.running === 0 && this.waiting.length === 0 && this.failuresInARow === 0;
  }

  succeed(): void {
    this.failuresInARow = 0;
    if (this.#room < ROOM_MAX) this.#room += 1;
  }

  fail(): void {
    this.failuresInARow += 1;
    this.notedAtMs = 0;
    this.#room = Math.max(ROOM_MIN, this.#room >> 1);
  }

  /** What it was is no measure any more. */
  beginAnew(): void {
    this.failuresInARow = 0;
    this.#room = ROOM_AT_FIRST;
  }
}
