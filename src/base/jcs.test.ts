import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "./jcs.ts";

describe("the canonical text of JSON", () => {
  test("is that of RFC 8785, section 3.2.2", () => {
    const given = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    const wanted = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`;
    expect(canonicalJson(JSON.parse(given))).toBe(wanted);
  });

  test("sorts members as RFC 8785, section 3.2.3", () => {
    const given = String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`;
    expect(canonicalJson(JSON.parse(given))?.match(/"[^"]*"(?=[,}])/g)).toEqual([
      '"Carriage Return"',
      '"One"',
      '"Control"',
      '"Latin Small Letter O With Diaeresis"',
      '"Euro Sign"',
      '"Emoji: Grinning Face"',
      '"Hebrew Letter Dalet With Dagesh"',
    ]);
  });

  // RFC 8785, appendix B.
  test.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["41b3de4355555554", "333333333.33333325"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("writes the number with the bits %s as %s", (bits, text) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${bits}`));
    expect(canonicalJson(view.getFloat64(0))).toBe(text);
  });

  test.each<[string, unknown]>([
    ["a lone surrogate", "\ud800"],
    ["a lone surrogate in a name", { "\udc00": 1 }],
    ["a number that is not finite", [Number.POSITIVE_INFINITY]],
    ["no number", Number.NaN],
    ["what is not JSON", [() => {}]],
    ["a member without a value", { a: undefined }],
    ["endless nesting", JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`)],
  ])("does not exist of %s", (_, value) => {
    expect(canonicalJson(value)).toBeUndefined();
  });

  test("says the same value, and is the same for the same value in another order", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const json = JSON.parse(JSON.stringify(value));
        const text = canonicalJson(json);
        if (text === undefined) return;
        expect(JSON.parse(text)).toEqual(json);
        expect(canonicalJson(reversed(json))).toBe(text);
      }),
    );
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [name, reversed(member)]);
  return Object.fromEntries(members.reverse());
}
