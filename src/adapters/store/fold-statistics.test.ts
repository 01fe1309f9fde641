import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answered, statusFields, useWebhookStore } from "../../../test/fakes/webhook-store.ts";
import type { MessageStatus } from "../../domain/messaging/index.ts";
import type { StatisticsCount, StatisticsKind, StatisticsStep } from "../../domain/statistics.ts";
import { type Queryable, queryableOver } from "./engine/database.ts";
import { foldStatistics, sweepStatistics } from "./fold-statistics.ts";
import { statisticsStore } from "./statistics.ts";
import { emitEvents } from "./webhooks/outbox.ts";

const store = useWebhookStore({ hasOwnPostgres: true });
const HOUR_MS = 3_600_000;
const sessions: pg.Client[] = [];
let accountSid: string;

beforeEach(async () => {
  accountSid = await store.addAccount();
});
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

interface Made {
  readonly sid: string;
  readonly carrier: string | null;
}

async function accept(db: Queryable, carrier: string | null = null, at = store.clock.now()): Promise<Made> {
  const sid = store.ids.sid("OM");
  await db.query(
    `with queued as (
       insert into outbound_queue (sid, account_sid, from_number, priority, due_at, expires_at, is_ready)
       values ($2, $1, '+14155550100', 2, $4, $4, $3::text is null)
     )
     insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, carrier, created_at, expires_at)
     values ($1, $2, '+14155550100', '+14155550101', 'text', 'Queued', 1, 'GSM7', 2, $3, $4, $4)`,
    [accountSid, sid, carrier, at],
  );
  return { sid, carrier };
}

async function move(db: Queryable, { sid }: Made, PreviousStatus: MessageStatus, Status: MessageStatus): Promise<void> {
  await db.query("delete from outbound_queue where sid = $1", [sid]);
  await db.query("update outbound_messages set status = $3 where account_sid = $1 and sid = $2", [
    accountSid,
    sid,
    Status,
  ]);
  const fields = { ...statusFields(sid), Status, PreviousStatus };
  const event = { accountSid, type: "OutboundMessageStatusChanged" as const, resourceSid: sid, fields };
  await emitEvents(db, [event], store.clock.now());
}

async function counts(
  kind: StatisticsKind = "Messages",
  step: StatisticsStep = "Hour",
): Promise<readonly StatisticsCount[]> {
  const question = { kind, step, from: new Date("2026-11-14T00:00:00.000Z"), to: new Date("2026-12-14T00:00:00.000Z") };
  return (await statisticsStore(store.db).of(accountSid, question)).counts;
}

/** What the table of messages has, as a list would show it. */
async function listed(): Promise<readonly StatisticsCount[]> {
  return store.db.query<StatisticsCount>(
    `select date_trunc('hour', created_at, 'UTC') as "from", status as outcome, carrier, count(*)::float8 as count
       from outbound_messages where account_sid = $1 group by 1, 2, 3 order by 1, 2, coalesce(carrier, '')`,
    [accountSid],
  );
}

const outcomes = (items: readonly StatisticsCount[]) =>
  Object.fromEntries(items.map(({ outcome, count }) => [outcome, count]));

/** Until nothing is left to count: a portion that has begun, and the next. */
async function foldAll(): Promise<void> {
  for (let times = 0; times < 4; times++) await foldStatistics(store.db);
}

