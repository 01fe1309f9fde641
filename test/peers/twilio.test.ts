// Twilio's official client against Tandem: an application written for Twilio works here.

import twilio from "twilio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limitOf, newAccount, type TestAccount } from "../contract/account.ts";
import { PNG, startMediaServer } from "../contract/media-server.ts";
import { emulateInbound, inAnHour, messageOf, newMessenger, newSender, UNTIL } from "../contract/messages.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { type TwilioClient, twilioClient } from "./twilio-client.ts";
import { openReceiver, type TwilioReceiver } from "./twilio-receiver.ts";

const RECIPIENT = "+12125550199";
const AT_ONCE = "+14155550111";
const HANGS_UP = "+14155550107";
const DIAL = `<Response><Dial>${AT_ONCE}</Dial></Response>`;

const tandem = useTandem();
let account: TestAccount;
let client: TwilioClient;
let from: string;
let receiver: TwilioReceiver;

beforeAll(async () => {
  receiver = await openReceiver("<Response><Say>Hello from a URL.</Say></Response>");
  const limits = { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE, call: WIDE, lookup: WIDE };
  account = await newMessenger(tandem, { features: ["voice"], limits });
  client = twilioClient(tandem, account);
  from = (await newSender(tandem, tandem.database, account)).number;
});
afterAll(() => receiver.close());

const send = (body: string, more: object = {}) => client.messages.create({ from, to: RECIPIENT, body, ...more });
const secretOf = async (who: TestAccount) => {
  const made = await who.call("/v1/Account/webhookSecret", { method: "POST" });
  return (await answerOf<{ secret: string }>(made, 200)).secret;
};

async function faultOf(work: Promise<unknown>): Promise<object> {
  const fault = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(twilio.RestException);
  const { status, code, message, moreInfo } = fault as InstanceType<typeof twilio.RestException>;
  expect(message).not.toBe("");
  expect(moreInfo).toContain(String(code));
  return { status, code };
}

test("a message is sent, fetched and delivered, and its callback comes as that provider's form, signed", async () => {
  const secret = await secretOf(account);
  const sent = await send("Hello", { statusCallback: `${receiver.url}/status?a=1` });
  expect(sent).toMatchObject({ from, to: RECIPIENT, body: "Hello", direction: "outbound-api", status: "queued" });
  expect(sent).toMatchObject({ numSegments: "1", numMedia: "0", accountSid: account.sid, errorCode: null });
  expect(sent.sid).toMatch(/^SM[0-9a-f]{32}$/);
  const { createdOn } = await messageOf(account, sent.sid.replace("SM", "OM"));
  expect(sent.dateCreated.toISOString()).toBe(createdOn.replace(/\.\d+Z$/, ".000Z"));
  await expect.poll(async () => (await client.messages(sent.sid).fetch()).status, UNTIL).toBe("delivered");
  const told = () => receiver.received.filter(({ form }) => form.MessageSid === sent.sid);
  await expect.poll(() => told().map(({ form }) => form.MessageStatus), UNTIL).toContain("delivered");
  for (const { url, signature, form } of told()) {
    expect(url).toBe(`${receiver.url}/status?a=1`);
    expect(twilio.validateRequest(secret, signature, url, { ...form })).toBe(true);
  }
});

test("lists go over all pages by themselves, sent and received in one, and by their filters", async () => {
  const to = "+13125550198";
  const sids: string[] = [];
  for (const body of ["1", "2", "3", "4", "5"]) sids.unshift((await send(body, { to })).sid);
  const listed = await client.messages.list({ to, pageSize: 2 });
  expect(listed.map(({ sid }) => sid)).toEqual(sids);
  expect((await client.messages.list({ to, pageSize: 2, limit: 3 })).map(({ sid }) => sid)).toEqual(sids.slice(0, 3));
  await emulateInbound(account, { from: to, to: [from], text: "And back", mediaUrls: [] });
  await expect.poll(async () => (await client.messages.list({ from: to })).length, UNTIL).toBe(1);
  const [received] = await client.messages.list({ from: to });
  expect(received).toMatchObject({ direction: "inbound", status: "received", body: "And back", to: from });
  expect((await client.messages(received?.sid ?? "").fetch()).body).toBe("And back");
  const all = await client.messages.list({ pageSize: 3 });
  expect(new Set(all.map(({ sid }) => sid)).size).toBe(all.length);
  expect(all.map(({ sid }) => sid)).toEqual(expect.arrayContaining([...sids, received?.sid]));
  const tomorrow = new Date(Date.now() + 86_400_000);
  expect(await client.messages.list({ to, dateSentAfter: tomorrow })).toEqual([]);
  expect(await client.messages.list({ to, dateSentBefore: tomorrow })).toHaveLength(5);
});

