// Subscriptions, deliveries and the event log by plain HTTP, with real receivers.

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import twilio from "twilio";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { emitEvents } from "../../src/adapters/store/webhooks/outbox.ts";
import { twilioMessageSid } from "../../src/adapters/twilio/names.ts";
import { EVENT_SAMPLES, EVENT_TYPES, type EventType, type NewEvent } from "../../src/domain/events.ts";
import {
  type HealthyOptions,
  type HealthyReceiver,
  type ReceivedRequest,
  startHealthy,
} from "../faults/webhook-receivers.ts";
import { ownPort } from "../own-port.ts";
import { basic, forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { openStream } from "./event-stream.ts";
import { newConfig, newNumber, take } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const WIDE = { requests: 1_000_000, windowSeconds: 10 };
const TYPE = "OutboundMessageStatusChanged";
const UNTIL = { timeout: 120_000, interval: 50 };

const tandem = useTandem();
/** New for every test, so that lists hold only what the test created. */
let account: TestAccount;
const receivers: HealthyReceiver[] = [];

beforeEach(async () => {
  account = await newAccount(tandem, { limits: { read: WIDE, write: WIDE } });
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});

async function receive(options?: HealthyOptions): Promise<HealthyReceiver> {
  const receiver = await startHealthy(options);
  receivers.push(receiver);
  return receiver;
}

interface Subscription {
  readonly sid: string;
  readonly secret: string;
  readonly [member: string]: unknown;
}

interface Delivery {
  readonly sid: string;
  readonly status: string;
  readonly resourceSid: string;
  readonly createdOn: string;
  readonly attempts: readonly Readonly<Record<string, unknown>>[];
  readonly [member: string]: unknown;
}

interface List<Item> {
  readonly items: readonly Item[];
  readonly searchId?: string;
}

async function answerOf<Body>(response: Response, status: number): Promise<Body> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  return (text === "" ? undefined : JSON.parse(text)) as Body;
}

const get = async <Body>(path: string) => answerOf<Body>(await account.call(path), 200);
const subscribe = async (order: object) =>
  answerOf<Subscription>(await account.call("/v1/Webhooks", json("POST", { type: TYPE, ...order })), 201);
const change = async (sid: string, body: object) =>
  answerOf<Subscription>(await account.call(`/v1/Webhooks/${sid}`, json("PATCH", body)), 200);
const sendTest = async (sid: string) =>
  answerOf<Delivery>(await account.call(`/v1/Webhooks/${sid}/test`, { method: "POST" }), 202);
const operatorSees = async (query: string) =>
  (await answerOf<List<Subscription>>(await tandem.operator(`/operator/v1/Webhooks?PageSize=1000&${query}`), 200))
    .items;

/** The delivery once it matches. */
async function deliveryWhen(sid: string, isWanted: (delivery: Delivery) => boolean): Promise<Delivery> {
  let delivery: Delivery | undefined;
  await expect
    .poll(async () => {
      delivery = await get<Delivery>(`/v1/Webhooks/deliveries/${sid}`);
      return isWanted(delivery);
    }, UNTIL)
    .toBe(true);
  return delivery as Delivery;
}

const deliveryEnded = (sid: string) => deliveryWhen(sid, ({ status }) => status !== "Pending");

function eventOf<Type extends EventType>(
  type: Type,
  resourceSid: string,
  more: Partial<NewEvent<Type>> = {},
): NewEvent<Type> {
  return { accountSid: account.sid, type, resourceSid, fields: EVENT_SAMPLES[type], ...more };
}

/** A number of the account. */
async function ownNumber(): Promise<string> {
  const number = await newNumber(tandem, "+1303558");
  await take(account, number);
  return number;
}

const emit = (...events: readonly NewEvent[]) => emitEvents(tandem.database, events, new Date());

async function everyPage<Item>(path: string): Promise<readonly (readonly Item[])[]> {
  const pages: (readonly Item[])[] = [];
  let searchId: string | undefined;
  do {
    const page: List<Item> = await get(`${path}${searchId === undefined ? "" : `&SearchId=${searchId}`}`);
    pages.push(page.items);
    searchId = page.searchId;
  } while (searchId !== undefined);
  return pages;
}

