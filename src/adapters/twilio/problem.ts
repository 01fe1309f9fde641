// Refusals in the shape that Twilio's clients read: an error number, a sentence, and a link to Twilio's page about it.
// The HTTP status stays ours.

import { type FieldErrors, PROBLEM_TITLES, type Problem, type ProblemCode } from "../../domain/problems.ts";
import { twilioErrorCode } from "./names.ts";

/** Twilio's general error for a parameter that cannot be used. */
const BAD_PARAMETER = 20001;

const CODES: Readonly<Partial<Record<ProblemCode, number>>> = {
  unauthorized: 20003,
  "method-not-allowed": 20004,
  "account-suspended": 20005,
  "feature-off": 20403,
  "not-found": 20404,
  conflict: 20409,
  "too-many-webhooks": 20409,
  // Of Twilio: the call is not in progress and cannot be redirected.
  "call-not-in-progress": 21220,
  "rate-limited": 20429,
  internal: 20500,
  unavailable: 20503,
  "country-not-allowed": 21215,
  "emergency-number": 21216,
  "premium-number": 21216,
};

/** For parameters that cannot be used, the first match counts. */
const PARAMETER_CODES: readonly (readonly [string, number])[] = [
  ["To", 21211],
  // Of a call; the sender of a message has a code of ours.
  ["From", 21210],
  ["Url", 21205],
  ["FallbackUrl", 21205],
  ["Twiml", 12100],
];

/** The refusal with Twilio's parameter names. `names`: ours → Twilio's. */
export function inTheirWords(refusal: Problem, names: ReadonlyMap<string, string>): Problem {
  if (!refusal.errors) return refusal;
  const errors: FieldErrors = Object.fromEntries(
    Object.entries(refusal.errors).map(([path, messages]) => [
      path.replace(/^\w+/, (field) => names.get(field) ?? field),
      messages,
    ]),
  );
  return { ...refusal, errors };
}

export function showTwilioProblem(problem: Problem, status: number): object {
  const code = codeOf(problem);
  return {
    code,
    message: messageOf(problem),
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  };
}

function codeOf({ code, errorCode, errors = {} }: Problem): number {
  if (errorCode !== undefined) return twilioErrorCode(errorCode) ?? BAD_PARAMETER;
  const known = CODES[code];
  if (known !== undefined) return known;
  return PARAMETER_CODES.find(([name]) => name in errors)?.[1] ?? BAD_PARAMETER;
}

function messageOf({ code, detail, errors = {} }: Problem): string {
  const told = Object.entries(errors).map(([field, messages]) => `${field}: ${messages.join(" ")}`);
  return told.length > 0 ? told.join(" ") : (detail ?? PROBLEM_TITLES[code]);
}
