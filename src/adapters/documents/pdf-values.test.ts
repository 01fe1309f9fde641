import { describe, expect, test } from "vitest";
import { PdfReader, PdfRef, type PdfValue } from "./pdf-values.ts";
import { BYTES_PER_SLICE, TooMuchWork, WorkBudget } from "./work-budget.ts";

const PLENTY = { parts: 1000, bytes: 10_000_000 };

const readerOf = (text: string, limits = PLENTY) =>
  new PdfReader(Buffer.from(text, "latin1"), 0, new WorkBudget(limits));

describe("a value is read", () => {
  test.each<[string, PdfValue]>([
    ["7", 7],
    ["-.5", -0.5],
    ["12abc", 12],
    ["7 0 R", new PdfRef(7)],
    ["7 0 Rx", 7],
    ["/Name#20x/y", "/Name#20x"],
    ["true", null],
    ["(text)", null],
    ["<ab cd>", null],
    ["", null],
    [" %a comment\r\n\t%another\n /Name", "/Name"],
    ["[1 2 0 R(]\\))[]<5d>/Name]", [1, new PdfRef(2), null, [], null, "/Name"]],
    [
      "<</A 1/B<</C[2]>> 3 /D>>",
      new Map<string, PdfValue>([
        ["/A", 1],
        ["/B", new Map([["/C", [2]]])],
      ]),
    ],
  ])("%j", async (text, value) => {
    expect(await readerOf(text).value()).toEqual(value);
  });

  test.each([
    ["a text", "(", "a (b\\)) ", ")"],
    ["a hex text", "<", "ab cd ", ">"],
    ["a comment", "%", "(/<<[ ", "\n 1"],
    ["a name", "/", "abcdef", ""],
    ["a word", "a", "bcdef", ""],
    ["white space", "", " \n\t\r\f\0", "1"],
  ])("%s ends where it should, however long", async (_, start, middle, end) => {
    for (const length of [1, 100, 4 * BYTES_PER_SLICE]) {
      const text = start + middle.repeat(length / middle.length) + end;
      const reader = readerOf(`${text} /Next`);
      await reader.value();
      expect(reader.at).toBe(text.length);
      expect(await reader.value()).toBe("/Next");
    }
  });
});

describe("the budget", () => {
  test.each(["(", "<", "/", "%", "a", " ", "[(", "<</A(", "[%"])(
    "pays for each byte after %j, each time it is looked at",
    async (start) => {
      const bytes = Buffer.from(start.padEnd(10_000, start.trim() === "" ? " " : "x"), "latin1");
      const budget = new WorkBudget({ parts: 1000, bytes: 35_000 });
      for (let time = 0; time < 3; time++) await new PdfReader(bytes, 0, budget).value();
      await expect(new PdfReader(bytes, 0, budget).value()).rejects.toThrow(TooMuchWork);
    },
  );

  test("pays for each value, also within others", async () => {
    await expect(readerOf("[1 [2 /A]]", { ...PLENTY, parts: 5 }).value()).resolves.toBeDefined();
    await expect(readerOf("[1 [2 /A]]", { ...PLENTY, parts: 4 }).value()).rejects.toThrow(TooMuchWork);
  });
});
