import { expect, test, vi } from "vitest";
import { DatabaseClock } from "../../adapters/store/engine/database-clock.ts";
import { systemClock } from "../../base/clock.ts";
import { clockTask } from "./clock-watch.ts";

const DAYS_MS = 60 * 86_400_000;

test("a clock that goes wrong is reported once, again when it is wrong the other way, and when it is right", async () => {
  let shiftMs = 0;
  const clock = new DatabaseClock({ ...systemClock, now: () => new Date(Date.now() + shiftMs) });
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const db = { query: async () => [{ nowMs: Date.now() }] };
  const task = clockTask({ clock, log, store: { db: db as never } });
  for (const shift of [0, DAYS_MS, DAYS_MS, -DAYS_MS, 0, 0]) {
    shiftMs = shift;
    await task.run();
  }
  expect(log.error.mock.calls.map(([fields]) => fields)).toEqual([
    { clock: "60 days ahead of PostgreSQL's" },
    { clock: "60 days behind PostgreSQL's" },
  ]);
  expect(log.info).toHaveBeenCalledOnce();
});
