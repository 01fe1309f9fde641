// Messages on their way to a carrier, seen from the carrier's side: what reaches the handset, in which order, and how
// often.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { json, type Tandem } from "../tandem.ts";
import type { TestAccount } from "./account.ts";
import { type Carrier, startCarrier } from "./carrier.ts";
import {
  type Ear,
  inAnHour,
  listen,
  type MessageBody,
  messageOf,
  moveDue,
  moveExpiry,
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

let carrier: Carrier;
let tandem: Tandem;
let database: Database;
let account: TestAccount;
let sender: Sender;
let ear: Ear;
let numbers = 0;

async function open(...how: Parameters<typeof startCarrier>): Promise<void> {
  carrier = await startCarrier(...how);
  ({ tandem, database } = carrier);
}

beforeAll(() => open());
afterAll(() => carrier?.close());
beforeEach(async () => {
  account = await newMessenger(tandem);
  sender = await newSender(tandem, database, account);
  ear = await listen(account);
});
afterEach(() => ear.leave());

/** A number that no other test sends to. */
const somebody = () => `+1212556${String(++numbers).padStart(4, "0")}`;
const write = (To: string, Text: string, more: object = {}) =>
  send(account, { From: sender.number, To, Text, ...more });
const received = (number: string) => carrier.smsc.received.filter(({ to }) => to === number);
const optOut = async (number: string) =>
  answerOf(
    await account.call("/v1/OptOuts", json("POST", { number, scopeType: "SenderPhoneNumber", scope: sender.number })),
    201,
  );
/** Waits until one more message has arrived: everything due before it has left by then. */
const sendOneMore = async () => {
  const { sid } = await write(somebody(), "One more", { Priority: "Low" });
  await ear.statusesUntil(sid, "Delivered");
};
const steps = async (sid: string) => (await whyOf(account, sid)).steps.map(({ step }) => step);

describe("what was written", () => {
  test.each([
    ["plain text", "Hello, world"],
    ["the whole basic alphabet", "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./:;<=>?¡ÄÖÑÜ§¿äöñüà"],
    ["its extension", "^{}\\[~]|€\f".repeat(20)],
    ["an extension character at a border", `${"a".repeat(152)}€${"b".repeat(152)}€${"c".repeat(100)}`],
    ["Cyrillic", "Съешь ещё этих мягких французских булок".repeat(5)],
    ["pictures at borders", `${"a".repeat(66)}😀${"b".repeat(65)}👨‍👩‍👧‍👦${"c".repeat(60)}🇫🇷🇩🇪`],
    ["combining marks at borders", `${"a".repeat(66)}e\u0301\u0323${"b".repeat(64)}ñ\u0303`],
    ["letters of the Far East", "漢字かな交じり文".repeat(30)],
    ["right to left", "مرحبا \u200fעולם".repeat(20)],
    ["controls that a phone ignores", "a\u0001b\u007fc\u200bd\ufeffe"],
    ["a megabyte's little brother", "x".repeat(1600)],
    ["1600 pictures", "😀".repeat(1600)],
  ])("arrives as it was: %s", async (_what, text) => {
    const to = somebody();
    const message = await write(to, text);
    expect(await ear.statusesUntil(message.sid, "Delivered", "Failed")).toEqual(["Sent", "Delivered"]);
    const [got, ...more] = received(to);
    expect(more).toEqual([]);
    expect(got).toMatchObject({ text, from: sender.number, missing: [] });
    expect(got?.messageIds).toHaveLength(message.segmentCount);
  });

  test("once, also when it was asked for twice under one Idempotency-Key", async () => {
    const to = somebody();
    const order = {
      ...json("POST", { From: sender.number, To: to, Text: "Once" }),
      headers: { "Content-Type": "application/json", "Idempotency-Key": "one" },
    };
    const { sid } = await answerOf<MessageBody>(await account.call(SEND, order), 200);
    await ear.statusesUntil(sid, "Delivered");
    expect(await answerOf(await account.call(SEND, order), 200)).toMatchObject({ sid });
    await sendOneMore();
    expect(received(to)).toHaveLength(1);
  });
});

describe("beside a sandbox", () => {
  test("no message takes a simulated route where a carrier is configured, and the banner says so", async () => {
    const numbers = Array.from({ length: 8 }, somebody);
    for (const number of numbers) await write(number, "Real");
    await expect.poll(() => numbers.filter((number) => received(number).length === 1), UNTIL).toEqual(numbers);
    const links = await answerOf<List<{ readonly name: string }>>(await tandem.operator("/operator/v1/Links"), 200);
    expect(links.items.map(({ name }) => name)).toEqual(["own"]);
    expect(tandem.output()).toContain("not simulated by the sandbox: carriers. Messages are real");
    // The banner suggests no command that would send a real message.
    expect(tandem.output()).not.toContain("OutboundMessages");
    const inbound = json("POST", { from: somebody(), to: sender.number, text: "Hi" });
    const emulated = await problemOf(await account.call("/testkit/v1/Emulate/inbound-message", inbound), 409);
    expect(emulated.detail).toContain("not simulated");
    // Numbers that no carrier knows are not offered either.
    expect(await answerOf(await account.call("/v1/Phones/Available?Contains=5550180"), 200)).toEqual({ items: [] });
  });
});

describe("order", () => {
  test("of messages that wait the more urgent go first, and within a priority the older", async () => {
    const link = async (tcrCampaignId: string | null) =>
      answerOf(await account.call(`/v1/MessagingConfigs/${sender.configSid}`, json("PATCH", { tcrCampaignId })), 200);
    await link(null);
    const to = somebody();
    const sids: string[] = [];
    for (const Priority of ["Low", "Normal", "Urgent", "High", "Low", "Normal", "Urgent", "High"]) {
      sids.push((await write(to, `${sids.length} ${Priority}`, { Priority, HoldUntilActive: true })).sid);
    }
    await link(sender.tcrCampaignId);
    for (const sid of sids) await ear.statusesUntil(sid, "Delivered");
    expect(received(to).map(({ text }) => text)).toEqual([
      "2 Urgent",
      "6 Urgent",
      "3 High",
      "7 High",
      "1 Normal",
      "5 Normal",
      "0 Low",
      "4 Low",
    ]);
  });

  test("of two accounts that wait for a link, each is served in turn, whatever their priorities", async () => {
    const other = await newMessenger(tandem);
    const { number: From } = await newSender(tandem, database, other);
    const change = async (what: string) =>
      answerOf(await tandem.operator(`/operator/v1/Links/own/${what}`, { method: "POST" }), 200);
    const state = async () => {
      const { items } = await answerOf<List<{ readonly state: string }>>(
        await tandem.operator("/operator/v1/Links"),
        200,
      );
      return items[0]?.state;
    };
    await change("stop");
    await expect.poll(state, UNTIL).toBe("stopped");
    const [greedy, small] = [Array.from({ length: 60 }, somebody), Array.from({ length: 3 }, somebody)];
    for (const to of greedy) await write(to, "Greedy", { Priority: "Urgent" });
    for (const To of small) await send(other, { From, To, Text: "Small", Priority: "Low" });
    const before = carrier.smsc.received.length;
    await change("start");
    await expect.poll(() => carrier.smsc.received.length - before, UNTIL).toBe(63);
    const order = carrier.smsc.received.slice(before).map(({ text }) => text);
    expect(order.filter((text) => text === "Small")).toHaveLength(3);
    // One message of the other account before each of its own, at most.
    expect(order.lastIndexOf("Small")).toBeLessThanOrEqual(5);
  });
});

describe("a lost answer", () => {
  test("leaves the message at 3100 until its receipt comes, and it is never submitted again", async () => {
    const to = somebody();
    carrier.smsc.behave(to, "takenAndCut");
    const { sid } = await write(to, "Did it arrive?");
    expect(await ear.statusesUntil(sid, "Delivered")).toEqual(["Failed", "Delivered"]);
    expect(ear.heard.find(({ resourceSid }) => resourceSid === sid)?.payload).toMatchObject({
      ErrorCode: 3100,
      ErrorDescription: expect.stringContaining("may have arrived"),
    });
    expect(await messageOf(account, sid)).toMatchObject({ errorCode: 0, errorDescription: null, sentOn: null });
    expect(await steps(sid)).toEqual(["accepted", "submit", "failed", "receipt", "delivered"]);
    await sendOneMore();
    expect(received(to)).toHaveLength(1);
    await problemOf(await account.call(`${SEND}/${sid}/cancel`, { method: "POST" }), 409);
  });
});

describe("a long message", () => {
  const LONG = "A long message. ".repeat(25);

  test("is delivered when all of its parts are", async () => {
    const to = somebody();
    carrier.smsc.behave(to, "silent");
    const { sid, segmentCount } = await write(to, LONG);
    expect(segmentCount).toBe(3);
    await ear.statusesUntil(sid, "Sent");
    const ids = received(to)[0]?.messageIds ?? [];
    carrier.smsc.settle(ids[2] as string, true);
    carrier.smsc.settle(ids[0] as string, true);
    // A repeat of the same receipt does not count for another part.
    carrier.smsc.settle(ids[0] as string, true);
    await sendOneMore();
    expect(await messageOf(account, sid)).toMatchObject({ status: "Sent", deliveredOn: null });
    carrier.smsc.settle(ids[1] as string, true);
    expect(await ear.statusesUntil(sid, "Delivered")).toEqual(["Sent", "Delivered"]);
  });

  test("has failed when one of its parts has, whatever becomes of the others", async () => {
    const to = somebody();
    carrier.smsc.behave(to, "silent");
    const { sid } = await write(to, LONG);
    await ear.statusesUntil(sid, "Sent");
    const [first, second, third] = received(to)[0]?.messageIds ?? [];
    carrier.smsc.settle(first as string, true);
    carrier.smsc.settle(second as string, false);
    expect(await ear.statusesUntil(sid, "Failed")).toEqual(["Sent", "Failed"]);
    carrier.smsc.settle(third as string, true);
    await sendOneMore();
    expect(await messageOf(account, sid)).toMatchObject({ status: "Failed", errorCode: 3004, deliveredOn: null });
    expect(await steps(sid)).toEqual(["accepted", "sent", "receipt", "failed"]);
  });
});

describe("a carrier that is down", () => {
  test("gets what waited for it when it is back, and nothing that was canceled, has expired or is no longer wanted", async () => {
    await carrier.goDown();
    const [good, canceled, expired, optedOut] = [somebody(), somebody(), somebody(), somebody()];
    const goodMessage = await write(good, "Good");
    const canceledMessage = await write(canceled, "Canceled");
    const expiredMessage = await write(expired, "Expired", { ExpiresOn: inAnHour() });
    // A message that was just checked is not checked again; one that becomes due later always is.
    const optedOutMessage = await write(optedOut, "Opted out", { SendAt: inAnHour() });
    expect(await messageOf(account, goodMessage.sid)).toMatchObject({ status: "Queued" });
    const cancel = await account.call(`${SEND}/${canceledMessage.sid}/cancel`, { method: "POST" });
    expect(await answerOf(cancel, 200)).toMatchObject({ status: "Canceled" });
    await optOut(optedOut);
    await moveDue(database, optedOutMessage.sid);
    await moveExpiry(database, expiredMessage.sid);
    await ear.statusesUntil(expiredMessage.sid, "Expired");
    // Lookups and everything else still work, so a load balancer must not drop the server.
    await expect
      .poll(async () => (await tandem.get("/readyz")).json(), UNTIL)
      .toMatchObject({ status: "ready", links: { own: "down" }, workers: { running: 1 } });
    expect((await tandem.get("/readyz")).status).toBe(200);
    await carrier.comeBack();
    expect(await ear.statusesUntil(goodMessage.sid, "Delivered")).toEqual(["Sent", "Delivered"]);
    expect(await ear.statusesUntil(optedOutMessage.sid, "Failed", "Sent")).toEqual(["Failed"]);
    await sendOneMore();
    expect([canceled, expired, optedOut].map((number) => received(number).length)).toEqual([0, 0, 0]);
    expect(received(good)).toHaveLength(1);
    expect(await messageOf(account, optedOutMessage.sid)).toMatchObject({ status: "Failed", errorCode: 1002 });
  });
});

describe("opting out", () => {
  test("is heeded before any carrier is asked", async () => {
    const to = somebody();
    await optOut(to);
    const refusal = await account.call(SEND, json("POST", { From: sender.number, To: to, Text: "Hi" }));
    expect(await problemOf(refusal, 400)).toMatchObject({ errorCode: 1002 });
    await sendOneMore();
    expect(received(to)).toEqual([]);
  });

  test("is heeded for a message that is scheduled already", async () => {
    const to = somebody();
    const { sid } = await write(to, "Too late", { SendAt: inAnHour() });
    await optOut(to);
    await moveDue(database, sid);
    expect(await ear.statusesUntil(sid, "Failed", "Sent")).toEqual(["Failed"]);
    expect(await messageOf(account, sid)).toMatchObject({ errorCode: 1002, statusReason: expect.any(String) });
    expect((await whyOf(account, sid)).steps.at(-1)).toMatchObject({
      step: "failed",
      details: { errorCode: 1002, reason: expect.stringContaining("opted out") },
    });
    expect(received(to)).toEqual([]);
  });
});

describe("meanwhile", () => {
  test.each([
    ["Suspended", 3015],
    ["Expired", 3017],
  ])("a campaign that is %s sends no more of what was scheduled", async (status, errorCode) => {
    const to = somebody();
    const { sid } = await write(to, "Too late", { SendAt: inAnHour() });
    await database.query("update tcr_campaigns set status = $2 where tcr_campaign_id = $1", [
      sender.tcrCampaignId,
      status,
    ]);
    await moveDue(database, sid);
    expect(await ear.statusesUntil(sid, "Failed", "Sent")).toEqual(["Failed"]);
    expect(await messageOf(account, sid)).toMatchObject({ errorCode });
    expect(received(to)).toEqual([]);
  });

  test("an account that is suspended sends no more of what was scheduled", async () => {
    const to = somebody();
    const { sid } = await write(to, "Too late", { SendAt: inAnHour() });
    await account.change({ status: "Suspended" });
    await moveDue(database, sid);
    const status = async () =>
      (await database.query<{ status: string }>("select status from outbound_messages where sid = $1", [sid]))[0]
        ?.status;
    await expect.poll(status, UNTIL).not.toBe("Queued");
    await account.change({ status: "Active" });
    expect(await messageOf(account, sid)).toMatchObject({ status: "Failed", errorCode: 3019 });
    expect(received(to)).toEqual([]);
  });

  test("what is canceled in time is never sent, and what is sent was not canceled", async () => {
    const messages = await Promise.all(Array.from({ length: 60 }, () => write(somebody(), "Now or never")));
    const answers = await Promise.all(
      messages.map(({ sid }) => account.call(`${SEND}/${sid}/cancel`, { method: "POST" })),
    );
    for (const [index, { sid, to }] of messages.entries()) {
      const isCanceled = answers[index]?.status === 200;
      if (!isCanceled) expect(answers[index]?.status).toBe(409);
      expect(await ear.statusesUntil(sid, "Canceled", "Delivered")).toEqual(
        isCanceled ? ["Canceled"] : ["Sent", "Delivered"],
      );
      expect(received(to)).toHaveLength(isCanceled ? 0 : 1);
    }
  });
});

describe("what carriers bring", () => {
  test("a receipt for a message that no one sent changes nothing and is taken", async () => {
    const to = somebody();
    const { sid } = await write(to, "Hi");
    await ear.statusesUntil(sid, "Delivered");
    const [id] = received(to)[0]?.messageIds ?? [];
    carrier.smsc.settle(id as string, false);
    await sendOneMore();
    expect(await messageOf(account, sid)).toMatchObject({ status: "Delivered", errorCode: 0 });
  });
});

describe("an answer that the link does not wait for", () => {
  // Replaces the patient link: with a timeout this short any test would fail on a machine that is busy for 2 s.
  beforeAll(async () => {
    await carrier.close();
    await open({ responseSeconds: 2 }, { slowAnswerMs: 3_500 });
  });

  test("leaves the message at 3100, too", async () => {
    const { sid } = await write("+12125550111", "Anybody there?");
    expect(await ear.statusesUntil(sid, "Failed")).toEqual(["Failed"]);
    expect(await messageOf(account, sid)).toMatchObject({ errorCode: 3100, sentOn: null });
    expect(await steps(sid)).toEqual(["accepted", "submit", "failed"]);
  });

  test("names the message when it comes after all, and its receipt tells that it has arrived", async () => {
    const to = somebody();
    carrier.smsc.behave(to, "slow");
    const { sid } = await write(to, "Late");
    expect(await ear.statusesUntil(sid, "Delivered")).toEqual(["Failed", "Delivered"]);
    expect(await messageOf(account, sid)).toMatchObject({
      status: "Delivered",
      errorCode: 0,
      errorDescription: null,
      statusReason: null,
      sentOn: expect.any(String),
      deliveredOn: expect.any(String),
    });
    expect(received(to)).toHaveLength(1);
    expect((await steps(sid)).slice(0, 3)).toEqual(["accepted", "submit", "failed"]);
    expect((await steps(sid)).at(-1)).toBe("delivered");
  });
});
