import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

const NOW = new Date("1994-11-06T08:49:00Z");

test.each([
  ["0", 0],
  ["120", 120_000],
  [" 7 ", 7_000],
  ["99999999999999999999", 31_536_000_000],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 37_000],
  ["Sunday, 06-Nov-94 08:49:37 GMT", 37_000],
  ["Sun Nov  6 08:49:37 1994", 37_000],
  ["Sat, 05 Nov 1994 08:49:37 GMT", 0],
  ["Sun, 06 Nov 2094 08:49:37 GMT", 31_536_000_000],
])("%j means %i ms", (text, ms) => {
  expect(parseRetryAfter(text, NOW)).toBe(ms);
});

test.each([
  "",
  "-1",
  "1.5",
  "soon",
  "1994-11-06T08:49:37Z",
  "Sun, 06 Nov 1994 08:49:37",
  "Sun, 99 Abc 1994 99:49:37 GMT",
  "0x10",
])("%j means nothing", (text) => {
  expect(parseRetryAfter(text, NOW)).toBeUndefined();
});

test("any text gives a wait between nothing and a year, or none", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.nat().map(String),
        fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      ),
      (text) => {
        const ms = parseRetryAfter(text, NOW);
        expect(ms === undefined || (ms >= 0 && ms <= 31_536_000_000)).toBe(true);
      },
    ),
  );
});
