// For speed alone (`bench -- webhooks` would notice): deadlines of thousands of exchanges on one timer. Deadlines with
// the same timeout expire in the order they were added, and there are few different timeouts, so only the first
// deadline of each timeout is checked.

export interface Expiring {
  /** Called once, at the deadline or a moment later, unless it was removed before. */
  expire(afterMs: number): void;
}

export class Deadlines {
  /** By timeout in ms; each list is in the order of adding, with the time of each deadline. */
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
    if (endMs < this.#timerAtMs) this.#setTimer(endMs);
  }

  /** Leaves the timer running: it mostly finds nothing due and is set for the next deadline. */
  remove(expiring: Expiring, ms: number): void {
    this.#lists.get(ms)?.delete(expiring);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    this.#lists.clear();
  }

  #setTimer(endMs: number): void {
    clearTimeout(this.#timer);
    this.#timerAtMs = endMs;
    // Rounds up, because timers round down and would fire too early.
    this.#timer = setTimeout(() => this.#expireDue(), Math.max(1, Math.ceil(endMs - performance.now())));
    this.#timer.unref();
  }

  #expireDue(): void {
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
    if (nextMs < this.#timerAtMs) this.#setTimer(nextMs);
  }
}
