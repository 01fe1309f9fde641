// Reads portability from a tel or SIP URI: RFC 4694 (rn, npdi, rn-context), RFC 4769 4 (spn).
//
// Guarantees: any text is read or refused, and a routing number is one of the asked number's own plan. The carrier
// identification code (cic) names a long-distance carrier, not the holder of the number, and is not read.

import type { LiveFinding } from "./ports.ts";

export interface PortabilityQuestion {
  /** E.164 with the leading plus. */
  readonly number: string;
  /** Carrier names by the `spn` of an answer; an unknown `spn` is ignored. */
  readonly carriers?: ReadonlyMap<string, string>;
}

export interface Subscriber {
  /** Without visual separators, and without a plus where none was written. */
  readonly number: string;
  readonly parameters: ReadonlyMap<string, string>;
}

// RFC 3966 3: visual separators carry no meaning.
const VISUAL_SEPARATORS = /[-.()]/g;

/** `notFound` when the URI is valid but says nothing on portability; `undefined` when it is not to be trusted. */
export function portabilityOf(
  { number, carriers }: PortabilityQuestion,
  { parameters }: Subscriber,
): LiveFinding | undefined {
  const rn = parameters.get("rn");
  const routingNumber = rn === undefined ? undefined : toRoutingNumber(number, rn, parameters.get("rn-context"));
  if (rn !== undefined && routingNumber === undefined) return undefined;

  const spn = parameters.get("spn");
  const carrierName = spn === undefined ? undefined : carriers?.get(spn);
  // RFC 4694 4: `npdi` without `rn` says that the database was asked and the number is not ported.
  if (routingNumber === undefined && carrierName === undefined && !parameters.has("npdi")) return { kind: "notFound" };
  return {
    kind: "found",
    ...(carrierName === undefined ? {} : { carrierName }),
    ...(routingNumber === undefined ? {} : { routingNumber }),
  };
}

/**
 * `tel:+1…;npdi;rn=…`, the same inside the user part of `sip:…@host` (RFC 4769 4.2), or as parameters of the SIP URI,
 * as some redirect servers write it; what the user part says counts first.
 */
export function readSubscriber(uri: string): Subscriber | undefined {
  const [, scheme, rest] = /^(tel|sips?):([\x21-\x7e]{1,4096})$/i.exec(uri) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const at = rest.indexOf("@");
  if ((scheme.toLowerCase() === "tel") !== (at === -1)) return undefined;
  const [subject = "", ...fields] = (at === -1 ? rest : rest.slice(0, at)).split(";");
  const [place = ""] = at === -1 ? [] : rest.slice(at + 1).split("?");
  const own = readParameters(fields);
  const further = readParameters(place.split(";").slice(1));
  if (!own || !further) return undefined;
  return { number: subject.replace(VISUAL_SEPARATORS, ""), parameters: new Map([...further, ...own]) };
}

function readParameters(fields: readonly string[]): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const field of fields) {
    const [, name, value = ""] = /^([^=]+)(?:=(.*))?$/.exec(field) ?? [];
    const plain = decodePercent(value);
    // RFC 3966 3: a parameter must not appear twice; such a URI is refused.
    if (name === undefined || plain === undefined || parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), plain);
  }
  return parameters;
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