test("whatever order transactions commit in and however often it is counted, each change counts once", async () => {
  const open = await Promise.all(Array.from({ length: 5 }, () => session()));
  const times = [0, -HOUR_MS, -20 * HOUR_MS].map((ago) => new Date(store.clock.now().getTime() + ago));
  for (let round = 0; round < 6; round++) {
    const made = await Promise.all(
      open.map((_, at) => accept(store.db, [null, "Alpha", "Beta"][at % 3], times[(at + round) % 3])),
    );
    for (const db of open) await db.query("begin");
    for (const [at, db] of open.entries()) {
      const message = made[at] as Made;
      await move(db, message, "Queued", at === 4 ? "Expired" : "Sent");
      if (at === 3) await move(db, message, "Sent", "Failed");
    }
    await Promise.all([foldStatistics(store.db), foldStatistics(store.db), foldStatistics(store.db)]);
    // Some end in another order than they began, some not at all.
    for (const at of [2, 0, 4, 3, 1]) {
      await open[at]?.query(at === round % 5 ? "rollback" : "commit");
      await foldStatistics(store.db);
    }
    const [early] = made;
    if (early && round % 5 !== 0) await move(store.db, early, "Sent", "Delivered");
    // A process that dies while it counts.
    const dying = {
      query: store.db.query.bind(store.db),
      transaction: <Value>(work: (unit: Queryable) => Promise<Value>) =>
        store.db.transaction(async (unit) => {
          await work(unit);
          throw new Error("died");
        }),
    };
    await expect(foldStatistics(dying)).rejects.toThrow("died");
  }
  await foldAll();
  expect(await counts()).toStrictEqual(await listed());
  expect((await listed()).length).toBeGreaterThan(10);
});

test("a transaction that runs long is counted when it has ended, and others before it are not lost", async () => {
  const slow = await session();
  await slow.query("begin");
  const late = await accept(slow);
  await move(slow, late, "Queued", "Sent");
  for (let count = 0; count < 5; count++) {
    await move(store.db, await accept(store.db), "Queued", "Delivered");
    await foldAll();
  }
  await slow.query("commit");
  await foldAll();
  expect(outcomes(await counts())).toStrictEqual({ Sent: 1, Delivered: 5 });
});

test("what a process has not counted for long is counted in chunks", async () => {
  await foldAll();
  const [{ before } = { before: 0 }] = await store.db.query<{ before: number }>(
    "select count(*)::int as before from events",
  );
  await store.db.query(
    `with made as (
       insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, created_at, expires_at)
       select $1, 'OM' || lpad(to_hex(n), 32, '0'), '+14155550100', '+14155550101', 'text', 'Sent', 1, 'GSM7', 2, $2, $2 from generate_series(1, 25000) as n
       returning sid)
     insert into events (account_sid, type, resource_sid, sequence, fields, created_at)
     select $1, 'OutboundMessageStatusChanged', sid, 1, '{"Status":"Sent","PreviousStatus":"Queued"}', $2 from made`,
    [accountSid, store.clock.now()],
  );
  await foldStatistics(store.db);
  const [partly] = await counts();
  expect(partly?.count).toBeGreaterThan(0);
  expect(partly?.count).toBeLessThan(25_000);
  for (let times = 0; times < 5; times++) await foldAll();
  expect(outcomes(await counts())).toStrictEqual({ Sent: 25_000 });
  expect(before).toBeGreaterThan(0);
});

test("what waits and what is being sent is counted as Queued, once", async () => {
  const later = await accept(store.db, "Alpha");
  await accept(store.db);
  const sent = await accept(store.db);
  await store.db.query("delete from outbound_queue where sid = $1", [sent.sid]);
  await store.db.query(
    "insert into submits (term, number, link, account_sids, sids) values (0, 1, 'link', array[$1, $1], array[$2, $3])",
    [accountSid, sent.sid, later.sid],
  );
  expect(await counts("Messages", "Day")).toStrictEqual(
    [null, "Alpha"].map((carrier) => ({
      from: new Date("2026-11-16T00:00:00.000Z"),
      outcome: "Queued",
      carrier,
      count: carrier ? 1 : 2,
    })),
  );
  await store.db.query("delete from submits");
});

