import { expect, test } from "vitest";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import type { Queryable } from "../engine/database.ts";
import { inboxOver } from "./inbox.ts";

const WAITING = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const SOON = { timeout: 120_000, interval: 20 };

const store = useWebhookStore();

const isRepeat = (unit: Queryable, repeatKey: string, session: string) =>
  inboxOver(unit).isRepeat({ carrier: "carrier", repeatKey, session, receivedOn: new Date() });

test("what came over another connection is a repeat, over the same one it is another message", async () => {
  expect(await isRepeat(store.db, "a", "1")).toBe(false);
  expect(await isRepeat(store.db, "a", "1")).toBe(false);
  expect(await isRepeat(store.db, "a", "2")).toBe(true);
  expect(await isRepeat(store.db, "a", "2")).toBe(false);
});

test("so is what comes again while the first is still being stored", async () => {
  let second: Promise<boolean> | undefined;
  await store.db.transaction(async (unit) => {
    expect(await isRepeat(unit, "b", "1")).toBe(false);
    second = store.db.transaction((other) => isRepeat(other, "b", "2"));
    await expect.poll(() => store.db.query(WAITING), SOON).toHaveLength(1);
  });
  expect(await second).toBe(true);
});

test("and when the first could not be stored, the second is the first", async () => {
  let second: Promise<boolean> | undefined;
  const first = store.db.transaction(async (unit) => {
    await isRepeat(unit, "c", "1");
    second = store.db.transaction((other) => isRepeat(other, "c", "2"));
    await expect.poll(() => store.db.query(WAITING), SOON).toHaveLength(1);
    throw new Error("not stored");
  });
  await expect(first).rejects.toThrow("not stored");
  expect(await second).toBe(false);
});
