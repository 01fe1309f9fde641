// SMPP 3.4, 7.1.1: times as YYMMDDhhmmsstnnp, absolute with an offset from UTC in quarters of an hour, or relative with
// R.

/** Absolute, in UTC. */
export function formatSmppTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = two(time.getUTCFullYear() % 100) + two(time.getUTCMonth() + 1) + two(time.getUTCDate());
  const clock = two(time.getUTCHours()) + two(time.getUTCMinutes()) + two(time.getUTCSeconds());
  return `${date}${clock}${Math.floor(time.getUTCMilliseconds() / 100)}00+`;
}

/** A relative time in whole seconds, at most 99 days; every SMSC reduces it to its own limit. */
export function formatSmppDelay(delayMs: number): string {
  const seconds = Math.min(Math.max(0, Math.floor(delayMs / 1000)), 99 * 86_400);
  const parts = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  return `0000${parts.map((part) => String(part).padStart(2, "0")).join("")}000R`;
}
