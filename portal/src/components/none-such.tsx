// Shown when a list is empty that fields of the address filter: offers to show all, or, without a filter, explains the
// list. Lists with a bar of free text have `NothingLikeThat`.

import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Empty } from "./page.tsx";
import { useSearchState } from "./search-state.ts";

export interface NoneSuchProps {
  /** "No such calls" */
  readonly what: string;
  /** The names that filter the list, as in the URL. */
  readonly filters: readonly string[];
  /** Shown without a filter. */
  readonly children: ReactNode;
}

export function NoneSuch({ what, filters, children }: NoneSuchProps) {
  const [search, change] = useSearchState();
  const set = filters.filter((name) => search[name]);
  if (set.length === 0) return children;
  return (
    <Empty what={what} why="The list is filtered.">
      <div className="row">
        <Button small onClick={() => change(Object.fromEntries(set.map((name) => [name, undefined])))}>
          Show all
        </Button>
      </div>
    </Empty>
  );
}
