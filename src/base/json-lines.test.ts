import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultPlace, memberLine, repeatedMembers } from "./json-lines.ts";

describe("the place where a text stops being JSON", () => {
  test.each([
    ["a word", '{\n  "a": x\n}', 2, 8, "x"],
    ["a comma before the end", '{\n  "a": 1,\n}', 3, 1, "}"],
    ["no comma", '{\n  "a": 1\n  "b": 2\n}', 3, 3, '"'],
    ["a comment", '// x\n{\n  "a": 1\n}', 1, 1, "/"],
    ["a comment within", '{\n  "a": 1, // x\n  "b": 2\n}', 2, 11, "/"],
    ["a name without quotes", "{\n\n  a: 1\n}", 3, 3, "a"],
    ["a line break in a text", '{\n  "a": "x\n  y"\n}', 2, 10, "\n"],
    ["something after the end", "{\n}\n{\n}", 3, 1, "{"],
    ["no end", '{\n  "a": [\n    1', 3, 6, undefined],
    ["nothing", "", 1, 1, undefined],
  ])("%s", (_what, text, line, column, character) => {
    expect(faultPlace(text)).toEqual({ line, column, character });
  });

  test("is found in whatever is broken", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        const text = `{\n"a": ${json},\n"b": [`;
        const cut = text.slice(0, at % text.length);
        const lines = cut.split("\n");
        const column = (lines.at(-1) ?? "").length + 1;
        expect(faultPlace(cut)).toEqual({ line: lines.length, column, character: undefined });
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

test("members that are given twice are found, wherever they are", () => {
  const text = `{
  "a": { "x": 1, "x": 2 },
  "b": [{ "y": 1 }, { "y": 2,
    "z": 1, "z": {} }],
  "a": { "x": 3 }
}`;
  expect(repeatedMembers(text)).toEqual([
    { path: ["a", "x"], line: 2 },
    { path: ["b", 1, "z"], line: 4 },
    { path: ["a"], line: 5 },
  ]);
  expect(repeatedMembers('{"a": 1, "b": ["a", "a"]}')).toEqual([]);
});
