// Numbers as a trunk writes them, from and to E.164.

import { parseNumber } from "../../../rules/numbers/parse-number.ts";
import { parseUri, unescaped } from "../../../rules/sip-uri.ts";
import { parameterOf } from "../../wire/sip/parameters.ts";
import type { TrunkSettings } from "./trunk-settings.ts";

type Numbers = TrunkSettings["numbers"];

const DIGITS_MAX = 15;

/** The number of a SIP or tel URI in E.164; undefined when it has none. */
export function numberOfUri(uri: string, numbers: Numbers): string | undefined {
  const written = writtenIn(uri);
  return written === undefined ? undefined : readNumber(written, numbers);
}

/**
 * The same for a caller, which need not be a number of any plan: an extension or a local number is none, although it
 * consists of digits.
 */
export function callerNumberOf(uri: string, numbers: Numbers): string | undefined {
  const written = writtenIn(uri);
  const number = written === undefined ? undefined : readNumber(written, numbers);
  if (written === undefined || number === undefined || written.startsWith("+")) return number;
  const planned = parseNumber(number);
  const { countryCode, internationalPrefix } = numbers;
  const isWhole = countryCode === "" || (internationalPrefix !== "" && written.startsWith(internationalPrefix));
  return planned.ok && (isWhole || planned.value.planType !== undefined) ? number : undefined;
}

/** What a SIP or tel URI dials, as it is written there. */
export function writtenIn(uri: string): string | undefined {
  const parsed = parseUri(uri);
  if (!parsed || parsed.scheme === "other") return undefined;
  if (parsed.scheme !== "tel") return dialledIn(parsed.user);
  const context = parameterOf(parsed.parameters, "phone-context") ?? "";
  // RFC 3966 5.1.5: the context of a local number is its prefix.
  const isLocal = !parsed.number.startsWith("+") && /^\+\d+$/.test(context);
  return isLocal ? `${context}${parsed.number}` : parsed.number;
}

/** What a user part dials: without password, without parameters such as `;npdi`, and without escapes. */
export function dialledIn(user: string): string {
  return unescaped(/^[^:;]*/.exec(user)?.[0] ?? "");
}

export function readNumber(text: string, numbers: Numbers): string | undefined {
  const written = text.replace(/[-.() ]/g, "");
  if (!/^\+?\d{1,20}$/.test(written)) return undefined;
  if (written.startsWith("+")) return e164(written.slice(1));
  const { countryCode, nationalPrefix, internationalPrefix } = numbers;
  if (internationalPrefix !== "" && written.startsWith(internationalPrefix)) {
    return e164(written.slice(internationalPrefix.length));
  }
  if (countryCode === "") return e164(written);
  if (nationalPrefix !== "" && written.startsWith(nationalPrefix)) {
    return e164(`${countryCode}${written.slice(nationalPrefix.length)}`);
  }
  // Without a national prefix (plans of ten digits), ten digits are national; more begin with the country code.
  const isWhole = written.startsWith(countryCode) && (nationalPrefix !== "" || written.length > 10);
  return e164(isWhole ? written : `${countryCode}${written}`);
}

function e164(digits: string): string | undefined {
  return digits.length >= 3 && digits.length <= DIGITS_MAX && !digits.startsWith("0") ? `+${digits}` : undefined;
}

/** A number as the trunk wants it; what is not E.164, such as an emergency number, is left as it is. */
export function writeNumber(number: string, form: Numbers["called"], numbers: Numbers): string {
  if (!/^\+\d+$/.test(number)) return number;
  const digits = number.slice(1);
  switch (form) {
    case "e164":
      return number;
    case "digits":
      return digits;
    case "prefixed":
      return `${numbers.internationalPrefix}${digits}`;
    case "national":
      return numbers.countryCode !== "" && digits.startsWith(numbers.countryCode)
        ? `${numbers.nationalPrefix}${digits.slice(numbers.countryCode.length)}`
        : `${numbers.internationalPrefix}${digits}`;
  }
}
