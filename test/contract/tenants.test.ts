// Two tenants, every operation, every id: when account B uses an id of account A, in a path, a query, a body or a
// header, by token or by session, it gets the same response as for an id that does not exist. Nothing that B reads
// contains anything of A, and A is unchanged afterwards, row for row.
//
// The operations and the places for ids come from the documents (id-places.ts): a new operation fails this test until
// it is covered.

import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { needsAdmin } from "../../src/adapters/http/core/operation.ts";
import { twilioPhoneSid } from "../../src/adapters/twilio/phone-sid.ts";
import { documentedOperations } from "../../src/server/parts/api.ts";
import { type HealthyReceiver, startHealthy } from "../faults/webhook-receivers.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { openStream } from "./event-stream.ts";
import { aliases, type Kind, type NamedOperation, operations, type Place } from "./id-places.ts";
import { type MediaServer, startMediaServer } from "./media-server.ts";
import { answerOf, SOON, whenListed } from "./numbers.ts";
import { formOf, letter, orderData } from "./port-orders.ts";
import { newTenant, rowsOf, type Tenant } from "./tenants.ts";

const tandem = useTandem();
const BUSY = "+14155550101";
const SUPPORT = `tenants-${process.pid}-${Date.now()}`;

let receiver: HealthyReceiver;
let media: MediaServer;
let a: Tenant;
let b: Tenant;
let before: readonly string[];
/** Session headers of an operator with the role support. */
let operatorPage: Readonly<Record<string, string>>;

let lastDigits = randomInt(10_000);

/** Four digits that were not used before: a request may port an absent number, so it must not be used again. */
function newDigits(): string {
  lastDigits = (lastDigits + 1) % 10_000;
  return String(lastDigits).padStart(4, "0");
}

/** Like the ids of A, but of resources that do not exist. */
function absentIds(): Readonly<Record<Kind, string>> {
  const like = (id: string) => id.slice(0, -8) + randomBytes(4).toString("hex");
  const digits = newDigits();
  const phone = `+1303559${digits}`;
  return {
    ...(Object.fromEntries(Object.entries(a.ids).map(([kind, id]) => [kind, like(id)])) as Record<Kind, string>),
    campaign: `CZZ${digits}`,
    person: `+1415479${digits}`,
    phone,
    requestId: `nobody-${randomUUID()}`,
    signature: randomBytes(32).toString("base64url"),
    traceId: `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-00`,
    twilioPhone: twilioPhoneSid(phone) ?? "",
  };
}

// --- requests

type Ids = Readonly<Record<Kind, string>>;

