import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openDatabaseLine } from "../../../../test/fakes/database-line.ts";
import { newCall } from "../../../../test/fakes/new-call.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { makeIds } from "../../../base/ids.ts";
import {
  type Call,
  type CallChange,
  type CallRecording,
  newRecording,
  type OrderedProgram,
  type ProgramRecording,
} from "../../../domain/voice/index.ts";
import { holding } from "../engine/conditions.ts";
import type { ConnectionSettings } from "../engine/database.ts";
import { CALL_LOCKS } from "../engine/locks.ts";
import { callDirectory } from "./call-directory.ts";
import { CallLease } from "./call-lease.ts";
import { StoredLedger } from "./call-ledger.ts";
import { callStore } from "./calls.ts";
import { closeLeft, hasOpenSegments, leftSegments } from "./recordings.ts";

const UNTIL = { timeout: 120_000 };

const store = useWebhookStore();
const leases: CallLease[] = [];
let ids: ReturnType<typeof makeIds>;

beforeAll(() => {
  ids = makeIds(store.clock);
});

afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.close();
  await store.db.query("delete from calls");
});

async function newProcess(settings: ConnectionSettings = store.connection) {
  const lease = new CallLease(settings, silent);
  leases.push(lease);
  await lease.open();
  return { lease, ledger: new StoredLedger(store.db, lease, store.clock, "host") };
}

/** The process ends and leaves its calls behind. */
async function kill(lease: CallLease): Promise<void> {
  leases.splice(leases.indexOf(lease), 1);
  await lease.close();
}

const call = (changes: Partial<Call> = {}) => newCall({ sid: ids.sid("CA"), accountSid: store.accountSid, ...changes });

function changeOf(record: Call, status: string): CallChange {
  const [leg] = record.legs;
  return {
    call: record,
    scope: { phone: "+14155550100", messagingConfigSid: null, eventsTold: 1 },
    forwarding: null,
    events: [
      {
        accountSid: record.accountSid,
        type: "CallStatusChangedWebhook",
        resourceSid: record.sid,
        sequence: 1,
        phone: "+14155550100",
        fields: {
          CallSid: record.sid,
          LegSid: leg?.sid ?? "",
          Leg: "First",
          Direction: "Inbound",
          From: record.from,
          To: record.to,
          Status: status,
          DurationSeconds: null,
          EndReason: null,
        },
      },
    ],
    steps: [{ at: record.createdOn, step: "received", details: { trunk: "carrier" } }],
    dialogs: new Map(leg ? [[leg.sid, "{}"]] : []),
  };
}

const hasWork = async ({ ledger }: { readonly ledger: StoredLedger }) =>
  (await holding(store.db, [ledger.hasWork])).includes(true);

const eventsOf = (sid: string) =>
  store.db.query<{ status: string; sequence: number }>(
    "select fields ->> 'Status' as status, sequence::int from events where resource_sid = $1 order by sequence",
    [sid],
  );

test("a record is stored with its legs, steps and events, and changed until it is Completed", async () => {
  const { ledger } = await newProcess();
  const ringing = call();
  expect(await ledger.save(() => changeOf(ringing, "Ringing"))).toBe(true);
  const calls = callStore(store.db);
  expect(await calls.find(store.accountSid, ringing.sid)).toEqual(ringing);
  expect(await calls.trail(store.accountSid, ringing.sid)).toMatchObject([{ step: "received" }]);
  expect(await eventsOf(ringing.sid)).toEqual([{ status: "Ringing", sequence: 1 }]);
  const ended: Call = {
    ...ringing,
    status: "Completed",
    endReason: "Canceled",
    endedBy: "First",
    completedOn: new Date(),
  };
  const change = { ...changeOf(ended, "Completed"), events: [] };
  expect(await ledger.save(() => change)).toBe(true);
  expect(await calls.find(store.accountSid, ringing.sid)).toMatchObject({ status: "Completed", endReason: "Canceled" });
  expect(await ledger.save(() => changeOf(ended, "Completed"))).toBe(false);
  expect(await eventsOf(ringing.sid)).toHaveLength(1);
});

