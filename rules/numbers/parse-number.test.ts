import fc from "fast-check";
import { type CountryCode, getCountries, getExampleNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { describe, expect, it } from "vitest";
import { parseNumber } from "./parse-number.ts";

function accepted(input: string) {
  const parsed = parseNumber(input);
  if (!parsed.ok) throw new Error(parsed.refusal.reason);
  return parsed.value;
}

function reasonFor(input: string): string {
  const parsed = parseNumber(input);
  return parsed.ok ? `accepted as ${parsed.value.e164}` : parsed.refusal.reason;
}

describe("a number", () => {
  it.each([
    "+14155550123",
    "14155550123",
    " 14155550123",
    "+1 415 555 0123",
    "+1 (415) 555-0123",
    "+1.415.555.0123",
    "(+1) 415-555-0123",
  ])("may be written %j", (input) => {
    expect(reasonFor(input)).toBe("accepted as +14155550123");
  });

  it("is placed in its country and plan", () => {
    expect(accepted("+14155550123")).toEqual({
      e164: "+14155550123",
      callingCode: "1",
      country: "US",
      planType: "FIXED_LINE_OR_MOBILE",
    });
    expect(accepted("+442071838750")).toMatchObject({ callingCode: "44", country: "GB", planType: "FIXED_LINE" });
    expect(accepted("+881612345678")).toMatchObject({ callingCode: "881", country: undefined, planType: "MOBILE" });
  });

  it("loses a national prefix that does not belong there", () => {
    expect(accepted("+44 (0)20 7183 8750").e164).toBe("+442071838750");
  });

  it("is accepted, without a type, when it is possible but in no known range", () => {
    expect(accepted("+15551234567")).toMatchObject({ country: undefined, planType: undefined });
    expect(accepted("+972521234567")).toMatchObject({ country: "IL", planType: undefined });
  });

  it.each([
    ["", /empty/],
    ["+", /empty|do not belong/],
    ["()", /empty/],
    ["abc", /letters/],
    ["+1800FLOWERS", /letters/],
    ["+14155550123x5", /letters/],
    ["tel:+14155550123", /letters/],
    ["+1415５５５0123", /do not belong/],
    ["+1415555\u00000123", /do not belong/],
    ["+1+4155550123", /do not belong/],
    ["1415+5550123", /do not belong/],
    ["%2B14155550123", /letters|do not belong/],
    ["+14155550123;ext=5", /letters/],
    ["+1415555012\n3", /do not belong/],
    ["\ud800", /do not belong/],
    ["0014155550123", /starts with 0/],
    ["+999123456789", /no known country calling code/],
    ["+1", /too short/],
    ["+141555501", /too short/],
    ["+141555501234", /too long/],
    ["+1234567890123456", /16 digits/],
  ])("is refused in words when it is %j", (input, reason) => {
    expect(reasonFor(input)).toMatch(reason);
  });

  it("is refused at once when it is ten million digits long", () => {
    expect(reasonFor("1".repeat(10_000_000))).toMatch(/too long/);
  });

  it("never throws, whatever the text", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(..."+0123456789 ().-;xX\u0000\ud800é".split("")), maxLength: 45 }),
    );
    fc.assert(
      fc.property(text, (input) => {
        expect(typeof parseNumber(input).ok).toBe("boolean");
      }),
      { numRuns: 2000 },
    );
  });

  it("is classified exactly as by libphonenumber, in every country", () => {
    const country = fc.constantFrom(...getCountries());
    const edits = fc.array(fc.tuple(fc.nat(14), fc.constantFrom(..."0123456789")), { maxLength: 8 });
    const ending = fc.constantFrom("", "", "", "-", "5", "12");
    fc.assert(
      fc.property(country, edits, ending, (code, changes, end) => {
        const input = variantOf(code, changes, end);
        const phone = parsePhoneNumberFromString(input, { extract: false });
        const parsed = parseNumber(input);
        const isAcceptable = phone?.isPossible() === true && input.length <= 16;
        expect(parsed.ok, input).toBe(isAcceptable);
        if (!phone || !parsed.ok) return;
        expect(parsed.value).toEqual({
          e164: phone.number,
          callingCode: phone.countryCallingCode,
          country: phone.country,
          planType: phone.getType(),
        });
      }),
      { numRuns: 5000 },
    );
  });
});

/** A number near a country's example: some national digits changed, one cut off or some added. */
function variantOf(country: CountryCode, changes: readonly (readonly [number, string])[], end: string): string {
  const example = getExampleNumber(country, examples);
  if (!example) return "+1";
  const national = [...example.nationalNumber];
  for (const [at, digit] of changes) national[at % national.length] = digit;
  const digits = national.join("");
  return `+${example.countryCallingCode}${end === "-" ? digits.slice(0, -1) : digits + end}`;
}
