// Forgets rows that are of no use any more: a bounded number at a time, so that no statement lasts, until none are left.

import type { Queryable } from "./database.ts";

const ROWS_MAX = 5_000;

/** Does up to `max` at a time, until there is less than that to do. Answers how much was done. */
export async function inBatches(max: number, doSome: () => Promise<number>): Promise<number> {
  for (let count = 0; ; ) {
    const done = await doSome();
    count += done;
    if (done < max) return count;
  }
}

/** Deletes the rows of `table` for which `where` holds; answers how many. A row that changes meanwhile is looked at once more. */
export function sweep(db: Queryable, table: string, where: string, values: readonly unknown[]): Promise<number> {
  const statement = `
delete from ${table} where ctid = any (array(select ctid from ${table} where ${where} limit ${ROWS_MAX})) and ${where} returning 1`;
  return inBatches(ROWS_MAX, async () => (await db.query(statement, values)).length);
}

/** The moment before which what is kept for so long is too old. */
export function keptSince(now: Date, keptMs: number): Date {
  return new Date(now.getTime() - keptMs);
}
