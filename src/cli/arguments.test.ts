import { InvalidArgumentError } from "commander";
import { expect, test } from "vitest";
import {
  isRelativeMoment,
  oneOf,
  parseCount,
  parseErrorCode,
  parseEventType,
  parseEventTypes,
  parseMoment,
  parseMomentAhead,
} from "./arguments.ts";

test.each(["InboundCallReceivedWebhook", "InboundCallReceived", "inboundcallreceivedwebhook"])(
  "%s names the event type",
  (text) => expect(parseEventType(text)).toBe("InboundCallReceivedWebhook"),
);

test("several types are separated by commas", () => {
  expect([...parseEventTypes("OptOutChanged, callStatusChanged")]).toEqual([
    "OptOutChanged",
    "CallStatusChangedWebhook",
  ]);
  expect(() => parseEventTypes("OptOutChanged,")).toThrow("One of these is wanted: InboundMessageReceived, ");
});

test("words are taken in any case", () => {
  expect(oneOf(["Failed", "Pending"])("failed")).toBe("Failed");
  expect(() => oneOf(["Failed", "Pending"])("fail")).toThrow("Failed, Pending");
});

const NOW = Date.parse("2026-03-04T05:06:07.890Z");

test.each([
  ["90s", "2026-03-04T05:04:37.890Z"],
  ["30m", "2026-03-04T04:36:07.890Z"],
  ["2h", "2026-03-04T03:06:07.890Z"],
  ["3d", "2026-03-01T05:06:07.890Z"],
  ["2026-03-01", "2026-03-01T00:00:00.000Z"],
  ["2026-03-01T12:00:00+02:00", "2026-03-01T10:00:00.000Z"],
])("%s is a time", (text, wanted) => expect(parseMoment(text, NOW)).toBe(wanted));

test.each(["", "1", "2w", "h", "-2h", "soon", "2026-13-01"])("%j is none", (text) => {
  expect(() => parseMoment(text, NOW)).toThrow(InvalidArgumentError);
});

test("a time may lie ahead, too", () => {
  expect(parseMomentAhead("2h", NOW)).toBe("2026-03-04T07:06:07.890Z");
  expect(parseMomentAhead("2026-03-05T00:00:00Z", NOW)).toBe("2026-03-05T00:00:00.000Z");
  expect(() => parseMomentAhead("tomorrow", NOW)).toThrow(InvalidArgumentError);
  expect(["2h", "2026-03-05T00:00:00Z"].map(isRelativeMoment)).toEqual([true, false]);
});

test("an error code is a number that the server could store", () => {
  expect(["0", "1002", "2147483647"].map(parseErrorCode)).toEqual([0, 1002, 2_147_483_647]);
  for (const text of ["", "-1", "spam", "2147483648"]) expect(() => parseErrorCode(text)).toThrow(InvalidArgumentError);
});

test("a count is a whole number above nothing", () => {
  expect(parseCount("50")).toBe(50);
  for (const text of ["0", "-1", "1.5", "many", "1000000"])
    expect(() => parseCount(text)).toThrow(InvalidArgumentError);
});
