// All faults of a request are reported together: those found by a schema do not hide those found by the handler.

import { beforeAll, describe, expect, test } from "vitest";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem();
const SID = "0".repeat(32);
const NIGHT = { timeZone: "Mars/Base", days: ["Mon"], from: "9", to: "10:00" };
const ADDRESS = { street: "P.O. Box 12", city: "", state: "ZZ", postalCode: "1", country: "US" };

beforeAll(async () => {
  const wide = { requests: 1_000_000, windowSeconds: 10 };
  const limits = { lookup: wide, read: wide, write: wide, send: wide };
  await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", { limits }));
});

async function faultsOf(line: string, body: object | undefined, headers: Record<string, string> = {}) {
  const [method = "", path = ""] = line.split(" ");
  const credentials = path.startsWith("/operator")
    ? basic("operator", tandem.operatorToken)
    : basic(tandem.accountSid, tandem.token);
  const init = body === undefined ? { method } : json(method, body);
  const answer = await fetch(tandem.url + path, { ...init, headers: { ...init.headers, ...credentials, ...headers } });
  return (await problemOf(answer, 400)).errors ?? {};
}

test.each<[string, object | undefined, readonly string[]]>([
  ["POST /v1/Webhooks", { type: "nope", url: "ftp://x" }, ["type", "url"]],
  [
    "POST /v1/Webhooks",
    { type: "nope", url: "http://a.example/", backupUrl: "ftp://x", phone: "zzz" },
    ["type", "backupUrl", "phone"],
  ],
  [`PATCH /v1/Webhooks/WS${SID}`, { url: "ftp://x", enabled: "maybe" }, ["enabled", "url"]],
  ["POST /v1/Webhooks/deliveries/replay", { status: "nope", url: "ftp://x" }, ["status", "url"]],
  [`POST /v1/Webhooks/deliveries/WH${SID}/replay`, { url: "ftp://x", status: "Failed" }, ["status", "url"]],
  [
    "POST /v1/MessagingConfigs",
    { name: "", sendingTimes: NIGHT },
    ["name", "sendingTimes.from", "sendingTimes.timeZone"],
  ],
  [
    `PUT /v1/MessagingConfigs/MC${SID}`,
    { name: "", sendingTimes: { ...NIGHT, from: "10:00" } },
    ["name", "sendingTimes.to", "sendingTimes.timeZone"],
  ],
  [
    `PATCH /v1/MessagingConfigs/MC${SID}`,
    { name: "", sendingTimes: NIGHT },
    ["name", "sendingTimes.from", "sendingTimes.timeZone"],
  ],
  ["POST /v1/Phones", { phone: "zzz", name: "" }, ["name", "phone"]],
  ["PATCH /v1/Phones/zzz", { name: "" }, ["name", "phone"]],
  ["GET /v1/Phones/zzz?x=1", undefined, ["x", "phone"]],
  ["DELETE /v1/Phones/zzz?x=1", undefined, ["x", "phone"]],
  ["GET /v1/Phones/zzz/voice?x=1", undefined, ["x", "phone"]],
  [
    "PUT /v1/Phones/zzz/voice",
    { callsForwardedTo: "nowhere", recordInboundCalls: "maybe" },
    ["recordInboundCalls", "phone", "callsForwardedTo"],
  ],
  ["PATCH /v1/Phones/zzz/voice", { callsForwardedTo: "nowhere", x: 1 }, ["x", "phone", "callsForwardedTo"]],
  ["POST /v1/Voice/Calls", { from: "nowhere", to: "nobody", record: "maybe" }, ["record", "from", "to"]],
  [
    "POST /v1/Voice/Calls",
    { from: "abc", to: "def", ringSeconds: 1, callerId: "zzz", keyPressPrompt: "Press." },
    ["ringSeconds", "from", "to", "callerId", "keyPressPrompt"],
  ],
  ["GET /v1/OptOuts?Number=zzz&PageSize=0", undefined, ["PageSize", "Number"]],
  ["POST /v1/OptOuts", { number: "zzz", scopeType: "TcrCampaign", scope: "no", x: 1 }, ["x", "number", "scope"]],
  ["DELETE /v1/OptOuts?Number=zzz&ScopeType=SenderPhoneNumber&Scope=no&x=1", undefined, ["x", "Number", "Scope"]],
  ["GET /carrierLookup/v1/Numbers/zzz?x=1", undefined, ["x", "Number"]],
  ["GET /carrierLookup/v1/Numbers/zzz/details?x=1", undefined, ["x", "Number"]],
  ["GET /v1/Phones/port-in/check?Number=zzz&x=1", undefined, ["x", "Number"]],
  [
    "POST /v1/Phones/port-in/loa",
    {
      phones: [{ number: "zzz" }],
      accountNumber: "1",
      subscriber: { type: "Robot", name: "A", authorizedPerson: "B" },
      serviceAddress: ADDRESS,
    },
    [
      "phones[0].number",
      "serviceAddress.city",
      "serviceAddress.postalCode",
      "serviceAddress.state",
      "serviceAddress.street",
      "subscriber.type",
    ],
  ],
  [`PATCH /v1/Phones/port-in/PO${SID}?x=1`, { accountNumber: "" }, ["x", "accountNumber"]],
  ["POST /messaging/v1/OutboundMessages?x=1", { From: 5, Priority: "Soon" }, ["x", "From", "To", "Text", "Priority"]],
  ["POST /testkit/v1/Emulate/inbound-message", { from: "zzz", to: ["yyy"], x: 1 }, ["x", "from", "to[0]", "text"]],
  ["POST /testkit/v1/Emulate/inbound-call", { from: "zzz", to: "yyy", answer: "maybe" }, ["answer", "from", "to"]],
  [
    "GET /testkit/v1/Phone?Number=zzz&x=1",
    undefined,
    ["x", "Number", "Connection", "Upgrade", "Sec-WebSocket-Key", "Sec-WebSocket-Version"],
  ],
  ["POST /testkit/v1/Emulate/campaign-migration", { tcrCampaignId: "no", x: 1 }, ["x", "tcrCampaignId"]],
  ["POST /operator/v1/Numbers", { numbers: ["zzz"], features: ["FAX"] }, ["features[0]", "numbers[0]"]],
  [
    "POST /operator/v1/Numbers",
    { numbers: ["zzz"], country: "ZZ", features: ["FAX"] },
    ["features[0]", "numbers[0]", "country"],
  ],
  ["DELETE /operator/v1/Numbers/zzz?x=1", undefined, ["x", "number"]],
  ["POST /operator/v1/Numbers/zzz/assign", { messagingConfigSid: "x" }, ["accountSid", "messagingConfigSid", "number"]],
  ["GET /operator/v1/LookupOverrides/zzz?x=1", undefined, ["x", "number"]],
  ["DELETE /operator/v1/LookupOverrides/zzz?x=1", undefined, ["x", "number"]],
  ["PUT /operator/v1/LookupOverrides/zzz", { type: "nope", status: "Active" }, ["type", "number"]],
  ["POST /operator/v1/Campaigns/no/assign", {}, ["accountSid", "tcrCampaignId"]],
  [`POST /operator/v1/PortOrders/PO${SID}/complete`, { numbers: ["zzz"], halves: ["x"] }, ["halves[0]", "numbers[0]"]],
])("%s tells all faults at once", async (line, body, fields) => {
  const errors = await faultsOf(line, body);
  expect(Object.keys(errors).sort()).toStrictEqual([...fields].sort());
  expect(Object.values(errors).flat()).not.toContain(undefined);
});

