// The rows of the log: events of the shared stream, and refused requests, the newest first. While the user reads
// (scrolled, or a row is selected) the rows are held and the newer ones are counted.

import type { RefusedRequest } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { client, operator } from "../../api/client.ts";
import { type Entry, type Feed, live, useFeed, useLive } from "../../api/live.ts";
import { useSession } from "../../api/session.ts";
import type { FilterTerm } from "../../components/filter.ts";
import { useNow } from "../../components/use-now.ts";
import { isShown } from "./log-filter.ts";
import { type LogRow, rowOfEvent, rowOfRequest, rowOfWire } from "./log-row.ts";
import { grown, type Shown, shownOf } from "./log-shown.ts";
import { lookAgainMs } from "./refused-requests.ts";

const rowsOfEntries = new WeakMap<Entry, LogRow>();
const REQUESTS_MAX = 200;
const NO_REQUESTS: readonly RefusedRequest[] = [];

function rowOfEntry(entry: Entry): LogRow {
  const known = rowsOfEntries.get(entry);
  if (known) return known;
  const row = entry.kind === "event" ? rowOfEvent(entry.event, entry.isAfterGap) : rowOfWire(entry.id, entry.shown);
  rowsOfEntries.set(entry, row);
  return row;
}

/** The oldest first: a response is described by the request it belongs to. */
const rowsOfEntriesIn = (entries: readonly Entry[]) => entries.toReversed().map(rowOfEntry);

function rowsOf(entries: readonly Entry[], requests: readonly RefusedRequest[]): readonly LogRow[] {
  const rows = rowsOfEntriesIn(entries);
  // Refusals from before the page was opened; since then the stream shows them.
  const known = new Set(rows.map(({ trace, requestId }) => `${trace} ${requestId}`));
  const before = requests.map(rowOfRequest).filter(({ trace, requestId }) => !known.has(`${trace} ${requestId}`));
  return [...rows, ...before];
}

type Wanted = readonly FilterTerm[] | "everything";

const filterBy = (wanted: Wanted, now: Date) => (row: LogRow) => wanted === "everything" || isShown(row, wanted, now);

interface Kept {
  readonly shown: Shown<LogRow>;
  readonly count: number;
  /** While these are unchanged, only the entries added since are filtered. */
  readonly basis: readonly unknown[];
}

/** The rows that match the filter, updated as the feed grows. */
function useShown(feed: Feed, requests: readonly RefusedRequest[], terms: Wanted): Shown<LogRow> {
  const now = useNow();
  const kept = useRef<Kept>(undefined);
  const hasSince = terms !== "everything" && terms.some(({ field }) => field === "since");
  const basis = [feed.edition, requests, terms, hasSince && now.getTime()];
  const before = kept.current;
  if (!before?.basis.every((part, at) => part === basis[at])) {
    kept.current = { shown: shownOf(rowsOf(feed.entries, requests), filterBy(terms, now)), count: feed.count, basis };
  } else if (before.count < feed.count) {
    const batch = rowsOfEntriesIn(feed.entries.slice(0, feed.count - before.count));
    kept.current = { shown: grown(before.shown, batch, filterBy(terms, now)), count: feed.count, basis };
  }
  return kept.current?.shown as Shown<LogRow>;
}

export interface Log {
  /** All rows, to find those that belong to the selected one. */
  readonly all: readonly LogRow[];
  /** The rows that match the filter. */
  readonly shown: Shown<LogRow>;
  /** Undefined: the rows are not held. */
  readonly newer: number | undefined;
  readonly setHeld: (isHeld: boolean) => void;
  readonly source: { readonly isPending: boolean; readonly error: unknown; readonly refetch: () => unknown };
}

/** The state when the user began to read. */
interface Frozen {
  readonly rows: readonly LogRow[];
  readonly shown: Shown<LogRow>;
  readonly terms: readonly FilterTerm[];
  readonly count: number;
}

function shownAs({ rows, shown, terms }: Frozen, wanted: readonly FilterTerm[]): Shown<LogRow> {
  return terms === wanted ? shown : shownOf(rows, filterBy(wanted, new Date()));
}

export function useLog(terms: readonly FilterTerm[]): Log {
  const isOperator = useSession().kind === "Operator";
  const feed = useFeed();
  const { held, kind, isLoading, error } = useLive();
  const refused = useQuery({
    queryKey: ["requests", isOperator],
    queryFn: async ({ signal }) => {
      const list = isOperator ? operator.requests.list : client.requests.list;
      return (await list({ pageSize: REQUESTS_MAX, signal })).data.items;
    },
    refetchInterval: lookAgainMs(isOperator, kind === "paused"),
  });
  const requests = refused.data ?? NO_REQUESTS;
  const everything = useShown(feed, requests, "everything");
  const wanted = useShown(feed, requests, terms);
  const [frozen, setFrozen] = useState<Frozen>();
  const stood = useMemo(() => frozen && shownAs(frozen, terms), [frozen, terms]);
  const newer = frozen && feed.count - frozen.count;
  useEffect(() => live.hold(newer), [newer]);
  useEffect(() => () => live.hold(undefined), []);
  // The button of the bar releases the rows too.
  useEffect(() => {
    if (held === undefined) setFrozen(undefined);
  }, [held]);
  const setHeld = (isWanted: boolean) => {
    if (isWanted === (frozen !== undefined)) return;
    setFrozen(isWanted ? { rows: everything.rows, shown: wanted, terms, count: feed.count } : undefined);
    live.hold(isWanted ? 0 : undefined);
  };
  const source = {
    isPending: refused.isPending || isLoading,
    error: refused.error ?? error,
    refetch: () => {
      live.resume();
      return refused.refetch();
    },
  };
  return { all: frozen?.rows ?? everything.rows, shown: stood ?? wanted, newer, setHeld, source };
}
