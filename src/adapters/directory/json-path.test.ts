import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJsonPath, valueAt } from "./json-path.ts";

const ANSWER = JSON.parse('{"a":{"b":[{"c":1},{"c":2}],"0":"zero"},"list":[1],"__proto__":{"x":9}}');

test.each([
  ["a.b[1].c", 2],
  ["a.b.0.c", 1],
  ["a.0", "zero"],
  ["list[0]", 1],
  ["__proto__.x", 9],
  ["list[1]", undefined],
  ["list.length", undefined],
  ["a.b.c", undefined],
  ["a.constructor", undefined],
  ["constructor.name", undefined],
  ["a.b[0].__proto__", undefined],
  ["a.b[0].c.toString", undefined],
])("%s leads to %s", (text, value) => {
  const path = parseJsonPath(text);
  expect(path && valueAt(ANSWER, path)).toBe(value);
});

test("an answer that is a list is read from its index on", () => {
  expect(parseJsonPath("[0].lrn")).toEqual([0, "lrn"]);
  expect(valueAt([{ lrn: "1" }], [0, "lrn"])).toBe("1");
});

test.each(["", ".", ".a", "a.", "a..b", "a[", "a[]", "a[x]", "a[-1]", "a[0]b", "a[99999]", "a]"])(
  "%j is no path",
  (text) => {
    expect(parseJsonPath(text)).toBeUndefined();
  },
);

test("no path and no answer make it throw", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (answer, text) => {
      valueAt(answer, parseJsonPath(text) ?? ["toString"]);
    }),
  );
});
