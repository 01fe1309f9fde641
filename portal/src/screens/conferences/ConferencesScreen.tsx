// Conferences: which are held, and who is in them? The list, filtered by the URL (`status:InProgress name:team`).

import { CONFERENCE_STATUSES, type Conference } from "@tandem/sdk";
import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/code.tsx";
import { type FilterField, type FilterTerm, nameOf, oneOf, termOf } from "../../components/filter.ts";
import { FilterBar } from "../../components/filter-bar.tsx";
import { NothingLikeThat } from "../../components/nothing-like-that.tsx";
import { Empty } from "../../components/page.tsx";
import { useFilteredPages } from "../../components/pages.ts";
import { usePlace } from "../../components/place.ts";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { ConferenceLength } from "./ConferenceLength.tsx";
import { END_REASONS, isLive, participantCount } from "./conference-queries.ts";

const NAME_MAX = 128;

const FIELDS: readonly FilterField[] = [
  oneOf("status", CONFERENCE_STATUSES),
  { name: "name", isValid: (value) => value.length <= NAME_MAX },
];

function queryOf(terms: readonly FilterTerm[]) {
  const status = nameOf(terms, "status", CONFERENCE_STATUSES);
  const name = termOf(terms, "name");
  return { ...(status && { status }), ...(name && { name }) };
}

const COLUMNS: readonly Column<Conference>[] = [
  { id: "at", head: "Time", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
  {
    id: "name",
    head: "Name",
    cell: ({ sid, name }) => (
      <Link to={`/conferences/${sid}`} className="quiet-link">
        {name}
      </Link>
    ),
    grow: true,
    phone: "first",
  },
  {
    id: "status",
    head: "Status",
    cell: ({ status }) => <Status kind="conference" value={status} />,
    phone: "first-right",
  },
  {
    id: "in",
    head: "In it, or how it ended",
    cell: (conference) => <span className="dim">{whereItIs(conference)}</span>,
    phone: "second",
  },
  {
    id: "length",
    head: "Length",
    cell: (conference) => <ConferenceLength conference={conference} />,
    align: "right",
    phone: "hidden",
  },
];

function whereItIs(conference: Conference): string {
  const { endReason } = conference;
  if (isLive(conference)) return participantCount(conference);
  return endReason === null ? "" : END_REASONS[endReason];
}

export function ConferencesScreen() {
  usePlace([{ label: "Conferences" }]);
  const { filter, pages } = useFilteredPages({
    key: ["conferences", "list"],
    fields: FIELDS,
    page: (options, terms) => client.conferences.list({ ...queryOf(terms), ...options }),
    textOf: ({ name, sid, status }) => `${name} ${sid} ${status}`,
  });
  return (
    <section className="column" aria-label="All conferences">
      <h1 className="vh">Conferences</h1>
      <FilterBar filter={filter} placeholder="status:InProgress  name:team">
        <Button small onClick={() => filter.onFilter("status:InProgress")}>
          In progress
        </Button>
      </FilterBar>
      <Table
        {...pages}
        label="Conferences"
        columns={COLUMNS}
        keyOf={({ sid }) => sid}
        pageOf={({ sid }) => `/conferences/${sid}`}
        empty={
          <NothingLikeThat what="No conference is like that" filter={filter}>
            <Empty what="No conferences yet" why="Callers whose script says this are in one together:">
              <CodeLine language="plain" text="<Response><Dial><Conference>team</Conference></Dial></Response>" />
            </Empty>
          </NothingLikeThat>
        }
      />
    </section>
  );
}
