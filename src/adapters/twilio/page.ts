// Lists in Twilio's shape: pages that name the next one, and filters by day or moment.
//
// One list at Twilio may consist of two lists here. Sids begin with the time they were made, so both are read from one
// position and merged, newest first.

import { z } from "zod";
import type { Page, PageRequest } from "../../base/page.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Account } from "../../domain/accounts/index.ts";
import { invalid, type Problem } from "../../domain/problems.ts";
import { anyText, dayOrMoment } from "../http/core/schemas.ts";
import { API_VERSION } from "./operation.ts";

const PAGE_SIZE_MAX = 1000;

export const PAGE_QUERY = {
  PageSize: z.int().min(1).default(50),
  Page: z.int().min(0).default(0),
  PageToken: anyText(512).optional(),
};

export interface PageQuery {
  readonly PageSize: number;
  readonly Page: number;
  readonly PageToken?: string | undefined;
}

/** Newest first. A token names the position after which a page begins, `PA`, or before which it ends, `PB`. */
export function twilioPageRequest({ PageSize, PageToken }: PageQuery): Result<PageRequest, Problem> {
  const size = Math.min(PageSize, PAGE_SIZE_MAX);
  if (PageToken === undefined) return ok({ size, direction: "Descending" });
  const [, side, text = ""] = /^P([AB])([\w-]+)$/.exec(PageToken) ?? [];
  const after = Buffer.from(text, "base64url").toString("utf8");
  if (!/^[\x21-\x7e]{1,200}$/.test(after))
    return refused(invalid({ PageToken: ["This is no token that a page has named."] }));
  return ok({ size, direction: side === "B" ? "Ascending" : "Descending", after });
}

const tokenOf = (side: "A" | "B", place: string) => `P${side}${Buffer.from(place).toString("base64url")}`;

/** The page with the tokens of its neighbours. */
function placed<Item>({ items, first, next }: Page<Item>, { PageToken }: PageQuery) {
  const isBack = PageToken?.startsWith("PB") === true;
  // A page that was read backwards ends with its newest item.
  const [newest, oldest] = isBack ? [next, first] : [PageToken === undefined ? undefined : first, next];
  return {
    items: isBack ? items.toReversed() : items,
    previous: newest === undefined ? undefined : tokenOf("B", newest),
    next: oldest === undefined ? undefined : tokenOf("A", oldest),
  };
}

/** `noun` is the list's name in the answer, `path` its path below the account. */
export function pageBody<Item>(
  account: Account,
  { noun, path }: { readonly noun: string; readonly path: string },
  query: PageQuery & Readonly<Record<string, unknown>>,
  page: Page<Item>,
  show: (item: Item) => object | undefined,
): object {
  const { Page: number, PageToken: _, PageSize, ...filters } = query;
  const size = Math.min(PageSize, PAGE_SIZE_MAX);
  const uriOf = (more: Readonly<Record<string, unknown>>) => {
    const given = Object.entries({ ...filters, PageSize: size, ...more }).filter(([, value]) => value !== undefined);
    const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
    return `/${API_VERSION}/Accounts/${account.sid}${path}?${parameters}`;
  };
  const { items: found, previous, next } = placed(page, query);
  const items = found.flatMap((item) => show(item) ?? []);
  return {
    [noun]: items,
    first_page_uri: uriOf({ Page: 0 }),
    next_page_uri: next === undefined ? null : uriOf({ Page: number + 1, PageToken: next }),
    previous_page_uri: previous === undefined ? null : uriOf({ Page: Math.max(0, number - 1), PageToken: previous }),
    page: number,
    page_size: size,
    start: number * size,
    end: number * size + Math.max(0, items.length - 1),
    uri: uriOf({ Page: number }),
  };
}

/** A page of items that are all here, in any order: a page is in that of their sids. */
export function pageOf<Item extends { readonly sid: string }>(
  all: readonly Item[],
  { size, after, direction }: PageRequest,
): Page<Item> {
  const isNewestFirst = direction === "Descending";
  const ordered = all.toSorted((one, other) => (one.sid < other.sid === isNewestFirst ? 1 : -1));
  const rest = ordered.filter(({ sid }) => after === undefined || (isNewestFirst ? sid < after : sid > after));
  const items = rest.slice(0, size);
  const last = items.at(-1);
  const [first] = items;
  return { items, ...(first && { first: first.sid }), ...(rest.length > size && last && { next: last.sid }) };
}

type Source<Item> = (page: PageRequest) => Promise<Page<Item>>;

/** Each source gets the position with the prefix of its own sids. */
export async function mergedPage<Item extends { readonly sid: string }>(
  page: PageRequest,
  sources: readonly { readonly prefix: string; readonly list: Source<Item> }[],
): Promise<Page<Item>> {
  const pages = await Promise.all(
    sources.map(({ prefix, list }) =>
      list(page.after === undefined ? page : { ...page, after: `${prefix}${page.after}` }),
    ),
  );
  const isAfter = (one: string, other: string) => (page.direction === "Descending" ? one < other : one > other);
  // A source that has looked far enough for a page may have more where another one goes on.
  const ends = pages.flatMap(({ next }) => (next === undefined ? [] : [next.slice(2)]));
  const end = ends.length === 0 ? undefined : ends.reduce((one, other) => (isAfter(one, other) ? other : one));
  const all = pages
    .flatMap(({ items }) => items)
    .filter((item) => end === undefined || !isAfter(placeOf(item), end))
    .sort((one, other) => (isAfter(placeOf(one), placeOf(other)) ? 1 : -1));
  const items = all.slice(0, page.size);
  const last = items.at(-1);
  const next = all.length > items.length && last ? placeOf(last) : end;
  const [first] = items;
  return { items, ...(first && { first: placeOf(first) }), ...(next !== undefined && { next }) };
}

const placeOf = ({ sid }: { readonly sid: string }) => sid.slice(2);

const day = dayOrMoment("A date is written 2026-01-31 or 2026-01-31T12:00:00Z.");

/** The three parameters of a filter by time: on that day, until and from it, both included. */
export function timeFilter<Name extends string>(name: Name) {
  return { [name]: day.optional(), [`${name}<`]: day.optional(), [`${name}>`]: day.optional() } as {
    readonly [Key in Name | `${Name}<` | `${Name}>`]: z.ZodOptional<z.ZodString>;
  };
}

export interface TimeSpan {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export function spanOf(query: Readonly<Record<string, unknown>>, name: string): TimeSpan {
  const textOf = (key: string) => (typeof query[key] === "string" ? query[key] : undefined);
  const on = textOf(name)?.slice(0, 10);
  const [from, to] = [on ?? textOf(`${name}>`), on ?? textOf(`${name}<`)];
  return { from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : endOf(to) };
}

/** A day ends with its last millisecond. */
function endOf(text: string): Date {
  return text.length === 10 ? new Date(Date.parse(text) + 86_399_999) : new Date(text);
}

/** RFC 2822, like all times in this version of the API. */
export function twilioDate(date: Date): string;
export function twilioDate(date: Date | null): string | null;
export function twilioDate(date: Date | null): string | null {
  return date === null ? null : date.toUTCString().replace("GMT", "+0000");
}