describe("subscriptions", () => {
  test.each(["/v1", "/messaging/v1"])(
    "a subscription is made, read, listed, changed and deleted under %s",
    async (mount) => {
      const url = "https://receiver.example/hook?tenant=7";
      const order = {
        type: TYPE,
        url,
        backupUrl: "https://backup.example/",
        authorizationBearer: "a-bearer",
        payloadShape: "B",
      };
      const made = await answerOf<Subscription>(await account.call(`${mount}/Webhooks`, json("POST", order)), 201);
      const record = {
        sid: expect.stringMatching(/^WS[0-9a-f]{32}$/),
        type: TYPE,
        types: [TYPE],
        url,
        backupUrl: "https://backup.example/",
        messagingConfigSid: null,
        phone: null,
        payloadShape: "B",
        enabled: true,
        disabledReason: null,
        createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        lastSuccessOn: null,
      };
      expect(made).toStrictEqual({ ...record, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
      const path = `${mount}/Webhooks/${made.sid}`;
      expect(await get(path)).toStrictEqual(record);
      expect(await get(`${mount}/webhooks`)).toStrictEqual({ items: [record] });
      const changed = await account.call(
        path,
        json("PATCH", { Url: "https://other.example/", backupUrl: null, enabled: false }),
      );
      const other = { ...record, url: "https://other.example/", backupUrl: null, enabled: false };
      expect(await answerOf(changed, 200)).toStrictEqual(other);
      expect(await get(path)).toStrictEqual(other);
      const rotated = await answerOf<Subscription>(await account.call(`${path}/rotateSecret`, { method: "POST" }), 200);
      expect(rotated).toStrictEqual({ ...other, secret: expect.stringMatching(/^whsec_/) });
      expect(rotated.secret).not.toBe(made.secret);
      await answerOf(await account.call(path, { method: "DELETE" }), 204);
      await problemOf(await account.call(path), 404);
      expect(await get(`${mount}/Webhooks`)).toStrictEqual({ items: [] });
    },
  );

  test("neither the bearer nor an older secret is ever shown", async () => {
    const made = await subscribe({ url: "https://receiver.example/", authorizationBearer: "very-secret-bearer" });
    const rotated = await account.call(`/v1/Webhooks/${made.sid}/rotateSecret`, { method: "POST" });
    const texts = [
      JSON.stringify({ ...made, secret: "" }),
      (await rotated.text()).replaceAll(/whsec_[^"]+/g, (secret) => (secret === made.secret ? secret : "")),
      JSON.stringify(await change(made.sid, { authorizationBearer: "another-secret-bearer" })),
      await (await account.call(`/v1/Webhooks/${made.sid}`)).text(),
      await (await account.call("/v1/Webhooks")).text(),
    ];
    for (const text of texts) expect(text).not.toMatch(/bearer"|secret-bearer|whsec_/i);
  });

  test("a subscription that is left as it is by its defaults is on, of shape A and for the whole account", async () => {
    const made = await subscribe({ url: "https://receiver.example/" });
    expect(made).toMatchObject({
      payloadShape: "A",
      enabled: true,
      phone: null,
      messagingConfigSid: null,
      backupUrl: null,
    });
  });

  test("every type is known with and without the Webhook suffix, in any letter case", async () => {
    for (const type of EVENT_TYPES) {
      const bare = type.replace(/Webhook$/, "");
      for (const written of [bare, `${bare}Webhook`, bare.toUpperCase(), `${bare}webhook`.toLowerCase()]) {
        const made = await subscribe({ type: written, url: "https://receiver.example/", enabled: false });
        expect(made.type).toBe(type);
      }
    }
    const refusal = await account.call(
      "/v1/Webhooks",
      json("POST", { type: "MessageReceived", url: "https://a.example/" }),
    );
    expect((await problemOf(refusal, 400)).errors?.type?.[0]).toContain("InboundMessageReceived");
  });

  test("the types are listed, each with a sample of its fields", async () => {
    const { items } = await get<List<{ type: EventType; sample: object }>>("/v1/Webhooks/types");
    expect(items.map(({ type }) => type)).toEqual([
      "InboundMessageReceived",
      "OutboundMessageStatusChanged",
      "OptOutChanged",
      "InboundCallReceivedWebhook",
      "CallStatusChangedWebhook",
      "CallRecordingCompleted",
      "CallStreamStatusChanged",
      "ConferenceChanged",
      "PhoneNumberStatusChanged",
      "TcrCampaignImported",
      "TcrCampaignStatusChanged",
      "PortOrderStatusChanged",
    ]);
    for (const { type, sample } of items) expect(sample).toEqual(EVENT_SAMPLES[type]);
  });

  test("the list goes page by page in both directions", async () => {
    const sids: string[] = [];
    for (let at = 0; at < 5; at++) sids.push((await subscribe({ url: `https://r${at}.example/` })).sid);
    const up = await everyPage<Subscription>("/v1/Webhooks?PageSize=2&OrderByDirection=Ascending");
    expect(up.map((page) => page.map(({ sid }) => sid))).toEqual([sids.slice(0, 2), sids.slice(2, 4), sids.slice(4)]);
    const down = await everyPage<Subscription>("/v1/Webhooks?PageSize=5");
    expect(down.map((page) => page.map(({ sid }) => sid))).toEqual([[...sids].reverse()]);
  });

  test("another account's subscription is not found, whatever is asked of it", async () => {
    const { sid } = await subscribe({ url: "https://receiver.example/" });
    const stranger = await newAccount(tandem);
    for (const [method, path, body] of [
      ["GET", `/v1/Webhooks/${sid}`],
      ["PATCH", `/v1/Webhooks/${sid}`, { enabled: false }],
      ["DELETE", `/v1/Webhooks/${sid}`],
      ["POST", `/v1/Webhooks/${sid}/test`],
      ["POST", `/v1/Webhooks/${sid}/rotateSecret`],
    ] as const) {
      await problemOf(await stranger.call(path, body ? json(method, body) : { method }), 404);
    }
    expect(await answerOf(await stranger.call("/v1/Webhooks"), 200)).toEqual({ items: [] });
    expect(await get(`/v1/Webhooks/${sid}`)).toMatchObject({ enabled: true });
    expect(await get("/v1/Webhooks/deliveries")).toEqual({ items: [] });
  });

  test("a change of nothing changes nothing, and what cannot be changed is refused by name", async () => {
    const { secret: _, ...made } = await subscribe({ url: "https://receiver.example/" });
    expect(await change(made.sid, {})).toEqual(made);
    const refusal = await account.call(
      `/v1/Webhooks/${made.sid}`,
      json("PATCH", { type: TYPE, phone: "+14155550100" }),
    );
    expect(Object.keys((await problemOf(refusal, 400)).errors ?? {}).sort()).toEqual(["phone", "type"]);
    expect(await get(`/v1/Webhooks/${made.sid}`)).toEqual(made);
  });
});

describe("several types", () => {
  const url = "https://receiver.example/";
  const order = (more: object) => account.call("/v1/Webhooks", json("POST", { url, ...more }));
  const make = async (types: readonly string[], more: object = {}) =>
    answerOf<Subscription>(await order({ types, ...more }), 201);

  test("are shown as they are called, each once, and one alone as type too", async () => {
    const several = await make(["optOutChanged", "callstatuschanged", "OPTOUTCHANGED"]);
    expect(several.types).toEqual(["OptOutChanged", "CallStatusChangedWebhook"]);
    expect(several).not.toHaveProperty("type");
    expect(await make(["optOutChanged"])).toMatchObject({ type: "OptOutChanged", types: ["OptOutChanged"] });
    const all = await make(["OptOutChanged", "*", "*"]);
    expect(all.types).toEqual(["*"]);
    expect(all).not.toHaveProperty("type");
    expect((await make(["inboundCallReceived", "*"])).types).toEqual(["InboundCallReceivedWebhook", "*"]);
    const { secret: _, ...record } = all;
    expect(await get(`/v1/Webhooks/${all.sid}`)).toEqual(record);
    expect(await operatorSees(`AccountSid=${account.sid}`)).toContainEqual({ ...record, accountSid: account.sid });
  });

  test("go to one receiver, each with its own name and payload", async () => {
    const receiver = await receive();
    await make([TYPE, "OptOutChanged"], { url: receiver.url.replace("hook", "some") });
    await make(["*"], { url: receiver.url.replace("hook", "all"), payloadShape: "B" });
    await emit(...EVENT_TYPES.map((type) => eventOf(type, `RS${type}`)));
    await receiver.whenReceived(EVENT_TYPES.length + 1);
    const went = (path: string) => receiver.requests.filter((request) => request.path === path);
    const typesOf = (path: string) => went(path).map(({ headers }) => String(headers["x-event-type"]));
    expect(typesOf("/some").sort()).toEqual(["OptOutChanged", TYPE]);
    const all = EVENT_TYPES.filter((type) => type !== "InboundCallReceivedWebhook");
    expect(typesOf("/all").sort()).toEqual([...all].sort());
    const optOut = went("/all").find(({ headers }) => headers["x-event-type"] === "OptOutChanged");
    expect(JSON.parse(String(optOut?.body))).toMatchObject({ number: EVENT_SAMPLES.OptOutChanged.Number });
    const { items } = await get<List<Delivery>>("/v1/Webhooks/deliveries?Type=OptOutChanged");
    expect(items).toHaveLength(2);
  });

  test("give way to a narrower subscription for the types that it names, and for no other", async () => {
    const receiver = await receive();
    const phone = await ownNumber();
    await make(["*"], { url: receiver.url.replace("hook", "wide") });
    await make(["OptOutChanged"], { url: receiver.url.replace("hook", "narrow"), phone });
    await emit(eventOf(TYPE, "OMwide", { phone }), eventOf("OptOutChanged", "OOnarrow", { phone }));
    await receiver.whenReceived(2);
    const went = receiver.requests.map(({ path, headers }) => `${path} ${headers["x-event-type"]}`);
    expect(went.sort()).toEqual(["/narrow OptOutChanged", `/wide ${TYPE}`]);
  });

  test("have one answer for calls in each scope", async () => {
    const first = await make(["OptOutChanged", "InboundCallReceived"]);
    await make(["*"]);
    const refusal = await problemOf(await order({ types: ["*", "InboundCallReceived"] }), 409);
    expect(refusal.detail).toContain(first.sid);
    await problemOf(await order({ type: "InboundCallReceived" }), 409);
  });

  test("are tested with the first of them", async () => {
    const receiver = await receive();
    const some = await make(["OptOutChanged", TYPE], { url: receiver.url });
    expect(await sendTest(some.sid)).toMatchObject({ type: "OptOutChanged" });
    const all = await make(["*"], { url: receiver.url });
    expect(await sendTest(all.sid)).toMatchObject({ type: "InboundMessageReceived" });
    await receiver.whenReceived(2);
  });

  test.each([
    ["both", { type: TYPE, types: [TYPE] }, "types"],
    ["neither", {}, "type"],
    ["none", { types: [] }, "types"],
    ["one that is none", { types: [TYPE, "nope"] }, "types[1]"],
    ["a text", { types: TYPE }, "types"],
    ["all as one", { type: "*" }, "type"],
  ])("are refused when they are %s", async (_what, given, field) => {
    const { errors } = await problemOf(await order(given), 400);
    expect(Object.keys(errors ?? {})).toEqual([field]);
  });
});

describe("scopes", () => {
  test("an event goes to the narrowest subscriptions that fit it, and to all of those", async () => {
    const places = ["account", "account-too", "config", "phone", "off"] as const;
    const [number, messagingConfigSid] = [await ownNumber(), await newConfig(account)];
    const receiver = await receive();
    const urlOf = (place: string) => receiver.url.replace("hook", place);
    for (const place of places) {
      await subscribe({
        url: urlOf(place),
        enabled: place !== "off",
        ...(place === "config" ? { messagingConfigSid } : {}),
        ...(place === "phone" || place === "off" ? { phone: number.replace("+1303558", "+1 (303) 558-") } : {}),
      });
    }
    const scoped = { messagingConfigSid };
    await emit(
      eventOf(TYPE, "OMphone", { phone: number, ...scoped }),
      eventOf(TYPE, "OMconfig", { phone: "+14155550199", ...scoped }),
      eventOf(TYPE, "OMaccount", { phone: "+14155550199" }),
    );
    await receiver.whenReceived(4);
    const { items } = await get<List<Delivery>>("/v1/Webhooks/deliveries");
    expect(items).toHaveLength(4);
    const pathBySid = new Map(receiver.requests.map(({ headers, path }) => [headers["webhook-id"], path]));
    const went = items.map(({ sid, resourceSid }) => `${resourceSid} ${pathBySid.get(sid)}`).sort();
    expect(went).toEqual(["OMaccount /account", "OMaccount /account-too", "OMconfig /config", "OMphone /phone"]);
  });

  test("a number is kept as E.164, and a scope that is none, or not the account's, is refused", async () => {
    const [phone, messagingConfigSid] = [await ownNumber(), await newConfig(account)];
    expect(await subscribe({ url: "https://a.example/", phone: phone.slice(1) })).toMatchObject({ phone });
    const stranger = await newAccount(tandem);
    const theirs = await newNumber(tandem);
    await take(stranger, theirs);
    const givenBack = await ownNumber();
    await answerOf(await account.call(`/v1/Phones/${givenBack}`, { method: "DELETE" }), 204);
    const refusals: readonly [object, string][] = [
      [{ phone: "12" }, "phone"],
      [{ phone: "+14155550177" }, "phone"],
      [{ phone: theirs }, "phone"],
      [{ phone: givenBack }, "phone"],
      [{ messagingConfigSid: "MC1" }, "messagingConfigSid"],
      [{ messagingConfigSid: `MC${"0".repeat(32)}` }, "messagingConfigSid"],
      [{ messagingConfigSid: await newConfig(stranger) }, "messagingConfigSid"],
      [{ phone, messagingConfigSid }, "phone"],
    ];
    for (const [scope, field] of refusals) {
      const order = { type: TYPE, url: "https://a.example/", ...scope };
      const { errors } = await problemOf(await account.call("/v1/Webhooks", json("POST", order)), 400);
      expect(Object.keys(errors ?? {})).toEqual([field]);
    }
    const order = { type: TYPE, url: "ftp://a.example/", phone: theirs };
    const { errors } = await problemOf(await account.call("/v1/Webhooks", json("POST", order)), 400);
    expect(Object.keys(errors ?? {})).toEqual(["url", "phone"]);
  });
});

describe("how many", () => {
  const limitTo = (requests: number) => account.change({ limits: { webhooks: { requests, windowSeconds: 1 } } });
  const create = () => account.call("/v1/Webhooks", json("POST", { type: TYPE, url: "https://receiver.example/" }));

  test("an account has as many as its operator allows, also when all are made at the same moment", async () => {
    await limitTo(5);
    const answers = await Promise.all(Array.from({ length: 12 }, create));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(7).fill(409)]);
    expect((await get<List<Subscription>>("/v1/Webhooks")).items).toHaveLength(5);
    expect(await problemOf(await create(), 409)).toMatchObject({
      code: "too-many-webhooks",
      detail: "The account may have 5: delete one that is not needed, or ask the operator for more.",
    });
  });

  test("what exists stays when fewer are allowed, and one that is deleted makes room", async () => {
    const [first] = await Promise.all([1, 2, 3].map(() => subscribe({ url: "https://receiver.example/" })));
    await limitTo(3);
    await problemOf(await create(), 409);
    await change(first?.sid ?? "", { enabled: false });
    await change(first?.sid ?? "", { enabled: true });
    await answerOf(await account.call(`/v1/Webhooks/${first?.sid}`, { method: "DELETE" }), 204);
    await answerOf(await create(), 201);
    await limitTo(1);
    await problemOf(await create(), 409);
    expect((await get<List<Subscription>>("/v1/Webhooks")).items).toHaveLength(3);
  });

  test("callback URLs of messages are no webhooks of the account", async () => {
    await limitTo(1);
    await tandem.database.query("update webhook_subscriptions set is_callback = true where sid = $1", [
      (await subscribe({ url: "https://receiver.example/" })).sid,
    ]);
    await answerOf(await create(), 201);
    await problemOf(await create(), 409);
  });
});

describe("who answers calls", () => {
  const url = "https://calls.example/";
  const order = (more: object = {}) => json("POST", { type: "InboundCallReceived", url, ...more });

  test("one subscription answers the calls of a scope: a second one is refused, made or switched on", async () => {
    const first = await subscribe({ type: "InboundCallReceived", url });
    const refusal = await problemOf(await account.call("/v1/Webhooks", order()), 409);
    expect(refusal).toMatchObject({ code: "conflict", detail: expect.stringContaining(first.sid) });
    const spare = await subscribe({ type: "InboundCallReceived", url, enabled: false });
    const enabling = () => account.call(`/v1/Webhooks/${spare.sid}`, json("PATCH", { enabled: true }));
    await problemOf(await enabling(), 409);
    expect(await get(`/v1/Webhooks/${spare.sid}`)).toMatchObject({ enabled: false });
    // An enabled subscription may be enabled again, and changed in other ways.
    await change(first.sid, { enabled: true, url: "https://calls.example/other" });
    await change(first.sid, { enabled: false });
    expect(await answerOf(await enabling(), 200)).toMatchObject({ enabled: true });
    await problemOf(await account.call(`/v1/Webhooks/${first.sid}`, json("PATCH", { enabled: true })), 409);
  });

  test("every scope has one of its own, and so has every account", async () => {
    for (const scope of [
      {},
      { phone: await ownNumber() },
      { phone: await ownNumber() },
      { messagingConfigSid: await newConfig(account) },
    ]) {
      await answerOf(await account.call("/v1/Webhooks", order(scope)), 201);
      await problemOf(await account.call("/v1/Webhooks", order(scope)), 409);
    }
    const other = await newAccount(tandem);
    await answerOf(await other.call("/v1/Webhooks", order()), 201);
  });

  test("of many who ask at the same moment one gets it", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => account.call("/v1/Webhooks", order())));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });
});

