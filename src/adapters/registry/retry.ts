// Decides whether and when a request that failed is repeated.

import { backoffMs } from "../../base/backoff.ts";
import type { RegistryFailure } from "./registry-documents.ts";

export interface Attempt {
  /** From 1. */
  readonly attempt: number;
  /** A write whose answer was lost may have taken effect, so it is not repeated: the caller reads the state instead. */
  readonly isRead: boolean;
}

export const ATTEMPTS_MAX = 4;
const BACKOFF = { msMin: 250, msMax: 1_000, spread: [1, 2] } as const;

/** How long to wait before the next attempt; undefined when there is to be none. `chance` is from 0 to 1. */
export function retryWaitMs(
  failure: RegistryFailure,
  { attempt, isRead }: Attempt,
  chance: number,
): number | undefined {
  if (failure.kind !== "unavailable" || attempt >= ATTEMPTS_MAX) return undefined;
  const mayRepeat =
    failure.why === "rate-limited" || (isRead && failure.why !== "unreadable" && failure.why !== "closed");
  if (!mayRepeat) return undefined;
  return Math.max(failure.retryAfterMs ?? 0, backoffMs(BACKOFF, attempt, chance));
}