test("a scheduled message is canceled; one that is over is redacted, and one that waits is not", async () => {
  const scheduled = await send("Later", { scheduleType: "fixed", sendAt: new Date(inAnHour()) });
  expect(scheduled.status).toBe("scheduled");
  expect(await faultOf(client.messages(scheduled.sid).update({ body: "" }))).toEqual({ status: 409, code: 20409 });
  expect(await client.messages(scheduled.sid).update({ status: "canceled" })).toMatchObject({ status: "canceled" });
  expect(await client.messages(scheduled.sid).update({ body: "" })).toMatchObject({ body: "", status: "canceled" });
  expect((await client.messages(scheduled.sid).fetch()).body).toBe("");
});

test("the media of a message that came are listed, fetched and downloaded; those of others are not found", async () => {
  const media = await startMediaServer();
  const sender = "+13125550177";
  const mediaUrls = ["/a.png", "/b.jpg"].map((path) => media.urlOf(path));
  await emulateInbound(account, { from: sender, to: [from], text: "Look", mediaUrls });
  await expect.poll(async () => (await client.messages.list({ from: sender })).length, UNTIL).toBe(1);
  await media.close();
  const [received] = await client.messages.list({ from: sender });
  const sid = received?.sid ?? "";
  expect(received).toMatchObject({
    numMedia: "2",
    subresourceUris: { media: expect.stringContaining(`/${sid}/Media`) },
  });
  const listed = await client.messages(sid).media.list();
  expect(listed.map(({ contentType, parentSid }) => [contentType, parentSid])).toEqual([
    ["image/png", sid],
    ["image/jpeg", sid],
  ]);
  const [picture] = listed;
  const fetched = await client
    .messages(sid)
    .media(picture?.sid ?? "")
    .fetch();
  expect(fetched).toMatchObject({ sid: picture?.sid, accountSid: account.sid, dateCreated: received?.dateCreated });
  const url = tandem.url + fetched.uri.replace(".json", "");
  const file = await fetch(url, { headers: basic(account.sid, account.token) });
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(Buffer.from(await file.arrayBuffer()).equals(PNG)).toBe(true);
  expect((await fetch(url)).status).toBe(401);
  const { sid: sent } = await send("Without");
  expect(await client.messages(sent).media.list()).toEqual([]);
  const missing = { status: 404, code: 20404 };
  expect(await faultOf(client.messages(sent).media(fetched.sid).fetch())).toEqual(missing);
  const other = twilioClient(tandem, await newAccount(tandem, { limits: { read: WIDE } }));
  expect(await faultOf(other.messages(sid).media.list())).toEqual(missing);
});

test("a messaging service is a config: its number sends", async () => {
  const { configSid, number } = await newSender(tandem, tandem.database, account);
  const messagingServiceSid = configSid.replace("MC", "MG");
  const sent = await client.messages.create({ messagingServiceSid, to: RECIPIENT, body: "Hello" });
  expect(sent).toMatchObject({ from: number, messagingServiceSid });
});

test("refusals are that provider's errors, with its codes", async () => {
  expect(await faultOf(send("Hello", { to: "+1" }))).toEqual({ status: 400, code: 21211 });
  expect(await faultOf(send("Hello", { from: "+12125550123" }))).toEqual({ status: 400, code: 21606 });
  expect(await faultOf(send("Hello", { to: "+447700900123" }))).toEqual({ status: 400, code: 21408 });
  expect(await faultOf(send(""))).toEqual({ status: 400, code: 21602 });
  const optOut = { number: "+12125550177", scopeType: "SenderPhoneNumber", scope: from };
  await answerOf(await account.call("/v1/OptOuts", json("POST", optOut)), 201);
  expect(await faultOf(send("Hello", { to: optOut.number }))).toEqual({ status: 400, code: 21610 });
  expect(await faultOf(client.messages(`SM${"0".repeat(32)}`).fetch())).toEqual({ status: 404, code: 20404 });
  expect(await faultOf(client.queues.list())).toEqual({ status: 404, code: 20404 });
  const stranger = twilioClient(tandem, { sid: account.sid, token: "wrong" });
  expect(await faultOf(stranger.messages.list())).toEqual({ status: 401, code: 20003 });
  const slow = await newAccount(tandem, { limits: { read: limitOf(1) } });
  const limited = twilioClient(tandem, slow);
  await limited.calls.list();
  expect(await faultOf(limited.calls.list())).toEqual({ status: 429, code: 20429 });
});

