import { expect, test } from "vitest";
import { nextSendingTime, type SendingTimes } from "./sending-times.ts";

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
