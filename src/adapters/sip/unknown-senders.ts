// Senders that are not our trunks. Peers that we called may send from any address, so such senders are read, but each
// address only a limited number of times a second, unless a call with it is in progress; the rest is dropped unread.
// Scanners learn nothing: what belongs to no call gets no answer but a digest challenge (`endpoint.ts`).

import { forgetOldest } from "../../base/forget-oldest.ts";

const PER_SECOND = 50;
const REMEMBERED_MAX = 20_000;

export type SenderDrop = "unread" | "malformed" | "request" | "response";

export class UnknownSenders {
  readonly #elapsedMs: () => number;
  readonly #seen = new Map<string, { sinceMs: number; messages: number }>();
  /** Calls in progress by address. */
  readonly #guests = new Map<string, number>();
  readonly #drops: Record<SenderDrop, number> = { unread: 0, malformed: 0, request: 0, response: 0 };

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** What was dropped so far, by reason. */
  get drops(): Readonly<Record<SenderDrop, number>> {
    return this.#drops;
  }

  /** A call with the address begins (1), or ends (-1). */
  count(address: string, change: 1 | -1): void {
    const calls = (this.#guests.get(address) ?? 0) + change;
    if (calls > 0) this.#guests.set(address, calls);
    else this.#guests.delete(address);
  }

  mayBeRead(address: string): boolean {
    if (this.#guests.has(address)) return true;
    const nowMs = this.#elapsedMs();
    const seen = this.#seen.get(address);
    if (!seen || nowMs - seen.sinceMs >= 1000) {
      this.#seen.delete(address);
      this.#seen.set(address, { sinceMs: nowMs, messages: 1 });
      forgetOldest(this.#seen, REMEMBERED_MAX);
      return true;
    }
    if (++seen.messages <= PER_SECOND) return true;
    this.#drops.unread++;
    return false;
  }

  drop(reason: SenderDrop): void {
    this.#drops[reason]++;
  }
}
