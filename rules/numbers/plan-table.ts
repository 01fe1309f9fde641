// The shape of a country's entry in the table of numbering plans.

/** In the order in which a number's type is searched; FIXED_LINE comes first. */
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

/** FIXED_LINE_OR_MOBILE: a range with both. */
export type PlanType = (typeof PLAN_TYPES)[number] | "FIXED_LINE_OR_MOBILE";

export interface CountryPlan {
  /** Two letters; missing where the calling code belongs to no country, such as +881. */
  readonly country?: string | undefined;
  /** Matches every national number, and some numbers that are in no range. */
  readonly national: string;
  /** The lengths of national numbers, ascending. */
  readonly lengths: readonly number[];
  /** Matches the first digits of national numbers, where they identify the country within its calling code. */
  readonly leading?: string | undefined;
  /** The national prefix as a pattern. Its groups are inserted into `transform`. */
  readonly prefix?: string | undefined;
  readonly transform?: string | undefined;
  /** The pattern of each type, and its lengths where they differ from the plan's. */
  readonly ranges: Readonly<Partial<Record<(typeof PLAN_TYPES)[number], readonly [string, ...number[]]>>>;
}
