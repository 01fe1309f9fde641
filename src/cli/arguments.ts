// Parsers of command-line values. An invalid value ends the command with a message about what is allowed.

import { InvalidArgumentError, Option } from "commander";
import { EVENT_TYPES, type EventType, type SubscribedType } from "../../sdk/src/index.ts";
import { tableOf } from "../base/table.ts";

/** With or without the `Webhook` suffix, in any case, as the API accepts them. */
export const parseEventType = offering(EVENT_TYPES, (text: string): EventType => {
  const wanted = bare(text);
  const type = EVENT_TYPES.find((known) => bare(known) === wanted);
  if (type === undefined) throw new InvalidArgumentError(`One of these is wanted: ${EVENT_TYPES.join(", ")}.`);
  return type;
});

export const parseEventTypes = offering(
  EVENT_TYPES,
  (text: string): ReadonlySet<EventType> => new Set(text.split(",").map((part) => parseEventType(part.trim()))),
);

/** For an option that may be given several times, each with several types; `*` is all. */
export const collectTypes = offering(
  EVENT_TYPES,
  (text: string, before: readonly SubscribedType[] = []): readonly SubscribedType[] => {
    const types = text.split(",").map((part) => part.trim());
    return [...before, ...types.map((type) => (type === "*" ? type : parseEventType(type)))];
  },
);

function bare(type: string): string {
  return type.toLowerCase().replace(/webhook$/, "");
}

/** Matches in any case and returns the canonical spelling. */
export function oneOf<Word extends string>(words: readonly Word[]): ((text: string) => Word) & Choices {
  return offering(words, (text) => {
    const word = words.find((known) => known.toLowerCase() === text.toLowerCase());
    if (word === undefined) throw new InvalidArgumentError(`One of these is wanted: ${words.join(", ")}.`);
    return word;
  });
}

/** Several of these words, separated by commas. */
export function someOf<Word extends string>(words: readonly Word[]): ((text: string) => readonly Word[]) & Choices {
  return offering(words, (text) => text.split(",").map((word) => oneOf(words)(word.trim())));
}

/** The words that a parser accepts, for shell completion. */
export interface Choices {
  readonly words: readonly string[];
}

function offering<Parser extends object>(words: readonly string[], parser: Parser): Parser & Choices {
  return Object.assign(parser, { words });
}

export const parseYesOrNo = offering(["yes", "no"], (text: string) => oneOf(["yes", "no"])(text) === "yes");

const UNIT_MS = tableOf<number>({ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 });

/** `30m`, `2h`, `3d` ago, or a date and time; returns ISO 8601. */
export function parseMoment(text: string, nowMs = Date.now()): string {
  return momentOf(text, (ms) => nowMs - ms);
}

/** `30m`, `2h`, `3d` from now, or a date and time; returns ISO 8601. */
export function parseMomentAhead(text: string, nowMs = Date.now()): string {
  return momentOf(text, (ms) => nowMs + ms);
}

const DISTANCE = /^(\d{1,6})([smhd])$/;

/** Whether the text means a different moment in a later run. */
export function isRelativeMoment(text: string): boolean {
  return DISTANCE.test(text);
}

function momentOf(text: string, fromNow: (ms: number) => number): string {
  const [, count, unit = ""] = DISTANCE.exec(text) ?? [];
  const atMs = count === undefined ? dateMs(text) : fromNow(Number(count) * (UNIT_MS.get(unit) ?? 0));
  if (Number.isNaN(atMs)) throw new InvalidArgumentError("A time is wanted: 30m, 2h, 3d, or 2026-01-31T09:00:00Z.");
  return new Date(atMs).toISOString();
}

function dateMs(text: string): number {
  // Date.parse reads `1` as a month of 2001.
  return /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
}

/** For an option that may be given several times. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** `none` removes a value. (Not usable as an option's parser: those must not return null.) */
export function orNone(text: string): string | null {
  return text.toLowerCase() === "none" ? null : text;
}

type Given<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** The members that have a value: an optional member must be absent, not undefined. */
export function given<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<Members>;
}

export function parseErrorCode(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2_147_483_647) {
    throw new InvalidArgumentError("A whole number from 0 to 2147483647 is wanted.");
  }
  return Number(text);
}

export function limitOption(): Option {
  return new Option("--limit <n>", "so many at most").default(50).argParser(parseCount);
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("A whole number from 1 to 999999 is wanted.");
  return Number(text);
}