/** Bodies that are good except for the id that is put into them. */
const BODIES: Readonly<Record<string, (ids: Ids, kind: Kind | undefined) => object>> = {
  lookUpNumbers: ({ phone }) => ({ numbers: [phone] }),
  sendMessage: ({ phone, person }) => ({ From: phone, To: person, Text: "Hello" }),
  dryRunMessage: ({ phone, person }) => ({ From: phone, To: person, Text: "Hello" }),
  createToken: () => ({ signs: true }),
  requestFeature: () => ({ feature: "voice" }),
  createPhone: ({ phone }) => ({ phone }),
  changePhone: () => ({ name: "Other" }),
  putPhoneVoice: () => ({ callsForwardedTo: BUSY, recordInboundCalls: false }),
  changePhoneVoice: () => ({ recordInboundCalls: false }),
  portIn: ({ config }) => orderData(config, [`+1720558${newDigits()}`]),
  makePortLetter: ({ config }) => orderData(config, [`+1720558${newDigits()}`]),
  answerPortException: () => ({ accountNumber: "A-1" }),
  createMessagingConfig: () => ({ name: "Other" }),
  replaceMessagingConfig: () => ({ name: "Other" }),
  changeMessagingConfig: () => ({ name: "Other" }),
  addMessagingConfigPhones: ({ phone }) => ({ phones: [phone] }),
  deleteMessagingConfigPhones: ({ phone }) => ({ phones: [phone] }),
  changeTcrCampaign: ({ config }) => ({ messagingConfigSid: config }),
  createOptOut: ({ person, phone }, kind) => ({ number: person, scopeType: scopeOf(kind), scope: phone }),
  placeCall: ({ phone }) => ({ from: BUSY, to: BUSY, callerId: phone }),
  redirectCall: () => ({ script: "<Response><Hangup/></Response>" }),
  changeParticipant: () => ({ muted: true }),
  controlRecording: () => ({ action: "Pause" }),
  createWebhook: () => ({ type: "OptOutChanged", url: receiver.url, enabled: false }),
  changeWebhook: () => ({ enabled: true }),
  replayDelivery: () => ({}),
  replayDeliveries: () => ({ status: "Failed" }),
  emulateInboundMessage: ({ person, phone }) => ({ from: person, to: [phone], text: "Hello" }),
  emulateOutboundMessageStatus: ({ outbound }) => ({ sid: outbound, deliveredSuccessfully: true }),
  emulateInboundCall: ({ person, phone }) => ({ from: person, to: phone, durationSeconds: 1 }),
  emulateCampaignMigration: ({ campaign }) => ({ tcrCampaignId: campaign }),
  emulatePort: ({ portOrder }) => ({ sid: portOrder, outcome: "exception" }),
  openSession: ({ account }) => ({ accountSid: account, token: b.account.token }),
  twilioCreateMessage: ({ phone, person }, kind) => ({
    To: person,
    Body: "Hello",
    ...(kind === "twilioConfig" ? {} : { From: phone }),
  }),
  createSupportLink: () => ({ address: "/messages" }),
  twilioUpdateMessage: () => ({ Status: "canceled" }),
  twilioCreateCall: ({ phone }) => ({ To: BUSY, From: phone, Twiml: "<Response><Hangup/></Response>" }),
  twilioUpdateCall: () => ({ Status: "completed" }),
  twilioUpdateConference: () => ({ Status: "completed" }),
  twilioUpdateParticipant: () => ({ Muted: "true" }),
  twilioCreatePhoneNumber: ({ phone }) => ({ PhoneNumber: phone }),
  twilioUpdatePhoneNumber: () => ({ FriendlyName: "Other" }),
};

const scopeOf = (kind: Kind | undefined) => (kind === "campaign" ? "TcrCampaign" : "SenderPhoneNumber");
/** Required, and no ids. */
const WORDS: Readonly<Record<string, string>> = { Kind: "Calls" };
/** Members that hold a list. */
const LISTS = new Set(["numbers", "phones", "emulateInboundMessage to"]);

function withMember(operation: NamedOperation, body: object, name: string, value: string): object {
  const [outer = "", inner] = name.split(".");
  if (inner !== undefined) return { ...body, [outer]: [{ [inner]: value }] };
  return { ...body, [name]: LISTS.has(name) || LISTS.has(`${operation.id} ${name}`) ? [value] : value };
}

interface Given {
  readonly place: Place;
  readonly kind: Kind | undefined;
  readonly value: string;
}

