import { afterEach, expect, test } from "vitest";
import { explaining } from "../../../../test/fakes/explaining.ts";
import { newCall } from "../../../../test/fakes/new-call.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import type { SegmentFacts, WaitingSegment } from "../../../domain/voice/index.ts";
import { holding } from "../engine/conditions.ts";
import type { Database } from "../engine/database.ts";
import { CallLease } from "./call-lease.ts";
import { callStore } from "./calls.ts";
import { hasSegmentWork, segmentQueue } from "./segment-queue.ts";
import { findStoredSegment, hasRemovedSegments, removedSegments, sweepCalls } from "./stored-segments.ts";
import { troubledRecordings } from "./troubled-recordings.ts";

const store = useWebhookStore();
const leases: CallLease[] = [];
const FILE: SegmentFacts = { samples: 12_000, sizeBytes: 5_760, sha256: "ab".repeat(32) };
const HOST = "here";

afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.close();
  await store.db.query("delete from calls");
  await store.db.query("delete from removed_segments");
});

async function newProcess(host = HOST) {
  const lease = new CallLease(store.connection, silent);
  leases.push(lease);
  await lease.open();
  return { lease, queue: segmentQueue(store.db, { lease, host, urlOf: (sid, index) => `https://t/${sid}/${index}` }) };
}

async function kill(lease: CallLease): Promise<void> {
  leases.splice(leases.indexOf(lease), 1);
  await lease.close();
}

/** A call with a recording whose segments are closed. */
async function addRecording(
  segments: number,
  { status = "Processing", callStatus = "Completed", accountSid = store.accountSid } = {},
) {
  const { db, ids } = store;
  const now = store.clock.now();
  const call = newCall({ sid: ids.sid("CA"), accountSid });
  const scope = { phone: "+14155550100", messagingConfigSid: null, eventsTold: 6 };
  await callStore(db).insert({ call, scope, ringSeconds: 30, maxSeconds: 60, record: false } as never);
  await db.query("update calls set status = $2, completed_at = $3 where sid = $1", [call.sid, callStatus, now]);
  const sid = ids.sid("RE");
  await db.query("delete from call_recordings where call_sid = $1", [call.sid]);
  await db.query("insert into call_recordings (sid, call_sid, account_sid, status) values ($1, $2, $3, $4)", [
    sid,
    call.sid,
    accountSid,
    status,
  ]);
  for (let index = 1; index <= segments; index++) {
    await db.query(
      `insert into recording_segments (recording_sid, account_sid, index, started_at, raw_file, raw_host, samples, state, due_at)
       values ($1, $6, $2, $3, $4, $5, 12000, 'Waiting', $3)`,
      [sid, index, now, `${sid}-${index}.ulaw2`, HOST, accountSid],
    );
  }
  return { callSid: call.sid, sid };
}

const hasWork = async () => (await holding(store.db, [hasSegmentWork(HOST)])).includes(true);
type Queue = Awaited<ReturnType<typeof newProcess>>["queue"];

async function claimAll(queue: Queue): Promise<readonly WaitingSegment[]> {
  const claimed: WaitingSegment[] = [];
  for (;;) {
    const more = await queue.claim({ countMax: 100, now: store.clock.now(), notOf: [] });
    if (more.length === 0) return claimed.toSorted((one, other) => one.index - other.index);
    claimed.push(...more);
  }
}
const eventsOf = (callSid: string) =>
  store.db.query<{ fields: object; sequence: number }>(
    "select fields, sequence::int from events where resource_sid = $1 and type = 'CallRecordingCompleted'",
    [callSid],
  );
const statusOf = async (sid: string) =>
  (await store.db.query<{ status: string }>("select status from call_recordings where sid = $1", [sid]))[0]?.status;

test("a segment is claimed once, by a process with its raw file, and carries what its file needs", async () => {
  const { queue } = await newProcess();
  const { queue: other } = await newProcess();
  const { queue: elsewhere } = await newProcess("there");
  const { callSid, sid } = await addRecording(1);
  expect(await claimAll(elsewhere)).toEqual([]);
  expect(await claimAll(queue)).toEqual([
    {
      accountSid: store.accountSid,
      callSid,
      recordingSid: sid,
      index: 1,
      rawFile: `${sid}-1.ulaw2`,
      channels: 2,
      samples: 12_000,
      attempts: 0,
      key: `${store.accountSid}/${callSid}/${sid}-1.mp3`,
    },
  ]);
  expect(await claimAll(other)).toEqual([]);
});

