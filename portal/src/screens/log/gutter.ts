// The line in the gutter: which rows of the list it connects, and which ones it only passes.

import type { LogRow } from "./log-row.ts";

export type Gutter = ReadonlyMap<string, "top" | "middle" | "end" | "pass">;

const NONE: Gutter = new Map();

/** Empty if the selected row is alone. */
export function gutterOf(rows: readonly LogRow[], chosen: LogRow | undefined): Gutter {
  if (!chosen) return NONE;
  const isOn = ({ trace }: LogRow) => trace === chosen.trace;
  const [first, last] = [rows.findIndex(isOn), rows.findLastIndex(isOn)];
  if (first === last) return NONE;
  return new Map(
    rows.slice(first, last + 1).map((row, at) => {
      if (at === 0) return [row.id, "top"];
      if (at === last - first) return [row.id, "end"];
      return [row.id, isOn(row) ? "middle" : "pass"];
    }),
  );
}
