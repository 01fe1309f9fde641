// A database that runs statements under EXPLAIN ANALYZE and returns no rows, to test how much a statement reads.

import type { Database, Queryable } from "../../src/adapters/store/engine/database.ts";
import { textOf } from "../../src/adapters/store/engine/named-statements.ts";

interface Plan {
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** The largest number of rows that any step of the plan read. */
const readBy = (plan: Plan): number =>
  Math.max(plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0), ...(plan.Plans ?? []).map(readBy));

/** Reports how many rows each statement read. Tables of a test are small, so sequential scans are disabled. */
export function explaining(db: Database, told: (rowsRead: number) => void): Queryable {
  return {
    query: (statement, values) =>
      db.transaction(async (unit) => {
        await unit.query("set local enable_seqscan = off");
        const explained = await unit.query<{ "QUERY PLAN": readonly { Plan: Plan }[] }>(
          `explain (analyze, format json) ${textOf(statement)}`,
          values,
        );
        for (const { Plan: plan } of explained[0]?.["QUERY PLAN"] ?? []) told(readBy(plan));
        return [];
      }),
  };
}
