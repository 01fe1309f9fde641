// What is known of a number beyond the four fields of a lookup: where it belongs, how it is written, whether it was
// ported, and how reliable the answer is. Pure: derived from the answer and from tables.

import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { ParsedNumber } from "../../../rules/numbers/parse-number.ts";
import type { PlanType } from "../../../rules/numbers/plan-table.ts";
import { mobileNetworkOf } from "./mobile-networks.ts";
import type { LookupAnswer, LookupSource, NumberInfo } from "./number-info.ts";
import type { Places } from "./ports.ts";

/** High: set by the operator, our own number, or a live answer of the last day. Low: old table data, or none. */
export const CONFIDENCES = ["High", "Medium", "Low"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export interface NumberDetails extends NumberInfo {
  /** Two letters; null where the number belongs to no single country. */
  readonly country: string | null;
  /** Without the plus. */
  readonly callingCode: string;
  readonly nationalFormat: string;
  readonly internationalFormat: string;
  /** The area in which the number was given out, not where its holder is. */
  readonly location: string | null;
  readonly mobileCountryCode: string | null;
  readonly mobileNetworkCode: string | null;
  /** Null: not known. */
  readonly ported: boolean | null;
  readonly source: LookupSource;
  readonly asOf: Date;
  readonly ageSeconds: number;
  readonly confidence: Confidence;
}

const DAY_MS = 24 * 3600 * 1000;
const TABLE_FRESH_MS = 2 * 365 * DAY_MS;

/** Numbers of other kinds belong to no area. */
const PLACED_TYPES: readonly (PlanType | undefined)[] = ["FIXED_LINE", "FIXED_LINE_OR_MOBILE", "MOBILE"];

export function describeNumber(places: Places, number: ParsedNumber, answer: LookupAnswer, now: Date): NumberDetails {
  const { info, source, asOf, ported } = answer;
  const ageMs = Math.max(0, now.getTime() - asOf.getTime());
  const written = parsePhoneNumberFromString(number.e164, { extract: false });
  const network = info.type === "Wireless" ? mobileNetworkOf(number.country, info.carrierName) : undefined;
  return {
    ...info,
    country: number.country ?? null,
    callingCode: number.callingCode,
    nationalFormat: written?.formatNational() ?? number.e164,
    internationalFormat: written?.formatInternational() ?? number.e164,
    location: PLACED_TYPES.includes(number.planType) ? (places.placeOf(number.e164) ?? null) : null,
    mobileCountryCode: network?.mcc ?? null,
    mobileNetworkCode: network?.mnc ?? null,
    ported: ported ?? null,
    source,
    asOf,
    ageSeconds: Math.floor(ageMs / 1000),
    confidence: confidenceOf(answer, ageMs),
  };
}

/** The table knows who was assigned a block, not who serves the number today: it never gives more than Medium. */
function confidenceOf({ source, info }: LookupAnswer, ageMs: number): Confidence {
  if (source === "override" || source === "own") return "High";
  if (source === "table") return info.type !== "Unknown" && ageMs < TABLE_FRESH_MS ? "Medium" : "Low";
  return ageMs < DAY_MS ? "High" : "Medium";
}
