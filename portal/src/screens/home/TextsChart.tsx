// Texts a minute over the last hour: sent above the line (delivered, in transit, failed), received below it.

import type { TrafficMinute } from "@tandem/sdk";
import { Section } from "../../components/page.tsx";
import { shortClock } from "../../components/zone.ts";

const WIDTH = 12;
const [ABOVE, BELOW, LINE] = [80, 26, 92];

interface Sums {
  readonly out: number;
  readonly delivered: number;
  readonly onTheWay: number;
  readonly failed: number;
  readonly received: number;
}

function sumsOf(minutes: readonly TrafficMinute[]): Sums {
  const sum = (pick: (minute: TrafficMinute) => number) => minutes.reduce((total, minute) => total + pick(minute), 0);
  const [out, delivered, failed] = [sum(({ sent }) => sent), sum((one) => one.delivered), sum((one) => one.failed)];
  return {
    out,
    delivered,
    failed,
    onTheWay: Math.max(0, out - delivered - failed),
    received: sum((one) => one.received),
  };
}

export function TextsChart({ minutes }: { readonly minutes: readonly TrafficMinute[] }) {
  const { out, delivered, onTheWay, failed, received } = sumsOf(minutes);
  const figures: readonly (readonly [string, number, string])[] = [
    ["Out", out, ""],
    ["Delivered", delivered, "chart-ok"],
    ["On the way", onTheWay, "chart-way"],
    ["Failed", failed, "chart-bad"],
    ["In", received, "chart-in"],
  ];
  return (
    <Section title="Texts a minute" aside="last hour">
      <div className="figure">
        <dl className="figures">
          {figures.map(([name, value, key]) => (
            <div key={name}>
              <dt>
                {key && <i className={`figure-key ${key}`} />}
                {name}
              </dt>
              <dd>{value.toLocaleString("en")}</dd>
            </div>
          ))}
        </dl>
        <svg
          className="chart"
          viewBox={`0 0 ${Math.max(1, minutes.length) * WIDTH} 132`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Texts a minute over the last hour: ${out} out, ${failed} of them failed; ${received} in`}
        >
          <Bars minutes={minutes} />
          <line x1="0" x2="100%" y1={LINE + 0.5} y2={LINE + 0.5} className="chart-axis" />
        </svg>
        <Axis minutes={minutes} />
      </div>
    </Section>
  );
}

function Bars({ minutes }: { readonly minutes: readonly TrafficMinute[] }) {
  const highest = Math.max(4, ...minutes.map(({ sent }) => sent));
  const highestIn = Math.max(4, ...minutes.map((minute) => minute.received));
  return minutes.map((minute, at) => {
    const x = at * WIDTH + 1.5;
    const ok = (minute.delivered * ABOVE) / highest;
    const bad = (minute.failed * ABOVE) / highest;
    const way = (Math.max(0, minute.sent - minute.delivered - minute.failed) * ABOVE) / highest;
    const below = (minute.received * BELOW) / highestIn;
    return (
      <g key={minute.at}>
        {ok > 0 && <rect x={x} y={LINE - ok} width={9} height={ok} className="chart-ok" />}
        {way > 0 && <rect x={x} y={LINE - ok - way} width={9} height={way} className="chart-way" />}
        {bad > 0 && <rect x={x} y={LINE - ok - way - bad} width={9} height={bad} className="chart-bad" />}
        {below > 0 && <rect x={x} y={LINE + 2} width={9} height={below} className="chart-in" />}
      </g>
    );
  });
}

/** The time at every quarter. */
export function Axis({ minutes }: { readonly minutes: readonly TrafficMinute[] }) {
  const places = [0, 0.25, 0.5, 0.75].map((part) => minutes[Math.floor(part * minutes.length)]?.at);
  return (
    <div className="axis chart-clock" aria-hidden="true">
      {places.map((at) => at && <span key={at}>{shortClock(new Date(at))}</span>)}
      <span>now</span>
    </div>
  );
}
