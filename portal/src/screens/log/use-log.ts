// The rows of the log: events of the shared stream, and requests that were refused, the newest first. While somebody
// reads (scrolled, or a row is chosen) the rows stand still and the newer ones are counted.

import type { RefusedRequest } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { client, operator } from "../../api/client.ts";
import { type Entry, live, useLive, useLiveEntries } from "../../api/live.ts";
import { useSession } from "../../api/session.ts";
import { type LogRow, rowOfEvent, rowOfRequest, rowOfWire } from "./log-row.ts";

const rowsOfEntries = new WeakMap<Entry, LogRow>();
const rowsOfRequests = new Map<string, LogRow>();
const REQUESTS_MAX = 200;
const REQUESTS_EVERY_MS = 5000;

function rowOfEntry(entry: Entry): LogRow {
  const known = rowsOfEntries.get(entry);
  if (known) return known;
  const row = entry.kind === "event" ? rowOfEvent(entry.event, entry.isAfterGap) : rowOfWire(entry.id, entry.shown);
  rowsOfEntries.set(entry, row);
  return row;
}

function rowOf(request: RefusedRequest): LogRow {
  const known = rowsOfRequests.get(request.requestId);
  if (known) return known;
  if (rowsOfRequests.size > 10 * REQUESTS_MAX) rowsOfRequests.clear();
  const row = rowOfRequest(request);
  rowsOfRequests.set(request.requestId, row);
  return row;
}

/** Times of one form compare as text; localeCompare would be too slow for thousands of rows a frame. */
function newestFirst(one: LogRow, other: LogRow): number {
  return one.at === other.at ? 0 : one.at < other.at ? 1 : -1;
}

function merge(entries: readonly Entry[], requests: readonly RefusedRequest[]): readonly LogRow[] {
  const events = entries.map(rowOfEntry);
  // Refusals from before the page was opened; since then the stream shows them.
  const known = new Set(events.map(({ requestId }) => requestId));
  const older = requests.filter(({ requestId }) => !known.has(requestId)).map(rowOf);
  return [...events, ...older].sort(newestFirst);
}

export interface Log {
  readonly rows: readonly LogRow[];
  /** Undefined: the rows follow what happens. */
  readonly newer: number | undefined;
  readonly setHeld: (isHeld: boolean) => void;
  readonly source: { readonly isPending: boolean; readonly error: unknown; readonly refetch: () => unknown };
}

export function useLog(): Log {
  const isOperator = useSession().kind === "Operator";
  const entries = useLiveEntries();
  const { held, kind, isLoading, error } = useLive();
  const requests = useQuery({
    queryKey: ["requests", isOperator],
    queryFn: async ({ signal }) => {
      const list = isOperator ? operator.requests.list : client.requests.list;
      return (await list({ pageSize: REQUESTS_MAX, signal })).data.items;
    },
    refetchInterval: kind === "paused" ? false : REQUESTS_EVERY_MS,
  });
  const current = useMemo(() => merge(entries, requests.data ?? []), [entries, requests.data]);
  const [frozen, setFrozen] = useState<readonly LogRow[]>();
  const isHeld = frozen !== undefined;
  const first = frozen?.[0]?.at ?? "";
  const newer = isHeld ? current.findIndex(({ at }) => at <= first) : undefined;
  useEffect(() => live.hold(newer === -1 ? current.length : newer), [newer, current.length]);
  useEffect(() => () => live.hold(undefined), []);
  // The button of the bar ends it, too.
  useEffect(() => {
    if (held === undefined) setFrozen(undefined);
  }, [held]);
  const setHeld = (wanted: boolean) => {
    if (wanted === isHeld) return;
    setFrozen(wanted ? current : undefined);
    live.hold(wanted ? 0 : undefined);
  };
  const source = {
    isPending: requests.isPending || isLoading,
    error: requests.error ?? error,
    refetch: () => {
      live.resume();
      return requests.refetch();
    },
  };
  return { rows: frozen ?? current, newer, setHeld, source };
}
