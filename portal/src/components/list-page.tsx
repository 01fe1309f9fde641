// The page of a list: its head, what is said or entered first, the fields that filter it, the table, and the item that
// is open beside it.
//
// Guarantees: the table has the height that is left, so that only visible rows are in the page and only the pages in
// sight are read, however long the list is.

import type { ReactNode } from "react";
import { PageHead, type PageHeadProps, Split } from "./page.tsx";
import "./list-page.css";

export interface ListPageProps extends PageHeadProps {
  /** Between the head and the list: forms, notes. */
  readonly above?: ReactNode;
  /** Fields that filter the list. */
  readonly filter?: ReactNode;
  /** The open item. */
  readonly drawer?: ReactNode;
  /** The table. */
  readonly children: ReactNode;
}

export function ListPage({ above, filter, drawer, children, ...head }: ListPageProps) {
  return (
    <Split drawer={drawer}>
      <div className="list-page">
        <PageHead {...head} />
        {above}
        {filter && <div className="list-filter">{filter}</div>}
        <div className="list-box">{children}</div>
      </div>
    </Split>
  );
}