test("calls of a process that died are taken over, and lost to it", async () => {
  const dead = await newProcess();
  const alive = await newProcess();
  const record = call();
  await dead.ledger.save(() => changeOf(record, "Ringing"));
  expect([await hasWork(dead), await hasWork(alive)]).toStrictEqual([false, true]);
  const takeOver = async () => {
    await alive.ledger.takeOver();
    return alive.ledger.owned();
  };
  expect(await takeOver()).toEqual([]);
  await kill(dead.lease);
  await expect.poll(takeOver).toMatchObject([{ id: record.sid }]);
  const [taken] = await alive.ledger.giveBackStrays(await alive.ledger.owned());
  expect(taken).toMatchObject({
    call: { sid: record.sid },
    scope: { phone: "+14155550100", eventsTold: 1 },
    isTakenOver: true,
  });
  expect([...(taken?.dialogs ?? [])]).toEqual([[record.legs[0]?.sid, "{}"]]);
  expect(await hasWork(alive)).toBe(false);
  expect(await dead.ledger.save(() => changeOf(record, "Answered"))).toBe(false);
  expect(await eventsOf(record.sid)).toEqual([{ status: "Ringing", sequence: 1 }]);
});

test("a process that was cut off keeps its calls, and one that hangs loses them", async () => {
  const line = await openDatabaseLine(store.connection);
  onTestFinished(() => line.close());
  const first = await newProcess({ connectionString: line.url });
  const other = await newProcess({ ...store.connection, waitMs: 3_000 });
  const record = call();
  await first.ledger.save(() => changeOf(record, "Ringing"));
  const locks = async () =>
    (
      await store.db.query(
        `select from pg_locks where classid = $1 and objid = $2::int::oid
            and database = (select oid from pg_database where datname = current_database())`,
        [CALL_LOCKS, first.lease.id],
      )
    ).length;
  line.cut();
  await expect.poll(locks, UNTIL).toBe(0);
  for (let look = 0; look < 10; look++) await other.ledger.takeOver();
  expect(await other.ledger.owned()).toEqual([]);
  line.release();
  await expect.poll(locks, UNTIL).toBe(1);
  const silentChange = { ...changeOf(record, "Ringing"), events: [] };
  expect(await first.ledger.save(() => silentChange)).toBe(true);
  line.hold("tandem calls");
  const takeOver = async () => {
    await other.ledger.takeOver();
    return (await other.ledger.owned()).length;
  };
  await expect.poll(takeOver, { ...UNTIL, interval: 1_000 }).toBe(1);
  expect(await first.ledger.save(() => silentChange)).toBe(false);
});

test("a party is asked to be hung up by its own process, and it is done or withdrawn", async () => {
  const [one, other] = [await newProcess(), await newProcess()];
  const calls = callStore(store.db);
  const record = call();
  const [leg] = record.legs;
  if (!leg) throw new Error("a call without a leg");
  const legSid = leg.sid;
  const save = (status: "Ringing" | "Completed") =>
    one.ledger.save(() => changeOf({ ...record, legs: [{ ...leg, status }] }, status));
  await save("Ringing");
  expect([await one.ledger.takePartyHangUps([legSid]), await hasWork(one)]).toEqual([[], false]);
  await calls.askToHangUpParty(legSid);
  expect([await hasWork(one), await other.ledger.takePartyHangUps([legSid])]).toEqual([true, []]);
  expect(await calls.withdrawPartyHangUp(legSid)).toBe(true);
  expect([await one.ledger.takePartyHangUps([legSid]), await hasWork(one)]).toEqual([[], false]);
  await calls.askToHangUpParty(legSid);
  // It is taken up again until it is done.
  for (let times = 0; times < 2; times++) expect(await one.ledger.takePartyHangUps([legSid])).toEqual([legSid]);
  await calls.askToHangUpParty(legSid);
  expect([await calls.withdrawPartyHangUp(legSid), await hasWork(one)]).toEqual([false, true]);
  await save("Completed");
  expect([await one.ledger.takePartyHangUps([legSid]), await hasWork(one)]).toEqual([[], false]);
});

