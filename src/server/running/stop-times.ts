// How a stop divides its time, TANDEM_DRAIN_SECONDS. Requests and calls continue for most of it, then they are cut off;
// the rest is for closing everything in order. What is not closed by `limitMs` is abandoned: the database or a carrier
// may be unreachable for longer than a stop should take.

export interface StopTimes {
  /** For requests and calls in progress. */
  readonly workMs: number;
  /** For everything except the end of our own PostgreSQL and of the process. */
  readonly limitMs: number;
  /** For the order to our own PostgreSQL to stop. */
  readonly databaseMs: number;
}

const CLOSE_MS = 5_000;
const DATABASE_MS = 1_000;

/** However short the time is, a server that can close without waiting has `CLOSE_MS` to close in order. */
export function stopTimes({ TANDEM_DRAIN_SECONDS: seconds }: { readonly TANDEM_DRAIN_SECONDS: number }): StopTimes {
  const allMs = seconds * 1_000;
  return {
    workMs: allMs - Math.min(CLOSE_MS, allMs / 2),
    limitMs: Math.max(CLOSE_MS, allMs) - DATABASE_MS,
    databaseMs: DATABASE_MS,
  };
}
