// Times as users read them: in the zone of their browser, on a 24-hour clock. Pure functions over ISO 8601.

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", options);

const CLOCK = format({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const SHORT_CLOCK = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const WEEKDAY = format({ weekday: "short" });
const DAY = format({ day: "numeric", month: "short" });
const DAY_OF_YEAR = format({ day: "numeric", month: "short", year: "numeric" });
const UTC_DAY = format({ day: "numeric", month: "short", timeZone: "UTC" });
const LONG_DAY = format({ weekday: "long", day: "numeric", month: "long" });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WEEK_MS = 7 * 24 * HOUR_MS;

export const clock = (at: Date): string => CLOCK.format(at);
export const shortClock = (at: Date): string => SHORT_CLOCK.format(at);
export const milliseconds = (at: Date): string => `.${String(at.getMilliseconds()).padStart(3, "0")}`;
export const utc = (at: Date): string => `${at.toISOString().replace("T", " ").replace("Z", "")} UTC`;

/** "now", "12 min", then the time of today, then the weekday, then the day. */
export function ago(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  if (ms >= 0 && ms < MINUTE_MS) return "now";
  if (ms >= 0 && ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (at.toDateString() === now.toDateString()) return shortClock(at);
  if (ms > 0 && ms < WEEK_MS) return `${WEEKDAY.format(at)} ${shortClock(at)}`;
  return dayOf(at, now);
}

export function dayOf(at: Date, now: Date): string {
  return (at.getFullYear() === now.getFullYear() ? DAY : DAY_OF_YEAR).format(at);
}

export const utcDay = (at: Date): string => UTC_DAY.format(at);

/** The heading above the messages of a day. */
export function longDay(at: Date, now: Date): string {
  if (at.toDateString() === now.toDateString()) return "Today";
  return at.getFullYear() === now.getFullYear() ? LONG_DAY.format(at) : DAY_OF_YEAR.format(at);
}

/** How long something took or will take: "84 ms", "2.1 s", "3 min", "3 h 59 min", "2 days". */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
  if (ms < MINUTE_MS) return `${Math.round(ms / 1000)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  const hours = Math.floor(ms / HOUR_MS);
  if (hours >= 48) return `${Math.round(hours / 24)} days`;
  const minutes = Math.round((ms % HOUR_MS) / MINUTE_MS);
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}

/** 2:14, 1:02:03: the length of a call or a recording. */
export function talkTime(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** UTC−5, UTC+5:30: the zone of the browser, for the bar. */
export function zoneName(now: Date): string {
  const minutes = -now.getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const sign = minutes < 0 ? "−" : "+";
  return minutes === 0 ? "UTC" : `UTC${sign}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}
