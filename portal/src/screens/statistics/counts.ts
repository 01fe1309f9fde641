// What a chart of the statistics shows, from the API's counts: a column for each hour or day, its parts by outcome, and
// the list behind each.

import { CALL_STATUSES, type StatisticsReport } from "@tandem/sdk";
import { tableOf } from "../../components/lookup-table.ts";
import { shortClock, utcDay } from "../../components/zone.ts";

export type Kind = StatisticsReport["kind"];

const HOUR_MS = 3_600_000;
const STEP_MS = { Hour: HOUR_MS, Day: 24 * HOUR_MS };

export interface Span {
  readonly id: string;
  readonly label: string;
  readonly step: StatisticsReport["step"];
  readonly steps: number;
}

/** Counts are kept by the hour: nothing is finer. */
export const SPANS: readonly Span[] = [
  { id: "day", label: "24 hours", step: "Hour", steps: 24 },
  { id: "week", label: "7 days", step: "Day", steps: 7 },
  { id: "month", label: "30 days", step: "Day", steps: 30 },
];

/** A moment in the first of the span's steps; the last is the one that is under way. */
export const beginOf = ({ step, steps }: Span, now: Date): string =>
  new Date(now.getTime() - (steps - 1) * STEP_MS[step]).toISOString();

/** Fine, under way, ended badly, and none of these. */
export type Tone = "ok" | "way" | "bad" | "quiet";

/** From the bottom of a bar to its top. */
const TONES: readonly Tone[] = ["ok", "way", "quiet", "bad"];

const TONE_OF: Readonly<Record<Kind, ReadonlyMap<string, Tone>>> = {
  Messages: tableOf<Tone>({ Delivered: "ok", Sent: "way", Queued: "quiet", Canceled: "quiet" }),
  Calls: tableOf<Tone>({
    Completed: "ok",
    HungUp: "ok",
    ScriptHangup: "ok",
    Started: "way",
    Ringing: "way",
    Answered: "way",
    Canceled: "quiet",
  }),
  Deliveries: tableOf<Tone>({ Delivered: "ok", Pending: "way", Canceled: "quiet" }),
};

export const toneOf = (kind: Kind, outcome: string): Tone => TONE_OF[kind].get(outcome) ?? "bad";

export interface Part {
  readonly outcome: string;
  readonly count: number;
}

export interface Bar {
  /** ISO 8601, as `until`. */
  readonly from: string;
  readonly until: string;
  /** From the bottom to the top. */
  readonly parts: readonly Part[];
  readonly total: number;
}

type Counts = StatisticsReport["items"];

function groupsOf<Key>(counts: Counts, keyOf: (count: Counts[number]) => Key): ReadonlyMap<Key, Counts> {
  const groups = new Map<Key, Counts[number][]>();
  for (const count of counts) {
    const group = groups.get(keyOf(count));
    if (group) group.push(count);
    else groups.set(keyOf(count), [count]);
  }
  return groups;
}

/** The sums by outcome. */
export function partsOf(kind: Kind, counts: Counts): readonly Part[] {
  const rankOf = ({ outcome }: Part) => TONES.indexOf(toneOf(kind, outcome));
  return [...groupsOf(counts, ({ outcome }) => outcome)]
    .map(([outcome, group]) => ({ outcome, count: totalOf(group) }))
    .sort((a, b) => rankOf(a) - rankOf(b));
}

export const totalOf = (parts: readonly { readonly count: number }[]): number =>
  parts.reduce((sum, { count }) => sum + count, 0);

function barOf(kind: Kind, from: string, until: string, counts: Counts): Bar {
  const parts = partsOf(kind, counts);
  return { from, until, parts, total: totalOf(parts) };
}

/** A bar for every step, also where nothing was. */
export function barsOf({ kind, from, to, step, items }: StatisticsReport): readonly Bar[] {
  const [start, end, ms] = [Date.parse(from), Date.parse(to), STEP_MS[step]];
  const byStep = groupsOf(items, (item) => Date.parse(item.from));
  return Array.from({ length: Math.round((end - start) / ms) }, (_, at) => {
    const begin = start + at * ms;
    return barOf(kind, new Date(begin).toISOString(), new Date(begin + ms).toISOString(), byStep.get(begin) ?? []);
  });
}

export interface CarrierBar extends Bar {
  /** Null: not known. */
  readonly carrier: string | null;
}

/** The most texts first. */
export function carriersOf({ kind, from, to, items }: StatisticsReport): readonly CarrierBar[] {
  return [...groupsOf(items, ({ carrier }) => carrier)]
    .map(([carrier, counts]) => ({ carrier, ...barOf(kind, from, to, counts) }))
    .sort((a, b) => b.total - a.total);
}

/** "14:00 to 15:00" in the user's zone, or "19 Nov, UTC". */
export function timeOf({ from, until }: Pick<Bar, "from" | "until">, step: StatisticsReport["step"]): string {
  const [begin, end] = [new Date(from), new Date(until)];
  return step === "Day" ? `${utcDay(begin)}, UTC` : `${shortClock(begin)} to ${shortClock(end)}`;
}

export interface ListBehind {
  /** An address of the portal. */
  readonly to: string;
  /** What the list has beyond what was counted; undefined: just that. */
  readonly beyond: string | undefined;
}

const LISTS: Readonly<Record<Kind, string>> = {
  Messages: "/messages",
  Calls: "/calls",
  Deliveries: "/webhooks/deliveries",
};

/** The list's end is inclusive. */
const lastMoment = (until: string): string => new Date(Date.parse(until) - 1).toISOString();

/** The list that has what was counted, filtered as far as that list can be. */
export function listBehind(kind: Kind, outcome: string, { from, until }: Pick<Bar, "from" | "until">): ListBehind {
  // Of calls that have ended the counts have the reason, by which their list is not filtered.
  const isEndReason = kind === "Calls" && (outcome === "Completed" || !CALL_STATUSES.some((one) => one === outcome));
  const status = isEndReason ? "Completed" : outcome;
  const q = `status:${status} since:${from} until:${lastMoment(until)}`;
  return {
    to: `${LISTS[kind]}?${new URLSearchParams({ q })}`,
    beyond: isEndReason ? "all calls that ended, however" : undefined,
  };
}
