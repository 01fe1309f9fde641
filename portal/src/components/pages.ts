// Lists of several pages for `Table`, loaded as they are scrolled: `<Table {...usePages(…)} … />`.

import type { Listing } from "@tandem/sdk";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { type FilterField, type FilterTerm, parseFilter } from "./filter.ts";
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

export function usePages<Row>(
  key: readonly unknown[],
  page: (options: PageOptions) => Listing<Row>,
  { keepsRows = false, refetchInterval }: PagesOptions = {},
) {
  const source = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ signal, pageParam }) => (await page({ signal, ...(pageParam && { searchId: pageParam }) })).data,
    initialPageParam: "",
    getNextPageParam: ({ searchId }) => searchId,
    ...(keepsRows && { placeholderData: keepPreviousData }),
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
  const { hasNextPage, isFetching, fetchNextPage } = source;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { source, onEnd, rows: (source.data?.pages ?? []).flatMap(({ items }) => items) };
}

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
