// Statistics: how many texts, calls and webhook deliveries ended how, over a day, a week or a month (`?span=`). Counts
// of the API, by the hour or the day of UTC; every figure leads to the list behind it.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { client } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { Loaded } from "../../components/not-loaded.tsx";
import { Empty, PageHead, Section } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Time } from "../../components/time.tsx";
import { Chart } from "./Chart.tsx";
import { CountsTable } from "./CountsTable.tsx";
import { beginOf, type Kind, SPANS, type Span } from "./counts.ts";
import "./statistics.css";

const EVERY_MS = 30_000;

const statisticsQuery = (kind: Kind, span: Span) => ({
  ...dataQuery(["statistics", kind, span.id], (options) =>
    client.statistics.get({ kind, step: span.step, from: beginOf(span, new Date()) }, options),
  ),
  refetchInterval: EVERY_MS,
});

interface ChartOrder {
  readonly kind: Kind;
  readonly title: string;
  /** What is done where there is nothing. */
  readonly why: string;
  readonly words: string;
}

const CHARTS: readonly ChartOrder[] = [
  {
    kind: "Messages",
    title: "Messages by status",
    why: "Those that you send are counted here by status and carrier. From a terminal:",
    words: "send --to +14154740200 --text 'Hello from Tandem'",
  },
  {
    kind: "Calls",
    title: "Calls by outcome",
    why: "Each call is counted by why it ended. Connect two of the sandbox's telephones from a terminal:",
    words: "call +12125550114 +13035550114 --record",
  },
  {
    kind: "Deliveries",
    title: "Webhook deliveries",
    why: "Each event sent to a subscribed address is counted. To forward events to a server on your machine:",
    words: "listen --forward-to http://localhost:3000/hook",
  },
];

export function StatisticsScreen() {
  usePlace([{ label: "Statistics" }]);
  const [{ span: wanted }, change] = useSearchState();
  const span = SPANS.find(({ id }) => id === wanted) ?? SPANS[0];
  if (!span) return null;
  return (
    <>
      <PageHead
        title="Statistics"
        sub={
          <span>
            By the hour at the finest, days are those of UTC. What was deleted stays counted. For the last hour by the
            minute see{" "}
            <Link to="/" className="link statistics-inline">
              Home
            </Link>
            .
          </span>
        }
        buttons={<Spans chosen={span} onChoose={(id) => change({ span: id })} />}
      />
      {CHARTS.map((order) => (
        <Statistics key={order.kind} order={order} span={span} />
      ))}
    </>
  );
}

function Spans({ chosen, onChoose }: { readonly chosen: Span; readonly onChoose: (id: string) => void }): ReactNode {
  return SPANS.map(({ id, label }) => (
    <Button key={id} small aria-pressed={id === chosen.id} onClick={() => onChoose(id)}>
      {label}
    </Button>
  ));
}

function Statistics({ order, span }: { readonly order: ChartOrder; readonly span: Span }) {
  const { kind, title, why, words } = order;
  const query = useQuery(statisticsQuery(kind, span));
  const countedUntil = query.data?.countedUntil;
  const counted = countedUntil && (
    <>
      counted until <Time at={countedUntil} form="day" />
    </>
  );
  return (
    <Section title={title} aside={counted} className="statistics">
      <Loaded query={query} what="The counts did not load">
        {(report) =>
          report.items.length === 0 ? (
            <Empty what={`None in the last ${span.label}`} why={why}>
              <CommandLine words={words} />
            </Empty>
          ) : (
            <div className="statistics-body">
              <Chart report={report} />
              <CountsTable report={report} title={title} />
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}
