// The sandbox's carrier by plain HTTP: what happens to messages to each of its magic numbers, and what the test kit
// triggers.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import {
  type Ear,
  emulateInbound,
  form,
  type InboundBody,
  listen,
  type MessageBody,
  messageOf,
  moveDue,
  newMessenger,
  newSender,
  SEND,
  type Sender,
  send,
  UNTIL,
  whyOf,
} from "./messages.ts";
import { answerOf, type List, newConfig, newNumber, take } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem({});
let account: TestAccount;
let sender: Sender;
let ear: Ear;

beforeEach(async () => {
  account = await newMessenger(tandem);
  sender = await newSender(tandem, tandem.database, account);
  ear = await listen(account);
});
afterEach(() => ear.leave());

const get = async <Body>(path: string) => answerOf<Body>(await account.call(path), 200);
const write = (To: string, Text = "Hi", more: object = {}) => send(account, { From: sender.number, To, Text, ...more });
const emulate = (name: string, body: object) => account.call(`/testkit/v1/Emulate/${name}`, json("POST", body));
const settle = async (sid: string, deliveredSuccessfully: boolean) =>
  answerOf(await emulate("outbound-message-status", { sid, deliveredSuccessfully }), 200);
const stepsOf = async (sid: string) => (await whyOf(account, sid)).steps.map(({ step }) => step);

interface Magic {
  readonly behaviour: string;
  readonly line: string;
  readonly statuses: readonly string[];
  readonly errorCode: number;
  readonly steps: readonly string[];
}

const FINE = { statuses: ["Sent", "Delivered"], errorCode: 0, steps: ["accepted", "sent", "delivered"] };
const FAILED = { statuses: ["Sent", "Failed"], steps: ["accepted", "sent", "receipt", "failed"] };
const REFUSED = { statuses: ["Failed"], steps: ["accepted", "submit", "failed"] };

/**
 * In the order of docs/sandbox.md, but for 0107: a link that is throttled gives back what it was about to send. Those
 * that break the connection are tested separately, and 0111 (messages-carrier.test.ts) takes half a minute.
 */
const MAGIC: readonly Magic[] = [
  { behaviour: "delivered", line: "0100", ...FINE },
  { behaviour: "failed", line: "0101", ...FAILED, errorCode: 3004 },
  { behaviour: "unreachable", line: "0102", ...FAILED, errorCode: 1003 },
  { behaviour: "noTextService", line: "0103", ...FAILED, errorCode: 1004 },
  { behaviour: "spam", line: "0104", ...FAILED, errorCode: 3002 },
  { behaviour: "expired", line: "0105", ...FAILED, errorCode: 1003 },
  { behaviour: "silent", line: "0106", statuses: ["Sent"], errorCode: 0, steps: ["accepted", "sent"] },
  { behaviour: "slow", line: "0108", ...FINE },
  { behaviour: "rejected", line: "0109", ...REFUSED, errorCode: 1003 },
  { behaviour: "receiptFirst", line: "0112", ...FINE },
  { behaviour: "receiptTwice", line: "0113", ...FINE },
  {
    behaviour: "throttled",
    line: "0107",
    ...FINE,
    steps: ["accepted", "submit", "submit", "submit", "sent", "delivered"],
  },
];
const CUTTING: readonly Magic[] = [{ behaviour: "cut", line: "0110", ...REFUSED, errorCode: 3100 }];
const RESCUED: Magic = {
  behaviour: "takenAndCut",
  line: "0114",
  statuses: ["Failed", "Delivered"],
  errorCode: 0,
  steps: ["accepted", "submit", "failed", "receipt", "delivered"],
};

async function checkMagic({ statuses, errorCode, steps }: Magic, sid: string): Promise<void> {
  expect(await ear.statusesUntil(sid, statuses.at(-1) as string)).toEqual(statuses);
  const message = await messageOf(account, sid);
  const hasFailed = message.status === "Failed";
  expect(message).toMatchObject({
    status: statuses.at(-1),
    errorCode,
    errorDescription: hasFailed ? expect.stringMatching(/\S/) : null,
    statusReason: hasFailed ? expect.stringMatching(/\S/) : null,
    sentOn: statuses.includes("Sent") ? expect.any(String) : null,
    deliveredOn: statuses.includes("Delivered") ? expect.any(String) : null,
  });
  const trail = await whyOf(account, sid);
  expect(trail.steps.map(({ step }) => step)).toEqual(steps);
  const times = trail.steps.map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  if (hasFailed) expect(trail.steps.at(-1)?.details).toMatchObject({ errorCode, reason: message.statusReason });
}

