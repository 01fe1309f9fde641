// Keywords that subscribers send to stop, start or get help: what they change, which events are sent, and the reply.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { json, type Tandem } from "../tandem.ts";
import type { TestAccount } from "./account.ts";
import { type Carrier, startCarrier } from "./carrier.ts";
import {
  type Ear,
  listen,
  type MessageBody,
  newMessenger,
  newSender,
  SEND,
  type Sender,
  send,
  whyOf,
} from "./messages.ts";
import { answerOf, type List, newConfig, newNumber, take } from "./numbers.ts";
import { problemOf } from "./problem.ts";

let carrier: Carrier;
let tandem: Tandem;
let database: Database;
let account: TestAccount;
let sender: Sender;
let ear: Ear;
let people = 0;

beforeAll(async () => {
  carrier = await startCarrier();
  ({ tandem, database } = carrier);
});
afterAll(() => carrier?.close());
beforeEach(async () => {
  account = await newMessenger(tandem);
  sender = await newSender(tandem, database, account);
  ear = await listen(account);
});
afterEach(() => ear.leave());

interface OptOut {
  readonly number: string;
  readonly scopeType: string;
  readonly scope: string;
  readonly keyword: string | null;
}

const get = async <Body>(path: string) => answerOf<Body>(await account.call(path), 200);
/** A number that no other test uses. */
const somebody = () => `+1212557${String(++people).padStart(4, "0")}`;
const arrive = (from: string, text: string, to = sender.number) => carrier.smsc.deliver({ from, to, text });
const optOutsOf = async (number: string) =>
  (await get<List<OptOut>>(`/v1/OptOuts?Number=${number.slice(1)}&OrderByDirection=Ascending`)).items;
const repliesTo = (number: string) => carrier.smsc.received.filter(({ to }) => to === number).map(({ text }) => text);
/** Waits until the replies to earlier messages have left: this message is replied to as well, and after them. */
const settle = async (to = sender.number) => {
  const from = somebody();
  await arrive(from, "HELP", to);
  await carrier.smsc.nextMessage((message) => message.to === from);
};

