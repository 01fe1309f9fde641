import { expect, test } from "vitest";
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
