// Sending messages by plain HTTP: every field in every form in which it may be written, and the resulting status of the
// message.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import {
  type Ear,
  form,
  inAnHour,
  listen,
  type MessageBody,
  messageOf,
  moveDue,
  moveExpiry,
  newMessenger,
  newSender,
  rawForm,
  SEND,
  type Sender,
  send,
  UNTIL,
  whyOf,
} from "./messages.ts";
import { answerOf, type List, newNumber, take } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const TO = "+14155550100";
/** No receipt ever arrives for messages to this number. */
const SILENT = "+14155550106";
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const tandem = useTandem();
let account: TestAccount;
let sender: Sender;
let ear: Ear;

beforeEach(async () => {
  account = await newMessenger(tandem);
  sender = await newSender(tandem, tandem.database, account);
  ear = await listen(account);
});
afterEach(() => ear.leave());

const post = (init: RequestInit) => account.call(SEND, init);
const get = async <Body>(path: string) => answerOf<Body>(await account.call(path), 200);
const from = () => sender.number;

/** Sending times that cover exactly the hour of `date`. */
function hourOf(date: Date): object {
  const hour = (ms: number) => `${String(new Date(ms).getUTCHours()).padStart(2, "0")}:00`;
  const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
  return { timeZone: "Etc/UTC", days, from: hour(date.getTime()), to: hour(date.getTime() + 3_600_000) };
}

