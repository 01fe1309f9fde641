import { beforeEach, expect, test } from "vitest";
import { newCall } from "../../../test/fakes/new-call.ts";
import { silent } from "../../../test/fakes/silent-log.ts";
import { answered, useWebhookStore } from "../../../test/fakes/webhook-store.ts";
import type { Retention } from "../../domain/accounts/index.ts";
import { accountStore } from "./accounts/accounts.ts";
import { hasTurn } from "./accounts/retention-turns.ts";
import { holding } from "./engine/conditions.ts";
import { Database } from "./engine/database.ts";
import { tendPartitions } from "./engine/partitions.ts";
import { deleteOldRecords } from "./retention.ts";
import { callStore } from "./voice/calls.ts";
import { sweepConferences } from "./voice/conferences.ts";
import { removedSegments } from "./voice/stored-segments.ts";

const store = useWebhookStore();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let account: string;

const now = () => store.clock.now();
const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
const keep = (retention: Partial<Retention>, sid = account) =>
  accountStore(store.db, store.box, async () => undefined).change(sid, retention);
/** As a worker's clock sees it: what asks for a turn is due. */
const later = () => new Date(Math.max(now().getTime(), Date.now()) + 1_000);

/** Until nothing is due any more. */
async function deleteAll(db = store.db) {
  await db.query("update retention_turns set due_at = $1", [now()]);
  let turns = 0;
  for (; (await holding(store.db, [hasTurn(now)]))[0]; turns++) {
    const { failure } = await deleteOldRecords(db, now);
    if (failure !== undefined) throw new Error(failure);
  }
  return turns;
}

beforeEach(async () => {
  await store.clear();
  for (const table of [
    "outbound_messages",
    "inbound_messages",
    "media_files",
    "calls",
    "removed_segments",
    "events",
    "message_steps",
  ]) {
    await store.db.query(`delete from ${table}`);
  }
  await store.db.query("delete from deliveries");
  await store.db.query("delete from retention_turns");
  account = await store.addAccount();
});

const sidAt = (prefix: "OM" | "IM" | "CA" | "CF", at: Date) => {
  const sid = store.ids.sid(prefix);
  return prefix + at.getTime().toString(16).padStart(12, "0") + sid.slice(14);
};

interface Sent {
  readonly status?: string;
  readonly errorCode?: number;
  readonly sentOn?: Date;
  readonly of?: string;
}

