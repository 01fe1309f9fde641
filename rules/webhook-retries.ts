// The retry schedule of webhook deliveries. Server and portal compute the same times from it.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after the first attempt, the second, …: eleven attempts over about 76 hours. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

export const ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1;

/** Each delay is shortened or lengthened by up to this fraction. */
export const JITTER = 0.2;

/** Success is a response with a 2xx status. */
export function isSuccess({ status }: { readonly status: number | null }): boolean {
  return status !== null && status >= 200 && status < 300;
}
