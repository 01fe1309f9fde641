// Generated requests against every operation of the document: from its schemas, and with faults. Whatever is sent, the
// status of the response is documented, its body fits the document, it carries X-Request-Id, and it is never a 5xx. A
// failure prints the seed; TANDEM_FUZZ_SEED=<seed> repeats it.

import { readFileSync } from "node:fs";
import { Agent, createServer, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { ValidateFunction } from "ajv";
import fc, { type Arbitrary } from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { hostileValue, type Schema, type SchemaWorld, spoiled, valid, validatorOf } from "./from-schema.ts";
import { CONFIG, formText, GOOD_PORT_BODIES, newHeldOrders, newPortOrder } from "./fuzz-ports.ts";
import { storedConference } from "./stored-conference.ts";

const REQUESTS = 5000;
const SEED = Number(process.env.TANDEM_FUZZ_SEED ?? Date.now() & 0x7fffffff);

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly $ref?: string; readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
    >
  >;
}

interface Described extends Operation {
  readonly method: string;
  readonly path: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Operation["responses"];
  };
}

const document = JSON.parse(readFileSync(new URL("../../api/tandem.json", import.meta.url), "utf8")) as Document;
const operations: readonly Described[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
);
const runsPerOperation = Math.ceil(REQUESTS / operations.length);

const NUMBERS = ["+12024561414", "+14074740200", "+442071838750", "+4915112345678", "+19995550100", "+33612345678"];
const number = fc.constantFrom(...NUMBERS);
/** Toll-free, so that it needs no campaign that the fuzzer may remove. */
const OWN = "+18005550199";
/** A second number, for opt-outs: recipients who opt out of it still get messages from the first. */
const SENDER = "+18005550198";

const tandem = useTandem({ environment: { TANDEM_LOG_LEVEL: "warn" } });
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let ownConfig: string;
/** Port orders that wait for a reply. */
let heldOrders: string[] = [];
let sent = 0;

/** Accepts every webhook, so that nothing leaves this machine. */
async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

/** Placeholder: the port is not known when the arbitraries are made. */
const RECEIVER = "http://receiver.invalid/";
/** Placeholder: the account is not known either. */
const ACCOUNT = "AC00000000000000000000000000000000";
const receiverUrl = fc.constantFrom(RECEIVER, `${RECEIVER}hook?a=1`);
const world: SchemaWorld = {
  components: document.components.schemas,
  byName: {
    numbers: number,
    number,
    Number: number,
    phone: number,
    phones: number,
    scope: fc.constant(SENDER),
    Scope: fc.constant(SENDER),
    callsForwardedTo: fc.oneof(number, fc.constantFrom("sip:a@b.example", "sip:a@b.example:5061;transport=TLS?X-A=1")),
    timeZone: fc.constantFrom("America/New_York", "UTC", "Europe/Berlin"),
    url: receiverUrl,
    "url uri": receiverUrl,
    backupUrl: fc.constantFrom(RECEIVER),
    accountSid: fc.constant(ACCOUNT),
    messagingConfigSid: fc.constant(CONFIG),
    tcrCampaignId: fc.constantFrom(null, null, null, "CDEMO01"),
    days: fc.constantFrom("Mon", "tue"),
    From: fc.constant(OWN),
    To: number,
    "SendAt date-time": fc.constantFrom(inAnHour()),
    "ExpiresOn date-time": fc.constantFrom(inAnHour()),
    "SearchId search-id": fc
      .oneof(
        fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 40 }),
        fc.constantFrom("12", "9".repeat(18), "1-1"),
      )
      .map((key) => Buffer.from(`k ${key}`).toString("base64url")),
  },
};

// --- parts of requests

type Part<Value> = { readonly kind: "good"; readonly value: Value } | { readonly kind: "bad"; readonly value: string };

interface Plan {
  /** Everything as documented, on a resource that exists. */
  readonly isGood: boolean;
  readonly params: Readonly<Record<string, Part<unknown>>>;
  readonly query: readonly (readonly [string, unknown])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly text: string; readonly type: string } | undefined;
  readonly credentials: "right" | "wrong" | "none";
}

