// Deadlines of thousands of exchanges on one timer. Most have the same time to live, so those of one length are in order by themselves,
// and only the first of each length has to be looked at.

export interface Expiring {
  /** Called once, at the deadline or a moment later, unless it was taken out before. */
  expire(afterMs: number): void;
}

export class Deadlines {
  /** By length in ms; each in the order in which they were added, with the time at which they end. */
  readonly #lists = new Map<number, Map<Expiring, number>>();
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  add(expiring: Expiring, ms: number): void {
    let list = this.#lists.get(ms);
    if (!list) {
      list = new Map();
      this.#lists.set(ms, list);
    }
    const endMs = performance.now() + ms;
    list.set(expiring, endMs);
    if (endMs < this.#timerAtMs) this.#wakeAt(endMs);
  }

  /** The timer is left to run: it mostly finds that there is nothing to do, and is set anew for the next. */
  remove(expiring: Expiring, ms: number): void {
    this.#lists.get(ms)?.delete(expiring);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    this.#lists.clear();
  }

  #wakeAt(endMs: number): void {
    clearTimeout(this.#timer);
    this.#timerAtMs = endMs;
    // Timers round down: a moment too early would be a turn for nothing.
    this.#timer = setTimeout(() => this.#look(), Math.max(1, Math.ceil(endMs - performance.now())));
    this.#timer.unref();
  }

  #look(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    const nowMs = performance.now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const [ms, list] of this.#lists) {
      for (const [expiring, endMs] of list) {
        if (endMs > nowMs) {
          nextMs = Math.min(nextMs, endMs);
          break;
        }
        list.delete(expiring);
        expiring.expire(ms);
      }
      if (list.size === 0) this.#lists.delete(ms);
    }
    if (nextMs < this.#timerAtMs) this.#wakeAt(nextMs);
  }
}
