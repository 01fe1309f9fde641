import { expect, test } from "vitest";
import { nextSendingTime, type SendingTimes, type Weekday } from "./sending-times.ts";

const office: SendingTimes = {
  timeZone: "America/New_York",
  days: ["Mon", "Tue", "Wed", "Thu", "Fri"],
  from: "09:00",
  to: "17:30",
};
const next = (times: SendingTimes | null, at: string) => nextSendingTime(times, new Date(at))?.toISOString();

test("without times a message may leave at once", () => {
  expect(next(null, "2026-11-14T03:00:00.000Z")).toBe("2026-11-14T03:00:00.000Z");
});

test("within the times it may leave at once", () => {
  expect(next(office, "2026-11-13T15:00:00.000Z")).toBe("2026-11-13T15:00:00.000Z");
});

test("after hours on Friday it waits for Monday morning", () => {
  expect(next(office, "2026-11-13T22:30:00.000Z")).toBe("2026-11-16T14:00:00.000Z");
});

test("in the early morning it waits for the opening minute", () => {
  expect(next({ ...office, from: "09:07" }, "2026-11-16T13:59:30.000Z")).toBe("2026-11-16T14:07:00.000Z");
});

test("a night shift belongs to the day it began on", () => {
  const night: SendingTimes = { timeZone: "UTC", days: ["Fri"], from: "22:00", to: "06:00" };
  expect(next(night, "2026-11-14T05:00:00.000Z")).toBe("2026-11-14T05:00:00.000Z");
  expect(next(night, "2026-11-14T07:00:00.000Z")).toBe("2026-11-20T22:00:00.000Z");
});

test("no days at all is never", () => {
  expect(next({ ...office, days: [] }, "2026-11-13T15:00:00.000Z")).toBeUndefined();
});

test("a window of minutes is found wherever it lies", () => {
  expect(next({ ...office, from: "09:01", to: "09:03" }, "2026-11-16T13:00:00.000Z")).toBe("2026-11-16T14:01:00.000Z");
});

const MINUTE_MS = 60_000;
const WEEK = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** The local time in each minute of sixteen days. */
function minutesFrom(start: number, timeZone: string) {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" });
  return Array.from({ length: 16 * 24 * 60 }, (_, minute) => {
    const [day, time] = format.format(start + minute * MINUTE_MS).split(/,? /) as [Weekday, string];
    return { at: start + minute * MINUTE_MS, day, time, dayBefore: WEEK[(WEEK.indexOf(day) + 6) % 7] as Weekday };
  });
}

function nextByLooking(
  minutes: ReturnType<typeof minutesFrom>,
  { days, from, to }: SendingTimes,
  since: number,
): string | undefined {
  const isOpen = ({ day, time, dayBefore }: (typeof minutes)[number]) => {
    if (from < to) return days.includes(day) && time >= from && time < to;
    return (time >= from && days.includes(day)) || (time < to && days.includes(dayBefore));
  };
  const found = minutes.find((minute) => minute.at > since - MINUTE_MS && isOpen(minute));
  return found && new Date(Math.max(found.at, since)).toISOString();
}

test.each([
  // Clocks go forward, back, by half an hour, at midnight, and by quarters of an hour.
  ["America/New_York", "2026-03-07T06:30:10.000Z"],
  ["America/New_York", "2026-10-31T06:30:10.000Z"],
  ["Australia/Lord_Howe", "2026-04-03T20:00:10.000Z"],
  ["Australia/Lord_Howe", "2026-10-02T20:00:10.000Z"],
  ["America/Santiago", "2026-09-04T20:00:10.000Z"],
  ["Asia/Kathmandu", "2026-03-07T20:00:10.000Z"],
])("in %s from %s on it is what looking minute by minute finds", (timeZone, at) => {
  const windows = [
    ["01:30", "01:50"],
    ["02:10", "02:40"],
    ["22:00", "01:20"],
    ["23:50", "00:00"],
    ["00:00", "00:10"],
  ] as const;
  const minutes = minutesFrom(Math.floor(Date.parse(at) / MINUTE_MS) * MINUTE_MS, timeZone);
  for (const [from, to] of windows) {
    for (let later = 0; later < 40; later++) {
      const moment = new Date(Date.parse(at) + later * 37 * MINUTE_MS);
      for (const days of [["Sun"], ["Sat", "Sun", "Mon"]] as const) {
        const times = { timeZone, days, from, to };
        const found = nextByLooking(minutes, times, moment.getTime());
        expect(nextSendingTime(times, moment)?.toISOString(), JSON.stringify({ ...times, moment })).toBe(found);
      }
    }
  }
});
