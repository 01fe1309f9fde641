// Callback URLs given with messages: which events they get, and how a receiver verifies that a request comes from us.

import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type HealthyOptions,
  type HealthyReceiver,
  type ReceivedRequest,
  startHealthy,
} from "../faults/webhook-receivers.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import {
  type Ear,
  form,
  listen,
  type MessageBody,
  newMessenger,
  newSender,
  SEND,
  type Sender,
  send,
  UNTIL,
  whyOf,
} from "./messages.ts";
import { answerOf, type List } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const TO = "+12125550100";

const tandem = useTandem();
let account: TestAccount;
let sender: Sender;
let ear: Ear;
const receivers: HealthyReceiver[] = [];

beforeEach(async () => {
  account = await newMessenger(tandem);
  sender = await newSender(tandem, tandem.database, account);
  ear = await listen(account);
});
afterEach(async () => {
  await ear.leave();
  for (const receiver of receivers.splice(0)) await receiver.close();
});

interface Secret {
  readonly secret: string;
  readonly createdOn: string;
}

interface Delivery {
  readonly sid: string;
  readonly subscriptionSid: string;
  readonly status: string;
  readonly attempts: readonly { readonly url: string; readonly status: number }[];
}

async function receive(options?: HealthyOptions): Promise<HealthyReceiver> {
  const receiver = await startHealthy(options);
  receivers.push(receiver);
  return receiver;
}

const get = async <Body>(path: string) => answerOf<Body>(await account.call(path), 200);
const rotate = async (mount = "/v1") =>
  answerOf<Secret>(await account.call(`${mount}/Account/webhookSecret`, { method: "POST" }), 200);
const write = (more: object) => send(account, { From: sender.number, To: TO, Text: "Hi", ...more });
const bodyOf = ({ body }: ReceivedRequest) => JSON.parse(body.toString()) as Record<string, unknown>;
const verify = (secret: string, { headers, body }: ReceivedRequest) =>
  new Webhook(secret).verify(body.toString(), headers as Record<string, string>);

