import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { statusFields, useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import type { NewEvent } from "../../../domain/events.ts";
import { EVENTS_STORED } from "../engine/channels.ts";
import type { Queryable } from "../engine/database.ts";
import { eventLog } from "./event-log.ts";
import { emitEvents } from "./outbox.ts";

const store = useWebhookStore();
let listener: pg.Client;
let heard: string[];

beforeEach(async () => {
  heard = [];
  listener = new pg.Client(store.connection);
  await listener.connect();
  listener.on("notification", ({ payload }) => heard.push(payload ?? ""));
  await listener.query(`listen ${EVENTS_STORED}`);
});
afterEach(async () => {
  await listener.end();
  await store.db.query("delete from webhook_subscriptions");
  await store.dispatch();
  expect(store.faults).toEqual([]);
  store.posts.length = 0;
});

/** Notifications arrive before the answer to any query sent after their commit. */
async function notified(): Promise<readonly string[]> {
  await listener.query("select 1");
  return heard;
}

function event(resourceSid: string, more: Partial<NewEvent<"OutboundMessageStatusChanged">> = {}) {
  const { accountSid } = store;
  const type = "OutboundMessageStatusChanged" as const;
  return { accountSid, type, resourceSid, fields: statusFields(resourceSid), ...more };
}

function signal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

const emit = (...events: readonly NewEvent[]) => emitEvents(store.db, events, store.clock.now());

async function sequencesOf(resourceSid: string, accountSid = store.accountSid): Promise<readonly number[]> {
  const rows = await store.db.query<{ sequence: number }>(
    "select sequence from events where resource_sid = $1 and account_sid = $2 order by id",
    [resourceSid, accountSid],
  );
  return rows.map(({ sequence }) => sequence);
}

test("several events of one resource in one call are numbered in the order given, and the next call goes on", async () => {
  await store.subscribe();
  const reported = (Status: string, sid = "OMone") => event(sid, { fields: { ...statusFields(sid), Status } });
  await emit(reported("Queued"), reported("Queued", "OMtwo"), reported("Sent"), reported("Delivered"));
  await emit(reported("Expired"), reported("Sent", "OMtwo"));
  expect(await sequencesOf("OMone")).toEqual([1, 2, 3, 4]);
  expect(await sequencesOf("OMtwo")).toEqual([1, 2]);
  await store.dispatch();
  const bodies = store.posts.map(({ body }) => JSON.parse(body) as { Sid: string; Sequence: number; Status: string });
  const received = bodies.filter(({ Sid }) => Sid === "OMone").map(({ Sequence, Status }) => [Sequence, Status]);
  expect(received).toEqual([
    [1, "Queued"],
    [2, "Sent"],
    [3, "Delivered"],
    [4, "Expired"],
  ]);
});

test("two writers of events of one resource wait for each other's row lock, and continue the numbering", async () => {
  const tell = async (unit: Queryable) => {
    await unit.query("update accounts set name = name where sid = $1", [store.accountSid]);
    await emitEvents(unit, [event("OMturns")], store.clock.now());
  };
  const reported = signal();
  const go = signal();
  const first = store.db.transaction(async (unit) => {
    await tell(unit);
    reported.give();
    await go.given;
  });
  await reported.given;
  const second = store.db.transaction(tell);
  const waiting = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(() => store.db.query(waiting), { timeout: 120_000 }).toHaveLength(1);
  go.give();
  await Promise.all([first, second]);
  expect(await sequencesOf("OMturns")).toEqual([1, 2]);
});

test("two accounts that tell of the same thing are numbered apart, and hear nothing of one another", async () => {
  const other = await store.addAccount();
  const mine = await store.subscribe();
  const theirs = await store.subscribe({ accountSid: other, url: "https://other.example/" });
  await emit(event("+14155550100"), event("+14155550100", { accountSid: other }), event("+14155550100"));
  await emit(event("+14155550100", { accountSid: other }));
  expect(await sequencesOf("+14155550100")).toEqual([1, 2]);
  expect(await sequencesOf("+14155550100", other)).toEqual([1, 2]);
  await store.dispatch();
  const counts = [mine, theirs].map(({ url }) => store.posts.filter((post) => post.url === url).length);
  expect(counts).toEqual([2, 2]);
});

test("a transaction that is rolled back leaves no event, no delivery, and tells nobody", async () => {
  store.advance(1);
  await store.subscribe();
  const failing = store.db.transaction(async (unit) => {
    await emitEvents(unit, [event("OMundone")], store.clock.now());
    throw new Error("undone");
  });
  await expect(failing).rejects.toThrow("undone");
  expect(await sequencesOf("OMundone")).toEqual([]);
  expect(await store.db.query("select from deliveries where created_at = $1", [store.clock.now()])).toEqual([]);
  expect(await store.db.query("select from delivery_queue")).toEqual([]);
  expect(await notified()).toEqual([]);
});

test("who is concerned is named when the transaction commits: the account, and the subscriptions with something due", async () => {
  const { sid } = await store.subscribe();
  await store.subscribe({ type: "OptOutChanged" });
  await store.subscribe({ enabled: false });
  await emit(event("OMtold"), event("OMtold"));
  const [payload, ...rest] = await notified();
  expect(rest).toEqual([]);
  expect(payload?.split(",").sort()).toEqual([store.accountSid, sid].sort());
});

test("an event that no one subscribed to is stored and reported all the same", async () => {
  await emit(event("OMalone"));
  expect(await notified()).toEqual([store.accountSid]);
  const log = eventLog(store.db);
  const logged = async () => (await log.after(store.accountSid, undefined, 1000)).map(({ resourceSid }) => resourceSid);
  await expect.poll(logged, { timeout: 120_000 }).toContain("OMalone");
});

test("nothing to tell is nothing to do", async () => {
  await emit();
  expect(await notified()).toEqual([]);
});

test("an event goes to a thousand subscriptions, though their names are too many to be reported", async () => {
  await store.db.query(
    `insert into webhook_subscriptions (sid, account_sid, types, url, payload_shape, enabled, secret, secret_created_at, created_at)
     select 'WS' || lpad(n::text, 32, '0'), $1, '{OutboundMessageStatusChanged}', 'https://r' || n || '.example/', 'A', true, $2, $3, $3
       from generate_series(1, 1000) as n`,
    [store.accountSid, store.box.seal("whsec_AAAA"), store.clock.now()],
  );
  await emit(event("OMmany"));
  expect(await notified()).toEqual([""]);
  await store.dispatch();
  expect(new Set(store.posts.map(({ url }) => url)).size).toBe(1000);
  expect(store.posts).toHaveLength(1000);
});

test("a message with characters that cannot be stored is reported with replacements", async () => {
  await store.subscribe({ type: "InboundMessageReceived" });
  const Text = "zero \u0000, half \ud83d, whole \u{1f600}, written \\u0000";
  const fields = {
    Sid: "IM1",
    From: "+14155550101",
    To: "+14155550100",
    AdditionalRecipients: [],
    Text,
    MediaUrls: ["https://example.com/\udc00"],
    SegmentCount: 1,
  };
  await emit({ accountSid: store.accountSid, type: "InboundMessageReceived", resourceSid: "IM1", fields });
  await store.dispatch();
  expect(JSON.parse(store.posts[0]?.body ?? "")).toMatchObject({
    Text: "zero \ufffd, half \ufffd, whole \u{1f600}, written \\u0000",
    MediaUrls: ["https://example.com/\ufffd"],
  });
});