test("a call that waits to be dialled is claimed once", async () => {
  const [one, other] = [await newProcess(), await newProcess()];
  const calls = callStore(store.db);
  const record = call({ direction: "Outbound", status: "Started" });
  const scope = { phone: "+14155550100", messagingConfigSid: null, eventsTold: 0 };
  const wishes = { ringSeconds: 20, maxSeconds: 60, keyPrompt: "Press any key.", program: null };
  expect(await hasWork(one)).toBe(false);
  await calls.insert({ call: record, scope, ...wishes, requestId: null });
  expect(await hasWork(one)).toBe(true);
  await calls.askToHangUp(store.accountSid, record.sid);
  const claimed = [...(await one.ledger.claim()), ...(await other.ledger.claim())];
  expect(await one.ledger.askedToHangUp()).toEqual([record.sid]);
  expect(await hasWork(one)).toBe(true);
  expect(claimed).toMatchObject([{ call: { sid: record.sid }, ...wishes, isHungUp: true }]);
});

test("a call that was claimed and never dialled is given back to be dialled, any other is to be ended", async () => {
  const [one, other] = [await newProcess(), await newProcess()];
  const ordered = call({ direction: "Outbound", status: "Started" });
  const scope = { phone: "+14155550100", messagingConfigSid: null, eventsTold: 0 };
  const wishes = { ringSeconds: 20, maxSeconds: 60, keyPrompt: null, program: null, requestId: null };
  await callStore(store.db).insert({ call: ordered, scope, ...wishes });
  await one.ledger.claim();
  const inbound = call();
  await one.ledger.save(() => changeOf(inbound, "Ringing"));
  const owned = await one.ledger.owned();
  expect(owned.map(({ id }) => id).sort()).toEqual([ordered.sid, inbound.sid].sort());
  expect(await other.ledger.giveBackStrays(owned), "they are not its own").toEqual([]);
  expect(await one.ledger.giveBackStrays(owned.map((record) => ({ ...record, version: "0" })))).toEqual([]);
  expect(await one.ledger.giveBackStrays(owned)).toMatchObject([{ call: { sid: inbound.sid }, isTakenOver: false }]);
  expect(await other.ledger.claim()).toMatchObject([{ call: { sid: ordered.sid } }]);
});

test("a call under way is not deleted, and a deleted one leaves nothing", async () => {
  const { ledger } = await newProcess();
  const calls = callStore(store.db);
  const record = call();
  await ledger.save(() => changeOf(record, "Ringing"));
  expect(await calls.remove(store.accountSid, record.sid)).toBe("active");
  expect(await calls.countActive(store.accountSid)).toBe(1);
  const ended = { ...record, status: "Completed", completedOn: new Date() } as const;
  await ledger.save(() => ({ ...changeOf(ended, "Completed"), events: [] }));
  expect(await calls.remove("AC0", record.sid)).toBe("unknown");
  expect(await calls.remove(store.accountSid, record.sid)).toBe("removed");
  expect(await store.db.query("select 1 from call_legs where call_sid = $1", [record.sid])).toEqual([]);
});

