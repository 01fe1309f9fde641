import { expect, test } from "vitest";
import { parseNameAddr, splitValues } from "./name-addr.ts";

test.each([
  ["<sip:a@b>", { display: "", uri: "sip:a@b", parameters: [] }],
  ['"A \\"B\\"" <sip:a@b;lr>;tag=1', { display: 'A "B"', uri: "sip:a@b;lr", parameters: ["tag", "1"] }],
  ['"<" <sip:a@b>', { display: "<", uri: "sip:a@b", parameters: [] }],
  ["A B <sip:a@b>", { display: "A B", uri: "sip:a@b", parameters: [] }],
  ["sip:a@b;tag=1", { display: "", uri: "sip:a@b", parameters: ["tag", "1"] }],
  ["sip:a@b ;tag=1", { display: "", uri: "sip:a@b", parameters: ["tag", "1"] }],
  [" sip:a@b", { display: "", uri: "sip:a@b", parameters: [] }],
])("%s is read", (text, parts) => {
  expect(parseNameAddr(text)).toEqual(parts);
});

test.each([
  "",
  "<>",
  "<sip:a@b",
  "<:a@b>",
  "<sip>",
  "<sip:a b>",
  "<sip:a\x1fb>",
  "<sip:a\x7fb>",
  "<sip:<b>",
  '<sip:a"b>',
  "sip:a>b",
  "<sip:a@b> x",
  "<sip:a@b>;=",
  '"A" sip:a@b',
  '"A <sip:a@b>',
  "A, B <sip:a@b>",
  "sip:a@b?x=y",
  "sip:a@b,sip:c@d",
  "sip:a@b;=",
])("%j is refused", (text) => {
  expect(parseNameAddr(text)).toBeUndefined();
});

test("values are split at commas outside of quotes and brackets", () => {
  expect(splitValues("a")).toEqual(["a"]);
  expect(splitValues("a , b,")).toEqual(["a", "b", ""]);
  expect(splitValues('"x","y",z')).toEqual(['"x"', '"y"', "z"]);
  expect(splitValues('"x, y" <sip:a,b>, <sip:c">, d')).toEqual(['"x, y" <sip:a,b>', '<sip:c">', "d"]);
});

test("a quoted string that never closes is refused, at the beginning or later", () => {
  expect(splitValues('"x, y')).toBeUndefined();
  expect(splitValues('x, "y')).toBeUndefined();
});

test("at most 65 values are split", () => {
  expect(splitValues(",".repeat(64))).toHaveLength(65);
  expect(splitValues(",".repeat(65))).toBeUndefined();
});
