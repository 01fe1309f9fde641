// All sent messages, filtered by the URL: `status:Failed to:+1415… error:3002 since:2h`.

import { MESSAGE_STATUSES, type OutboundMessage } from "@tandem/sdk";
import { client } from "../../api/client.ts";
import { SENT } from "../../api/freshness.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import {
  createdWithin,
  type FilterField,
  type FilterTerm,
  nameOf,
  oneOf,
  TIME_FIELDS,
  termOf,
} from "../../components/filter.ts";
import { FilterBar } from "../../components/filter-bar.tsx";
import { NothingLikeThat } from "../../components/nothing-like-that.tsx";
import { Empty } from "../../components/page.tsx";
import { useFilteredPages } from "../../components/pages.ts";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { failureWord, messageStatus, Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";

const isNumber = (value: string) => /^\+\d{7,15}$|^\d{3,8}$/.test(value);

const FIELDS: readonly FilterField[] = [
  oneOf("status", MESSAGE_STATUSES),
  { name: "to", values: ["+1"], isValid: isNumber },
  { name: "from", values: ["+1"], isValid: isNumber },
  { name: "error", values: ["3002", "1003", "3100"], isValid: (value) => /^\d{1,10}$/.test(value) },
  ...TIME_FIELDS,
];

function queryOf(terms: readonly FilterTerm[]) {
  const status = nameOf(terms, "status", MESSAGE_STATUSES);
  const [to, from, error] = [termOf(terms, "to"), termOf(terms, "from"), termOf(terms, "error")];
  return {
    ...(status && { status }),
    ...(to && { to }),
    ...(from && { from }),
    ...(error && { errorCode: Number(error) }),
    ...createdWithin(terms),
  };
}

const COLUMNS: readonly Column<OutboundMessage>[] = [
  { id: "at", head: "Time", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
  { id: "from", head: "From", cell: ({ from }) => <PhoneNumber value={from} /> },
  { id: "to", head: "To", cell: ({ to }) => <PhoneNumber value={to} />, phone: "first" },
  { id: "text", head: "Text", cell: ({ text }) => text, grow: true, phone: "second" },
  {
    id: "status",
    head: "Status",
    cell: (message) => <Status kind="message" value={messageStatus(message)} word={failureWord(message.errorCode)} />,
    phone: "first-right",
  },
];

export function MessageList() {
  const { filter, pages } = useFilteredPages({
    key: [...SENT, "list"],
    fields: FIELDS,
    page: (options, terms) => client.messages.list({ ...queryOf(terms), ...options }),
    textOf: ({ text }) => text,
  });
  return (
    <section className="message-list" aria-label="All messages">
      <FilterBar filter={filter} placeholder="status:failed  to:+1415…">
        <Button small onClick={() => filter.onFilter("status:Failed since:24h")}>
          Failures
        </Button>
        <ButtonLink to="/messages/new" kind="primary" small icon="send">
          Send a text
        </ButtonLink>
      </FilterBar>
      <Table
        {...pages}
        label="Messages"
        columns={COLUMNS}
        keyOf={({ sid }) => sid}
        pageOf={({ sid }) => `/messages/${sid}`}
        empty={
          <NothingLikeThat what="No text is like that" filter={filter}>
            <Empty what="No texts sent yet" why="Send one here, or from a terminal:">
              <CommandLine words="send --to +14154740200 --text 'Hello from Tandem'" />
            </Empty>
          </NothingLikeThat>
        }
      />
    </section>
  );
}
