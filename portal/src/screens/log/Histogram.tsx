// Entries of the last ten minutes, five seconds a bar, failures in red.

import { useRef } from "react";
import { useNow } from "../../components/use-now.ts";
import { shortClock } from "../../components/zone.ts";
import { BAR_MS, BARS, type Shown } from "./log-shown.ts";

const HEIGHT = 36;
const WIDTH = 10;
const NONE = { all: 0, failed: 0 };

export function Histogram({ shown }: { readonly shown: Shown }) {
  const { all, failed } = shown;
  const until = useNow(BAR_MS).getTime();
  const newest = Math.max(Math.floor(until / BAR_MS), ...shown.bars.keys());
  const bars = Array.from({ length: BARS }, (_, at) => shown.bars.get(newest - BARS + 1 + at) ?? NONE);
  const highest = Math.max(4, ...bars.map((bar) => bar.all));
  const ticks = [10, 8, 6, 4, 2].map((minutes) => shortClock(new Date(until - minutes * 60_000)));
  const summary = useSummary(`${all} entries, ${failed} of them failed`, until);
  return (
    <div className="histogram">
      <div className="histogram-words">
        <b className="num">{all.toLocaleString("en")}</b> entries
        <br />
        <span className={failed > 0 ? "num histogram-failed" : "num dim"}>{failed.toLocaleString("en")} failed</span>
      </div>
      <p className="vh" role="status">
        {summary}
      </p>
      <div className="histogram-chart">
        <svg
          viewBox={`0 0 ${BARS * WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label="Entries of the last ten minutes, five seconds a bar"
        >
          <path d={barsOf(bars.map((bar) => bar.all / highest))} className="bar-all" />
          <path d={barsOf(bars.map((bar) => bar.failed / highest))} className="bar-bad" />
        </svg>
        <div className="axis histogram-axis" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick}>{tick}</span>
          ))}
          <span>now</span>
        </div>
      </div>
    </div>
  );
}

/** One bar for each share of the full height. */
function barsOf(shares: readonly number[]): string {
  return shares
    .map((share, at) => (share > 0 ? `M${at * WIDTH + 1} ${HEIGHT}v${-share * HEIGHT}h8V${HEIGHT}z` : ""))
    .join("");
}

/** What screen readers read out: it changes with each bar, not with every entry. */
function useSummary(words: string, until: number): string {
  const said = useRef({ words, until });
  if (said.current.until !== until) said.current = { words, until };
  return said.current.words;
}