describe("magic numbers", () => {
  test("each line does what it is for, under every area code, and says why", async () => {
    const sent: { magic: Magic; sid: string }[] = [];
    for (const magic of MAGIC) sent.push({ magic, sid: (await write(`+1212555${magic.line}`, magic.behaviour)).sid });
    for (const { magic, sid } of sent) await checkMagic(magic, sid);
    // No further event of any: a second receipt changes nothing.
    const told = ({ magic, sid }: (typeof sent)[number]) => [
      magic.behaviour,
      ear.heard.filter(({ resourceSid }) => resourceSid === sid).map(({ payload }) => payload.Status),
    ];
    expect(sent.map(told)).toEqual(MAGIC.map(({ behaviour, statuses }) => [behaviour, statuses]));
  });

  test.each(CUTTING)("$behaviour: the outcome is unknown, and the message is not sent again", async (magic) => {
    const { sid } = await write(`+1415555${magic.line}`);
    await checkMagic(magic, sid);
    const next = await write("+14155550100", "The link is up again");
    expect(await ear.statusesUntil(next.sid, "Delivered")).toEqual(["Sent", "Delivered"]);
    expect(await messageOf(account, sid)).toMatchObject({ status: "Failed", errorCode: 3100 });
    expect(await stepsOf(sid)).toEqual(magic.steps);
  });

  test("takenAndCut: the outcome is unknown until the receipt comes, which finds the message", async () => {
    const { sid } = await write(`+1415555${RESCUED.line}`);
    await ear.statusesUntil(sid, "Failed");
    const failed = ear.heard.find(({ resourceSid }) => resourceSid === sid);
    expect(failed?.payload).toMatchObject({ Status: "Failed", ErrorCode: 3100 });
    await checkMagic(RESCUED, sid);
  });

  test("broken: it is tried five times with pauses, each with its reason in the trail, and then fails", async () => {
    const { sid } = await write("+14155550115");
    const submits = async () => (await whyOf(account, sid)).steps.filter(({ step }) => step === "submit");
    for (let time = 1; time <= 5; time++) {
      await expect.poll(async () => (await submits()).length, UNTIL).toBe(time);
      if (time === 5) break;
      const reason = "The carrier answered ESME_RSYSERR";
      await expect
        .poll(() => messageOf(account, sid), UNTIL)
        .toMatchObject({
          status: "Queued",
          errorCode: 0,
          statusReason: expect.stringContaining(`${reason}; it is tried`),
        });
      expect((await submits()).at(-1)?.details).toMatchObject({ kind: "deferred", reason, try: time });
      await moveDue(tandem.database, sid);
    }
    const steps = ["accepted", ...Array.from({ length: 5 }, () => "submit"), "failed"];
    await checkMagic({ behaviour: "broken", line: "0115", statuses: ["Failed"], errorCode: 3011, steps }, sid);
    expect((await messageOf(account, sid)).statusReason).toBe("The carrier answered ESME_RSYSERR, 5 times");
  });

  test("other numbers of all countries get their messages", async () => {
    await account.change({ allowedCountries: ["US", "GB", "FR"] });
    for (const to of ["+12025550142", "+447400123456", "+33612345678"]) {
      const { sid } = await write(to);
      expect(await ear.statusesUntil(sid, "Delivered")).toEqual(["Sent", "Delivered"]);
    }
  });

  test("the event tells of every change with the fields of the contract and no others", async () => {
    const { sid, carrier } = await write("+12125550101");
    await ear.statusesUntil(sid, "Failed");
    const events = ear.heard.filter(({ resourceSid }) => resourceSid === sid);
    const common = { EventDate: expect.stringMatching(/Z$/), Sid: sid, From: sender.number, To: "+12125550101" };
    expect(events.map(({ type, payload }) => [type, payload])).toStrictEqual([
      [
        "OutboundMessageStatusChanged",
        {
          ...common,
          Sequence: 1,
          Status: "Sent",
          PreviousStatus: "Queued",
          ErrorCode: 0,
          ErrorDescription: null,
          SegmentCount: 1,
          Carrier: carrier,
        },
      ],
      [
        "OutboundMessageStatusChanged",
        {
          ...common,
          Sequence: 2,
          Status: "Failed",
          PreviousStatus: "Sent",
          ErrorCode: 3004,
          ErrorDescription: expect.any(String),
          SegmentCount: 1,
          Carrier: carrier,
        },
      ],
    ]);
  });

  test("the demo account sends from its first number as the banner shows it", async () => {
    const env = readFileSync(join(tandem.dataDir, "demo.env"), "utf8");
    const number = /^TANDEM_NUMBER=(.*)$/m.exec(env)?.[1] as string;
    const order = form({ From: number, To: "+14155550100", Text: "Hello" });
    const answer = await fetch(tandem.url + SEND, {
      ...order,
      headers: { ...order.headers, ...basic(tandem.accountSid, tandem.token) },
    });
    expect(await answerOf<MessageBody>(answer, 200)).toMatchObject({ from: number, tcrCampaignId: "CDEMO01" });
  });
});

