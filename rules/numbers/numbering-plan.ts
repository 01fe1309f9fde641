// The numbering plans of the table with their patterns compiled once: a number costs about 1 µs.
//
// Guarantees: `classifyByPlan` returns what libphonenumber would return (a property test compares the two), also for
// national prefixes that do not belong in an international number (+44 0 20…).

import { NUMBERING_PLANS } from "./numbering-plans.generated.ts";
import { type CountryPlan, PLAN_TYPES, type PlanType } from "./plan-table.ts";

export interface PlanClass {
  readonly callingCode: string;
  /** `undefined` for calling codes of no country, such as +881. */
  readonly country: string | undefined;
  /** `undefined`: a possible number in no known range. */
  readonly planType: PlanType | undefined;
}

/** A number and its class. */
export interface PlannedNumber {
  /** Without the plus, and without a national prefix. */
  readonly digits: string;
  readonly found: PlanClass;
}

interface Range {
  readonly planType: PlanType;
  readonly pattern: RegExp;
  readonly lengths: readonly number[];
}

interface Prefix {
  readonly pattern: RegExp;
  readonly transform: string | undefined;
}

interface Plan {
  readonly national: RegExp;
  readonly lengths: readonly number[];
  readonly leading: RegExp | undefined;
  readonly prefix: Prefix | undefined;
  readonly fixedLine: Range | undefined;
  /** If a country has no mobile ranges, the numbers of `fixedLine` may be fixed lines or mobile. */
  readonly mobile: Range | undefined;
  readonly others: readonly Range[];
  /** One frozen result per type, so that a lookup allocates nothing. */
  readonly classes: Readonly<Record<PlanType | "none", PlanClass>>;
}

interface CallingCodePlan {
  readonly countries: readonly Plan[];
  /** For a number that is in no range of any of several countries: the main country's patterns, without a country. */
  readonly shared: Plan;
}

const CODE_DIGITS_MAX = 3;

/** Compiled on first use; `null` for a code that is not assigned. Bounded: codes have up to three digits. */
const plans = new Map<string, CallingCodePlan | null>();

/** By country; a country has one calling code. */
const codes = new Map<string, string>();
for (const [code, countries] of Object.entries(NUMBERING_PLANS)) {
  for (const { country } of countries) if (country !== undefined) codes.set(country, code);
}

/** The calling code of a country (two letters); undefined when there is no such country. */
export function callingCodeOf(country: string): string | undefined {
  return codes.get(country);
}

/** Digits without the plus. */
export function classifyByPlan(digits: string): PlannedNumber | "impossible" | "unknown code" {
  for (let length = 1; length <= CODE_DIGITS_MAX; length++) {
    const plan = planOf(digits.slice(0, length));
    if (plan) return classifyWritten(plan, plan.shared, digits.slice(length));
  }
  return "unknown code";
}

/**
 * A number as it is written in the country: with or without the national prefix, or the whole number without its plus.
 * Undefined when it is not valid there.
 */
export function classifyAtHome(country: string, digits: string): PlannedNumber | undefined {
  const callingCode = codes.get(country);
  const plan = callingCode === undefined ? undefined : planOf(callingCode);
  if (callingCode === undefined || !plan) return undefined;
  const whole = digits.startsWith(callingCode)
    ? validIn(plan, plan.shared, digits.slice(callingCode.length))
    : undefined;
  if (whole) return whole;
  const home = plan.countries.find(({ classes }) => classes.none.country === country);
  return home && validIn(plan, home, digits);
}

function validIn(plan: CallingCodePlan, home: Plan, written: string): PlannedNumber | undefined {
  const read = classifyWritten(plan, home, written);
  return read !== "impossible" && read.found.planType !== undefined ? read : undefined;
}

/** Classifies a national number, which may have the national prefix of `home`. */
function classifyWritten(plan: CallingCodePlan, home: Plan, written: string): PlannedNumber | "impossible" {
  const national = home.prefix ? withoutPrefix(plan, home, home.prefix, written) : written;
  const found = classifyNational(plan, national);
  return found === "impossible" ? found : { digits: found.callingCode + national, found };
}

