// Signing tokens: requests in Twilio's shape verify with the token that the account's program signs in with.

import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type RequestHandler } from "express";
import { Webhook } from "standardwebhooks";
import twilio from "twilio";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { twilioClient } from "../peers/twilio-client.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { emulateInbound, newMessenger, newSender, type Sender, UNTIL } from "./messages.ts";
import { answerOf, SOON, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const CALLER = "+12125550199";
/** Answers calls immediately. */
const CALLEE = "+14155550111";
const TOKENS = "/v1/Account/tokens";

interface Token {
  readonly n: number;
  readonly token: string;
}
interface OwnAccount {
  readonly signingToken: number | null;
  readonly tokens: readonly { readonly n: number; readonly signs: boolean; readonly toolWrites: boolean }[];
}

const tandem = useTandem();
const own = async (account: TestAccount) => answerOf<OwnAccount>(await account.call("/v1/Account"), 200);
const addToken = async (account: TestAccount, order: object = { signs: true }) =>
  answerOf<Token>(await account.call(TOKENS, json("POST", order)), 201);
const promote = (account: TestAccount, n: number) => account.call(`${TOKENS}/${n}/promote`, { method: "POST" });
const remove = (account: TestAccount, n: number) => account.call(`${TOKENS}/${n}`, { method: "DELETE" });
/** The same account with another of its tokens. */
const by = (account: TestAccount, { token }: Token): TestAccount => ({
  ...account,
  token,
  call: (path, init) =>
    fetch(tandem.url + path, { ...init, headers: { ...init?.headers, ...basic(account.sid, token) } }),
});

test("the account tells what its tokens are for, and which of them signs", async () => {
  const account = await newAccount(tandem);
  const shown = { createdOn: expect.any(String) };
  expect(await own(account)).toMatchObject({
    tokens: [{ ...shown, n: 1, signs: false, toolWrites: false }],
    signingToken: null,
  });
  const made = await addToken(account, { signs: true, toolWrites: true });
  expect(made).toStrictEqual({ ...shown, n: 2, token: expect.any(String), signs: true, toolWrites: true });
  expect(await own(account)).toMatchObject({
    tokens: [{ n: 1 }, { n: 2, signs: true, toolWrites: true }],
    signingToken: 2,
  });
  await problemOf(await promote(account, 1), 409);
  await problemOf(await promote(account, 3), 400);
  expect((await promote(account, 2)).status).toBe(204);
  expect((await remove(account, 2)).status).toBe(204);
  expect((await own(account)).signingToken).toBeNull();
  await problemOf(await promote(account, 2), 404);
  await problemOf(await account.call(TOKENS, json("POST", { sign: true })), 400);
});

test("an operator makes signing tokens, too, and promotes them", async () => {
  const account = await newAccount(tandem, { token: { signs: true } });
  const tokens = `/operator/v1/Accounts/${account.sid}/tokens`;
  await answerOf(await tandem.operator(tokens, json("POST", { signs: true, toolWrites: true })), 201);
  expect(await own(account)).toMatchObject({
    tokens: [{ signs: true }, { signs: true, toolWrites: true }],
    signingToken: 1,
  });
  expect((await tandem.operator(`${tokens}/2/promote`, { method: "POST" })).status).toBe(204);
  expect((await own(account)).signingToken).toBe(2);
  await problemOf(await tandem.operator(`${tokens.replace(account.sid, "AC0")}/1/promote`, { method: "POST" }), 404);
});

test("of a signing token the database has the digest and nothing else that could be read", async () => {
  const account = await newAccount(tandem, { token: { signs: true } });
  const [row] = await tandem.database.query<{ text: string }>(
    "select account_tokens::text || encode(sealed, 'escape') as text from account_tokens where account_sid = $1",
    [account.sid],
  );
  expect(row?.text).not.toContain(account.token);
  expect(row?.text).not.toContain(Buffer.from(account.token).toString("hex"));
});

test("promoted and deleted at once, there is one token that signs, whichever came first", async () => {
  const account = await newMessenger(tandem, { token: { signs: true } });
  let alive = account;
  for (let round = 0; round < 12; round++) {
    const before = (await own(alive)).signingToken ?? 0;
    const second = await addToken(alive);
    const statuses = await Promise.all(
      [promote(alive, second.n), remove(by(account, second), before), promote(alive, before)].map(
        async (asked) => (await asked).status,
      ),
    );
    // A request made with a token that was deleted meanwhile is refused.
    expect([204, 401]).toContain(statuses[0]);
    expect(statuses[1]).toBe(204);
    expect([204, 401, 404]).toContain(statuses[2]);
    alive = by(account, second);
    expect(await own(alive)).toMatchObject({ tokens: [{ n: second.n, signs: true }], signingToken: second.n });
  }
});

describe("a handler with twilio.webhook()", () => {
  let server: Server;
  let url: string;
  /** What arrived, and the response: 200, or 403 when it does not verify. */
  let answered: { readonly what: string; readonly status: number }[];
  let verify: RequestHandler;
  let account: TestAccount;
  let sender: Sender;

  beforeEach(async () => {
    answered = [];
    const app = express();
    app.use(express.urlencoded({ extended: false }));
    app.use((request, response, next) => {
      const what = `${request.path} ${request.body.MessageStatus ?? request.body.CallStatus ?? "inbound"}`;
      response.once("finish", () => answered.push({ what, status: response.statusCode }));
      verify(request, response, next);
    });
    app.post("/sms", (_, response) => void response.type("text/xml").send("<Response/>"));
    app.post("/status", (_, response) => void response.status(204).end());
    app.post("/voice", (_, response) => {
      const script = new twilio.twiml.VoiceResponse();
      script.say("Hello.");
      response.type("text/xml").send(script.toString());
    });
    server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    account = await newMessenger(tandem, {
      ...{ features: ["voice"], token: { signs: true } },
      limits: { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE, call: WIDE },
    });
    sender = await newSender(tandem, tandem.database, account);
  });
  afterEach(() => void server.close());

  const clientOf = (who: TestAccount) => twilioClient(tandem, who);
  const refused = () => answered.filter(({ status }) => status >= 300);

  async function pointNumber(): Promise<void> {
    const numbers = clientOf(account).incomingPhoneNumbers;
    const [number] = await numbers.list({ phoneNumber: sender.number });
    const urls = { smsUrl: `${url}/sms`, voiceUrl: `${url}/voice`, statusCallback: `${url}/status` };
    await numbers(number?.sid ?? "").update(urls);
  }

  /** An inbound and an outbound message, an inbound call, and one whose script is requested. */
  async function traffic(who: TestAccount): Promise<void> {
    const client = clientOf(who);
    const count = answered.length;
    const seen = () => answered.slice(count).map(({ what }) => what);
    await emulateInbound(who, { from: CALLER, to: sender.number, text: "Hello" });
    await client.messages.create({ from: sender.number, to: CALLER, body: "Hi", statusCallback: `${url}/status` });
    const call = json("POST", { from: CALLER, to: sender.number, durationSeconds: 2 });
    await answerOf(await who.call("/testkit/v1/Emulate/inbound-call", call), 200);
    const came = ["/sms inbound", "/status delivered", "/voice ringing", "/status completed"];
    await expect.poll(seen, UNTIL).toEqual(expect.arrayContaining(came));
    const scripts = () => seen().filter((what) => what.startsWith("/voice")).length;
    const scriptsBefore = scripts();
    const { sid } = await client.calls.create({ from: sender.number, to: CALLEE, url: `${url}/voice` });
    await expect.poll(async () => (await client.calls(sid).fetch()).status, SOON).toBe("completed");
    expect(scripts()).toBe(scriptsBefore + 1);
  }

  test("messages, calls and scripts verify with the one constant that the client signs in with", async () => {
    verify = twilio.webhook(account.token);
    await pointNumber();
    await traffic(account);
    expect(refused()).toEqual([]);
  });

  test("rotation: it accepts either of two tokens, the second is promoted, the first deleted, and nothing is refused", async () => {
    const accepted = [account.token];
    const signedBy: string[] = [];
    // How a receiver verifies while a token is being replaced.
    verify = (request, response, next) => {
      const signature = request.header("x-twilio-signature") ?? "";
      const token = accepted.find((each) => twilio.validateRequest(each, signature, url + request.url, request.body));
      if (token === undefined) response.status(403).end();
      else {
        signedBy.push(token);
        next();
      }
    };
    await pointNumber();
    const second = await addToken(account);
    const renewed = by(account, second);
    accepted.push(second.token);
    await traffic(account);
    expect(new Set(signedBy.splice(0))).toEqual(new Set([account.token]));
    // Promoted and deleted during traffic.
    const going = traffic(renewed);
    await answerOf(await promote(renewed, second.n), 204);
    await going;
    signedBy.length = 0;
    await answerOf(await remove(renewed, 1), 204);
    accepted.shift();
    await traffic(renewed);
    expect(new Set(signedBy)).toEqual(new Set([second.token]));
    expect(refused()).toEqual([]);
  });

  test("without a signing token the account's secret verifies, and webhook-signature is the subscription's as ever", async () => {
    const plain = await newMessenger(tandem, { features: ["voice"] });
    const made = await plain.call("/v1/Account/webhookSecret", { method: "POST" });
    const { secret } = await answerOf<{ secret: string }>(made, 200);
    const order = { type: "InboundMessageReceived", url: `${url}/sms`, payloadShape: "Twilio" };
    const subscription = await answerOf<{ sid: string; secret: string }>(
      await plain.call("/v1/Webhooks", json("POST", order)),
      201,
    );
    const check = twilio.webhook(secret);
    verify = (request, response, next) => {
      const body = new URLSearchParams(request.body as Record<string, string>).toString();
      const headers = request.headers as Record<string, string>;
      // Throws unless it verifies.
      new Webhook(subscription.secret).verify(body, headers, { jsonParse: false });
      check(request, response, next);
    };
    await answerOf(await plain.call(`/v1/Webhooks/${subscription.sid}/test`, { method: "POST" }), 202);
    await expect.poll(() => answered.map(({ status }) => status), UNTIL).toEqual([200]);
  });
});
