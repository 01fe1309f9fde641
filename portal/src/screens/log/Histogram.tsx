// Entries of the last ten minutes, five seconds a bar, failures in red.

import { useMemo } from "react";
import { useNow } from "../../components/use-now.ts";
import { shortClock } from "../../components/zone.ts";
import { isFailure, type LogRow } from "./log-row.ts";

const BARS = 120;
const BAR_MS = 5000;
const HEIGHT = 36;
const WIDTH = 10;

interface Bar {
  readonly all: number;
  readonly failed: number;
}

function barsOf(rows: readonly LogRow[], until: number): readonly Bar[] {
  const bars = Array.from({ length: BARS }, () => ({ all: 0, failed: 0 }));
  for (const row of rows) {
    const place = BARS - 1 - Math.floor((until - Date.parse(row.at)) / BAR_MS);
    const bar = bars[Math.min(place, BARS - 1)];
    // Rows are in order: whatever follows is older still.
    if (place < 0) break;
    if (!bar) continue;
    bar.all += 1;
    if (isFailure(row)) bar.failed += 1;
  }
  return bars;
}

export function Histogram({ rows }: { readonly rows: readonly LogRow[] }) {
  const now = useNow(BAR_MS);
  const until = now.getTime();
  const bars = useMemo(() => barsOf(rows, until), [rows, until]);
  const failed = useMemo(() => rows.filter(isFailure).length, [rows]);
  const highest = Math.max(4, ...bars.map(({ all }) => all));
  const heightOf = (count: number) => (count * HEIGHT) / highest;
  const ticks = [10, 8, 6, 4, 2].map((minutes) => shortClock(new Date(until - minutes * 60_000)));
  return (
    <div className="histogram">
      <div className="histogram-words">
        <b className="num">{rows.length.toLocaleString("en")}</b> entries
        <br />
        <span className={failed > 0 ? "num histogram-failed" : "num dim"}>{failed.toLocaleString("en")} failed</span>
      </div>
      <div className="histogram-chart">
        <svg
          viewBox={`0 0 ${BARS * WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${rows.length} entries, ${failed} of them failed; the bars are the last ten minutes`}
        >
          {bars.map(({ all, failed: bad }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            <g key={at}>
              {all > 0 && (
                <rect
                  x={at * WIDTH + 1}
                  y={HEIGHT - heightOf(all)}
                  width={8}
                  height={heightOf(all)}
                  className="bar-all"
                />
              )}
              {bad > 0 && (
                <rect
                  x={at * WIDTH + 1}
                  y={HEIGHT - heightOf(bad)}
                  width={8}
                  height={heightOf(bad)}
                  className="bar-bad"
                />
              )}
            </g>
          ))}
        </svg>
        <div className="histogram-axis" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick}>{tick}</span>
          ))}
          <span>now</span>
        </div>
      </div>
    </div>
  );
}
