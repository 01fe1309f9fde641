// Calls started in each minute of the last hour.

import type { Call, TrafficMinute } from "@tandem/sdk";
import { Section } from "../../components/page.tsx";
import { Axis } from "./TextsChart.tsx";

const WIDTH = 7;
const [TOP, LINE] = [20, 118];

export interface CallsChartProps {
  readonly minutes: readonly TrafficMinute[];
  /** The latest ones. */
  readonly calls: readonly Call[];
  /** How many are running. */
  readonly now: number;
}

export function CallsChart({ minutes, calls, now }: CallsChartProps) {
  const placed = minutes.reduce((sum, minute) => sum + minute.calls, 0);
  const since = minutes[0]?.at ?? "";
  // Of the calls of this hour: a longer list than was loaded says of how many.
  const begun = calls.filter(({ createdOn }) => createdOn >= since);
  const answered = begun.filter(({ answeredOn }) => answeredOn !== null).length;
  const share = begun.length === 0 ? "–" : `${Math.round((100 * answered) / begun.length)} %`;
  const isWhole = begun.length < calls.length || begun.length >= placed;
  const highest = Math.max(2, ...minutes.map((minute) => minute.calls));
  const heightOf = (count: number) => LINE - (count * (LINE - TOP)) / highest;
  const path = minutes.map((minute, at) => `V${heightOf(minute.calls)}H${(at + 1) * WIDTH}`).join("");
  return (
    <Section title="Calls a minute" aside="last hour">
      <div className="figure">
        <dl className="figures">
          <div>
            <dt>Now</dt>
            <dd>{now}</dd>
          </div>
          <div>
            <dt>Begun</dt>
            <dd>{placed}</dd>
          </div>
          <div>
            <dt>{isWhole ? "Answered" : `Answered of the last ${begun.length}`}</dt>
            <dd>{share}</dd>
          </div>
        </dl>
        <svg
          className="chart"
          viewBox={`0 0 ${Math.max(1, minutes.length) * WIDTH} 132`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Calls over the last hour: ${placed} begun, ${now} now`}
        >
          <path d={`M0 ${LINE}${path}V${LINE}Z`} className="chart-fill" />
          <path d={`M0 ${LINE}${path}`} className="chart-line" />
          <line x1="0" x2="100%" y1={LINE + 0.5} y2={LINE + 0.5} className="chart-axis" />
        </svg>
        <Axis minutes={minutes} />
      </div>
    </Section>
  );
}
