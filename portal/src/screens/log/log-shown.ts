// The rows that a filter lets through, and what is counted of them. A batch that comes is put before the others at the
// cost of the batch, whatever is there already: hundreds may come in a second.
//
// Guarantees: the newest first; ROWS_MAX rows are kept, and what was counted stays counted.

/** What is asked of a row here. */
interface Told {
  /** ISO 8601. */
  readonly at: string;
  readonly tone: string;
}

export interface Bar {
  readonly all: number;
  readonly failed: number;
}

export interface Shown<Row extends Told = Told> {
  readonly rows: readonly Row[];
  readonly all: number;
  readonly failed: number;
  /** By the number of their five seconds since 1970. */
  readonly bars: ReadonlyMap<number, Bar>;
}

export const ROWS_MAX = 5000;
export const BAR_MS = 5000;
export const BARS = 120;

export const isFailure = ({ tone }: Pick<Told, "tone">): boolean => tone === "bad" || tone === "warn";

/** Times of one form compare as text; localeCompare would be too slow for thousands of rows a frame. */
function newestFirst(one: Told, other: Told): number {
  return one.at === other.at ? 0 : one.at < other.at ? 1 : -1;
}

type Filter<Row> = (row: Row) => boolean;

/** `rows` in any order. */
export function shownOf<Row extends Told>(rows: readonly Row[], isWanted: Filter<Row>): Shown<Row> {
  return grown({ rows: [], all: 0, failed: 0, bars: new Map() }, rows, isWanted);
}

/** With a batch more: in any order, nearly always newer than the rest. */
export function grown<Row extends Told>(shown: Shown<Row>, batch: readonly Row[], isWanted: Filter<Row>): Shown<Row> {
  const added = batch.filter(isWanted).sort(newestFirst);
  const oldest = added.at(-1);
  if (oldest === undefined) return shown;
  const settled = shown.rows.findIndex(({ at }) => at <= oldest.at);
  const mixed = settled < 0 ? shown.rows : shown.rows.slice(0, settled);
  const head = mixed.length === 0 ? added : [...added, ...mixed].sort(newestFirst);
  const rest = settled < 0 ? [] : shown.rows.slice(settled);
  return {
    rows: head.concat(rest).slice(0, ROWS_MAX),
    all: shown.all + added.length,
    failed: shown.failed + added.filter(isFailure).length,
    bars: withBars(shown.bars, added),
  };
}

function withBars(known: ReadonlyMap<number, Bar>, rows: readonly Told[]): ReadonlyMap<number, Bar> {
  const bars = new Map(known);
  for (const row of rows) {
    const place = Math.floor(Date.parse(row.at) / BAR_MS);
    const { all, failed } = bars.get(place) ?? { all: 0, failed: 0 };
    bars.set(place, { all: all + 1, failed: failed + (isFailure(row) ? 1 : 0) });
  }
  const newest = Math.max(...bars.keys());
  for (const place of bars.keys()) if (place <= newest - BARS) bars.delete(place);
  return bars;
}
