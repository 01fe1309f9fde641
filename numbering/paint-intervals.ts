// Turns prefixes of several layers into one sorted list of disjoint intervals, so that the reader needs no notion of
// layers or prefix lengths: every point of the digit space belongs to the highest-ranked prefix that covers it.
//
// Prefix intervals are either nested or disjoint, so one sweep with a stack of the open ones is enough.

import { E164_DIGITS_MAX, POWERS_OF_TEN } from "../src/domain/lookup/numbering-table.ts";

export interface PaintedPrefix {
  /** Calling code and national digits, 1 to 15 of them. */
  readonly prefix: string;
  /** 1 to 65,535. */
  readonly holder: number;
  /** Painted over every lower rank; among equals the longer prefix wins. */
  readonly rank: number;
}

export interface Intervals {
  readonly starts: Float64Array;
  readonly holders: Uint16Array;
}

interface OpenInterval {
  readonly end: number;
  readonly rank: number;
  readonly holder: number;
}

const NO_HOLDER: OpenInterval = { end: Number.POSITIVE_INFINITY, rank: -1, holder: 0 };

export function paintIntervals(prefixes: readonly PaintedPrefix[]): Intervals {
  const rows = prefixes
    .map(({ prefix, holder, rank }) => ({
      start: startOf(prefix),
      length: prefix.length,
      holder,
      // A later layer wins over any length; within a layer the longer prefix wins.
      rank: rank * (E164_DIGITS_MAX + 1) + prefix.length,
    }))
    .sort((a, b) => a.start - b.start || a.length - b.length || a.rank - b.rank);

  const starts: number[] = [];
  const holders: number[] = [];
  const open: OpenInterval[] = [NO_HOLDER];
  const top = () => open[open.length - 1] ?? NO_HOLDER;

  function emit(start: number, holder: number): void {
    if (starts[starts.length - 1] === start) {
      starts.pop();
      holders.pop();
    }
    if ((holders[holders.length - 1] ?? 0) === holder) return;
    starts.push(start);
    holders.push(holder);
  }

  function closeUntil(point: number): void {
    while (top().end <= point) {
      const { end } = top();
      open.pop();
      emit(end, top().holder);
    }
  }

  for (const row of rows) {
    closeUntil(row.start);
    const end = row.start + sizeOf(row.length);
    const around = top();
    const winner = row.rank >= around.rank ? row : around;
    open.push({ end, rank: winner.rank, holder: winner.holder });
    emit(row.start, winner.holder);
  }
  closeUntil(sizeOf(0));
  return { starts: Float64Array.from(starts), holders: Uint16Array.from(holders) };
}

function startOf(prefix: string): number {
  return Number(prefix) * sizeOf(prefix.length);
}

function sizeOf(prefixLength: number): number {
  return POWERS_OF_TEN[E164_DIGITS_MAX - prefixLength] ?? 1;
}
