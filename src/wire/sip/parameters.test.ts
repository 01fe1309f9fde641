import { expect, test } from "vitest";
import { endOfQuoted, isCallId, isToken, parseCount } from "./octets.ts";
import { parseParameters, quoted, unquoted } from "./parameters.ts";

test.each<[string, readonly string[]]>([
  ["", []],
  [" \t", []],
  [";", []],
  [";a", ["a", ""]],
  [";a=1", ["a", "1"]],
  [" ; A = 1 ; b ;c=", ["a", "1", "b", "", "c", ""]],
  ['\t;a="x;y";b', ["a", '"x;y"', "b", ""]],
  [';a="x\\";y";b', ["a", '"x\\";y"', "b", ""]],
  [";a;", ["a", ""]],
])("%j is read", (text, found) => {
  expect(parseParameters(text)).toEqual(found);
});

test.each(["a", "x;a", ";;a", ";=1", ";a b=1", ';a="x', ";a; ;b"])("%j is no list of parameters", (text) => {
  expect(parseParameters(text)).toBeUndefined();
});

test("reading may begin in the middle of a text", () => {
  expect(parseParameters("90;a=1", 2)).toEqual(["a", "1"]);
  expect(parseParameters("90", 2)).toEqual([]);
});

test("64 parameters are read, and no more", () => {
  expect(parseParameters(";a".repeat(64))).toHaveLength(128);
  expect(parseParameters(";a".repeat(65))).toBeUndefined();
});

test("quotes and escapes are taken off and put on", () => {
  expect(unquoted('"a\\"b\\\\c"')).toBe('a"b\\c');
  expect(unquoted('a"b')).toBe('a"b');
  expect(unquoted('"a')).toBe("a");
  expect(quoted('a"b\\c')).toBe('"a\\"b\\\\c"');
});

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
