// How a stop divides the time it may take, TANDEM_DRAIN_SECONDS. Requests and calls go on for most of it, then they are
// cut off; the rest is for closing everything in order. What is not closed by `limitMs` is left as it is: the database
// or a carrier may be away for longer than anybody waits for a stop.

export interface StopTimes {
  /** For requests and calls under way. */
  readonly workMs: number;
  /** For everything but the end of our own PostgreSQL and of the process. */
  readonly limitMs: number;
  /** For our own PostgreSQL to be told to end. */
  readonly databaseMs: number;
}

const CLOSE_MS = 5_000;
const DATABASE_MS = 1_000;

/** However short the time is, a server that nothing hinders has `CLOSE_MS` to close in order. */
export function stopTimes({ TANDEM_DRAIN_SECONDS: seconds }: { readonly TANDEM_DRAIN_SECONDS: number }): StopTimes {
  const allMs = seconds * 1_000;
  return {
    workMs: allMs - Math.min(CLOSE_MS, allMs / 2),
    limitMs: Math.max(CLOSE_MS, allMs) - DATABASE_MS,
    databaseMs: DATABASE_MS,
  };
}
