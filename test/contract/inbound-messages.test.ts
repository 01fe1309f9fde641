// Inbound messages by plain HTTP: what a webhook gets in each of its shapes, and what can be read afterwards.

import { Webhook } from "standardwebhooks";
import twilio from "twilio";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { type HealthyReceiver, type ReceivedRequest, startHealthy } from "../faults/webhook-receivers.ts";
import { json, type Tandem } from "../tandem.ts";
import type { TestAccount } from "./account.ts";
import { type Carrier, startCarrier } from "./carrier.ts";
import { type Ear, type InboundBody, listen, newMessenger, newSender, type Sender, send } from "./messages.ts";
import { answerOf, type List } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const FROM = "+12125550142";
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let carrier: Carrier;
let tandem: Tandem;
let database: Database;
let account: TestAccount;
let sender: Sender;
let ear: Ear;
let receiver: HealthyReceiver;

beforeAll(async () => {
  carrier = await startCarrier();
  ({ tandem, database } = carrier);
});
afterAll(() => carrier?.close());
beforeEach(async () => {
  account = await newMessenger(tandem);
  sender = await newSender(tandem, database, account);
  ear = await listen(account);
  receiver = await startHealthy();
});
afterEach(async () => {
  await ear.leave();
  await receiver.close();
});

const get = async <Body>(path: string) => answerOf<Body>(await account.call(path), 200);
const subscribe = async (order: object = {}) =>
  answerOf<{ secret: string }>(
    await account.call("/v1/Webhooks", json("POST", { type: "InboundMessageReceived", url: receiver.url, ...order })),
    201,
  );
const arrive = (text: string, more: object = {}) =>
  carrier.smsc.deliver({ from: FROM, to: sender.number, text, ...more });
const first = async () => {
  await receiver.whenReceived(1);
  return receiver.requests[0] as ReceivedRequest;
};