/** The request with its caller's own ids, except for the given one. */
async function requestOf(
  operation: NamedOperation,
  ids: Ids,
  given: Given | undefined,
): Promise<[string, RequestInit]> {
  const { method, places } = operation;
  const idFor = (place: Place) => (place === given?.place ? given.value : place.kinds[0] && ids[place.kinds[0]]);
  let path = operation.path;
  for (const place of places.filter((one) => one.in === "path")) {
    path = path.replace(`{${place.name}}`, encodeURIComponent(idFor(place) ?? "1"));
  }
  const query = new URLSearchParams();
  for (const place of places.filter((one) => one.in === "query")) {
    const isGiven = place.isRequired || place === given?.place;
    if (isGiven) query.set(place.name, idFor(place) ?? WORDS[place.name] ?? scopeOf(given?.kind));
  }
  if (given?.place.name === "signature") query.set("expires", "9999999999");
  // The person who has opted out of the requested scope.
  if (operation.id === "deleteOptOut" && given?.place.name === "Scope") query.set("Number", a.ids.person);
  const url = query.size === 0 ? path : `${path}?${query}`;
  if (operation.body === "none") return [url, { method }];
  const good = BODIES[operation.id]?.(ids, given?.kind);
  if (!good) throw new Error(`say in BODIES what a good body of ${operation.id} is`);
  const body = given?.place.in === "body" ? withMember(operation, good, given.place.name, given.value) : good;
  if (operation.body === "multipart") return [url, { ...formOf(body, [await letter()]), method }];
  if (operation.body === "json") return [url, json(method, body)];
  return [url, { method, body: new URLSearchParams(body as Record<string, string>) }];
}

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly type: string;
  readonly text: string;
}

/** Headers of the connection, which depend on earlier requests. */
const OF_CONNECTION = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"]);

type Credentials = Readonly<Record<string, string>>;

async function ask([url, init]: readonly [string, RequestInit], credentials: Credentials): Promise<Answer> {
  const response = await fetch(tandem.url + url, { ...init, headers: { ...credentials, ...init.headers } });
  const { status, headers } = response;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream");
  const text = isStream ? "" : Buffer.from(await response.arrayBuffer()).toString("latin1");
  if (isStream) await response.body?.cancel();
  const names = [...headers.keys()].filter((name) => !OF_CONNECTION.has(name)).sort();
  return { status, headers: names, type: headers.get("content-type") ?? "", text };
}

/** The response without what differs between any two: times, traces, and the sids of new resources. */
function told({ status, headers, type, text }: Answer, value: string): object {
  if (!type.includes("json")) return { status, headers, type };
  const spellings = [value, encodeURIComponent(value), value.replace(/^\+/, "")];
  const bare = spellings
    .reduce((rest, spelling) => rest.replaceAll(spelling, "ID"), text)
    .replace(/00-[0-9a-f]{32}-[0-9a-f]{16}-00/g, "TRACE")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/\b[A-Z]{2}[0-9a-f]{32}\b/g, "SID");
  return { status, headers, type, text: bare };
}

/** Ids and texts of A in a response to B, except for the id that B has sent itself. */
function leakedIn({ text }: Answer, given: string | undefined): readonly string[] {
  const { person: _, position: __, ...own } = a.ids;
  const asked = given === undefined ? text : text.replaceAll(given, "").replaceAll(encodeURIComponent(given), "");
  return [a.mark, ...Object.values(own)].filter((id) => asked.includes(id));
}

/** B's refused requests contain ids of A that B has sent itself. */
const isOwnWords = ({ id }: NamedOperation, leak: string) => id === "listRequests" && leak !== a.mark;

const callers = (): readonly (readonly [string, Credentials])[] => [
  ["by token", basic(b.account.sid, b.account.token)],
  ["by session", b.page],
];

// --- permitted differences

/**
 * Where the response to an id of A differs from that to an unknown one, because the fact is public: the directory lists
 * a number as ours, and a number or a campaign that is taken cannot be taken by another account.
 */
const PUBLIC: Readonly<Record<string, number>> = {
  "lookUpNumber Number": 200,
  "lookUpNumberDetails Number": 200,
  "lookUpNumbers numbers": 200,
  "twilioLookUpNumber PhoneNumber": 200,
  "createPhone phone": 409,
  "twilioCreatePhoneNumber PhoneNumber": 409,
  "portIn phones.number": 400,
  "checkPortability Number": 200,
  "getMigration Numbers": 200,
  "emulateCampaignMigration tcrCampaignId": 409,
};

/** Where an id is not read. */
const UNREAD = new Set(["makePortLetter messagingConfigSid", "makePortLetter phones.number", "getRecording signature"]);