const hostileText = hostileValue.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .map((code) => String.fromCharCode(code))
    .filter((c) => !/[\x7f-\x9f]/.test(c)),
  maxLength: 60,
});

const hostileHeaders: Arbitrary<Record<string, string>> = fc.record(
  {
    Accept: fc.oneof(headerText, fc.constantFrom("text/plain", "text/json;q=0.5", "*/*")),
    "X-Request-Id": headerText,
    traceparent: headerText,
    "Idempotency-Key": fc.oneof(fc.constantFrom("one", "two", "", "k".repeat(300)), headerText),
    "Last-Event-ID": fc.oneof(headerText, fc.constantFrom("1-1", "9999999999999999999-999999999999999999")),
    "X-Forwarded-For": headerText,
    "Content-Encoding": fc.constantFrom("gzip", "identity"),
    Expect: fc.constantFrom("100-continue", "magic"),
    Cookie: headerText,
  },
  { requiredKeys: [] },
);

function plansFor(operation: Described): Arbitrary<Plan> {
  const good = planOf(operation, true);
  return fc.oneof({ weight: 2, arbitrary: good }, { weight: 3, arbitrary: planOf(operation, false) });
}

function planOf(operation: Described, isGood: boolean): Arbitrary<Plan> {
  const rarely = <Value>(usual: Arbitrary<Value>, odd: Arbitrary<Value>) =>
    isGood ? usual : fc.oneof({ weight: 2, arbitrary: usual }, { weight: 1, arbitrary: odd });
  const pathParams = operation.parameters.filter((parameter) => parameter.in === "path");
  const params = Object.fromEntries(
    pathParams.map(({ name, schema }) => [
      name,
      rarely<Part<unknown>>(
        fc.constant({ kind: "good", value: undefined }),
        fc.oneof(valid(world, schema, name).map(String), hostileText).map((value) => ({ kind: "bad", value })),
      ),
    ]),
  );
  const content = operation.requestBody?.content;
  const form = content?.["multipart/form-data"]?.schema.properties?.data;
  const bodySchema = content?.["application/json"]?.schema ?? form;
  const body = bodySchema
    ? rarely(GOOD_BODIES[operation.operationId] ?? goodBody(bodySchema), badBody(bodySchema, form !== undefined))
    : rarely(fc.constant(undefined), strayBody);
  return fc.record({
    isGood: fc.constant(isGood),
    params: fc.record(params),
    query: rarely(goodQuery(operation), badQuery(operation)),
    headers: rarely<Record<string, string>>(fc.constant({}), hostileHeaders),
    body,
    credentials: isGood
      ? fc.constant("right" as const)
      : fc.oneof(
          { weight: 18, arbitrary: fc.constant("right" as const) },
          { weight: 1, arbitrary: fc.constant("wrong" as const) },
          { weight: 1, arbitrary: fc.constant("none" as const) },
        ),
  });
}

const statistics: Arbitrary<[string, unknown][]> = fc
  .record(
    {
      Kind: fc.constantFrom("Messages", "Calls", "Deliveries"),
      From: fc.constantFrom(hoursAgo(30), hoursAgo(3)),
      To: fc.constantFrom(hoursAgo(2), hoursAgo(0)),
      Step: fc.constantFrom("Hour", "Day"),
    },
    { requiredKeys: ["Kind"] },
  )
  .map((query) => Object.entries(query));

/** Where parameters must agree with each other. */
const GOOD_QUERIES: Readonly<Record<string, Arbitrary<[string, unknown][]>>> = {
  getStatistics: statistics,
  getStatisticsOfAccount: statistics,
};

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}

function goodQuery(operation: Described): Arbitrary<[string, unknown][]> {
  const known = GOOD_QUERIES[operation.operationId];
  if (known) return known;
  const parameters = operation.parameters.filter((parameter) => parameter.in === "query");
  const shape = Object.fromEntries(parameters.map(({ name, schema }) => [name, valid(world, schema, name)]));
  const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name);
  return fc.record(shape, { requiredKeys }).map((query) => Object.entries(query));
}

function badQuery(operation: Described): Arbitrary<[string, unknown][]> {
  const names = operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const name = fc.oneof(fc.constantFrom("__proto__", "", "x", ...names), hostileText);
  return fc.array(fc.tuple(name, hostileText), { minLength: 1, maxLength: 4 });
}