/** Same rule as libphonenumber: digits that belong to the number are not removed as a prefix. */
function withoutPrefix(plan: CallingCodePlan, home: Plan, { pattern, transform }: Prefix, written: string): string {
  const match = pattern.exec(written);
  // Argentina's pattern also matches the empty string.
  if (!match || match[0] === "") return written;
  const hasGroups = match.length > 1 && match.at(-1);
  const national =
    transform !== undefined && hasGroups ? written.replace(pattern, transform) : written.slice(match[0].length);
  if (home.national.test(written) && !home.national.test(national)) return written;
  const { lengths } = countryPlanOf(plan, national) ?? home;
  return lengths.includes(national.length) || national.length > (lengths.at(-1) ?? 0) ? national : written;
}

function classifyNational(plan: CallingCodePlan, national: string): PlanClass | "impossible" {
  const { countries } = plan;
  for (const country of countries) {
    const isSurelyHere = countries.length === 1 || country.leading?.test(national);
    if (!isSurelyHere && country.leading) continue;
    const planType = typeIn(country, national);
    if (planType || isSurelyHere) return classIn(country, planType, national);
  }
  return classIn(plan.shared, undefined, national);
}

/** Undefined when several countries share the calling code and none of them has the number. */
function countryPlanOf({ countries }: CallingCodePlan, national: string): Plan | undefined {
  if (countries.length === 1) return countries[0];
  return countries.find((country) =>
    country.leading ? country.leading.test(national) : typeIn(country, national) !== undefined,
  );
}

function classIn(plan: Plan, planType: PlanType | undefined, national: string): PlanClass | "impossible" {
  return plan.lengths.includes(national.length) ? plan.classes[planType ?? "none"] : "impossible";
}

function typeIn(plan: Plan, national: string): PlanType | undefined {
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
  if (!range?.lengths.includes(national.length)) return false;
  return range.pattern.test(national);
}

function planOf(code: string): CallingCodePlan | undefined {
  const known = plans.get(code);
  if (known !== undefined) return known ?? undefined;
  const countries = /^[1-9]\d{0,2}$/.test(code) ? NUMBERING_PLANS[code] : undefined;
  const plan = countries ? compile(code, countries) : null;
  plans.set(code, plan);
  return plan ?? undefined;
}

function compile(code: string, countries: readonly CountryPlan[]): CallingCodePlan {
  const [main] = countries as readonly [CountryPlan, ...CountryPlan[]];
  return {
    countries: countries.map((plan) => compileCountry(code, plan.country, plan)),
    shared: compileCountry(code, undefined, main),
  };
}

function compileCountry(callingCode: string, country: string | undefined, plan: CountryPlan): Plan {
  const classes = { none: Object.freeze({ callingCode, country, planType: undefined }) } as Record<
    PlanType | "none",
    PlanClass
  >;
  for (const planType of [...PLAN_TYPES, "FIXED_LINE_OR_MOBILE"] as const) {
    classes[planType] = Object.freeze({ callingCode, country, planType });
  }
  const ranges = PLAN_TYPES.flatMap((planType) => {
    const [pattern, ...lengths] = plan.ranges[planType] ?? [];
    if (pattern === undefined) return [];
    return [{ planType, pattern: entirely(pattern), lengths: lengths.length > 0 ? lengths : plan.lengths }];
  });
  const isFixedLine = ({ planType }: Range) => planType === "FIXED_LINE";
  return {
    national: entirely(plan.national),
    lengths: plan.lengths,
    leading: plan.leading === undefined ? undefined : new RegExp(`^(?:${plan.leading})`),
    prefix: plan.prefix === undefined ? undefined : compilePrefix(plan.prefix, plan.transform),
    fixedLine: ranges.find(isFixedLine),
    mobile: ranges.find(({ planType }) => planType === "MOBILE"),
    others: ranges.filter((range) => !isFixedLine(range)),
    classes,
  };
}

function compilePrefix(prefix: string, transform: string | undefined): Prefix {
  return { pattern: new RegExp(`^(?:${prefix})`), transform };
}

function entirely(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
