// Operators see an account's records as the account sees them, by the account's own operations. The audit log records
// who read what; links to media do not open.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { documentedOperations } from "../../src/server/parts/api.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import { type MediaServer, startMediaServer } from "./media-server.ts";
import { emulateInbound, type InboundBody, listen, newMessenger, newSender, send, UNTIL } from "./messages.ts";
import { answerOf, type List, whenListed } from "./numbers.ts";
import { decide, portIn, strangeNumbers } from "./port-orders.ts";
import { problemOf } from "./problem.ts";
import { storedConference } from "./stored-conference.ts";

const tandem = useTandem();
const NAME = `viewer-${process.pid}-${Date.now()}`;
const PERSON = "+14154740200";

let account: TestAccount;
let media: MediaServer;
let echo: Server;
let support: string;
/** By the path before a parameter, the value for it. */
const existing = new Map<string, string>();

/** A call that has ended, with its SIP messages. */
async function busyCall(): Promise<string> {
  const grant = json("PATCH", { features: ["voice", "campaignMigration"] });
  await answerOf(await tandem.operator(`/operator/v1/Accounts/${account.sid}`, grant), 200);
  const order = json("POST", { from: "+14155550101", to: "+14155550100" });
  const { sid } = await answerOf<{ sid: string }>(await account.call("/v1/Voice/Calls", order), 201);
  const path = `/v1/Voice/Calls/${sid}`;
  const textOf = async (of: string) => (await account.call(of)).text();
  await vi.waitFor(async () => expect(await textOf(path)).toContain('"endReason":"Busy"'), UNTIL);
  await vi.waitFor(async () => expect(await textOf(`${path}/sip`)).toContain("ACK"), UNTIL);
  return sid;
}

const look = (path: string) => fetch(tandem.url + path, { headers: basic("operator", support) });

