import { beforeAll, expect, test } from "vitest";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { sweep } from "./sweeps.ts";

const store = useWebhookStore();
beforeAll(async () => {
  await store.db.query("create table leaves (day integer)");
});

test("a sweep takes what is old, however much it is, and nothing else", async () => {
  const { db } = store;
  await db.query("insert into leaves select 1 from generate_series(1, 11000)");
  await db.query("insert into leaves values (2), (3)");
  expect(await sweep(db, "leaves", "day < $1 or day = $2", [2, 3])).toBe(11_001);
  expect(await db.query("select day from leaves")).toEqual([{ day: 2 }]);
  expect(await sweep(db, "leaves", "day < $1", [2])).toBe(0);
});

test("a row that becomes new while it is swept stays", async () => {
  const { db } = store;
  await db.query("delete from leaves");
  await db.query("insert into leaves values (1)");
  let swept: Promise<number> | undefined;
  await db.transaction(async (unit) => {
    await unit.query("update leaves set day = 9");
    swept = sweep(db, "leaves", "day < $1", [5]);
    const waiting = () =>
      db.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
    await expect.poll(waiting, { timeout: 120_000 }).toHaveLength(1);
  });
  expect(await swept).toBe(0);
  expect(await db.query("select day from leaves")).toEqual([{ day: 9 }]);
});