describe("URLs", () => {
  const refusalOf = async (url: string, field = "url") => {
    const order = { type: TYPE, url: "https://receiver.example/", [field]: url };
    const { errors } = await problemOf(await account.call("/v1/Webhooks", json("POST", order)), 400);
    expect(Object.keys(errors ?? {})).toEqual([field]);
    return errors?.[field]?.join(" ") ?? "";
  };

  test.each([
    ["another scheme", "ftp://receiver.example/", /http and https/],
    ["a scheme that runs", "javascript:alert(1)", /http and https/],
    ["credentials", "https://user:secret@receiver.example/", /credentials/],
    ["no scheme", "receiver.example/hook", /cannot be read/],
    ["white space", "https://receiver.example/a b", /white space/],
    ["nothing", "", /./],
    ["too many characters", `https://receiver.example/${"x".repeat(2048)}`, /./],
  ])("a URL with %s is refused, as the first and as the backup", async (_what, url, reason) => {
    expect(await refusalOf(url)).toMatch(reason);
    expect(await refusalOf(url, "backupUrl")).toMatch(reason);
    const { sid } = await subscribe({ url: "https://receiver.example/" });
    await problemOf(await account.call(`/v1/Webhooks/${sid}`, json("PATCH", { url })), 400);
  });

  test.each([
    "http://10.1.2.3/",
    "http://192.168.0.1:8080/hook",
    "http://172.16.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://0.0.0.0/",
    "http://0x0a000001/",
    "http://[fd00::1]/",
    "http://[fe80::1]/",
    "http://[::ffff:10.0.0.1]/",
  ])("the address of %s is private, and the refusal names the setting that would allow it", async (url) => {
    const reason = await refusalOf(url);
    expect(reason).toMatch(/not public/);
    expect(reason).toContain("TANDEM_ALLOWED_NETWORKS");
  });

  test("both URLs are judged together, and a replay's URL by the same rules", async () => {
    const order = { type: TYPE, url: "ftp://a.example/", backupUrl: "http://10.0.0.1/" };
    const { errors } = await problemOf(await account.call("/v1/Webhooks", json("POST", order)), 400);
    expect(Object.keys(errors ?? {})).toEqual(["url", "backupUrl"]);
    const replay = await account.call("/v1/Webhooks/deliveries/replay", json("POST", { url: "http://10.0.0.1/" }));
    expect((await problemOf(replay, 400)).errors?.url?.[0]).toContain("TANDEM_ALLOWED_NETWORKS");
  });

  test("without the sandbox loopback is private too, unless the operator allows it", async () => {
    const answers: number[] = [];
    for (const allowed of [undefined, "127.0.0.0/8"]) {
      const server = await startPlain(allowed === undefined ? {} : { TANDEM_ALLOWED_NETWORKS: allowed });
      for (const host of ["127.0.0.1:9000", "localhost:9000"]) {
        const answer = await server.get("/v1/Webhooks", json("POST", { type: TYPE, url: `http://${host}/` }));
        if (answer.status === 400) expect(await answer.text()).toContain("TANDEM_ALLOWED_NETWORKS");
        answers.push(answer.status);
      }
      await server.stop();
    }
    expect(answers).toEqual([400, 400, 201, 201]);
  });
});