/** Whether the response is about the id, so that the request got as far as reading it. */
function isReached(operation: NamedOperation, { name, in: within }: Place, { status, text }: Answer): boolean {
  if (UNREAD.has(`${operation.id} ${name}`)) return status === 200;
  if (within === "path") return status === 404;
  if (status === 404 || status === 401 || (operation.method === "GET" && status === 200)) return true;
  if (operation.body === "form") return status === 400;
  if (operation.id === "replayDeliveries") return text.includes('"replayed":0,');
  return text.includes('"failed"') || text.includes(`"${name.split(".")[0]}`);
}

// --- the tenants

async function countedOf({ account }: Tenant): Promise<readonly string[]> {
  const rows = await tandem.database.query<{ what: string }>(
    "select distinct kind || ' ' || outcome as what from statistics_counts where account_sid = $1 and count > 0 order by 1",
    [account.sid],
  );
  return rows.map(({ what }) => what);
}

beforeAll(async () => {
  receiver = await startHealthy();
  media = await startMediaServer();
  const world = { tandem, receiverUrl: receiver.url, pictureUrl: media.urlOf("/a.png") };
  [a, b] = await Promise.all([
    newTenant(world, `tenantA${randomUUID().slice(0, 8)}`, `+1415478${newDigits()}`),
    newTenant(world, `tenantB${randomUUID().slice(0, 8)}`, `+1415477${newDigits()}`),
  ]);
  for (const { id } of operations.filter(({ method }) => method === "POST")) {
    const order = { number: a.ids.person, scopeType: "SenderPhoneNumber", scope: a.ids.phone };
    const { headers, ...init } = json("POST", order);
    await answerOf(
      await a.account.call("/v1/OptOuts", { ...init, headers: { ...headers, "Idempotency-Key": id } }),
      200,
    );
  }
  const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: SUPPORT, role: "support" }));
  const { token: operatorToken } = await answerOf<{ token: string }>(made, 201);
  const order = json("POST", { operatorToken });
  const page = { "X-Tandem-Session": "1" };
  const opened = await fetch(`${tandem.url}/v1/Session`, { ...order, headers: { ...order.headers, ...page } });
  await answerOf(opened, 201);
  operatorPage = { Cookie: (opened.headers.get("Set-Cookie") ?? "").split(";", 1)[0] ?? "", ...page };
  // Statistics are counted a moment behind.
  const all = ["Calls Completed", "Deliveries Made", "Messages Delivered"];
  await vi.waitFor(async () => expect(await countedOf(a)).toEqual(all), SOON);
  before = await rowsOf(tandem, a, b);
  expect(before.length).toBeGreaterThan(30);
});
afterAll(async () => {
  await tandem.operator(`/operator/v1/Tokens/${SUPPORT}`, { method: "DELETE" });
  await receiver?.close();
  await media?.close();
});

const named = (of: readonly NamedOperation[]) =>
  of.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
const isStream = ({ path }: NamedOperation) => path.endsWith("/stream");
const ofAccounts = operations.filter(({ who }) => who === "account");
const reads = ofAccounts.filter((operation) => operation.method === "GET" && !isStream(operation));
const withIds = [...operations, ...aliases].filter(
  ({ id, who, places }) => (who === "account" || id === "openSession") && places.some(({ kinds }) => kinds.length > 0),
);

describe("the ids are good ones:", () => {
  test.each(named(reads))("A reads %s by its own", async (_name, operation) => {
    const answer = await ask(await requestOf(operation, a.ids, undefined), basic(a.account.sid, a.account.token));
    expect(answer.status, answer.text).toBe(200);
  });
});

