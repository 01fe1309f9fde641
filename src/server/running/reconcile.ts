// A reconcile as a task: its runs are recorded for operators, and a failed run is repeated with growing pauses. A run
// that had nothing to do is recorded at most once a minute, to save writes; a cancelled run is not a failure.

import { backoffMs } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { ReconcileLog, ReconcileRun } from "../../domain/reconciles.ts";
import type { Task } from "./tasks.ts";

export interface ReconcileResult {
  readonly counts: Readonly<Record<string, number>>;
  /** There was nothing to do; by default when all counts are 0. */
  readonly isQuiet?: boolean;
  /** Why the run did not complete. */
  readonly failure?: string;
}

export interface Reconcile {
  readonly name: string;
  readonly everyMs: number;
  run(now: Date): Promise<ReconcileResult>;
  readonly cancel?: Task["cancel"];
  readonly when?: Task["when"];
}

export interface ReconcileDeps {
  readonly store: { readonly reconciles: Pick<ReconcileLog, "record"> };
  readonly clock: Clock;
  readonly log: Log;
}

const QUIET_MS = 60_000;
const BACKOFF = { msMin: 1_000, msMax: 60_000 };

export function reconcileTask({ store, clock, log }: ReconcileDeps, reconcile: Reconcile): Task {
  const { name, everyMs, run, when } = reconcile;
  let isCancelled = false;
  let failures = 0;
  let notBeforeMs = 0;
  let last: ReconcileRun | undefined;
  const record = async (entry: ReconcileRun, isQuiet: boolean) => {
    const isOld = !last || entry.finishedOn.getTime() - last.finishedOn.getTime() >= QUIET_MS;
    if (isQuiet && !isOld && last?.outcome === "Done") return;
    await store.reconciles.record(entry);
    last = entry;
  };
  const fail = async (startedOn: Date, reason: string, counts: ReconcileResult["counts"]) => {
    if (isCancelled) return;
    failures += 1;
    const finishedOn = clock.now();
    notBeforeMs = finishedOn.getTime() + backoffMs(BACKOFF, failures);
    log.warn({ reconcile: name, reason, failures }, "reconcile failed");
    await record({ name, startedOn, finishedOn, outcome: "Failed", details: { ...counts, reason } }, false);
  };
  return {
    name,
    everyMs,
    ...(when && { when }),
    async cancel() {
      isCancelled = true;
      await reconcile.cancel?.();
    },
    async run() {
      const startedOn = clock.now();
      if (startedOn.getTime() < notBeforeMs) return;
      let result: ReconcileResult;
      try {
        result = await run(startedOn);
      } catch (fault) {
        return fail(startedOn, (fault as Error).message, {});
      }
      const { counts, failure, isQuiet = Object.values(counts).every((count) => count === 0) } = result;
      if (failure !== undefined) return fail(startedOn, failure, counts);
      failures = 0;
      await record({ name, startedOn, finishedOn: clock.now(), outcome: "Done", details: counts }, isQuiet);
    },
  };
}
