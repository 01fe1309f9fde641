// Forgets rows that are of no use any more: a bounded number at a time, so that no statement lasts, until none are left.

import type { Queryable } from "./database.ts";

const ROWS_MAX = 5_000;

/** Deletes the rows of `table` for which `where` holds; answers how many. A row that changes meanwhile is looked at once more. */
export async function sweep(db: Queryable, table: string, where: string, values: readonly unknown[]): Promise<number> {
  for (let count = 0; ; ) {
    const rows = await db.query(
      `delete from ${table}
        where ctid = any (array(select ctid from ${table} where ${where} limit ${ROWS_MAX})) and ${where} returning 1`,
      values,
    );
    count += rows.length;
    if (rows.length < ROWS_MAX) return count;
  }
}

/** The moment before which what is kept for so long is too old. */
export function keptSince(now: Date, keptMs: number): Date {
  return new Date(now.getTime() - keptMs);
}