/** In JSON text: the start of every string value, at any depth. */
const TEXT_VALUE = /(?<=[:[,]")(?=(?:[^"\\]|\\.)*"[,}\]])/g;
/** Half of a surrogate pair cannot occur in a path or a query. */
const UNSTORABLE = ["\\u0000", "\\ud800"];

/**
 * Good requests except for a NUL or half of a surrogate pair, which PostgreSQL cannot store: one for each text in them.
 * `unstorable-text.test.ts` covers all other ways to write them.
 */
function plansWithUnstorable(operation: Described): Plan[] {
  return fc.sample(planOf(operation, true), { seed: SEED, numRuns: 1 }).flatMap((plan) => {
    const { body } = plan;
    const places = body ? [...body.text.matchAll(TEXT_VALUE)].map(({ index }) => index) : [];
    const withNul = (name: string): Part<unknown> => ({ kind: "bad", value: `${name}\0` });
    return [
      ...Object.keys(plan.params).map((name) => ({ ...plan, params: { ...plan.params, [name]: withNul(name) } })),
      ...operation.parameters
        .filter((parameter) => parameter.in === "query")
        .map(({ name }) => ({
          ...plan,
          query: [...plan.query.filter(([other]) => other !== name), [name, "\0"] as const],
        })),
      ...places.map((at, count) => ({
        ...plan,
        body: body && { ...body, text: `${body.text.slice(0, at)}${UNSTORABLE[count % 2]}${body.text.slice(at)}` },
      })),
    ];
  });
}

type Body = NonNullable<Plan["body"]>;
const asJson = (value: unknown): Body => ({ text: JSON.stringify(value) ?? "", type: "application/json" });

/** For operations whose members depend on each other. */
const GOOD_BODIES: Readonly<Record<string, Arbitrary<Body>>> = {
  ...GOOD_PORT_BODIES,
  placeCall: fc.constantFrom("+14155550101", "+14155550104").map((to) => asJson({ from: "+14155550101", to })),
  redirectCall: fc.constant(asJson({ script: "<Response><Hangup/></Response>" })),
};

function goodBody(schema: Schema): Arbitrary<Body> {
  return valid(world, schema).map(asJson);
}

function badBody(schema: Schema, isForm: boolean): Arbitrary<Body> {
  const value = valid(world, schema);
  const asForm = spoiled(value).map((data) => formText(JSON.stringify(data) ?? ""));
  return fc.oneof(
    ...(isForm
      ? [
          { weight: 6, arbitrary: asForm },
          { weight: 1, arbitrary: fc.constant(formText("{}", [])) },
        ]
      : []),
    { weight: 6, arbitrary: spoiled(value).map(asJson) },
    { weight: 1, arbitrary: fc.tuple(value, fc.nat()).map(([good, cut]) => cutShort(asJson(good), cut)) },
    { weight: 1, arbitrary: strayBody },
  );
}

function cutShort(body: Body, cut: number): Body {
  return { ...body, text: body.text.slice(0, cut % Math.max(1, body.text.length)) };
}

const strayBody: Arbitrary<Body> = fc.record({
  text: fc.oneof(
    fc.constantFrom("{}", "[]", "null", "", "{", '{"a":1,"a":2}', "\u0000"),
    fc.string({ unit: "binary" }),
  ),
  type: fc.constantFrom(
    "application/json",
    "text/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "",
    "nonsense",
    "application/json; charset=utf-16",
  ),
});

// --- resources that exist

async function made<Value>(response: Promise<Response>): Promise<Value> {
  const answer = await response;
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return JSON.parse(text) as Value;
}

const newAccount = () =>
  made<{ sid: string; token: string }>(
    tandem.operator("/operator/v1/Accounts", json("POST", { name: "Fuzzed", token: { signs: true } })),
  );

async function newWebhook(): Promise<string> {
  const order = { type: "OptOutChanged", url: receiver.url };
  return (await made<{ sid: string }>(tandem.get("/v1/Webhooks", json("POST", order)))).sid;
}

let names = 0;

