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

/** Milliseconds, or undefined for a date that does not exist. */
export function utcOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined;
}
