// Periodic tasks: each runs again `everyMs` after its last run ended, also after a failure, and never twice at the same
// time. While the clock is wrong, only tasks that ignore it run.

import type { Condition } from "../../adapters/store/engine/conditions.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";

export interface Task {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
  /** Aborts the outside requests of a run, so that closing does not wait for them. */
  readonly cancel?: () => Promise<void>;
  /** It claims, expires and removes nothing, so it also runs while the clock is wrong. */
  readonly ignoresClock?: true;
  /** It also runs within about a second of this holding (`due-tasks.ts`). */
  readonly when?: Condition;
}

export interface RunningTasks {
  /** Waits for runs in progress. */
  close(): Promise<void>;
}

export function startTasks(tasks: readonly Task[], clock: Clock, log: Log): RunningTasks {
  let closed = false;
  const cancels = new Map<string, () => void>();
  const underWay = new Map<string, Promise<void>>();
  const schedule = (task: Task) => {
    if (closed) return;
    cancels.set(
      task.name,
      clock.after(task.everyMs, () => void underWay.set(task.name, runOnce(task))),
    );
  };
  const runOnce = async (task: Task) => {
    if (mayRun(task, clock)) await succeeds(task, log);
    schedule(task);
  };
  tasks.forEach(schedule);
  return {
    async close() {
      closed = true;
      for (const cancel of cancels.values()) cancel();
      await Promise.all(tasks.map((task) => task.cancel?.()));
      await Promise.all(underWay.values());
    },
  };
}

export function mayRun({ ignoresClock }: Task, clock: Clock): boolean {
  return ignoresClock === true || clock.isRight;
}

/** Runs it once; a failure is logged. */
export async function succeeds({ name, run }: Task, log: Log): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    log.warn({ task: name, reason: error instanceof Error ? error.message : String(error) }, "task failed");
    return false;
  }
}
