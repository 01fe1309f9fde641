// The calls of an account for support: the list, and why one ended as it did.

import { CALL_DIRECTIONS, CALL_STATUSES, type Call } from "@tandem/sdk";
import { operator } from "../../api/client.ts";
import { NoneSuch } from "../../components/none-such.tsx";
import { Empty } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { Party } from "../../components/phone-number.tsx";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { OwnedList } from "./OwnedList.tsx";
import { OwnedSip } from "./OwnedSip.tsx";
import { hasWords, useChoiceFilter, useStatusFilter, useTextFilter, useTrafficFilter } from "./operator-parts.tsx";

const COLUMNS: readonly Column<Call>[] = [
  { id: "at", head: "Begun", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
  {
    id: "status",
    head: "Status",
    cell: ({ endReason, status }) => <Status kind="call" value={endReason ?? status} />,
    phone: "first-right",
  },
  { id: "direction", head: "Direction", cell: ({ direction }) => direction },
  { id: "from", head: "From", cell: ({ from }) => <Party value={from} />, phone: "second" },
  { id: "to", head: "To", cell: ({ to }) => <Party value={to} />, grow: true, phone: "first" },
  { id: "sid", head: "Sid", cell: ({ sid }) => <Sid value={sid} /> },
];

const textOf = ({ sid, from, to, status, endReason }: Call) => `${from} ${to} ${endReason ?? status} ${sid}`;

export function OwnedCalls({ accountSid }: { readonly accountSid: string }) {
  const { calls } = operator.account(accountSid);
  const [status, statusField] = useStatusFilter(CALL_STATUSES);
  const [traffic, trafficFields] = useTrafficFilter();
  const [direction, directionField] = useChoiceFilter("Direction", "direction", CALL_DIRECTIONS);
  const [words, wordsField] = useTextFilter("Words", "find");
  const filters = { ...traffic, ...(status && { status }), ...(direction && { direction }) };
  const pages = usePages(["calls", "owned", accountSid, filters], (options) => calls.list({ ...options, ...filters }), {
    keepsRows: true,
  });
  const filter = (
    <>
      {trafficFields}
      {statusField}
      {directionField}
      {wordsField}
    </>
  );
  return (
    <OwnedList
      noun="calls"
      load={calls.why}
      more={(sid) => <OwnedSip key={sid} accountSid={accountSid} sid={sid} />}
      filter={filter}
    >
      {(selection) => (
        <Table
          {...pages}
          {...selection}
          rows={pages.rows.filter((call) => hasWords(textOf(call), words))}
          label="Calls of the account"
          columns={COLUMNS}
          empty={
            <NoneSuch what="No such calls" filters={["from", "to", "since", "until", "status", "direction", "find"]}>
              <Empty what="No calls yet" why="Calls that the account places, or that come to its numbers, show here." />
            </NoneSuch>
          }
        />
      )}
    </OwnedList>
  );
}
