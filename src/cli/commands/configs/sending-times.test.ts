import { expect, test } from "vitest";
import { formatSendingTimes, parseSendingTimes } from "./sending-times.ts";

const ZONE = "America/New_York";
const NINE_TO_EIGHT = { timeZone: ZONE, from: "09:00", to: "20:00" };

test.each([
  ["Mon-Fri", ["Mon", "Tue", "Wed", "Thu", "Fri"]],
  ["mon,WED", ["Mon", "Wed"]],
  ["Sat-Mon", ["Mon", "Sat", "Sun"]],
  ["Sun,Mon-Tue", ["Mon", "Tue", "Sun"]],
])("%s are the days %j", (written, days) => {
  expect(parseSendingTimes(`${written} 09:00-20:00 ${ZONE}`)).toEqual({ ...NINE_TO_EIGHT, days });
});

test("any time is none in particular", () => {
  expect(parseSendingTimes("Any")).toBeNull();
  expect(formatSendingTimes(null)).toBe("any");
});

test("what is shown can be typed again", () => {
  const times = { ...NINE_TO_EIGHT, days: ["Mon", "Fri"] as const };
  expect(parseSendingTimes(formatSendingTimes(times))).toEqual(times);
});

test.each(["", "Mon", "Monday 09:00-20:00 UTC", "Mon 9-20 UTC", "Mon-Xyz 09:00-20:00 UTC", "Mon 09:00-20:00"])(
  "%j is refused",
  (text) => {
    expect(() => parseSendingTimes(text)).toThrow("Mon-Fri 09:00-20:00 America/New_York");
  },
);