describe("deliveries", () => {
  const verifies = (secret: string, { body, headers }: ReceivedRequest): boolean => {
    try {
      new Webhook(secret).verify(body.toString("utf8"), headers as Record<string, string>, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  };

  test("a test is delivered at once, and the delivery shows its attempt", async () => {
    const receiver = await receive({ answer: () => ({ status: 202, body: "thank you" }) });
    const { sid } = await subscribe({ url: receiver.url });
    const sent = await sendTest(sid);
    expect(sent).toMatchObject({
      subscriptionSid: sid,
      type: TYPE,
      sequence: 1,
      status: "Pending",
      attemptCount: 0,
      attempts: [],
    });
    const delivery = await deliveryEnded(sent.sid);
    const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(delivery).toStrictEqual({
      sid: expect.stringMatching(/^WH[0-9a-f]{32}$/),
      subscriptionSid: sid,
      type: TYPE,
      resourceSid: sent.resourceSid,
      sequence: 1,
      status: "Delivered",
      attemptCount: 1,
      nextAttemptOn: null,
      createdOn: sent.createdOn,
      finishedOn: stamp,
      body: receiver.requests[0]?.body.toString(),
      attempts: [
        {
          at: stamp,
          url: receiver.url,
          status: 202,
          failure: null,
          ms: expect.any(Number),
          answer: "thank you",
          requestHeaders: expect.arrayContaining([{ name: "webhook-id", value: sent.sid }]),
          answerHeaders: expect.arrayContaining([{ name: "content-type", value: "text/plain" }]),
          timing: {
            dnsMs: expect.any(Number),
            connectMs: expect.any(Number),
            firstByteMs: expect.any(Number),
            totalMs: expect.any(Number),
          },
        },
      ],
    });
    await expect.poll(() => get(`/v1/Webhooks/${sid}`), UNTIL).toMatchObject({ lastSuccessOn: stamp });
    expect(receiver.requests).toHaveLength(1);
  });

  test("a test goes out even to a subscription that is off, and to that one alone", async () => {
    const receiver = await receive();
    await subscribe({ url: receiver.url.replace("hook", "other") });
    const { sid } = await subscribe({ url: receiver.url, enabled: false });
    await deliveryEnded((await sendTest(sid)).sid);
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/hook"]);
  });

  test("a failure shows with the reason and the time of the next attempt, and the backup URL is tried at once", async () => {
    const receiver = await receive({ answer: ({ path }) => ({ status: path === "/hook" ? 500 : 200 }) });
    const withBackup = await subscribe({ url: receiver.url, backupUrl: receiver.url.replace("hook", "backup") });
    const saved = await deliveryEnded((await sendTest(withBackup.sid)).sid);
    expect(saved).toMatchObject({ status: "Delivered", attemptCount: 2, attempts: [{ status: 500 }, { status: 200 }] });
    const nowhere = await subscribe({ url: "http://127.0.0.1:1/" });
    const failing = await deliveryWhen((await sendTest(nowhere.sid)).sid, ({ attempts }) => attempts.length > 0);
    expect(failing).toMatchObject({ status: "Pending", finishedOn: null, attempts: [{ status: null, answer: null }] });
    expect(failing.attempts[0]?.failure).toMatch(/^connect: /);
    expect(failing.attempts[0]).toMatchObject({ answerHeaders: null, timing: { connectMs: null, firstByteMs: null } });
    expect(Date.parse(String(failing.nextAttemptOn))).toBeGreaterThan(Date.parse(String(failing.attempts[0]?.at)));
  });

  test("410 switches the subscription off with a reason, and switching it on again forgets it", async () => {
    const receiver = await receive({ answer: () => ({ status: 410 }) });
    const { sid } = await subscribe({ url: receiver.url });
    expect(await deliveryEnded((await sendTest(sid)).sid)).toMatchObject({ status: "Failed" });
    expect(await get(`/v1/Webhooks/${sid}`)).toMatchObject({
      enabled: false,
      disabledReason: expect.stringContaining("410"),
    });
    expect(await operatorSees("Enabled=false")).toContainEqual(
      expect.objectContaining({ sid, accountSid: account.sid, disabledReason: expect.stringContaining("410") }),
    );
    expect(await change(sid, { enabled: true })).toMatchObject({ enabled: true, disabledReason: null });
    const one = expect.objectContaining({ sid });
    expect(await operatorSees("Enabled=false")).not.toContainEqual(one);
    expect(await operatorSees(`Enabled=true&AccountSid=${account.sid}`)).toContainEqual(one);
    expect(await operatorSees("AccountSid=AC00000000000000000000000000000000")).toEqual([]);
  });

  test("the receiver gets what the contract says: method, headers, and a signature that its library accepts", async () => {
    const receiver = await receive();
    const { sid, secret } = await subscribe({ url: receiver.url, authorizationBearer: "a-bearer" });
    const sent = await sendTest(sid);
    await receiver.whenReceived(1);
    const request = receiver.requests[0] as ReceivedRequest;
    expect(request.method).toBe("POST");
    expect(request.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(request.body.length),
      "webhook-id": sent.sid,
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      "x-event-type": TYPE,
      "x-request-id": expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
      "x-event-test": "true",
      authorization: "Bearer a-bearer",
    });
    const [attempt] = (await deliveryEnded(sent.sid)).attempts;
    const headers = (attempt?.requestHeaders ?? []) as readonly { readonly name: string; readonly value: string }[];
    const shown = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    expect(shown).toStrictEqual({ ...request.headers, authorization: "Bearer hidden" });
    expect(verifies(secret, request)).toBe(true);
    expect(verifies("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", request)).toBe(false);
    await change(sid, { authorizationBearer: null });
    await sendTest(sid);
    await receiver.whenReceived(2);
    expect(receiver.requests[1]?.headers).not.toHaveProperty("authorization");
  });

  test("a test says that it is one, also when it is replayed, and nothing else does", async () => {
    const receiver = await receive();
    const { sid } = await subscribe({ url: receiver.url });
    const sent = await sendTest(sid);
    await deliveryEnded(sent.sid);
    const replay = await account.call(`/v1/Webhooks/deliveries/${sent.sid}/replay`, { method: "POST" });
    await answerOf(replay, 202);
    await receiver.whenReceived(2);
    await emit(eventOf(TYPE, "OMreal"));
    await receiver.whenReceived(3);
    expect(receiver.requests.map(({ headers }) => headers["x-event-test"])).toEqual(["true", "true", undefined]);
  });

  test("after a rotation both secrets sign", async () => {
    const receiver = await receive();
    const { sid, secret: old } = await subscribe({ url: receiver.url });
    const rotated = await account.call(`/v1/Webhooks/${sid}/rotateSecret`, { method: "POST" });
    const { secret } = await answerOf<Subscription>(rotated, 200);
    await sendTest(sid);
    await receiver.whenReceived(1);
    const request = receiver.requests[0] as ReceivedRequest;
    expect(String(request.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    expect([secret, old].map((one) => verifies(one, request))).toEqual([true, true]);
  });

  test("after several rotations every secret of the last day signs, and there is a limit to that", async () => {
    const receiver = await receive();
    const { sid, secret: first } = await subscribe({ url: receiver.url });
    const rotate = () => account.call(`/v1/Webhooks/${sid}/rotateSecret`, { method: "POST" });
    const secrets = [first];
    for (let round = 0; round < 5; round++) {
      secrets.unshift((await answerOf<Subscription>(await rotate(), 200)).secret);
    }
    expect(await problemOf(await rotate(), 409)).toMatchObject({ code: "conflict", detail: expect.any(String) });
    await sendTest(sid);
    await receiver.whenReceived(1);
    const request = receiver.requests[0] as ReceivedRequest;
    expect(String(request.headers["webhook-signature"]).split(" ")).toHaveLength(6);
    expect(secrets.map((secret) => verifies(secret, request))).toEqual(secrets.map(() => true));
    // A day later the first secret no longer signs, and the present one may be replaced again.
    await tandem.database.query(
      `update webhook_subscriptions set replaced_until[5] = now() - interval '1 second' where sid = $1`,
      [sid],
    );
    secrets.unshift((await answerOf<Subscription>(await rotate(), 200)).secret);
    await problemOf(await rotate(), 409);
    await sendTest(sid);
    await receiver.whenReceived(2);
    const later = receiver.requests[1] as ReceivedRequest;
    expect(secrets.map((secret) => verifies(secret, later))).toEqual([true, true, true, true, true, true, false]);
  });

  /** One event of each type to a subscription of each shape; the bodies as they arrived. */
  async function bodiesOf(payloadShape: string) {
    const receiver = await receive();
    const secrets = new Map<string, string>();
    for (const type of EVENT_TYPES)
      secrets.set(type, (await subscribe({ type, url: receiver.url, payloadShape })).secret);
    const events = EVENT_TYPES.map((type) => eventOf(type, `RS${type}`));
    await emit(...events);
    await receiver.whenReceived(EVENT_TYPES.length);
    return receiver.requests.map((request) => {
      const type = String(request.headers["x-event-type"]) as EventType;
      return {
        type,
        request,
        text: request.body.toString("utf8"),
        secret: secrets.get(type) as string,
        url: receiver.url,
      };
    });
  }

  const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  test("shape A has capitalised names, and an inbound message exactly the fields of the specification", async () => {
    const bodies = await bodiesOf("A");
    expect(bodies.map(({ type }) => type).sort()).toEqual([...EVENT_TYPES].sort());
    for (const { type, text, request } of bodies) {
      const told = { WebhookSid: request.headers["webhook-id"], EventDate: stamp, ...EVENT_SAMPLES[type] };
      const expected = type === "InboundMessageReceived" ? told : { ...told, Sequence: 1 };
      expect(JSON.parse(text)).toStrictEqual(expected);
    }
    const inbound = bodies.find(({ type }) => type === "InboundMessageReceived");
    expect(Object.keys(JSON.parse(inbound?.text ?? "{}")).sort()).toEqual([
      "AdditionalRecipients",
      "EventDate",
      "From",
      "MediaUrls",
      "SegmentCount",
      "Sid",
      "Text",
      "To",
      "WebhookSid",
    ]);
  });

  test("shape B has the same in lower camel case without WebhookSid, and an inbound message its six fields", async () => {
    const lower = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(lower);
      if (value === null || typeof value !== "object") return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name.charAt(0).toLowerCase() + name.slice(1), lower(member)]),
      );
    };
    for (const { type, text } of await bodiesOf("B")) {
      const body = JSON.parse(text) as object;
      if (type === "InboundMessageReceived") {
        const { Sid: sid, From: from, To: to, Text, SegmentCount: segmentCount } = EVENT_SAMPLES[type];
        expect(body).toStrictEqual({ sid, from, to, eventDate: stamp, text: Text, segmentCount });
      } else {
        expect(body).toStrictEqual({ eventDate: stamp, sequence: 1, ...(lower(EVENT_SAMPLES[type]) as object) });
      }
    }
  });

  test("the Twilio shape is a form that Twilio's own library takes for genuine", async () => {
    const made = await account.call("/v1/Account/webhookSecret", { method: "POST" });
    const { secret } = await answerOf<{ secret: string }>(made, 200);
    for (const { type, text, request, url } of await bodiesOf("Twilio")) {
      expect(request.headers["content-type"]).toBe("application/x-www-form-urlencoded");
      const parameters = Object.fromEntries(new URLSearchParams(text));
      const signature = String(request.headers["x-twilio-signature"]);
      expect(twilio.validateRequest(secret, signature, url, parameters), type).toBe(true);
      expect(twilio.validateRequest(secret, signature, url, { ...parameters, More: "1" })).toBe(false);
      expect(parameters.AccountSid).toBe(account.sid);
      if (type === "InboundMessageReceived") {
        const MessageSid = twilioMessageSid(EVENT_SAMPLES[type].Sid);
        expect(parameters).toMatchObject({ MessageSid, Body: "Hello!", NumMedia: "0" });
      }
      if (type === "OutboundMessageStatusChanged") expect(parameters.MessageStatus).toBe("delivered");
    }
  });

  test("events of one resource arrive in order and are numbered, however quickly they follow one another", async () => {
    const receiver = await receive();
    await subscribe({ type: "CallStatusChanged", url: receiver.url });
    const type = "CallStatusChangedWebhook";
    await emit(...Array.from({ length: 6 }, () => eventOf(type, "CAone")));
    for (let at = 0; at < 6; at++) await emit(eventOf(type, "CAone"));
    await receiver.whenReceived(12);
    const sequences = receiver.requests.map(
      ({ body }) => (JSON.parse(body.toString()) as { Sequence: number }).Sequence,
    );
    expect(sequences).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  });

  test("what waits for a subscription that is deleted is canceled", async () => {
    const receiver = await receive({ answer: () => ({ status: 503 }) });
    const { sid } = await subscribe({ url: receiver.url });
    const sent = await sendTest(sid);
    await deliveryWhen(sent.sid, ({ attempts }) => attempts.length > 0);
    await answerOf(await account.call(`/v1/Webhooks/${sid}`, { method: "DELETE" }), 204);
    const canceled = await deliveryEnded(sent.sid);
    expect(canceled).toMatchObject({ status: "Canceled", nextAttemptOn: null });
    expect(receiver.requests).toHaveLength(canceled.attempts.length);
  });

  describe("in lists", () => {
    /** Two types, a receiver that accepts everything and one that is gone, at three times. */
    async function makeMany() {
      const receiver = await receive({ answer: ({ path }) => ({ status: path === "/hook" ? 200 : 410 }) });
      const good = await subscribe({ url: receiver.url });
      const gone = await subscribe({ url: receiver.url.replace("hook", "gone"), type: "OptOutChanged" });
      const at = (minute: number) => new Date(Date.now() - (10 - minute) * 60_000);
      const times = [at(0), at(1), at(2)];
      // In one transaction, because the first refusal disables the subscription.
      await tandem.database.transaction(async (unit) => {
        for (const [index, time] of times.entries()) {
          await emitEvents(unit, [eventOf(TYPE, `OMlist${index}`), eventOf("OptOutChanged", `OOlist${index}`)], time);
        }
      });
      await expect
        .poll(async () => {
          const { items } = await get<List<Delivery>>("/v1/Webhooks/deliveries");
          return items.filter(({ status }) => status !== "Pending").length;
        }, UNTIL)
        .toBe(6);
      return { good, gone, times, receiver };
    }

    const resourcesOf = async (query: string) => {
      const { items } = await get<List<Delivery>>(`/v1/Webhooks/deliveries?OrderByDirection=Ascending&${query}`);
      return items.map(({ resourceSid }) => resourceSid).sort();
    };

    test("deliveries are narrowed by every filter, alone and together, and paged", async () => {
      const { good, gone, times } = await makeMany();
      const messages = ["OMlist0", "OMlist1", "OMlist2"];
      const optOuts = ["OOlist0", "OOlist1", "OOlist2"];
      expect(await resourcesOf("")).toEqual([...messages, ...optOuts]);
      expect(await resourcesOf(`Type=${TYPE}`)).toEqual(messages);
      expect(await resourcesOf("type=optoutchangedwebhook")).toEqual(optOuts);
      expect(await resourcesOf("Status=Delivered")).toEqual(messages);
      expect(await resourcesOf("Status=pending")).toEqual([]);
      expect((await resourcesOf("Status=Failed")).concat(await resourcesOf("Status=Canceled")).sort()).toEqual(optOuts);
      expect(await resourcesOf(`SubscriptionSid=${good.sid}`)).toEqual(messages);
      expect(await resourcesOf(`SubscriptionSid=${gone.sid}`)).toEqual(optOuts);
      expect(await resourcesOf("ResourceSid=OMlist1")).toEqual(["OMlist1"]);
      const [, second, third] = times.map((time) => encodeURIComponent(time.toISOString()));
      expect(await resourcesOf(`CreatedOnFrom=${second}`)).toEqual(["OMlist1", "OMlist2", "OOlist1", "OOlist2"]);
      expect(await resourcesOf(`CreatedOnTo=${second}`)).toEqual(["OMlist0", "OOlist0"]);
      expect(await resourcesOf(`CreatedOnFrom=${second}&CreatedOnTo=${third}&Status=Delivered`)).toEqual(["OMlist1"]);
      for (const direction of ["Ascending", "Descending"]) {
        const pages = await everyPage<Delivery>(`/v1/Webhooks/deliveries?PageSize=4&OrderByDirection=${direction}`);
        expect(pages.map((page) => page.length)).toEqual([4, 2]);
        const sids = pages.flat().map(({ sid }) => sid);
        expect(sids).toEqual([...new Set(sids)].sort((a, b) => (a < b === (direction === "Ascending") ? -1 : 1)));
      }
    });

    test.each([
      "Type=Nothing",
      "Status=Lost",
      "CreatedOnFrom=yesterday",
      "PageSize=0",
      "PageSize=1001",
      "SearchId=x",
      "Url=x",
    ])("a list asked for with %s is refused by that name", async (query) => {
      const { errors } = await problemOf(await account.call(`/v1/Webhooks/deliveries?${query}`), 400);
      expect(Object.keys(errors ?? {})).toEqual([query.split("=")[0]]);
    });

    test("another account sees and replays none of them", async () => {
      const { receiver } = await makeMany();
      const stranger = await newAccount(tandem);
      expect(await answerOf(await stranger.call("/v1/Webhooks/deliveries"), 200)).toEqual({ items: [] });
      const { items } = await get<List<Delivery>>("/v1/Webhooks/deliveries");
      const path = `/v1/Webhooks/deliveries/${items[0]?.sid}`;
      await problemOf(await stranger.call(path), 404);
      await problemOf(await stranger.call(`${path}/replay`, { method: "POST" }), 404);
      const replay = await stranger.call("/v1/Webhooks/deliveries/replay", json("POST", {}));
      expect(await answerOf(replay, 202)).toEqual({ replayed: 0, complete: true });
      expect(receiver.requests.filter(({ path: at }) => at === "/hook")).toHaveLength(3);
    });

    test("one is replayed under its old id, and its attempts go on being shown", async () => {
      const { receiver } = await makeMany();
      const { items } = await get<List<Delivery>>("/v1/Webhooks/deliveries?Status=Delivered&PageSize=1");
      const [{ sid }] = items as [Delivery];
      const before = receiver.requests.length;
      const replay = await account.call(`/v1/Webhooks/deliveries/${sid}/replay`, { method: "POST" });
      expect(await answerOf(replay, 202)).toMatchObject({ sid, status: "Pending", finishedOn: null });
      await receiver.whenReceived(before + 1);
      expect(receiver.requests.at(-1)?.headers["webhook-id"]).toBe(sid);
      expect(await deliveryEnded(sid)).toMatchObject({ status: "Delivered", attemptCount: 2 });
      await problemOf(
        await account.call(`/v1/Webhooks/deliveries/WH${"0".repeat(32)}/replay`, { method: "POST" }),
        404,
      );
    });

    test("those of one subscription are replayed by its sid", async () => {
      const { good, receiver } = await makeMany();
      const before = receiver.requests.length;
      const replay = (subscriptionSid: string) =>
        account.call("/v1/Webhooks/deliveries/replay", json("POST", { subscriptionSid }));
      expect(await answerOf(await replay(`WS${"0".repeat(32)}`), 202)).toEqual({ replayed: 0, complete: true });
      expect(await answerOf(await replay(good.sid), 202)).toEqual({ replayed: 3, complete: true });
      await receiver.whenReceived(before + 3);
    });

    test("many are replayed by filter, to another URL without the bearer and without harm to the subscription", async () => {
      const { gone, times } = await makeMany();
      const harbour = await receive();
      const authorizationBearer = "a-bearer";
      await change(gone.sid, { authorizationBearer });
      const before = await get(`/v1/Webhooks/${gone.sid}`);
      const order = { type: "optOutChanged", from: times[1]?.toISOString(), url: harbour.url };
      const replay = await account.call("/v1/Webhooks/deliveries/replay", json("POST", order));
      expect(await answerOf(replay, 202)).toEqual({ replayed: 2, complete: true });
      await harbour.whenReceived(2);
      for (const { headers } of harbour.requests) expect(headers).not.toHaveProperty("authorization");
      const { items } = await get<List<Delivery>>(`/v1/Webhooks/deliveries?ResourceSid=OOlist1`);
      const [delivery] = items as [Delivery];
      const ended = await deliveryEnded(delivery.sid);
      expect(ended).toMatchObject({ status: "Delivered" });
      expect(ended.attempts.at(-1)).toMatchObject({ url: harbour.url, status: 200 });
      expect(await get(`/v1/Webhooks/${gone.sid}`)).toEqual(before);
    });

    test("what was meant for a deleted subscription is replayed to a URL, and nowhere else", async () => {
      const { good } = await makeMany();
      const harbour = await receive();
      await answerOf(await account.call(`/v1/Webhooks/${good.sid}`, { method: "DELETE" }), 204);
      const { items } = await get<List<Delivery>>("/v1/Webhooks/deliveries?Status=Delivered&PageSize=1");
      const [before] = items as [Delivery];
      const path = `/v1/Webhooks/deliveries/${before.sid}`;
      const refusal = await problemOf(await account.call(`${path}/replay`, { method: "POST" }), 409);
      expect(refusal).toMatchObject({ code: "conflict", detail: expect.stringContaining("url") });
      expect(await get(path)).toMatchObject(before);
      const all = await account.call("/v1/Webhooks/deliveries/replay", json("POST", { status: "Delivered" }));
      expect(await answerOf(all, 202)).toEqual({ replayed: 0, complete: true });
      await problemOf(await account.call(`${path}/replay`, json("POST", { url: "http://10.0.0.1/" })), 400);
      const one = await account.call(`${path}/replay`, json("POST", { url: harbour.url }));
      expect(await answerOf(one, 202)).toMatchObject({ sid: before.sid, status: "Pending" });
      expect(await deliveryEnded(before.sid)).toMatchObject({ status: "Delivered", attemptCount: 2 });
      const made = await account.call("/v1/Account/webhookSecret", { method: "POST" });
      const { secret } = await answerOf<{ secret: string }>(made, 200);
      const many = json("POST", { type: TYPE, url: harbour.url });
      expect(await answerOf(await account.call("/v1/Webhooks/deliveries/replay", many), 202)).toMatchObject({
        replayed: 3,
      });
      await harbour.whenReceived(4);
      for (const [at, request] of harbour.requests.entries()) {
        expect(request.headers).toMatchObject({ "x-event-type": TYPE });
        if (at > 0) expect(verifies(secret, request)).toBe(true);
      }
    });

    test("the filters of a replay narrow it by status and time", async () => {
      const { receiver, times } = await makeMany();
      const before = receiver.requests.length;
      const order = { status: "Delivered", to: times[1]?.toISOString() };
      const replay = await account.call("/messaging/v1/Webhooks/deliveries/replay", json("POST", order));
      expect(await answerOf(replay, 202)).toEqual({ replayed: 1, complete: true });
      await receiver.whenReceived(before + 1);
      const { items } = await get<List<Delivery>>("/v1/Webhooks/deliveries?ResourceSid=OMlist0");
      expect(receiver.requests.at(-1)?.headers["webhook-id"]).toBe(items[0]?.sid);
    });
  });
});