test("a recording of a program is finished while its call goes on, and is told apart from the call's", async () => {
  const { queue } = await newProcess();
  const { callSid, sid } = await addRecording(1, { callStatus: "Answered" });
  const other = await addRecording(1, { callStatus: "Answered" });
  await store.db.query("update call_recordings set source = 'Record', callback = $2 where sid = $1", [
    sid,
    JSON.stringify({ url: "https://t/told", shape: "A" }),
  ]);
  const claimed = await claimAll(queue);
  expect(claimed.map(({ recordingSid, channels }) => [recordingSid, channels]).toSorted()).toEqual(
    [
      [sid, 1],
      [other.sid, 2],
    ].toSorted(),
  );
  for (const segment of claimed) await queue.done(segment, FILE);
  await queue.complete(store.clock.now());
  expect([await statusOf(sid), await statusOf(other.sid)]).toEqual(["Completed", "Processing"]);
  const [event] = await store.db.query<{ fields: object }>("select fields from events where resource_sid = $1", [sid]);
  expect(event?.fields).toMatchObject({
    CallSid: callSid,
    Source: "Record",
    Segments: [{ Url: `https://t/${callSid}/${sid}` }],
  });
  const [call] = await store.db.query("select events_told::int as told from calls where sid = $1", [callSid]);
  expect(call).toEqual({ told: 6 });
  expect(await findStoredSegment(store.db, callSid, sid)).toMatchObject(FILE);
  expect(await findStoredSegment(store.db, callSid, 1)).toBeUndefined();
  expect(await findStoredSegment(store.db, other.callSid, other.sid)).toBeUndefined();
});

test("accounts take turns, one segment each, and go on after the one that was served last", async () => {
  const { queue } = await newProcess();
  const accounts = [await store.addAccount(), await store.addAccount(), await store.addAccount()].toSorted();
  const [a, b, c] = accounts as [string, string, string];
  for (const [accountSid, count] of [
    [a, 4],
    [b, 2],
    [c, 1],
  ] as const)
    await addRecording(count, { accountSid });
  const claim = async (countMax: number, notOf: readonly string[] = []) =>
    (await queue.claim({ countMax, now: store.clock.now(), notOf })).map(
      ({ accountSid }) => "abc"[accounts.indexOf(accountSid)],
    );
  expect(await claim(2)).toEqual(["a", "b"]);
  expect(await claim(2)).toEqual(["c", "a"]);
  expect(await claim(5, [a])).toEqual(["b"]);
  expect(await claim(5)).toEqual(["a"]);
  expect(await claim(5, [a, b, c])).toEqual([]);
  expect(await claim(5)).toEqual(["a"]);
  expect(await claim(5)).toEqual([]);
});

test("a claim reads one segment of each account, however many an account has waiting", async () => {
  const { lease } = await newProcess();
  const { sid } = await addRecording(1);
  const small = await store.addAccount();
  await store.db.query(
    `insert into recording_segments (recording_sid, account_sid, index, started_at, raw_file, raw_host, samples, state, due_at)
     select $1, $2, index, $3, 'x', $4, 12000, 'Waiting', $3 from generate_series(2, 20000) as index`,
    [sid, store.accountSid, store.clock.now(), HOST],
  );
  await addRecording(1, { accountSid: small });
  await store.db.query("analyze recording_segments");
  const read: number[] = [];
  const counting = explaining(store.db, (rows) => read.push(rows)) as Database;
  await segmentQueue(counting, { lease, host: HOST, urlOf: () => "" }).claim({
    countMax: 10,
    now: store.clock.now(),
    notOf: [],
  });
  expect(read).toHaveLength(1);
  expect(read[0]).toBeLessThan(10);
});

