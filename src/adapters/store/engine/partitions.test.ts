import pg from "pg";
import { expect, test } from "vitest";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { lockForBackup } from "../backup/snapshot.ts";
import { RECORD_TABLES, tendPartitions } from "./partitions.ts";

const DAY = 86_400_000;

const store = useWebhookStore();

async function partitionsOf(table: string): Promise<readonly string[]> {
  const rows = await store.db.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1",
    [table],
  );
  return rows.map(({ name }) => name).filter((name) => name !== `${table}_default`);
}

const tend = (now: Date, keepDays = 30) => tendPartitions({ db: store.db, now, keepDays });

test("weeks begin on Monday, from the one before to four ahead, and tending twice changes nothing", async () => {
  // The store was opened on Monday the 16th of November 2026.
  const weeks = ["20261109", "20261116", "20261123", "20261130", "20261207", "20261214"];
  await tend(store.clock.now());
  for (const table of RECORD_TABLES) {
    expect(await partitionsOf(table)).toEqual(weeks.map((week) => `${table}_${week}`));
  }
});

test("many processes may tend at the same moment", async () => {
  const later = new Date(store.clock.now().getTime() + 7 * DAY);
  await Promise.all(Array.from({ length: 8 }, () => tend(later)));
  for (const table of RECORD_TABLES) expect(await partitionsOf(table)).toContain(`${table}_20261221`);
});

test("while a backup runs nothing is made or dropped", async () => {
  const client = new pg.Client(store.connection);
  await client.connect();
  await lockForBackup(client);
  const before = await partitionsOf("events");
  const later = new Date(store.clock.now().getTime() + 14 * DAY);
  await tend(later);
  expect(await partitionsOf("events")).toEqual(before);
  await client.end();
  await expect
    .poll(async () => {
      await tend(later);
      return partitionsOf("events");
    })
    .toContain("events_20261228");
});

test("the last millisecond of a week and the first of the next have a place each", async () => {
  await store.subscribe();
  const emitAt = async (text: string, resourceSid: string) => {
    store.advance(new Date(text).getTime() - store.clock.now().getTime());
    await store.emit(resourceSid);
  };
  await emitAt("2026-11-22T23:59:59.999Z", "OMlast");
  await emitAt("2026-11-23T00:00:00.000Z", "OMfirst");
  const rows = await store.db.query<{ name: string; resource_sid: string }>(
    "select tableoid::regclass::text as name, resource_sid from events order by created_at",
  );
  expect(rows).toEqual([
    { name: "events_20261116", resource_sid: "OMlast" },
    { name: "events_20261123", resource_sid: "OMfirst" },
  ]);
  await store.dispatch();
});

test("records are kept for as long as they were promised, to the day, and then go whole", async () => {
  // The week of the 9th ends with the 15th; its youngest record is 30 days old on the 16th of December.
  await tend(new Date("2026-12-15T23:59:59.999Z"));
  expect(await partitionsOf("events")).toContain("events_20261109");
  await tend(new Date("2026-12-16T00:00:00.000Z"));
  for (const table of RECORD_TABLES) {
    expect(await partitionsOf(table)).not.toContain(`${table}_20261109`);
    expect(await partitionsOf(table)).toContain(`${table}_20261116`);
  }
});

test("tables of others are left alone, whatever they are called", async () => {
  await store.db.query("create table events_20010101 (id int)");
  await store.db.query("create table parent (id int) partition by range (id)");
  await store.db.query("create table deliveries_20010101 partition of parent for values from (0) to (1)");
  await tend(new Date("2026-12-16T00:00:00.000Z"));
  const [row] = await store.db.query(
    "select to_regclass('events_20010101') is not null as mine, to_regclass('deliveries_20010101') is not null as other",
  );
  expect(row).toEqual({ mine: true, other: true });
});

test("with records kept for a week, the week before is made once and not dropped and made again", async () => {
  const now = new Date("2027-01-06T12:00:00.000Z");
  await tend(now, 7);
  const after = await partitionsOf("events");
  await tend(now, 7);
  expect(await partitionsOf("events")).toEqual(after);
  expect(after[0]).toBe("events_20261228");
});

test("a delivery that outlived its event is let go", async () => {
  await store.db.query("delete from webhook_subscriptions");
  await tend(store.clock.now());
  const subscription = await store.subscribe();
  await store.emit("OMold");
  const { items } = await store.deliveries.list(
    store.accountSid,
    { size: 1, direction: "Descending" },
    { subscriptionSid: subscription.sid },
  );
  expect(items).toHaveLength(1);
  store.advance(60 * DAY);
  await tend(store.clock.now());
  store.posts.length = 0;
  await store.dispatch();
  expect(await store.db.query("select from delivery_queue")).toEqual([]);
  expect(store.posts).toEqual([]);
  expect(store.faults).toEqual([]);
});

test("when the clock jumps by weeks, events are stored and delivered, and get their partitions at the next look", async () => {
  await store.db.query("delete from webhook_subscriptions");
  const subscription = await store.subscribe();
  const delivered = () =>
    store.deliveries.list(
      store.accountSid,
      { size: 10, direction: "Ascending" },
      { subscriptionSid: subscription.sid, status: "Delivered" },
    );
  for (const [resourceSid, days] of [
    ["OMahead", 100],
    ["OMback", -200],
  ] as const) {
    store.advance(days * DAY);
    await store.emit(resourceSid);
    await store.dispatch();
  }
  const before = await delivered();
  expect(before.items).toHaveLength(2);

  const placesOf = (table: string) =>
    store.db.query<{ place: string }>(`select distinct tableoid::regclass::text as place from ${table} order by 1`);
  for (const table of RECORD_TABLES) {
    expect(await placesOf(table)).toContainEqual({ place: `${table}_default` });
  }
  await tend(store.clock.now(), 10_000);
  for (const table of RECORD_TABLES) {
    expect(await placesOf(table)).not.toContainEqual({ place: `${table}_default` });
  }
  expect(await delivered()).toEqual(before);
  // The partition is created again, for the next jump.
  store.advance(-100 * DAY);
  await store.emit("OMagain");
  await store.dispatch();
  expect((await delivered()).items).toHaveLength(3);
});
