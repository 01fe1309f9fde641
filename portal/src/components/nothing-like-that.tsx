// Shown when no row of a list matches its filter: offers to drop each term.

import { Button } from "./button.tsx";
import { type FilterTerm, withoutTerm } from "./filter.ts";
import { Empty } from "./page.tsx";

export interface NothingLikeThatProps {
  /** "No call is like that" */
  readonly what: string;
  readonly terms: readonly FilterTerm[];
  /** The filter as in the URL. */
  readonly q: string;
  readonly onFilter: (q: string) => void;
}

export function NothingLikeThat({ what, terms, q, onFilter }: NothingLikeThatProps) {
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
