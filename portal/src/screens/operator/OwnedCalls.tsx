// The calls of an account for support: the list, and why one ended as it did.

import { CALL_STATUSES, type Call, type CallStatus } from "@tandem/sdk";
import { operator } from "../../api/client.ts";
import { Empty } from "../../components/page.tsx";
import { Party } from "../../components/phone-number.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { OwnedTrail } from "./OwnedTrail.tsx";
import { Choice, usePages } from "./operator-parts.tsx";

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

export function OwnedCalls({ accountSid }: { readonly accountSid: string }) {
  const [{ sel, status = "" }, change] = useSearchState();
  const known = CALL_STATUSES.find((each) => each === status);
  const { rows, source, onEnd } = usePages(["calls", "owned", accountSid, known], (options) =>
    operator.account(accountSid).calls.list({ ...options, ...(known && { status: known }) }),
  );
  return (
    <div className={sel ? "operator-split operator-split-open" : "operator-split"}>
      <div className="operator-page">
        <div className="operator-filter">
          <Choice<CallStatus>
            label="Status"
            none="All"
            values={CALL_STATUSES}
            value={known ?? ""}
            onChange={(next) => change({ status: next || undefined })}
          />
        </div>
        <div className="operator-list operator-short">
          <Table
            label="Calls of the account"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ sid }) => sid}
            selected={sel}
            onSelect={({ sid }) => change({ sel: sid })}
            source={source}
            empty={<Empty what="No such calls" why="Choose another status." />}
            onEnd={onEnd}
          />
        </div>
      </div>
      {sel && (
        <OwnedTrail
          noun="calls"
          sid={sel}
          load={(signal) => operator.account(accountSid).calls.why(sel, { signal })}
          onClose={() => change({ sel: undefined })}
        />
      )}
    </div>
  );
}