async function newPhone(): Promise<string> {
  const phone = `+1303557${String(++names).padStart(4, "0")}`;
  await made(tandem.operator("/operator/v1/Numbers", json("POST", { numbers: [phone] })));
  await made(tandem.get("/v1/Phones", json("POST", { phone })));
  return phone;
}

const changeDemo = (change: object) =>
  made(tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", change)));

const letPortIn = () => changeDemo({ features: ["campaignMigration"] });

const MANY = { requests: 1_000_000, windowSeconds: 10 };
const letCall = () => changeDemo({ features: ["voice"], limits: { call: MANY, concurrentCalls: MANY } });

async function portOrder(): Promise<string> {
  await letPortIn();
  return newPortOrder(tandem, ownConfig);
}

async function newOutbound(): Promise<string> {
  return (await made<{ sid: string }>(sendLater())).sid;
}

/** The id of a request that created something. */
async function newRequest(): Promise<string> {
  const sent = await sendLater();
  await made(Promise.resolve(sent));
  return sent.headers.get("X-Request-Id") ?? "";
}

async function sendLater(): Promise<Response> {
  // Another operation may have linked a campaign that is suspended by now.
  await made(tandem.get(`/v1/MessagingConfigs/${ownConfig}`, json("PATCH", { tcrCampaignId: null })));
  const order = json("POST", { From: OWN, To: "+14154740200", Text: "fuzzed", SendAt: inAnHour() });
  return tandem.get("/v1/OutboundMessages", order);
}

async function newInbound(): Promise<string> {
  const order = json("POST", { from: "+14154740200", to: [OWN], text: "fuzzed" });
  await made(tandem.get("/testkit/v1/Emulate/inbound-message", order));
  const { items } = await made<{ items: { sid: string }[] }>(tandem.get("/v1/InboundMessages?PageSize=1"));
  return items[0]?.sid ?? "";
}

/** Path up to and including the parameter → a value for it. */
const EXISTING: Readonly<Record<string, () => Promise<string>>> = {
  "/carrierLookup/v1/Numbers/{Number}": async () => fc.sample(number, 1)[0] ?? "",
  "/v1/Account/tokens/{n}": async () => "1",
  "/v1/Webhooks/{sid}": newWebhook,
  "/v1/Webhooks/deliveries/{sid}": async () => {
    const sid = await newWebhook();
    return (await made<{ sid: string }>(tandem.get(`/v1/Webhooks/${sid}/test`, { method: "POST" }))).sid;
  },
  "/v1/Phones/{phone}": newPhone,
  // A session is needed for one of its views.
  "/v1/Session/Views/{sid}": async () => `SV${"0".repeat(32)}`,
  "/operator/v1/SupportLinks/{sid}": async () => {
    const order = json("POST", { address: "/messages" });
    return (await made<{ sid: string }>(tandem.get("/v1/Account/supportLinks", order))).sid;
  },
  "/v1/Phones/port-in/{sid}": async () => heldOrders.pop() ?? portOrder(),
  "/operator/v1/PortOrders/{sid}": () => portOrder(),
  "/operator/v1/PortOrders/{sid}/documents/{place}": async () => "1",
  "/v1/MessagingConfigs/{sid}": async () =>
    (await made<{ sid: string }>(tandem.get("/v1/MessagingConfigs", json("POST", { name: "Fuzzed" })))).sid,
  "/v1/TcrCampaigns/{tcrCampaignId}": async () => "CDEMO01",
  "/v1/Migrations/{tcrCampaignId}": async () => "CDEMO01",
  "/operator/v1/Campaigns/{tcrCampaignId}": async () => "CDEMO01",
  "/messaging/v1/OutboundMessages/{sid}": newOutbound,
  "/v1/OutboundMessages/{sid}": newOutbound,
  "/v1/Requests/{requestId}": newRequest,
  "/operator/v1/Requests/{requestId}": newRequest,
  "/v1/Voice/Calls/{sid}": async () => {
    await letCall();
    const order = json("POST", { from: "+14155550111", to: "+14155550101" });
    const { sid } = await made<{ sid: string }>(tandem.get("/v1/Voice/Calls", order));
    await made(tandem.get(`/v1/Voice/Calls/${sid}/hangup`, { method: "POST" }));
    return sid;
  },
  "/v1/Voice/Calls/{sid}/recordings/{index}": async () => "1",
  "/v1/Voice/Conferences/{sid}": () => storedConference(tandem, tandem.accountSid),
  // It has ended, so no call is in it.
  "/v1/Voice/Conferences/{sid}/participants/{callSid}": async () => `CA${"0".repeat(32)}`,
  "/operator/v1/Recordings/{sid}": async () => `RE${"0".repeat(32)}`,
  "/messaging/v1/InboundMessages/{sid}": newInbound,
  "/v1/InboundMessages/{sid}": newInbound,
  "/operator/v1/Accounts/{sid}": async () => (await newAccount()).sid,
  "/operator/v1/Accounts/{sid}/tokens/{n}": async () => "1",
  "/operator/v1/Accounts/{accountSid}": async () => tandem.accountSid,
  "/operator/v1/FeatureRequests/{sid}": async () => {
    const account = await newAccount();
    const order = json("POST", { feature: "voice" });
    const headers = { ...order.headers, ...basic(account.sid, account.token) };
    return (await made<{ sid: string }>(fetch(`${tandem.url}/v1/Account/featureRequests`, { ...order, headers }))).sid;
  },
  "/operator/v1/Tokens/{name}": async () => {
    const name = `fuzz-${++names}`;
    await made(tandem.operator("/operator/v1/Tokens", json("POST", { name })));
    return name;
  },
  "/operator/v1/Links/{name}": async () => "sandbox-mms",
  "/operator/v1/Trunks/{name}": async () => "sandbox",
  "/operator/v1/Nodes/{sid}": async () => {
    // One that has ended elsewhere: the server itself would stop.
    const sid = `ND${String(++names).padStart(32, "0")}`;
    await tandem.database.query(
      `insert into nodes (sid, host, pid, version, roles, url, state, clock, links, started_at, seen_at)
       values ($1, 'elsewhere', 1, '0', '{api}', 'http://elsewhere', 'Ready', 'ok', '{}', now(), now())`,
      [sid],
    );
    return sid;
  },
  "/operator/v1/Numbers/{number}": async () => {
    // A new number each time: the operator may have given the previous one to an account.
    const stock = `+1303558${String(++names).padStart(4, "0")}`;
    await made(tandem.operator("/operator/v1/Numbers", json("POST", { numbers: [stock] })));
    return stock;
  },
  "/operator/v1/LookupOverrides/{number}": async () => {
    const override = { type: "VoIP", status: "Active" };
    await made(tandem.operator("/operator/v1/LookupOverrides/+12025550101", json("PUT", override)));
    return "+12025550101";
  },
};

/** By path: resources for requests that only read. */
const lasting = new Map<string, Promise<string>>();

/** A value for the last parameter of the path. A resource that the request may change is created for it alone. */
function existing(template: string, method: string): Promise<string> {
  const own = template.replace("/operator/v1/Accounts/{accountSid}/", "/v1/");
  const make = EXISTING[own];
  if (!make) throw new Error(`tell the fuzzer how to make what ${template} names`);
  if (method !== "GET") return make();
  const value = lasting.get(own) ?? make();
  lasting.set(own, value);
  return value;
}

/** Preconditions for a good request to succeed. */
const BEFORE: Readonly<Record<string, () => Promise<unknown>>> = {
  requestFeature: () => changeDemo({ features: [] }),
  portIn: () => letPortIn(),
  async answerPortException() {
    await letPortIn();
    if (heldOrders.length === 0) heldOrders = await newHeldOrders(tandem, ownConfig, runsPerOperation);
  },
  placeCall: () => letCall(),
  putPhoneVoice: () => changeDemo({ features: ["voice"] }),
  changePhoneVoice: () => changeDemo({ features: ["voice"] }),
  async createPhone() {
    await made(tandem.operator("/operator/v1/Numbers", json("POST", { numbers: NUMBERS })));
    for (const taken of NUMBERS) await tandem.get(`/v1/Phones/${taken}`, { method: "DELETE" });
  },
  async deleteOptOut() {
    for (const person of NUMBERS) {
      const order = { number: person, scopeType: "SenderPhoneNumber", scope: SENDER };
      await made(tandem.get("/v1/OptOuts", json("POST", order)));
    }
  },
};

type Credentials = readonly [name: string, token: string];

/** Operations that may delete the token they were called with are called by a new account. */
const CALLERS: Readonly<Record<string, () => Promise<Credentials>>> = {
  async createToken() {
    const { sid, token } = await newAccount();
    return [sid, token];
  },
  async deleteToken() {
    const { sid } = await newAccount();
    const second = await made<{ token: string }>(
      tandem.operator(`/operator/v1/Accounts/${sid}/tokens`, { method: "POST" }),
    );
    return [sid, second.token];
  },
};

function inAnHour(): string {
  return new Date(Date.now() + 3_600_000).toISOString();
}

async function callerOf(operation: Described): Promise<Credentials> {
  if (operation.security.some((scheme) => "operator" in scheme)) return ["operator", tandem.operatorToken];
  return (await CALLERS[operation.operationId]?.()) ?? [tandem.accountSid, tandem.token];
}

async function pathOf(operation: Described, plan: Plan): Promise<string> {
  let path = "";
  let template = "";
  for (const segment of operation.path.split("/").slice(1)) {
    template += `/${segment}`;
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined) path += `/${segment}`;
    else {
      const part = plan.params[name];
      const value = part?.kind === "bad" ? part.value : await existing(template, operation.method);
      const isOfGoodAccount = plan.isGood && plan.params.sid?.kind === "good";
      if (template === "/operator/v1/Accounts/{sid}/tokens/{n}" && isOfGoodAccount) await secondToken(path);
      path += `/${encodeSegment(value)}`;
    }
  }
  return path;
}

