// How often something happened in the last minute and how long it took: counts by duration, in slots of five seconds.
// Recording costs a logarithm and two additions; durations are accurate to a tenth.

const SLOT_MS = 5_000;
const SLOTS = 12;
const RATE_SLOTS = 2;
const PER_OCTAVE = 8;
/** The last bucket holds everything from about a minute on. */
const BUCKETS = 16 * PER_OCTAVE;

export class RecentTimes {
  readonly #counts = Array.from({ length: SLOTS }, () => new Uint32Array(BUCKETS));
  readonly #totals = new Uint32Array(SLOTS);
  /** The number of the newest slot, counted from time 0 of the clock. */
  #newest = 0;

  note(ms: number, nowMs: number): void {
    const slot = this.#turnTo(nowMs) % SLOTS;
    const bucket = Math.min(BUCKETS - 1, Math.floor(Math.log2(Math.max(0, ms) + 1) * PER_OCTAVE));
    const counts = this.#counts[slot] as Uint32Array;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    this.#totals[slot] = (this.#totals[slot] ?? 0) + 1;
  }

  /** Over the last two complete slots: ten seconds. */
  perSecond(nowMs: number): number {
    const newest = this.#turnTo(nowMs);
    let count = 0;
    for (let back = 1; back <= RATE_SLOTS; back++) count += this.#totals[(newest + SLOTS - back) % SLOTS] ?? 0;
    return (count * 1_000) / (RATE_SLOTS * SLOT_MS);
  }

  /** Over the last minute; null where nothing happened. */
  p95Ms(nowMs: number): number | null {
    this.#turnTo(nowMs);
    const all = this.#totals.reduce((sum, count) => sum + count, 0);
    if (all === 0) return null;
    let left = Math.ceil(all * 0.95);
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      for (const counts of this.#counts) left -= counts[bucket] ?? 0;
      if (left <= 0) return Math.round(2 ** ((bucket + 0.5) / PER_OCTAVE) - 1);
    }
    return null;
  }

  /** Empties the slots that have become older than a minute. */
  #turnTo(nowMs: number): number {
    const now = Math.max(this.#newest, Math.floor(nowMs / SLOT_MS));
    const gone = Math.min(SLOTS, now - this.#newest);
    for (let ahead = 1; ahead <= gone; ahead++) {
      const slot = (now - gone + ahead) % SLOTS;
      this.#counts[slot]?.fill(0);
      this.#totals[slot] = 0;
    }
    this.#newest = now;
    return now;
  }
}
