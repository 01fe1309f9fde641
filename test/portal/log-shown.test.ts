// The rows of the portal's log as they grow: in order, bounded, and counted even when no longer kept.

import { expect, test } from "vitest";
import { BAR_MS, BARS, grown, ROWS_MAX, shownOf } from "../../portal/src/screens/log/log-shown.ts";

const START = Date.parse("2026-11-16T12:00:00.000Z");

interface Row {
  readonly at: string;
  readonly tone: string;
}

const row = (ms: number, tone = "ok"): Row => ({ at: new Date(START + ms).toISOString(), tone });
const times = (rows: readonly Row[]) => rows.map(({ at }) => Date.parse(at) - START);
const all = () => true;

test("a batch that came late finds its place", () => {
  const first = shownOf([row(10), row(30), row(20)], all);
  expect(times(first.rows)).toEqual([30, 20, 10]);
  const second = grown(first, [row(25), row(40)], all);
  expect(times(second.rows)).toEqual([40, 30, 25, 20, 10]);
  expect(grown(second, [], all)).toBe(second);
});

test("only the newest are kept, and all are counted", () => {
  const many = Array.from({ length: ROWS_MAX }, (_, ms) => row(ms, ms % 10 === 0 ? "bad" : "ok"));
  const shown = grown(shownOf(many, all), [row(ROWS_MAX), row(ROWS_MAX + 1)], all);
  expect(shown.rows).toHaveLength(ROWS_MAX);
  expect(times(shown.rows).at(-1)).toBe(2);
  expect(shown).toMatchObject({ all: ROWS_MAX + 2, failed: ROWS_MAX / 10 });
  expect([...shown.bars.values()].reduce((sum, bar) => sum + bar.all, 0)).toBe(ROWS_MAX + 2);
});

test("bars go when their time is over", () => {
  const shown = grown(shownOf([row(0)], all), [row(BARS * BAR_MS)], all);
  expect([...shown.bars.values()]).toEqual([{ all: 1, failed: 0 }]);
  expect(shown.all).toBe(2);
});

test("what the filter leaves out is neither shown nor counted", () => {
  const isWell = ({ tone }: Row) => tone === "ok";
  const shown = grown(shownOf([row(1), row(2, "bad")], isWell), [row(3)], isWell);
  expect(times(shown.rows)).toEqual([3, 1]);
  expect(shown).toMatchObject({ all: 2, failed: 0 });
});
