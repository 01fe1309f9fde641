import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readInput } from "./read-input.ts";

const order = z.strictObject({
  name: z.string().min(2),
  size: z.int().min(1).default(10),
  shape: z.enum(["Round", "Square"]).optional(),
  isLoud: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  inner: z.strictObject({ deepName: z.string() }).nullable().optional(),
});

const faultsOf = (raw: unknown, form: "json" | "text" = "json") => {
  const read = readInput(order, raw, form);
  return read.ok ? {} : read.refusal;
};

describe("JSON", () => {
  test("names and enum values are read in any case and come out as documented", () => {
    const read = readInput(order, { NAME: "ab", Shape: "ROUND", inner: { DEEPNAME: "x" } }, "json");
    expect(read).toStrictEqual({
      ok: true,
      value: { name: "ab", size: 10, shape: "Round", inner: { deepName: "x" } },
    });
  });

  test("all faults are told, each under the documented name", () => {
    expect(faultsOf({ NAME: "a", size: 0, shape: "Flat", colour: 1, inner: { other: 1 } })).toStrictEqual({
      colour: [expect.stringContaining("not known here")],
      "inner.other": [expect.stringContaining("deepName")],
      name: [expect.stringMatching(/\.$/)],
      size: [expect.stringMatching(/\.$/)],
      shape: ["One of these is allowed: Round, Square."],
      "inner.deepName": ["This is required."],
    });
  });

  test("one member in two cases is given twice", () => {
    expect(faultsOf({ name: "ab", Name: "cd" })).toStrictEqual({ name: ["This is given more than once."] });
  });

  test("text is not taken for a number, nor a value for a list", () => {
    expect(Object.keys(faultsOf({ name: "ab", size: "5", isLoud: "true", tags: "x" }))).toStrictEqual([
      "size",
      "isLoud",
      "tags",
    ]);
  });

  test.each([[undefined], [null], [5], ["text"], [[]]])("%j is no order, and the fault is the whole body's", (raw) => {
    expect(Object.keys(faultsOf(raw))).toStrictEqual(["$"]);
  });

  test("a member named __proto__ is refused by name and changes nothing", () => {
    expect(Object.keys(faultsOf(JSON.parse('{"name":"ab","__proto__":{"size":1}}')))).toStrictEqual(["__proto__"]);
  });

  test("of ever so many unknown members a few are told", () => {
    const raw = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown${index}`, 1]));
    expect(Object.keys(faultsOf({ name: "ab", ...raw }))).toHaveLength(20);
  });

  test("of ever so many faults a bounded number is told", () => {
    const tags = Array.from({ length: 5000 }, () => 1);
    expect(Object.keys(faultsOf({ name: "ab", tags }))).toHaveLength(250);
  });

  test("a long or broken name is cut before it is told", () => {
    const [told] = Object.keys(faultsOf({ name: "ab", [`\ud800${"x".repeat(500)}`]: 1 }));
    expect(told).toBe(`\ufffd${"x".repeat(63)}`);
  });
});

describe("text", () => {
  test("becomes what the schema wants", () => {
    const read = readInput(order, { name: "ab", size: "7", isLoud: "TRUE", tags: "one" }, "text");
    expect(read).toStrictEqual({ ok: true, value: { name: "ab", size: 7, isLoud: true, tags: ["one"] } });
  });

  test("a field given twice is a list where one is wanted, a fault elsewhere", () => {
    expect(readInput(order, { name: "ab", tags: ["a", "b"] }, "text")).toMatchObject({ value: { tags: ["a", "b"] } });
    expect(faultsOf({ name: ["ab", "cd"] }, "text")).toStrictEqual({ name: ["This is given more than once."] });
  });

  test.each(["", " 5", "5 ", "0x5", "5e1", "5.0", "+5", "５", "9".repeat(16)])("%j is no whole number", (size) => {
    expect(Object.keys(faultsOf({ name: "ab", size }, "text"))).toStrictEqual(["size"]);
  });
});

test("whatever is sent is read or refused with a reason, never thrown at", () => {
  const anything = fc.oneof(fc.anything({ withNullPrototype: true }), fc.jsonValue());
  fc.assert(
    fc.property(anything, fc.constantFrom("json" as const, "text" as const), (raw, form) => {
      const read = readInput(order, raw, form);
      if (!read.ok) expect(Object.values(read.refusal).flat().length).toBeGreaterThan(0);
    }),
  );
});