describe("a callback", () => {
  test("gets every change of its message, in order, as other receivers get it", async () => {
    const { secret } = await rotate();
    const receiver = await receive();
    const message = await write({ CallbackUrlOverride: receiver.url });
    await receiver.whenReceived(2);
    expect(receiver.requests.map(({ method, path }) => [method, path])).toEqual([
      ["POST", new URL(receiver.url).pathname],
      ["POST", new URL(receiver.url).pathname],
    ]);
    const common = {
      EventDate: expect.stringMatching(/Z$/),
      Sid: message.sid,
      From: sender.number,
      To: TO,
      ErrorCode: 0,
      ErrorDescription: null,
      SegmentCount: 1,
      Carrier: message.carrier,
    };
    const [sent, delivered] = receiver.requests as [ReceivedRequest, ReceivedRequest];
    expect(bodyOf(sent)).toStrictEqual({
      WebhookSid: sent.headers["webhook-id"],
      ...common,
      Sequence: 1,
      Status: "Sent",
      PreviousStatus: "Queued",
    });
    expect(bodyOf(delivered)).toStrictEqual({
      WebhookSid: delivered.headers["webhook-id"],
      ...common,
      Sequence: 2,
      Status: "Delivered",
      PreviousStatus: "Sent",
    });
    for (const request of receiver.requests) {
      expect(request.headers).toMatchObject({
        "content-type": "application/json",
        "x-event-type": "OutboundMessageStatusChanged",
        "webhook-id": expect.stringMatching(/^WH[0-9a-f]{32}$/),
        "x-request-id": request.headers["webhook-id"],
      });
      expect(request.headers.authorization).toBeUndefined();
      expect(verify(secret, request)).toMatchObject({ Sid: message.sid });
      expect(() => verify(`whsec_${Buffer.alloc(32).toString("base64")}`, request)).toThrow();
    }
  });

  test("may be called StatusCallback, in a form too, and takes the place of the account's subscriptions", async () => {
    const [subscriber, callback] = [await receive(), await receive()];
    const order = { type: "OutboundMessageStatusChanged", url: subscriber.url };
    await answerOf(await account.call("/v1/Webhooks", json("POST", order)), 201);
    const own = await answerOf<MessageBody>(
      await account.call(SEND, form({ From: sender.number, To: TO, Text: "Own", StatusCallback: callback.url })),
      200,
    );
    const plain = await write({ Text: "Plain" });
    await callback.whenReceived(2);
    await subscriber.whenReceived(2);
    expect(callback.requests.map((request) => bodyOf(request).Sid)).toEqual([own.sid, own.sid]);
    expect(subscriber.requests.map((request) => bodyOf(request).Sid)).toEqual([plain.sid, plain.sid]);
  });

  test("that asks for final statuses is told how its message ended, and of nothing before", async () => {
    const [subscriber, callback] = [await receive(), await receive()];
    const order = { type: "OutboundMessageStatusChanged", url: subscriber.url };
    await answerOf(await account.call("/v1/Webhooks", json("POST", order)), 201);
    const first = await write({ StatusCallback: `${callback.url}#statuses=final` });
    await callback.whenReceived(1);
    const { sid } = await write({ StatusCallback: `${callback.url}#shape=B&statuses=final` });
    await callback.whenReceived(2);
    expect(callback.requests.map(bodyOf)).toMatchObject([
      { Sid: first.sid, Status: "Delivered", PreviousStatus: "Sent", Sequence: 2 },
      { sid, status: "Delivered", previousStatus: "Sent" },
    ]);
    expect(await ear.statusesUntil(sid, "Delivered")).toEqual(["Sent", "Delivered"]);
    const told = await get<List<Delivery>>(`/v1/Webhooks/deliveries?ResourceSid=${sid}`);
    expect(told.items).toHaveLength(1);
    expect(subscriber.requests).toEqual([]);
  });

  test("hears of cancellation and of messages that expire", async () => {
    const callback = await receive();
    const SendAt = new Date(Date.now() + 3_600_000).toISOString();
    const { sid } = await write({ StatusCallback: callback.url, SendAt });
    await answerOf(await account.call(`${SEND}/${sid}/cancel`, { method: "POST" }), 200);
    await callback.whenReceived(1);
    expect(bodyOf(callback.requests[0] as ReceivedRequest)).toMatchObject({ Sid: sid, Status: "Canceled" });
  });

  test("is seen among the deliveries and in the message's trail, and can be replayed to where it went", async () => {
    const callback = await receive();
    const { sid } = await write({ StatusCallback: callback.url });
    await callback.whenReceived(2);
    const list = async () =>
      (await get<List<Delivery>>(`/v1/Webhooks/deliveries?ResourceSid=${sid}&OrderByDirection=Ascending`)).items;
    await expect
      .poll(async () => (await list()).map(({ status }) => status), UNTIL)
      .toEqual(["Delivered", "Delivered"]);
    const [first] = await list();
    expect(first?.attempts).toMatchObject([{ url: callback.url, status: 200 }]);
    const steps = (await whyOf(account, sid)).steps.map(({ step }) => step);
    // A webhook may arrive late relative to the other steps.
    expect(steps.filter((step) => step !== "webhook")).toEqual(["accepted", "sent", "delivered"]);
    expect(steps.filter((step) => step === "webhook")).toHaveLength(2);
    await answerOf(await account.call(`/v1/Webhooks/deliveries/${first?.sid}/replay`, { method: "POST" }), 202);
    await callback.whenReceived(3);
    expect(callback.requests[2]?.headers["webhook-id"]).toBe(first?.sid);
  });

  test("that is gone for good spoils nothing for other messages", async () => {
    const gone = await receive({ answer: () => ({ status: 410 }) });
    const good = await receive();
    const lost = await write({ StatusCallback: gone.url });
    await gone.whenReceived(1);
    await ear.statusesUntil(lost.sid, "Delivered");
    const { sid } = await write({ StatusCallback: good.url });
    await good.whenReceived(2);
    expect(good.requests.map((request) => bodyOf(request).Sid)).toEqual([sid, sid]);
  });
});

