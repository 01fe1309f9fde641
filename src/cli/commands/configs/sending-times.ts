// Parses and formats sending times: `Mon-Fri 09:00-20:00 America/New_York`.

import { InvalidArgumentError } from "commander";
import { type SendingTimes, WEEKDAYS, type Weekday } from "../../../../sdk/src/index.ts";

const SHAPE = /^(\S+)\s+(\d\d:\d\d)-(\d\d:\d\d)\s+(\S+)$/;

export function parseSendingTimes(text: string): SendingTimes | null {
  if (text.toLowerCase() === "any") return null;
  const [, days = "", from = "", to = "", timeZone = ""] = SHAPE.exec(text.trim()) ?? [];
  const parsed = days.split(",").flatMap(parseDays);
  if (timeZone === "" || parsed.includes(undefined)) {
    throw new InvalidArgumentError('Written "Mon-Fri 09:00-20:00 America/New_York", days also "Mon,Wed,Fri", or any.');
  }
  return { timeZone, days: WEEKDAYS.filter((day) => parsed.includes(day)), from, to };
}

/** `Mon`, or `Fri-Mon`. */
function parseDays(text: string): (Weekday | undefined)[] {
  const [first, last] = text.split("-").map(placeOf);
  if (first === undefined || first === -1) return [undefined];
  if (last === undefined) return [WEEKDAYS[first]];
  if (last === -1) return [undefined];
  const length = ((last - first + WEEKDAYS.length) % WEEKDAYS.length) + 1;
  return Array.from({ length }, (_, at) => WEEKDAYS[(first + at) % WEEKDAYS.length]);
}

function placeOf(day: string): number {
  return WEEKDAYS.findIndex((known) => known.toLowerCase() === day.trim().toLowerCase());
}

export function formatSendingTimes(times: SendingTimes | null): string {
  return times === null ? "any" : `${times.days.join(",")} ${times.from}-${times.to} ${times.timeZone}`;
}
