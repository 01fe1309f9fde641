// Deletes old rows, a bounded number at a time, so that no statement runs long, until none are left.

import type { Queryable } from "./database.ts";

const ROWS_MAX = 5_000;

/** Repeats `doSome`, which does up to `max` at a time, until it does fewer. Returns the total. */
export async function inBatches(max: number, doSome: () => Promise<number>): Promise<number> {
  for (let count = 0; ; ) {
    const done = await doSome();
    count += done;
    if (done < max) return count;
  }
}

/** Deletes the rows of `table` where `where` holds; returns how many. Rows that change meanwhile are checked again. */
export function sweep(db: Queryable, table: string, where: string, values: readonly unknown[]): Promise<number> {
  const statement = `
delete from ${table} where ctid = any (array(select ctid from ${table} where ${where} limit ${ROWS_MAX})) and ${where} returning 1`;
  return inBatches(ROWS_MAX, async () => (await db.query(statement, values)).length);
}

/** The time before which rows are too old that are kept for `keptMs`. */
export function cutoff(now: Date, keptMs: number): Date {
  return new Date(now.getTime() - keptMs);
}
