import type { ReconcileLog, ReconcileRun } from "../../domain/reconciles.ts";
import type { Queryable } from "./engine/database.ts";
import { jsonText } from "./engine/json-text.ts";

export function reconcileLog(db: Queryable): ReconcileLog {
  return {
    record: (run) => recordReconcile(db, run),
    list: () =>
      db.query<ReconcileRun>(
        `select name, last_started_at as "startedOn", last_finished_at as "finishedOn", outcome, details from reconciles order by name`,
      ),
  };
}

export async function recordReconcile(db: Queryable, run: ReconcileRun): Promise<void> {
  await db.query(
    `insert into reconciles (name, last_started_at, last_finished_at, outcome, details) values ($1, $2, $3, $4, $5)
     on conflict (name) do update set last_started_at = excluded.last_started_at, last_finished_at = excluded.last_finished_at,
       outcome = excluded.outcome, details = excluded.details`,
    [run.name, run.startedOn, run.finishedOn, run.outcome, jsonText(run.details)],
  );
}
