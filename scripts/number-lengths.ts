// sdk/src/number-lengths.generated.ts: how many digits the numbers of each calling code may have, from libphonenumber,
// so that the SDK, which has no dependencies, refuses to dial what the server would not take for a number.

import { Metadata, type NumberType } from "libphonenumber-js/max";

const DIGITS_MAX = 15;
/** No country is told from its neighbours by more digits than these. */
const LEADING_DIGITS_MAX = 5;

const HEADER = `// How many digits numbers may have, by the digits that they begin with: npm run generate. Not written by hand.

/** Bit n is set where n digits are possible, the calling code included. The longest beginning counts. */
`;

/** Members that the library's JavaScript has and its typings leave out. */
interface Range {
  possibleLengths(): readonly number[] | undefined;
  pattern(): string;
}
interface Plan {
  possibleLengths(): readonly number[] | undefined;
  leadingDigits(): string | undefined;
  type(type: NumberType): Range | undefined;
}
interface Plans {
  hasCallingCode(code: string): boolean | undefined;
  getCountryCodesForCallingCode(code: string): readonly string[] | undefined;
  selectNumberingPlan(countryOrCallingCode: string): void;
  readonly numberingPlan: Plan;
}

const TYPES: readonly NumberType[] = [
  ...(["FIXED_LINE", "MOBILE", "PREMIUM_RATE", "TOLL_FREE", "SHARED_COST"] as const),
  ...(["VOIP", "PERSONAL_NUMBER", "PAGER", "UAN", "VOICEMAIL"] as const),
];

const plans = new Metadata() as unknown as Plans;

function planOf(countryOrCallingCode: string): Plan {
  plans.selectNumberingPlan(countryOrCallingCode);
  return plans.numberingPlan;
}

function lengthsOf(code: string, plan: Plan | Range): number {
  const digits = (plan.possibleLengths() ?? []).map((length) => code.length + length);
  return digits.filter((length) => length <= DIGITS_MAX).reduce((bits, length) => bits | (1 << length), 0);
}

/** The shortest beginnings that the pattern of leading digits accepts. */
function beginningsOf(pattern: string, start = ""): readonly string[] {
  if (new RegExp(`^(?:${pattern})$`).test(start)) return [start];
  if (start.length === LEADING_DIGITS_MAX) return [];
  return [..."0123456789"].flatMap((digit) => beginningsOf(pattern, start + digit));
}

function entriesOf(code: string): readonly (readonly [string, number])[] {
  const lengths = lengthsOf(code, planOf(code));
  const exceptions = (plans.getCountryCodesForCallingCode(code) ?? []).flatMap((country) => {
    const plan = planOf(country);
    const [own, leading] = [lengthsOf(code, plan), plan.leadingDigits()];
    if (own === lengths) return [];
    if (!leading) return rangesBeyond(code, lengths, plan);
    return beginningsOf(leading).map((beginning) => [code + beginning, own] as const);
  });
  return [[code, lengths], ...exceptions];
}

/** Of a country that no leading digits tell apart, the ranges with lengths that others do not have: +1 310 1234. */
function rangesBeyond(code: string, lengths: number, plan: Plan): readonly (readonly [string, number])[] {
  const ranges = TYPES.flatMap((type) => plan.type(type) ?? []);
  const longerOrShorter = ranges.filter((range) => (lengthsOf(code, range) & ~lengths) !== 0);
  return longerOrShorter.flatMap((range) => {
    const leading = range.pattern().replace(/\\d\{\d+\}$/, "");
    return beginningsOf(leading).map((beginning) => [code + beginning, lengths | lengthsOf(code, range)] as const);
  });
}

export function numberLengths(): string {
  const codes = Array.from({ length: 999 }, (_, at) => String(at + 1)).filter((code) => plans.hasCallingCode(code));
  const lines = codes.flatMap(entriesOf).map(([beginning, lengths]) => `  ${beginning}: ${lengths},\n`);
  return `${HEADER}export const NUMBER_LENGTHS: Readonly<Record<string, number>> = {\n${lines.join("")}};\n`;
}