describe("a recording", () => {
  const segment = {
    index: 1,
    startedOn: new Date("2026-01-01T00:00:00Z"),
    samples: null,
    sizeBytes: null,
    sha256: null,
  };
  const stateOf = async (recordingSid: string) =>
    store.db.query(
      "select index, state, samples, raw_file from recording_segments where recording_sid = $1 order by index",
      [recordingSid],
    );
  const recorded = (changes: Partial<CallRecording> = {}) =>
    call({ recording: { ...newRecording(ids.sid("RE")), ...changes } });
  const change = (record: Call) => ({ ...changeOf(record, "Answered"), events: [], steps: [] });

  test("of a program stands beside that of the call, and stays finished when the call is saved again", async () => {
    const { ledger } = await newProcess();
    const calls = callStore(store.db);
    const made = (sid: string): ProgramRecording => ({
      ...newRecording(sid),
      status: "Processing",
      segments: [{ ...segment, samples: 80 }],
      source: "Record",
      callback: { url: "https://t/told", shape: "Twilio" },
    });
    const programRecordings = [made(ids.sid("RE")), made(ids.sid("RE"))];
    const record = { ...recorded(), programRecordings };
    await ledger.save(() => change(record));
    expect(await calls.find(store.accountSid, record.sid)).toEqual(record);
    const [first] = programRecordings;
    await store.db.query("update call_recordings set status = 'Completed' where sid = $1", [first?.sid]);
    await ledger.save(() => change(record));
    const found = await calls.find(store.accountSid, record.sid);
    expect(found?.programRecordings.map(({ status }) => status)).toEqual(["Completed", "Processing"]);
    // Pauses are of the connected parties alone.
    expect(await calls.askToSwitch(store.accountSid, record.sid, "Pause")).toBe(1);
    expect(await ledger.takeSwitches([record.sid])).toEqual([{ sid: record.sid, switches: 1 }]);
  });

  test("is stored with its call, and a segment waits for its encoder when it is closed", async () => {
    const { ledger } = await newProcess();
    const calls = callStore(store.db);
    const record = recorded({ segments: [segment] });
    await ledger.save(() => change(record));
    expect(await calls.find(store.accountSid, record.sid)).toEqual(record);
    const sid = record.recording?.sid ?? "";
    expect(await stateOf(sid)).toEqual([{ index: 1, state: "Recording", samples: null, raw_file: `${sid}-1.ulaw2` }]);
    const closed = {
      ...newRecording(sid),
      status: "Paused",
      switches: 1,
      segments: [{ ...segment, samples: 80 }],
    } as const;
    await ledger.save(() => change({ ...record, recording: closed }));
    expect(await calls.find(store.accountSid, record.sid)).toEqual({ ...record, recording: closed });
    expect(await stateOf(sid)).toMatchObject([{ state: "Waiting", samples: 80 }]);
    // The state that an encoder has set meanwhile stays.
    await store.db.query(
      "update recording_segments set state = 'Done', size_bytes = 3, sha256 = 'ab' where recording_sid = $1",
      [sid],
    );
    await ledger.save(() => change({ ...record, recording: closed }));
    expect(await stateOf(sid)).toMatchObject([{ state: "Done" }]);
    expect((await calls.find(store.accountSid, record.sid))?.recording?.segments).toMatchObject([
      { sizeBytes: 3, sha256: "ab" },
    ]);
  });

  test("is asked to pause and resume once each, as long as its call is under way", async () => {
    const [{ ledger }, other] = [await newProcess(), await newProcess()];
    const calls = callStore(store.db);
    const record = recorded();
    await ledger.save(() => change(record));
    const ask = (action: "Pause" | "Resume", sid = record.sid) => calls.askToSwitch(store.accountSid, sid, action);
    expect([await ask("Resume"), await ask("Pause"), await ask("Pause"), await ask("Resume")]).toEqual([0, 1, 1, 2]);
    expect(await hasWork({ ledger })).toBe(true);
    expect(await ledger.takeSwitches([record.sid])).toEqual([{ sid: record.sid, switches: 2 }]);
    expect(await other.ledger.takeSwitches([record.sid])).toEqual([]);
    expect(await ledger.takeSwitches([])).toEqual([]);
    const { recording } = record;
    if (recording) await ledger.save(() => change({ ...record, recording: { ...recording, switches: 2 } }));
    expect(await ledger.takeSwitches([record.sid])).toEqual([]);
    expect(await hasWork({ ledger })).toBe(false);
    await ledger.save(() => change({ ...record, status: "Completed", completedOn: new Date() }));
    expect(await ask("Pause")).toBeUndefined();
    const unrecorded = call();
    await ledger.save(() => change(unrecorded));
    expect(await ask("Pause", unrecorded.sid)).toBeUndefined();
    expect(await calls.askToSwitch("AC0", record.sid, "Pause")).toBeUndefined();
  });

  test("is paused or its pause is withdrawn, and never both, when both happen at once", async () => {
    const { ledger } = await newProcess();
    const calls = callStore(store.db);
    const outcomes: string[] = [];
    for (let round = 0; round < 50; round++) {
      const record = recorded();
      await ledger.save(() => change(record));
      const switches = await calls.askToSwitch(store.accountSid, record.sid, "Pause");
      expect(switches).toBe(1);
      const [taken, isWithdrawn] = await Promise.all([
        ledger.takeSwitches([record.sid]),
        calls.withdrawSwitch(store.accountSid, record.sid, 1),
      ]);
      expect(taken.length === 0, `round ${round}`).toBe(isWithdrawn);
      // The decision stays the same, however often the requests are repeated.
      expect(await ledger.takeSwitches([record.sid])).toEqual(taken);
      expect(await calls.withdrawSwitch(store.accountSid, record.sid, 1)).toBe(isWithdrawn);
      outcomes.push(isWithdrawn ? "withdrawn" : "taken up");
    }
    console.log(`${outcomes.filter((one) => one === "withdrawn").length} of 50 were withdrawn`);
  });

  test("is asked to go on with another program, and it is done or withdrawn", async () => {
    const [{ ledger }, other] = [await newProcess(), await newProcess()];
    const calls = callStore(store.db);
    const record = call();
    const { sid } = record;
    await ledger.save(() => change(record));
    const programs = ["one", "two", "three", "four"].map(
      (text): OrderedProgram => ({
        script: [{ kind: "say", text }],
        source: { document: { url: "", method: "POST" }, shape: "A" },
      }),
    );
    const ask = (place: number) => calls.askToRedirect(store.accountSid, sid, programs[place] as OrderedProgram);
    const done = (number = 1) => calls.redirectionsOf(store.accountSid, sid, number);
    expect([await done(), await hasWork({ ledger })]).toEqual([0, false]);
    expect([await ask(0), await ask(1)]).toEqual([1, 2]);
    expect(await hasWork({ ledger })).toBe(true);
    expect([await other.ledger.takeRedirections([sid]), await ledger.takeRedirections([])]).toEqual([[], []]);
    // The last one counts, and is taken up again until it is done.
    const asked = { sid, number: 2, program: programs[1] };
    for (let times = 0; times < 2; times++) expect(await ledger.takeRedirections([sid])).toEqual([asked]);
    expect(await calls.withdrawRedirection(store.accountSid, sid, 2)).toBe(false);
    expect(await ask(2)).toBe(3);
    await other.ledger.redirected(asked);
    expect(await done()).toBe(0);
    await ledger.redirected(asked);
    expect(await done()).toBe(2);
    expect(await calls.withdrawRedirection("AC0", sid, 3)).toBe(false);
    expect(await calls.withdrawRedirection(store.accountSid, sid, 3)).toBe(true);
    expect([await ledger.takeRedirections([sid]), await hasWork({ ledger })]).toEqual([[], false]);
    expect(await ask(3)).toBe(4);
    expect(await ledger.takeRedirections([sid])).toEqual([{ sid, number: 4, program: programs[3] }]);
    await ledger.redirected({ sid, number: 4 });
    expect([await ledger.takeRedirections([sid]), await hasWork({ ledger }), await done()]).toEqual([[], false, 4]);
    await ledger.save(() => change({ ...record, status: "Completed", completedOn: new Date() }));
    // A call may end by what the redirection made it do.
    expect([await ask(0), await done(4), await done(5), await calls.redirectionsOf("AC0", sid, 4)]).toEqual([
      ...[undefined, 4, undefined, undefined],
    ]);
  });

  test("whose pause was withdrawn has nothing asked of it, and later orders begin again", async () => {
    const { ledger } = await newProcess();
    const calls = callStore(store.db);
    const record = recorded();
    await ledger.save(() => change(record));
    const ask = (action: "Pause" | "Resume") => calls.askToSwitch(store.accountSid, record.sid, action);
    expect([await ask("Pause"), await ask("Resume")]).toEqual([1, 2]);
    expect(await calls.withdrawSwitch("AC0", record.sid, 1)).toBe(false);
    expect(await calls.withdrawSwitch(store.accountSid, record.sid, 1)).toBe(true);
    expect(await ledger.takeSwitches([record.sid])).toEqual([]);
    expect(await hasWork({ ledger })).toBe(false);
    expect([await ask("Resume"), await ask("Pause")]).toEqual([0, 1]);
    expect(await ledger.takeSwitches([record.sid])).toEqual([{ sid: record.sid, switches: 1 }]);
    expect(await calls.withdrawSwitch(store.accountSid, record.sid, 1)).toBe(false);
  });

  test("is ordered with its call, and a pause that comes before the call is dialled goes with it", async () => {
    const { ledger } = await newProcess();
    const calls = callStore(store.db);
    const record = recorded({});
    const scope = { phone: "+14155550100", messagingConfigSid: null, eventsTold: 0 };
    const wishes = { ringSeconds: 20, maxSeconds: 60, keyPrompt: null, program: null, requestId: null };
    await calls.insert({ call: record, scope, ...wishes });
    await calls.askToSwitch(store.accountSid, record.sid, "Pause");
    expect(await ledger.claim()).toMatchObject([{ call: { recording: record.recording }, switchesAsked: 1 }]);
    expect(await calls.withdrawSwitch(store.accountSid, record.sid, 1)).toBe(false);
  });

  test("that its process left open is closed where its raw file is, once its call has ended", async () => {
    const { ledger } = await newProcess();
    const record = recorded({ segments: [segment] });
    const completedOn = new Date("2026-01-01T00:00:10Z");
    const later = (ms: number) => new Date(completedOn.getTime() + ms);
    await ledger.save(() => change(record));
    expect(await leftSegments(store.db, "host", later(60_000))).toEqual([]);
    await ledger.save(() => change({ ...record, status: "Completed", completedOn }));
    expect(await leftSegments(store.db, "host", later(1_000))).toEqual([]);
    expect(await leftSegments(store.db, "another", later(60_000))).toEqual([]);
    const areOpen = () => holding(store.db, [hasOpenSegments("host"), hasOpenSegments("another")]);
    expect(await areOpen()).toStrictEqual([true, false]);
    const [left] = await leftSegments(store.db, "host", later(60_000));
    if (left) await closeLeft(store.db, left, 4_000, later(60_000));
    expect(await stateOf(record.recording?.sid ?? "")).toMatchObject([{ state: "Waiting", samples: 4_000 }]);
    expect(await leftSegments(store.db, "host", later(60_000))).toEqual([]);
    expect(await areOpen()).toStrictEqual([false, false]);
  });
});

