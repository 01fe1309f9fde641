// Reads the times that wire/smpp/smpp-time.ts writes, as an SMSC would.

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
function utcOf(
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
