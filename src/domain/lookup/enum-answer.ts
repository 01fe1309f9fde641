// Reads portability from a number's NAPTR records: RFC 6116 (ENUM), RFC 4769 (the pstn service), RFC 4694 (rn, npdi).
//
// Guarantees: any records give a finding or a refusal, never an exception; a finding is only taken from records about
// the number that was asked for. Does not follow non-terminal rules. Called by the ENUM provider.

import { ok, type Result, refused } from "../../base/result.ts";
import { rewriteNumber } from "./enum-rewrite.ts";
import type { LiveFinding } from "./ports.ts";

export interface NaptrRecord {
  readonly flags: string;
  readonly service: string;
  readonly regexp: string;
  readonly order: number;
  readonly preference: number;
}

export interface EnumQuestion {
  /** E.164 with the leading plus. */
  readonly number: string;
  /** Carrier names by the `spn` of a name server; an unknown `spn` is ignored. */
  readonly carriers?: ReadonlyMap<string, string>;
}

/** `too-many-records`: more than any proper zone has for a number. `unreadable`: no pstn rule could be used. */
export type EnumRefusal = "too-many-records" | "unreadable";

const RECORDS_MAX = 100;
// RFC 3966 3: visual separators carry no meaning.
const VISUAL_SEPARATORS = /[-.()]/g;

// RFC 6116 3.2: digits in reverse order, a dot between them, then the apex.
export function enumName(number: string, suffix: string): string {
  const digits = number.replace(/\D/g, "");
  return [...digits]
    .reverse()
    .join(".")
    .concat(".", suffix.replace(/^\.+|\.+$/g, ""));
}

export function readNaptrs(question: EnumQuestion, records: readonly NaptrRecord[]): Result<LiveFinding, EnumRefusal> {
  if (records.length > RECORDS_MAX) return refused("too-many-records");
  const rules = records.filter(isPstnRule).sort(byOrder);
  let anyReadable = rules.length === 0;
  for (const rule of rules) {
    const uri = rewriteNumber(rule.regexp, question.number);
    const finding = uri === undefined ? undefined : readUri(question, uri);
    if (finding?.kind === "found") return ok(finding);
    if (finding) anyReadable = true;
  }
  return anyReadable ? ok({ kind: "notFound" }) : refused("unreadable");
}

function isPstnRule(record: NaptrRecord): boolean {
  if (record.flags.toLowerCase() !== "u") return false;
  // RFC 6116 3.4.3: "E2U" 1*("+" type 0*(":" subtype)), case does not matter.
  const [e2u, ...services] = record.service.toLowerCase().split("+");
  return e2u === "e2u" && services.some(isPstnService);
}

function isPstnService(service: string): boolean {
  const [type, ...subtypes] = service.split(":");
  if (type !== "pstn") return false;
  return subtypes.length === 0 || subtypes.includes("tel") || subtypes.includes("sip");
}

/** A name server returns rules of equal rank in any order; sorting them by text keeps the answer stable. */
function byOrder(a: NaptrRecord, b: NaptrRecord): number {
  return a.order - b.order || a.preference - b.preference || (a.regexp < b.regexp ? -1 : Number(a.regexp > b.regexp));
}

/** `notFound` when the URI is valid but says nothing on portability; `undefined` when it is not to be trusted. */
function readUri(question: EnumQuestion, uri: string): LiveFinding | undefined {
  const subscriber = readSubscriber(uri);
  if (subscriber?.number !== question.number) return undefined;
  const { parameters } = subscriber;
  const rn = parameters.get("rn");
  const routingNumber =
    rn === undefined ? undefined : toRoutingNumber(question.number, rn, parameters.get("rn-context"));
  if (rn !== undefined && routingNumber === undefined) return undefined;

  const spn = parameters.get("spn");
  const carrierName = spn === undefined ? undefined : question.carriers?.get(spn);
  // RFC 4694 4: `npdi` without `rn` says that the database was asked and the number is not ported.
  if (routingNumber === undefined && carrierName === undefined && !parameters.has("npdi")) return { kind: "notFound" };
  return {
    kind: "found",
    ...(carrierName === undefined ? {} : { carrierName }),
    ...(routingNumber === undefined ? {} : { routingNumber }),
  };
}

interface Subscriber {
  readonly number: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** `tel:+1…;npdi;rn=…`, or the same inside the user part of `sip:…@host` (RFC 4769 4.2). */
function readSubscriber(uri: string): Subscriber | undefined {
  const [, scheme, rest] = /^(tel|sips?):([\x21-\x7e]+)$/i.exec(uri) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const at = rest.indexOf("@");
  if ((scheme.toLowerCase() === "tel") !== (at === -1)) return undefined;
  const [subject = "", ...fields] = (at === -1 ? rest : rest.slice(0, at)).split(";");

  const parameters = new Map<string, string>();
  for (const field of fields) {
    const [, name, value = ""] = /^([^=]+)(?:=(.*))?$/.exec(field) ?? [];
    const plain = decodePercent(value);
    // RFC 3966 3: a parameter must not appear twice; such a URI is refused.
    if (name === undefined || plain === undefined || parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), plain);
  }
  return { number: subject.replace(VISUAL_SEPARATORS, ""), parameters };
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * A routing number in E.164 with the plus. One without a plus is completed by its context (RFC 4694 4:
 * `rn-context=+1`), or, where the asked number is in the North American plan, by that plan's calling code. A number is
 * only ever ported within its own plan, so a routing number of another calling code is refused.
 */
export function toRoutingNumber(asked: string, text: string, context?: string): string | undefined {
  const plain = text.replace(VISUAL_SEPARATORS, "");
  const code = callingCodeOf(asked);
  const isNorthAmerican = code === "1";
  const isRoutingNumber = (candidate: string): boolean =>
    isNorthAmerican
      ? /^\+1[2-9]\d{2}[2-9]\d{6}$/.test(candidate)
      : /^\+[1-9]\d{6,14}$/.test(candidate) && candidate.startsWith(`+${code}`);

  const prefix = context?.replace(VISUAL_SEPARATORS, "");
  if (prefix !== undefined && !/^\+\d{1,15}$/.test(prefix)) return undefined;
  const candidates = [plain];
  if (prefix !== undefined) candidates.push(prefix + plain);
  if (isNorthAmerican && (prefix === undefined || prefix === "+1")) candidates.push(`+1${plain}`, `+${plain}`);
  return candidates.find(isRoutingNumber);
}

// ITU-T E.164, list of assigned country codes: +1 and +7 have one digit, these two, all others three.
const CALLING_CODES_OF_TWO_DIGITS = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** The calling code of an E.164 number, without the plus. */
export function callingCodeOf(number: string): string {
  const digits = number.replace(/^\+/, "");
  if (/^[17]/.test(digits)) return digits.slice(0, 1);
  return digits.slice(0, CALLING_CODES_OF_TWO_DIGITS.test(digits) ? 2 : 3);
}
