// Senders that are no trunks of ours. Peers that we called may send from anywhere, so strangers are read, but each only
// so often a second; the rest is dropped unread. Scanners learn nothing: what no call asked for is never answered.

import { forgetOldest } from "../../base/forget-oldest.ts";

const PER_SECOND = 50;
const REMEMBERED_MAX = 20_000;

export type StrangerDrop = "unread" | "malformed" | "request" | "response";

export class Strangers {
  readonly #elapsedMs: () => number;
  readonly #seen = new Map<string, { sinceMs: number; messages: number }>();
  readonly #drops: Record<StrangerDrop, number> = { unread: 0, malformed: 0, request: 0, response: 0 };

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** What was dropped so far, by reason. */
  get drops(): Readonly<Record<StrangerDrop, number>> {
    return this.#drops;
  }

  mayBeRead(address: string): boolean {
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

  count(drop: StrangerDrop): void {
    this.#drops[drop]++;
  }
}
