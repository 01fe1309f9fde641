// Cells of plain commands as text (base/plain-command.ts explains their syntax).

import { isCountedLimit } from "../../rules/counted-limits.ts";
import type { Limit, Limits, RouteWay, SendingTimes } from "../../sdk/src/index.ts";
import type { Cell, Columns } from "../base/plain-command.ts";
import { tableOf } from "../base/table.ts";
import { adviceFor } from "./advice.ts";
import { formatSendingTimes } from "./commands/configs/sending-times.ts";
import { printable } from "./table.ts";

export interface Scope {
  readonly answer: unknown;
  /** Arguments and options, by their names. */
  readonly given: Readonly<Record<string, unknown>>;
}

const PLACE = /\{(<?)([\w.]*)>?(?:([!?|])([^{}]*))?\}/g;

/** The first of the cell's texts without a missing value; undefined when every text lacks one. */
export function textOf(cell: Cell, scope: Scope): string | undefined {
  for (const text of typeof cell === "string" ? [cell] : cell) {
    let isWhole = true;
    const filled = text.replace(PLACE, (_, isGiven: string, path: string, mark = "", word = "") => {
      const value = valueAt(isGiven ? scope.given : scope.answer, path);
      const shown = shownAs(value, mark, word);
      isWhole &&= shown !== undefined;
      return shown ?? "";
    });
    if (isWhole) return filled;
  }
  return undefined;
}

/** For a list, the values at the path in each of its items. */
export function valueAt(from: unknown, path: string): unknown {
  return path.split(".").reduce((value: unknown, name) => {
    if (name === "") return value;
    if (Array.isArray(value)) return value.map((item) => valueAt(item, name));
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  }, from);
}

function shownAs(value: unknown, mark: string, word: string): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (mark === "?") return value ? word : undefined;
  if (mark === "!" && !value) return undefined;
  if (mark === "|") return FORMATS.get(word)?.(value as never);
  if (typeof value === "object")
    return (Array.isArray(value) ? value.map(String).join(", ") : wordsOf(value)) || undefined;
  return String(value);
}

/** `name: value, …`, nested values as JSON. */
function wordsOf(details: unknown): string {
  if (details === null || details === undefined) return "";
  if (typeof details !== "object" || Array.isArray(details)) return wordOf(details);
  const known = Object.entries(details).filter(([, value]) => value !== null);
  return known.map(([name, value]) => `${name}: ${wordOf(value)}`).join(", ");
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The text of each title's cell; undefined where a value is missing. */
export function cellsOf(columns: Columns, titles: readonly string[], scope: Scope): readonly (string | undefined)[] {
  return titles.map((title) => textOf(columns[title] ?? [], scope));
}

/** The titles to show for these items: optional ones (`?`) only if an item has the member. */
export function titlesOf(columns: Columns, items: readonly unknown[]): readonly string[] {
  return Object.keys(columns).filter((title) => {
    const [, member = ""] = /\{(\w+)/.exec(String(columns[title])) ?? [];
    return !title.endsWith("?") || items.some((item) => typeof item === "object" && item !== null && member in item);
  });
}

/** A line for each field; a title with `*` stands for one line per entry of a record. */
export function fieldsOf(columns: Columns, scope: Scope): Readonly<Record<string, string | null>> {
  const fields = titlesOf(columns, [scope.answer]).flatMap((title): [string, string | null][] => {
    const cell = columns[title] ?? [];
    if (!title.includes("*")) return [[title.replace("?", ""), textOf(cell, scope) ?? null]];
    const entries = Object.entries(valueAt(scope.answer, String(cell)) as Limits);
    return entries.map(([name, limit]) => [title.replace("*", name), limitText(name, limit)]);
  });
  return Object.fromEntries(fields);
}

function limitText(name: string, { requests, windowSeconds }: Limit): string {
  return isCountedLimit(name) ? String(requests) : `${requests} in ${windowSeconds} s`;
}

const TEXT_SHOWN_MAX = 40;
const percent = (share: number) => `${Math.round(share * 100)} %`;

interface Attempt {
  readonly status: number | null;
  readonly failure: string | null;
  readonly ms: number;
}

/** The formats that a cell names after `|`. */
const FORMATS = tableOf<(value: never) => string | undefined>({
  short: (text: string) => {
    const characters = [...text];
    return characters.length <= TEXT_SHOWN_MAX ? text : `${characters.slice(0, TEXT_SHOWN_MAX - 1).join("")}…`;
  },
  lines: (text: string) => text.trimEnd().split(/\r?\n/).map(printable).join("\n"),
  preposition: (direction: string) => (direction === "Sent" ? "to" : "from"),
  or: (words: readonly string[]) => words.join(" or ") || undefined,
  isException: (status: string) => (status === "Exception" ? "" : undefined),
  roleMay: (role: string) => (role === "admin" ? "do everything" : "read"),
  advice: (errorCode: number) => adviceFor({ errorCode }),
  spaced: (words: readonly string[]) => words.join(" ") || undefined,
  rights: (tokens: readonly { readonly n: number; readonly signs: boolean; readonly toolWrites: boolean }[]) =>
    tokens
      .map(({ n, signs, toolWrites }) => {
        const words = [...(signs ? ["signs"] : []), ...(toolWrites ? ["tools write"] : [])];
        return words.length === 0 ? String(n) : `${n} (${words.join(", ")})`;
      })
      .join(", ") || undefined,
  count: (items: readonly unknown[]) => String(items.length),
  times: (times: SendingTimes) => formatSendingTimes(times),
  counts: (items: readonly { readonly count: number; readonly status: string }[]) =>
    items.map(({ count, status }) => `${count} ${status}`).join(", ") || undefined,
  states: (items: readonly { readonly index: number; readonly state: string }[]) =>
    items.map(({ index, state }) => `${index} ${state}`).join(", ") || undefined,
  last: (attempts: readonly Attempt[]) => {
    const last = attempts.at(-1);
    return last && `${last.status ?? last.failure ?? "none"} in ${last.ms} ms`;
  },
  ways: (ways: readonly RouteWay[]) =>
    ways
      .map(({ name, share, shareNow, state, isUp }) => {
        const usual = share === 0 ? "stands in" : percent(share);
        const now = shareNow === share ? "" : `, now ${percent(shareNow)}`;
        return `${name} ${usual}${now}${isUp === true ? "" : ` (${state})`}`;
      })
      .join(", ") || undefined,
});
