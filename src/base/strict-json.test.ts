import fc from "fast-check";
import { expect, test } from "vitest";
import { parseStrictJson } from "./strict-json.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

test("any JSON value comes back as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      expect(parseStrictJson(bytesOf(text))).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test("any bytes give a value or a reason, never an exception", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const result = parseStrictJson(bytes);
      expect(result.ok || result.refusal.length > 0).toBe(true);
    }),
  );
});

test.each([
  ['{"a":1,"a":2}', 'The member "a" is given twice.'],
  ['[{"b":{"a":1,"\\u0061":2}}]', 'The member "a" is given twice.'],
  ["[".repeat(40) + "]".repeat(40), "The body is nested deeper than 32 levels."],
  ['{"a":', "The body is not valid JSON: it ends too early or is not JSON at all."],
])("%s is refused", (text, reason) => {
  expect(parseStrictJson(bytesOf(text))).toEqual({ ok: false, refusal: reason });
});

test("the same name in different objects, and as a value, is no repetition", () => {
  expect(parseStrictJson(bytesOf('{"a":{"a":["a","a"]},"b":{"a":"\\"a\\""}}')).ok).toBe(true);
});

test("bytes that are not UTF-8 are refused", () => {
  expect(parseStrictJson(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({
    ok: false,
    refusal: "The body is not valid UTF-8.",
  });
});
