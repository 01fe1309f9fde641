// Any request to the API in Twilio's shape gets a response in that shape, and never a 5xx.

import { beforeAll, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { form } from "./messages.ts";
import { type List, newNumber, take, WIDE } from "./numbers.ts";

interface Webhook {
  readonly phone: string | null;
  readonly url: string;
}

const tandem = useTandem();
let account: TestAccount;
let base: string;
let phone: string;

beforeAll(async () => {
  const limits = { read: WIDE, write: WIDE, send: WIDE, call: WIDE, lookup: WIDE };
  account = await newAccount(tandem, { features: ["voice"], limits });
  base = `/2010-04-01/Accounts/${account.sid}`;
  const number = await newNumber(tandem);
  await take(account, number);
  const digits = number.slice(1);
  phone = `PNe${digits.length.toString(16)}${digits.padStart(30, "0")}`;
});

const token = (text: string) => `PA${Buffer.from(text).toString("base64url")}`;
const BAD = [
  "\0",
  "a\0b",
  "\u{1F600}".repeat(10),
  "x".repeat(4_000),
  "-1",
  "99999999999999999999",
  "0000-01-01",
  "9999-12-31",
  "9999-12-31T23:59:59Z",
  "http://a.example/\0",
  "http://[",
  "http://user:secret@a.example/",
  `MC${"0".repeat(32)}`,
  "<Response>\0</Response>",
  token("\0"),
  token("'; drop table calls"),
  token(`RE${"0".repeat(32)}-99999999999999`),
  "",
];

async function holds(path: string, init?: RequestInit): Promise<void> {
  const answer = await account.call(path, init);
  const text = await answer.text();
  const what = `${path} ${String(init?.body ?? "")} ${text}`.slice(0, 600);
  expect(answer.status, what).toBeLessThan(500);
  if (answer.status < 400) return;
  const body = JSON.parse(text) as object;
  expect(Object.keys(body), what).toEqual(["code", "message", "more_info", "status"]);
  expect(body, what).toMatchObject({ code: expect.any(Number), status: answer.status });
}

test.each([
  ["Messages.json", ["To", "From", "DateSent", "DateSent<", "DateSent>", "PageSize", "Page", "PageToken"]],
  ["Calls.json", ["To", "From", "Status", "StartTime", "StartTime<", "StartTime>", "PageSize", "PageToken"]],
  ["Recordings.json", ["CallSid", "DateCreated", "DateCreated<", "DateCreated>", "PageToken"]],
  ["IncomingPhoneNumbers.json", ["PhoneNumber", "PageSize", "PageToken"]],
])("no filter of %s breaks it", async (list, names) => {
  for (const name of names) {
    await Promise.all(BAD.map((bad) => holds(`${base}/${list}?${new URLSearchParams([[name, bad]])}`)));
  }
});

test.each([
  [
    "Messages.json",
    { From: "+12125550100", To: "+12125550101", Body: "Hello" },
    ["MessagingServiceSid", "MediaUrl", "StatusCallback", "SendAt", "ValidityPeriod", "SmartEncoded"],
  ],
  [
    "Calls.json",
    { From: "+12125550100", To: "+12125550101", Twiml: "<Response/>" },
    ["Url", "Record", "Timeout", "TimeLimit"],
  ],
  ["Calls.json", { From: "+12125550100", To: "+12125550101", Url: "http://127.0.0.1:1/" }, ["FallbackUrl"]],
])("no parameter of a new one in %s breaks it", async (path, good, more) => {
  for (const name of [...Object.keys(good), ...more]) {
    await Promise.all(BAD.map((bad) => holds(`${base}/${path}`, form({ ...good, [name]: bad }))));
  }
  const services = BAD.map((MessagingServiceSid) => form({ To: "+12125550101", MessagingServiceSid }));
  await Promise.all(services.map((order) => holds(`${base}/Messages.json`, order)));
});

test("no sid and no change breaks anything", async () => {
  for (const bad of [...BAD, `SM${"0".repeat(32)}`, `RE${"f".repeat(32)}`, phone.replace("PNe", "PNc")]) {
    const sid = encodeURIComponent(bad || "none");
    for (const noun of ["Messages", "Calls", "Recordings", "IncomingPhoneNumbers"]) {
      await holds(`${base}/${noun}/${sid}.json`);
      await holds(`${base}/${noun}/${sid}.json`, form({ Status: bad, Body: "" }));
    }
    await holds(`${base}/Recordings/${sid}.mp3`);
    await holds(`${base}/Calls/${sid}/Recordings.json`);
    await holds(`/v2/PhoneNumbers/${sid}?Fields=line_type_intelligence`);
    await holds(`/v2/PhoneNumbers/4155550100?${new URLSearchParams({ CountryCode: bad, Fields: bad })}`);
    for (const name of ["SmsUrl", "SmsFallbackUrl", "VoiceUrl", "VoiceFallbackUrl", "StatusCallback", "FriendlyName"]) {
      await holds(`${base}/IncomingPhoneNumbers/${phone}.json`, form({ [name]: bad }));
    }
  }
});

test("what is no request of that API is refused in its shape, too", async () => {
  await holds(`${base}/Messages.json`, { method: "DELETE" });
  await holds(`${base}/Nonsense.json`);
  await holds(`${base}/Messages.json`, { method: "POST", body: "x".repeat(300_000) });
  await holds(`${base}/Messages.json`, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{" });
  await holds(`${base}/Messages.json`, { method: "POST" });
  await holds(`/2010-04-01/Accounts/AC${"0".repeat(32)}/Messages.json`);
});

test("as many calls as are ordered at the same moment are all answered", async () => {
  const order = form({ From: phone, To: "+447700900123", Twiml: "<Response/>" });
  const placing = Array.from({ length: 40 }, () => account.call(`${base}/Calls.json`, order));
  expect(new Set((await Promise.all(placing)).map(({ status }) => status))).toEqual(new Set([400]));
});

test.each([
  ["Url", { Url: "example.com/voice" }],
  ["Url", { Url: "" }],
  ["FallbackUrl", { Url: "http://127.0.0.1:1/", FallbackUrl: "example.com/voice" }],
])("a call whose %s is none is refused with its name: %j", async (name, urls) => {
  const order = form({ From: "+12125550100", To: "+12125550101", ...urls });
  const answer = await account.call(`${base}/Calls.json`, order);
  const refusal = { code: 21205, status: 400, message: expect.stringMatching(`^${name}: `) };
  expect(await answer.json()).toMatchObject(refusal);
});

test("a message whose validity ends after the end of time is refused", async () => {
  const late = { SendAt: "+275760-09-13T00:00:00Z", ValidityPeriod: "60" };
  const order = form({ From: "+12125550100", To: "+12125550101", Body: "Hello", ...late });
  expect((await account.call(`${base}/Messages.json`, order)).status).toBe(400);
});

test("a number has one subscription for a URL, however many were made, and however many set it at once", async () => {
  const number = await newNumber(tandem);
  await take(account, number);
  const digits = number.slice(1);
  const path = `${base}/IncomingPhoneNumbers/PNe${digits.length.toString(16)}${digits.padStart(30, "0")}.json`;
  const urlsOf = async () => {
    const { items } = (await (await account.call("/v1/Webhooks?PageSize=1000")).json()) as List<Webhook>;
    return items.filter(({ phone: own }) => own === number).map(({ url }) => url);
  };
  const set = (SmsUrl: string) => account.call(path, form({ SmsUrl }));
  const made = await Promise.all(["a", "b", "c", "d"].map((name) => set(`https://${name}.example/`)));
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await urlsOf()).toHaveLength(1);
  const more = { type: "InboundMessageReceived", url: "https://e.example/", phone: number, payloadShape: "Twilio" };
  expect((await account.call("/v1/Webhooks", json("POST", more))).status).toBe(201);
  await set("https://f.example/");
  expect(await urlsOf()).toEqual(["https://f.example/"]);
  expect((await account.call("/v1/Webhooks", json("POST", more))).status).toBe(201);
  await set("");
  expect(await urlsOf()).toEqual([]);
});