async function secondToken(path: string): Promise<void> {
  await made(tandem.operator(path, { method: "POST" }));
}

/** An empty segment, a dot or a fixed name beside the parameter would be a different path. */
function encodeSegment(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed().slice(0, 3000));
  return /^(\.{0,2}|types|stream|deliveries|replay|available|port-in|check|loa)$/i.test(encoded) ? "x" : encoded;
}

// --- sending and checking

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

function exchange(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<Answer> {
  return new Promise((done, failed) => {
    const { hostname, port } = new URL(tandem.url);
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const length = bytes ? { "Content-Length": String(bytes.length) } : {};
    const request = httpRequest(
      { method, path, hostname, port, headers: { ...headers, ...length }, agent },
      (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        if (answered["content-type"]?.startsWith("text/event-stream")) {
          // It never ends by itself, and another test checks its content.
          response.destroy();
          done({ status, headers: answered, text: "" });
          return;
        }
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => done({ status, headers: answered, text: Buffer.concat(chunks).toString("utf8") }));
        response.on("error", failed);
      },
    );
    request.on("error", failed);
    request.end(bytes);
  });
}

async function carryOut(operation: Described, plan: Plan): Promise<Answer> {
  if (plan.isGood) await BEFORE[operation.operationId]?.();
  const path = await pathOf(operation, plan);
  const query = plan.query
    .map(([name, value]) => [name.toWellFormed(), String(value).toWellFormed()].map(encodeURIComponent).join("="))
    .join("&");
  const [name, token] = await callerOf(operation);
  const authorization = plan.credentials === "none" ? {} : basic(name, plan.credentials === "right" ? token : "wrong");
  const type = plan.body && plan.body.type !== "" ? { "Content-Type": plan.body.type } : {};
  const text = plan.body?.text
    .replaceAll(RECEIVER, receiver.url)
    .replaceAll(ACCOUNT, tandem.accountSid)
    .replaceAll(CONFIG, ownConfig);
  sent += 1;
  return exchange(
    operation.method,
    query === "" ? path : `${path}?${query}`,
    { ...plan.headers, ...type, ...authorization },
    text,
  );
}

