// The last run of each reconcile, for operators.

import type { ReconcileLog, ReconcileRun } from "../../domain/reconciles.ts";
import { table } from "./engine/columns.ts";
import type { Queryable } from "./engine/database.ts";
import { run } from "./engine/statements.ts";

const RUNS = table<ReconcileRun>("reconciles", {
  name: "name",
  startedOn: "last_started_at timestamptz",
  finishedOn: "last_finished_at timestamptz",
  outcome: "outcome",
  details: "details jsonb",
});

export function reconcileLog(db: Queryable): ReconcileLog {
  return {
    record: (reconcile) =>
      run(db, `${RUNS.insert} on conflict (name) do update set ${RUNS.excluded}`, [RUNS.rows([reconcile])]),
    list: () => db.query<ReconcileRun>(`${RUNS.select} order by name`),
  };
}