describe("the specification's form", () => {
  test("a text is sent by account sid and token with From, To and Text", async () => {
    const answer = await fetch(tandem.url + SEND, {
      ...form({ From: from(), To: TO, Text: "Hello from Tandem" }),
      headers: { ...basic(account.sid, account.token), "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(answer.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    const message = await answerOf<MessageBody>(answer, 200);
    expect(message).toStrictEqual({
      sid: expect.stringMatching(/^OM[0-9a-f]{32}$/),
      from: from(),
      to: TO,
      recipients: [TO],
      text: "Hello from Tandem",
      mediaUrls: [],
      status: "Queued",
      statusReason: null,
      segmentCount: 1,
      encoding: "GSM7",
      carrier: expect.any(String),
      messagingConfigSid: sender.configSid,
      tcrCampaignId: sender.tcrCampaignId,
      priority: "Normal",
      errorCode: 0,
      errorDescription: null,
      createdOn: TIME,
      sendAt: null,
      sentOn: null,
      deliveredOn: null,
      expiresOn: TIME,
    });
    expect(Date.parse(message.expiresOn) - Date.parse(message.createdOn)).toBe(14_400_000);
    expect(await ear.statusesUntil(message.sid, "Delivered")).toEqual(["Sent", "Delivered"]);
    expect(await messageOf(account, message.sid)).toStrictEqual({
      ...message,
      status: "Delivered",
      sentOn: TIME,
      deliveredOn: TIME,
    });
  });

  test("an MMS names its media in a bracketed list", async () => {
    const urls = ["https://media.example/a.jpg", "https://media.example/b.png"];
    const body = await answerOf<MessageBody>(
      await post(form({ From: from(), To: TO, MediaUrls: `[${urls.join(",")}]`, DryRun: "true" })),
      200,
    );
    expect(body).toMatchObject({ wouldSend: true, segmentCount: 1 });
  });

  test("a plus that was not escaped is read as the plus it was meant to be", async () => {
    const body = await answerOf<MessageBody>(await post(rawForm(`From=${from()}&To=${TO}&Text=Hi+there`)), 200);
    expect(body).toMatchObject({ from: from(), to: TO, text: "Hi there" });
  });

  test("without the account's token nothing is sent", async () => {
    const order = form({ From: from(), To: TO, Text: "Hi" });
    for (const headers of [{}, basic(account.sid, "wrong"), basic(account.token, account.sid)]) {
      const answer = await fetch(tandem.url + SEND, { ...order, headers: { ...order.headers, ...headers } });
      expect(answer.headers.get("www-authenticate")).toBe('Basic realm="tandem"');
      await problemOf(answer, 401);
    }
    expect(await get(SEND)).toEqual({ items: [] });
  });

  test("X-Request-Id is given back, on refusals too", async () => {
    const headers = { "X-Request-Id": "order-17.a_b" };
    const good = await post({ ...json("POST", { From: from(), To: TO, Text: "Hi", DryRun: true }) });
    expect(good.headers.get("x-request-id")).toMatch(/\S/);
    const bad = await account.call(SEND, { ...form({}), headers: { ...form({}).headers, ...headers } });
    expect(bad.headers.get("x-request-id")).toBe("order-17.a_b");
    await problemOf(bad, 400);
  });
});

describe("fields", () => {
  test.each(["/v1", "/messaging/v1"])("%s takes the same and answers the same", async (mount) => {
    const message = await answerOf<MessageBody>(
      await account.call(`${mount}/OutboundMessages`, form({ From: from(), To: TO, Text: mount })),
      200,
    );
    for (const other of ["/v1", "/messaging/v1"]) {
      expect(await get(`${other}/OutboundMessages/${message.sid}`)).toMatchObject({ sid: message.sid, text: mount });
      expect(await get(`${other}/outboundmessages?To=${TO.slice(1)}`)).toMatchObject({ items: [{ sid: message.sid }] });
      expect(await get(`${other}/OutboundMessages/${message.sid}/why`)).toMatchObject({ sid: message.sid });
      expect(await get(`${other}/InboundMessages`)).toEqual({ items: [] });
      await problemOf(await account.call(`${other}/OutboundMessages/OM0/cancel`, { method: "POST" }), 404);
    }
  });

  test("names are matched without regard to case, in a form and in JSON", async () => {
    for (const order of [
      form({ FROM: from(), to: TO, tExT: "Hi", PRIORITY: "urgent", dryrun: "TRUE" }),
      json("POST", { FROM: from(), to: TO, tExT: "Hi", PRIORITY: "urgent", dryrun: true }),
    ]) {
      expect(await answerOf(await post(order), 200)).toMatchObject({ wouldSend: true });
    }
  });

  test("numbers may be written as people write them", async () => {
    const [a, b, c] = [from().slice(2, 5), from().slice(5, 8), from().slice(8)];
    const message = await send(account, { From: `+1 (${a}) ${b}-${c}`, To: "1 415 555 0100", Text: "Hi" });
    expect(message).toMatchObject({ from: from(), to: TO });
  });

  test("who comes from Twilio is told what is called otherwise here", async () => {
    const refusal = await problemOf(
      await post(
        form({
          From: from(),
          To: TO,
          Body: "Hi",
          MediaUrl: "https://media.example/a.jpg",
          MessagingServiceSid: "MG1",
          ValidityPeriod: "100",
        }),
      ),
      400,
    );
    expect(refusal).toMatchObject({ errorCode: 2001, code: "text-empty" });
    expect(refusal.errors).toMatchObject({
      Body: ["`Body` is called `Text` here."],
      MediaUrl: ["`MediaUrl` is called `MediaUrls` here."],
      MessagingServiceSid: [expect.stringContaining("`From` is a number")],
      ValidityPeriod: [expect.stringContaining("`ExpiresOn`")],
      Text: ["This is required, unless there are MediaUrls."],
    });
  });

  test("a field that is not known is refused by name, whatever it is called", async () => {
    for (const name of ["Foo", "__proto__", "constructor", "toString", "hasOwnProperty", "", "From.x", "🦄"]) {
      const fields: [string, string][] = [
        ["From", from()],
        ["To", TO],
        ["Text", "Hi"],
        [name, "1"],
      ];
      const byForm = await problemOf(await post(form(fields)), 400);
      const byJson = await problemOf(
        await post({
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: `{${fields.map(([field, value]) => `${JSON.stringify(field)}:${JSON.stringify(value)}`).join(",")}}`,
        }),
        400,
      );
      for (const { errors, errorCode, code } of [byForm, byJson] as never as {
        errors: object;
        errorCode: number;
        code: string;
      }[]) {
        expect(Object.entries(errors)).toEqual([[name, [expect.stringContaining("not known here")]]]);
        expect({ errorCode, code }).toEqual({ errorCode: 2147483647, code: "validation" });
      }
    }
    expect(await get(SEND)).toEqual({ items: [] });
  });

  test("media may be a bracketed list, a JSON array, a repeated field or MediaUrls[]", async () => {
    const urls = ["https://media.example/a,b.jpg", "https://media.example/c.png?x=[1]"];
    const base: [string, string][] = [
      ["From", from()],
      ["To", "+12125550106"],
    ];
    const orders: RequestInit[] = [
      form([...base, ["MediaUrls", `[${urls.join(",")}]`]]),
      form([...base, ["MediaUrls", `[ ${urls.join(" , ")} ]`]]),
      form([...base, ["MediaUrls", `["${urls.join('","')}"]`]]),
      form([...base, ["MediaUrls", `['${urls.join("','")}']`]]),
      form([...base, ["MediaUrls", JSON.stringify(urls)]]),
      form([...base, ...urls.map((url): [string, string] => ["MediaUrls", url])]),
      form([...base, ...urls.map((url): [string, string] => ["MediaUrls[]", url])]),
      json("POST", { ...Object.fromEntries(base), MediaUrls: urls }),
      json("POST", { ...Object.fromEntries(base), mediaUrls: `[${urls.join(",")}]` }),
    ];
    for (const order of orders) {
      expect(await answerOf(await post(order), 200)).toMatchObject({ mediaUrls: urls, text: "", segmentCount: 1 });
    }
    const one = await answerOf(await post(form([...base, ["MediaUrls", urls[0] as string]])), 200);
    expect(one).toMatchObject({ mediaUrls: [urls[0]] });
  });

  test("text and media go together, and an empty list of media is none", async () => {
    const mediaUrls = ["https://media.example/a.jpg"];
    expect(await send(account, { From: from(), To: TO, Text: "Look", MediaUrls: mediaUrls })).toMatchObject({
      text: "Look",
      mediaUrls,
    });
    for (const empty of ["[]", "", " "]) {
      const body = await answerOf(await post(form({ From: from(), To: TO, Text: "Hi", MediaUrls: empty })), 200);
      expect(body).toMatchObject({ mediaUrls: [] });
    }
    const refusal = await problemOf(await post(form({ From: from(), To: TO, MediaUrls: "[]" })), 400);
    expect(refusal).toMatchObject({ errorCode: 2001, errors: { Text: ["MediaUrls is empty: give Text, or media."] } });
  });

  test("segments are counted as carriers count them", async () => {
    const cases: readonly [string, number, string][] = [
      ["a".repeat(160), 1, "GSM7"],
      ["a".repeat(161), 2, "GSM7"],
      ["€".repeat(80), 1, "GSM7"],
      ["€".repeat(81), 2, "GSM7"],
      [`${"a".repeat(152)}€${"a".repeat(152)}`, 3, "GSM7"],
      ["ж".repeat(70), 1, "UCS2"],
      ["ж".repeat(71), 2, "UCS2"],
      ["😀".repeat(35), 1, "UCS2"],
      ["😀".repeat(36), 2, "UCS2"],
      // A family is one grapheme and never split, so each part holds eight of them and is not full.
      ["👨‍👩‍👧".repeat(9), 2, "UCS2"],
      ["e\u0301".repeat(36), 2, "UCS2"],
    ];
    for (const [text, segmentCount, encoding] of cases) {
      const dry = await send(account, { From: from(), To: TO, Text: text, DryRun: true });
      expect({ text, ...dry }).toMatchObject({ segmentCount, encoding });
    }
  });

  test("smart encoding spares segments where only typography is in the way", async () => {
    const text = `“${"a".repeat(100)}” — so…`;
    const plain = await send(account, { From: from(), To: TO, Text: text });
    const smart = await send(account, { From: from(), To: TO, Text: text, SmartEncoding: true });
    expect(plain).toMatchObject({ encoding: "UCS2", segmentCount: 2, text });
    expect(smart).toMatchObject({ encoding: "GSM7", segmentCount: 1, text: `"${"a".repeat(100)}" - so...` });
  });

  test("1600 characters are the most, and a character outside the BMP is one of them", async () => {
    for (const character of ["a", "€", "ж", "😀"]) {
      expect(await send(account, { From: from(), To: TO, Text: character.repeat(1600), DryRun: true })).toMatchObject({
        wouldSend: true,
      });
      const refusal = await post(json("POST", { From: from(), To: TO, Text: character.repeat(1601) }));
      expect(await problemOf(refusal, 400)).toMatchObject({ errorCode: 2002, code: "text-too-long" });
    }
  });

  test("a group has 2 to 20 recipients and goes as MMS", async () => {
    const numbers = (count: number) =>
      Array.from({ length: count }, (_, at) => `+1415556${String(at).padStart(4, "0")}`);
    const MediaUrls = ["https://media.example/a.jpg"];
    const group = await send(account, { From: from(), Recipients: numbers(20), MediaUrls });
    expect(group).toMatchObject({ to: numbers(1)[0], recipients: numbers(20) });
    const byForm = await post(
      form({ From: from(), Recipients: `[${numbers(2).join(",")}]`, MediaUrls: MediaUrls[0] as string }),
    );
    expect(await answerOf(byForm, 200)).toMatchObject({ recipients: numbers(2) });
    for (const Recipients of [[], numbers(1), numbers(21), [TO, TO]]) {
      const refusal = await post(json("POST", { From: from(), Recipients, MediaUrls }));
      expect(await problemOf(refusal, 400)).toMatchObject({ errorCode: 1001, code: "recipient-invalid" });
    }
    const both = await post(json("POST", { From: from(), To: TO, Recipients: numbers(2), MediaUrls }));
    expect(await problemOf(both, 400)).toMatchObject({ errorCode: 1001 });
    const text = await send(account, { From: from(), Recipients: ["+12125550100", "+13125550100"], Text: "Hi all" });
    expect(text).toMatchObject({ mediaUrls: [], segmentCount: 1 });
    expect(await ear.statusesUntil(text.sid, "Delivered", "Failed")).toEqual(["Sent", "Delivered"]);
    expect((await whyOf(account, text.sid)).steps[1]?.details).toMatchObject({ link: "sandbox-mms" });
  });

  test("priorities are taken in any case and shown as they are spelled", async () => {
    for (const [given, shown] of [
      ["urgent", "Urgent"],
      ["HIGH", "High"],
      ["Normal", "Normal"],
      [" low ", "Low"],
    ]) {
      expect(await send(account, { From: from(), To: TO, Text: "Hi", Priority: given })).toMatchObject({
        priority: shown,
      });
    }
    const refusal = await problemOf(
      await post(json("POST", { From: from(), To: TO, Text: "Hi", Priority: "Soon" })),
      400,
    );
    expect(refusal).toMatchObject({
      errorCode: 3007,
      code: "bad-priority",
      errors: { Priority: [expect.any(String)] },
    });
  });

  test("ExpiresOn is kept, else the config's expiry is taken", async () => {
    const ExpiresOn = new Date(Date.now() + 3_600_000);
    const kept = await send(account, { From: from(), To: TO, Text: "Hi", ExpiresOn: ExpiresOn.toISOString() });
    expect(kept.expiresOn).toBe(ExpiresOn.toISOString());
    const shifted = ExpiresOn.toISOString().replace("Z", "+00:00");
    expect((await send(account, { From: from(), To: TO, Text: "Hi", ExpiresOn: shifted })).expiresOn).toBe(
      kept.expiresOn,
    );
    await answerOf(
      await account.call(`/v1/MessagingConfigs/${sender.configSid}`, json("PATCH", { defaultExpirySeconds: 60 })),
      200,
    );
    const short = await send(account, { From: from(), To: TO, Text: "Hi" });
    expect(Date.parse(short.expiresOn) - Date.parse(short.createdOn)).toBe(60_000);
  });
});

describe("later", () => {
  test("a message with SendAt waits until then and leaves by itself", async () => {
    // Far enough that the request comes before it on a busy machine, too.
    const at = new Date(Date.now() + 6_000).toISOString();
    const message = await send(account, { From: from(), To: TO, Text: "Later", SendAt: at });
    expect(message).toMatchObject({
      status: "Queued",
      statusReason: expect.stringContaining("scheduled"),
      sendAt: at,
      sentOn: null,
    });
    const trail = await whyOf(account, message.sid);
    expect(trail.steps.find(({ step }) => step === "scheduled")?.details).toMatchObject({ until: at });
    expect(await ear.statusesUntil(message.sid, "Delivered")).toEqual(["Sent", "Delivered"]);
    const delivered = await messageOf(account, message.sid);
    expect(delivered).toMatchObject({ statusReason: null, sendAt: at });
    expect((delivered.sentOn as string) >= at).toBe(true);
  });

  test("SendAt of a moment ago means now, earlier is refused, and the expiry counts from when it leaves", async () => {
    const order = (ms: number) => ({
      From: from(),
      To: SILENT,
      Text: "Hi",
      SendAt: new Date(Date.now() - ms).toISOString(),
    });
    const past = await send(account, order(30_000));
    expect(past).toMatchObject({ sendAt: null, statusReason: null });
    expect(await ear.statusesUntil(past.sid, "Sent")).toEqual(["Sent"]);
    expect(await problemOf(await post(json("POST", order(61_000))), 400)).toMatchObject({
      code: "bad-date",
      errorCode: 2005,
      errors: { SendAt: ["This lies in the past."] },
    });
    const at = Date.now() + 86_400_000;
    const later = await send(account, { From: from(), To: TO, Text: "Hi", SendAt: new Date(at).toISOString() });
    expect(Date.parse(later.expiresOn) - at).toBe(14_400_000);
  });

  test("outside the config's sending times a message waits for them", async () => {
    const tomorrow = new Date(Date.now() + 43_200_000);
    const sendingTimes = hourOf(tomorrow);
    await answerOf(
      await account.call(
        `/v1/MessagingConfigs/${sender.configSid}`,
        json("PATCH", { sendingTimes, defaultExpirySeconds: 172_800 }),
      ),
      200,
    );
    const opens = new Date(tomorrow);
    opens.setUTCMinutes(0, 0, 0);
    const message = await send(account, { From: from(), To: TO, Text: "In the morning" });
    expect(message).toMatchObject({
      status: "Queued",
      statusReason: expect.stringContaining("sending times"),
      sendAt: opens.toISOString(),
    });
    const trail = await whyOf(account, message.sid);
    expect(trail.steps.find(({ step }) => step === "scheduled")?.details).toMatchObject({ until: opens.toISOString() });
    // A message that would expire earlier is refused with the time at which it could leave; a dry run refuses it, too.
    const order = { From: from(), To: TO, Text: "Now", ExpiresOn: new Date(Date.now() + 3_600_000).toISOString() };
    const refusal = await problemOf(await post(json("POST", order)), 400);
    expect(refusal).toMatchObject({
      errorCode: 2004,
      errors: { ExpiresOn: [expect.stringContaining(opens.toISOString())] },
    });
    expect(await send(account, { ...order, DryRun: true })).toMatchObject({
      wouldSend: false,
      refusals: [{ errorCode: 2004, field: "ExpiresOn" }],
    });
  });

  test("a message that waits can be canceled, once and for all", async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { sid } = await send(account, { From: from(), To: TO, Text: "Never", SendAt: at });
    const cancel = () => account.call(`${SEND}/${sid}/cancel`, { method: "POST" });
    const canceled = await answerOf<MessageBody>(await cancel(), 200);
    expect(canceled).toMatchObject({ sid, status: "Canceled", errorCode: 0, sentOn: null });
    expect(await answerOf(await cancel(), 200)).toEqual(canceled);
    expect(await ear.statusesUntil(sid, "Canceled")).toEqual(["Canceled"]);
    expect((await whyOf(account, sid)).steps.map(({ step }) => step)).toEqual(["accepted", "scheduled", "canceled"]);
  });

  test("what has left cannot be canceled, and what is not there is not found", async () => {
    const { sid } = await send(account, { From: from(), To: TO, Text: "Hi" });
    await ear.statusesUntil(sid, "Delivered");
    const refusal = await problemOf(await account.call(`${SEND}/${sid}/cancel`, { method: "POST" }), 409);
    expect(refusal.detail).toContain("Delivered");
    await problemOf(await account.call(`${SEND}/OM${"0".repeat(32)}/cancel`, { method: "POST" }), 404);
    const stranger = await newMessenger(tandem);
    for (const path of [`${SEND}/${sid}`, `${SEND}/${sid}/why`]) await problemOf(await stranger.call(path), 404);
    await problemOf(await stranger.call(`${SEND}/${sid}/cancel`, { method: "POST" }), 404);
    expect(await messageOf(account, sid)).toMatchObject({ status: "Delivered" });
  });

  test("a message that could not leave in time expires, and says so", async () => {
    // Holds the message, so that it is not sent.
    await answerOf(
      await account.call(`/v1/MessagingConfigs/${sender.configSid}`, json("PATCH", { tcrCampaignId: null })),
      200,
    );
    const { sid } = await send(account, {
      From: from(),
      To: TO,
      Text: "Too late",
      HoldUntilActive: true,
      ExpiresOn: inAnHour(),
    });
    await moveExpiry(tandem.database, sid);
    expect(await ear.statusesUntil(sid, "Expired")).toEqual(["Expired"]);
    expect(await messageOf(account, sid)).toMatchObject({ status: "Expired", errorCode: 0, sentOn: null });
    const { steps } = await whyOf(account, sid);
    expect(steps.at(-1)).toMatchObject({ step: "expired" });
  });
});

describe("held until active", () => {
  const link = async (tcrCampaignId: string | null) =>
    answerOf(await account.call(`/v1/MessagingConfigs/${sender.configSid}`, json("PATCH", { tcrCampaignId })), 200);

  test("without it a number that may not send yet is refused, and told of it", async () => {
    await link(null);
    const refusal = await problemOf(await post(json("POST", { From: from(), To: TO, Text: "Hi" })), 400);
    expect(refusal).toMatchObject({ errorCode: 4, code: "sender-not-active" });
    expect(refusal.detail).toContain("HoldUntilActive");
  });

  test("messages wait for their number and leave in the order in which they came", async () => {
    await link(null);
    const sids: string[] = [];
    for (let at = 0; at < 12; at++) {
      const message = await send(account, { From: from(), To: TO, Text: `Number ${at}`, HoldUntilActive: "true" });
      expect(message).toMatchObject({ status: "Queued", statusReason: expect.stringContaining(from()) });
      sids.push(message.sid);
    }
    const canceled = sids.splice(5, 1)[0] as string;
    await answerOf(await account.call(`${SEND}/${canceled}/cancel`, { method: "POST" }), 200);
    await link(sender.tcrCampaignId);
    for (const sid of sids) await ear.statusesUntil(sid, "Delivered");
    const sent = ear.heard.filter(({ payload }) => payload.Status === "Sent").map(({ resourceSid }) => resourceSid);
    expect(sent).toEqual(sids);
    expect(await messageOf(account, sids[0] as string)).toMatchObject({ status: "Delivered", statusReason: null });
    expect(await messageOf(account, canceled)).toMatchObject({ status: "Canceled" });
  });

  test("a message of a number that is removed fails at once, and says why", async () => {
    const { number } = await take(account, await newNumber(tandem));
    const { sid } = await send(account, { From: number, To: TO, Text: "Never", HoldUntilActive: true });
    await answerOf(await account.call(`/v1/Phones/${number}`, { method: "DELETE" }), 204);
    const failed = { status: "Failed", errorCode: 4, sentOn: null, statusReason: expect.stringContaining("removed") };
    expect(await messageOf(account, sid)).toMatchObject(failed);
    expect(await ear.statusesUntil(sid, "Failed")).toEqual(["Failed"]);
  });

  test("a message that was accepted while its number was being removed fails, too", async () => {
    const { number } = await take(account, await newNumber(tandem));
    const { sid } = await send(account, { From: number, To: TO, Text: "Never", HoldUntilActive: true });
    // As if a transaction that did not yet see the message had removed the number.
    await tandem.database.query("update phones set status = 'Removed' where number = $1", [number]);
    expect(await ear.statusesUntil(sid, "Failed")).toEqual(["Failed"]);
    expect(await messageOf(account, sid)).toMatchObject({ errorCode: 4 });
  });

  test("a message whose number serves another account since then fails, too", async () => {
    const { number } = await take(account, await newNumber(tandem));
    const { sid } = await send(account, { From: number, To: TO, Text: "Never", HoldUntilActive: true });
    const stranger = await newMessenger(tandem);
    // As if it had been removed as above, and taken by another account before it was checked.
    await tandem.database.query("update phones set account_sid = $2 where number = $1", [number, stranger.sid]);
    expect(await ear.statusesUntil(sid, "Failed")).toEqual(["Failed"]);
    expect(await messageOf(account, sid)).toMatchObject({ errorCode: 4 });
  });

  test("a message held for SendAt too waits for the later of both", async () => {
    await link(null);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { sid } = await send(account, { From: from(), To: TO, Text: "Hi", HoldUntilActive: true, SendAt: at });
    const now = await send(account, { From: from(), To: TO, Text: "Hi", HoldUntilActive: true });
    await link(sender.tcrCampaignId);
    await ear.statusesUntil(now.sid, "Delivered");
    expect(await messageOf(account, sid)).toMatchObject({
      status: "Queued",
      statusReason: expect.stringContaining("scheduled"),
      sendAt: at,
    });
  });

  test("a message of a number without a config belongs to the one that the number is given", async () => {
    const { number } = await take(account, await newNumber(tandem));
    const { sid, messagingConfigSid } = await send(account, {
      From: number,
      To: TO,
      Text: "Early",
      HoldUntilActive: true,
    });
    expect(messagingConfigSid).toBeNull();
    expect((await whyOf(account, sid)).steps.map(({ step }) => step)).toEqual(["accepted", "held"]);
    await answerOf(
      await account.call(`/v1/Phones/${number}`, json("PATCH", { messagingConfigSid: sender.configSid })),
      200,
    );
    await ear.statusesUntil(sid, "Delivered");
    expect(await messageOf(account, sid)).toMatchObject({
      messagingConfigSid: sender.configSid,
      tcrCampaignId: sender.tcrCampaignId,
    });
  });

  test("a message that is released outside the config's sending times waits for them", async () => {
    await link(null);
    const { sid } = await send(account, { From: from(), To: TO, Text: "At night", HoldUntilActive: true });
    const opens = new Date(Date.now() + 43_200_000);
    const sendingTimes = hourOf(opens);
    await answerOf(
      await account.call(`/v1/MessagingConfigs/${sender.configSid}`, json("PATCH", { sendingTimes })),
      200,
    );
    await link(sender.tcrCampaignId);
    await expect
      .poll(async () => (await whyOf(account, sid)).steps.map(({ step }) => step), UNTIL)
      .toEqual(["accepted", "scheduled"]);
    opens.setUTCMinutes(0, 0, 0);
    expect((await whyOf(account, sid)).steps.at(-1)?.details).toEqual({ until: opens.toISOString() });
    expect(await messageOf(account, sid)).toMatchObject({ status: "Queued" });
    await answerOf(await account.call(`${SEND}/${sid}/cancel`, { method: "POST" }), 200);
  });

  test("a message whose number was given back meanwhile fails with 4", async () => {
    const { sid } = await send(account, { From: from(), To: TO, Text: "Hi", SendAt: inAnHour() });
    await answerOf(await account.call(`/v1/Phones/${from()}`, { method: "DELETE" }), 204);
    await moveDue(tandem.database, sid);
    expect(await ear.statusesUntil(sid, "Failed")).toEqual(["Failed"]);
    expect(await messageOf(account, sid)).toMatchObject({ status: "Failed", errorCode: 4, sentOn: null });
    expect((await whyOf(account, sid)).steps.at(-1)).toMatchObject({ step: "failed", details: { errorCode: 4 } });
  });
});

describe("a dry run", () => {
  test("tells segments, encoding and recipient, and sends nothing", async () => {
    const dry = await answerOf(await post(form({ From: from(), To: TO, Text: "ж".repeat(71), DryRun: "1" })), 200);
    expect(dry).toStrictEqual({
      wouldSend: true,
      segmentCount: 2,
      encoding: "UCS2",
      recipients: [
        { number: TO, type: expect.stringMatching(/^(Unknown|Wireless|Landline|VoIP)$/), carrier: expect.any(String) },
      ],
      refusals: [],
    });
    expect(await get(SEND)).toEqual({ items: [] });
  });

  test("is an operation of its own, too, which sends nothing whatever its order says", async () => {
    const order = { From: from(), To: TO, Text: "Hi" };
    for (const given of [order, { ...order, DryRun: false }]) {
      const dry = await answerOf(await account.call(`${SEND}/dryRun`, json("POST", given)), 200);
      expect(dry).toEqual(await send(account, { ...order, DryRun: true }));
      expect(dry).toMatchObject({ wouldSend: true });
    }
    expect(await get(SEND)).toEqual({ items: [] });
  });

  test("tells every refusal that a send would meet", async () => {
    const dry = await send(account, { From: "+13035559999", To: "12", Priority: "x", SendAt: "soon", DryRun: true });
    expect(dry).toMatchObject({ wouldSend: false, recipients: [] });
    const codes = (dry.refusals as { errorCode: number }[]).map(({ errorCode }) => errorCode);
    expect(codes.sort((a, b) => a - b)).toEqual([2, 1001, 2001, 2005, 3007]);
  });
});

describe("Idempotency-Key", () => {
  const keyed = (key: string, order: object) => ({
    ...json("POST", order),
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
  });

  test("the same request under the same key is one message, however often and however late it is asked", async () => {
    const order = {
      From: from(),
      To: TO,
      Text: "Once",
      SendAt: new Date(Date.now() + 500).toISOString(),
      ExpiresOn: inAnHour(),
    };
    const first = await post(keyed("a", order));
    const message = await answerOf<MessageBody>(first, 200);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(await ear.statusesUntil(message.sid, "Delivered")).toEqual(["Sent", "Delivered"]);
    // Its sending time has passed by now; the request still counts as the same.
    const again = await post(keyed("a", order));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await answerOf(again, 200)).toEqual(message);
    expect(await get<List<MessageBody>>(SEND)).toMatchObject({ items: [{ sid: message.sid }] });
    await problemOf(await post(keyed("a", { ...order, Text: "Twice" })), 422);
  });

  test("a refused message and a dry run leave the key free", async () => {
    const order = { From: from(), To: TO, Text: "Free" };
    await problemOf(await post(keyed("free", { ...order, To: "nobody" })), 400);
    expect(await answerOf(await post(keyed("free", { ...order, DryRun: true })), 200)).toMatchObject({
      wouldSend: true,
    });
    const sent = await post(keyed("free", order));
    expect(sent.headers.get("idempotent-replayed")).toBeNull();
    expect(await answerOf(sent, 200)).toMatchObject({ status: "Queued" });
    expect((await post(keyed("free", order))).headers.get("idempotent-replayed")).toBe("true");
  });

  test("ten at the same moment are one message", async () => {
    const order = { From: from(), To: TO, Text: "Ten" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(keyed("b", order))));
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeGreaterThan(0);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const sids = new Set(await Promise.all(good.map(async (answer) => ((await answer.json()) as MessageBody).sid)));
    expect(sids.size).toBe(1);
    const [sid] = sids as Set<string>;
    expect(await ear.statusesUntil(sid as string, "Delivered")).toEqual(["Sent", "Delivered"]);
    expect((await get<List<MessageBody>>(SEND)).items).toHaveLength(1);
  });
});

