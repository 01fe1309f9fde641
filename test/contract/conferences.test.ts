// Conferences of callers of the sandbox: who is in them, and what the API does with them. What is heard is checked with
// telephones (test/peers/conference.test.ts).

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import twilio from "twilio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { twilioClient } from "../peers/twilio-client.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

interface Participant {
  readonly callSid: string;
  readonly label: string | null;
  readonly muted: boolean;
  readonly hold: boolean;
}

interface Conference {
  readonly sid: string;
  readonly name: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly participants: readonly Participant[];
}

interface Call {
  readonly sid: string;
  readonly status: string;
  readonly from: string;
}

const tandem = useTandem();
let server: Server;
/** What was posted, by path. */
const asked = new Map<string, string[]>();
/** Path → what it answers. */
const answers = new Map<string, string>();

beforeAll(() => {
  server = createServer(async (request, response) => {
    const { url = "" } = request;
    asked.set(url, [...(asked.get(url) ?? []), await text(request)]);
    response.setHeader("Content-Type", "text/xml").end(answers.get(url) ?? "<Response><Hangup/></Response>");
  });
  server.listen(0, "127.0.0.1");
});
afterAll(() => void server.close());

interface World {
  readonly account: TestAccount;
  readonly number: string;
}

/** An account with a number whose callers run this program. */
async function newWorld(xml: string, payloadShape: "A" | "Twilio" = "A"): Promise<World> {
  const limits = { read: WIDE, write: WIDE, call: WIDE };
  const account = await newAccount(tandem, { features: ["voice"], limits, token: { signs: true } });
  const number = await newNumber(tandem);
  await take(account, number);
  answers.set(`/${account.sid}/`, xml);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${account.sid}/`;
  const order = json("POST", { type: "InboundCallReceived", url, payloadShape });
  await answerOf(await account.call("/v1/Webhooks", order), 201);
  return { account, number };
}

let callers = 0;

/** Calls, and returns who calls. */
async function ring({ account, number }: World): Promise<string> {
  const from = `+1212555${String(++callers).padStart(4, "0")}`;
  const order = json("POST", { from, to: number, durationSeconds: 600 });
  await answerOf(await account.call("/testkit/v1/Emulate/inbound-call", order), 200);
  return from;
}

async function conferencesOf(account: TestAccount, query = ""): Promise<readonly Conference[]> {
  return (await answerOf<List<Conference>>(await account.call(`/v1/Voice/Conferences${query}`), 200)).items;
}

/** The newest conference, once so many are in it. */
async function conferenceOf(account: TestAccount, participants: number): Promise<Conference> {
  const newest = async () => (await conferencesOf(account))[0];
  await expect.poll(async () => (await newest())?.participants.length, SOON).toBe(participants);
  return (await newest()) as Conference;
}

async function callOf({ account }: World, from: string): Promise<Call> {
  const { items } = await answerOf<List<Call>>(
    await account.call(`/v1/Voice/Calls?From=${encodeURIComponent(from)}`),
    200,
  );
  return items[0] as Call;
}

async function over(world: World, from: string): Promise<void> {
  await expect.poll(async () => (await callOf(world, from)).status, SOON).toBe("Completed");
}

async function hangUp(world: World, from: string): Promise<void> {
  const { sid } = await callOf(world, from);
  await answerOf(await world.account.call(`/v1/Voice/Calls/${sid}/hangup`, { method: "POST" }), 200);
}

const partOf = (account: TestAccount, sid: string, callSid: string, init: RequestInit) =>
  account.call(`/v1/Voice/Conferences/${sid}/participants/${callSid}`, init);

test("a conference waits for the second caller, and ends with the last", async () => {
  const world = await newWorld(
    '<Response><Dial><Conference ParticipantLabel="guest">Monday</Conference></Dial></Response>',
  );
  const { account } = world;
  const first = await ring(world);
  expect(await conferenceOf(account, 1)).toMatchObject({ name: "Monday", status: "Waiting", endReason: null });
  const second = await ring(world);
  const both = await conferenceOf(account, 2);
  const calls = [(await callOf(world, first)).sid, (await callOf(world, second)).sid];
  expect(both).toMatchObject({
    status: "InProgress",
    participants: calls.map((callSid) => ({ callSid, label: "guest", muted: false, hold: false })),
  });
  await hangUp(world, first);
  expect(await conferenceOf(account, 1)).toMatchObject({ sid: both.sid, status: "InProgress" });
  await hangUp(world, second);
  expect(await conferenceOf(account, 0)).toMatchObject({ status: "Completed", endReason: "LastParticipantLeft" });
  expect(await conferencesOf(account, "?Status=InProgress")).toEqual([]);
  const logged = await account.call("/v1/Events?Type=ConferenceChanged&OrderByDirection=Ascending");
  const { items } = await answerOf<List<{ sequence: number; payload: { Event: string } }>>(logged, 200);
  expect(items.map(({ payload }) => payload.Event)).toEqual([
    ...["ParticipantJoined", "ParticipantJoined", "Started", "ParticipantLeft", "ParticipantLeft", "Ended"],
  ]);
  expect(items.at(3)?.payload).toMatchObject({ CallSid: calls[0], Reason: "HungUp", EndsOnExit: false, EndedBy: null });
  expect(items.at(-1)?.payload).toMatchObject({
    ...{ Name: "Monday", CallSid: null, StartsOnEnter: null },
    ...{ Reason: "LastParticipantLeft", EndedBy: calls[1], EndedByLabel: "guest" },
  });
  expect(await conferencesOf(account, "?Name=Monday&Status=Completed")).toHaveLength(1);
});

test("participants are muted, put on hold and removed; the removed one's program goes on", async () => {
  const world = await newWorld('<Response><Dial Action="after"><Conference>Tuesday</Conference></Dial></Response>');
  const { account } = world;
  const [first, second] = [await ring(world), await ring(world)];
  const { sid } = await conferenceOf(account, 2);
  const one = (await callOf(world, first)).sid;
  expect(await answerOf(await partOf(account, sid, one, json("PATCH", { muted: true })), 200)).toMatchObject({
    callSid: one,
    muted: true,
    hold: false,
  });
  const held = await partOf(account, sid, one, json("PATCH", { hold: true, muted: false }));
  expect(await answerOf(held, 200)).toMatchObject({ muted: false, hold: true });
  await problemOf(await partOf(account, sid, one, json("PATCH", { muted: "yes" })), 400);
  await problemOf(await partOf(account, sid, `CA${"0".repeat(32)}`, json("PATCH", { muted: true })), 404);
  expect((await partOf(account, sid, one, { method: "DELETE" })).status).toBe(204);
  await problemOf(await partOf(account, sid, one, { method: "DELETE" }), 404);
  await over(world, first);
  const [body = ""] = asked.get(`/${account.sid}/after`) ?? [];
  expect(JSON.parse(body)).toMatchObject({ CallSid: one, DialCallStatus: "Completed", ConferenceSid: sid });
  const ended = await account.call(`/v1/Voice/Conferences/${sid}/end`, { method: "POST" });
  expect(await answerOf(ended, 200)).toMatchObject({ status: "Completed", endReason: "Api", participants: [] });
  await over(world, second);
  const again = await account.call(`/v1/Voice/Conferences/${sid}/end`, { method: "POST" });
  expect(await answerOf(again, 200)).toMatchObject({ status: "Completed", endReason: "Api" });
});

test("the one whose leaving ends it takes the conference with it; a full one is not entered", async () => {
  const xml =
    '<Response><Dial action="after"><Conference endConferenceOnExit="true" maxParticipants="2" statusCallback="told" statusCallbackEvent="end join leave">Team</Conference></Dial></Response>';
  const world = await newWorld(xml, "Twilio");
  const { account } = world;
  const [first, second] = [await ring(world), await ring(world)];
  const { sid } = await conferenceOf(account, 2);
  const third = await ring(world);
  await over(world, third);
  const after = () => (asked.get(`/${account.sid}/after`) ?? []).map((body) => new URLSearchParams(body));
  expect(after().map((form) => form.get("DialCallStatus"))).toEqual(["failed"]);
  await hangUp(world, first);
  await over(world, second);
  expect(after()[1]?.get("DialCallStatus")).toBe("answered");
  expect(after()[1]?.get("ConferenceSid")).toBe(sid);
  expect(await conferenceOf(account, 0)).toMatchObject({ sid, status: "Completed", endReason: "EndOnExit" });
  const told = () =>
    (asked.get(`/${account.sid}/told`) ?? []).map((body) => Object.fromEntries(new URLSearchParams(body)));
  await expect.poll(() => told().length, SOON).toBe(5);
  const calls = [(await callOf(world, first)).sid, (await callOf(world, second)).sid];
  const part = { Muted: "false", Coaching: "false", StartConferenceOnEnter: "true", EndConferenceOnExit: "true" };
  const joined = { StatusCallbackEvent: "participant-join", ConferenceSid: sid, FriendlyName: "Team", ...part };
  const left = { StatusCallbackEvent: "participant-leave", ...part };
  expect(told()).toMatchObject([
    { ...joined, CallSid: calls[0] },
    { ...joined, CallSid: calls[1] },
    {
      ...{ ...left, CallSid: calls[0] },
      ...{ ReasonParticipantLeft: "participant_hung_up", ParticipantCallStatus: "completed" },
    },
    {
      ...{ ...left, CallSid: calls[1] },
      ...{ ReasonParticipantLeft: "moderator_ended_conference", ParticipantCallStatus: "in-progress" },
    },
    {
      StatusCallbackEvent: "conference-end",
      ReasonConferenceEnded: "participant-with-end-conference-on-exit-left",
      CallSidEndingConference: calls[0],
      Reason: "A participant has left whose leaving ends the conference.",
    },
  ]);
});

test("in that provider's shape the callbacks say who was removed, and that this has ended the conference", async () => {
  const response = new twilio.twiml.VoiceResponse();
  const options = {
    endConferenceOnExit: true,
    participantLabel: "host",
    statusCallback: "told",
    beep: "false",
  } as const;
  response.dial().conference({ ...options, statusCallbackEvent: ["leave", "end"] }, "Kicked");
  const world = await newWorld(response.toString(), "Twilio");
  const { account } = world;
  const [first, second] = [await ring(world), await ring(world)];
  const { sid } = await conferenceOf(account, 2);
  const calls = [(await callOf(world, first)).sid, (await callOf(world, second)).sid];
  const conference = twilioClient(tandem, account).conferences(sid);
  expect(await conference.participants(calls[1] ?? "").remove()).toBe(true);
  for (const from of [first, second]) await over(world, from);
  expect(await conference.fetch()).toMatchObject({
    status: "completed",
    reasonConferenceEnded: "participant-with-end-conference-on-exit-kicked",
  });
  const told = () =>
    (asked.get(`/${account.sid}/told`) ?? []).map((body) => Object.fromEntries(new URLSearchParams(body)));
  await expect.poll(() => told().length, SOON).toBe(3);
  const goesOn = { StatusCallbackEvent: "participant-leave", ParticipantCallStatus: "in-progress" };
  expect(told()).toMatchObject([
    { ...goesOn, CallSid: calls[1], ReasonParticipantLeft: "participant_updated_via_api" },
    { ...goesOn, CallSid: calls[0], ReasonParticipantLeft: "moderator_ended_conference" },
    {
      StatusCallbackEvent: "conference-end",
      CallSidEndingConference: calls[1],
      ParticipantLabelEndingConference: "host",
    },
  ]);
});

test("accounts have conferences of their own, whatever their names", async () => {
  const xml = "<Response><Dial><Conference>Same</Conference></Dial></Response>";
  const [one, other] = [await newWorld(xml), await newWorld(xml)];
  const [first, second] = [await ring(one), await ring(other)];
  expect(await conferenceOf(one.account, 1)).toMatchObject({ status: "Waiting" });
  const { sid } = await conferenceOf(other.account, 1);
  await problemOf(await one.account.call(`/v1/Voice/Conferences/${sid}`), 404);
  await problemOf(await one.account.call(`/v1/Voice/Conferences/${sid}/end`, { method: "POST" }), 404);
  await hangUp(one, first);
  await hangUp(other, second);
});

test("a call that is redirected leaves the conference; a conference of a dead process does not bar its name", async () => {
  const world = await newWorld("<Response><Dial><Conference>Moved</Conference></Dial></Response>");
  const { account } = world;
  // Of a process that does not exist any more.
  await tandem.database.query(
    `insert into conferences (sid, account_sid, name, status, process, created_at, participants)
     values ($1, $2, 'Moved', 'InProgress', 2147483000, now() - interval '1 hour', '[]')`,
    [`CF${"0".repeat(24)}${account.sid.slice(-8)}`, account.sid],
  );
  const [first, second] = [await ring(world), await ring(world)];
  const { sid } = await conferenceOf(account, 2);
  const order = json("POST", { script: "<Response><Pause Length='60'/></Response>" });
  const redirected = await account.call(`/v1/Voice/Calls/${(await callOf(world, first)).sid}/redirect`, order);
  await answerOf(redirected, 200);
  expect(await conferenceOf(account, 1)).toMatchObject({ sid });
  await hangUp(world, first);
  await hangUp(world, second);
  expect((await conferencesOf(account)).map(({ endReason }) => endReason)).toContain("Failed");
});
