import { beforeEach, expect, test, vi } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import type { Condition } from "../../adapters/store/engine/conditions.ts";
import { type DueTask, DueTasks } from "./due-tasks.ts";

let clock: VirtualClock;
/** Names of the conditions that hold. */
let holding: Set<string>;
/** The conditions of each query. */
let asked: string[][];
let log: ReturnType<typeof logOf>;
let tasks: DueTasks;

const logOf = () => ({ debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() });
const named = (condition: Condition) => condition(String);

beforeEach(() => {
  clock = new VirtualClock();
  holding = new Set();
  asked = [];
  log = logOf();
  const ask = async (conditions: readonly Condition[]) => {
    asked.push(conditions.map(named));
    return conditions.map((condition) => holding.has(named(condition)));
  };
  tasks = new DueTasks({ clock, log, ask });
});

function taskOf(name: string, run: () => Promise<unknown> = async () => undefined) {
  return { name, everyMs: 60_000, run: vi.fn(run), when: () => name } satisfies DueTask;
}

test("all conditions are asked for at once, every second, and those tasks run whose condition holds", async () => {
  const [calls, files] = [taskOf("calls"), taskOf("files")];
  const [first, second] = [tasks.add([calls]), tasks.add([files])];
  await clock.advance(1000);
  // Until its condition is known, a task runs without a query.
  expect([asked, calls.run.mock.calls.length, files.run.mock.calls.length]).toStrictEqual([[], 1, 1]);
  await clock.advance(3000);
  expect(asked).toStrictEqual(Array(3).fill(["calls", "files"]));
  holding.add("files");
  await clock.advance(1000);
  expect([calls.run.mock.calls.length, files.run.mock.calls.length]).toStrictEqual([1, 2]);
  await first.close();
  await second.close();
  await clock.advance(5000);
  expect([asked.length, clock.waiting]).toStrictEqual([4, 0]);
});

test("a task whose condition never holds runs every now and then", async () => {
  const calls = taskOf("calls");
  const running = tasks.add([calls]);
  await clock.advance(1000 + 60_000 + 60_000);
  expect(calls.run).toHaveBeenCalledTimes(3);
  await running.close();
});

test("a task that failed runs again at the next look, and the failure is logged", async () => {
  const calls = taskOf("calls", () => Promise.reject(new Error("out of reach")));
  const running = tasks.add([calls]);
  await clock.advance(3000);
  expect(calls.run).toHaveBeenCalledTimes(3);
  expect(log.warn).toHaveBeenCalledWith({ task: "calls", reason: "out of reach" }, "task failed");
  await running.close();
});

test("a task that takes long delays no other, and is not run twice at once", async () => {
  let end = () => {};
  const untilEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  const slow = taskOf("slow", () => untilEnd);
  const quick = taskOf("quick");
  holding = new Set(["slow", "quick"]);
  const running = tasks.add([slow, quick]);
  await clock.advance(4000);
  expect([slow.run.mock.calls.length, quick.run.mock.calls.length]).toStrictEqual([1, 4]);
  // Always the same query, so that one statement is prepared.
  expect(asked).toStrictEqual(Array(3).fill(["slow", "quick"]));
  let isClosed = false;
  const closing = running.close().then(() => {
    isClosed = true;
  });
  await clock.advance(1000);
  expect(isClosed).toBe(false);
  end();
  await closing;
});

test("while nobody answers nothing runs, and one failure is logged for all", async () => {
  let isAway = false;
  const ask = async (conditions: readonly Condition[]) => {
    if (isAway) throw new Error("database is away");
    return conditions.map(() => true);
  };
  tasks = new DueTasks({ clock, log, ask });
  const [calls, files] = [taskOf("calls"), taskOf("files")];
  const running = tasks.add([calls, files]);
  await clock.advance(1000);
  isAway = true;
  await clock.advance(1000);
  expect(log.warn.mock.calls).toStrictEqual([[{ task: "look for work", reason: "database is away" }, "task failed"]]);
  isAway = false;
  await clock.advance(1000);
  expect([calls.run.mock.calls.length, files.run.mock.calls.length]).toStrictEqual([2, 2]);
  await running.close();
});

test("what was closed while conditions were asked for is not run", async () => {
  let answer = (_holds: readonly boolean[]) => {};
  const ask = () =>
    new Promise<readonly boolean[]>((resolve) => {
      answer = resolve;
    });
  tasks = new DueTasks({ clock, log, ask });
  const calls = taskOf("calls");
  const running = tasks.add([calls]);
  await clock.advance(2000);
  const closing = running.close();
  answer([true]);
  await closing;
  await clock.advance(5000);
  expect(calls.run).toHaveBeenCalledTimes(1);
});