describe("words", () => {
  test.each([
    "STOP",
    "STOPALL",
    "UNSUBSCRIBE",
    "CANCEL",
    "END",
    "QUIT",
    "REVOKE",
    "OPTOUT",
    "ARRET",
    "ARRÊT",
    "ALTO",
    "PARAR",
    "BAJA",
  ])("%s opts out of the number and of its campaign, is reported and answered once", async (word) => {
    const person = somebody();
    await arrive(person, word);
    const told = await ear.until(
      ({ type, payload }) => type === "OptOutChanged" && payload.ScopeType === "TcrCampaign",
    );
    expect(told.payload).toStrictEqual({
      EventDate: expect.any(String),
      Sequence: expect.any(Number),
      Number: person,
      ScopeType: "TcrCampaign",
      Scope: sender.tcrCampaignId,
      Change: "OptedOut",
      Keyword: word,
    });
    expect(await optOutsOf(person)).toMatchObject([
      { scopeType: "SenderPhoneNumber", scope: sender.number, keyword: word },
      { scopeType: "TcrCampaign", scope: sender.tcrCampaignId, keyword: word },
    ]);
    const reply = await carrier.smsc.nextMessage(({ to }) => to === person);
    expect(reply).toMatchObject({ from: sender.number, text: expect.stringMatching(/unsubscribed.*START/) });
    // The message itself is still delivered to its receivers.
    expect(await ear.inboundUntil(({ From }) => From === person)).toMatchObject({ Text: word });
    await arrive(person, word);
    await settle();
    expect(repliesTo(person)).toHaveLength(1);
    expect(ear.heard.filter(({ type }) => type === "OptOutChanged")).toHaveLength(2);
    const refusal = await account.call(SEND, json("POST", { From: sender.number, To: person, Text: "Hi" }));
    expect(await problemOf(refusal, 400)).toMatchObject({ errorCode: 1002 });
  });

  test.each([
    "stop",
    "Stop.",
    " STOP ",
    "«Stop!»",
    "s.t.o.p",
    "STOP\n",
    "ＳＴＯＰ",
    "Stop All",
    "opt out",
    "Opt-Out",
    "OPT  OUT",
  ])("%j is read as its word", async (text) => {
    const person = somebody();
    await arrive(person, text);
    await ear.inboundUntil(({ From }) => From === person);
    expect(await optOutsOf(person)).toHaveLength(2);
  });

  test.each(["Stop it", "Please stop", "END OF STORY", "stopp", "unstoppable", "no help", "START now", "?", "", "🛑"])(
    "%j is no word but a message",
    async (text) => {
      const person = somebody();
      if (text !== "") await arrive(person, text);
      await arrive(person, "A message");
      await ear.inboundUntil(({ From, Text }) => From === person && Text === "A message");
      await settle();
      expect(await optOutsOf(person)).toEqual([]);
      expect(repliesTo(person)).toEqual([]);
    },
  );

  test.each(["START", "UNSTOP", "YES", "yes!"])("%s opts in again, and the next message arrives", async (word) => {
    const person = somebody();
    await arrive(person, "STOP");
    await carrier.smsc.nextMessage(({ to }) => to === person);
    await arrive(person, word);
    expect(await carrier.smsc.nextMessage(({ to }) => to === person)).toMatchObject({
      text: expect.stringContaining("subscribed again"),
    });
    expect(await optOutsOf(person)).toEqual([]);
    const changes = () => ear.heard.filter(({ type }) => type === "OptOutChanged").map(({ payload }) => payload.Change);
    await ear.until(() => changes().length === 4);
    expect(changes()).toEqual(["OptedOut", "OptedOut", "OptedIn", "OptedIn"]);
    const { sid } = await send(account, { From: sender.number, To: person, Text: "Welcome back" });
    expect(await ear.statusesUntil(sid, "Delivered")).toEqual(["Sent", "Delivered"]);
  });

  test("START and YES of a user who gets messages anyway change nothing and are not answered", async () => {
    const person = somebody();
    for (const text of ["START", "UNSTOP", "YES"]) await arrive(person, text);
    await settle();
    expect(repliesTo(person)).toEqual([]);
    await ear.until(() => ear.heard.filter(({ payload }) => payload.From === person).length === 3);
    expect(ear.heard.filter(({ type }) => type === "OptOutChanged")).toEqual([]);
  });

  test("further ones of the config count for its numbers alone, and the usual ones go on counting", async () => {
    const own = { optOutKeywords: ["no more"], optInKeywords: ["join"], helpKeywords: ["question"] };
    await answerOf(await account.call(`/v1/MessagingConfigs/${sender.configSid}`, json("PATCH", own)), 200);
    const person = somebody();
    for (const [word, text] of [
      ["No more!", /unsubscribed/],
      ["Question?", /STOP/],
      ["Join", /subscribed again/],
    ] as const) {
      await arrive(person, word);
      const reply = await carrier.smsc.nextMessage(({ to }) => to === person);
      expect(reply).toMatchObject({ text: expect.stringMatching(text) });
    }
    await arrive(person, "STOP");
    await settle();
    expect(await optOutsOf(person)).toMatchObject([{ keyword: "STOP" }, { keyword: "STOP" }]);
    const other = await newSender(tandem, database, account);
    const stranger = somebody();
    await arrive(stranger, "No more", other.number);
    await settle(other.number);
    expect(repliesTo(stranger)).toEqual([]);
    expect(await optOutsOf(stranger)).toEqual([]);
  });

  test.each(["HELP", "INFO", "help?", "AIDE", "Ayuda"])("%s is answered and changes nothing", async (word) => {
    const person = somebody();
    await arrive(person, word);
    expect(await carrier.smsc.nextMessage(({ to }) => to === person)).toMatchObject({
      text: expect.stringContaining("STOP"),
    });
    expect(await optOutsOf(person)).toEqual([]);
    // Subscribers who opted out may still ask for help.
    const other = somebody();
    for (const text of ["STOP", word]) {
      await arrive(other, text);
      await carrier.smsc.nextMessage(({ to }) => to === other);
    }
    expect(repliesTo(other)).toHaveLength(2);
  });

  test("of 200 that come in one sender's name one of each kind is answered, and again after a while", async () => {
    const person = somebody();
    await Promise.all(Array.from({ length: 100 }, () => arrive(person, "HELP")));
    for (let time = 0; time < 100; time++) await arrive(person, time % 2 === 0 ? "STOP" : "START");
    await settle();
    expect(repliesTo(person)).toHaveLength(3);
    // Another of our numbers sends its own reply.
    const { number: sibling } = await newSender(tandem, database, account);
    await arrive(person, "HELP", sibling);
    await carrier.smsc.nextMessage(({ to, from }) => to === person && from === sibling);
    await database.query(
      "update received_keys set received_at = received_at - interval '11 minutes' where carrier = $1",
      [sender.number],
    );
    await arrive(person, "HELP");
    await settle();
    expect(repliesTo(person)).toHaveLength(5);
  });
});