beforeAll(async () => {
  media = await startMediaServer();
  // Responds with the request's own body, so that the record of the attempt holds it too.
  echo = createServer((request, response) => request.pipe(response)).listen(0, "127.0.0.1");
  const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: NAME, role: "support" }));
  support = (await answerOf<{ token: string }>(made, 201)).token;
  account = await newMessenger(tandem);
  const { number, configSid, tcrCampaignId } = await newSender(tandem, tandem.database, account);
  const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`;
  await answerOf(await account.call("/v1/Webhooks", json("POST", { type: "InboundMessageReceived", url })), 201);
  const ear = await listen(account);
  const message = await send(account, { From: number, To: PERSON, Text: "Hello" });
  await emulateInbound(account, { from: PERSON, to: [number], text: "Look", mediaUrls: [media.urlOf("/a.png")] });
  await ear.statusesUntil(message.sid, "Delivered");
  const failing = await send(account, { From: number, To: "+14155550101", Text: "Hello" });
  await ear.statusesUntil(failing.sid, "Failed");
  await ear.inboundUntil(({ Text }) => Text === "Look");
  const delivered = () => account.call("/v1/Webhooks/deliveries?Status=Delivered");
  const firstOf = async (answer: Promise<Response>) =>
    (await answerOf<List<{ sid: string }>>(await answer, 200)).items[0]?.sid ?? "";
  await problemOf(await account.call("/v1/Webhooks/WS1"), 404);
  const refused = () => account.call("/v1/Requests").then((answer) => answer.text());
  await vi.waitFor(async () => expect(await refused()).toContain("not-found"), UNTIL);
  await vi.waitFor(async () => expect(await firstOf(delivered())).toMatch(/^WH/), UNTIL);
  const { sid: orderSid } = await portIn(account, configSid, strangeNumbers(1));
  await decide(account, orderSid, "reject");
  await ear.until(({ payload }) => payload.PortOrderSid === orderSid && payload.Status === "Failed");
  await ear.leave();
  existing.set("/Voice/Calls/", await busyCall());
  existing.set("/Voice/Conferences/", await storedConference(tandem, account.sid));
  existing.set("/OutboundMessages/", message.sid);
  existing.set("/InboundMessages/", await firstOf(account.call("/v1/InboundMessages")));
  existing.set("/Phones/", encodeURIComponent(number));
  existing.set("/MessagingConfigs/", configSid);
  existing.set("/Phones/port-in/", orderSid);
  existing.set("/Requests/", message.sid);
  existing.set("/Migrations/", tcrCampaignId);
  const optOut = { number: "+14154740288", scopeType: "SenderPhoneNumber", scope: number };
  await answerOf(await account.call("/v1/OptOuts", json("POST", optOut)), 201);
  existing.set("/Webhooks/deliveries/", await firstOf(delivered()));
  await whenListed(account);
});
afterAll(async () => {
  await tandem.operator(`/operator/v1/Tokens/${NAME}`, { method: "DELETE" });
  await media.close();
  echo.close();
});

const seen = (["messaging", "account"] as const)
  .flatMap(documentedOperations)
  .flatMap((operation) =>
    operation.who === "account" && operation.isSeenByOperators ? [{ id: operation.id, path: operation.path }] : [],
  );
/** What must be asked for. */
const QUERIES: Readonly<Record<string, string>> = {
  "/Statistics": "?Kind=Messages&From=2026-01-31T00:00:00Z&To=2026-01-31T00:00:00Z",
};
const pathOf = (path: string) =>
  path.replace(/^(.*\/)\{\w+\}/, (_, before: string) => `${before}${existing.get(before)}`) + (QUERIES[path] ?? "");
/** Replaces what differs from one answer to the next. */
const unsigned = (text: string) =>
  text
    .replace(/expires=\d+/g, "expires=T")
    .replace(/(signature=)[\w-]+/g, "$1S")
    .replace(/("countedUntil":)[^,]+/g, "$1null");
/** Of the traffic the minutes that had some: between two answers another minute may begin. */
const withoutIdle = (_name: string, value: unknown) =>
  Array.isArray(value) ? value.filter((each) => !isIdle(each)) : value;
const isIdle = ({ at, ...counts }: Readonly<Record<string, unknown>>) =>
  at !== undefined && Object.values(counts).every((count) => count === 0);
const comparable = (text: string) => JSON.parse(unsigned(text), withoutIdle) as unknown;
const auditOf = async (subject: string) => {
  const answer = await tandem.operator(`/operator/v1/AuditLog?Operator=${NAME}&Subject=${subject}`);
  return (await answerOf<List<object>>(answer, 200)).items;
};

describe("support sees", () => {
  test("messages, numbers, configs, port orders, deliveries, events, refused requests, opt-outs, migrations, attention and traffic", () => {
    const ids = seen.map(({ id }) => id);
    for (const id of ["listOptOuts", "listMigrations", "getMigration", "getAttention", "getTraffic"]) {
      expect(ids).toContain(id);
    }
    expect(ids).toContain("explainOutboundMessage");
    expect(ids.filter((id) => /Media|Letter|Document|Token|stream/i.test(id))).toStrictEqual([]);
  });

  test.each(seen)("$path as the account does, and the audit log says so", async ({ id, path }) => {
    const own = await (await account.call(`/v1${pathOf(path)}`)).text();
    const before = await auditOf(account.sid);
    const view = await look(`/operator/v1/Accounts/${account.sid}${pathOf(path)}`);
    const text = await view.text();
    expect(view.status, text).toBe(200);
    expect(comparable(text)).toStrictEqual(comparable(own));
    expect(own).not.toBe('{"items":[]}');
    const [entry, ...rest] = await auditOf(account.sid);
    expect(rest).toStrictEqual(before);
    expect(entry).toMatchObject({ operator: NAME, action: `${id}OfAccount`, subject: account.sid });
  });

  test("what was asked for in the audit log, too", async () => {
    const sid = existing.get("/OutboundMessages/");
    const at = `/operator/v1/Accounts/${account.sid}`;
    await look(`${at}/OutboundMessages?To=%2B14154740200&PageSize=3`);
    expect((await auditOf(account.sid))[0]).toMatchObject({ details: { To: PERSON, PageSize: 3 } });
    await look(`${at}/OutboundMessages/${sid}/why`);
    expect((await auditOf(account.sid))[0]).toMatchObject({ details: { sid } });
  });
});

test("media stay closed: the signature is taken out of every link, also of what a receiver sent back", async () => {
  const [own = ""] = (await inbound("/v1", account.call)).mediaUrls;
  expect((await fetch(own)).status).toBe(200);
  const [seen = ""] = (await inbound(`/operator/v1/Accounts/${account.sid}`, look)).mediaUrls;
  expect(seen).toMatch(/\/v1\/Media\/ME\w+\?expires=\d+&signature=hidden$/);
  await problemOf(await fetch(seen), 401);
  const of = (path: string) => look(`/operator/v1/Accounts/${account.sid}${path}`).then((answer) => answer.text());
  const told = [
    await of("/Events?PageSize=1000"),
    await of(`/Webhooks/deliveries/${existing.get("/Webhooks/deliveries/")}`),
  ];
  for (const text of told) {
    expect(text).toContain("signature=hidden");
    expect(text).not.toMatch(/signature=(?!hidden)/);
  }
});

async function inbound(at: string, call: (path: string) => Promise<Response>): Promise<InboundBody> {
  return answerOf(await call(`${at}/InboundMessages/${existing.get("/InboundMessages/")}`), 200);
}

test("what is not the account's is not there, and nothing is entered of it", async () => {
  const other = await newMessenger(tandem);
  const sid = existing.get("/OutboundMessages/");
  const strange = await problemOf(await look(`/operator/v1/Accounts/${other.sid}/OutboundMessages/${sid}`), 404);
  expect(strange.detail).toBe(`There is no outbound message ${sid} of account ${other.sid}.`);
  const nobody = await problemOf(await look("/operator/v1/Accounts/AC1/Phones"), 404);
  expect(nobody.detail).toBe("There is no account AC1.");
  const faults = await problemOf(await look(`/operator/v1/Accounts/${account.sid}/Phones/zzz?x=1`), 400);
  expect(Object.keys(faults.errors ?? {})).toStrictEqual(["x", "phone"]);
  expect([...(await auditOf(other.sid)), ...(await auditOf("AC1"))]).toStrictEqual([]);
  await problemOf(await account.call(`/operator/v1/Accounts/${account.sid}/Phones`), 401);
});

test("a suspended account can still be looked at", async () => {
  const suspended = await newMessenger(tandem);
  await suspended.change({ status: "Suspended" });
  expect((await look(`/operator/v1/Accounts/${suspended.sid}/Phones`)).status).toBe(200);
});
