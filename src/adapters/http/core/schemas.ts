// Schemas that several operations share. `meta({ id })` gives a schema its name in the OpenAPI documents.

import { z } from "zod";
import type { Page, PageRequest } from "../../../base/page.ts";
import { REFUSALS } from "../../../domain/messaging/index.ts";

/** Lengths are counted in code points, as JSON Schema does. */
export function codePoints(min: number, max: number, says?: (count: number) => string): z.core.$ZodCheck<string> {
  const check = z.check<string>(({ value, issues }) => {
    if (value.length >= min && value.length <= max) return;
    const count = countCodePoints(value);
    const bound = {
      origin: "string",
      input: value,
      inclusive: true,
      ...(says ? { message: says(count) } : {}),
    } as const;
    if (count < min) issues.push({ code: "too_small", minimum: min, ...bound });
    if (count > max) issues.push({ code: "too_big", maximum: max, ...bound });
  });
  check._zod.onattach.push((schema) =>
    Object.assign(schema._zod.bag, { ...(min > 0 ? { minimum: min } : {}), maximum: max }),
  );
  return check;
}

function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/** Text that is checked further before it is stored. */
export function anyText(lengthMax: number, lengthMin = 0): z.ZodString {
  return z.string().check(codePoints(lengthMin, lengthMax));
}

const STORABLE = /^[^\p{Cc}\p{Cs}]*$/u;
const sayUnstorable = ({ input }: { readonly input?: unknown }) =>
  String(input).isWellFormed() ? "Control characters are not allowed." : "This is not well-formed Unicode.";

/** Text that can be stored and shown: no control characters, no half of a surrogate pair. */
export function text(lengthMax: number, lengthMin = 1): z.ZodString {
  return anyText(lengthMax, lengthMin).regex(STORABLE, { error: sayUnstorable });
}

const WORDS = {
  any: /^(?=[\s\S]*\S)[^\p{Cc}\p{Cs}]*$/u,
  ascii: /^(?=.*\S)[\x20-\x7e]*$/,
};

/** The same, with at least one visible character; surrounding blanks are removed. */
export function words(lengthMax: number, characters: keyof typeof WORDS = "any"): z.ZodString {
  const error = (issue: { readonly input?: unknown }) => {
    const given = String(issue.input);
    if (!STORABLE.test(given)) return sayUnstorable(issue);
    return given.trim() === "" ? "This is empty." : "Only ASCII characters are allowed.";
  };
  return anyText(lengthMax).regex(WORDS[characters], { error }).trim();
}

/**
 * A time with its offset. Letters may be lower-case, the seconds and the colon of the offset may be missing, and blanks
 * around it are allowed.
 */
export function moment(says: string): z.ZodString {
  return z
    .string()
    .overwrite(strictMoment)
    .check(z.iso.datetime({ offset: true, error: says }));
}

const DAY_OR_MOMENT = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** The same, or a day. */
export function dayOrMoment(says: string): z.ZodString {
  return z
    .string()
    .overwrite(strictMoment)
    .refine((value) => DAY_OR_MOMENT.safeParse(value).success, says)
    .meta({
      anyOf: [
        { type: "string", format: "date" },
        { type: "string", format: "date-time" },
      ],
    });
}

function strictMoment(given: string): string {
  const [, day, time, seconds = ":00", sign = "", hours = "", minutes = ""] = LOOSE_MOMENT.exec(given) ?? [];
  return day === undefined ? given : `${day}T${time}${seconds}${sign === "" ? "Z" : `${sign}${hours}:${minutes}`}`;
}