test("the claims of a process that died are free again, those of one that lives are not", async () => {
  const dead = await newProcess();
  const alive = await newProcess();
  await addRecording(1);
  const [segment] = (await claimAll(dead.queue)) as [WaitingSegment];
  await alive.queue.release();
  expect(await claimAll(alive.queue)).toEqual([]);
  await kill(dead.lease);
  await expect
    .poll(async () => {
      await alive.queue.release();
      return (await claimAll(alive.queue)).length;
    })
    .toBe(1);
  expect(await dead.queue.done(segment, FILE)).toBe("lost");
  await dead.queue.giveUp(segment, "too late");
  expect(await alive.queue.done(segment, FILE)).toBe("done");
});

test("a recording is completed with its event when its last segment is done, once", async () => {
  const { queue } = await newProcess();
  const { callSid, sid } = await addRecording(2);
  const [first, second] = (await claimAll(queue)) as [WaitingSegment, WaitingSegment];
  const now = store.clock.now();
  await queue.done(first, FILE);
  await queue.complete(now);
  expect(await statusOf(sid)).toBe("Processing");
  await queue.done(second, { ...FILE, samples: 8_000 });
  await Promise.all([queue.complete(now), queue.complete(now)]);
  await queue.complete(now);
  expect(await statusOf(sid)).toBe("Completed");
  const segment = { DurationSeconds: 1.5, SizeBytes: 5_760, Sha256: FILE.sha256 };
  expect(await eventsOf(callSid)).toEqual([
    {
      sequence: 7,
      fields: {
        CallSid: callSid,
        RecordingSid: sid,
        DurationSeconds: 2.5,
        Segments: [
          { Index: first.index, ...segment, Url: `https://t/${callSid}/${first.index}` },
          { Index: second.index, ...segment, DurationSeconds: 1, Url: `https://t/${callSid}/${second.index}` },
        ],
      },
    },
  ]);
  expect(await findStoredSegment(store.db, callSid, 1)).toMatchObject({ accountSid: store.accountSid, ...FILE });
});

test("a recording of a call under way is not completed, though its segments are done", async () => {
  const { queue } = await newProcess();
  const { callSid, sid } = await addRecording(1, { status: "Paused", callStatus: "Answered" });
  const [segment] = (await claimAll(queue)) as [WaitingSegment];
  await queue.done(segment, FILE);
  await queue.complete(store.clock.now());
  expect(await statusOf(sid)).toBe("Paused");
  await store.db.query("update calls set status = 'Completed' where sid = $1", [callSid]);
  await store.db.query("update call_recordings set status = 'Processing' where sid = $1", [sid]);
  await queue.complete(store.clock.now());
  expect(await statusOf(sid)).toBe("Completed");
  expect(await eventsOf(callSid)).toHaveLength(1);
});

test("a segment that was put off comes again in its time, and counts as failed only with a reason", async () => {
  const { queue } = await newProcess();
  await addRecording(1);
  const now = store.clock.now();
  const later = new Date(now.getTime() + 5_000);
  const [segment] = (await claimAll(queue)) as [WaitingSegment];
  await queue.putOff(segment, { until: later, reason: null });
  expect(await queue.claim({ countMax: 10, now, notOf: [] })).toEqual([]);
  expect(await queue.claim({ countMax: 10, now: later, notOf: [] })).toMatchObject([{ attempts: 0 }]);
  await queue.putOff(segment, { until: now, reason: "it broke" });
  expect(await queue.claim({ countMax: 10, now: later, notOf: [] })).toMatchObject([{ attempts: 1 }]);
});

test("a recording that was given up is seen by operators with the reason, and may be tried again", async () => {
  const { queue } = await newProcess();
  const { callSid, sid } = await addRecording(2);
  const [first, second] = (await claimAll(queue)) as [WaitingSegment, WaitingSegment];
  const now = store.clock.now();
  await queue.giveUp(first, "the encoder was lost");
  await queue.done(second, FILE);
  await queue.complete(now);
  expect(await statusOf(sid)).toBe("Failed");
  expect(await eventsOf(callSid)).toEqual([]);
  const troubled = troubledRecordings(store.db);
  const { items } = await troubled.list({ size: 10, direction: "Descending" });
  expect(items).toMatchObject([
    {
      sid,
      callSid,
      accountSid: store.accountSid,
      status: "Failed",
      fault: "the encoder was lost",
      segments: [
        { index: 1, state: "Failed", fault: "the encoder was lost", rawFile: `${sid}-1.ulaw2` },
        { index: 2, state: "Done" },
      ],
    },
  ]);
  expect(await troubled.retry("RE0", now)).toBe(false);
  expect(await troubled.retry(sid, now)).toBe(true);
  expect(await troubled.retry(sid, now)).toBe(false);
  expect(await troubled.find(sid)).toBeUndefined();
  const [again] = (await claimAll(queue)) as [WaitingSegment];
  await queue.done(again, FILE);
  await queue.complete(now);
  expect(await statusOf(sid)).toBe("Completed");
  expect(await eventsOf(callSid)).toHaveLength(1);
});

