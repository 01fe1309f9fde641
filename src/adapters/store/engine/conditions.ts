// Checks in one statement, for many kinds of work, whether there is any. A condition is written in the file of the noun
// that it checks. The worker claims the work itself, so a condition may hold when there is nothing to do, but must hold
// whenever there is something. It has to be answered from an index: for `exists` with a filter the planner assumes that
// a matching row is found soon, and may read a whole table that has none; `count(*) > 0` rules out that assumption.

import { hash } from "node:crypto";
import type { Queryable } from "./database.ts";

/** An SQL expression. `bind` takes a value and returns its placeholder, whose type has to be clear from the text. */
export type Condition = (bind: (value: unknown) => string) => string;

/** Returns whether each condition holds. */
export async function holding(db: Queryable, conditions: readonly Condition[]): Promise<readonly boolean[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const text = `select array[${conditions.map((condition) => `(${condition(bind)})`).join(", ")}] as holds`;
  const [row] = await db.query<{ holds: boolean[] }>({ name: `holding ${hash("sha1", text)}`, text }, values);
  return row?.holds ?? [];
}