describe("shapes", () => {
  test("A: exactly the capitalised fields of the specification, signed", async () => {
    const { secret } = await subscribe();
    await arrive("Hello, Tandem");
    const request = await first();
    const payload = JSON.parse(request.body.toString());
    expect(payload).toStrictEqual({
      WebhookSid: expect.stringMatching(/^WH[0-9a-f]{32}$/),
      Sid: expect.stringMatching(/^IM[0-9a-f]{32}$/),
      From: FROM,
      To: sender.number,
      AdditionalRecipients: [],
      EventDate: TIME,
      Text: "Hello, Tandem",
      MediaUrls: [],
      SegmentCount: 1,
    });
    expect(request.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": payload.WebhookSid,
      "x-event-type": "InboundMessageReceived",
      "x-request-id": expect.stringMatching(/\S/),
    });
    expect(new Webhook(secret).verify(request.body.toString(), request.headers as Record<string, string>)).toEqual(
      payload,
    );
  });

  test("B: exactly the six fields of the specification", async () => {
    await subscribe({ payloadShape: "B" });
    await arrive("Hello, Tandem");
    const request = await first();
    expect(JSON.parse(request.body.toString())).toStrictEqual({
      sid: expect.stringMatching(/^IM[0-9a-f]{32}$/),
      from: FROM,
      to: sender.number,
      eventDate: TIME,
      text: "Hello, Tandem",
      segmentCount: 1,
    });
  });

  test("Twilio: that provider's parameters, signed as its own library wants it", async () => {
    await subscribe({ payloadShape: "Twilio" });
    const made = await account.call("/v1/Account/webhookSecret", { method: "POST" });
    const { secret } = await answerOf<{ secret: string }>(made, 200);
    await arrive("Hello & goodbye €");
    const request = await first();
    const parameters = Object.fromEntries(new URLSearchParams(request.body.toString()));
    expect(parameters).toMatchObject({
      From: FROM,
      To: sender.number,
      Body: "Hello & goodbye €",
      NumMedia: "0",
      NumSegments: "1",
      AccountSid: account.sid,
      MessageSid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
    });
    const signature = request.headers["x-twilio-signature"] as string;
    expect(twilio.validateRequest(secret, signature, receiver.url, parameters)).toBe(true);
  });

  test("metadata of the conversation comes along with replies, and only then", async () => {
    await subscribe();
    const other = await startHealthy();
    await subscribe({ payloadShape: "B", url: other.url });
    await arrive("Unasked");
    await receiver.whenReceived(1);
    await other.whenReceived(1);
    await send(account, { From: sender.number, To: FROM, Text: "Yes or no?", ConversationMetadata: "order 17 ✓" });
    await arrive("Yes please");
    await receiver.whenReceived(2);
    await other.whenReceived(2);
    const [unasked, reply] = receiver.requests.map(({ body }) => JSON.parse(body.toString()));
    expect(unasked).not.toHaveProperty("ConversationMetadata");
    expect(reply).toMatchObject({ Text: "Yes please", ConversationMetadata: "order 17 ✓" });
    expect(JSON.parse(other.requests[1]?.body.toString() ?? "")).toMatchObject({ conversationMetadata: "order 17 ✓" });
    expect(await get(`/v1/InboundMessages/${reply.Sid}`)).toMatchObject({ conversationMetadata: "order 17 ✓" });
    // The newest message decides; without metadata there is none to return.
    await send(account, { From: sender.number, To: FROM, Text: "Thanks" });
    await arrive("Bye");
    await receiver.whenReceived(3);
    expect(JSON.parse(receiver.requests[2]?.body.toString() ?? "")).not.toHaveProperty("ConversationMetadata");
    // Metadata of a conversation with another person is not used.
    await send(account, { From: sender.number, To: "+13125550143", Text: "Hi", ConversationMetadata: "theirs" });
    await arrive("Me again");
    await receiver.whenReceived(4);
    expect(JSON.parse(receiver.requests[3]?.body.toString() ?? "")).not.toHaveProperty("ConversationMetadata");
    await other.close();
  });

  test("a subscription to one number gets its messages and no others'", async () => {
    const { number } = await newSender(tandem, database, account);
    const narrow = await startHealthy();
    await subscribe();
    await subscribe({ phone: number, url: narrow.url });
    await carrier.smsc.deliver({ from: FROM, to: number, text: "To the second" });
    await narrow.whenReceived(1);
    await arrive("To the first");
    await receiver.whenReceived(1);
    expect(receiver.requests.map(({ body }) => JSON.parse(body.toString()).Text)).toEqual(["To the first"]);
    await narrow.close();
  });
});

describe("what the carrier brings", () => {
  test.each(["udh8", "udh16", "sar", "payload"] as const)(
    "a long text carried by %s is one message",
    async (carriedBy) => {
      const text = `By ${carriedBy}: ${"0123456789".repeat(40)}`;
      await arrive(text, { carriedBy });
      expect(await ear.inboundUntil(({ Text }) => Text === text)).toMatchObject({ From: FROM, SegmentCount: 3 });
    },
  );

  test.each(["GSM7", "UCS2", "Latin1"] as const)("a text in %s is read as it was written", async (coding) => {
    const text = `In ${coding}: àéñ @ 100 £ ${"x".repeat(150)}`;
    await arrive(text, { coding });
    expect(await ear.inboundUntil(({ Text }) => Text === text)).toMatchObject({ SegmentCount: expect.any(Number) });
  });

  test("numbers without a plus, or without the country, are those they mean", async () => {
    await carrier.smsc.deliver({ from: FROM.slice(1), to: sender.number.slice(1), text: "Without a plus" });
    await carrier.smsc.deliver({ from: FROM.slice(2), to: sender.number.slice(2), text: "Without the country" });
    for (const text of ["Without a plus", "Without the country"]) {
      expect(await ear.inboundUntil(({ Text }) => Text === text)).toMatchObject({ From: FROM, To: sender.number });
    }
  });

  test("short codes and names as senders are kept as they are", async () => {
    await arrive("From a code", { from: "72975" });
    await arrive("From a name", { from: "Tandem" });
    expect(await ear.inboundUntil(({ Text }) => Text === "From a code")).toMatchObject({ From: "72975" });
    expect(await ear.inboundUntil(({ Text }) => Text === "From a name")).toMatchObject({ From: "Tandem" });
  });

  test("a message for a number that is nobody's is taken and dropped", async () => {
    await carrier.smsc.deliver({ from: FROM, to: "+13035559999", text: "Nobody's" });
    await arrive("Mine");
    await ear.inboundUntil(({ Text }) => Text === "Mine");
    expect((await get<List<InboundBody>>("/v1/InboundMessages")).items).toHaveLength(1);
  });

  test("what came while the connection broke, and comes again, is one message", async () => {
    await subscribe();
    for (let round = 0; round < 3; round++) {
      const text = `Round ${round}`;
      const taken = arrive(text);
      carrier.smsc.cut();
      await taken;
      await ear.inboundUntil(({ Text }) => Text === text);
    }
    await arrive("The end");
    await ear.inboundUntil(({ Text }) => Text === "The end");
    const { items } = await get<List<InboundBody>>("/v1/InboundMessages?OrderByDirection=Ascending");
    expect(items.map(({ text }) => text)).toEqual(["Round 0", "Round 1", "Round 2", "The end"]);
  });

  test("texts that no database would store as they are do not stop anything", async () => {
    await arrive("NUL \u0000 inside", { coding: "UCS2" });
    await arrive("Half \ud83d of a pair", { coding: "UCS2" });
    await arrive("After them");
    await ear.inboundUntil(({ Text }) => Text === "After them");
    const { items } = await get<List<InboundBody>>("/v1/InboundMessages?OrderByDirection=Ascending");
    expect(items.map(({ text }) => text)).toEqual(["NUL \ufffd inside", "Half \ufffd of a pair", "After them"]);
  });
});

