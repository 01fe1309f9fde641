// The numbering plans of libphonenumber with their patterns compiled once. The library compiles them again for every
// number (about 20 µs, 50 for a +1 number in no range); here a number costs about 1 µs.
//
// Guarantees: what `classifyByPlan` answers is what the library would answer (a property test compares the two).
// It answers "unsure" where the number may contain a national prefix (+44 0 20…): then the library is asked.

import { type CountryCode, Metadata, type NumberType } from "libphonenumber-js/max";

export type PlanType = NonNullable<NumberType>;

export interface PlanClass {
  readonly callingCode: string;
  /** `undefined` for calling codes of no country, such as +881. */
  readonly country: CountryCode | undefined;
  /** `undefined`: a possible number in no known range. */
  readonly planType: PlanType | undefined;
}

interface Range {
  readonly planType: PlanType;
  readonly pattern: RegExp;
  readonly lengths: readonly number[] | undefined;
}

interface CountryPlan {
  readonly country: CountryCode | undefined;
  readonly national: RegExp;
  readonly lengths: readonly number[];
  readonly leadingDigits: RegExp | undefined;
  readonly fixedLine: Range | undefined;
  /** Without mobile ranges, the numbers of `fixedLine` may be fixed lines or mobile. */
  readonly mobile: Range | undefined;
  readonly others: readonly Range[];
  /** One frozen answer per type, so that a lookup allocates nothing. */
  readonly classes: Readonly<Record<PlanType | "none", PlanClass>>;
}

interface CallingCodePlan {
  readonly nationalPrefix: RegExp | undefined;
  readonly countries: readonly CountryPlan[];
  /** For a number in the ranges of none of several countries: has the main country's lengths and no country. */
  readonly shared: CountryPlan;
}

// The library's order of asking, after FIXED_LINE.
const OTHER_TYPES = [
  "MOBILE",
  "PREMIUM_RATE",
  "TOLL_FREE",
  "SHARED_COST",
  "VOIP",
  "PERSONAL_NUMBER",
  "PAGER",
  "UAN",
  "VOICEMAIL",
] as const satisfies readonly PlanType[];

/** Compiled on first use; `null` for a code that is not assigned. Bounded: codes have up to three digits. */
const plans = new Map<string, CallingCodePlan | null>();

/** Digits without the plus. */
export function classifyByPlan(digits: string): PlanClass | "impossible" | "unsure" {
  for (let length = 1; length <= 3; length++) {
    const plan = planOf(digits.slice(0, length));
    if (plan) return classifyNational(plan, digits.slice(length));
  }
  return "unsure";
}

export function hasCallingCode(digits: string): boolean {
  return [1, 2, 3].some((length) => planOf(digits.slice(0, length)) !== undefined);
}

function classifyNational(plan: CallingCodePlan, national: string): PlanClass | "impossible" | "unsure" {
  // Argentina's prefix pattern also matches the empty string; only a match with digits matters.
  const prefix = plan.nationalPrefix?.exec(national);
  if (prefix && prefix[0] !== "") return "unsure";
  for (const country of plan.countries) {
    const isSurelyHere = plan.countries.length === 1 || country.leadingDigits?.test(national);
    if (!isSurelyHere && country.leadingDigits) continue;
    const planType = typeIn(country, national);
    if (planType || isSurelyHere) return classIn(country, planType, national);
  }
  return classIn(plan.shared, undefined, national);
}

function classIn(plan: CountryPlan, planType: PlanType | undefined, national: string): PlanClass | "impossible" {
  return plan.lengths.includes(national.length) ? plan.classes[planType ?? "none"] : "impossible";
}

function typeIn(plan: CountryPlan, national: string): PlanType | undefined {
  if (!plan.national.test(national)) return undefined;
  if (isIn(plan.fixedLine, national)) {
    return !plan.mobile || isIn(plan.mobile, national) ? "FIXED_LINE_OR_MOBILE" : "FIXED_LINE";
  }
  for (const range of plan.others) {
    if (isIn(range, national)) return range.planType;
  }
  return undefined;
}

function isIn(range: Range | undefined, national: string): boolean {
  if (!range || (range.lengths && !range.lengths.includes(national.length))) return false;
  return range.pattern.test(national);
}

// What follows reads the library's plans through members that its JavaScript has and its typings leave out.

interface RawType {
  pattern(): string;
  possibleLengths(): readonly number[] | undefined;
}

interface RawPlan {
  nationalNumberPattern(): string;
  possibleLengths(): readonly number[] | undefined;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(type: PlanType): RawType | undefined;
}

interface RawMetadata {
  hasCallingCode(code: string): boolean | undefined;
  getCountryCodesForCallingCode(code: string): readonly CountryCode[] | undefined;
  selectNumberingPlan(countryOrCallingCode: string): void;
  readonly numberingPlan: RawPlan;
}

const metadata = new Metadata() as unknown as RawMetadata;

function planOf(code: string): CallingCodePlan | undefined {
  const known = plans.get(code);
  if (known !== undefined) return known ?? undefined;
  const isKnown = /^[1-9]\d{0,2}$/.test(code) && metadata.hasCallingCode(code);
  const plan = isKnown ? compileCallingCode(code) : null;
  plans.set(code, plan);
  return plan ?? undefined;
}

function compileCallingCode(code: string): CallingCodePlan {
  const prefix = rawPlan(code).nationalPrefixForParsing();
  const countries = metadata.getCountryCodesForCallingCode(code);
  return {
    nationalPrefix: prefix ? new RegExp(`^(?:${prefix})`) : undefined,
    countries: (countries ?? [undefined]).map((country) => compileCountry(code, country)),
    shared: compileCountry(code, undefined),
  };
}

function compileCountry(callingCode: string, country: CountryCode | undefined): CountryPlan {
  const plan = rawPlan(country ?? callingCode);
  const leadingDigits = plan.leadingDigits();
  const classes = { none: Object.freeze({ callingCode, country, planType: undefined }) } as Record<
    PlanType | "none",
    PlanClass
  >;
  for (const planType of ["FIXED_LINE", "FIXED_LINE_OR_MOBILE", ...OTHER_TYPES] as const) {
    classes[planType] = Object.freeze({ callingCode, country, planType });
  }
  return {
    country,
    national: entirely(plan.nationalNumberPattern()),
    lengths: plan.possibleLengths() ?? [],
    leadingDigits: leadingDigits ? new RegExp(`^(?:${leadingDigits})`) : undefined,
    fixedLine: compileRange(plan, "FIXED_LINE"),
    mobile: compileRange(plan, "MOBILE"),
    others: OTHER_TYPES.map((type) => compileRange(plan, type)).filter((range) => range !== undefined),
    classes,
  };
}

function compileRange(plan: RawPlan, planType: PlanType): Range | undefined {
  const range = plan.type(planType);
  const pattern = range?.pattern();
  if (!range || !pattern) return undefined;
  return { planType, pattern: entirely(pattern), lengths: range.possibleLengths() ?? undefined };
}

function rawPlan(countryOrCallingCode: string): RawPlan {
  metadata.selectNumberingPlan(countryOrCallingCode);
  return metadata.numberingPlan;
}

function entirely(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