const validators = new Map<string, ValidateFunction>();

function answerValidator(operation: Described, status: number): ValidateFunction | undefined {
  const written = operation.responses[status];
  const shared = written?.$ref?.replace("#/components/responses/", "");
  const { content } = (shared === undefined ? written : document.components.responses[shared]) ?? {};
  const schema = content?.["application/json"]?.schema;
  if (!schema) return undefined;
  const key = shared ?? `${operation.operationId} ${status}`;
  const known = validators.get(key) ?? validatorOf(world, schema);
  validators.set(key, known);
  return known;
}

function judge(operation: Described, { status, headers, text }: Answer): void {
  expect(status, text).toBeLessThan(500);
  expect(Object.keys(operation.responses), `${status} ${text}`).toContain(String(status));
  expect(headers["x-request-id"]).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  const isValid = answerValidator(operation, status);
  if (status === 204) {
    expect(text).toBe("");
    return;
  }
  if (!isValid) {
    expect(headers["content-type"]).toMatch(
      /^text\/event-stream|^application\/vnd\.tcpdump\.pcap|^audio\/mpeg$|^application\/pdf$/,
    );
    return;
  }
  expect(headers["content-type"]).toMatch(/^(application\/json|text\/json|text\/plain); charset=utf-8$/);
  expect(isValid(JSON.parse(text)), `${status} ${text}\n${JSON.stringify(isValid.errors)}`).toBe(true);
}

