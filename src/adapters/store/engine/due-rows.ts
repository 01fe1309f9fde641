// Claims due rows of a table that all processes share. A claim is one statement that moves the due time ahead: the row
// of a process that died comes due again by itself, and nobody waits for a row that another process is claiming.

import type { Condition } from "./conditions.ts";
import type { Queryable } from "./database.ts";

export interface DueRows {
  readonly table: string;
  readonly key: string;
  /** The column of the time at which a row is due. */
  readonly dueAt: string;
  readonly returning: string;
  /** Narrows the rows, called `due`; its values stand from `$4` on. */
  readonly where?: string;
  readonly values?: readonly unknown[];
}

export interface ClaimOrder {
  readonly now: Date;
  readonly until: Date;
  readonly countMax: number;
}

/** Some may be claimed. */
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
