import { afterEach, beforeAll, expect, test } from "vitest";
import { newCall } from "../../../../test/fakes/new-call.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { makeIds } from "../../../base/ids.ts";
import type { AbandonedCall, Call, CallChange } from "../../../domain/voice/index.ts";
import { CallLease } from "./call-lease.ts";
import { StoredLedger } from "./call-ledger.ts";
import { callStore } from "./calls.ts";

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

async function newProcess() {
  const lease = new CallLease(store.connection, silent);
  leases.push(lease);
  await lease.open();
  return { lease, ledger: new StoredLedger(store.db, lease, store.clock, "host") };
}

/** Ends its session, as the death of its process would. */
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

const eventsOf = (sid: string) =>
  store.db.query<{ status: string; sequence: number }>(
    "select fields ->> 'Status' as status, sequence::int from events where resource_sid = $1 order by sequence",
    [sid],
  );

test("a record is stored with its legs, steps and events, and changed until it is Completed", async () => {
  const { ledger } = await newProcess();
  const ringing = call();
  expect(await ledger.save(changeOf(ringing, "Ringing"))).toBe(true);
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
  expect(await ledger.save(change)).toBe(true);
  expect(await calls.find(store.accountSid, ringing.sid)).toMatchObject({ status: "Completed", endReason: "Canceled" });
  expect(await ledger.save(changeOf(ended, "Completed"))).toBe(false);
  expect(await eventsOf(ringing.sid)).toHaveLength(1);
});

test("calls of a process that died are taken over, and lost to it", async () => {
  const dead = await newProcess();
  const alive = await newProcess();
  const record = call();
  await dead.ledger.save(changeOf(record, "Ringing"));
  expect(await alive.ledger.takeOver()).toEqual([]);
  await kill(dead.lease);
  let taken: AbandonedCall | undefined;
  await expect
    .poll(async () => {
      [taken] = await alive.ledger.takeOver();
      return taken?.call.sid;
    })
    .toBe(record.sid);
  expect(taken).toMatchObject({ call: { sid: record.sid }, scope: { phone: "+14155550100", eventsTold: 1 } });
  expect([...(taken?.dialogs ?? [])]).toEqual([[record.legs[0]?.sid, "{}"]]);
  expect(await alive.ledger.takeOver()).toEqual([]);
  expect(await dead.ledger.save(changeOf(record, "Answered"))).toBe(false);
  expect(await eventsOf(record.sid)).toEqual([{ status: "Ringing", sequence: 1 }]);
});

test("a call that waits to be dialled is claimed once", async () => {
  const [one, other] = [await newProcess(), await newProcess()];
  const calls = callStore(store.db);
  const record = call({ direction: "Outbound", status: "Started" });
  const scope = { phone: "+14155550100", messagingConfigSid: null, eventsTold: 0 };
  const wishes = { ringSeconds: 20, maxSeconds: 60, keyPrompt: "Press any key." };
  await calls.insert({ call: record, scope, ...wishes });
  await calls.askToHangUp(store.accountSid, record.sid);
  const claimed = [...(await one.ledger.claim()), ...(await other.ledger.claim())];
  expect(await one.ledger.askedToHangUp()).toEqual([record.sid]);
  expect(claimed).toMatchObject([{ call: { sid: record.sid }, ...wishes, isHungUp: true }]);
});

test("a call under way is not deleted, and a deleted one leaves nothing", async () => {
  const { ledger } = await newProcess();
  const calls = callStore(store.db);
  const record = call();
  await ledger.save(changeOf(record, "Ringing"));
  expect(await calls.remove(store.accountSid, record.sid)).toBe("active");
  expect(await calls.countActive(store.accountSid)).toBe(1);
  await ledger.save({
    ...changeOf({ ...record, status: "Completed", completedOn: new Date() }, "Completed"),
    events: [],
  });
  expect(await calls.remove("AC0", record.sid)).toBe("unknown");
  expect(await calls.remove(store.accountSid, record.sid)).toBe("removed");
  expect(await store.db.query("select 1 from call_legs where call_sid = $1", [record.sid])).toEqual([]);
});
