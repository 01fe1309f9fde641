import { beforeEach, expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import type { ReconcileRun } from "../../domain/reconciles.ts";
import { type ReconcileResult, reconcileTask } from "./reconcile.ts";
import type { Task } from "./tasks.ts";

let clock: VirtualClock;
let runs: number;
let next: () => Promise<ReconcileResult>;
/** Outcome and details of the recorded runs. */
let entered: unknown[];
let warnings: unknown[];
let task: Task;

beforeEach(() => {
  clock = new VirtualClock();
  runs = 0;
  next = async () => ({ counts: { done: 0 } });
  entered = [];
  warnings = [];
  const record = async ({ outcome, details }: ReconcileRun) => void entered.push([outcome, details]);
  const log = { debug() {}, info() {}, warn: (fields: object) => void warnings.push(fields), error() {} };
  task = reconcileTask(
    { store: { reconciles: { record } }, clock, log },
    {
      name: "tidy",
      everyMs: 1000,
      run: () => {
        runs += 1;
        return next();
      },
    },
  );
});

test("a run that did something is entered, one that did nothing once a minute", async () => {
  for (; clock.nowMs < 60_000; clock.nowMs += 1000) await task.run();
  expect(entered).toStrictEqual([["Done", { done: 0 }]]);
  next = async () => ({ counts: { done: 3 } });
  await task.run();
  await task.run();
  expect(entered).toStrictEqual([["Done", { done: 0 }], ...Array(2).fill(["Done", { done: 3 }])]);
  next = async () => ({ counts: { seen: 9 }, isQuiet: true });
  await task.run();
  expect(entered).toHaveLength(3);
});

test("a run that failed is entered and told of, and tried again with growing pauses of a minute at most", async () => {
  next = async () => ({ counts: { done: 1 }, failure: "out of reach" });
  const times: number[] = [];
  for (; clock.nowMs < 200_000; clock.nowMs += 1000) {
    const before = runs;
    await task.run();
    if (runs > before) times.push(clock.nowMs / 1000);
  }
  expect(times).toStrictEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  expect(entered[0]).toStrictEqual(["Failed", { done: 1, reason: "out of reach" }]);
  expect(warnings[0]).toStrictEqual({ reconcile: "tidy", reason: "out of reach", failures: 1 });
  next = async () => ({ counts: {} });
  clock.nowMs += 60_000;
  await task.run();
  expect(entered.at(-1)).toStrictEqual(["Done", {}]);
  next = async () => ({ counts: {}, failure: "again" });
  await task.run();
  clock.nowMs += 1000;
  expect(await task.run().then(() => runs)).toBe(times.length + 3);
});

test("a fault is a failure, too", async () => {
  next = () => Promise.reject(new Error("no such table"));
  await task.run();
  expect(entered).toStrictEqual([["Failed", { reason: "no such table" }]]);
});

test("a run that fails because it was cancelled is no failure", async () => {
  next = async () => {
    await task.cancel?.();
    throw new Error("closed");
  };
  await task.run();
  expect([entered, warnings]).toStrictEqual([[], []]);
});
