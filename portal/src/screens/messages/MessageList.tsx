// All sent messages, filtered by the URL: `status:Failed to:+1415… error:3002 since:2h`.

import { MESSAGE_STATUSES, type MessageStatus, type OutboundMessage } from "@tandem/sdk";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { CodeLine } from "../../components/code.tsx";
import { type FilterField, type FilterTerm, parseFilter, sinceOf } from "../../components/filter.ts";
import { FilterBar } from "../../components/filter-bar.tsx";
import { NothingLikeThat } from "../../components/nothing-like-that.tsx";
import { Empty } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { failureWord, messageStatus, Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";

const isNumber = (value: string) => /^\+\d{7,15}$|^\d{3,8}$/.test(value);

const FIELDS: readonly FilterField[] = [
  { name: "status", values: MESSAGE_STATUSES, isValid: (value) => statusOf(value) !== undefined },
  { name: "to", values: ["+1"], isValid: isNumber },
  { name: "from", values: ["+1"], isValid: isNumber },
  { name: "error", values: ["3002", "1003", "3100"], isValid: (value) => /^\d{1,10}$/.test(value) },
  { name: "since", values: ["1h", "24h", "7d"], isValid: (value) => sinceOf(value, new Date()) !== undefined },
];

function statusOf(value: string): MessageStatus | undefined {
  return MESSAGE_STATUSES.find((known) => known.toLowerCase() === value.toLowerCase());
}

function queryOf(terms: readonly FilterTerm[]) {
  const valueFor = (name: string) => terms.find(({ field, isBad }) => field === name && !isBad)?.value;
  const [status, since, error] = [statusOf(valueFor("status") ?? ""), valueFor("since"), valueFor("error")];
  const [to, from] = [valueFor("to"), valueFor("from")];
  const sinceDate = since === undefined ? undefined : sinceOf(since, new Date());
  return {
    ...(status && { status }),
    ...(to && { to }),
    ...(from && { from }),
    ...(error && { errorCode: Number(error) }),
    ...(sinceDate && { createdOnFrom: sinceDate.toISOString() }),
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
  const [{ q = "" }, change] = useSearchState();
  const navigate = useNavigate();
  const terms = parseFilter(q, FIELDS);
  const query = useInfiniteQuery({
    queryKey: ["messages", "list", q],
    queryFn: async ({ signal, pageParam }) =>
      (await client.messages.list({ ...queryOf(terms), ...(pageParam && { searchId: pageParam }), signal })).data,
    initialPageParam: "",
    getNextPageParam: ({ searchId }) => searchId,
    placeholderData: keepPreviousData,
  });
  const words = terms.filter(({ field }) => field === undefined).map(({ value }) => value.toLowerCase());
  const rows = (query.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
  const open = ({ sid }: OutboundMessage, isNewTab: boolean) => {
    if (isNewTab) window.open(`/messages/${sid}`, "_blank", "noopener");
    else void navigate({ to: `/messages/${sid}` });
  };
  return (
    <section className="message-list" aria-label="All messages">
      <FilterBar
        fields={FIELDS}
        value={q}
        onChange={(next) => change({ q: next })}
        placeholder="status:failed  to:+1415…"
      >
        <Button small onClick={() => change({ q: "status:Failed since:24h" })}>
          Failures
        </Button>
        <ButtonLink to="/messages/new" kind="primary" small icon="send">
          Send a text
        </ButtonLink>
      </FilterBar>
      <Table
        label="Messages"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ sid }) => sid}
        onOpen={open}
        source={query}
        empty={<NoMessages terms={terms} onChange={(next) => change({ q: next })} q={q} />}
        onEnd={() => query.hasNextPage && !query.isFetching && void query.fetchNextPage()}
      />
    </section>
  );
}

interface NoMessagesProps {
  readonly terms: readonly FilterTerm[];
  readonly q: string;
  readonly onChange: (q: string) => void;
}

function NoMessages({ terms, q, onChange }: NoMessagesProps) {
  if (terms.length === 0) {
    return (
      <Empty what="No texts sent yet" why="Send one here, or from a terminal:">
        <CodeLine text="tandem send --to +14154740200 --text 'Hello from Tandem'" />
      </Empty>
    );
  }
  return <NothingLikeThat what="No text is like that" terms={terms} q={q} onFilter={onChange} />;
}