test("a call that is being forwarded is found by its caller and its number, from any process, until it is connected", async () => {
  const [here, there] = ["+14155550190", "+14155550191"];
  await store.db.query(
    `insert into phones (number, account_sid, status, features, created_at, updated_at)
     values ($1, $2, 'Active', '{VOICE}', now(), now())`,
    [there, store.accountSid],
  );
  const [one, other] = [await newProcess(), await newProcess()];
  const directory = callDirectory(store.db, { id: 0 }, () => "US");
  const chainOf = async (caller: string) => (await directory.findCalled([there], caller))?.continued;
  const [short, long] = [call({ callerId: here }), call({ callerId: here })];
  const save = ({ ledger }: typeof one, record: Call, chain: readonly string[] | null, from = here) =>
    ledger.save(() => ({ ...changeOf(record, "Ringing"), forwarding: chain && { from, to: there, chain } }));
  await save(one, short, ["+1"]);
  await save(other, long, ["+1", "+2"]);
  expect(await Promise.all([chainOf(here), chainOf("+14155550192")])).toEqual([
    { callSid: long.sid, chain: ["+1", "+2"] },
    null,
  ]);
  await save(other, { ...long, status: "Answered" }, null);
  expect(await chainOf(here)).toEqual({ callSid: short.sid, chain: ["+1"] });
  // By the caller that the number is shown, not by the call's own.
  await save(one, short, ["+1"], "+14155550192");
  expect(await Promise.all([chainOf(here), chainOf("+14155550192")])).toEqual([
    null,
    { callSid: short.sid, chain: ["+1"] },
  ]);
  const several = { from: here, to: "+14155550193", others: [there, "+14155550194"], chain: ["+1", "+2", "+3"] };
  await one.ledger.save(() => ({ ...changeOf(short, "Ringing"), forwarding: several }));
  expect(await Promise.all([chainOf(here), chainOf("+14155550192")])).toEqual([
    { callSid: short.sid, chain: several.chain },
    null,
  ]);
  await save(one, short, ["+1"]);
  await store.db.query("update calls set status = 'Completed' where sid = $1", [short.sid]);
  expect(await chainOf(here)).toBeNull();
  await one.ledger.note(long.sid, { at: long.createdOn, step: "loop", details: { reason: "It came back." } });
  expect(await callStore(store.db).trail(store.accountSid, long.sid)).toContainEqual(
    expect.objectContaining({ step: "loop", details: { reason: "It came back." } }),
  );
});
