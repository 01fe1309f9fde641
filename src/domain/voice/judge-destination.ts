// Where a call may go: not to emergency services unless a trunk is named for them, not to premium ranges, and only to
// countries the account may call. Emergency numbers are recognised before anything else.

import { readCallDestination, sipUriFault } from "../../../rules/call-destination.ts";
import { isLocalhost, parseAddress } from "../../../rules/ip-address.ts";
import { isSipUri, placeOf, readUri, type SipUri, unescaped } from "../../../rules/sip-uri.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { DestinationReader } from "../../base/script-xml.ts";
import type { DialTarget, JudgedTarget } from "./ports.ts";

/** The operator's rules on what this service may dial. */
export interface DialRules {
  /** The trunk for emergency calls. */
  readonly emergencyTrunk: string | undefined;
  /** Whether a place belongs to a trunk according to the settings: user parts of SIP URIs are numbers there. */
  readonly isTrunk: (place: SipPlace) => boolean;
  /** `country`: the account's, in which a number without a plus is read. */
  readonly readNumber: (text: string, country?: string | null) => Result<ReadNumber, { readonly reason: string }>;
}

/** Where a SIP URI leads. */
export interface SipPlace {
  /** A name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
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

// ITU-T E.161.1 recommends 112 and 911; the others are used by individual countries.
const EMERGENCY = new Set(
  "000 061 08 100 101 102 103 104 105 106 108 110 111 112 113 114 115 117 118 119 120 122 123 128 131 132 133 140 144 150 155 158 166 190 191 192 193 194 195 197 198 199 911 933 988 995 997 998 999".split(
    " ",
  ),
);
const PREMIUM = "PREMIUM_RATE";

/**
 * Reads a destination as an account of this country means it. Whether the account may call it is judged separately,
 * because that needs the account's numbers.
 */
export function readDestination(
  text: string,
  rules: DialRules,
  country: string | null,
): Result<Destination, DestinationFault> {
  const uri = isSipUri(text) ? readUri(text) : undefined;
  if (typeof uri === "object" && uri.scheme === "sip" && rules.isTrunk(placeOf(uri))) {
    const number = numberOfUser(uri.user);
    if (number !== undefined) return readDestination(number, rules, country);
    return refused({
      code: "validation",
      reason: `${uri.host} is a trunk of this service: only numbers are called there.`,
    });
  }
  const digits = text.replace(/[ ().-]/g, "").replace(/^\+/, "");
  if (EMERGENCY.has(digits)) {
    if (rules.emergencyTrunk === undefined) {
      return refused({
        code: "emergency-number",
        reason: `${digits} is an emergency number, and this service cannot place emergency calls: use a telephone.`,
      });
    }
    return ok({ target: { kind: "number", number: digits }, text: digits, isEmergency: true });
  }
  if (uri !== undefined) {
    const fault = sipUriFault(text, uri);
    if (fault !== undefined) return refused({ code: "validation", reason: fault });
    return ok({ target: { kind: "sip", uri: uri as SipUri }, text, isEmergency: false });
  }
  const read = readCallDestination(text, (given) => {
    const parsed = rules.readNumber(given, country);
    return parsed.ok ? ok(parsed.value.e164) : parsed;
  });
  if (!read.ok) return refused({ code: "validation", reason: read.refusal });
  const number = read.value;
  if (isPremium(number, rules)) {
    return refused({ code: "premium-number", reason: `${number} is a premium-rate number.` });
  }
  return ok({ target: { kind: "number", number }, text: number, isEmergency: false });
}

/** What is dialled for a destination that may be called: emergency numbers by their own trunk only. */
/** Reads what a script names; what the rules forbid is not a fault of the script: it is judged when it is dialled. */
export function scriptDestinationReader(rules: DialRules, country: string | null): DestinationReader {
  return (text) => scriptDestination(text, readDestination(text, rules, country));
}

export function scriptDestination(text: string, read: Result<Destination, DestinationFault>): Result<string, string> {
  if (read.ok) return ok(read.value.text);
  return read.refusal.code === "validation" ? refused(read.refusal.reason) : ok(text);
}

export function targetOf(
  { target, isEmergency }: Destination,
  { emergencyTrunk }: Pick<DialRules, "emergencyTrunk">,
): JudgedTarget {
  return { target, trunk: isEmergency ? emergencyTrunk : undefined };
}

/** Whether calls may go to this address. */
export type MayConnect = (address: string, family: 4 | 6, port: number) => boolean;

/** For a literal address or a name of loopback; any other host name is checked when it is called. */
export function hostFault(
  { mayConnect }: { readonly mayConnect: MayConnect },
  { target }: Destination,
): string | undefined {
  if (target.kind !== "sip") return undefined;
  const { host, port } = placeOf(target.uri);
  const literal = isLocalhost(host) ? "127.0.0.1" : host;
  const address = parseAddress(literal);
  if (!address || mayConnect(literal, address.family, port)) return undefined;
  return `The address ${host} is not public, and calls may not go there unless TANDEM_ALLOWED_NETWORKS names its network.`;
}

/** A number whose calls would go to itself. */
export function selfFault({ target }: Destination, number: string): string | undefined {
  const isItself = target.kind === "number" && target.number === number;
  return isItself ? `The calls of ${number} cannot go to ${number} itself.` : undefined;
}

/** The country that must be allowed; undefined where no country is checked. */
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

/** The number that a user part dials at a trunk: its parameters are left out, its escapes resolved. */
function numberOfUser(user: string): string | undefined {
  const plain = unescaped(/^[^;?]*/.exec(user)?.[0] ?? "");
  return /^\+?[\d ().-]+$/.test(plain) ? plain : undefined;
}

function isPremium(number: string, { readNumber }: DialRules): boolean {
  const read = readNumber(number);
  return read.ok && read.value.planType === PREMIUM;
}
