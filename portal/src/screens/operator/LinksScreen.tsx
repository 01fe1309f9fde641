// Links and trunks: which carrier has a problem? The current traffic of each, and stopping and starting it.

import { useQuery } from "@tanstack/react-query";
import { Section } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { NoWays } from "./NoWays.tsx";
import { SplitPage, useSelection } from "./operator-parts.tsx";
import { PatchPanel } from "./PatchPanel.tsx";
import { routesQuery } from "./routes.ts";
import { WayDrawer } from "./WayDrawer.tsx";
import { isWell, type Way, waysQuery } from "./ways.ts";

const windowOf = ({ inFlight, window }: Way) => (window === null ? `${inFlight}` : `${inFlight} of ${window}`);

const COLUMNS: readonly Column<Way>[] = [
  {
    id: "name",
    head: "Link",
    cell: ({ name, protocol }) => (
      <>
        <b className="strong">{name}</b> <span className="tag">{protocol}</span>
      </>
    ),
    phone: "first",
  },
  { id: "state", head: "State", cell: ({ state }) => <Status kind="link" value={state} />, phone: "first-right" },
  { id: "why", head: "Says", cell: ({ reason }) => reason, grow: true, phone: "second" },
  { id: "flight", head: "In flight", cell: windowOf, align: "right", phone: "second-right" },
  { id: "rate", head: "Rate", cell: ({ perSecond }) => `${perSecond}/s`, align: "right" },
  {
    id: "p95",
    head: "Answer p95",
    cell: ({ p95Ms }) => (p95Ms === null ? "–" : `${p95Ms.toLocaleString()} ms`),
    align: "right",
  },
  { id: "since", head: "Since", cell: ({ since }) => since && <Time at={since} form="day" />, align: "right" },
];

export function LinksScreen() {
  usePlace([{ label: "Links" }]);
  const query = useQuery(waysQuery);
  const routes = useQuery(routesQuery);
  const ways = query.data ?? [];
  const { chosen, close, table } = useSelection(ways, ({ id }) => id);
  const perSecond = (isTrunk: boolean) =>
    ways.filter((way) => way.isTrunk === isTrunk).reduce((sum, way) => sum + way.perSecond, 0);
  return (
    <SplitPage
      title="Links"
      sub={
        query.data && (
          <>
            <span className="num">
              {ways.length} {ways.length === 1 ? "link" : "links"}, {ways.filter(isWell).length} well
            </span>
            <span className="num">
              {perSecond(false)} texts/s, {perSecond(true)} calls/s
            </span>
          </>
        )
      }
      drawer={chosen && <WayDrawer way={chosen} onClose={close} />}
    >
      {query.data && routes.data && (
        <PatchPanel routes={routes.data} ways={ways} selected={table.selected} onSelect={table.onSelect} />
      )}
      <Section title="Now" aside="rates of the last 10 s, p95 of the last minute" className="operator-short">
        <Table
          {...table}
          label="Links and trunks"
          columns={COLUMNS}
          rows={ways}
          source={query}
          empty={<NoWays what="No links" />}
        />
      </Section>
    </SplitPage>
  );
}
