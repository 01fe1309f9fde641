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

/** Undefined for an empty or malformed field. A relative time counts from `now`, years and months by the calendar. */
export function parseSmppTime(text: string, now: Date): Date | undefined {
  const match = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d)(\d\d)([+\-R])$/.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, tenths = 0, quarters = 0] = match
    .slice(1, 9)
    .map(Number);
  if (match[9] === "R") {
    const date = [now.getUTCFullYear() + year, now.getUTCMonth() + month, now.getUTCDate() + day] as const;
    const clock = [now.getUTCHours() + hour, now.getUTCMinutes() + minute, now.getUTCSeconds() + second] as const;
    return new Date(Date.UTC(...date, ...clock, now.getUTCMilliseconds()));
  }
  const local = utcOf(2000 + year, month, day, hour, minute, second);
  if (local === undefined || quarters > 48) return undefined;
  return new Date(local + tenths * 100 - (match[9] === "-" ? -1 : 1) * quarters * 15 * 60_000);
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
