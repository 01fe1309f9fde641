// Shown when a list is empty: offers to drop each term of its filter, or, without a filter, explains the list.

import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { type FilterTerm, withoutTerm } from "./filter.ts";
import { Empty } from "./page.tsx";

export interface NothingLikeThatProps {
  /** "No call is like that" */
  readonly what: string;
  readonly filter: {
    readonly terms: readonly FilterTerm[];
    /** As in the URL. */
    readonly q: string;
    readonly onFilter: (q: string) => void;
  };
  /** Shown without a filter. */
  readonly children: ReactNode;
}

export function NothingLikeThat({ what, filter: { terms, q, onFilter }, children }: NothingLikeThatProps) {
  if (terms.length === 0) return children;
  return (
    <Empty what={what}>
      <div className="row">
        {terms.map((term) => (
          <Button key={term.text} small onClick={() => onFilter(withoutTerm(q, term))}>
            Drop {term.text}
          </Button>
        ))}
      </div>
    </Empty>
  );
}
