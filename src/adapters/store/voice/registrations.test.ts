import { afterEach, expect, test } from "vitest";
import { newCall } from "../../../../test/fakes/new-call.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import type { RegisteredContact } from "../../../domain/voice/index.ts";
import { CallLease } from "./call-lease.ts";
import { type LeftCalls, StoredLedger } from "./call-ledger.ts";
import { callStore } from "./calls.ts";
import { Registrations } from "./registrations.ts";

const store = useWebhookStore();
const leases: CallLease[] = [];

afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.close();
  await store.db.query("delete from registrations");
  await store.db.query("delete from calls");
});

async function newProcess() {
  const lease = new CallLease(store.connection, silent);
  leases.push(lease);
  await lease.open();
  return { lease, contacts: new Registrations(store.db, lease, () => store.clock.now()) };
}

const later = (seconds: number) => new Date(store.clock.now().getTime() + seconds * 1000);

const contact = (changes: Partial<RegisteredContact> = {}): RegisteredContact => ({
  trunk: "office",
  uri: "sip:pbx@10.0.0.2",
  instance: null,
  q: 0.5,
  callId: "call",
  cseq: 0x7fffffff,
  transport: "UDP",
  address: "198.51.100.7",
  port: 1024,
  place: "192.0.2.10:5060",
  expiresOn: later(60),
  ...changes,
});

test("a contact is read as it was written, by each process with who holds it, until it expires", async () => {
  const [one, other] = [await newProcess(), await newProcess()];
  const [held, expired] = [contact({ instance: "<urn:uuid:1>" }), contact({ trunk: "old", expiresOn: later(-1) })];
  await one.contacts.write([held, expired, contact({ trunk: "home" })], []);
  expect(await one.contacts.list(["office", "old"])).toEqual([{ ...held, holder: "us" }]);
  expect(await other.contacts.list("all")).toHaveLength(2);
  expect(await other.contacts.list(["office"])).toEqual([{ ...held, holder: "another" }]);
  await one.contacts.sweep();
  expect(await store.db.query("select from registrations")).toHaveLength(2);
});

test("a contact is one at each place, and is replaced there and deleted there", async () => {
  const [one, other] = [await newProcess(), await newProcess()];
  const there = contact({ place: "192.0.2.11:5060" });
  await one.contacts.write([contact()], []);
  await other.contacts.write([there], []);
  await one.contacts.write([contact({ q: 1 }), contact({ uri: "sip:new@10.0.0.3" })], []);
  expect(await one.contacts.list("all")).toHaveLength(3);
  await one.contacts.write([], [contact(), contact({ uri: "sip:new@10.0.0.3" })]);
  expect(await other.contacts.list("all")).toEqual([{ ...there, holder: "us" }]);
});

test.each(["dies", "stops"] as const)(
  "when its process %s a connection's contact goes, and one over UDP waits for its place",
  async (how) => {
    const [one, other] = [await newProcess(), await newProcess()];
    await one.contacts.write([contact(), contact({ uri: "sip:tcp@10.0.0.2", transport: "TCP" })], []);
    await other.lease.takeOver();
    expect(await other.contacts.list("all"), "its process lives").toHaveLength(2);
    if (how === "stops") await one.contacts.close();
    leases.splice(leases.indexOf(one.lease), 1);
    await one.lease.close();
    if (how === "dies") await other.lease.takeOver();
    expect(await other.contacts.list("all")).toMatchObject([{ transport: "UDP", holder: "nobody" }]);
    await other.contacts.adopt(["192.0.2.11:5060"]);
    expect(await other.contacts.list("all")).toMatchObject([{ holder: "nobody" }]);
    await other.contacts.adopt(["192.0.2.11:5060", "192.0.2.10:5060"]);
    expect(await other.contacts.list("all")).toMatchObject([{ holder: "us" }]);
  },
);

test("a call to a number is left to the process that reaches the best trunk, for seconds; one to SIP URIs is not", async () => {
  const [one, other] = [await newProcess(), await newProcess()];
  const ledgerOf = ({ lease }: typeof one, leaves: LeftCalls) =>
    new StoredLedger(store.db, lease, store.clock, "host", () => leaves);
  const order = async (from: string, to: string, createdOn: Date) => {
    const made = { direction: "Outbound", status: "Started", from, to, createdOn } as const;
    const call = newCall({ sid: store.ids.sid("CA"), accountSid: store.accountSid, ...made });
    const scope = { phone: "+14155550100", messagingConfigSid: null, eventsTold: 0 };
    const wishes = { ringSeconds: 20, maxSeconds: 60, keyPrompt: null, program: null, requestId: null };
    await callStore(store.db).insert({ call, scope, ...wishes });
    return call.sid;
  };
  const sip = "sip:bob@198.51.100.9";
  const left = await order(sip, "+14155550122", later(0));
  const waited = await order("+14155550122", sip, later(-4));
  const plain = await order(sip, sip, later(0));
  const claimed = async (process: typeof one, numbers: boolean, emergencies = false) =>
    (await ledgerOf(process, { numbers, emergencies }).claim()).map(({ call }) => call.sid).sort();
  expect(await claimed(one, true)).toEqual([waited, plain].sort());
  expect(await claimed(other, false)).toEqual([left]);
  // The trunk for emergency calls is one of its own.
  const emergencies = [await order(sip, "911", later(0)), await order("+14155550122", "112", later(0))];
  const late = await order(sip, "112", later(-4));
  expect(await claimed(one, false, true)).toEqual([late]);
  expect(await claimed(other, true, false)).toEqual(emergencies.sort());
});