describe("outbound-message-status", () => {
  test("the carrier's word arrives when it is asked for", async () => {
    const good = await write("+12125550106");
    const bad = await write("+12125550106", "x".repeat(400));
    await ear.statusesUntil(good.sid, "Sent");
    await ear.statusesUntil(bad.sid, "Sent");
    expect(await settle(good.sid, true)).toStrictEqual({ done: true });
    expect(await settle(bad.sid, false)).toStrictEqual({ done: true });
    expect(await ear.statusesUntil(good.sid, "Delivered")).toEqual(["Sent", "Delivered"]);
    expect(await ear.statusesUntil(bad.sid, "Failed")).toEqual(["Sent", "Failed"]);
    expect(await messageOf(account, bad.sid)).toMatchObject({ errorCode: 3004 });
    // Any later receipt comes too late.
    await settle(good.sid, false);
    await settle(bad.sid, true);
    const next = await write("+12125550106", "x".repeat(400));
    await ear.statusesUntil(next.sid, "Sent");
    await settle(next.sid, true);
    expect(await ear.statusesUntil(next.sid, "Delivered")).toEqual(["Sent", "Delivered"]);
    expect(await messageOf(account, good.sid)).toMatchObject({ status: "Delivered" });
    expect(await messageOf(account, bad.sid)).toMatchObject({ status: "Failed" });
  });

  test("an unknown message is not found, one that has not left is in no state for it", async () => {
    const order = (sid: string) => emulate("outbound-message-status", { sid, deliveredSuccessfully: true });
    await problemOf(await order(`OM${"0".repeat(32)}`), 404);
    const { sid } = await write("+12125550100", "Later", { SendAt: new Date(Date.now() + 3_600_000).toISOString() });
    await problemOf(await order(sid), 409);
    const stranger = await newMessenger(tandem);
    const path = "/testkit/v1/Emulate/outbound-message-status";
    await problemOf(await stranger.call(path, json("POST", { sid, deliveredSuccessfully: true })), 404);
    const { errors } = await problemOf(await emulate("outbound-message-status", { sid, delivered: true }), 400);
    expect(Object.keys(errors ?? {}).sort()).toEqual(["delivered", "deliveredSuccessfully"]);
  });
});