describe("answers", () => {
  test("are those of the config where it has them", async () => {
    const own = { optOutReply: "Tschüss 👋", optInReply: "Willkommen zurück", helpReply: "Hilfe: 0800 123" };
    await answerOf(await account.call(`/v1/MessagingConfigs/${sender.configSid}`, json("PATCH", own)), 200);
    const person = somebody();
    for (const [word, text] of [
      ["STOP", own.optOutReply],
      ["HELP", own.helpReply],
      ["START", own.optInReply],
    ] as const) {
      await arrive(person, word);
      expect(await carrier.smsc.nextMessage(({ to }) => to === person)).toMatchObject({ text });
    }
  });

  test("are messages of the account like others, and say in their trail what they answer", async () => {
    const person = somebody();
    await arrive(person, "STOP");
    await carrier.smsc.nextMessage(({ to }) => to === person);
    const { items } = await get<List<MessageBody>>(`${SEND}?To=${person.slice(1)}`);
    expect(items).toMatchObject([{ from: sender.number, priority: "High", messagingConfigSid: sender.configSid }]);
    const sid = items[0]?.sid as string;
    expect(await ear.statusesUntil(sid, "Delivered")).toEqual(["Sent", "Delivered"]);
    expect((await whyOf(account, sid)).steps[0]?.details).toMatchObject({ checks: ["answers a keyword"] });
  });

  test("are not sent from a number that may not send yet, but the word counts", async () => {
    const { number } = await take(account, await newNumber(tandem), { messagingConfigSid: await newConfig(account) });
    const person = somebody();
    await arrive(person, "STOP", number);
    await ear.until(({ type }) => type === "OptOutChanged");
    expect(await optOutsOf(person)).toMatchObject([{ scopeType: "SenderPhoneNumber", scope: number }]);
    await settle();
    expect(repliesTo(person)).toEqual([]);
  });

  test("do not go to senders that are no phone", async () => {
    for (const from of ["Tandem", "72975"]) {
      await arrive(from, "STOP");
      await ear.inboundUntil(({ From }) => From === from);
    }
    await settle();
    expect(repliesTo("Tandem")).toEqual([]);
    expect((await get<List<MessageBody>>(`${SEND}?Status=Failed`)).items).toEqual([]);
  });
});

describe("scopes", () => {
  test("every number of the campaign is silent, others of the account are not", async () => {
    const { number: sibling } = await take(account, await newNumber(tandem), { messagingConfigSid: sender.configSid });
    const stranger = await newSender(tandem, database, account);
    const person = somebody();
    await arrive(person, "STOP");
    await carrier.smsc.nextMessage(({ to }) => to === person);
    for (const From of [sender.number, sibling]) {
      const refusal = await account.call(SEND, json("POST", { From, To: person, Text: "Hi" }));
      expect(await problemOf(refusal, 400)).toMatchObject({ errorCode: 1002 });
    }
    await send(account, { From: stranger.number, To: person, Text: "Hi" });
    // Nor does it affect another account.
    const other = await newMessenger(tandem);
    const { number } = await newSender(tandem, database, other);
    await send(other, { From: number, To: person, Text: "Hi" });
  });

  test("a number without a campaign is silent alone", async () => {
    const messagingConfigSid = await newConfig(account);
    const [one, two] = [
      await take(account, await newNumber(tandem, "+1888556"), { messagingConfigSid }),
      await take(account, await newNumber(tandem, "+1888556"), { messagingConfigSid }),
    ];
    const person = somebody();
    await arrive(person, "STOP", one.number);
    await carrier.smsc.nextMessage(({ to }) => to === person);
    expect(await optOutsOf(person)).toMatchObject([{ scopeType: "SenderPhoneNumber", scope: one.number }]);
    await send(account, { From: two.number, To: person, Text: "Hi" });
  });
});

describe("the operator", () => {
  test("may switch keywords off for an account that answers them itself, and on again", async () => {
    await account.change({ handlesKeywords: false });
    const person = somebody();
    for (const word of ["STOP", "HELP", "START"]) await arrive(person, word);
    await ear.inboundUntil(({ Text }) => Text === "START");
    expect(await optOutsOf(person)).toEqual([]);
    await send(account, { From: sender.number, To: person, Text: "Still here" });
    expect(await carrier.smsc.nextMessage(({ to }) => to === person)).toMatchObject({ text: "Still here" });
    expect(repliesTo(person)).toEqual(["Still here"]);
    await account.change({ handlesKeywords: true });
    await arrive(person, "STOP");
    await carrier.smsc.nextMessage(({ to }) => to === person);
    expect(await optOutsOf(person)).toHaveLength(2);
  });
});
