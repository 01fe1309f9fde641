import { expect, test } from "vitest";
import { ok } from "../../base/result.ts";
import { readSendingTimes } from "./messaging-config.ts";

const TIMES = { timeZone: "America/New_York", days: ["Mon", "Fri"], from: "09:00", to: "20:00" } as const;

test("days come in the order of the week, once, and time zones by their own name", () => {
  const given = { ...TIMES, timeZone: "america/new_york", days: ["Fri", "Mon", "Fri"] as const };
  expect(readSendingTimes(given)).toStrictEqual(ok({ ...TIMES, days: ["Mon", "Fri"] }));
});

test("a night may be meant", () => {
  const night = { ...TIMES, from: "22:00", to: "06:00" };
  expect(readSendingTimes(night)).toStrictEqual(ok({ ...night, days: ["Mon", "Fri"] }));
});

test.each(["Mars/Olympus", "+02:00", "", "UTC+2", "\u0000"])("%j is no time zone", (timeZone) => {
  expect(readSendingTimes({ ...TIMES, timeZone })).toMatchObject({
    ok: false,
    refusal: { "sendingTimes.timeZone": [expect.stringContaining("America/New_York")] },
  });
});

test("all that is wrong is said at once", () => {
  expect(readSendingTimes({ ...TIMES, timeZone: "x", from: "20:00" })).toMatchObject({
    ok: false,
    refusal: { "sendingTimes.timeZone": [expect.any(String)], "sendingTimes.to": [expect.any(String)] },
  });
});