describe("events", () => {
  interface Event {
    readonly id: string;
    readonly type: string;
    readonly resourceSid: string;
    readonly createdOn: string;
    readonly payload: object;
  }

  const listed = async (query = "") =>
    (await everyPage<Event>(`/v1/Events?PageSize=1000&OrderByDirection=Ascending${query}`)).flat();

  test.each(["/v1", "/messaging/v1"])(
    "every event is listed under %s, subscribed or not, in shape A",
    async (mount) => {
      await emit(eventOf(TYPE, "OMlisted"), eventOf("OptOutChanged", "OOlisted"));
      await expect.poll(async () => (await get<List<Event>>(`${mount}/Events`)).items.length, UNTIL).toBe(2);
      const { items } = await get<List<Event>>(`${mount}/Events?OrderByDirection=Ascending`);
      expect(items).toStrictEqual(
        (
          [
            [TYPE, "OMlisted"],
            ["OptOutChanged", "OOlisted"],
          ] as const
        ).map(([type, resourceSid]) => ({
          id: expect.stringMatching(/^\d+-\d+$/),
          type,
          resourceSid,
          createdOn: items[0]?.createdOn,
          payload: { EventDate: items[0]?.createdOn, Sequence: 1, ...EVENT_SAMPLES[type] },
        })),
      );
      await problemOf(await account.call(`${mount}/Events?Type=optout`), 400);
      const narrowed = await get<List<Event>>(`${mount}/Events?Type=optoutchanged`);
      expect(narrowed.items.map(({ resourceSid }) => resourceSid)).toEqual(["OOlisted"]);
    },
  );

  test("the list goes page by page, newest first unless asked otherwise", async () => {
    for (let at = 0; at < 5; at++) await emit(eventOf(TYPE, `OMpage${at}`));
    await expect.poll(async () => (await listed()).length, UNTIL).toBe(5);
    const down = await everyPage<Event>("/v1/Events?PageSize=2");
    expect(down.map((page) => page.map(({ resourceSid }) => resourceSid))).toEqual([
      ["OMpage4", "OMpage3"],
      ["OMpage2", "OMpage1"],
      ["OMpage0"],
    ]);
  });

  test("after an event the list goes on with those that follow it, the oldest first, page by page", async () => {
    for (let at = 0; at < 6; at++) await emit(eventOf(at === 3 ? "OptOutChanged" : TYPE, `OMafter${at}`));
    await expect.poll(async () => (await listed()).length, UNTIL).toBe(6);
    const [first, , , , , last] = await listed();
    const sidsAfter = async (query: string) =>
      (await everyPage<Event>(`/v1/Events?${query}`)).map((page) => page.map(({ resourceSid }) => resourceSid));
    const following = ["OMafter1", "OMafter2", "OMafter3", "OMafter4", "OMafter5"];
    expect(await sidsAfter(`After=${first?.id}`)).toEqual([following]);
    expect(await sidsAfter(`After=${first?.id}&OrderByDirection=Descending`)).toEqual([following]);
    expect(await sidsAfter(`after=${first?.id}&PageSize=2`)).toEqual([
      ["OMafter1", "OMafter2"],
      ["OMafter3", "OMafter4"],
      ["OMafter5"],
    ]);
    expect(await sidsAfter(`After=${first?.id}&Type=OptOutChanged`)).toEqual([["OMafter3"]]);
    await problemOf(await account.call("/v1/Events?After=0014287-1"), 400);
    await problemOf(await account.call("/v1/Events/stream?LastEventId=0014287-1"), 400);
    expect(await sidsAfter(`After=${last?.id}`)).toEqual([[]]);
    expect(await sidsAfter("After=0-0&PageSize=1000")).toEqual([["OMafter0", ...following]]);
    await emit(eventOf(TYPE, "OMlater"));
    await expect.poll(() => sidsAfter(`After=${last?.id}`), UNTIL).toEqual([["OMlater"]]);
    const { errors } = await problemOf(await account.call("/v1/Events?After=yesterday"), 400);
    expect(Object.keys(errors ?? {})).toEqual(["After"]);
  });

  test.each(["/v1", "/messaging/v1"])("a stream under %s tells of what happens from now on", async (mount) => {
    await emit(eventOf(TYPE, "OMbefore"));
    await expect.poll(async () => (await listed()).length, UNTIL).toBe(1);
    const stream = await openStream(account.call, `${mount}/events/STREAM`);
    expect(stream.response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(stream.response.headers.get("cache-control")).toBe("no-store");
    expect(stream.response.headers.get("x-request-id")).toMatch(/\S/);
    await emit(eventOf(TYPE, "OMnow"), eventOf("OptOutChanged", "OOnow"));
    const [first, second] = [await stream.next(), await stream.next()];
    expect(first).toMatchObject({ type: TYPE, data: { type: TYPE, resourceSid: "OMnow" } });
    expect(first?.data.id).toBe(first?.id);
    expect(second).toMatchObject({ type: "OptOutChanged", data: { payload: EVENT_SAMPLES.OptOutChanged } });
    await stream.leave();
    expect((await listed()).slice(1)).toEqual([first?.data, second?.data]);
  });

  test("a reader who comes back again and again, by header and by query, gets every event once and in order", async () => {
    const total = 300;
    const start = await openStream(account.call, "/v1/Events/stream");
    const storing = (async () => {
      // Several concurrent transactions, which commit in any order.
      for (let at = 0; at < total; at += 10) {
        await Promise.all(Array.from({ length: 10 }, (_, more) => emit(eventOf(TYPE, `OMresume${at + more}`))));
      }
    })();
    const first = await start.next();
    await start.leave();
    const seen = [first];
    for (let round = 0; seen.length < total; round++) {
      const last = seen.at(-1)?.id as string;
      const stream =
        round % 2 === 0
          ? await openStream(account.call, "/v1/Events/stream", { "Last-Event-ID": last })
          : await openStream(account.call, `/v1/Events/stream?LastEventId=${last}`);
      const wanted = Math.min(total, seen.length + 1 + ((round * 7) % 40));
      while (seen.length < wanted) seen.push(await stream.next());
      await stream.leave();
    }
    await storing;
    const ids = seen.map((event) => event?.id);
    expect(new Set(ids).size).toBe(total);
    expect(ids).toEqual((await listed()).map(({ id }) => id));
  });

  test("a reader gets what happened while he was away, however much", async () => {
    const stream = await openStream(account.call, "/v1/Events/stream");
    await emit(eventOf(TYPE, "OMfirst"));
    const last = (await stream.next())?.id as string;
    await stream.leave();
    for (let at = 0; at < 1000; at += 250) {
      await emit(...Array.from({ length: 250 }, (_, more) => eventOf(TYPE, `OMaway${at + more}`)));
    }
    // A browser that reconnects keeps the URL and adds the header.
    const again = await openStream(account.call, "/v1/Events/stream?LastEventId=0-0", { "Last-Event-ID": last });
    for (let at = 0; at < 1000; at++) expect((await again.next())?.data.resourceSid).toBe(`OMaway${at}`);
    await again.leave();
  });

  test("an event that was never given out as an id is refused in the query", async () => {
    const { errors } = await problemOf(await account.call("/v1/Events/stream?LastEventId=yesterday"), 400);
    expect(Object.keys(errors ?? {})).toEqual(["LastEventId"]);
  });

  test("an account's stream tells of no one else's events", async () => {
    const other = await newAccount(tandem);
    const stream = await openStream(other.call, "/v1/Events/stream?LastEventId=0-0");
    await emit(eventOf(TYPE, "OMsecret"));
    await expect.poll(async () => (await listed()).length, UNTIL).toBe(1);
    await emitEvents(tandem.database, [eventOf(TYPE, "OMown", { accountSid: other.sid })], new Date());
    expect((await stream.next())?.data.resourceSid).toBe("OMown");
    await stream.leave();
    expect(await answerOf(await other.call("/v1/Events"), 200)).toMatchObject({ items: [{ resourceSid: "OMown" }] });
  });

  test("more streams than an account may have are refused, and one that leaves makes room", async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(account.call, "/v1/Events/stream")));
    const refusal = await problemOf(await account.call("/v1/Events/stream"), 409);
    expect(refusal).toMatchObject({ code: "conflict", detail: expect.stringContaining("20") });
    const other = await newAccount(tandem);
    await (await openStream(other.call, "/v1/Events/stream")).leave();
    await streams[0]?.leave();
    let again: Response | undefined;
    await expect
      .poll(async () => {
        again = await account.call("/v1/Events/stream");
        if (again.status !== 200) await again.text();
        return again.status;
      }, UNTIL)
      .toBe(200);
    await again?.body?.cancel();
    for (const stream of streams) await stream.leave();
  });

  test("a stream ends in good order when the server stops, and nothing is missed by who goes on elsewhere", async () => {
    const beside = await startBeside(tandem, { TANDEM_LOG_LEVEL: "warn" });
    const call = (path: string, init?: RequestInit) =>
      fetch(beside.url + path, { ...init, headers: { ...basic(account.sid, account.token), ...init?.headers } });
    const stream = await openStream(call, "/v1/Events/stream");
    await emit(eventOf(TYPE, "OMdrain"));
    const last = await stream.next();
    expect(last?.data.resourceSid).toBe("OMdrain");
    const stopped = beside.stop();
    expect(await stream.next()).toBeUndefined();
    expect(await stopped).toBe(0);
    await emit(eventOf(TYPE, "OMafterwards"));
    const elsewhere = await openStream(account.call, "/v1/Events/stream", { "Last-Event-ID": last?.id as string });
    expect((await elsewhere.next())?.data.resourceSid).toBe("OMafterwards");
    await elsewhere.leave();
  });
});

