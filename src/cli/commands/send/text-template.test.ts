import { describe, expect, test } from "vitest";
import { UsageError } from "../../exit-codes.ts";
import { parseTemplate, textColumn } from "./text-template.ts";

const NAMES = ["Name", "phone", "due date"];
const ROW = ["Ann {phone}", "+14155550100", "2 May"];

describe("a text with columns in it", () => {
  test.each([
    ["Hello {name}!", "Hello Ann {phone}!"],
    ["{DUE DATE}: {3}, { name }", "2 May: 2 May, Ann {phone}"],
    ["{{name}} {{{name}}}", "{name} {Ann {phone}}"],
    ["no columns", "no columns"],
    ["", ""],
  ])("%s becomes %s", (text, expected) => {
    expect(parseTemplate(text, NAMES)(ROW)).toBe(expected);
  });

  test("a cell that a short row lacks is empty", () => {
    expect(parseTemplate("{name} on {3}", NAMES)(["Ann"])).toBe("Ann on ");
  });

  test("without a header columns are known by position", () => {
    expect(parseTemplate("{2}", ["", ""])(["a", "b"])).toBe("b");
    expect(() => parseTemplate("{name}", ["", ""])).toThrow(UsageError);
  });

  test.each([
    ["Hello {nam}", "There is no column nam; the columns are: Name, phone, due date."],
    ["Hello {4}", "There is no column 4"],
    ["Hello {name", "write {column}, or {{ for the character"],
    ["Hello name}", "write {column}, or }} for the character"],
    ["{}", "There is no column"],
  ])("of %s the fault is reported", (text, message) => {
    expect(() => parseTemplate(text, NAMES)).toThrow(UsageError);
    expect(() => parseTemplate(text, NAMES)).toThrow(message);
  });
});

describe("a column of texts", () => {
  test("is the wanted one, or the one that is called so", () => {
    expect(textColumn("note", ["text", "Note"])(["a", "b {name}"])).toBe("b {name}");
    expect(textColumn(undefined, ["phone", " Message "])(["a", "b"])).toBe("b");
    expect(textColumn("2", ["", ""])(["a"])).toBe("");
  });

  test("is asked for when there is none", () => {
    expect(() => textColumn(undefined, NAMES)).toThrow("give --text");
  });
});
