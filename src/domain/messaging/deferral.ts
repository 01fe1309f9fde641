// When a message that a carrier refused temporarily is retried: four times within about five minutes (310 s), then it
// has failed.

import type { Outgoing } from "./ports.ts";

const PAUSES_MS = [10_000, 30_000, 90_000, 180_000];

/** Undefined after the last try. */
export function nextTryOn({ deferrals }: Pick<Outgoing, "deferrals">, at: Date): Date | undefined {
  const pauseMs = PAUSES_MS[deferrals];
  return pauseMs === undefined ? undefined : new Date(at.getTime() + pauseMs);
}