test("deliveries are counted by their status, however they got there", async () => {
  for (const kind of ["bad", "good"]) await store.subscribe({ accountSid, url: `https://${kind}.example/` });
  const gone = await store.subscribe({ accountSid, url: "https://gone.example/" });
  const isSwitchedOff = async () => !(await store.subscriptions.find(accountSid, gone.sid))?.enabled;
  let goneCount = 0;
  store.receiveBy(async ({ url }) => {
    const { host } = new URL(url);
    // The first answer switches the subscription off, before another can make the receiver one that is probed.
    if (host === "gone.example" && goneCount++ > 0) await expect.poll(isSwitchedOff).toBe(true);
    return answered({ "bad.example": 500, "gone.example": 410 }[host] ?? 200);
  });
  const status = async () => {
    const page = { size: 1_000, direction: "Descending" } as const;
    const all = (await store.deliveries.list(accountSid, page, {})).items;
    return Object.fromEntries(
      [...new Set(all.map((each) => each.status))]
        .toSorted()
        .map((each) => [each, all.filter((other) => other.status === each).length]),
    );
  };
  const emit = async (count: number) => {
    const events = Array.from({ length: count }, (_, at) => ({
      accountSid,
      type: "OutboundMessageStatusChanged" as const,
      resourceSid: `OM${at}`,
      fields: statusFields(`OM${at}`),
    }));
    await emitEvents(store.db, events, store.clock.now());
  };
  const agree = async (expected: object) => {
    await foldAll();
    expect(outcomes(await counts("Deliveries"))).toStrictEqual(await status());
    expect(await status()).toMatchObject(expected);
  };
  await emit(30);
  await agree({ Pending: 90 });
  await store.dispatch();
  // Of those to the one that is gone, what was under way has failed, and the rest was canceled.
  await agree({ Delivered: 30, Pending: 30, Failed: expect.any(Number), Canceled: expect.any(Number) });
  const filters = { status: "Failed" } as const;
  const order = { filters, url: "https://other.example/", now: store.clock.now(), limit: 1 };
  expect(await store.deliveries.replay(accountSid, order)).toBe(1);
  await agree({ Delivered: 30, Pending: 31 });
  await store.dispatch();
  await agree({ Delivered: 31, Pending: 30 });
  await store.clear();
});

test("a call is counted when it has ended, by its last event, and before that where it stands", async () => {
  const call = async (status: string, endReason: string | null) => {
    const sid = store.ids.sid("CA");
    await store.db.query(
      `insert into calls (sid, account_sid, direction, from_party, to_party, caller_id, status, end_reason, created_at, phone)
       values ($1, $2, 'Outbound', 'a', 'b', 'c', $3, $4, $5, 'd')`,
      [sid, accountSid, status, endReason, store.clock.now()],
    );
    return sid;
  };
  const tell = (resourceSid: string, Status: string) =>
    emitEvents(
      store.db,
      [{ accountSid, type: "CallStatusChangedWebhook", resourceSid, fields: { Status } as never }],
      store.clock.now(),
    );
  const first = await call("Answered", null);
  await tell(first, "Completed");
  await call("Ringing", null);
  await foldAll();
  expect(outcomes(await counts("Calls"))).toStrictEqual({ Answered: 1, Ringing: 1 });
  await store.db.query("update calls set status = 'Completed', end_reason = 'HungUp' where sid = $1", [first]);
  await tell(first, "Completed");
  const second = await call("Completed", "Busy");
  // Both legs have ended before any is counted; a recording ends later.
  await tell(second, "Completed");
  await tell(second, "Completed");
  await foldAll();
  await emitEvents(
    store.db,
    [{ accountSid, type: "CallRecordingCompleted", resourceSid: second, fields: { Status: "Completed" } as never }],
    store.clock.now(),
  );
  await foldAll();
  expect(outcomes(await counts("Calls"))).toStrictEqual({ Busy: 1, HungUp: 1, Ringing: 1 });
});

test("counts that nothing can ask for any more are removed", async () => {
  await move(store.db, await accept(store.db), "Queued", "Sent");
  await foldAll();
  const hour = new Date(Math.floor(store.clock.now().getTime() / HOUR_MS) * HOUR_MS);
  await sweepStatistics(store.db, hour);
  expect(outcomes(await counts())).toStrictEqual({ Sent: 1 });
  await sweepStatistics(store.db, new Date(hour.getTime() + HOUR_MS));
  expect(await counts()).toStrictEqual([]);
});