async function tryId(operation: NamedOperation, place: Place, kind: Kind, how: string, credentials: Credentials) {
  const by = operation.who === "anyone" ? { "X-Tandem-Session": "1" } : credentials;
  const answerTo = async (value: string) => ask(await requestOf(operation, b.ids, { place, kind, value }), by);
  const [own, absent] = [a.ids[kind], absentIds()[kind]];
  const [theirs, nothing] = [await answerTo(own), await answerTo(absent)];
  const where = `${place.name} of ${kind} ${how}`;
  expect({ where, leaked: leakedIn(theirs, own) }).toEqual({ where, leaked: [] });
  const status = kind === "position" ? 200 : PUBLIC[`${operation.id} ${place.name}`];
  if (status !== undefined) {
    expect({ where, status: theirs.status, text: theirs.text }).toMatchObject({ where, status });
    return;
  }
  expect({ where, isReached: isReached(operation, place, nothing), nothing }).toMatchObject({ isReached: true });
  expect({ where, told: told(theirs, own) }).toEqual({ where, told: told(nothing, absent) });
}

describe("B with an id of A:", () => {
  test.each(named(withIds))("%s", async (_name, operation) => {
    for (const place of operation.places) {
      for (const kind of place.kinds) {
        // A second prefix leads to the same operation, so one caller will do.
        const by = aliases.includes(operation) ? callers().slice(1) : callers();
        for (const [how, credentials] of by) await tryId(operation, place, kind, how, credentials);
      }
    }
  });
});

describe("what B reads has nothing of A:", () => {
  test.each(named(reads))("%s", async (_name, operation) => {
    for (const [, credentials] of callers()) {
      const answer = await ask(await requestOf(operation, b.ids, undefined), credentials);
      expect(answer.status, answer.text).toBe(200);
      expect(leakedIn(answer, undefined).filter((leak) => !isOwnWords(operation, leak))).toEqual([]);
    }
  });

  const lists = reads.filter(({ places }) => places.some(({ isCursor }) => isCursor));
  test.each(named(lists))("%s, from where a page of A ended", async (_name, operation) => {
    const [place] = operation.places.filter(({ isCursor }) => isCursor);
    if (!place) throw new Error("a list has no cursor");
    for (const id of [a.ids.outbound, a.ids.inbound, a.ids.campaign, "1", a.ids.position]) {
      const value =
        place.name === "PageToken"
          ? `PA${Buffer.from(id.slice(2) || "0").toString("base64url")}`
          : Buffer.from(`k ${id}`).toString("base64url");
      for (const [, credentials] of callers()) {
        const answer = await ask(await requestOf(operation, b.ids, { place, kind: undefined, value }), credentials);
        expect(answer.status, answer.text).toBe(200);
        expect(leakedIn(answer, value).filter((leak) => !isOwnWords(operation, leak))).toEqual([]);
      }
    }
  });

  test.each(["0-0", "1-1", "A's"])("the stream of events, from position %s on", async (from) => {
    await whenListed(b.account);
    const { items } = await answerOf<{ items: { id: string }[] }>(await b.account.call("/v1/Events?PageSize=1"), 200);
    const last = items[0]?.id;
    const position = from === "A's" ? a.ids.position : from;
    const stream = await openStream(b.account.call, `/v1/Events/stream?LastEventId=${position}`);
    for (let event = await stream.next(); event; event = await stream.next()) {
      expect(leakedIn({ text: JSON.stringify(event) } as Answer, undefined)).toEqual([]);
      if (event.id === last) break;
    }
    await stream.leave();
  });
});

