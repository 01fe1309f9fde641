// When messages of a config may be sent: on given days between two times of day, in a given time zone.

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface SendingTimes {
  /** IANA, such as America/New_York. */
  readonly timeZone: string;
  readonly days: readonly Weekday[];
  /** `HH:MM`; when `from` is later than `to`, sending ends on the following day. */
  readonly from: string;
  readonly to: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Two weeks: the only window of a week may fall into the hour that is skipped when clocks are put forward. */
const DAYS_AHEAD = 15;
/** Longer than clocks are ever put forward or back. */
const SHIFT_MS_MAX = 4 * 60 * MINUTE_MS;

/** The first moment from `at` on at which sending is allowed; undefined when there is none. */
export function nextSendingTime(times: SendingTimes | null, at: Date): Date | undefined {
  if (times === null || isWithin(times, at.getTime())) return at;
  const today = dayAt(clockAt(times.timeZone, at.getTime()));
  for (let day = today; day <= today + DAYS_AHEAD * DAY_MS; day += DAY_MS) {
    const opening = beginningsOn(times, day).find((moment) => moment > at.getTime() && isWithin(times, moment));
    if (opening !== undefined) return new Date(opening);
  }
  return undefined;
}

/** The times of a day at which sending may begin, sorted: when clocks show `from`, and when the offset changes. */
function beginningsOn({ timeZone, from }: SendingTimes, day: number): readonly number[] {
  const opening = day + minutesOf(from) * MINUTE_MS;
  const midnight = day - offsetAt(timeZone, day);
  const [before, after] = [midnight - SHIFT_MS_MAX, midnight + DAY_MS + SHIFT_MS_MAX];
  const offsets = [offsetAt(timeZone, before), offsetAt(timeZone, after)] as const;
  if (offsets[0] === offsets[1]) return [opening - offsets[0]];
  const change = offsetChange(timeZone, before, after);
  const changes = dayAt(clockAt(timeZone, change)) === day ? [change] : [];
  return [opening - offsets[0], opening - offsets[1], ...changes].sort((one, other) => one - other);
}

/** The minute at which the offset changes between two times with different offsets. */
function offsetChange(timeZone: string, from: number, to: number): number {
  const offset = offsetAt(timeZone, from);
  let [before, after] = [Math.floor(from / MINUTE_MS), Math.floor(to / MINUTE_MS)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(timeZone, middle * MINUTE_MS) === offset) before = middle;
    else after = middle;
  }
  return after * MINUTE_MS;
}

function isWithin({ timeZone, days, from, to }: SendingTimes, at: number): boolean {
  const clock = clockAt(timeZone, at);
  const minutes = (clock % DAY_MS) / MINUTE_MS;
  const [start, end] = [minutesOf(from), minutesOf(to)];
  if (start < end) return days.includes(dayOf(clock)) && minutes >= start && minutes < end;
  // Over midnight: the hours after it belong to the previous day.
  if (minutes >= start) return days.includes(dayOf(clock));
  return minutes < end && days.includes(dayOf(clock - DAY_MS));
}

const offsetAt = (timeZone: string, at: number) => clockAt(timeZone, at) - Math.floor(at / MINUTE_MS) * MINUTE_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local time, to the minute, as if it were UTC. */
function clockAt(timeZone: string, at: number): number {
  let format = formats.get(timeZone);
  if (!format) {
    const [numeric, twoDigits] = ["numeric", "2-digit"] as const;
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      year: numeric,
      month: numeric,
      day: numeric,
      hour: twoDigits,
      minute: twoDigits,
      hourCycle: "h23",
    });
    formats.set(timeZone, format);
  }
  const shown = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute);
}

const dayAt = (clock: number) => Math.floor(clock / DAY_MS) * DAY_MS;

/** The first of January 1970 was a Thursday. */
const dayOf = (clock: number) => WEEKDAYS[(Math.floor(clock / DAY_MS) + 3) % 7] as Weekday;

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(":");
  return Number(hours) * 60 + Number(minutes);
}