describe("the account's secret", () => {
  test.each(["/v1", "/messaging/v1"])(
    "is made and shown once under %s, and its age with the account",
    async (mount) => {
      expect(await get(`${mount}/Account`)).toMatchObject({ webhookSecretCreatedOn: null });
      const made = await rotate(mount);
      expect(made).toStrictEqual({
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        createdOn: expect.stringMatching(/Z$/),
      });
      expect(await get(`${mount}/Account`)).toMatchObject({ webhookSecretCreatedOn: made.createdOn });
      const again = await rotate(mount);
      expect(again.secret).not.toBe(made.secret);
      expect(await get(`${mount}/Account`)).toMatchObject({ webhookSecretCreatedOn: again.createdOn });
    },
  );

  test("of before signs too, so that a receiver can change over", async () => {
    const callback = await receive();
    const first = await rotate();
    await write({ StatusCallback: callback.url });
    await callback.whenReceived(2);
    const second = await rotate();
    await write({ StatusCallback: callback.url });
    await callback.whenReceived(4);
    const [before, after] = [callback.requests[0], callback.requests[3]] as [ReceivedRequest, ReceivedRequest];
    expect(() => verify(second.secret, before)).toThrow();
    for (const { secret } of [first, second]) verify(secret, after);
    const third = await rotate();
    await write({ StatusCallback: callback.url });
    await callback.whenReceived(6);
    const last = callback.requests[5] as ReceivedRequest;
    for (const { secret } of [first, second, third]) verify(secret, last);
  });

  test("may be replaced five times within a day", async () => {
    for (let round = 0; round < 6; round++) await rotate();
    const refusal = await account.call("/v1/Account/webhookSecret", { method: "POST" });
    expect(await problemOf(refusal, 409)).toMatchObject({ code: "conflict" });
  });

  test("under one Idempotency-Key it is the same, and another account has another", async () => {
    const order = { method: "POST", headers: { "Idempotency-Key": "secret" } };
    const path = "/v1/Account/webhookSecret";
    const made = await answerOf<Secret>(await account.call(path, order), 200);
    expect(await answerOf(await account.call(path, order), 200)).toEqual(made);
    const stranger = await newMessenger(tandem);
    const theirs = await answerOf<Secret>(await stranger.call(path, order), 200);
    expect(theirs.secret).not.toBe(made.secret);
    expect(await get("/v1/Account")).toMatchObject({ webhookSecretCreatedOn: made.createdOn });
  });

  test("is kept where nobody finds it among the subscriptions", async () => {
    await rotate();
    const callback = await receive();
    await write({ StatusCallback: callback.url });
    await callback.whenReceived(2);
    expect(await get("/v1/Webhooks")).toEqual({ items: [] });
    const sid = `WS${account.sid.slice(2)}`;
    const path = `/v1/Webhooks/${sid}`;
    await problemOf(await account.call(path), 404);
    await problemOf(await account.call(path, json("PATCH", { enabled: false })), 404);
    await problemOf(await account.call(path, { method: "DELETE" }), 404);
    await problemOf(await account.call(`${path}/test`, { method: "POST" }), 404);
    await problemOf(await account.call(`${path}/rotateSecret`, { method: "POST" }), 404);
    await write({ StatusCallback: callback.url });
    await callback.whenReceived(4);
  });

  test("is not to be had without the account's token, nor by GET", async () => {
    const path = "/v1/Account/webhookSecret";
    await problemOf(await fetch(tandem.url + path, { method: "POST" }), 401);
    await problemOf(await account.call(path), 405);
  });
});