describe("an Idempotency-Key of A is a new one to B:", () => {
  const posts = ofAccounts.filter(({ method }) => method === "POST");
  test.each(named(posts))("%s", async (_name, operation) => {
    const [url, init] = await requestOf(operation, b.ids, undefined);
    const headers = { ...basic(b.account.sid, b.account.token), "Idempotency-Key": operation.id };
    const answer = await ask([url, init], headers);
    expect(answer.headers).not.toContain("idempotent-replayed");
    expect(answer.text).not.toMatch(/"code":"idempotency-/);
    expect(leakedIn(answer, undefined)).toEqual([]);
  });
});

describe("who is no operator gets nothing of theirs:", () => {
  const theirs = operations.filter(({ who }) => who === "operator");
  test.each(named(theirs))("%s", async (_name, { method, path }) => {
    const url = path.replace(/\{(accountSid|sid)\}/g, a.ids.account).replace(/\{\w+\}/g, "1");
    for (const [, credentials] of callers()) {
      const answer = await ask([url, { method }], credentials);
      expect(answer.status, answer.text).toBe(401);
    }
  });
});

describe("an operator has no account:", () => {
  test.each(named(ofAccounts))("%s", async (_name, operation) => {
    const answer = await ask(await requestOf(operation, a.ids, undefined), operatorPage);
    expect(answer.status, answer.text).toBe(401);
  });

  test("by token neither", async () => {
    const headers = basic("operator", tandem.operatorToken);
    const paths = ["/v1/Account", "/messaging/v1/OutboundMessages", "/testkit/v1/Emulate/port", "/v1/Media/ME1"];
    for (const path of [...paths, `/2010-04-01/Accounts/${a.ids.account}/Messages.json`]) {
      const method = path.startsWith("/testkit") ? "POST" : "GET";
      expect((await ask([path, { method }], headers)).status).toBe(401);
    }
  });

  const views = operations.filter(({ path, places }) => path.includes("{accountSid}") && places.length > 1);
  test.each(named(views))("and sees nothing of A in B: %s", async (_name, operation) => {
    for (const place of operation.places.filter(({ name, kinds }) => name !== "accountSid" && kinds.length > 0)) {
      const kind = place.kinds[0] as Kind;
      const answerTo = async (value: string) =>
        ask(await requestOf(operation, b.ids, { place, kind, value }), operatorPage);
      const [own, absent] = [a.ids[kind], absentIds()[kind]];
      const [theirs, nothing] = [await answerTo(own), await answerTo(absent)];
      expect(leakedIn(theirs, own)).toEqual([]);
      const isPublic = `${operation.id.replace(/OfAccount$/, "")} ${place.name}` in PUBLIC;
      if (kind !== "position" && !isPublic) expect(told(theirs, own)).toEqual(told(nothing, absent));
    }
  });

  const changes = documentedOperations("operator").filter((operation) => needsAdmin(operation));
  test.each(changes.map(({ id, method, path }) => ({ id, method, path })))(
    "and of support changes nothing by a session: $id",
    async ({ method, path }) => {
      const url = `/operator/v1${path.replace(/\{(accountSid|sid)\}/g, a.ids.account).replace(/\{\w+\}/g, "1")}`;
      const answer = await ask([url, { method }], operatorPage);
      expect(answer.status, answer.text).toBe(403);
      expect(answer.text).toContain("admin-only");
    },
  );
});

test("a campaign of A that B names for its own stays A's, and B learns no more than that it is disputed", async () => {
  const order = json("POST", { name: `Mine ${a.ids.campaign}` });
  await answerOf(await b.account.call("/v1/MessagingConfigs", order), 201);
  const seen = await b.account.call(`/v1/Migrations/${a.ids.campaign}`);
  const migration = await answerOf<object>(seen, 200);
  expect(migration).toMatchObject({ registry: null, linked: false });
  expect(leakedIn({ text: JSON.stringify(migration) } as Answer, a.ids.campaign)).toEqual([]);
  await answerOf(await b.account.call(`/v1/TcrCampaigns/${a.ids.campaign}`), 404);
});

test("A is the same as before, and its recording and its picture too", async () => {
  expect(await rowsOf(tandem, a, b)).toEqual(before);
  for (const path of [`/v1/Voice/Calls/${a.ids.call}/recordings/1`, `/v1/Media/${a.ids.media}`]) {
    expect((await a.account.call(path)).status).toBe(200);
  }
});
