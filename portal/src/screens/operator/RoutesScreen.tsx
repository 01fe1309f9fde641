// Routes: which links and trunks carry what. They are set in the config file; this screen only shows them.

import type { Route } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { PageHead, Section } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { type Column, Table } from "../../components/table.tsx";
import { NoWays } from "./NoWays.tsx";
import { PatchPanel } from "./PatchPanel.tsx";
import { KIND_WORDS, keyOf, routesQuery, wayWords } from "./routes.ts";
import { waysQuery } from "./ways.ts";
import "./operator.css";

const anyOr = (values: readonly string[]) =>
  values.length === 0 ? <span className="dim">any</span> : <span className="mono">{values.join(" ")}</span>;

const COLUMNS: readonly Column<Route>[] = [
  { id: "name", head: "Route", cell: ({ name }) => <b className="strong">{name}</b>, phone: "first" },
  { id: "kind", head: "Carries", cell: ({ kind }) => KIND_WORDS[kind], phone: "first-right" },
  { id: "from", head: "From", cell: ({ senders }) => anyOr(senders) },
  { id: "to", head: "To", cell: ({ destinations }) => anyOr(destinations), phone: "second-right" },
  { id: "carriers", head: "Recipient's carrier", cell: ({ carriers }) => anyOr(carriers) },
  {
    id: "ways",
    head: "Goes by",
    cell: ({ ways }) => ways.map(wayWords).join("; ") || "no link: messages wait",
    grow: true,
    phone: "second",
  },
];

export function RoutesScreen() {
  usePlace([{ label: "Routes" }]);
  const navigate = useNavigate();
  const query = useQuery(routesQuery);
  const ways = useQuery(waysQuery);
  return (
    <div className="operator-page">
      <PageHead
        title="Routes"
        sub="As the config file has them. The first that fits decides; calls take the first trunk that answers."
      />
      {query.data && !ways.data && <NotLoaded query={ways} what="The links did not load" />}
      {query.data && ways.data && (
        <PatchPanel
          routes={query.data}
          ways={ways.data}
          onSelect={({ id }) => void navigate({ href: `/operator/links?sel=${encodeURIComponent(id)}` })}
        />
      )}
      <Section title="In order" count={query.data?.length} className="operator-short">
        <Table
          label="Routes in order"
          columns={COLUMNS}
          rows={query.data ?? []}
          keyOf={keyOf}
          source={query}
          empty={<NoWays what="No routes" />}
        />
      </Section>
    </div>
  );
}
