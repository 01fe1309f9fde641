// How a stop divides its time. For TANDEM_LAME_DUCK_SECONDS everything is served, so that a load balancer notices
// before anything is refused. TANDEM_DRAIN_SECONDS follow: requests and calls continue for most of them, then they are
// cut off; the rest is for closing everything in order. What is not closed by `limitMs` is abandoned: the database or a
// carrier may be unreachable for longer than a stop should take.

import type { Settings } from "../config/settings.ts";

export interface StopTimes {
  /** For serving on, until others have noticed. */
  readonly lameDuckMs: number;
  /** For requests and calls in progress. */
  readonly workMs: number;
  /** For everything from then on except the end of our own PostgreSQL and of the process. */
  readonly limitMs: number;
  /** For the order to our own PostgreSQL to stop. */
  readonly databaseMs: number;
}

const CLOSE_MS = 5_000;
const DATABASE_MS = 1_000;

/** However short the time is, a server that can close without waiting has `CLOSE_MS` to close in order. */
export function stopTimes(settings: Pick<Settings, "TANDEM_DRAIN_SECONDS" | "TANDEM_LAME_DUCK_SECONDS">): StopTimes {
  const { TANDEM_DRAIN_SECONDS: seconds, TANDEM_LAME_DUCK_SECONDS: lameDuckSeconds } = settings;
  const allMs = seconds * 1_000;
  return {
    lameDuckMs: lameDuckSeconds * 1_000,
    workMs: allMs - Math.min(CLOSE_MS, allMs / 2),
    limitMs: Math.max(CLOSE_MS, allMs) - DATABASE_MS,
    databaseMs: DATABASE_MS,
  };
}
