// Reads portability from a tel or SIP URI: RFC 4694 (rn, npdi, rn-context), RFC 4769 4 (spn).
//
// Guarantees: any text is read or refused, and a routing number is one of the asked number's own plan. The carrier
// identification code (cic) names a long-distance carrier, not the holder of the number, and is not read.

import { callingCodeIn } from "../../../rules/numbers/calling-code.ts";
import { type Parameters, parseUri, parseUriParameters } from "../../../rules/sip-uri.ts";
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

/** `notFound` when the URI is valid but has no portability data; `undefined` when it cannot be trusted. */
export function portabilityOf(
  { number, carriers }: PortabilityQuestion,
  { parameters }: Subscriber,
): LiveFinding | undefined {
  const rn = parameters.get("rn");
  const routingNumber = rn === undefined ? undefined : toRoutingNumber(number, rn, parameters.get("rn-context"));
  if (rn !== undefined && routingNumber === undefined) return undefined;

  const spn = parameters.get("spn");
  const carrierName = spn === undefined ? undefined : carriers?.get(spn);
  // RFC 4694 4: `npdi` without `rn` means that the database was queried and the number is not ported.
  if (routingNumber === undefined && carrierName === undefined && !parameters.has("npdi")) return { kind: "notFound" };
  return {
    kind: "found",
    ...(carrierName === undefined ? {} : { carrierName }),
    ...(routingNumber === undefined ? {} : { routingNumber }),
  };
}

/**
 * `tel:+1…;npdi;rn=…`, the same inside the user part of `sip:…@host` (RFC 4769 4.2), or as parameters of the SIP URI,
 * as some redirect servers write it; the user part takes precedence.
 */
export function readSubscriber(text: string): Subscriber | undefined {
  const uri = parseUri(text);
  // RFC 3966 3: no parameter is empty. SIP messages contain such errors; a database should not.
  if (!uri || uri.scheme === "other" || /;(?:[;@?]|$)/.test(text)) return undefined;
  if (uri.scheme === "tel") return subscriberOf(uri.number, uri.parameters, []);
  const [, number = "", fields = ""] = /^([^;]*)(.*)$/.exec(uri.user) ?? [];
  const own = parseUriParameters(fields);
  return number === "" || !own ? undefined : subscriberOf(number, own, uri.parameters);
}

function subscriberOf(number: string, own: Parameters, further: Parameters): Subscriber | undefined {
  const [before, after] = [decoded(further), decoded(own)];
  return before && after
    ? { number: number.replace(VISUAL_SEPARATORS, ""), parameters: new Map([...before, ...after]) }
    : undefined;
}

function decoded(parameters: Parameters): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  for (let at = 0; at < parameters.length; at += 2) {
    const name = parameters[at] as string;
    const value = decodePercent(parameters[at + 1] as string);
    // RFC 3966 3: a parameter must not appear twice; such a URI is refused.
    if (value === undefined || found.has(name)) return undefined;
    found.set(name, value);
  }
  return found;
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
  const code = callingCodeIn(asked);
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
