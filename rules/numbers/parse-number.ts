// Parses what a person or program wrote into an E.164 number and classifies it by the world's numbering plans. One rule
// for bodies, forms, TwiML, CSV and list filters, in server, SDK, CLI and portal:
//
//   with a plus       E.164
//   without           a national number of the country, if it is valid there; otherwise E.164 digits
//
// Digits that begin with the country's own calling code and are valid with it are E.164. Without a country all digits
// are E.164, as they are in the path of a URL.
//
// Guarantees: any string gives a value or a readable refusal, at a bounded cost. A number is accepted when it is
// "possible" (shape and length); whether it is valid only shows in `planType`.

import type { Reading } from "../reading.ts";
import { classifyAtHome, classifyByPlan } from "./numbering-plan.ts";
import type { PlanType } from "./plan-table.ts";

export interface ParsedNumber {
  /** With the leading plus. */
  readonly e164: string;
  /** Without the plus. */
  readonly callingCode: string;
  /** `undefined` where the number belongs to no single country, e.g. +881 or an unknown +1 area code. */
  readonly country: string | undefined;
  /** `undefined`: a possible number, but in no range that its plan knows. */
  readonly planType: PlanType | undefined;
}

export type ReadNumber = Reading<ParsedNumber>;

const INPUT_LENGTH_MAX = 40;
const DIGITS_MAX = 15;
const EXAMPLE = "such as +15551234567";

/** `country`: the two letters of the account's country, in which a number without a plus is read first. */
export function parseNumber(input: string, country?: string | null): ReadNumber {
  const digits = digitsOf(input);
  if (typeof digits !== "string") return digits;
  const isAtHome = country !== undefined && country !== null && !input.includes("+");
  const planned = (isAtHome && classifyAtHome(country, digits)) || classifyByPlan(digits);
  if (typeof planned === "string") return unread(reasonOf(planned, digits, isAtHome ? country : undefined));
  const { callingCode, country: found, planType } = planned.found;
  return { ok: true, value: { e164: `+${planned.digits}`, callingCode, country: found, planType } };
}

function reasonOf(fault: "impossible" | "unknown code", digits: string, country: string | undefined): string {
  if (digits.startsWith("0")) {
    return `The number starts with 0; begin with the country calling code, ${EXAMPLE}.`;
  }
  const reason =
    fault === "impossible"
      ? `The number +${digits} is too short or too long for its country calling code.`
      : `The number +${digits} begins with no known country calling code.`;
  return country === undefined ? reason : `${reason} Nor is ${digits} a number of ${country}.`;
}

function unread(reason: string): { readonly ok: false; readonly refusal: { readonly reason: string } } {
  return { ok: false, refusal: { reason } };
}

/** Removes an optional plus and the usual visual separators. */
function digitsOf(input: string): string | ReturnType<typeof unread> {
  if (input.length > INPUT_LENGTH_MAX) {
    return unread(`The number is too long: ${INPUT_LENGTH_MAX} characters at most, ${EXAMPLE}.`);
  }
  const digits = PLAIN.test(input) ? input.slice(input.startsWith("+") ? 1 : 0) : withoutSeparators(input);
  if (digits === undefined) {
    const culprit = /[\p{L}]/u.test(input) ? "letters" : "characters that do not belong in a number";
    return unread(`The number contains ${culprit}; give a plus and digits, ${EXAMPLE}.`);
  }
  if (digits === "") return unread(`The number is empty; give a plus and digits, ${EXAMPLE}.`);
  if (digits.length > DIGITS_MAX) {
    return unread(`The number has ${digits.length} digits; ${DIGITS_MAX} is the most a number can have.`);
  }
  return digits;
}

const PLAIN = /^\+?[0-9]+$/;
const SEPARATED = /^[ ().-]*\+?[0-9 ().-]*$/;

function withoutSeparators(input: string): string | undefined {
  return SEPARATED.test(input) ? input.replace(/[^0-9]/g, "") : undefined;
}
