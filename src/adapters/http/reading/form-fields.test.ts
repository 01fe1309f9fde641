import fc from "fast-check";
import { expect, test } from "vitest";
import { parseForm } from "./form-fields.ts";

const read = (text: string) => {
  const parsed = parseForm(Buffer.from(text));
  return parsed.ok ? parsed.value.fields : parsed.refusal;
};

test("a form is read as browsers write it", () => {
  expect({ ...(read("From=%2B14155550100&Text=Hi+there%21+%E2%82%AC&empty=&bare") as object) }).toEqual({
    From: "+14155550100",
    Text: "Hi there! €",
    empty: "",
    bare: "",
  });
});

test("a field that is given several times is a list", () => {
  expect(read("a=1&b=2&a=3")).toMatchObject({ a: ["1", "3"], b: "2" });
});

test("members that every object has are fields like any other", () => {
  const fields = read("__proto__=x&constructor=y") as Record<string, unknown>;
  expect(Object.entries(fields)).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
});

test("a percent sign that says nothing is refused with its place", () => {
  expect(read("Text=100%")).toContain("character 9");
  expect(read("Text=%zz")).toContain("character 6");
});

test("what is not UTF-8 is refused, written as bytes or as percent signs", () => {
  expect(read("Text=%E9t%E9")).toBe("The form is not UTF-8.");
  expect(read("%FF=1")).toBe("The form is not UTF-8.");
  // Half of a surrogate pair is not UTF-8 either.
  expect(read("Text=%ED%A0%BD")).toBe("The form is not UTF-8.");
  expect(parseForm(Buffer.from([0x54, 0x3d, 0xe9]))).toEqual({ ok: false, refusal: "The form is not UTF-8." });
});

test("200 fields are read and no more", () => {
  const form = (count: number) => Array.from({ length: count }, (_, at) => `f${at % 7}=${at}`).join("&");
  expect(Object.keys(read(form(200)))).toHaveLength(7);
  expect(read(form(201))).toBe("A form may have 200 fields.");
  expect(read(form(50_000))).toBe("A form may have 200 fields.");
});

test("any bytes are read or refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const parsed = parseForm(bytes);
      if (!parsed.ok) expect(parsed.refusal).toMatch(/\S/);
    }),
  );
});

test("what is written as a form is read as it was", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(fc.dictionary(text, text, { maxKeys: 20 }), (given) => {
      const parsed = parseForm(Buffer.from(new URLSearchParams(given).toString()));
      expect(parsed.ok && Object.fromEntries(Object.entries(parsed.value.fields))).toEqual(
        Object.fromEntries(Object.entries(given)),
      );
    }),
  );
});
