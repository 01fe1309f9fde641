// A database that explains its statements instead of answering them: for tests that hold how much a statement reads.

import type { Database, Queryable } from "../../src/adapters/store/engine/database.ts";

interface Plan {
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** The most rows that any step of the plan looked at. */
const readBy = (plan: Plan): number =>
  Math.max(plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0), ...(plan.Plans ?? []).map(readBy));

/** Tells of each statement how many rows it read. Tables of a test are small, so it is kept from reading them whole. */
export function explaining(db: Database, told: (rowsRead: number) => void): Queryable {
  return {
    query: (text, values) =>
      db.transaction(async (unit) => {
        await unit.query("set local enable_seqscan = off");
        const explained = await unit.query<{ "QUERY PLAN": readonly { Plan: Plan }[] }>(
          `explain (analyze, format json) ${text}`,
          values,
        );
        for (const { Plan: plan } of explained[0]?.["QUERY PLAN"] ?? []) told(readBy(plan));
        return [];
      }),
  };
}
