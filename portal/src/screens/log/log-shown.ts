// The rows that match a filter, and their counts. Adding a batch in front costs only the batch, however many rows there
// are: hundreds may arrive in a second.
//
// Guarantees: the newest first; ROWS_MAX rows are kept, and dropped rows stay counted.

/** The members of a row that are used here. */
interface Dated {
  /** ISO 8601. */
  readonly at: string;
  readonly tone: string;
}

export interface Bar {
  readonly all: number;
  readonly failed: number;
}

export interface Shown<Row extends Dated = Dated> {
  readonly rows: readonly Row[];
  readonly all: number;
  readonly failed: number;
  /** By the number of their five-second interval since 1970. */
  readonly bars: ReadonlyMap<number, Bar>;
}

export const ROWS_MAX = 5000;
export const BAR_MS = 5000;
export const BARS = 120;

export const isFailure = ({ tone }: Pick<Dated, "tone">): boolean => tone === "bad" || tone === "warn";

/** Times of the same format compare as text; localeCompare would be too slow for thousands of rows a frame. */
function newestFirst(one: Dated, other: Dated): number {
  return one.at === other.at ? 0 : one.at < other.at ? 1 : -1;
}

type Filter<Row> = (row: Row) => boolean;

/** `rows` in any order. */
export function shownOf<Row extends Dated>(rows: readonly Row[], isWanted: Filter<Row>): Shown<Row> {
  return grown({ rows: [], all: 0, failed: 0, bars: new Map() }, rows, isWanted);
}

/** Adds a batch: in any order, nearly always newer than the rest. */
export function grown<Row extends Dated>(shown: Shown<Row>, batch: readonly Row[], isWanted: Filter<Row>): Shown<Row> {
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

function withBars(known: ReadonlyMap<number, Bar>, rows: readonly Dated[]): ReadonlyMap<number, Bar> {
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