test("raw files are needless when their segments are done, until they are removed", async () => {
  const { queue } = await newProcess();
  const { sid } = await addRecording(2);
  const [first] = (await claimAll(queue)) as [WaitingSegment];
  expect(await queue.needlessRawFiles()).toEqual([]);
  await queue.done(first, FILE);
  expect(await queue.needlessRawFiles()).toEqual([`${sid}-${first.index}.ulaw2`]);
  await queue.rawRemoved([first.rawFile]);
  expect(await queue.needlessRawFiles()).toEqual([]);
});

test("there is something to do until files are made, recordings complete and raw files removed", async () => {
  const { queue } = await newProcess();
  expect(await hasWork()).toBe(false);
  const { sid } = await addRecording(1, { status: "Completed" });
  const recordingIs = (status: string) => store.db.query("update call_recordings set status = $1", [status]);
  // Waiting, claimed, done with its raw file, and done without.
  expect(await hasWork()).toBe(true);
  const [segment] = (await claimAll(queue)) as [WaitingSegment];
  expect(await hasWork()).toBe(true);
  await queue.done(segment, FILE);
  expect(await hasWork()).toBe(true);
  await queue.rawRemoved([segment.rawFile]);
  expect(await hasWork()).toBe(false);
  await recordingIs("Processing");
  expect(await hasWork()).toBe(true);
  await queue.complete(store.clock.now());
  expect([await statusOf(sid), await hasWork()]).toStrictEqual(["Completed", false]);
});

test("a deleted call leaves its files to be removed, also when its recording is just being encoded", async () => {
  const { queue } = await newProcess();
  const { callSid, sid } = await addRecording(2);
  const [first, second] = (await claimAll(queue)) as [WaitingSegment, WaitingSegment];
  await queue.done(first, FILE);
  await queue.rawRemoved([first.rawFile]);
  expect(await callStore(store.db).remove(store.accountSid, callSid)).toBe("removed");
  expect(await queue.done(second, FILE)).toBe("deleted");
  const here = removedSegments(store.db, { host: HOST, isShared: false });
  const key = (index: number) => `${store.accountSid}/${callSid}/${sid}-${index}.mp3`;
  const left = await here.list();
  expect(await holding(store.db, [hasRemovedSegments])).toStrictEqual([true]);
  expect(left).toMatchObject([
    { key: key(1), rawFile: null },
    { key: key(2), rawFile: `${sid}-2.ulaw2` },
  ]);
  expect(await removedSegments(store.db, { host: "there", isShared: false }).list()).toEqual([]);
  expect(await removedSegments(store.db, { host: "there", isShared: true }).list()).toMatchObject([{ key: key(1) }]);
  await here.forget(left.map(({ id }) => id));
  expect(await here.list()).toEqual([]);
  expect(await holding(store.db, [hasRemovedSegments])).toStrictEqual([false]);
});

test("calls are kept for as long as they are to be, and those whose recording is not finished until it is", async () => {
  const { queue } = await newProcess();
  const done = await addRecording(1);
  const [segment] = (await claimAll(queue)) as [WaitingSegment];
  await queue.done(segment, FILE);
  await queue.complete(store.clock.now());
  const waiting = await addRecording(1);
  const after = (days: number) => new Date(store.clock.now().getTime() + days * 24 * 3_600_000 + 1_000);
  expect(await sweepCalls(store.db, after(29), 30)).toBe(0);
  expect(await sweepCalls(store.db, after(30), 30)).toBe(1);
  expect(await statusOf(done.sid)).toBeUndefined();
  expect(await statusOf(waiting.sid)).toBe("Processing");
});
