// Time is handed in, so that tests can turn it. Below the adapters the machine's timers are used here and nowhere else.

export interface Clock {
  now(): Date;
  /** For measuring how long something takes: it never goes back, whatever happens to the machine's date. */
  elapsedMs(): number;
  /** Runs once, after so many ms; calling what is answered cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs in the next turn of the loop, when what arrives in this one has been handled. */
  soon(run: () => void): void;
}

export const systemClock: Clock = {
  now: () => new Date(),
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
