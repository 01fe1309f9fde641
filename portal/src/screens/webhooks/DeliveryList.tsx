// What was delivered, of one subscription or of all, filtered by the URL (`status:Failed type:CallRecordingCompleted
// since:2h`).

import { DELIVERY_STATUSES, EVENT_TYPES, type WebhookDelivery } from "@tandem/sdk";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { client } from "../../api/client.ts";
import { CommandLine } from "../../components/command-line.tsx";
import {
  createdWithin,
  type FilterField,
  type FilterTerm,
  nameOf,
  oneOf,
  TIME_FIELDS,
} from "../../components/filter.ts";
import { FilterBar } from "../../components/filter-bar.tsx";
import { NothingLikeThat } from "../../components/nothing-like-that.tsx";
import { Empty } from "../../components/page.tsx";
import { useFilteredPages } from "../../components/pages.ts";
import { ShortSid } from "../../components/sid.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { DeliveryStatusMark } from "./DeliveryStatusMark.tsx";
import { answerOf } from "./webhook-queries.ts";
import "./webhooks.css";

const FIELDS: readonly FilterField[] = [oneOf("status", DELIVERY_STATUSES), oneOf("type", EVENT_TYPES), ...TIME_FIELDS];

function queryOf(terms: readonly FilterTerm[]) {
  const [status, type] = [nameOf(terms, "status", DELIVERY_STATUSES), nameOf(terms, "type", EVENT_TYPES)];
  return { ...(status && { status }), ...(type && { type }), ...createdWithin(terms) };
}

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { id: "at", head: "Time", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
  {
    id: "type",
    head: "Event",
    cell: ({ sid, type }) => (
      <Link to={`/webhooks/deliveries/${sid}`} className="quiet-link">
        {type}
      </Link>
    ),
    phone: "first",
  },
  {
    id: "of",
    head: "Of",
    cell: ({ resourceSid, sequence }) => (
      <>
        <ShortSid value={resourceSid} /> <span className="dim">event {sequence}</span>
      </>
    ),
    phone: "second",
  },
  {
    id: "status",
    head: "Status",
    cell: (delivery) => <DeliveryStatusMark delivery={delivery} />,
    phone: "first-right",
  },
  { id: "answer", head: "Answer", cell: (delivery) => <span className="mono">{answerOf(delivery)}</span>, grow: true },
  { id: "tries", head: "Tries", cell: ({ attempts }) => attempts.length || "", align: "right" },
  {
    id: "ms",
    head: "Took",
    cell: ({ attempts }) => (attempts.length > 0 ? `${attempts.at(-1)?.ms} ms` : ""),
    align: "right",
  },
];

const LIST_EVERY_MS = 3000;

export interface DeliveryListProps {
  /** Undefined: those of all subscriptions. */
  readonly subscriptionSid: string | undefined;
  /** Above the list, by what it shows. */
  readonly head: (deliveries: readonly WebhookDelivery[]) => ReactNode;
  /** What to do while there is nothing. */
  readonly why: string;
}

export function DeliveryList({ subscriptionSid, head, why }: DeliveryListProps) {
  const { filter, pages } = useFilteredPages({
    key: ["webhooks", "deliveries", subscriptionSid],
    fields: FIELDS,
    page: (options, terms) =>
      client.deliveries.list({ ...(subscriptionSid && { subscriptionSid }), ...queryOf(terms), ...options }),
    textOf: (row) => `${row.sid} ${row.resourceSid} ${row.type} ${answerOf(row)}`,
    refetchInterval: LIST_EVERY_MS,
  });
  return (
    <section className="column webhooks-list" aria-label="What was delivered">
      {head(pages.rows)}
      <FilterBar filter={filter} placeholder="status:failed  type:…  since:24h" />
      <Table
        {...pages}
        label="Deliveries"
        columns={COLUMNS}
        keyOf={({ sid }) => sid}
        pageOf={({ sid }) => `/webhooks/deliveries/${sid}`}
        empty={
          <NothingLikeThat what="No delivery is like that" filter={filter}>
            <Empty what="Nothing delivered yet" why={why}>
              <CommandLine words={`webhooks test ${subscriptionSid ?? "WS…"}`} />
            </Empty>
          </NothingLikeThat>
        }
      />
    </section>
  );
}
