// Where a call may go: not to emergency services unless a trunk is named for them, not to premium ranges, and only to
// countries the account may call. Emergency numbers are recognised before anything else.

import { ok, type Result, refused } from "../../base/result.ts";
import { readCallDestination } from "../numbers/index.ts";
import type { DialTarget } from "./ports.ts";

/** Of the operator: what this service may dial. */
export interface DialRules {
  /** The trunk by which emergency calls go out. */
  readonly emergencyTrunk: string | undefined;
  /** Whether a host of a SIP URI is a trunk: its user parts are numbers then. */
  readonly isTrunkHost: (host: string) => boolean;
  readonly readNumber: (text: string) => Result<ReadNumber, { readonly reason: string }>;
}

/** A number as the numbering plans know it. */
export interface ReadNumber {
  readonly e164: string;
  /** Undefined where it belongs to no single country. */
  readonly country: string | undefined;
  readonly planType: string | undefined;
}

export interface DestinationFault {
  readonly code: "validation" | "emergency-number" | "premium-number" | "country-not-allowed";
  readonly reason: string;
}

export interface Destination {
  readonly target: DialTarget;
  /** As records show it. */
  readonly text: string;
  readonly isEmergency: boolean;
}

// ITU-T E.161.1 recommends 112 and 911; the others are what countries use besides.
const EMERGENCY = new Set(
  "000 061 08 100 101 102 103 104 105 106 108 110 111 112 113 114 115 117 118 119 120 122 123 128 131 132 133 140 144 150 155 158 166 190 191 192 193 194 195 197 198 199 911 933 988 995 997 998 999".split(
    " ",
  ),
);
const PREMIUM = "PREMIUM_RATE";
const SIP_PARTS = /^sip:([^@;?]*)[^@]*@(\[[^\]]*\]|[^:;?]*)/i;

/** Reads a destination; its country is judged apart, because that needs the account's numbers. */
export function readDestination(text: string, rules: DialRules): Result<Destination, DestinationFault> {
  const digits = emergencyDigits(text, rules);
  if (digits !== undefined) {
    if (rules.emergencyTrunk === undefined) {
      return refused({
        code: "emergency-number",
        reason: `${digits} is an emergency number, and this service cannot place emergency calls: use a telephone.`,
      });
    }
    return ok({ target: { kind: "number", number: digits }, text: digits, isEmergency: true });
  }
  const number = numberAtTrunk(text, rules);
  if (number !== undefined) return readDestination(number, rules);
  const read = readCallDestination(text, (given) => {
    const parsed = rules.readNumber(given);
    return parsed.ok ? ok(parsed.value.e164) : parsed;
  });
  if (!read.ok) return refused({ code: "validation", reason: read.refusal });
  const target: DialTarget = /^sip:/i.test(read.value)
    ? { kind: "sip", uri: read.value }
    : { kind: "number", number: read.value };
  if (target.kind === "number" && isPremium(target.number, rules)) {
    return refused({ code: "premium-number", reason: `${target.number} is a premium-rate number.` });
  }
  return ok({ target, text: read.value, isEmergency: false });
}

/** The country that must be allowed; undefined where none is asked. */
export function countryOf(
  { target, isEmergency }: Destination,
  rules: Pick<DialRules, "readNumber">,
): { readonly code: string | undefined } | undefined {
  if (isEmergency || target.kind === "sip") return undefined;
  return { code: countryOfNumber(target.number, rules) };
}

export function countryOfNumber(number: string, { readNumber }: Pick<DialRules, "readNumber">): string | undefined {
  const read = readNumber(number);
  return read.ok ? read.value.country : undefined;
}

export function judgeCountry(
  destination: Destination,
  allowed: readonly string[],
  rules: Pick<DialRules, "readNumber">,
): Result<Destination, DestinationFault> {
  const country = countryOf(destination, rules);
  if (!country || (country.code !== undefined && allowed.includes(country.code))) return ok(destination);
  return refused({
    code: "country-not-allowed",
    reason: `${destination.text} is in ${country.code ?? "no single country"}, which this account may not call.`,
  });
}

function emergencyDigits(text: string, rules: DialRules): string | undefined {
  const digits = (numberAtTrunk(text, rules) ?? text).replace(/[ ().-]/g, "").replace(/^\+/, "");
  return EMERGENCY.has(digits) ? digits : undefined;
}

/** The number that a SIP URI dials at a trunk: it goes the way of numbers. */
function numberAtTrunk(text: string, { isTrunkHost }: DialRules): string | undefined {
  const [, user, host = ""] = SIP_PARTS.exec(text) ?? [];
  if (user === undefined || !isTrunkHost(host)) return undefined;
  const plain = user.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /^\+?[\d().-]+$/.test(plain) ? plain : undefined;
}

function isPremium(number: string, { readNumber }: DialRules): boolean {
  const read = readNumber(number);
  return read.ok && read.value.planType === PREMIUM;
}
