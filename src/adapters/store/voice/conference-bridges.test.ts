import { afterEach, expect, test } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { type Conference, type ConferenceOrder, newConference } from "../../../domain/voice/index.ts";
import { ConferenceTickets } from "../../conference-tickets.ts";
import { newSecretKey } from "../../secrets.ts";
import { holding } from "../engine/conditions.ts";
import { CallLease } from "./call-lease.ts";
import { areBridgesOver, StoredBridges } from "./conference-bridges.ts";
import { StoredConferences } from "./conferences.ts";

const store = useWebhookStore();
const leases: CallLease[] = [];
const key = newSecretKey();

afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.close();
  await store.db.query("delete from conference_tickets");
  await store.db.query("delete from conferences");
});

const now = () => store.clock.now();

async function newNode(place?: string) {
  const lease = new CallLease(store.connection, silent);
  leases.push(lease);
  await lease.open();
  const tickets = new ConferenceTickets(() => [key], now);
  const conferences = new StoredConferences(store.db, lease, store.clock, { rawHost: "host", place: () => place });
  return { tickets, conferences, bridges: new StoredBridges(store.db, lease, store.clock, () => tickets.make()) };
}

function conferenceOf(name: string): Conference {
  return newConference({ sid: store.ids.sid("CF"), accountSid: store.accountSid, name, callback: null }, now());
}

const order: ConferenceOrder = {
  name: "team",
  label: "guest",
  muted: true,
  beeps: { enter: true, exit: false },
  startsOnEnter: true,
  endsOnExit: false,
  participantsMax: 7,
  waitUrl: null,
};
const entryOf = (name = "team") => ({
  accountSid: store.accountSid,
  callSid: "CA1",
  order: { ...order, name },
  shape: "Twilio" as const,
});

async function owner(place = "192.0.2.1:5060") {
  const node = await newNode(place);
  const conference = conferenceOf("team");
  expect(await node.conferences.open(conference, [conference.sid])).toBe("opened");
  return { ...node, conference };
}

test("a call is let into the conference of another node, as it wants to be part of it, and once", async () => {
  const [one, two] = [await owner(), await newNode()];
  const invitation = await two.bridges.invite(entryOf());
  expect(invitation).toMatchObject({ conferenceSid: one.conference.sid, place: "192.0.2.1:5060" });
  const id = one.tickets.read(invitation?.ticket ?? "") ?? "";
  expect(await two.bridges.admit(id)).toBeUndefined();
  expect(await one.bridges.admit(id)).toEqual({ conferenceSid: one.conference.sid, ...entryOf() });
  expect(await one.bridges.admit(id)).toBeUndefined();
});

test("nobody is let into a conference of this process, of another account, or that is over", async () => {
  const [one, two] = [await owner(), await newNode()];
  expect(await one.bridges.invite(entryOf())).toBeUndefined();
  expect(await two.bridges.invite(entryOf("another"))).toBeUndefined();
  expect(await two.bridges.invite({ ...entryOf(), accountSid: "AC-another" })).toBeUndefined();
  await one.conferences.save({ ...one.conference, status: "Completed", completedOn: now() }, []);
  expect(await two.bridges.invite(entryOf())).toBeUndefined();
});

test("a process that named no place gives no tickets", async () => {
  const old = await newNode();
  const conference = conferenceOf("team");
  await old.conferences.open(conference, [conference.sid]);
  const two = await newNode();
  expect(await two.bridges.invite(entryOf())).toMatchObject({ conferenceSid: conference.sid, place: null });
  expect(await store.db.query("select id from conference_tickets")).toEqual([]);
});

test("a ticket is good for seconds, and the next one removes it", async () => {
  const [one, two] = [await owner(), await newNode()];
  const { ticket = "" } = (await two.bridges.invite(entryOf())) ?? {};
  const id = one.tickets.read(ticket) ?? "";
  const late = new Date(now().getTime() - 1);
  await store.db.query("update conference_tickets set expires_at = $1", [late]);
  expect(await one.bridges.admit(id)).toBeUndefined();
  await two.bridges.invite(entryOf());
  expect(await store.db.query("select id from conference_tickets")).toHaveLength(1);
});

test("whose conference is over is found, and there is work only then", async () => {
  const { conferences, conference, bridges } = await owner();
  const { sid } = conference;
  const watched = { conferenceSids: [sid], callSids: ["CA1"] };
  const isWork = async () => (await holding(store.db, [areBridgesOver(() => watched)]))[0];
  expect(await isWork()).toBe(false);
  expect(await bridges.over(watched)).toEqual(new Set());
  await conferences.save({ ...conference, status: "Completed", completedOn: now() }, []);
  expect(await isWork()).toBe(true);
  expect(await bridges.over(watched)).toEqual(new Set([sid]));
  expect(await bridges.over({ conferenceSids: [], callSids: [] })).toEqual(new Set());
});