async function addOutbound(at: Date, { status = "Delivered", errorCode = 0, sentOn = at, of = account }: Sent = {}) {
  const sid = sidAt("OM", at);
  await store.db.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, error_code,
        created_at, sent_at, expires_at)
     values ($1, $2, '+14155550100', '+14155550101', 'x', $3, 1, 'GSM7', 2, $4, $5, $6, $5)`,
    [of, sid, status, errorCode, at, status === "Queued" ? null : sentOn],
  );
  await store.db.query("insert into message_steps (sid, at, step, details) values ($1, $2, 'Queued', '{}')", [sid, at]);
  return sid;
}

async function addInbound(at: Date, of = account) {
  const sid = sidAt("IM", at);
  const media = store.ids.sid("ME" as "IM");
  await store.db.query(
    `insert into inbound_messages (account_sid, sid, from_number, to_number, additional_recipients, text, media, segment_count, link, created_at)
     values ($1, $2, '+14155550101', '+14155550100', '{}', 'x', $3, 1, 'a', $4)`,
    [of, sid, JSON.stringify([{ sid: media }]), at],
  );
  await store.db.query(
    "insert into media_files (sid, account_sid, content_type, size_bytes, sha256, created_at) values ($1, $2, 'image/png', 1, 'ab', $3)",
    [media, of, at],
  );
  return sid;
}

async function addCall(at: Date, { status = "Completed", recording = "", of = account } = {}) {
  const sid = sidAt("CA", at);
  const call = newCall({ sid, accountSid: of, createdOn: at });
  const scope = { phone: "+14155550100", messagingConfigSid: null, eventsTold: 0 };
  await callStore(store.db).insert({ call, scope, ringSeconds: 30, maxSeconds: 60, record: false } as never);
  await store.db.query("update calls set status = $2, completed_at = $3 where sid = $1", [
    sid,
    status,
    status === "Completed" ? at : null,
  ]);
  await store.db.query("delete from call_recordings where call_sid = $1", [sid]);
  if (recording === "") return sid;
  const recordingSid = `RE${sid.slice(2)}`;
  await store.db.query("insert into call_recordings (sid, call_sid, account_sid, status) values ($1, $2, $3, $4)", [
    recordingSid,
    sid,
    of,
    recording,
  ]);
  await store.db.query(
    `insert into recording_segments (recording_sid, account_sid, index, started_at, raw_host, state, key)
     values ($1, $2, 1, $3, 'here', 'Done', $4)`,
    [recordingSid, of, at, `${sid}.mp3`],
  );
  return sid;
}

const sidsOf = async (table: string, of = account) =>
  (await store.db.query<{ sid: string }>(`select sid from ${table} where account_sid = $1 order by sid`, [of])).map(
    ({ sid }) => sid,
  );
const eventsOf = async (of = account) =>
  (
    await store.db.query<{ resource: string }>(
      "select resource_sid as resource from events where account_sid = $1 order by id",
      [of],
    )
  ).map(({ resource }) => resource);

test("everything is kept for ever unless the operator says otherwise", async () => {
  const kept = await addOutbound(daysAgo(4_000));
  expect(await deleteAll()).toBe(0);
  await keep({ messageDays: 10 });
  expect(await holding(store.db, [hasTurn(later)])).toStrictEqual([true]);
  await keep({ messageDays: null });
  await deleteAll();
  expect(await sidsOf("outbound_messages")).toStrictEqual([kept]);
  expect(await store.db.query("select from retention_turns")).toStrictEqual([]);
});

test("messages older than they are kept go with all that belongs to them, and no others", async () => {
  const other = await store.addAccount();
  await addOutbound(daysAgo(31));
  await addInbound(daysAgo(31));
  const young = [await addOutbound(daysAgo(29)), await addInbound(daysAgo(29))];
  const called = await addCall(daysAgo(31));
  const others = [await addOutbound(daysAgo(31), { of: other }), await addInbound(daysAgo(31), other)];
  await keep({ messageDays: 30 });
  await deleteAll();
  expect([...(await sidsOf("outbound_messages")), ...(await sidsOf("inbound_messages"))]).toStrictEqual(young);
  expect([...(await sidsOf("outbound_messages", other)), ...(await sidsOf("inbound_messages", other))]).toStrictEqual(
    others,
  );
  expect(await sidsOf("calls")).toStrictEqual([called]);
  const steps = await store.db.query<{ sid: string }>("select sid from message_steps order by sid");
  expect(steps.map(({ sid }) => sid)).toStrictEqual([young[0], others[0]].toSorted());
  expect(await store.db.query("select from media_files where account_sid = $1", [account])).toHaveLength(1);
  expect(await eventsOf()).toStrictEqual([]);
});

test("a message is kept until nothing can happen to it any more", async () => {
  const kept = [
    await addOutbound(daysAgo(40), { status: "Queued" }),
    await addOutbound(daysAgo(39), { status: "Sent", sentOn: daysAgo(6) }),
    await addOutbound(daysAgo(38), { status: "Failed", errorCode: 3100, sentOn: daysAgo(6) }),
    await addOutbound(daysAgo(37), { status: "Delivered", sentOn: daysAgo(1) }),
  ];
  await addOutbound(daysAgo(36), { status: "Sent", sentOn: daysAgo(8) });
  await addOutbound(daysAgo(35), { status: "Failed", errorCode: 3100, sentOn: daysAgo(8) });
  for (const status of ["Expired", "Canceled", "Delivered"]) await addOutbound(daysAgo(34), { status });
  await keep({ messageDays: 2 });
  await deleteAll();
  expect(await sidsOf("outbound_messages")).toStrictEqual(kept);
});

test("calls go with their recordings, whose files are then to be removed, unless something of them is under way", async () => {
  const gone = await addCall(daysAgo(9), { recording: "Completed" });
  const kept = [
    await addCall(daysAgo(8), { status: "Answered" }),
    await addCall(daysAgo(8), { recording: "Processing" }),
    await addCall(daysAgo(6), { recording: "Completed" }),
  ];
  await keep({ callDays: 7 });
  await deleteAll();
  expect(await sidsOf("calls")).toStrictEqual(kept.toSorted());
  const removed = await removedSegments(store.db, { host: "here", isShared: false }).list();
  expect(removed.map(({ key }) => key)).toStrictEqual([`${gone}.mp3`]);
});

test("conferences go when they have ended, as long after that as calls", async () => {
  const add = async (at: Date, isOver: boolean, of = account) => {
    const sid = sidAt("CF", at);
    await store.db.query(
      `insert into conferences (sid, account_sid, name, status, process, created_at, completed_at, participants)
       values ($1, $2, $1, $3, 1, $4, $5, '[]')`,
      [sid, of, isOver ? "Completed" : "InProgress", at, isOver ? at : null],
    );
    return sid;
  };
  await add(daysAgo(9), true);
  const kept = [await add(daysAgo(8), false), await add(daysAgo(6), true)];
  await keep({ callDays: 7 });
  await deleteAll();
  expect(await sidsOf("conferences")).toStrictEqual(kept.toSorted());
  const other = await store.addAccount();
  const theirs = await add(daysAgo(9), true, other);
  expect(await sweepConferences(store.db, now(), 10)).toBe(0);
  expect(await sidsOf("conferences", other)).toStrictEqual([theirs]);
  expect(await sweepConferences(store.db, now(), 7)).toBe(1);
  expect(await sidsOf("conferences")).toStrictEqual(kept.toSorted());
});

test("events go with their deliveries and attempts, but none that is still to be delivered", async () => {
  await tendPartitions({ db: store.db, now: now(), keepDays: 30 });
  await store.db.query("update webhook_slots set worker = 1");
  const emit = (resourceSid: string) => store.emit(resourceSid);
  account = store.accountSid;
  await store.subscribe();
  await emit("OM1");
  await store.dispatch();
  store.receiveBy(() => answered(500));
  await emit("OM2");
  await store.dispatch();
  expect(await eventsOf()).toStrictEqual(["OM1", "OM2"]);
  store.advance(2 * DAY_MS);
  await store.db.query(
    "insert into refused_requests (created_at, account_sid, status, code, trace_id, request_id) values ($1, $3, 400, 'x', 't', 'r1'), ($2, $3, 400, 'x', 't', 'r2')",
    [daysAgo(2), now(), account],
  );
  await emit("OM3");
  await keep({ eventDays: 1 });
  await deleteAll();
  expect(await eventsOf()).toStrictEqual(["OM2", "OM3"]);
  expect(await sidsOf("deliveries")).toHaveLength(2);
  const requests = await store.db.query<{ id: string }>("select request_id as id from refused_requests");
  expect(requests.map(({ id }) => id)).toStrictEqual(["r2"]);
  store.receiveBy(() => answered(200));
  while (await store.advanceToNext());
  store.advance(DAY_MS + 1_000);
  await deleteAll();
  expect(await eventsOf()).toStrictEqual([]);
  expect(await sidsOf("deliveries")).toStrictEqual([]);
  expect(await store.db.query("select from attempts")).toStrictEqual([]);
  await keep({ eventDays: null });
});

test("a turn deletes a bounded number of rows, and an account with much to delete delays no other", async () => {
  const other = await store.addAccount();
  const waiting = await addOutbound(daysAgo(500), { status: "Queued" });
  for (let day = 499; day > 0; day--) await addOutbound(daysAgo(10 + day / 100));
  for (let day = 600; day > 0; day--) await addOutbound(daysAgo(9 + day / 1_000));
  await addOutbound(daysAgo(9), { of: other });
  await keep({ messageDays: 5 });
  await keep({ messageDays: 5 }, other);
  await store.db.query("update retention_turns set due_at = $1", [now()]);
  const { counts } = await deleteOldRecords(store.db, now);
  expect(counts).toStrictEqual({ messages: 500, calls: 0, events: 0, requests: 0 });
  expect(await sidsOf("outbound_messages", other)).toStrictEqual([]);
  expect(await sidsOf("outbound_messages")).toHaveLength(601);
  expect(await holding(store.db, [hasTurn(now)])).toStrictEqual([true]);
  await deleteAll();
  expect(await sidsOf("outbound_messages")).toStrictEqual([waiting]);
});

test("one process at a time deletes, and what one began that died is as it was and done later", async () => {
  for (let day = 3; day > 0; day--) await addOutbound(daysAgo(9 + day));
  await keep({ messageDays: 5 });
  await store.db.query("update retention_turns set due_at = $1", [now()]);
  const [dying, holder] = [new Database(store.connection, silent), new Database(store.connection, silent)];
  let turn: ReturnType<typeof deleteOldRecords> | undefined;
  await holder.transaction(async (unit) => {
    await unit.query("lock table message_steps in share mode");
    turn = deleteOldRecords(dying, now);
    const waiting = () =>
      store.db.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%message_steps%'",
      );
    await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(1);
    expect((await deleteOldRecords(store.db, now)).counts.messages).toBe(0);
    await store.db.query("select pg_terminate_backend($1)", [(await waiting())[0]?.pid]);
  });
  expect((await turn)?.failure).toBeDefined();
  await dying.close();
  await holder.close();
  expect(await sidsOf("outbound_messages")).toHaveLength(3);
  await deleteAll();
  expect(await sidsOf("outbound_messages")).toStrictEqual([]);
});

test("a message that a receipt is changing is left for the next pass", async () => {
  const sid = await addOutbound(daysAgo(9));
  await addOutbound(daysAgo(8));
  await keep({ messageDays: 5 });
  const other = new Database(store.connection, silent);
  await other.transaction(async (unit) => {
    await unit.query("select from outbound_messages where sid = $1 for update", [sid]);
    await deleteAll();
  });
  await other.close();
  expect(await sidsOf("outbound_messages")).toStrictEqual([sid]);
  await deleteAll();
  expect(await sidsOf("outbound_messages")).toStrictEqual([]);
});

test("an account whose records cannot be deleted is told, and delays no other", async () => {
  const other = await store.addAccount();
  await addCall(daysAgo(9));
  await addOutbound(daysAgo(9), { of: other });
  await keep({ callDays: 5 });
  await keep({ messageDays: 5 }, other);
  await store.db.query("create table holders (sid text references calls)");
  await store.db.query("insert into holders select sid from calls");
  await store.db.query("update retention_turns set due_at = $1", [now()]);
  const { counts, failure } = await deleteOldRecords(store.db, now);
  await store.db.query("drop table holders");
  expect(failure).toContain(account);
  expect(counts.messages).toBe(1);
  expect(await holding(store.db, [hasTurn(now)])).toStrictEqual([false]);
});