test("what is another account's is not found", async () => {
  const other = await newAccount(tandem, { features: ["voice"], limits: { read: WIDE, write: WIDE } });
  const { sid } = await send("Mine");
  const call = await client.calls.create({ from, to: AT_ONCE, twiml: DIAL });
  const theirs = twilioClient(tandem, other);
  const missing = { status: 404, code: 20404 };
  expect(await faultOf(theirs.messages(sid).fetch())).toEqual(missing);
  expect(await faultOf(theirs.messages(sid).update({ body: "" }))).toEqual(missing);
  expect(await faultOf(theirs.calls(call.sid).fetch())).toEqual(missing);
  expect(await faultOf(theirs.calls(call.sid).update({ status: "completed" }))).toEqual(missing);
  expect(await faultOf(theirs.calls(call.sid).recordings.list())).toEqual(missing);
  const [number] = await client.incomingPhoneNumbers.list({ phoneNumber: from });
  expect(await faultOf(theirs.incomingPhoneNumbers(number?.sid ?? "").fetch())).toEqual(missing);
  expect(await faultOf(theirs.api.v2010.accounts(account.sid).messages.list())).toEqual(missing);
  expect(await theirs.messages.list()).toEqual([]);
  await client.calls(call.sid).update({ status: "completed" });
});

test("a call is connected by Dial, listed, hung up and deleted", async () => {
  const placed = await client.calls.create({ from, to: AT_ONCE, twiml: DIAL });
  expect(placed).toMatchObject({ from, to: AT_ONCE, direction: "outbound-api", accountSid: account.sid });
  await expect.poll(async () => (await client.calls(placed.sid).fetch()).status, SOON).toBe("in-progress");
  const running = await client.calls.list({ to: AT_ONCE, status: "in-progress" });
  expect(running.map(({ sid }) => sid)).toContain(placed.sid);
  const ended = await client.calls(placed.sid).update({ status: "completed" });
  expect(ended).toMatchObject({ status: "completed" });
  expect(Number(ended.duration)).toBeGreaterThanOrEqual(0);
  expect(await client.calls(placed.sid).remove()).toBe(true);
  expect(await faultOf(client.calls(placed.sid).fetch())).toEqual({ status: 404, code: 20404 });
});

test("a party hears a text and is hung up, by TwiML or by what a URL answers", async () => {
  const secret = await secretOf(account);
  const { VoiceResponse } = twilio.twiml;
  const twiml = new VoiceResponse();
  twiml.say("Hello.");
  twiml.hangup();
  const spoken = await client.calls.create({ from, to: AT_ONCE, twiml });
  const asked = await client.calls.create({ from, to: AT_ONCE, url: `${receiver.url}/voice` });
  for (const { sid } of [spoken, asked]) {
    await expect.poll(async () => (await client.calls(sid).fetch()).status, SOON).toBe("completed");
    const call = await answerOf(await account.call(`/v1/Voice/Calls/${sid}`), 200);
    expect(call).toMatchObject({ endReason: "ScriptHangup", endedBy: "Service", legs: [{ to: AT_ONCE }] });
  }
  const question = receiver.received.find(({ url }) => url.endsWith("/voice"));
  expect(question?.form).toMatchObject({ From: from, To: AT_ONCE, Direction: "outbound-api" });
  expect(twilio.validateRequest(secret, question?.signature ?? "", question?.url ?? "", { ...question?.form })).toBe(
    true,
  );
});

test("calls that cannot be made are refused with the reason", async () => {
  const place = (more: object) => faultOf(client.calls.create({ from, to: AT_ONCE, twiml: DIAL, ...more }));
  expect(await place({ twiml: "<Response><Gather/></Response>" })).toEqual({ status: 400, code: 12100 });
  expect(await place({ to: "nobody" })).toEqual({ status: 400, code: 21211 });
  expect(await place({ from: "+12125550123" })).toEqual({ status: 400, code: 21210 });
  expect(await place({ to: "+447700900123" })).toEqual({ status: 400, code: 21215 });
  expect(await place({ twiml: undefined, url: "http://10.0.0.1/voice" })).toEqual({ status: 400, code: 21205 });
  expect(await place({ twiml: undefined, url: "file:///etc/passwd" })).toEqual({ status: 400, code: 21205 });
});

