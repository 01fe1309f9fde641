// Asks in one statement, for many kinds of work, whether there is any. A condition is written in the file of the noun
// that it asks about. Whoever does the work claims it by itself, so a condition may hold without need, but never fails
// to hold where there is something to do. It has to be found by an index: of `exists` with a filter the planner assumes
// that a row is met soon, and may read a whole table in which there is none; `count(*) > 0` leaves it no such hope.

import { hash } from "node:crypto";
import type { Queryable } from "./database.ts";

/** An SQL expression. `bind` takes a value and answers its placeholder, whose type has to be plain from the text. */
export type Condition = (bind: (value: unknown) => string) => string;

/** Whether each of them holds. */
export async function holding(db: Queryable, conditions: readonly Condition[]): Promise<readonly boolean[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const text = `select array[${conditions.map((condition) => `(${condition(bind)})`).join(", ")}] as holds`;
  const [row] = await db.query<{ holds: boolean[] }>(text, values, `holding ${hash("sha1", text)}`);
  return row?.holds ?? [];
}
