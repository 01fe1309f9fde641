// The usual results of a statement: nothing, one row, or whether there was a row.

import type { Queryable } from "./database.ts";
import type { NamedStatement } from "./named-statements.ts";

export async function run(
  db: Queryable,
  statement: string | NamedStatement,
  values: readonly unknown[] = [],
): Promise<void> {
  await db.query(statement, values);
}

export async function first<Row extends object>(
  db: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row | undefined> {
  const [row] = await db.query<Row>(text, values);
  return row;
}

/** Whether a row was found, or returned as inserted, changed or deleted. */
export async function hasRow(db: Queryable, text: string, values: readonly unknown[] = []): Promise<boolean> {
  return (await db.query(text, values)).length > 0;
}

/** The `count` of the only row. */
export async function countOf(db: Queryable, text: string, values: readonly unknown[] = []): Promise<number> {
  return (await first<{ count: number }>(db, text, values))?.count ?? 0;
}
