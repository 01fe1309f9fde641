import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { statusFields, useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { type Queryable, queryableOver } from "../engine/database.ts";
import { eventLog } from "./event-log.ts";
import { emitEvents } from "./outbox.ts";

const store = useWebhookStore({ hasOwnPostgres: true });
let accountSid: string;
const sessions: pg.Client[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.end();
});

/** A session whose transaction the test holds open. */
async function session(): Promise<Queryable> {
  const client = new pg.Client(store.connection);
  await client.connect();
  sessions.push(client);
  return queryableOver(client);
}

const emit = (db: Queryable, resourceSid: string) =>
  emitEvents(
    db,
    [{ accountSid, type: "OutboundMessageStatusChanged", resourceSid, fields: statusFields(resourceSid) }],
    store.clock.now(),
  );

const sidsOf = (events: readonly { readonly resourceSid: string }[]) => events.map(({ resourceSid }) => resourceSid);

test("a reader misses nothing when a transaction that began first commits last", async () => {
  accountSid = await store.addAccount();
  const log = eventLog(store.db);
  const [slow, quick] = [await session(), await session()];
  await slow.query("begin");
  await emit(slow, "OMslow");
  await quick.query("begin");
  await emit(quick, "OMquick");
  await quick.query("commit");
  // The quick one is committed, but returning it now would skip the slow one.
  expect(await log.after(accountSid, undefined, 10)).toEqual([]);
  expect(await log.end(accountSid)).toBe("0-0");
  expect((await log.list(accountSid, { size: 10, direction: "Descending" }, undefined)).items).toEqual([]);
  await slow.query("commit");
  expect(sidsOf(await log.after(accountSid, undefined, 10))).toEqual(["OMslow", "OMquick"]);
});

test("whatever order transactions commit in, reading on from the last position yields each event once", async () => {
  accountSid = await store.addAccount();
  const log = eventLog(store.db);
  const open = await Promise.all(Array.from({ length: 6 }, () => session()));
  const seen: string[] = [];
  let position: string | undefined;
  const readOn = async () => {
    for (const event of await log.after(accountSid, position, 2)) {
      seen.push(event.resourceSid);
      position = event.position;
    }
  };
  for (const [at, db] of open.entries()) {
    await db.query("begin");
    await emit(db, `OM${at}a`);
  }
  for (const at of [3, 1, 5, 0, 4, 2]) {
    await emit(open[at] as Queryable, `OM${at}b`);
    await open[at]?.query(at === 4 ? "rollback" : "commit");
    await readOn();
    await readOn();
  }
  for (let left = -1; left !== seen.length; ) {
    left = seen.length;
    await readOn();
  }
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 5].flatMap((at) => [`OM${at}a`, `OM${at}b`]).sort());
  expect(new Set(seen).size).toBe(seen.length);
});

test("an event is reported in the place of its transaction, not of the moment it was written", async () => {
  accountSid = await store.addAccount();
  const log = eventLog(store.db);
  const [first, second] = [await session(), await session()];
  await first.query("begin");
  await first.query("select pg_current_xact_id()");
  await second.query("begin");
  await emit(second, "OMsecond");
  await second.query("commit");
  const start = await log.end(accountSid);
  await emit(first, "OMfirst");
  await first.query("commit");
  expect(sidsOf(await log.after(accountSid, start, 10))).toEqual(["OMfirst", "OMsecond"]);
});

test("a reader that begins at the end sees what was under way when it began", async () => {
  accountSid = await store.addAccount();
  const log = eventLog(store.db);
  await emit(store.db, "OMbefore");
  const db = await session();
  await db.query("begin");
  await emit(db, "OMunderWay");
  const end = await log.end(accountSid);
  await db.query("commit");
  expect(sidsOf(await log.after(accountSid, end, 10))).toEqual(["OMunderWay"]);
});

test("pages in both directions hold every event once while more are stored", async () => {
  accountSid = await store.addAccount();
  const log = eventLog(store.db);
  const stored = Array.from({ length: 7 }, (_, at) => `OMpage${at}`);
  for (const sid of stored) await emit(store.db, sid);
  for (const direction of ["Ascending", "Descending"] as const) {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await log.list(accountSid, { size: 3, direction, after }, undefined);
      seen.push(...sidsOf(page.items));
      after = page.next;
      if (direction === "Descending") await emit(store.db, "OMmeanwhile");
    } while (after !== undefined);
    expect(seen).toEqual(direction === "Ascending" ? stored : [...stored].reverse());
  }
});

test("an account sees its own events and no others, and a position that no one gave out leads nowhere", async () => {
  accountSid = await store.addAccount();
  await emit(store.db, "OMmine");
  const log = eventLog(store.db);
  const other = await store.addAccount();
  expect(await log.after(other, undefined, 10)).toEqual([]);
  expect(await log.end(other)).toBe("0-0");
  const page = { size: 10, direction: "Ascending", after: "' or true" } as const;
  expect(await log.list(accountSid, page, undefined)).toEqual({ items: [] });
});

test("a reader of all accounts misses nothing when a transaction that began first stores its event last", async () => {
  accountSid = await store.addAccount();
  const log = eventLog(store.db);
  const start = await log.endOfAll();
  const [first, second] = [await session(), await session()];
  await first.query("begin");
  await first.query("select pg_current_xact_id()");
  await second.query("begin");
  await emit(second, "OMsecond");
  await emit(first, "OMfirst");
  await first.query("commit");
  const [read] = await log.ofAllAfter(start, 10);
  expect(read).toMatchObject({ resourceSid: "OMfirst", accountSid });
  await second.query("commit");
  const rest = await log.ofAllAfter(read?.position ?? "", 10);
  expect(sidsOf(rest)).toEqual(["OMsecond"]);
  expect(await log.ofAllAfter(await log.endOfAll(), 10)).toEqual([]);
  const { items } = await log.listAll({ size: 2, direction: "Descending" }, undefined);
  expect(sidsOf(items)).toEqual(["OMfirst", "OMsecond"]);
});

const emitMany = (resourceSid: string, count: number) =>
  store.db.query(
    `insert into events (account_sid, type, resource_sid, sequence, fields, created_at)
     select $1, 'OptOutChanged', $2, number, '{}', $4 from generate_series(1, $3::int) as number`,
    [accountSid, resourceSid, count, store.clock.now()],
  );

test("a reader of all accounts who is a night behind goes on with the newest, and reaches the end", async () => {
  accountSid = await store.addAccount();
  const log = eventLog(store.db);
  const start = await log.endOfAll();
  await emitMany("OOnight", 20_000);
  await emit(store.db, "OMmorning");
  const seen = await log.ofAllAfter(start, 10_000);
  expect(seen.length).toBeLessThanOrEqual(4_000);
  expect(seen.at(-1)).toMatchObject({ resourceSid: "OMmorning" });
});

test("a reader of all accounts who begins while thousands are under way sees none of before", async () => {
  accountSid = await store.addAccount();
  const log = eventLog(store.db);
  await emit(store.db, "OMbefore");
  const slow = await session();
  await slow.query("begin");
  await slow.query("select pg_current_xact_id()");
  await emitMany("OOrush", 2_500);
  const end = await log.endOfAll();
  await slow.query("commit");
  const seen = sidsOf(await log.ofAllAfter(end, 10_000));
  expect([seen.includes("OMbefore"), seen.includes("OOrush")]).toEqual([false, true]);
});
