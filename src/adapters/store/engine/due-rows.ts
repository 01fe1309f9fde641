// Claims due rows of a table that all processes share. A claim is one statement that moves the due time ahead: the row
// of a process that died becomes due again by itself, and no process waits for a row that another one is claiming.

import type { Condition } from "./conditions.ts";
import type { Queryable } from "./database.ts";

export interface DueRows {
  readonly table: string;
  readonly key: string;
  /** The column with the time at which a row is due. */
  readonly dueAt: string;
  readonly returning: string;
  /** SQL: narrows the rows, called `due`; its values begin at `$4`. */
  readonly where?: string;
  readonly values?: readonly unknown[];
}

export interface ClaimOrder {
  readonly now: Date;
  readonly until: Date;
  readonly countMax: number;
}

/** Holds when rows may be due. */
export function hasDue({ table, dueAt }: Pick<DueRows, "table" | "dueAt">, now: () => Date): Condition {
  return (bind) => `(select min(${dueAt}) from ${table}) <= ${bind(now())}`;
}

/** The rows that have been due for longest come first. */
export function claimDue<Row extends object>(
  db: Queryable,
  { table, key, dueAt, returning, where = "true", values = [] }: DueRows,
  { now, until, countMax }: ClaimOrder,
): Promise<Row[]> {
  return db.query<Row>(
    `with claimed as materialized (
       select ${key} as claimed_key from ${table} as due where ${dueAt} <= $1 and ${where}
        order by ${dueAt} limit $3 for update skip locked
     )
     update ${table} set ${dueAt} = $2 from claimed where ${key} = claimed_key returning ${returning}`,
    [now, until, countMax, ...values],
  );
}
