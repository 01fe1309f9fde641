// The filter of a list as text, `status:4xx to:+1415* -kind:heartbeat since:2h "free words"`: it is kept in the URL, so
// that a link shows what its sender saw. Total: text that cannot be parsed is a bad term, shown underlined.

import { tableOf } from "./lookup-table.ts";

export interface FilterField {
  readonly name: string;
  /** Offered while typing. */
  readonly values?: readonly string[];
  readonly isValid?: (value: string) => boolean;
}

export interface FilterTerm {
  /** Undefined: free words. */
  readonly field: string | undefined;
  readonly value: string;
  readonly isNot: boolean;
  readonly isBad: boolean;
  /** As in the URL. */
  readonly text: string;
}

/** The name that is meant, in whatever case it was typed. */
const known = <Name extends string>(names: readonly Name[], value: string | undefined): Name | undefined =>
  names.find((name) => name.toLowerCase() === value?.toLowerCase());

export const oneOf = (name: string, values: readonly string[]): FilterField => ({
  name,
  values,
  isValid: (value) => known(values, value) !== undefined,
});

const isMoment = (value: string) => sinceOf(value, new Date()) !== undefined;

/** From when to when. */
export const TIME_FIELDS: readonly FilterField[] = [
  { name: "since", values: ["1h", "24h", "7d"], isValid: isMoment },
  { name: "until", values: ["1h", "24h", "7d"], isValid: isMoment },
];

/** The value of a field; of several terms, the first that is valid. */
export const termOf = (terms: readonly FilterTerm[], name: string): string | undefined =>
  terms.find(({ field, isBad }) => field === name && !isBad)?.value;

/** What is meant of these names. */
export const nameOf = <Name extends string>(terms: readonly FilterTerm[], field: string, names: readonly Name[]) =>
  known(names, termOf(terms, field));

interface CreatedWithin {
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

/** The moments of `since:` and `until:`, as a list's query has them. */
export function createdWithin(terms: readonly FilterTerm[]): CreatedWithin {
  const [since, until] = ["since", "until"].map((name) => sinceOf(termOf(terms, name) ?? "", new Date()));
  return {
    ...(since && { createdOnFrom: since.toISOString() }),
    ...(until && { createdOnTo: until.toISOString() }),
  };
}

const TERM = /-?[A-Za-z]+:"[^"]*"|-?"[^"]*"|\S+/g;
const FIELD = /^(-?)([A-Za-z]+):(.*)$/s;
const TERMS_MAX = 20;

export function parseFilter(text: string, fields: readonly FilterField[]): readonly FilterTerm[] {
  return (text.match(TERM) ?? []).slice(0, TERMS_MAX).map((term) => {
    const [, minus, name, value] = FIELD.exec(term) ?? [];
    const field = fields.find((known) => known.name === name?.toLowerCase());
    const isUrl = value?.startsWith("//") === true;
    if (name === undefined || value === undefined || isUrl) {
      return { field: undefined, value: bare(term), isNot: false, isBad: false, text: term };
    }
    const isBad = !field || bare(value) === "" || field.isValid?.(bare(value)) === false;
    return { field: field?.name ?? name, value: bare(value), isNot: minus === "-", isBad, text: term };
  });
}

const bare = (text: string): string => text.replaceAll('"', "").slice(0, 200);

export function withTerm(text: string, term: string): string {
  return [text.trim(), term.trim()].filter(Boolean).join(" ");
}

export function withoutTerm(text: string, term: FilterTerm): string {
  const terms: readonly string[] = text.match(TERM) ?? [];
  const at = terms.indexOf(term.text);
  return terms.filter((_, index) => index !== at).join(" ");
}

/** `+1415*` and `4xx` are patterns: `*` matches any characters, `x` among digits matches one digit. */
export function matchesPattern(value: string, pattern: string): boolean {
  const literal = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const isDigits = /^[\dx]+$/i.test(pattern);
  return new RegExp(`^${isDigits ? literal.replace(/x/gi, "\\d") : literal}$`, "i").test(value);
}

const SINCE = /^(\d{1,4})(s|m|min|h|d)$/;
const UNITS = tableOf({ s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 });

/** `2h`, `30m`, `14:22` of today, or a date: the moment, or undefined. */
export function sinceOf(value: string, now: Date): Date | undefined {
  const [, count, unit] = SINCE.exec(value) ?? [];
  if (count && unit) return new Date(now.getTime() - Number(count) * (UNITS.get(unit) ?? 0));
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(value) ?? [];
  if (hours && minutes) return new Date(new Date(now).setHours(Number(hours), Number(minutes), 0, 0));
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
