// The messages and calls of an account by the minute, for support: since when does nothing come through?

import type { TrafficMinute } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { SelectField } from "../../components/form.tsx";
import { Empty } from "../../components/page.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";

const SPANS = [
  ["60", "The last hour"],
  ["360", "The last 6 hours"],
  ["1440", "The last day"],
] as const;
const EVERY_MS = 30_000;

const COLUMNS: readonly Column<TrafficMinute>[] = [
  { id: "at", head: "Minute", cell: ({ at }) => <Time at={at} form="day" />, phone: "first" },
  { id: "sent", head: "Sent", cell: ({ sent }) => counted(sent, "sent"), align: "right", phone: "first-right" },
  { id: "delivered", head: "Delivered", cell: ({ delivered }) => delivered, align: "right" },
  { id: "failed", head: "Failed", cell: ({ failed }) => counted(failed, "failed"), align: "right", phone: "second" },
  { id: "received", head: "Received", cell: ({ received }) => received, align: "right" },
  { id: "calls", head: "Calls", cell: ({ calls }) => counted(calls, "calls"), align: "right", phone: "second-right" },
];

/** A phone shows no heads of columns. */
function counted(count: number, word: string) {
  return (
    <>
      {count} <span className="only-phone">{word}</span>
    </>
  );
}

const hasTraffic = ({ sent, received, calls }: TrafficMinute) => sent + received + calls > 0;

export function OwnedTraffic({ accountSid }: { readonly accountSid: string }) {
  const [{ minutes: chosen }, change] = useSearchState();
  const span = SPANS.find(([minutes]) => minutes === chosen)?.[0] ?? "60";
  const traffic = useQuery({
    ...dataQuery(["traffic", "owned", accountSid, span], (options) =>
      operator.account(accountSid).oversight.traffic({ minutes: Number(span), ...options }),
    ),
    refetchInterval: EVERY_MS,
  });
  const rows = (traffic.data?.items ?? []).filter(hasTraffic).reverse();
  return (
    <div className="operator-short">
      <div className="list-filter">
        <SelectField label="Of" options={SPANS} value={span} onChange={(minutes) => change({ minutes })} />
      </div>
      <Table
        rows={rows}
        source={traffic}
        label="Traffic of the account"
        columns={COLUMNS}
        keyOf={({ at }) => at}
        empty={<Empty what="No texts and no calls" why="Nothing was sent, received or called in that time." />}
      />
    </div>
  );
}
