// Who changed what in an account: a table of it, for the account and for operators.

import type { ChangeEntry } from "@tandem/sdk";
import { NoneSuch } from "./none-such.tsx";
import { Empty } from "./page.tsx";
import type { usePages } from "./pages.ts";
import { Sid } from "./sid.tsx";
import { type Column, Table } from "./table.tsx";
import { Time } from "./time.tsx";
import { Mono } from "./words.tsx";

const COLUMNS: readonly Column<ChangeEntry>[] = [
  { id: "at", head: "When", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
  { id: "by", head: "Who", cell: whoOf, phone: "first-right" },
  { id: "what", head: "Operation", cell: ({ operation }) => <Mono>{operation}</Mono>, phone: "first" },
  { id: "of", head: "Of", cell: ({ resource }) => resource && <Resource id={resource} />, grow: true, phone: "second" },
  { id: "request", head: "Request", cell: ({ requestId }) => <Sid value={requestId} /> },
];

function whoOf({ by, token }: ChangeEntry) {
  const place = token === null ? "" : ` ${token}`;
  return by === "Person" ? `a person, by token${place}` : `token${place}`;
}

function Resource({ id }: { readonly id: string }) {
  return /^[A-Z]{2}[0-9a-f]{32}$/.test(id) ? <Sid value={id} /> : <Mono>{id}</Mono>;
}

export function ChangesTable(pages: ReturnType<typeof usePages<ChangeEntry>>) {
  return (
    <Table
      {...pages}
      label="Changes"
      columns={COLUMNS}
      keyOf={({ requestId, operation, createdOn }) => `${requestId} ${operation} ${createdOn}`}
      empty={
        <NoneSuch what="Nothing was changed there" filters={["resource"]}>
          <Empty what="Nothing was changed" why="What tokens and people change shows here for 90 days." />
        </NoneSuch>
      }
    />
  );
}
