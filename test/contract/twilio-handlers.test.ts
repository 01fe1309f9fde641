// A receiver written for Twilio, with Twilio's own package and Express as its documentation shows, gets our webhooks:
// signatures, parameters and responses are as it expects. It needs nothing but the account's token.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import twilio from "twilio";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import {
  emulateInbound,
  listen,
  type MessageBody,
  newMessenger,
  newSender,
  SEND,
  type Sender,
  UNTIL,
} from "./messages.ts";
import { answerOf, type List } from "./numbers.ts";

/** One pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

type Form = Readonly<Record<string, string>>;

const tandem = useTandem();
const FROM = "+14155550100";
const received: Form[] = [];
let answers: (parameters: Form) => string;
let server: Server;
let account: TestAccount;
let sender: Sender;

beforeAll(() => {
  const app = express();
  app.get("/cat.png", (_, response) => void response.type("png").send(PNG));
  app.use(express.urlencoded({ extended: false }));
  app.use((request, response, next) => twilio.webhook(account.token)(request, response, next));
  app.post("/:kind", (request, response) => {
    received.push(request.body as Form);
    response.type("text/xml").send(answers(request.body as Form));
  });
  server = app.listen(0, "127.0.0.1");
});
afterAll(() => void server.close());

beforeEach(async () => {
  received.length = 0;
  answers = () => new twilio.twiml.MessagingResponse().toString();
  account = await newMessenger(tandem, { features: ["voice"], token: { signs: true } });
  sender = await newSender(tandem, tandem.database, account);
});

async function subscribe(type: string, path: string): Promise<string> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const order = json("POST", { type, url, payloadShape: "Twilio" });
  return (await answerOf<{ sid: string }>(await account.call("/v1/Webhooks", order), 201)).sid;
}

const sent = async () => (await answerOf<List<MessageBody>>(await account.call(SEND), 200)).items;
const deliveries = async () =>
  (
    await answerOf<List<{ sid: string; status: string; attempts: readonly { failure: string | null }[] }>>(
      await account.call("/v1/Webhooks/deliveries?Type=InboundMessageReceived"),
      200,
    )
  ).items;
const arrive = (text: string) => emulateInbound(account, { from: FROM, to: sender.number, text });

test("a text is answered by TwiML, once, also when the webhook is replayed", async () => {
  await subscribe("InboundMessageReceived", "/sms");
  answers = ({ Body }) => {
    const response = new twilio.twiml.MessagingResponse();
    response.message(`You said: ${Body} & more`);
    return response.toString();
  };
  await arrive("Hello <there>");
  await expect.poll(async () => (await sent()).length, UNTIL).toBe(1);
  expect(received[0]).toMatchObject({
    MessageSid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
    AccountSid: account.sid,
    From: FROM,
    To: sender.number,
    Body: "Hello <there>",
    NumMedia: "0",
  });
  expect(await sent()).toMatchObject([{ from: sender.number, to: FROM, text: "You said: Hello <there> & more" }]);
  await expect.poll(async () => (await deliveries())[0]?.status, UNTIL).toBe("Delivered");
  const [delivery] = await deliveries();
  await answerOf(await account.call(`/v1/Webhooks/deliveries/${delivery?.sid}/replay`, { method: "POST" }), 202);
  await expect.poll(async () => (await deliveries())[0]?.attempts.length, UNTIL).toBe(2);
  expect(await sent()).toHaveLength(1);
});

test("a picture is reported with its type, and can be fetched", async () => {
  await subscribe("InboundMessageReceived", "/pictures");
  const mediaUrls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/cat.png`];
  await emulateInbound(account, { from: FROM, to: sender.number, text: "Look", mediaUrls });
  await expect.poll(() => received[0], UNTIL).toMatchObject({ NumMedia: "1", MediaContentType0: "image/png" });
  const fetched = await fetch(received[0]?.MediaUrl0 ?? "");
  expect(Buffer.from(await fetched.arrayBuffer())).toEqual(PNG);
});

test("several messages of one answer are sent each, and what cannot be sent is reported with the attempt", async () => {
  await subscribe("InboundMessageReceived", "/several");
  answers = ({ Body }) => {
    if (Body === "fax") return "<Response><Fax/></Response>";
    const response = new twilio.twiml.MessagingResponse();
    for (const text of ["One", "Two", ""]) response.message(text);
    return response.toString();
  };
  await arrive("count");
  await expect
    .poll(async () => (await deliveries())[0]?.attempts[0]?.failure, UNTIL)
    .toContain("The message is empty.");
  expect((await sent()).map(({ text }) => text).sort()).toEqual(["One", "Two"]);
  await arrive("fax");
  await expect.poll(async () => (await deliveries()).length, UNTIL).toBe(2);
  await expect
    .poll(async () => (await deliveries())[0]?.attempts[0]?.failure, UNTIL)
    .toContain("Fax is not carried out");
  expect(await deliveries()).toMatchObject([{ status: "Delivered" }, { status: "Delivered" }]);
  expect(await sent()).toHaveLength(2);
});

test("who has opted out gets no reply, and a test of the subscription asks for none", async () => {
  const sid = await subscribe("InboundMessageReceived", "/stopped");
  answers = () => "<Response><Message>Too late</Message></Response>";
  await answerOf(await account.call(`/v1/Webhooks/${sid}/test`, { method: "POST" }), 202);
  await expect.poll(async () => (await deliveries())[0]?.status, UNTIL).toBe("Delivered");
  await arrive("STOP");
  await expect.poll(async () => (await deliveries())[0]?.attempts[0]?.failure, UNTIL).toContain("not sent");
  expect((await sent()).map(({ text }) => text)).not.toContain("Too late");
});

test("the status of a message is reported in that provider's words", async () => {
  await subscribe("OutboundMessageStatusChanged", "/status");
  const order = json("POST", { From: sender.number, To: FROM, Text: "Hi" });
  await answerOf(await account.call(SEND, order), 200);
  await expect.poll(() => received.map(({ MessageStatus }) => MessageStatus), UNTIL).toEqual(["sent", "delivered"]);
});

test("a call is answered by TwiML and told in that provider's words", async () => {
  await subscribe("InboundCallReceived", "/voice");
  await subscribe("CallStatusChanged", "/calls");
  answers = ({ CallStatus }) => {
    const response = new twilio.twiml.VoiceResponse();
    if (CallStatus === "ringing") response.dial().number("+14155550107");
    return response.toString();
  };
  const ear = await listen(account);
  const call = json("POST", { from: "+12125550123", to: sender.number, durationSeconds: 5 });
  await answerOf(await account.call("/testkit/v1/Emulate/inbound-call", call), 200);
  await ear.until(({ type, payload }) => type === "CallStatusChangedWebhook" && payload.Status === "Completed");
  await ear.leave();
  const told = () =>
    received.filter(({ CallbackSource }) => CallbackSource).map(({ Direction, CallStatus }) => [Direction, CallStatus]);
  await expect.poll(told, UNTIL).toEqual([
    ["inbound", "in-progress"],
    ["outbound-dial", "ringing"],
    ["outbound-dial", "in-progress"],
    ["inbound", "completed"],
    ["outbound-dial", "completed"],
  ]);
  const [asked] = received;
  expect(asked).toMatchObject({ CallStatus: "ringing", Direction: "inbound", To: sender.number });
  const [child] = received.filter(({ ParentCallSid }) => ParentCallSid);
  expect(child).toMatchObject({ ParentCallSid: asked?.CallSid, To: "+14155550107" });
});
