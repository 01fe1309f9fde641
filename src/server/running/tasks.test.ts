import { expect, test, vi } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { startTasks } from "./tasks.ts";

const clock = new VirtualClock();

const logOf = () => ({ debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() });

test("a task comes round, counted from its end, so it never runs twice at once", async () => {
  const ends: (() => void)[] = [];
  const run = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const tasks = startTasks([{ name: "sweep", everyMs: 1000, run }], clock, logOf());
  await clock.advance(999);
  expect(run).toHaveBeenCalledTimes(0);
  await clock.advance(5000);
  expect(run).toHaveBeenCalledTimes(1);
  ends.pop()?.();
  await clock.advance(999);
  expect(run).toHaveBeenCalledTimes(1);
  await clock.advance(1);
  expect(run).toHaveBeenCalledTimes(2);
  ends.pop()?.();
  await tasks.close();
});

test("a failure is logged and tried again", async () => {
  const log = logOf();
  const run = vi.fn(() => Promise.reject(new Error("out of reach")));
  const tasks = startTasks([{ name: "sweep", everyMs: 1000, run }], clock, log);
  await clock.advance(2000);
  expect(run).toHaveBeenCalledTimes(2);
  expect(log.warn).toHaveBeenCalledWith({ task: "sweep", reason: "out of reach" }, "task failed");
  await tasks.close();
});

test("while the clock is wrong only tasks that do not go by it run", async () => {
  const own = new VirtualClock();
  const [sweep, count] = [vi.fn(async () => undefined), vi.fn(async () => undefined)];
  const tasks = startTasks(
    [
      { name: "sweep", everyMs: 1000, run: sweep },
      { name: "count", everyMs: 1000, ignoresClock: true, run: count },
    ],
    own,
    logOf(),
  );
  own.isRight = false;
  await own.advance(3000);
  expect([sweep.mock.calls.length, count.mock.calls.length]).toStrictEqual([0, 3]);
  own.isRight = true;
  await own.advance(1000);
  expect([sweep.mock.calls.length, count.mock.calls.length]).toStrictEqual([1, 4]);
  await tasks.close();
});

test("closing waits for what is under way and starts nothing more", async () => {
  let end = () => {};
  const slow = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  const later = vi.fn(async () => undefined);
  const tasks = startTasks(
    [
      { name: "slow", everyMs: 1000, run: slow },
      { name: "later", everyMs: 5000, run: later },
    ],
    clock,
    logOf(),
  );
  await clock.advance(1000);
  let closed = false;
  const closing = tasks.close().then(() => {
    closed = true;
  });
  await clock.advance(60_000);
  expect(closed).toBe(false);
  end();
  await closing;
  await clock.advance(60_000);
  expect(slow).toHaveBeenCalledTimes(1);
  expect(later).toHaveBeenCalledTimes(0);
});
