// Opens parts in order, lets all of them drain at the same time, and closes them in reverse. Before that, all may tell
// others that they are about to stop.
//
// Guarantees: what was opened is closed once, however often `close` is called, also when a later part fails to open; a
// part that fails to close is logged, and the others are still closed; a part's tasks have ended before it is closed.
// The caller decides how long closing may take, and `unclosed` lists what it waits for. This is the only place that
// checks the roles of this process.

import type { HttpServer } from "../../adapters/http/core/http-server.ts";
import type { OperationGroup } from "../../adapters/http/core/operation.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Role } from "../config/settings.ts";
import { type DueTask, DueTasks, type DueTasksDeps } from "./due-tasks.ts";
import type { Part } from "./part.ts";
import { startTasks, type Task } from "./tasks.ts";

export interface PartsDeps {
  readonly roles: readonly Role[];
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted by a request to stop: nothing more is opened, and opening throws the signal's reason. */
  readonly stop?: AbortSignal;
}

interface Closable {
  close(): Promise<void>;
}

interface Closer extends Closable {
  readonly name: string;
}

export class Parts {
  readonly #deps: PartsDeps;
  readonly #opened: Part[] = [];
  readonly #closers: Closer[] = [];
  /** Parts being closed or drained. */
  readonly #underWay = new Set<Closer>();
  readonly #dueTasks: DueTasks;
  /** Until the query is set, every condition counts as true. */
  #ask: DueTasksDeps["ask"] = async (conditions) => conditions.map(() => true);
  #closing: Promise<void> | undefined;

  constructor(deps: PartsDeps) {
    this.#deps = deps;
    this.#dueTasks = new DueTasks({ ...deps, ask: (conditions) => this.#ask(conditions) });
  }

  /** Sets the query for the conditions of tasks. */
  askBy(ask: DueTasksDeps["ask"]): void {
    this.#ask = ask;
  }

  has(role: Role): boolean {
    return this.#deps.roles.includes(role);
  }

  async open<Opened extends Part>(opening: Opened | Promise<Opened>): Promise<Opened> {
    const part = await opening;
    const { name, tasks = [], workerTasks = [] } = part;
    this.#opened.push(part);
    this.#closers.push({ name, close: async () => part.close?.() });
    const all = this.has("worker") ? [...tasks, ...workerTasks] : tasks;
    const regular = startTasks(
      all.filter((task) => !isDueTask(task)),
      this.#deps.clock,
      this.#deps.log,
    );
    const due = this.#dueTasks.add(all.filter(isDueTask));
    this.#closers.push({ name: `tasks of ${name}`, close: regular.close });
    this.#closers.push({ name: `due tasks of ${name}`, close: due.close });
    this.#deps.stop?.throwIfAborted();
    if (part.work && this.has("worker")) await this.open(part.work());
    return part;
  }

  /** Closes what parts depend on, such as the database, in reverse order with the parts. */
  async keep<Kept extends Closable>(name: string, opening: Promise<Kept>): Promise<Kept> {
    const kept = await opening;
    this.#closers.push({ name, close: () => kept.close() });
    this.#deps.stop?.throwIfAborted();
    return kept;
  }

  get operations(): readonly OperationGroup[] {
    return this.has("api") ? this.#opened.flatMap(({ operations }) => operations ?? []) : [];
  }

  mountRoutes(http: HttpServer): void {
    for (const { routes, commonRoutes } of this.#opened) {
      commonRoutes?.(http);
      if (this.has("api")) routes?.(http);
    }
  }

  /** Names of what is being closed and what is still to be closed. */
  get unclosed(): readonly string[] {
    return [...new Set([...this.#underWay, ...this.#closers.toReversed()].map(({ name }) => name))];
  }

  /** The process is about to stop, and serves on until it is closed. */
  leave(): void {
    for (const { leave } of this.#opened) leave?.();
  }

  /** Closes all of them, then throws the first fault of one that failed to close. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    this.leave();
    const faults: unknown[] = [];
    const end = async (closer: Closer) => {
      this.#underWay.add(closer);
      try {
        await closer.close();
      } catch (fault) {
        this.#deps.log.error({ part: closer.name, err: fault }, "part not closed");
        faults.push(fault);
      }
      this.#underWay.delete(closer);
    };
    await Promise.all(this.#opened.map(({ name, drain = async () => undefined }) => end({ name, close: drain })));
    for (let last = this.#closers.pop(); last; last = this.#closers.pop()) await end(last);
    if (faults.length > 0) throw faults[0];
  }
}

function isDueTask(task: Task): task is DueTask {
  return task.when !== undefined;
}