describe("inbound-message", () => {
  const from = "+12125550142";
  const inbound = async (text: string, to: unknown = sender.number) => {
    await emulateInbound(account, { from, to, text });
    return ear.inboundUntil(({ Text }) => Text === text);
  };

  test.each([
    ["a text", "Hello there", 1],
    ["a long text", "A long text. ".repeat(40), 4],
    ["one of 153 septets and one more", "x".repeat(161), 2],
    ["the extended alphabet", "€[]{}^~\\|".repeat(12), 2],
    ["Cyrillic", "Привет", 1],
    ["a long text in UCS-2", "Привет, 😀! ".repeat(30), 6],
    ["a family at the border", `${"ж".repeat(66)}👨‍👩‍👧‍👦${"ж".repeat(60)}`, 3],
  ])("%s arrives as it was written", async (_what, text, segmentCount) => {
    const payload = await inbound(text);
    expect(payload).toStrictEqual({
      Sid: expect.stringMatching(/^IM[0-9a-f]{32}$/),
      From: from,
      To: sender.number,
      AdditionalRecipients: [],
      EventDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      Text: text,
      MediaUrls: [],
      SegmentCount: segmentCount,
    });
    expect(await get(`/messaging/v1/InboundMessages/${payload.Sid}`)).toMatchObject({ text, segmentCount });
  });

  test("the same words twice are two messages", async () => {
    await emulateInbound(account, { from, to: sender.number, text: "Again" });
    await emulateInbound(account, { from, to: [sender.number], text: "Again" });
    await ear.until(() => ear.heard.filter(({ payload }) => payload.Text === "Again").length === 2);
    const long = "And again. ".repeat(30);
    await emulateInbound(account, { from, to: sender.number, text: long });
    await emulateInbound(account, { from, to: sender.number, text: long });
    await ear.until(() => ear.heard.filter(({ payload }) => payload.Text === long).length === 2);
    expect((await get<List<InboundBody>>("/v1/InboundMessages")).items).toHaveLength(4);
  });

  test("a group's message comes to each of its members here, and names the others", async () => {
    const { number: second } = await newSender(tandem, tandem.database, account);
    const stranger = "+13125550143";
    await emulateInbound(account, { from, to: [sender.number, second, stranger], text: "Hi all" });
    for (const [to, others] of [
      [sender.number, [second, stranger]],
      [second, [sender.number, stranger]],
    ] as const) {
      const payload = await ear.inboundUntil(({ To }) => To === to);
      expect(payload).toMatchObject({ From: from, Text: "Hi all", AdditionalRecipients: others, SegmentCount: 1 });
    }
    expect((await get<List<InboundBody>>("/v1/InboundMessages")).items).toHaveLength(2);
  });

  test("a group's message comes to no other account by this one's word", async () => {
    const other = await newMessenger(tandem);
    const { number: theirs } = await newSender(tandem, tandem.database, other);
    await emulateInbound(account, { from, to: [theirs, sender.number], text: "All of you" });
    const payload = await ear.inboundUntil(({ Text }) => Text === "All of you");
    expect(payload).toMatchObject({ To: sender.number, AdditionalRecipients: [theirs] });
    expect(await answerOf(await other.call("/v1/InboundMessages"), 200)).toEqual({ items: [] });
  });

  test("a number that may not send yet receives all the same", async () => {
    const messagingConfigSid = await newConfig(account);
    const waiting = await take(account, await newNumber(tandem), { messagingConfigSid });
    const bare = await take(account, await newNumber(tandem));
    expect([waiting.status, bare.status]).toEqual(["PendingTcrCampaignAdd", "PendingMessagingConfigAdd"]);
    for (const { number } of [waiting, bare]) {
      expect(await inbound(`To ${number}`, number)).toMatchObject({ To: number });
      expect(await get(`/v1/InboundMessages?To=${number.slice(1)}`)).toMatchObject({ items: [{ to: number }] });
    }
  });

  test("a number that was given back receives nothing", async () => {
    await answerOf(await account.call(`/v1/Phones/${sender.number}`, { method: "DELETE" }), 204);
    const refusal = await problemOf(await emulate("inbound-message", { from, to: sender.number, text: "Late" }), 400);
    expect(refusal.errors?.to).toEqual([expect.stringContaining("yours")]);
    // Nor through another number in the same group.
    const { number } = await newSender(tandem, tandem.database, account);
    await emulateInbound(account, { from, to: [sender.number, number], text: "Group" });
    await ear.inboundUntil(({ To }) => To === number);
    expect((await get<List<InboundBody>>("/v1/InboundMessages")).items).toMatchObject([{ to: number }]);
  });

  test("what makes no sense is refused, field by field", async () => {
    const other = await newSender(tandem, tandem.database, await newMessenger(tandem));
    const cases: readonly [object, readonly string[]][] = [
      [{}, ["from", "text", "to"]],
      [{ from: "nobody", to: ["nowhere"], text: "Hi" }, ["from", "to[0]"]],
      [{ from, to: sender.number }, ["text"]],
      [{ from, to: other.number, text: "Hi" }, ["to"]],
      [{ from, to: [], text: "Hi" }, ["to"]],
      [{ from, to: sender.number, text: "x".repeat(10_001) }, ["text"]],
      [{ from, to: sender.number, body: "Hi" }, ["body", "text"]],
      [{ from, to: sender.number, text: "a\u0000b" }, ["text"]],
      [{ from, to: sender.number, text: "\ud800" }, ["text"]],
      [{ from, to: sender.number, text: "Hi", mediaUrls: Array(11).fill("https://a.example/") }, ["mediaUrls"]],
      [{ from, to: sender.number, text: "Hi", mediaUrls: ["ftp://a.example/"] }, ["mediaUrls[0]"]],
    ];
    for (const [order, fields] of cases) {
      const { errors } = await problemOf(await emulate("inbound-message", order), 400);
      expect({ order, fields: Object.keys(errors ?? {}).sort() }).toEqual({ order, fields });
    }
    expect(await get("/v1/InboundMessages")).toEqual({ items: [] });
  });
});

test("npm start prints a link to the portal that signs in once", async () => {
  const [, at, ticket] = /^ {2}Portal +(\S+)\/sign-in#ticket=([\w-]+)/m.exec(tandem.output()) ?? [];
  expect(at?.replace("localhost", "127.0.0.1")).toBe(tandem.url);
  const order = json("POST", { ticket });
  const signIn = () =>
    fetch(`${tandem.url}/v1/Session`, { ...order, headers: { ...order.headers, "X-Tandem-Session": "1" } });
  expect(await answerOf(await signIn(), 201)).toMatchObject({ accountSid: tandem.accountSid, sandbox: true });
  await problemOf(await signIn(), 401);
});
