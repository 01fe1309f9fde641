// The messages of an account for support: the list, and why one did not arrive.

import { MESSAGE_STATUSES, type OutboundMessage } from "@tandem/sdk";
import { operator } from "../../api/client.ts";
import { NoneSuch } from "../../components/none-such.tsx";
import { Empty } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { Sid } from "../../components/sid.tsx";
import { messageStatus, Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { OwnedList } from "./OwnedList.tsx";
import { hasWords, useStatusFilter, useTextFilter, useTrafficFilter } from "./operator-parts.tsx";

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
  const { messages } = operator.account(accountSid);
  const [status, statusField] = useStatusFilter(MESSAGE_STATUSES);
  const [traffic, trafficFields] = useTrafficFilter();
  const [error, errorField] = useTextFilter("Error", "error");
  const [words, wordsField] = useTextFilter("Words", "find");
  const filters = {
    ...traffic,
    ...(status && { status }),
    ...(/^\d{1,9}$/.test(error) && { errorCode: Number(error) }),
  };
  const pages = usePages(
    ["messages", "owned", accountSid, filters],
    (options) => messages.list({ ...options, ...filters }),
    { keepsRows: true },
  );
  const filter = (
    <>
      {trafficFields}
      {statusField}
      {errorField}
      {wordsField}
    </>
  );
  return (
    <OwnedList noun="messages" load={messages.why} filter={filter}>
      {(selection) => (
        <Table
          {...pages}
          {...selection}
          rows={pages.rows.filter(({ text }) => hasWords(text, words))}
          label="Messages of the account"
          columns={COLUMNS}
          empty={
            <NoneSuch what="No such messages" filters={["from", "to", "since", "until", "status", "error", "find"]}>
              <Empty what="No messages yet" why="Texts that the account sends show here, each with its history." />
            </NoneSuch>
          }
        />
      )}
    </OwnedList>
  );
}
