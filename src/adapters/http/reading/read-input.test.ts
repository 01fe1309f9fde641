import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { errorsOf, readInput, readWithFaults } from "./read-input.ts";

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

  test("all faults are reported, each under the documented name", () => {
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

  test("a value of another type is reported by what is expected, and only what is absent as required", () => {
    const expected = {
      name: ["Text is expected."],
      size: ["A number is expected."],
      shape: ["One of these is allowed: Round, Square."],
      isLoud: ["true or false is expected."],
      tags: ["A list is expected."],
    };
    expect(faultsOf({ name: 5, size: "5", shape: 5, isLoud: "true", tags: "x", inner: "x" })).toStrictEqual({
      ...expected,
      inner: ["An object is expected."],
    });
    expect(faultsOf({ name: null, size: null, shape: null, isLoud: null, tags: null })).toStrictEqual(expected);
    expect(faultsOf({ size: 1.5 })).toStrictEqual({
      name: ["This is required."],
      size: ["A whole number is expected."],
    });
  });

  test.each([[undefined], [null], [5], ["text"], [[]]])("%j is no order, and the fault is the whole body's", (raw) => {
    expect(Object.keys(faultsOf(raw))).toStrictEqual(["$"]);
  });

  test("a member named __proto__ is refused by name and changes nothing", () => {
    expect(Object.keys(faultsOf(JSON.parse('{"name":"ab","__proto__":{"size":1}}')))).toStrictEqual(["__proto__"]);
  });

  test("of very many unknown members a few are reported", () => {
    const raw = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown${index}`, 1]));
    expect(Object.keys(faultsOf({ name: "ab", ...raw }))).toHaveLength(20);
  });

  test("of very many faults a bounded number is reported", () => {
    const tags = Array.from({ length: 5000 }, () => 1);
    expect(Object.keys(faultsOf({ name: "ab", tags }))).toHaveLength(250);
  });

  test("of ever so many bad items, those beyond what is told are judged once and not put into words", () => {
    let judged = 0;
    const item = z.string().refine(() => ++judged < 0);
    const tags = Array.from({ length: 5000 }, () => "x");
    expect(readInput(z.strictObject({ tags: z.array(item) }), { tags }, "json")).toMatchObject({ ok: false });
    expect(judged).toBe(5250);
  });

  test("for a list that is too long only that is reported, and no more items are read than are allowed", () => {
    let judged = 0;
    const item = z.string().refine(() => ++judged < 0);
    const schema = z.strictObject({ tags: z.array(item).max(3) });
    const { value, faults } = readWithFaults(schema, { tags: Array.from({ length: 5000 }, () => "x") }, "json");
    expect(errorsOf(faults)).toStrictEqual({ tags: ["3 are allowed; these are 5000."] });
    expect(value.tags).toHaveLength(3);
    expect(judged).toBe(6);
  });

  test("the order of members does not matter, nor whether a default is written out", () => {
    const same = (raw: unknown) => JSON.stringify(readInput(order, raw, "json"));
    expect(same({ shape: "round", name: "ab" })).toBe(same({ name: "ab", SIZE: 10, shape: "Round" }));
    expect(same({ shape: "flat", name: "a" })).toBe(same({ name: "a", shape: "flat" }));
  });

  test("all that is wrong with one value is reported", () => {
    const schema = z.strictObject({ name: z.string().max(2, "Long.").regex(/^a/, "No a.") });
    expect(readInput(schema, { name: "bcd" }, "json")).toMatchObject({ refusal: { name: ["Long.", "No a."] } });
  });

  test("a long or broken name is cut before it is reported", () => {
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
    expect(readInput(order, { name: "ab", tags: ["[a,b]", "", "c"] }, "text")).toMatchObject({
      value: { tags: ["a", "b", "c"] },
    });
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
