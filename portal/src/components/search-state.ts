// URL = state: filters, selection and tab are in the query string, so that a link shows what its sender saw.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

export type SearchState = Readonly<Record<string, string | undefined>>;

/** The query string, and a function that changes parts of it; undefined removes a part. */
export function useSearchState(): readonly [SearchState, (change: SearchState, options?: { push?: boolean }) => void] {
  const search = useSearch({ strict: false }) as SearchState;
  const navigate = useNavigate();
  const change = useCallback(
    (next: SearchState, { push = false }: { push?: boolean } = {}) => {
      const to = { to: ".", search: (before: SearchState) => ({ ...before, ...next }), replace: !push };
      void navigate(to as Parameters<typeof navigate>[0]);
    },
    [navigate],
  );
  return [search, change];
}
