// The same counts as a table: for screen readers, and to read the exact figures. Of calls the list behind a figure has
// all that ended in that time.

import type { StatisticsReport } from "@tandem/sdk";
import { Link } from "@tanstack/react-router";
import { type Bar, barsOf, type Kind, listBehind, partsOf, timeOf } from "./counts.ts";

interface TableProps {
  readonly report: StatisticsReport;
  readonly title: string;
}

export function CountsTable({ report, title }: TableProps) {
  const { kind, step, items } = report;
  const outcomes = partsOf(kind, items).map(({ outcome }) => outcome);
  const rows = barsOf(report).filter(({ total }) => total > 0);
  return (
    <details className="statistics-table">
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label={`${title}, the table`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{step}</th>
              {outcomes.map((outcome) => (
                <th key={outcome} scope="col" className="right">
                  {outcome}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((bar) => (
              <tr key={bar.from}>
                <th scope="row">{timeOf(bar, step)}</th>
                {outcomes.map((outcome) => (
                  <td key={outcome} className="right">
                    <Count kind={kind} outcome={outcome} bar={bar} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function Count({ kind, outcome, bar }: { readonly kind: Kind; readonly outcome: string; readonly bar: Bar }) {
  const count = bar.parts.find((part) => part.outcome === outcome)?.count ?? 0;
  if (count === 0) return <span className="dim">0</span>;
  const { to, beyond } = listBehind(kind, outcome, bar);
  return (
    <Link to={to} className="link num" title={beyond && `The list shows ${beyond}`}>
      {count.toLocaleString("en")}
      {beyond && <span className="vh">, the list shows {beyond}</span>}
    </Link>
  );
}
