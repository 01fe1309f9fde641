// What the table of numbering plans says of a country.

/** In the order in which a number's type is looked for; FIXED_LINE before all of them. */
export const PLAN_TYPES = [
  "FIXED_LINE",
  "MOBILE",
  "PREMIUM_RATE",
  "TOLL_FREE",
  "SHARED_COST",
  "VOIP",
  "PERSONAL_NUMBER",
  "PAGER",
  "UAN",
  "VOICEMAIL",
] as const;

/** FIXED_LINE_OR_MOBILE: of a range that holds both. */
export type PlanType = (typeof PLAN_TYPES)[number] | "FIXED_LINE_OR_MOBILE";

export interface CountryPlan {
  /** Two letters; missing where the calling code belongs to no country, such as +881. */
  readonly country?: string | undefined;
  /** A pattern that every national number matches, and some that are in no range. */
  readonly national: string;
  /** Of national numbers, ascending. */
  readonly lengths: readonly number[];
  /** What national numbers begin with, where that tells the country from others with its calling code. */
  readonly leading?: string | undefined;
  /** What people dial before a national number at home, with groups where `transform` says what becomes of them. */
  readonly prefix?: string | undefined;
  readonly transform?: string | undefined;
  /** The pattern of each type, and its lengths where they are not those of the plan. */
  readonly ranges: Readonly<Partial<Record<(typeof PLAN_TYPES)[number], readonly [string, ...number[]]>>>;
}
