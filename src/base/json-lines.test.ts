import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultLine, memberLine } from "./json-lines.ts";

describe("the line where a text stops being JSON", () => {
  test.each([
    ["a word", '{\n  "a": x\n}', 2],
    ["a comma before the end", '{\n  "a": 1,\n}', 3],
    ["no comma", '{\n  "a": 1\n  "b": 2\n}', 3],
    ["a comment", '// x\n{\n  "a": 1\n}', 1],
    ["a comment within", '{\n  "a": 1, // x\n  "b": 2\n}', 2],
    ["a name without quotes", "{\n\n  a: 1\n}", 3],
    ["a line break in a text", '{\n  "a": "x\n  y"\n}', 2],
    ["something after the end", "{\n}\n{\n}", 3],
    ["no end", '{\n  "a": [\n    1', 3],
    ["nothing", "", 1],
  ])("%s", (_what, text, line) => {
    expect(faultLine(text)).toBe(line);
  });

  test("is found in whatever is broken", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        const text = `{\n"a": ${json},\n"b": [`;
        const cut = text.slice(0, at % text.length);
        expect(faultLine(cut)).toBe(cut.split("\n").length);
      }),
    );
  });
});

describe("the line of a member", () => {
  const text = `{
  "a": { "b": [1,
    2, { "c": "}{,[" }],
    "d": null
  },
  "e": [],
  "f": [[], [
    true
  ]]
}`;
  test.each<[readonly PropertyKey[], number]>([
    [[], 1],
    [["a"], 2],
    [["a", "b"], 2],
    [["a", "b", 1], 3],
    [["a", "b", 2, "c"], 3],
    [["a", "d"], 4],
    [["e"], 6],
    [["f", 1, 0], 8],
    [["a", "missing"], 2],
    [["a", "b", 7], 2],
    [["missing"], 1],
  ])("%j", (path, line) => {
    expect(memberLine(text, path)).toBe(line);
  });
});