test("the figures tell receivers that fail from those that fare well, and how much is due", async () => {
  const receiver = await receive({ answer: ({ path }) => ({ status: path === "/hook" ? 200 : 503 }) });
  const good = await subscribe({ url: receiver.url });
  const bad = await subscribe({ url: receiver.url.replace("hook", "down") });
  await deliveryEnded((await sendTest(good.sid)).sid);
  for (let at = 0; at < 2; at++) {
    await deliveryWhen((await sendTest(bad.sid)).sid, ({ attempts }) => attempts.length > 0);
  }
  const text = await (await fetch(`${tandem.url}/metrics`)).text();
  const figure = (line: string) => Number(new RegExp(`^${line} (\\S+)$`, "m").exec(text)?.[1]);
  expect(figure('tandem_webhook_attempts_total{answer="2xx",endpoint="healthy"}')).toBeGreaterThan(0);
  expect(figure('tandem_webhook_attempts_total{answer="5xx",endpoint="failing"}')).toBeGreaterThan(0);
  expect(figure('tandem_webhook_first_attempt_lag_seconds_count{endpoint="failing"}')).toBeGreaterThan(0);
  expect(figure("tandem_webhook_deliveries_due")).toBeGreaterThanOrEqual(0);
  expect(figure("tandem_webhook_oldest_due_seconds")).toBeGreaterThanOrEqual(0);
});

/** A second server on the first one's database, without the sandbox; the account is in its demo.env. */
async function startPlain(environment: Readonly<Record<string, string>>): Promise<Tandem> {
  const port = String(await ownPort());
  const dataDir = mkdtempSync(join(tmpdir(), "tandem-plain-"));
  const known = {
    TANDEM_URL: `http://localhost:${port}`,
    TANDEM_ACCOUNT_SID: account.sid,
    TANDEM_TOKEN: account.token,
    TANDEM_OPERATOR_TOKEN: tandem.operatorToken,
  };
  const lines = Object.entries(known).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(dataDir, "demo.env"), lines.join(""));
  const server = await startTandem({
    dataDir,
    databaseUrl: tandem.databaseUrl,
    environment: {
      TANDEM_LOG_LEVEL: "warn",
      TANDEM_SANDBOX: "off",
      TANDEM_PORT: port,
      TANDEM_SECRET_KEY: readFileSync(join(tandem.dataDir, "secret.key"), "utf8").trim(),
      ...environment,
    },
  });
  return {
    ...server,
    async stop() {
      const code = await server.stop();
      forgetTandem(dataDir);
      return code;
    },
  };
}
