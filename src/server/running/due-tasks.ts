// Tasks that look for work that is mostly not there. Instead of one query per task every second, one statement checks
// the conditions of all of them, and only those run whose condition holds.
//
// Guarantees: a task runs within about a second of its condition holding, at the first check after it was added, at the
// next check after a run that failed, and at the latest `everyMs` after its last run ended; never twice at the same
// time. A slow task delays no other. While the clock is wrong they wait, except for those that ignore it.

import type { Condition } from "../../adapters/store/engine/conditions.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { mayRun, type RunningTasks, succeeds, type Task } from "./tasks.ts";

export type DueTask = Task & Required<Pick<Task, "when">>;

export interface DueTasksDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns which of the conditions hold. */
  readonly ask: (conditions: readonly Condition[]) => Promise<readonly boolean[]>;
}

const LOOK_MS = 1_000;

interface Entry {
  readonly task: DueTask;
  /** When it runs even if its condition does not hold. */
  dueMs: number;
  underWay: Promise<void> | undefined;
}

export class DueTasks {
  readonly #deps: DueTasksDeps;
  readonly #entries = new Set<Entry>();
  #looking: Promise<void> | undefined;
  #cancel: (() => void) | undefined;

  constructor(deps: DueTasksDeps) {
    this.#deps = deps;
  }

  add(tasks: readonly DueTask[]): RunningTasks {
    const added = tasks.map((task): Entry => ({ task, dueMs: 0, underWay: undefined }));
    for (const entry of added) this.#entries.add(entry);
    this.#schedule();
    return {
      close: async () => {
        for (const entry of added) this.#entries.delete(entry);
        if (this.#entries.size === 0) this.#cancel?.();
        await Promise.all(tasks.map((task) => task.cancel?.()));
        await Promise.all([this.#looking, ...added.map(({ underWay }) => underWay)]);
      },
    };
  }

  #schedule(): void {
    if (this.#looking || this.#entries.size === 0) return;
    this.#cancel?.();
    this.#cancel = this.#deps.clock.after(LOOK_MS, () => {
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined;
        this.#schedule();
      });
    });
  }

  async #look(): Promise<void> {
    const { clock, log } = this.#deps;
    const entries = [...this.#entries];
    const nowMs = clock.elapsedMs();
    const due = new Set(entries.filter(({ underWay, dueMs }) => !underWay && dueMs <= nowMs));
    const unsure = new Set(entries.filter(({ underWay, dueMs }) => !underWay && dueMs > nowMs));
    try {
      // All conditions, even those that do not matter now: every other selection would need a prepared statement of its
      // own.
      const holds = unsure.size === 0 ? [] : await this.#deps.ask(entries.map(({ task }) => task.when));
      for (const [at, entry] of entries.entries()) if (holds[at] && unsure.has(entry)) due.add(entry);
    } catch (error) {
      log.warn({ task: "look for work", reason: (error as Error).message }, "task failed");
    }
    for (const entry of due) if (this.#entries.has(entry) && mayRun(entry.task, clock)) this.#run(entry);
  }

  #run(entry: Entry): void {
    const { clock, log } = this.#deps;
    entry.underWay = succeeds(entry.task, log).then((hasSucceeded) => {
      entry.dueMs = hasSucceeded ? clock.elapsedMs() + entry.task.everyMs : 0;
      entry.underWay = undefined;
    });
  }
}