describe("lists", () => {
  test("are filtered by status, numbers, time and error", async () => {
    const other = await newSender(tandem, tandem.database, account);
    const delivered = await send(account, { From: from(), To: TO, Text: "1" });
    const failed = await send(account, { From: other.number, To: "+14155550101", Text: "2" });
    await ear.statusesUntil(delivered.sid, "Delivered");
    await ear.statusesUntil(failed.sid, "Failed");
    const waiting = await send(account, {
      From: from(),
      To: TO,
      Text: "3",
      SendAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const sids = async (query: string) =>
      (await get<List<MessageBody>>(`${SEND}?${query}`)).items.map(({ sid }) => sid);
    expect(await sids("")).toEqual([waiting.sid, failed.sid, delivered.sid]);
    expect(await sids("OrderByDirection=ascending")).toEqual([delivered.sid, failed.sid, waiting.sid]);
    expect(await sids("Status=delivered")).toEqual([delivered.sid]);
    expect(await sids("status=Failed")).toEqual([failed.sid]);
    expect(await sids("Status=Queued")).toEqual([waiting.sid]);
    expect(await sids("Status=Expired")).toEqual([]);
    expect(await sids(`From=${encodeURIComponent(other.number)}`)).toEqual([failed.sid]);
    expect(await sids(`To=${TO.slice(1)}`)).toEqual([waiting.sid, delivered.sid]);
    expect(await sids("ErrorCode=3004")).toEqual([failed.sid]);
    expect(await sids("ErrorCode=0")).toEqual([waiting.sid, delivered.sid]);
    expect(await sids(`CreatedOnFrom=${failed.createdOn}`)).toEqual([waiting.sid, failed.sid]);
    expect(await sids(`CreatedOnTo=${failed.createdOn}`)).toEqual([failed.sid, delivered.sid]);
    expect(await sids(`CreatedOnFrom=${failed.createdOn}&CreatedOnTo=${failed.createdOn}&Status=Failed`)).toEqual([
      failed.sid,
    ]);
    const Recipients = ["+14155550121", TO, "+14155550122"];
    const group = await send(account, { From: from(), Recipients, Text: "4", SendAt: inAnHour() });
    for (const member of ["+14155550121", "+14155550122"])
      expect(await sids(`To=${member.slice(1)}`)).toEqual([group.sid]);
    expect(await sids(`To=${TO.slice(1)}`)).toEqual([group.sid, waiting.sid, delivered.sid]);
    const { items, searchId } = await get<List<MessageBody>>(`${SEND}?To=${TO.slice(1)}&PageSize=2`);
    expect(items.map(({ sid }) => sid)).toEqual([group.sid, waiting.sid]);
    expect(await sids(`To=${TO.slice(1)}&PageSize=2&SearchId=${searchId}`)).toEqual([delivered.sid]);
    expect(await sids(`To=${TO.slice(1)}&Status=Delivered`)).toEqual([delivered.sid]);
    const refusal = await problemOf(await account.call(`${SEND}?Status=Lost&ErrorCode=x&CreatedOnFrom=monday`), 400);
    expect(Object.keys(refusal.errors ?? {}).sort()).toEqual(["CreatedOnFrom", "ErrorCode", "Status"]);
  });

  test("go page by page, and a page stays as it is while messages are added", async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const made: string[] = [];
    const add = async () =>
      made.push((await send(account, { From: from(), To: TO, Text: `${made.length}`, SendAt: at })).sid);
    for (let count = 0; count < 5; count++) await add();
    const first = await get<List<MessageBody>>(`${SEND}?PageSize=2`);
    expect(first.items.map(({ sid }) => sid)).toEqual([made[4], made[3]]);
    await add();
    const second = await get<List<MessageBody>>(`${SEND}?PageSize=2&SearchId=${first.searchId}`);
    expect(second.items.map(({ sid }) => sid)).toEqual([made[2], made[1]]);
    const last = await get<List<MessageBody>>(`${SEND}?PageSize=2&SearchId=${second.searchId}`);
    expect(last).toEqual({ items: [expect.objectContaining({ sid: made[0] })] });
  });
});
