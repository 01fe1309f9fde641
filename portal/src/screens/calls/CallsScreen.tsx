// Calls: who hung up, and what was said? The list, filtered by the URL (`status:Answered to:+1303… since:2h`), and the
// form that places a call (`?place=yes`).

import { CALL_DIRECTIONS, CALL_STATUSES, type Call } from "@tandem/sdk";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/code.tsx";
import { type FilterField, type FilterTerm, parseFilter, sinceOf } from "../../components/filter.ts";
import { FilterBar } from "../../components/filter-bar.tsx";
import { Icon } from "../../components/icon.tsx";
import { NothingLikeThat } from "../../components/nothing-like-that.tsx";
import { Empty } from "../../components/page.tsx";
import { Party } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useNow } from "../../components/use-now.ts";
import { talkTime } from "../../components/zone.ts";
import { enderOf, isLive, outcomeOf, partiesOf, talkedSeconds } from "./call-queries.ts";
import { PlaceCall } from "./PlaceCall.tsx";
import "./calls.css";

const isParty = (value: string) => /^\+\d{7,15}$|^sips?:\S+$/.test(value);
const known = <Name extends string>(names: readonly Name[], value: string | undefined) =>
  names.find((name) => name.toLowerCase() === value?.toLowerCase());

const FIELDS: readonly FilterField[] = [
  { name: "status", values: CALL_STATUSES, isValid: (value) => known(CALL_STATUSES, value) !== undefined },
  { name: "direction", values: CALL_DIRECTIONS, isValid: (value) => known(CALL_DIRECTIONS, value) !== undefined },
  { name: "from", values: ["+1"], isValid: isParty },
  { name: "to", values: ["+1"], isValid: isParty },
  { name: "since", values: ["1h", "24h", "7d"], isValid: (value) => sinceOf(value, new Date()) !== undefined },
];

function queryOf(terms: readonly FilterTerm[]) {
  const valueFor = (name: string) => terms.find(({ field, isBad }) => field === name && !isBad)?.value;
  const status = known(CALL_STATUSES, valueFor("status"));
  const direction = known(CALL_DIRECTIONS, valueFor("direction"));
  const [from, to, since] = [valueFor("from"), valueFor("to"), valueFor("since")];
  const sinceDate = since === undefined ? undefined : sinceOf(since, new Date());
  return {
    ...(status && { status }),
    ...(direction && { direction }),
    ...(from && { from }),
    ...(to && { to }),
    ...(sinceDate && { createdOnFrom: sinceDate.toISOString() }),
  };
}

const COLUMNS: readonly Column<Call>[] = [
  {
    id: "at",
    head: "Time",
    cell: ({ createdOn }) => <Time at={createdOn} form="day" />,
    phone: "second-right",
  },
  {
    id: "direction",
    head: <span className="vh">Direction</span>,
    cell: ({ direction }) => (
      <span className="calls-direction" title={direction}>
        <Icon name={direction === "Inbound" ? "in" : "out"} small />
        <span className="vh">{direction}</span>
      </span>
    ),
  },
  { id: "from", head: "From", cell: ({ from }) => <Party value={from} />, phone: "second" },
  {
    id: "to",
    head: "To",
    cell: (call) => (
      <Link to={`/calls/${call.sid}`} className="calls-link">
        <Party value={partiesOf(call).second} />
      </Link>
    ),
    phone: "first",
  },
  {
    id: "status",
    head: "Status",
    cell: (call) => <Status kind="call" value={outcomeOf(call)} />,
    phone: "first-right",
  },
  { id: "ended", head: "End", cell: (call) => <span className="dim">{enderOf(call)}</span>, grow: true },
  {
    id: "recording",
    head: "Recording",
    cell: ({ recordings }) => recordings && <Status kind="recording" value={recordings.status} />,
  },
  { id: "length", head: "Talked", cell: (call) => <Talked call={call} />, align: "right" },
];

function Talked({ call }: { readonly call: Call }) {
  return isLive(call) ? <LiveTalked call={call} /> : shownLength(talkedSeconds(call, new Date(0)));
}

function LiveTalked({ call }: { readonly call: Call }) {
  return shownLength(talkedSeconds(call, useNow(1000)));
}

const shownLength = (seconds: number | undefined) => (seconds === undefined ? "" : talkTime(seconds));

export function CallsScreen() {
  usePlace([{ label: "Calls" }]);
  const [{ q = "", place }, change] = useSearchState();
  return (
    <div className={place ? "calls calls-placing" : "calls"}>
      <h1 className="vh">Calls</h1>
      <CallList
        isPlacing={place !== undefined}
        q={q}
        onFilter={(next) => change({ q: next })}
        onPlace={() => change({ place: "yes" }, { push: true })}
      />
      {place && <PlaceCall onClose={() => change({ place: undefined, from: undefined, to: undefined })} />}
    </div>
  );
}

interface CallListProps {
  readonly q: string;
  readonly onFilter: (q: string) => void;
  readonly onPlace: () => void;
  readonly isPlacing: boolean;
}

function CallList({ q, onFilter, onPlace, isPlacing }: CallListProps) {
  const navigate = useNavigate();
  const terms = parseFilter(q, FIELDS);
  const query = useInfiniteQuery({
    queryKey: ["calls", "list", q],
    queryFn: async ({ signal, pageParam }) =>
      (await client.calls.list({ ...queryOf(terms), ...(pageParam && { searchId: pageParam }), signal })).data,
    initialPageParam: "",
    getNextPageParam: ({ searchId }) => searchId,
    placeholderData: keepPreviousData,
  });
  const words = terms.filter(({ field }) => field === undefined).map(({ value }) => value.toLowerCase());
  const rows = (query.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter((call) => {
      const said = `${call.from} ${call.to} ${outcomeOf(call)} ${enderOf(call)} ${call.sid}`.toLowerCase();
      return words.every((word) => said.includes(word));
    });
  const open = ({ sid }: Call, isNewTab: boolean) => {
    if (isNewTab) window.open(`/calls/${sid}`, "_blank", "noopener");
    else void navigate({ to: `/calls/${sid}` });
  };
  return (
    <section className="calls-list" aria-label="All calls">
      <FilterBar fields={FIELDS} value={q} onChange={onFilter} placeholder="status:answered  to:+1303…  since:24h">
        <Button small onClick={() => onFilter("status:Answered")}>
          On the line
        </Button>
        <Button small kind={isPlacing ? "quiet" : "primary"} icon="call" onClick={onPlace}>
          Place a call
        </Button>
      </FilterBar>
      <Table
        label="Calls"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ sid }) => sid}
        onOpen={open}
        source={query}
        empty={<NoCalls terms={terms} q={q} onFilter={onFilter} />}
        onEnd={() => query.hasNextPage && !query.isFetching && void query.fetchNextPage()}
      />
    </section>
  );
}

interface NoCallsProps {
  readonly terms: readonly FilterTerm[];
  readonly q: string;
  readonly onFilter: (q: string) => void;
}

function NoCalls({ terms, q, onFilter }: NoCallsProps) {
  if (terms.length === 0) {
    return (
      <Empty what="No calls yet" why="Place one here, or connect two of the sandbox's telephones from a terminal:">
        <CodeLine text="tandem call +12125550114 +13035550114 --record" />
      </Empty>
    );
  }
  return <NothingLikeThat what="No call is like that" terms={terms} q={q} onFilter={onFilter} />;
}
