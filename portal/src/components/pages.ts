// Lists of several pages for `Table`, loaded as they are scrolled: `<Table {...usePages(…)} … />`.
//
// Guarantees: what makes the list stale reads the pages in sight again, one or two however many are loaded; the others
// are read when they come into sight.

import type { Listing } from "@tandem/sdk";
import { keepPreviousData, type QueryKey, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { againSeconds, noticeEnd, queries } from "../api/queries.ts";
import { type FilterField, type FilterTerm, parseFilter } from "./filter.ts";
import { type Page, type Pages, pagesBetween, readOn, refreshed, rowsOf } from "./page-list.ts";
import { useSearchState } from "./search-state.ts";

interface PageOptions {
  readonly signal: AbortSignal;
  readonly searchId?: string;
}

interface PagesOptions {
  /** Keeps the rows while those of another filter load. */
  readonly keepsRows?: boolean;
  readonly refetchInterval?: number;
}

type ReadPage<Row> = (options: PageOptions) => Listing<Row>;

export function usePages<Row>(
  key: QueryKey,
  page: ReadPage<Row>,
  { keepsRows = false, refetchInterval }: PagesOptions = {},
) {
  /** The first and the last row that the table shows. */
  const sight = useRef<readonly (Row | undefined)[]>([]);
  const inSight = (pages: Pages<Row>) => pagesBetween(pages, sight.current[0], sight.current[1]);
  const source = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => {
      const before = queries.getQueryData<Pages<Row>>(key);
      return refreshed(before, inSight(before ?? []), (searchId) => read(page, signal, searchId));
    },
    // A page is a list of its own; comparing all rows of all pages is not worth it.
    structuralSharing: false,
    ...(keepsRows && { placeholderData: keepPreviousData }),
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
  const { data: pages = [], isPlaceholderData, isFetching, refetch } = source;
  const readStale = () => {
    const isStale = [...inSight(pages)].some((at) => pages[at]?.isStale);
    if (isStale && !isFetching) void refetch();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once what was scrolled to meanwhile can be read
  useEffect(readStale, [pages, isFetching]);
  const onSight = (first: Row | undefined, last: Row | undefined) => {
    sight.current = [first, last];
    readStale();
  };
  const onEnd = useNextPage(key, page, isPlaceholderData ? undefined : pages.at(-1));
  const rows = useMemo(() => rowsOf(pages), [pages]);
  return { source, onEnd, onSight, rows };
}

function read<Row>(page: ReadPage<Row>, signal: AbortSignal, from: string | undefined): Promise<Page<Row>> {
  return readOn(async (searchId) => (await page({ signal, ...(searchId !== undefined && { searchId }) })).data, from);
}

/** A function that loads the page after the last one. After a failure it does nothing for as long as that asks for. */
function useNextPage<Row>(key: QueryKey, page: ReadPage<Row>, last: Page<Row> | undefined): () => void {
  const [isLoading, setLoading] = useState(false);
  const current = useRef({ key, page });
  current.current = { key, page };
  const load = useCallback(async (after: Page<Row>) => {
    const { key: list, page: readPage } = current.current;
    setLoading(true);
    try {
      const next = await read(readPage, new AbortController().signal, after.searchId);
      queries.setQueryData<Pages<Row>>(list, (pages) =>
        pages && pages.at(-1)?.searchId === after.searchId ? [...pages, next] : pages,
      );
    } catch (error) {
      noticeEnd(error);
      await new Promise((resolve) => setTimeout(resolve, 1000 * (againSeconds(error) ?? AGAIN_SECONDS)));
    }
    setLoading(false);
  }, []);
  return useCallback(() => {
    if (last?.searchId !== undefined && !isLoading) void load(last);
  }, [last, isLoading, load]);
}

/** A page that the server refuses is asked for again in case the reason has gone. */
const AGAIN_SECONDS = 30;

export interface FilteredList<Row> {
  readonly key: readonly unknown[];
  readonly fields: readonly FilterField[];
  readonly page: (options: PageOptions, terms: readonly FilterTerm[]) => Listing<Row>;
  /** The text of a row in which free words are searched. */
  readonly textOf: (row: Row) => string;
  readonly refetchInterval?: number;
}

/** A list that is filtered by the URL (`?q=`): by the server, and here by the free words of the filter. */
export function useFilteredPages<Row>({ key, fields, page, textOf, ...options }: FilteredList<Row>) {
  const [{ q = "" }, change] = useSearchState();
  const terms = parseFilter(q, fields);
  const pages = usePages([...key, q], (given) => page(given, terms), { ...options, keepsRows: true });
  const words = terms.filter(({ field }) => field === undefined).map(({ value }) => value.toLowerCase());
  const rows = pages.rows.filter((row) => words.every((word) => textOf(row).toLowerCase().includes(word)));
  return { filter: { fields, q, terms, onFilter: (next: string) => change({ q: next }) }, pages: { ...pages, rows } };
}