test("a recording is listed, fetched and downloaded", async () => {
  const twiml = `<Response><Dial record="record-from-answer">${HANGS_UP}</Dial></Response>`;
  const { sid: callSid } = await client.calls.create({ from, to: AT_ONCE, twiml });
  await expect
    .poll(async () => (await client.calls(callSid).recordings.list()).map(({ status }) => status), SOON)
    .toEqual(["completed"]);
  const [recording] = await client.recordings.list({ callSid });
  expect(recording).toMatchObject({ callSid, status: "completed", channels: 2, accountSid: account.sid });
  const fetched = await client.recordings(recording?.sid ?? "").fetch();
  expect(fetched.sid).toBe(recording?.sid);
  const headers = basic(account.sid, account.token);
  const audio = await Promise.all(
    ["", ".mp3"].map(async (extension) => {
      const answer = await fetch(`${fetched.mediaUrl}${extension}`, { headers });
      expect(answer.headers.get("content-type")).toBe("audio/mpeg");
      return Buffer.from(await answer.arrayBuffer());
    }),
  );
  expect(audio[0]?.length).toBeGreaterThan(100);
  expect(audio[0]?.equals(audio[1] ?? Buffer.alloc(0))).toBe(true);
  expect((await fetch(`${fetched.mediaUrl}.mp3`)).status).toBe(401);
  expect((await client.recordings.list()).map(({ sid }) => sid)).toContain(fetched.sid);
});

test("the URLs of a number are subscriptions of its own", async () => {
  const number = await newNumber(tandem);
  await take(account, number);
  const [listed] = await client.incomingPhoneNumbers.list({ phoneNumber: number });
  expect(listed).toMatchObject({
    phoneNumber: number,
    smsUrl: "",
    voiceUrl: "",
    capabilities: { voice: true, sms: true },
  });
  const own = client.incomingPhoneNumbers(listed?.sid ?? "");
  const urls = {
    smsUrl: `${receiver.url}/sms`,
    voiceUrl: `${receiver.url}/voice`,
    statusCallback: `${receiver.url}/calls`,
  };
  const changed = await own.update({ ...urls, friendlyName: "Front desk", smsFallbackUrl: `${receiver.url}/other` });
  expect(changed).toMatchObject({ ...urls, friendlyName: "Front desk", smsFallbackUrl: `${receiver.url}/other` });
  await own.update({ smsUrl: `${receiver.url}/new`, voiceUrl: "" });
  expect(await own.fetch()).toMatchObject({
    smsUrl: `${receiver.url}/new`,
    voiceUrl: "",
    statusCallback: urls.statusCallback,
  });
  interface Webhooks {
    readonly items: readonly {
      readonly phone: string;
      readonly types: readonly string[];
      readonly payloadShape: string;
    }[];
  }
  const { items } = await answerOf<Webhooks>(await account.call("/v1/Webhooks?PageSize=1000"), 200);
  const ofNumber = items.filter(({ phone }) => phone === number);
  expect(ofNumber.flatMap(({ types }) => types).sort()).toEqual(["CallStatusChangedWebhook", "InboundMessageReceived"]);
  expect(new Set(ofNumber.map(({ payloadShape }) => payloadShape))).toEqual(new Set(["Twilio"]));
  expect(await faultOf(own.update({ smsUrl: "http://10.0.0.1/" }))).toMatchObject({ status: 400 });
  const pages = await client.incomingPhoneNumbers.list({ pageSize: 1 });
  expect(pages.map(({ phoneNumber }) => phoneNumber)).toEqual(expect.arrayContaining([from, number]));
});

test("numbers are looked up with their line type; what is no number is said to be none", async () => {
  const lookup = (number: string, more: object = {}) => client.lookups.v2.phoneNumbers(number).fetch(more);
  const found = await lookup(from, { fields: "line_type_intelligence" });
  expect(found).toMatchObject({ valid: true, countryCode: "US", callingCountryCode: "1", phoneNumber: from });
  expect(found.nationalFormat).toMatch(/^\(303\) 556-\d{4}$/);
  expect(found.lineTypeIntelligence).toMatchObject({ type: expect.any(String), errorCode: null });
  expect((await lookup("3035560001", { countryCode: "US" })).phoneNumber).toBe("+13035560001");
  expect((await lookup(from)).lineTypeIntelligence).toBeFalsy();
  expect(await lookup("+1303")).toMatchObject({ valid: false, validationErrors: ["TOO_SHORT"] });
});
