// The clock is injected, so that tests can control it. Below the adapters only this file uses the machine's timers.

export interface Clock {
  now(): Date;
  /** False while the clock is known to be wrong: then nothing is claimed, expired or removed. */
  readonly isRight: boolean;
  /** A monotonic clock for measuring durations; changes of the machine's date do not affect it. */
  elapsedMs(): number;
  /** Runs `run` once after `ms`. The returned function cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs `run` in the next iteration of the event loop, after everything that arrived in this one is handled. */
  soon(run: () => void): void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  isRight: true,
  elapsedMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  soon: (run) => void setImmediate(run),
};

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
