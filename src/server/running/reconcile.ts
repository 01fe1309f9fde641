// A reconcile as a task: its runs are entered where operators see them, and one that fails is tried again with growing
// pauses. A run that had nothing to do is entered once a minute at most, so that quiet costs no writes.

import { backoffMs } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { ReconcileLog, ReconcileRun } from "../../domain/reconciles.ts";
import type { Task } from "./tasks.ts";

export interface Ran {
  readonly counts: Readonly<Record<string, number>>;
  /** There was nothing to do; by default when nothing was counted. */
  readonly isQuiet?: boolean;
  /** Why it could not be done to its end. */
  readonly failure?: string;
}

export interface Reconcile {
  readonly name: string;
  readonly everyMs: number;
  run(now: Date): Promise<Ran>;
  /** As of a task. */
  readonly cancel?: () => Promise<void>;
}

export interface ReconcileDeps {
  readonly store: { readonly reconciles: Pick<ReconcileLog, "record"> };
  readonly clock: Clock;
  readonly log: Log;
}

const QUIET_MS = 60_000;
const BACKOFF = { msMin: 1_000, msMax: 60_000 };

export function reconcileTask({ store, clock, log }: ReconcileDeps, { run, ...reconcile }: Reconcile): Task {
  const { name } = reconcile;
  let failures = 0;
  let notBeforeMs = 0;
  let last: ReconcileRun | undefined;
  const enter = async (entry: ReconcileRun, isQuiet: boolean) => {
    const isOld = !last || entry.finishedOn.getTime() - last.finishedOn.getTime() >= QUIET_MS;
    if (isQuiet && !isOld && last?.outcome === "Done") return;
    await store.reconciles.record(entry);
    last = entry;
  };
  const fail = async (startedOn: Date, reason: string, counts: Ran["counts"]) => {
    failures += 1;
    const finishedOn = clock.now();
    notBeforeMs = finishedOn.getTime() + backoffMs(BACKOFF, failures);
    log.warn({ reconcile: name, reason, failures }, "reconcile failed");
    await enter({ name, startedOn, finishedOn, outcome: "Failed", details: { ...counts, reason } }, false);
  };
  return {
    ...reconcile,
    async run() {
      const startedOn = clock.now();
      if (startedOn.getTime() < notBeforeMs) return;
      let ran: Ran;
      try {
        ran = await run(startedOn);
      } catch (fault) {
        return fail(startedOn, (fault as Error).message, {});
      }
      if (ran.failure !== undefined) return fail(startedOn, ran.failure, ran.counts);
      failures = 0;
      const isQuiet = ran.isQuiet ?? Object.values(ran.counts).every((count) => count === 0);
      await enter({ name, startedOn, finishedOn: clock.now(), outcome: "Done", details: ran.counts }, isQuiet);
    },
  };
}
