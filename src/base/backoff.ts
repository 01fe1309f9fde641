// Exponential backoff: the pause doubles after every failure in a row, up to a bound. Jitter keeps many clients from
// retrying at the same moment; the caller passes the random number in.

export interface Backoff {
  readonly msMin: number;
  readonly msMax: number;
  /** Jitter: the pause is multiplied by a random factor between the two. */
  readonly spread?: readonly [least: number, most: number];
}

/** `failures` counts the failures in a row, including the last; `chance` is from 0 to 1. */
export function backoffMs(
  { msMin, msMax, spread: [least, most] = [1, 1] }: Backoff,
  failures: number,
  chance = 0,
): number {
  // 2 ** 30 exceeds every bound; 2 ** 1024 would be infinite.
  const pauseMs = Math.min(msMax, msMin * 2 ** Math.max(0, Math.min(30, failures - 1)));
  return pauseMs * (least + chance * (most - least));
}