const LOOSE_MOMENT = /^\s*(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(?:Z|([+-])(\d{2}):?(\d{2}))\s*$/i;

/** The text of a message, including line breaks: refuses only what the database cannot store. */
export const PLAIN_TEXT = /^[^\0\p{Cs}]*$/u;

/** The same rule, several times as fast as its pattern. */
export function plainText(says: (value: string) => string): z.core.$ZodCheck<string> {
  const check = z.check<string>(({ value, issues }) => {
    if (value.isWellFormed() && !value.includes("\0")) return;
    issues.push({ code: "invalid_format", format: "regex", input: value, message: says(value), continue: true });
  });
  check._zod.onattach.push((schema) => Object.assign(schema._zod.bag, { patterns: new Set([PLAIN_TEXT]) }));
  return check;
}

export const timestamp = z.iso.datetime({ precision: 3 }).describe("ISO 8601, UTC, with milliseconds.");

const ERROR_CODES = REFUSALS.map(({ code, problem }) => `${code}: ${problem}`)
  .join(", ")
  .concat(".");

export const problemSchema = z
  .looseObject({
    type: z.string().describe("A URI that names the kind of problem."),
    title: z.string(),
    status: z.int32(),
    detail: z.string().nullable(),
    instance: z.string().nullable(),
    code: z.string().describe("Stable, in kebab case: what programs should look at."),
    traceId: z.string().describe("W3C trace context, to be given to support."),
    errorCode: z.int().optional().describe(`Only of a message that is refused. ${ERROR_CODES}`),
    errorMessage: z.string().optional().describe("What `errorCode` means."),
  })
  .meta({ id: "Problem" });

export const validationProblemSchema = z
  .looseObject({
    ...problemSchema.shape,
    errors: z
      .record(z.string(), z.array(z.string()))
      .describe("Field name to messages; `$` is the request as a whole."),
  })
  .meta({ id: "ValidationProblem" });

/** For a refused message: always with its code. */
export const messageProblemSchema = z
  .looseObject({
    ...validationProblemSchema.shape,
    errorCode: z.int().describe(`When several apply, the first in this order. ${ERROR_CODES}`),
    errorMessage: z.string().describe("What `errorCode` means."),
  })
  .meta({ id: "MessageProblem" });

/** Shows the members that the schema names, in their order, and no others. */
export function shownBy<Shape extends z.ZodRawShape>({ shape }: { readonly shape: Shape }) {
  const names = Object.keys(shape) as (keyof Shape)[];
  return (value: { readonly [Name in keyof Shape]: unknown }): object => {
    const shown: Record<PropertyKey, unknown> = {};
    for (const name of names) shown[name] = value[name];
    return shown;
  };
}

/** What `writtenBy` writes; a member is never left out. */
type Written = string | number | boolean | null | Date | readonly string[];

/** For speed alone (`bench -- messages` would notice): what `shownBy` shows, as JSON. */
export function writtenBy<Shape extends z.ZodRawShape>({ shape }: { readonly shape: Shape }) {
  const names = Object.keys(shape) as (keyof Shape)[];
  const before = Object.keys(shape).map((name, place) => `${place === 0 ? "" : ","}${JSON.stringify(name)}:`);
  return (value: { readonly [Name in keyof Shape]: Written }): string => {
    let text = "{";
    for (let place = 0; place < names.length; place++)
      text += (before[place] as string) + jsonOf(value[names[place] as keyof Shape]);
    return `${text}}`;
  };
}

/** What JSON escapes in a string, and some that it does not. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

function jsonOf(value: Written): string {
  if (value === null) return "null";
  if (typeof value === "string" && !ESCAPED.test(value)) return `"${value}"`;
  return value instanceof Date ? `"${value.toISOString()}"` : JSON.stringify(value);
}

export const sidParams = z.strictObject({ sid: text(64) });

export const dateOf = (value: string | undefined) => (value === undefined ? undefined : new Date(value));

/** The parameters of every list, and the filters of this one. */
export function listQuery<Shape extends z.ZodRawShape>(filters: Shape) {
  return z.strictObject({
    PageSize: z.int().min(1).max(1000).default(50),
    SearchId: anyText(512)
      .refine((value) => readCursor(value) !== undefined, "This is not a searchId that a list has answered.")
      .meta({ format: "search-id" })
      .optional()
      .describe("The `searchId` of the page before."),
    OrderByDirection: z.enum(["Ascending", "Descending"]).default("Descending"),
    ...filters,
  });
}

export function listOf<Item extends z.ZodType>(name: string, item: Item) {
  return z
    .strictObject({
      items: z.array(item),
      searchId: z.string().optional().describe("Ask for the next page with it; absent on the last."),
    })
    .meta({ id: name });
}

export interface ListQuery {
  readonly PageSize: number;
  readonly SearchId?: string | undefined;
  readonly OrderByDirection: "Ascending" | "Descending";
}

export function pageRequestOf(query: ListQuery): PageRequest {
  const after = query.SearchId === undefined ? undefined : readCursor(query.SearchId);
  return { size: query.PageSize, direction: query.OrderByDirection, after };
}

export function listBody<Item, Shown>(page: Page<Item>, show: (item: Item) => Shown): object {
  const items = page.items.map(show);
  return page.next === undefined ? { items } : { items, searchId: searchIdOf(page.next) };
}

export function searchIdOf(next: string): string {
  return Buffer.from(`k ${next}`).toString("base64url");
}

function readCursor(searchId: string): string | undefined {
  const text = Buffer.from(searchId, "base64url").toString("utf8");
  return /^k [\x20-\x7e]{1,200}$/.test(text) ? text.slice(2) : undefined;
}
