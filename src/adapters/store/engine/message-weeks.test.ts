import { expect, test } from "vitest";
import { newMessage } from "../../../../test/fakes/new-message.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { firstSidAt } from "../../../base/ids.ts";
import { acceptInside } from "../messaging/message-intake.ts";
import { MessageWeeks } from "../messaging/message-weeks.ts";
import { outboundMessageStore } from "../messaging/outbound-messages.ts";
import { layMessageWeeks, listMessagePartitions, MESSAGES } from "./message-weeks.ts";
import { tendPartitions } from "./partitions.ts";

const WEEK = 7 * 86_400_000;
const START = new Date("2026-11-16T00:00:00.000Z");
const WEEKS = ["20261116", "20261123", "20261130"].map((week) => `${MESSAGES}_${week}`);
const store = useWebhookStore();

/** Puts the database's weeks where this file expects them, whenever it runs. */
const lay = () => store.db.transaction((unit) => layMessageWeeks(unit, WEEKS));
const names = async () => (await listMessagePartitions(store.db)).map(({ name }) => name.slice(MESSAGES.length + 1));
const sidAt = (weeks: number, digits = "") =>
  `${firstSidAt("OM", new Date(START.getTime() + weeks * WEEK))}7000${digits}`;

async function addAt(...weeks: readonly number[]): Promise<readonly string[]> {
  const sids = weeks.map((week) => sidAt(week, "a".repeat(16)));
  await acceptInside(
    store.db,
    sids.map((sid) => newMessage({ sid, accountSid: store.accountSid })),
  );
  return sids;
}

async function placesOf(sids: readonly string[]): Promise<readonly string[]> {
  const rows = await store.db.query<{ place: string }>(
    "select tableoid::regclass::text as place from outbound_messages where sid = any ($1) order by sid",
    [sids],
  );
  return rows.map(({ place }) => place.slice(MESSAGES.length + 1));
}

test("every sid has a place, whatever clock made it, and moves to its week when that is made", async () => {
  await lay();
  expect(await names()).toEqual(["older", "20261116", "20261123", "20261130", "later"]);
  const sids = await addAt(-500, 0, 2, 3, 4, 30, 5_000);
  expect(await placesOf(sids)).toEqual(["older", "20261116", "20261130", "later", "later", "later", "later"]);
  const tend = (weeks: number) =>
    tendPartitions({ db: store.db, now: new Date(START.getTime() + weeks * WEEK), keepDays: 30 });
  await tend(0);
  await tend(0);
  expect(await placesOf(sids)).toEqual(["older", "20261116", "20261130", "20261207", "20261214", "later", "later"]);
  // No server ran for half a year.
  await tend(30);
  expect((await names()).slice(-8)).toEqual([
    "20261221",
    "20270607",
    "20270614",
    "20270621",
    "20270628",
    "20270705",
    "20270712",
    "later",
  ]);
  expect((await placesOf(sids)).slice(-2)).toEqual(["20270614", "later"]);
  const options = await store.db.query<{ options: readonly string[] }>(
    "select distinct reloptions as options from pg_inherits join pg_class on oid = inhrelid where inhparent = $1::regclass",
    [MESSAGES],
  );
  expect(options).toEqual([{ options: ["fillfactor=50"] }]);
  // Neither are they dropped, nor do they change where there are messages.
  expect(await names()).toContain("20261116");
  await expect(lay()).rejects.toThrow("cannot be changed");
});

test("lists have the messages of all weeks once, page by page in both directions", async () => {
  const all = await store.db.query<{ sid: string }>("select sid from outbound_messages order by sid");
  const sids = all.map(({ sid }) => sid);
  const messages = outboundMessageStore(store.db);
  for (const direction of ["Ascending", "Descending"] as const) {
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await messages.list(store.accountSid, { size: 2, direction, ...(after && { after }) }, {});
      found.push(...page.items.map(({ sid }) => sid));
      after = page.next;
      if (after === undefined) break;
    }
    expect(found).toEqual(direction === "Ascending" ? sids : sids.toReversed());
  }
  expect(await messages.list("AC0", { size: 2, direction: "Descending" }, {})).toEqual({ items: [] });
});

test("messages of one week are found in its table, those of several or of no lasting one in the whole", async () => {
  const weeks = new MessageWeeks();
  const tableOf = (...given: readonly number[]) =>
    weeks.tableOf({ least: sidAt(given[0] ?? 0), greatest: sidAt(given.at(-1) ?? 0) });
  expect(tableOf(0)).toBe(MESSAGES);
  await weeks.read(store.db);
  expect(tableOf(0)).toBe(`${MESSAGES}_20261116`);
  expect(tableOf(0.1, 0.9)).toBe(`${MESSAGES}_20261116`);
  expect(tableOf(0, 1)).toBe(MESSAGES);
  expect(tableOf(-9, -8)).toBe(`${MESSAGES}_older`);
  expect(tableOf(5_000)).toBe(MESSAGES);
  const { least, greatest } = weeks.spanAt(new Date(START.getTime() + WEEK / 2));
  expect([least <= sidAt(0), sidAt(0.999) < greatest, greatest < sidAt(1)]).toEqual([true, true, true]);
});
