// One chart: the sums by outcome, a bar for each hour or day, and for messages a bar for each carrier.

import type { StatisticsReport } from "@tandem/sdk";
import { Link } from "@tanstack/react-router";
import {
  barsOf,
  type CarrierBar,
  carriersOf,
  listBehind,
  type Part,
  partsOf,
  timeOf,
  toneOf,
  totalOf,
} from "./counts.ts";
import { StackedBars } from "./StackedBars.tsx";

const CARRIERS_MAX = 8;

export function Chart({ report }: { readonly report: StatisticsReport }) {
  const { kind, step } = report;
  const bars = barsOf(report);
  const axis = (
    <div className="axis statistics-axis" aria-hidden="true">
      {[bars[0], bars.at(-1)].map((bar) => bar && <span key={bar.from}>{timeOf(bar, step)}</span>)}
    </div>
  );
  return (
    <>
      <Sums report={report} />
      <StackedBars
        key={`${report.from} ${report.to}`}
        kind={kind}
        label={`${kind} by the ${step.toLowerCase()}. Arrow keys move between the bars.`}
        bars={bars}
        nameOf={(bar) => timeOf(bar, step)}
        axis={axis}
      />
      {kind === "Messages" && <Carriers report={report} />}
    </>
  );
}

function Sums({ report }: { readonly report: StatisticsReport }) {
  const { kind, from, to, items } = report;
  const parts = partsOf(kind, items);
  return (
    <dl className="statistics-sums">
      <div>
        <dt>All</dt>
        <dd>{totalOf(parts).toLocaleString("en")}</dd>
      </div>
      {kind === "Deliveries" && (
        <div>
          <dt>Delivered of those that ended</dt>
          <dd>{deliveredShare(parts)}</dd>
        </div>
      )}
      {parts.map(({ outcome, count }) => {
        const { to: address, beyond } = listBehind(kind, outcome, { from, until: to });
        return (
          <div key={outcome}>
            <dt>
              <i className={`statistics-key bars-${toneOf(kind, outcome)}`} />
              {outcome}
            </dt>
            <dd>
              <Link to={address} className="link" title={beyond && `The list shows ${beyond}`}>
                {count.toLocaleString("en")}
                {beyond && <span className="vh">, the list shows {beyond}</span>}
              </Link>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** How healthy the receivers are; what still waits says nothing yet. */
function deliveredShare(parts: readonly Part[]): string {
  const ended = totalOf(parts.filter(({ outcome }) => outcome !== "Pending"));
  const delivered = totalOf(parts.filter(({ outcome }) => outcome === "Delivered"));
  // Rounded down: not all is never 100 %.
  return ended === 0 ? "–" : `${Math.floor((100 * delivered) / ended)} %`;
}

const nameOf = ({ carrier }: CarrierBar): string => carrier ?? "Carrier not known";

function Carriers({ report }: { readonly report: StatisticsReport }) {
  const all = carriersOf(report);
  const bars = all.slice(0, CARRIERS_MAX);
  return (
    <div className="statistics-carriers">
      <h3>By carrier</h3>
      <StackedBars
        kind="Messages"
        label="Messages by carrier. Arrow keys move between the bars."
        bars={bars}
        nameOf={(_, at) => (bars[at] ? nameOf(bars[at]) : "")}
        beyond="all carriers"
        isLying
      />
      {all.length > bars.length && (
        <p className="dim">{all.length - bars.length} further carriers have fewer: `tandem statistics` lists them.</p>
      )}
    </div>
  );
}
