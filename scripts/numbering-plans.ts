// Generates rules/numbers/numbering-plans.generated.ts: the world's numbering plans from libphonenumber, without
// formats, so that server, SDK and portal read numbers by the same table and rules/ imports nothing.

import { type CountryCode, Metadata } from "libphonenumber-js/max";
import { type CountryPlan, PLAN_TYPES } from "../rules/numbers/plan-table.ts";

const HEADER = `// Numbering plans by calling code, from libphonenumber (Apache-2.0): npm run generate. Not written by hand.

import type { CountryPlan } from "./plan-table.ts";

`;

/** Members that exist in the library's JavaScript but not in its typings. */
interface RawRange {
  pattern(): string | undefined;
  possibleLengths(): readonly number[] | undefined;
}
interface RawPlan {
  nationalNumberPattern(): string;
  possibleLengths(): readonly number[] | undefined;
  nationalPrefixForParsing(): string | undefined;
  nationalPrefixTransformRule(): string | undefined;
  leadingDigits(): string | undefined;
  type(type: string): RawRange | undefined;
}
interface RawMetadata {
  hasCallingCode(code: string): boolean | undefined;
  getCountryCodesForCallingCode(code: string): readonly CountryCode[] | undefined;
  selectNumberingPlan(countryOrCallingCode: string): void;
  readonly numberingPlan: RawPlan;
}

const metadata = new Metadata() as unknown as RawMetadata;

function planOf(code: string, country: CountryCode | undefined): CountryPlan {
  metadata.selectNumberingPlan(country ?? code);
  const plan = metadata.numberingPlan;
  const lengths = plan.possibleLengths() ?? [];
  const ranges = PLAN_TYPES.flatMap((type) => {
    const range = plan.type(type);
    const pattern = range?.pattern();
    if (!range || !pattern) return [];
    const own = range.possibleLengths() ?? lengths;
    // Most ranges have the same lengths as the whole plan.
    return [[type, own.join() === lengths.join() ? [pattern] : [pattern, ...own]]];
  });
  return {
    country,
    national: plan.nationalNumberPattern(),
    lengths,
    leading: plan.leadingDigits() || undefined,
    prefix: plan.nationalPrefixForParsing() || undefined,
    transform: plan.nationalPrefixTransformRule() || undefined,
    ranges: Object.fromEntries(ranges) as CountryPlan["ranges"],
  };
}

export function numberingPlans(): string {
  const codes = Array.from({ length: 999 }, (_, at) => String(at + 1)).filter((code) => metadata.hasCallingCode(code));
  const lines = codes.map((code) => {
    const countries = metadata.getCountryCodesForCallingCode(code) ?? [undefined];
    return `  ${code}: ${JSON.stringify(countries.map((country) => planOf(code, country)))},\n`;
  });
  return `${HEADER}export const NUMBERING_PLANS: Readonly<Record<string, readonly CountryPlan[]>> = {\n${lines.join("")}};\n`;
}