describe("reading", () => {
  test.each(["/v1", "/messaging/v1"])("messages are listed, narrowed, paged and read under %s", async (mount) => {
    const sids: string[] = [];
    for (const [from, text] of [
      [FROM, "1"],
      ["+13125550143", "2"],
      [FROM, "3"],
    ] as const) {
      await arrive(text, { from });
      sids.push(String((await ear.inboundUntil(({ Text }) => Text === text)).Sid));
    }
    const list = async (query: string) =>
      (await get<List<InboundBody>>(`${mount}/InboundMessages?${query}`)).items.map(({ sid }) => sid);
    expect(await list("")).toEqual([...sids].reverse());
    expect(await list("OrderByDirection=Ascending")).toEqual(sids);
    expect(await list(`From=${FROM.slice(1)}`)).toEqual([sids[2], sids[0]]);
    expect(await list(`To=${encodeURIComponent(sender.number)}&From=%2B13125550143`)).toEqual([sids[1]]);
    expect(await list("To=%2B13125550143")).toEqual([]);
    const second = await get<InboundBody>(`${mount}/InboundMessages/${sids[1]}`);
    expect(second).toStrictEqual({
      sid: sids[1],
      from: "+13125550143",
      to: sender.number,
      additionalRecipients: [],
      text: "2",
      mediaUrls: [],
      segmentCount: 1,
      conversationMetadata: null,
      createdOn: TIME,
    });
    expect(await list(`CreatedOnFrom=${second.createdOn}`)).toEqual([sids[2], sids[1]]);
    expect(await list(`CreatedOnTo=${second.createdOn}`)).toEqual([sids[1], sids[0]]);
    const page = await get<List<InboundBody>>(`${mount}/InboundMessages?PageSize=2`);
    expect(page.items.map(({ sid }) => sid)).toEqual([sids[2], sids[1]]);
    expect(await list(`PageSize=2&SearchId=${page.searchId}`)).toEqual([sids[0]]);
    const stranger = await newMessenger(tandem);
    await problemOf(await stranger.call(`${mount}/InboundMessages/${sids[0]}`), 404);
    expect(await answerOf(await stranger.call(`${mount}/InboundMessages`), 200)).toEqual({ items: [] });
    await problemOf(await account.call(`${mount}/InboundMessages/IM${"0".repeat(32)}`), 404);
    await problemOf(await account.call(`${mount}/InboundMessages`, { method: "POST" }), 405);
  });
});
