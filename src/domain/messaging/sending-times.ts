// When a config's messages may leave: on given days between two times of day, in a given time zone.

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface SendingTimes {
  /** IANA, such as America/New_York. */
  readonly timeZone: string;
  readonly days: readonly Weekday[];
  /** `HH:MM`; `from` may be later than `to`, then the night is meant. */
  readonly from: string;
  readonly to: string;
}

const MINUTE_MS = 60_000;
const STEP_MS = 15 * MINUTE_MS;
const DAYS_AHEAD = 9;

/** The first moment from `at` on at which sending is allowed; undefined when there is none. */
export function nextSendingTime(times: SendingTimes | null, at: Date): Date | undefined {
  if (times === null || isWithin(times, at)) return at;
  // Time zones move by quarters of an hour at the finest, so a border lies in the quarter before the first allowed one.
  const firstQuarter = Math.ceil((at.getTime() + 1) / STEP_MS) * STEP_MS;
  const lastMs = at.getTime() + DAYS_AHEAD * 24 * 60 * MINUTE_MS;
  for (let ms = firstQuarter; ms <= lastMs; ms += STEP_MS) {
    if (!isWithin(times, new Date(ms))) continue;
    let earliest = ms;
    while (earliest - MINUTE_MS > at.getTime() && isWithin(times, new Date(earliest - MINUTE_MS)))
      earliest -= MINUTE_MS;
    return new Date(earliest);
  }
  return undefined;
}

function isWithin({ timeZone, days, from, to }: SendingTimes, at: Date): boolean {
  const { day, minutes } = localTime(timeZone, at);
  const start = minutesOf(from);
  const end = minutesOf(to);
  if (start < end) return days.includes(day) && minutes >= start && minutes < end;
  // Over midnight: the hours after it belong to the day before.
  if (minutes >= start) return days.includes(day);
  return minutes < end && days.includes(dayBefore(day));
}

const formats = new Map<string, Intl.DateTimeFormat>();

function localTime(timeZone: string, at: Date): { day: Weekday; minutes: number } {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { day: parts.weekday as Weekday, minutes: Number(parts.hour) * 60 + Number(parts.minute) };
}

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(":");
  return Number(hours) * 60 + Number(minutes);
}

function dayBefore(day: Weekday): Weekday {
  return WEEKDAYS[(WEEKDAYS.indexOf(day) + 6) % 7] as Weekday;
}
