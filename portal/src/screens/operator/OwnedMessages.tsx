// The messages of an account for support: the list, and why one did not arrive.

import { MESSAGE_STATUSES, type MessageStatus, type OutboundMessage } from "@tandem/sdk";
import { operator } from "../../api/client.ts";
import { Empty } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { Sid } from "../../components/sid.tsx";
import { messageStatus, Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { OwnedTrail } from "./OwnedTrail.tsx";
import { Choice, TextField, usePages } from "./operator-parts.tsx";

const COLUMNS: readonly Column<OutboundMessage>[] = [
  { id: "at", head: "Sent", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
  {
    id: "status",
    head: "Status",
    cell: (message) => <Status kind="message" value={messageStatus(message)} />,
    phone: "first-right",
  },
  { id: "from", head: "From", cell: ({ from }) => <PhoneNumber value={from} /> },
  { id: "to", head: "To", cell: ({ to }) => <PhoneNumber value={to} />, phone: "first" },
  {
    id: "why",
    head: "What is the matter",
    cell: ({ errorDescription, statusReason }) => errorDescription ?? statusReason,
    grow: true,
    phone: "second",
  },
  { id: "sid", head: "Sid", cell: ({ sid }) => <Sid value={sid} /> },
];

export function OwnedMessages({ accountSid }: { readonly accountSid: string }) {
  const [{ sel, to = "", status = "" }, change] = useSearchState();
  const known = MESSAGE_STATUSES.find((each) => each === status);
  const number = /^\+?\d{7,15}$/.test(to) ? to : undefined;
  const { rows, source, onEnd } = usePages(["messages", "owned", accountSid, known, number], (options) =>
    operator
      .account(accountSid)
      .messages.list({ ...options, ...(known && { status: known }), ...(number && { to: number }) }),
  );
  return (
    <div className={sel ? "operator-split operator-split-open" : "operator-split"}>
      <div className="operator-page">
        <div className="operator-filter">
          <TextField label="To" mono value={to} onChange={(next) => change({ to: next || undefined })} />
          <Choice<MessageStatus>
            label="Status"
            none="All"
            values={MESSAGE_STATUSES}
            value={known ?? ""}
            onChange={(next) => change({ status: next || undefined })}
          />
        </div>
        <div className="operator-list operator-short">
          <Table
            label="Messages of the account"
            columns={COLUMNS}
            rows={rows}
            keyOf={(message) => message.sid}
            selected={sel}
            onSelect={(message) => change({ sel: message.sid })}
            source={source}
            empty={<Empty what="No such messages" why="Choose another status or number." />}
            onEnd={onEnd}
          />
        </div>
      </div>
      {sel && (
        <OwnedTrail
          noun="messages"
          sid={sel}
          load={(signal) => operator.account(accountSid).messages.why(sel, { signal })}
          onClose={() => change({ sel: undefined })}
        />
      )}
    </div>
  );
}
