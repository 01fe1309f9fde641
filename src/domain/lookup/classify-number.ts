// Parses what a person or program wrote into an E.164 number and classifies it by the world's numbering plans.
//
// Guarantees: any string gives a value or a readable refusal, at a bounded cost. A number is accepted when it is
// "possible" (shape and length); whether it is valid only shows in `planType`.

import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import { ok, type Result, refused } from "../../base/result.ts";
import { classifyByPlan, hasCallingCode, type PlanType } from "./numbering-plan.ts";

export interface ParsedNumber {
  /** With the leading plus. */
  readonly e164: string;
  /** Without the plus. */
  readonly callingCode: string;
  /** `undefined` where the number belongs to no single country, e.g. +881 or an unknown +1 area code. */
  readonly country: CountryCode | undefined;
  /** `undefined`: a possible number, but in no range that its plan knows. */
  readonly planType: PlanType | undefined;
}

export interface NumberRefusal {
  readonly reason: string;
}

const INPUT_LENGTH_MAX = 40;
const DIGITS_MAX = 15;
const EXAMPLE = "such as +15551234567";

export function parseNumber(input: string): Result<ParsedNumber, NumberRefusal> {
  const digits = digitsOf(input);
  if (!digits.ok) return digits;
  const plan = classifyByPlan(digits.value);
  if (plan === "unsure") return parseThoroughly(digits.value);
  if (plan === "impossible") return refused({ reason: impossible(digits.value) });
  const { callingCode, country, planType } = plan;
  return ok({ e164: `+${digits.value}`, callingCode, country, planType });
}

/** Of a country by its two letters; undefined when there is no such country. */
export function callingCodeOf(country: string): string | undefined {
  return isSupportedCountry(country) ? getCountryCallingCode(country) : undefined;
}

/** Asks the library, which is slower and understands national prefixes (+44 0 20…). */
function parseThoroughly(digits: string): Result<ParsedNumber, NumberRefusal> {
  if (digits.startsWith("0")) {
    return refused({ reason: `The number starts with 0; begin with the country calling code, ${EXAMPLE}.` });
  }
  if (!hasCallingCode(digits)) {
    return refused({ reason: `The number +${digits} begins with no known country calling code.` });
  }
  const phone = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  if (!phone?.isPossible()) return refused({ reason: impossible(digits) });
  return ok({
    e164: phone.number,
    callingCode: phone.countryCallingCode,
    country: phone.country,
    planType: phone.getType(),
  });
}

function impossible(digits: string): string {
  return `The number +${digits} is too short or too long for its country calling code.`;
}

/** Removes an optional plus and the usual visual separators. */
function digitsOf(input: string): Result<string, NumberRefusal> {
  if (input.length > INPUT_LENGTH_MAX) {
    return refused({ reason: `The number is too long: ${INPUT_LENGTH_MAX} characters at most, ${EXAMPLE}.` });
  }
  const digits = PLAIN.test(input) ? input.slice(input.startsWith("+") ? 1 : 0) : withoutSeparators(input);
  if (digits === undefined) {
    const culprit = /[\p{L}]/u.test(input) ? "letters" : "characters that do not belong in a number";
    return refused({ reason: `The number contains ${culprit}; give a plus and digits, ${EXAMPLE}.` });
  }
  if (digits === "") return refused({ reason: `The number is empty; give a plus and digits, ${EXAMPLE}.` });
  if (digits.length > DIGITS_MAX) {
    return refused({ reason: `The number has ${digits.length} digits; ${DIGITS_MAX} is the most a number can have.` });
  }
  return ok(digits);
}

const PLAIN = /^\+?[0-9]+$/;
const SEPARATED = /^[ ().-]*\+?[0-9 ().-]*$/;

function withoutSeparators(input: string): string | undefined {
  return SEPARATED.test(input) ? input.replace(/[^0-9]/g, "") : undefined;
}
