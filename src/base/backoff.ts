// How long to wait before trying again: twice as long after every failure in a row, up to a bound, and spread by chance where many
// would otherwise come back at the same moment. Chance is handed in.

export interface Backoff {
  readonly msMin: number;
  readonly msMax: number;
  /** Chance multiplies the pause by something between the two. */
  readonly spread?: readonly [least: number, most: number];
}

/** `failures` are those in a row, the last one included; `chance` is from 0 to 1. */
export function backoffMs(
  { msMin, msMax, spread: [least, most] = [1, 1] }: Backoff,
  failures: number,
  chance = 0,
): number {
  // Beyond 2 ** 30 every bound is reached; 2 ** 1024 would be infinite.
  const pauseMs = Math.min(msMax, msMin * 2 ** Math.max(0, Math.min(30, failures - 1)));
  return pauseMs * (least + chance * (most - least));
}
