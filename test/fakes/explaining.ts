// A database that runs statements under EXPLAIN ANALYZE and returns no rows, to test how much a statement reads.

import type { Database, Queryable } from "../../src/adapters/store/engine/database.ts";
import { textOf } from "../../src/adapters/store/engine/named-statements.ts";

interface Plan {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Index Name"?: string;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** An index of lists (GIN) has its places in the order of the table, and is read for all rows before the first. */
const isUnordered = (plan: Plan) =>
  plan["Node Type"] === "Bitmap Index Scan" && plan["Index Name"]?.includes("recipients") === true;

/** The largest number of rows that any step of the plan read. */
const readBy = (plan: Plan): number =>
  isUnordered(plan)
    ? 0
    : Math.max(plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0), ...(plan.Plans ?? []).map(readBy));

/**
 * Reports how many rows each statement read. Tables of a test are small, so sequential scans are disabled, and what an
 * index reads of a table costs what it would cost in order.
 */
export function explaining(db: Database, told: (rowsRead: number) => void): Queryable {
  return {
    query: (statement, values) =>
      db.transaction(async (unit) => {
        await unit.query("set local enable_seqscan = off");
        await unit.query("set local random_page_cost = 1");
        const explained = await unit.query<{ "QUERY PLAN": readonly { Plan: Plan }[] }>(
          `explain (analyze, format json) ${textOf(statement)}`,
          values,
        );
        for (const { Plan: plan } of explained[0]?.["QUERY PLAN"] ?? []) told(readBy(plan));
        return [];
      }),
  };
}
