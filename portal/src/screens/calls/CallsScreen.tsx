// Calls: who hung up, and what was said? The list, filtered by the URL (`status:Answered to:+1303… since:2h`), and the
// form that places a call (`?place=yes`).

import { CALL_DIRECTIONS, CALL_STATUSES, type Call } from "@tandem/sdk";
import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { partiesOf } from "../../components/call-parties.ts";
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
import { Icon } from "../../components/icon.tsx";
import { NothingLikeThat } from "../../components/nothing-like-that.tsx";
import { Empty, Split } from "../../components/page.tsx";
import { useFilteredPages } from "../../components/pages.ts";
import { Party } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useNow } from "../../components/use-now.ts";
import { talkTime } from "../../components/zone.ts";
import { enderOf, isLive, outcomeOf, talkedSeconds } from "./call-queries.ts";
import { PlaceCall } from "./PlaceCall.tsx";

const isParty = (value: string) => /^\+\d{7,15}$|^sips?:\S+$/.test(value);

const FIELDS: readonly FilterField[] = [
  oneOf("status", CALL_STATUSES),
  oneOf("direction", CALL_DIRECTIONS),
  { name: "from", values: ["+1"], isValid: isParty },
  { name: "to", values: ["+1"], isValid: isParty },
  ...TIME_FIELDS,
];

function queryOf(terms: readonly FilterTerm[]) {
  const status = nameOf(terms, "status", CALL_STATUSES);
  const direction = nameOf(terms, "direction", CALL_DIRECTIONS);
  const [from, to] = [termOf(terms, "from"), termOf(terms, "to")];
  return {
    ...(status && { status }),
    ...(direction && { direction }),
    ...(from && { from }),
    ...(to && { to }),
    ...createdWithin(terms),
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
      <span className="dim" title={direction}>
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
      <Link to={`/calls/${call.sid}`} className="quiet-link">
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
  const [{ place }, change] = useSearchState();
  const close = () => change({ place: undefined, from: undefined, to: undefined });
  return (
    <Split drawer={place && <PlaceCall onClose={close} />}>
      <h1 className="vh">Calls</h1>
      <CallList isPlacing={place !== undefined} onPlace={() => change({ place: "yes" }, { push: true })} />
    </Split>
  );
}

interface CallListProps {
  readonly onPlace: () => void;
  readonly isPlacing: boolean;
}

function CallList({ onPlace, isPlacing }: CallListProps) {
  const { filter, pages } = useFilteredPages({
    key: ["calls", "list"],
    fields: FIELDS,
    page: (options, terms) => client.calls.list({ ...queryOf(terms), ...options }),
    textOf: (call) => `${call.from} ${call.to} ${outcomeOf(call)} ${enderOf(call)} ${call.sid}`,
  });
  return (
    <section className="column" aria-label="All calls">
      <FilterBar filter={filter} placeholder="status:answered  to:+1303…  since:24h">
        <Button small onClick={() => filter.onFilter("status:Answered")}>
          On the line
        </Button>
        <Button small kind={isPlacing ? "quiet" : "primary"} icon="call" onClick={onPlace}>
          Place a call
        </Button>
      </FilterBar>
      <Table
        {...pages}
        label="Calls"
        columns={COLUMNS}
        keyOf={({ sid }) => sid}
        pageOf={({ sid }) => `/calls/${sid}`}
        empty={
          <NothingLikeThat what="No call is like that" filter={filter}>
            <Empty
              what="No calls yet"
              why="Place one here, or connect two of the sandbox's telephones from a terminal:"
            >
              <CommandLine words="call +12125550114 +13035550114 --record" />
            </Empty>
          </NothingLikeThat>
        }
      />
    </section>
  );
}