/**
 * The status that even a good request gets: campaigns are not entered beside a registry, calls made here are not
 * recorded, texts go to forbidden destinations (the dry run accepts the same ones), opening and ending a session need a
 * header, and the test kit needs resources that exist.
 */
const REFUSED: Readonly<Record<string, number>> = {
  sendMessage: 400,
  openSession: 403,
  endSession: 403,
  listViews: 401,
  saveView: 403,
  renameView: 403,
  deleteView: 403,
  emulateInboundMessage: 400,
  emulateInboundCall: 400,
  emulateOutboundMessageStatus: 404,
  emulateCampaignMigration: 400,
  emulatePort: 404,
  enterCampaign: 409,
  controlRecording: 409,
  // The call has ended.
  redirectCall: 409,
  getRecording: 404,
  changeParticipant: 404,
  removeParticipant: 404,
  retryRecording: 404,
};

beforeAll(async () => {
  receiver = await startReceiver();
  const wide = { requests: 1_000_000_000, windowSeconds: 1 };
  const requests = { lookup: wide, lookupBatch: wide, send: wide, sendToRecipient: wide, read: wide, write: wide };
  const limits = { ...requests, webhooks: wide };
  await made(tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", { limits })));
  await made(tandem.operator("/operator/v1/Numbers", json("POST", { numbers: [OWN, SENDER] })));
  const config = await made<{ sid: string }>(tandem.get("/v1/MessagingConfigs", json("POST", { name: "Own" })));
  for (const phone of [OWN, SENDER]) {
    await made(tandem.get("/v1/Phones", json("POST", { phone, messagingConfigSid: config.sid })));
  }
  ownConfig = config.sid;
});

afterAll(() => {
  agent.destroy();
  receiver.close();
});

describe(`with seed ${SEED}`, () => {
  const named = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
  test.each(named)("%s answers as documented, whatever is sent", async (_name, operation) => {
    const refusal = REFUSED[operation.operationId];
    const statuses: number[] = [];
    const isReached = () => statuses.some((status) => (refusal === undefined ? status < 300 : status === refusal));
    const sendMany = (plans: Arbitrary<Plan>, until = () => false) =>
      fc.assert(
        fc.asyncProperty(plans, async (plan) => {
          if (until()) return;
          const answer = await carryOut(operation, plan);
          judge(operation, answer);
          statuses.push(answer.status);
        }),
        { seed: SEED, numRuns: runsPerOperation, endOnFailure: true },
      );
    await sendMany(plansFor(operation));
    // Otherwise no request gets past validation. What a good request names at random may not exist, or be taken.
    await sendMany(planOf(operation, true), isReached);
    expect(statuses).toSatisfy(isReached);
  });

  test.each(named)("%s takes what cannot be stored, in any text, for what it is", async (_name, operation) => {
    for (const plan of plansWithUnstorable(operation)) judge(operation, await carryOut(operation, plan));
  });

  test("that were five thousand requests, and the server calls none of them its own fault", async () => {
    expect(sent).toBeGreaterThanOrEqual(REQUESTS);
    expect((await tandem.get("/readyz")).status).toBe(200);
    expect(tandem.output()).not.toContain("request failed");
  });
});
