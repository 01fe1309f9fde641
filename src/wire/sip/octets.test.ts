import { expect, test } from "vitest";
import { endOfQuoted, isCallId, isToken, parseCount } from "./octets.ts";

test("a quoted string ends at the first quote that is not escaped", () => {
  expect(endOfQuoted('"ab"c', 0)).toBe(4);
  expect(endOfQuoted('x"a\\"b"c', 1)).toBe(7);
  expect(endOfQuoted('"ab', 0)).toBe(-1);
  expect(endOfQuoted('"ab\\"', 0)).toBe(-1);
});

test("a token has at least one character, all of them allowed", () => {
  expect(["a-.!%*_+`'~Z9", "", "a b", "a@b", "é"].map(isToken)).toEqual([true, false, false, false, false]);
  expect(["a@b", "a b", ""].map(isCallId)).toEqual([true, false, false]);
});

test.each([
  ["0", 0],
  ["255", 255],
  ["000000000000255", 255],
  ["256", undefined],
  ["0000000000000255", undefined],
  ["", undefined],
  ["-1", undefined],
  ["1:", undefined],
  ["1/", undefined],
])("the count %j up to 255 is %s", (text, value) => {
  expect(parseCount(text, 255)).toBe(value);
});