test("a header is among the faults", async () => {
  const order = { type: "InboundMessageReceived", url: "ftp://x" };
  const keyed = await faultsOf("POST /v1/Webhooks", order, { "Idempotency-Key": "k".repeat(256) });
  expect(Object.keys(keyed).sort()).toStrictEqual(["Idempotency-Key", "url"]);
  for (const mount of ["/v1", "/operator/v1"]) {
    const errors = await faultsOf(`GET ${mount}/Events/stream?x=1`, undefined, { "Last-Event-ID": "yesterday" });
    expect(Object.keys(errors).sort()).toStrictEqual(["Last-Event-ID", "x"]);
  }
});

describe("a value of another JSON type", () => {
  test.each<[string, object, object]>([
    ["POST /messaging/v1/OutboundMessages", { From: 5, To: "x", Text: "x" }, { From: ["Text is expected."] }],
    ["POST /messaging/v1/OutboundMessages", { From: null, To: "x", Text: "x" }, { From: ["Text is expected."] }],
    ["POST /messaging/v1/OutboundMessages", { From: ["x"], To: "x", Text: "x" }, { From: ["Text is expected."] }],
    ["POST /v1/Webhooks", { type: null, url: 5 }, { type: ["Text is expected."], url: ["Text is expected."] }],
    ["POST /v1/MessagingConfigs", { name: null }, { name: ["Text is expected."] }],
    ["POST /operator/v1/Numbers", { numbers: null }, { numbers: ["A list is expected."] }],
    [
      "POST /testkit/v1/Emulate/inbound-message",
      { from: "+14155550100", to: 5, text: "x" },
      {
        to: ["A number or a list of 1 to 20 is expected."],
      },
    ],
    ["POST /testkit/v1/Emulate/inbound-message", { from: "+14155550100", text: "x" }, { to: ["This is required."] }],
  ])("of %s is reported by the type that is expected: %j", async (line, body, errors) => {
    expect(await faultsOf(line, body)).toMatchObject(errors);
  });
});

test("a form field that is given twice is reported as such, not as missing", async () => {
  const body = new URLSearchParams([
    ["From", "+14155550100"],
    ["To", "+14155550101"],
    ["Text", "a"],
    ["Text", "b"],
    ["To", "+14155550102"],
  ]);
  const path = "/messaging/v1/OutboundMessages";
  const answer = await fetch(tandem.url + path, {
    method: "POST",
    headers: basic(tandem.accountSid, tandem.token),
    body,
  });
  expect(await problemOf(answer, 400)).toMatchObject({
    code: "sender-not-yours",
    errors: { Text: ["This is given more than once."], To: ["This is given more than once."] },
  });
});
