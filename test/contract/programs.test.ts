// Calls that run programs, from both languages, against the telephones of the sandbox.

import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import twilio from "twilio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { piecesOfTone } from "../fakes/rtp-phone.ts";
import { twilioClient } from "../peers/twilio-client.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { listen } from "./messages.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const BUSY = "+14155550101";
const RINGS_ON = "+14155550102";
const HANGS_UP = "+14155550107";
const ANSWERS_AT_ONCE = "+14155550111";
/** They obey the test. */
const PHONE = "+14154740277";
const OTHER_PHONE = "+14154740278";

interface CallBody {
  readonly sid: string;
  readonly endReason: string | null;
  readonly legs: readonly {
    readonly leg: string;
    readonly from: string;
    readonly to: string;
    readonly endReason: string | null;
  }[];
}

interface Why {
  readonly steps: readonly { readonly step: string; readonly details: Readonly<Record<string, unknown>> }[];
}

const tandem = useTandem();
interface Request {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** Path → what it answers. */
const answers = new Map<string, string | Buffer>();
const requests: Request[] = [];
let server: Server;

beforeAll(() => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = "", url = "", headers } = request;
    requests.push({ method, url, headers, body: Buffer.concat(parts).toString() });
    const [path = ""] = url.split("?", 1);
    const answer = answers.get(path);
    response.statusCode = answer === undefined ? 404 : 200;
    response.setHeader("Content-Type", typeof answer === "string" ? "text/xml" : "audio/wav").end(answer);
  });
  server.listen(0, "127.0.0.1");
});
afterAll(() => void server.close());

const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const newCaller = () =>
  newAccount(tandem, { features: ["voice"], limits: { read: WIDE, write: WIDE, call: WIDE }, token: { signs: true } });

/** A number whose calls run this program. */
async function newProgram(account: TestAccount, payloadShape: "A" | "Twilio", xml: string): Promise<string> {
  const number = await newNumber(tandem);
  await take(account, number);
  answers.set(`/${account.sid}/`, xml);
  const url = `${base()}/${account.sid}/`;
  const order = json("POST", { type: "InboundCallReceived", url, payloadShape });
  await answerOf(await account.call("/v1/Webhooks", order), 201);
  return number;
}

interface Caller {
  readonly account?: TestAccount;
  readonly durationSeconds?: number;
  readonly digits?: string;
}

/** Calls a number that runs this program, and resolves when the call has ended. */
async function run(payloadShape: "A" | "Twilio", xml: string, caller: Caller = {}) {
  const { account = await newCaller(), durationSeconds = 60, digits = "" } = caller;
  const number = await newProgram(account, payloadShape, xml);
  const ear = await listen(account);
  const order = json("POST", { from: "+12125550123", to: number, durationSeconds, digits });
  const emulated = await account.call("/testkit/v1/Emulate/inbound-call", order);
  await answerOf(emulated, xml.includes("<Reject") ? 409 : 200);
  await ear.until(
    ({ type, payload }) =>
      type === "CallStatusChangedWebhook" && payload.Leg === "First" && payload.Status === "Completed",
  );
  const told = ear.heard
    .filter(({ type }) => type === "CallStatusChangedWebhook")
    .map(({ payload }) => `${payload.To} ${payload.Status}`);
  await ear.leave();
  const call = await callOf(account);
  return { call, steps: await stepsOf(account, call), number, told };
}

async function callOf(account: TestAccount): Promise<CallBody> {
  const { items } = await answerOf<{ items: readonly CallBody[] }>(await account.call("/v1/Voice/Calls"), 200);
  return items[0] as CallBody;
}

const stepsOf = async (account: TestAccount, { sid }: CallBody) =>
  (await answerOf<Why>(await account.call(`/v1/Voice/Calls/${sid}/why`), 200)).steps;

/** Resolves when the trail of the account's call contains this text. */
async function noted(account: TestAccount, text: string): Promise<void> {
  const trail = async () => {
    const call: CallBody | undefined = await callOf(account);
    return call ? JSON.stringify(await stepsOf(account, call)) : "";
  };
  await expect.poll(trail, SOON).toContain(text);
}

/** A telephone that obeys the test. */
async function openPhone(account: TestAccount, number = PHONE) {
  const path = `/testkit/v1/Phone?Number=${encodeURIComponent(number)}`;
  const socket = new WebSocket(tandem.url.replace("http", "ws") + path, { headers: basic(account.sid, account.token) });
  let told = "";
  const heard: number[] = [];
  socket.on("message", (data: Buffer, isBinary) => {
    if (!isBinary) told = data.toString();
    else for (let at = 0; at < data.length; at += 2) heard.push(data.readInt16LE(at));
  });
  const becomes = (state: string) => expect.poll(() => told, SOON).toContain(`"state":"${state}"`);
  await becomes("Idle");
  return {
    heard,
    order: (order: object) => socket.send(JSON.stringify(order)),
    becomes,
    close: () => socket.terminate(),
  };
}

const busyThenTalk = (own: boolean) => {
  const response = new twilio.twiml.VoiceResponse();
  response.say("One moment.");
  response.pause({ length: 1 });
  response.dial(BUSY);
  response.say("Nobody is there.");
  response.dial().number(HANGS_UP);
  response.say("Goodbye.");
  response.hangup();
  const text = response.toString();
  return own ? text.replace("length", "Length") : text;
};

test.each([
  ["our own language", "A"],
  ["TwiML", "Twilio"],
] as const)("in %s a program dials one party after another and has the last word", async (_, shape) => {
  const { call, steps, number, told } = await run(shape, busyThenTalk(shape === "A"));
  expect(told).toEqual([
    `${number} Answered`,
    `${BUSY} Completed`,
    ...["Ringing", "Answered", "Completed"].map((status) => `${HANGS_UP} ${status}`),
    `${number} Completed`,
  ]);
  expect(call).toMatchObject({
    endReason: "ScriptHangup",
    legs: [
      { leg: "First", to: number, endReason: "ScriptHangup" },
      { leg: "Second", to: BUSY, endReason: "Busy" },
      { leg: "Second", to: HANGS_UP, endReason: "Completed" },
    ],
  });
  expect(steps.filter(({ step }) => step === "instruction").map(({ details }) => details)).toEqual([
    { say: "One moment." },
    { pause: 1 },
    { dial: BUSY },
    { say: "Nobody is there." },
    { dial: HANGS_UP },
    { say: "Goodbye." },
    { hangUp: true },
  ]);
});

test("a caller who hangs up ends the program and the party that it dialled", async () => {
  const script = "<Response><Dial>+14155550111</Dial><Say>Nobody hears this.</Say></Response>";
  const { call, steps } = await run("A", script, { durationSeconds: 2 });
  expect(call).toMatchObject({
    endReason: "Completed",
    legs: [{ endReason: "Completed" }, { endReason: "Completed" }],
  });
  expect(JSON.stringify(steps.filter(({ step }) => step === "instruction"))).not.toContain("Nobody hears");
});

test.each(["A", "Twilio"] as const)(
  "a caller is answered when the dialled party has answered (shape %s)",
  async (shape) => {
    const attribute = shape === "A" ? "AnswerOnBridge" : "answerOnBridge";
    const { call, number, told } = await run(
      shape,
      `<Response><Dial ${attribute}="true">${HANGS_UP}</Dial></Response>`,
    );
    // The second party's Completed comes after the last event that was waited for.
    expect(told.slice(0, 4)).toEqual([
      ...["Ringing", "Answered"].map((status) => `${HANGS_UP} ${status}`),
      ...["Answered", "Completed"].map((status) => `${number} ${status}`),
    ]);
    expect(call).toMatchObject({ endReason: "Completed", legs: [{ to: number }, { to: HANGS_UP }] });
  },
);

test("of a hunt group the first that answers is connected, and the others are hung up", async () => {
  const response = new twilio.twiml.VoiceResponse();
  const dial = response.dial({ timeout: 20 });
  for (const number of [BUSY, RINGS_ON, HANGS_UP]) dial.number(number);
  response.say("Goodbye.");
  const { call, number, told } = await run("Twilio", response.toString());
  expect(call).toMatchObject({
    endReason: "ScriptHangup",
    legs: [
      { leg: "First", to: number, endReason: "ScriptHangup" },
      { leg: "Second", to: BUSY, endReason: "Busy" },
      { leg: "Second", to: RINGS_ON, endReason: "Canceled" },
      { leg: "Second", to: HANGS_UP, endReason: "Completed" },
    ],
  });
  const toldOf = (to: string) => told.filter((one) => one.startsWith(to)).map((one) => one.slice(to.length + 1));
  expect(toldOf(BUSY)).toEqual(["Completed"]);
  expect(toldOf(RINGS_ON)).toEqual(["Ringing", "Completed"]);
  expect(toldOf(HANGS_UP)).toEqual(["Ringing", "Answered", "Completed"]);
});

test("a party beyond what the account may call at the same time is not called", async () => {
  const account = await newAccount(tandem, {
    features: ["voice"],
    limits: { read: WIDE, write: WIDE, concurrentCalls: { requests: 2, windowSeconds: 1 } },
  });
  const nouns = [RINGS_ON, HANGS_UP, ANSWERS_AT_ONCE].map((number) => `<Number>${number}</Number>`).join("");
  const { call, steps } = await run("A", `<Response><Dial>${nouns}</Dial><Say>Goodbye.</Say></Response>`, { account });
  expect(call.legs.slice(1)).toMatchObject([
    { to: RINGS_ON, endReason: "Canceled" },
    { to: HANGS_UP, endReason: "Completed" },
    { to: ANSWERS_AT_ONCE, endReason: "Failed" },
  ]);
  expect(JSON.stringify(steps)).toContain("The account may have 2 calls at the same time");
});

test("what a party hears before it is connected is heard by nobody else, and it accepts by a key", async () => {
  const account = await newCaller();
  const { VoiceResponse } = twilio.twiml;
  const whisper = new VoiceResponse();
  whisper.gather({ numDigits: 1, action: "accept" }).play({ loop: 20 }, "tone.wav");
  whisper.hangup();
  const dialling = new VoiceResponse();
  dialling.dial().number({ url: "whisper" }, OTHER_PHONE);
  answers.set(`/${account.sid}/whisper`, whisper.toString());
  answers.set(`/${account.sid}/accept`, new VoiceResponse().toString());
  answers.set(
    `/${account.sid}/tone.wav`,
    wavOf((at) => 8_000 * Math.sin((2 * Math.PI * 1_000 * at) / 8_000)),
  );
  const number = await newProgram(account, "Twilio", dialling.toString());
  const caller = await openPhone(account);
  const callee = await openPhone(account, OTHER_PHONE);
  caller.order({ do: "call", to: number });
  await callee.becomes("Ringing");
  callee.order({ do: "answer" });
  await expect.poll(() => piecesOfTone(callee.heard, 1_000), SOON).toBeGreaterThan(20);
  callee.order({ do: "press", key: "1" });
  await noted(account, '"joined"');
  caller.order({ do: "hangUp" });
  await noted(account, '"ended"');
  for (const phone of [caller, callee]) phone.close();
  expect(piecesOfTone(caller.heard, 1_000)).toBe(0);
  expect(caller.heard.some((sample) => Math.abs(sample) > 1_000)).toBe(true);
  const call = await callOf(account);
  expect(call.legs).toMatchObject([{ endReason: "Completed" }, { to: OTHER_PHONE, endReason: "Completed" }]);
  const asked = requests.filter(({ url }) => /whisper|accept/.test(url) && url.startsWith(`/${account.sid}`));
  const common = { ParentCallSid: call.sid, To: OTHER_PHONE, Direction: "outbound-dial", CallStatus: "in-progress" };
  expect(asked.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toMatchObject([
    { ...common, CallSid: expect.stringMatching(/^CA/) },
    { ...common, CallSid: expect.not.stringMatching(call.sid), Digits: "1" },
  ]);
});

test.each(["A", "Twilio"] as const)("a party that declines is not connected (shape %s)", async (shape) => {
  const account = await newCaller();
  answers.set(`/${account.sid}/whisper`, "<Response><Say>Not now.</Say><Hangup/></Response>");
  answers.set(`/${account.sid}/after`, "<Response><Say>Goodbye.</Say></Response>");
  const url = shape === "A" ? "Url" : "url";
  const dialling = `<Dial ${shape === "A" ? "Action" : "action"}="after"><Number ${url}="whisper">${ANSWERS_AT_ONCE}</Number></Dial>`;
  const { call, steps, told } = await run(shape, `<Response>${dialling}</Response>`, { account });
  expect(call).toMatchObject({ endReason: "ScriptHangup", legs: [{}, { endReason: "ScriptHangup" }] });
  expect(told.slice(-4)).toEqual([
    ...["Ringing", "Answered", "Completed"].map((status) => `${ANSWERS_AT_ONCE} ${status}`),
    expect.stringContaining("Completed"),
  ]);
  expect(JSON.stringify(steps)).toContain('{"leg":"Second","say":"Not now."}');
  const [, whispered, after] = requests.filter((one) => one.url.startsWith(`/${account.sid}`)).map(({ body }) => body);
  if (shape === "A") {
    const party = { CallSid: call.sid, LegSid: expect.stringMatching(/^LG/), To: ANSWERS_AT_ONCE };
    expect(JSON.parse(whispered ?? "")).toMatchObject({ ...party, Direction: "Outbound", CallStatus: "Answered" });
    expect(JSON.parse(after ?? "")).toMatchObject({ DialCallStatus: "ScriptHangup" });
  } else {
    const form = Object.fromEntries(new URLSearchParams(after));
    expect(form).toMatchObject({ DialCallStatus: "no-answer", DialBridged: "false" });
  }
});

test("a party that hangs up while it hears what is for it alone has not answered for the caller", async () => {
  const account = await newCaller();
  const { VoiceResponse } = twilio.twiml;
  const whisper = new VoiceResponse();
  whisper.say({ loop: 20 }, "A call for sales.");
  const dialling = new VoiceResponse();
  dialling.dial({ action: "after" }).number({ url: "whisper", method: "GET" }, OTHER_PHONE);
  const after = new VoiceResponse();
  after.say("Nobody is there.");
  for (const [page, response] of Object.entries({ whisper, after }))
    answers.set(`/${account.sid}/${page}`, response.toString());
  const number = await newProgram(account, "Twilio", dialling.toString());
  const caller = await openPhone(account);
  const callee = await openPhone(account, OTHER_PHONE);
  caller.order({ do: "call", to: number });
  await callee.becomes("Ringing");
  callee.order({ do: "answer" });
  await noted(account, '"say":"A call for sales."');
  callee.order({ do: "hangUp" });
  await noted(account, '"say":"Nobody is there."');
  await noted(account, '"ended"');
  for (const phone of [caller, callee]) phone.close();
  const asked = requests.filter(({ url }) => url.startsWith(`/${account.sid}/`));
  expect(asked.map(({ method, url }) => `${method} ${url.split("?", 1)}`).slice(1)).toEqual([
    `GET /${account.sid}/whisper`,
    `POST /${account.sid}/after`,
  ]);
  const form = Object.fromEntries(new URLSearchParams(asked.at(-1)?.body));
  expect(form).toMatchObject({ DialCallStatus: "no-answer", DialBridged: "false" });
  expect((await callOf(account)).legs[1]).toMatchObject({ to: OTHER_PHONE, endReason: "NoAnswer" });
});

test("in that provider's shape a dialled party is a call of its own, which can be hung up", async () => {
  const account = await newCaller();
  const client = twilioClient(tandem, account);
  const dialling = new twilio.twiml.VoiceResponse();
  dialling.dial({ action: "after" }, BUSY);
  const again = new twilio.twiml.VoiceResponse();
  again.dial(ANSWERS_AT_ONCE);
  again.say("Goodbye.");
  answers.set(`/${account.sid}/after`, again.toString());
  const number = await newProgram(account, "Twilio", dialling.toString());
  const phone = await openPhone(account);
  phone.order({ do: "call", to: number });
  await noted(account, '"joined"');
  const { sid } = await callOf(account);
  const parties = await client.calls.list({ parentCallSid: sid });
  expect(parties).toMatchObject([
    { to: ANSWERS_AT_ONCE, status: "in-progress", direction: "outbound-dial", parentCallSid: sid },
    { to: BUSY, status: "busy", direction: "outbound-dial", parentCallSid: sid },
  ]);
  const form = new URLSearchParams(requests.find(({ url }) => url === `/${account.sid}/after`)?.body);
  expect(form.get("DialCallSid")).toBe(parties[1]?.sid);
  const party = client.calls(parties[0]?.sid ?? "");
  expect(await party.fetch()).toMatchObject({ to: ANSWERS_AT_ONCE, status: "in-progress", parentCallSid: sid });
  expect((await client.calls.list({ parentCallSid: sid, to: BUSY })).map((one) => one.sid)).toEqual([parties[1]?.sid]);
  expect(await client.calls.list({ parentCallSid: sid, status: "ringing" })).toEqual([]);
  expect((await client.calls.list({ parentCallSid: sid, pageSize: 1 })).map((one) => one.sid)).toEqual(
    parties.map((one) => one.sid),
  );
  expect((await client.calls.list()).map((one) => one.sid)).toEqual([sid]);
  await expect(party.update({ twiml: "<Response/>" })).rejects.toThrow("its parent goes on elsewhere");
  expect(await party.update({ status: "completed" })).toMatchObject({ status: "completed", parentCallSid: sid });
  await noted(account, '"say":"Goodbye."');
  await noted(account, '"ended"');
  phone.close();
  expect(await callOf(account)).toMatchObject({ endReason: "ScriptHangup", legs: [{}, {}, { endReason: "HungUp" }] });
  const stranger = twilioClient(tandem, await newCaller());
  await expect(stranger.calls(parties[0]?.sid ?? "").fetch()).rejects.toMatchObject({ status: 404 });
  await expect(stranger.calls(parties[0]?.sid ?? "").update({ status: "completed" })).rejects.toMatchObject({
    status: 404,
  });
  expect(await stranger.calls.list({ parentCallSid: sid })).toEqual([]);
});

test("the dialled party sees another number of the account, and none of anybody else", async () => {
  const account = await newCaller();
  const other = await newNumber(tandem);
  await take(account, other);
  const dials = [other, "+14155550199"].map((number) => `<Dial CallerId="${number}">${HANGS_UP}</Dial>`);
  const { call, steps } = await run("A", `<Response>${dials.join("")}</Response>`, { account });
  expect(call.legs.map(({ from, to }) => [from, to])).toEqual([
    ["+12125550123", expect.any(String)],
    [other, HANGS_UP],
  ]);
  expect(JSON.stringify(steps)).toContain("The number to show cannot be shown: +14155550199.");
});

test("a menu of two levels, built by that provider's package, is asked with signed parameters", async () => {
  const account = await newCaller();
  const { VoiceResponse } = twilio.twiml;
  const menu = new VoiceResponse();
  menu.gather({ numDigits: 1, action: "level/two?a=1" }).say("For sales press one.");
  menu.say("Nobody hears this.");
  const level = new VoiceResponse();
  level.gather({ finishOnKey: "#", action: "three", method: "GET" }).say("Your number, then the hash key.");
  const dialling = new VoiceResponse();
  dialling.dial({ action: "/after", timeout: 20 }, BUSY);
  const last = new VoiceResponse();
  last.say("Goodbye.");
  answers.set(`/${account.sid}/level/two`, level.toString());
  answers.set(`/${account.sid}/level/three`, dialling.toString());
  answers.set("/after", last.toString());
  const from = requests.length;
  const number = await newProgram(account, "Twilio", menu.toString());
  const phone = await openPhone(account);
  phone.order({ do: "call", to: number });
  await noted(account, '"say":"For sales');
  phone.order({ do: "press", key: "1" });
  await noted(account, '"say":"Your number');
  for (const key of ["4", "2", "#"]) phone.order({ do: "press", key });
  await noted(account, '"ended"');
  phone.close();
  const call = await callOf(account);
  expect(call).toMatchObject({ endReason: "ScriptHangup", legs: [{}, { to: BUSY, endReason: "Busy" }] });
  const asked = requests.slice(from).filter(({ url }) => url.startsWith(`/${account.sid}`) || url === "/after");
  expect(asked.map(({ method, url }) => `${method} ${url.split("?", 1)[0]}`)).toEqual([
    `POST /${account.sid}/`,
    `POST /${account.sid}/level/two`,
    `GET /${account.sid}/level/three`,
    "POST /after",
  ]);
  const forms = asked.map(({ method, url, body }) =>
    Object.fromEntries(new URLSearchParams(method === "GET" ? url.split("?", 2)[1] : body)),
  );
  const common = {
    CallSid: call.sid,
    AccountSid: account.sid,
    To: number,
    CallStatus: "in-progress",
    Direction: "inbound",
  };
  expect(forms.slice(1)).toMatchObject([
    { ...common, Digits: "1" },
    { ...common, Digits: "42" },
    { ...common, DialCallStatus: "busy", DialCallSid: expect.stringMatching(/^CA/), DialBridged: "false" },
  ]);
  asked.forEach(({ method, url, headers }, place) => {
    const signature = String(headers["x-twilio-signature"]);
    const parameters = method === "GET" ? {} : (forms[place] ?? {});
    expect(twilio.validateRequest(account.token, signature, `${base()}${url}`, parameters)).toBe(true);
  });
});

test("an ordered call asks its URL when the party has answered, and not before", async () => {
  const account = await newCaller();
  const number = await newNumber(tandem);
  await take(account, number);
  const { VoiceResponse } = twilio.twiml;
  const menu = new VoiceResponse();
  menu.gather({ numDigits: 1, action: "pressed" }).say("Press a key.");
  const last = new VoiceResponse();
  last.say("Thanks.");
  answers.set(`/${account.sid}/ordered`, menu.toString());
  answers.set(`/${account.sid}/pressed`, last.toString());
  const asked = () => requests.filter(({ url }) => url.startsWith(`/${account.sid}`));
  const phone = await openPhone(account);
  const order = { from: number, to: PHONE, url: `${base()}/${account.sid}/ordered` };
  const { sid } = await twilioClient(tandem, account).calls.create(order);
  await phone.becomes("Ringing");
  expect(asked()).toEqual([]);
  phone.order({ do: "answer" });
  await noted(account, '"say":"Press a key."');
  phone.order({ do: "press", key: "5" });
  await noted(account, '"ended"');
  phone.close();
  expect(await callOf(account)).toMatchObject({ sid, endReason: "ScriptHangup", legs: [{ to: PHONE }] });
  const common = { CallSid: sid, From: number, To: PHONE, CallStatus: "in-progress", Direction: "outbound-api" };
  expect(asked().map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toMatchObject([
    common,
    { ...common, Digits: "5" },
  ]);
});

test.each(["script", "scriptUrl"] as const)("an order of our own runs the program that its %s is", async (member) => {
  const account = await newCaller();
  const number = await newNumber(tandem);
  await take(account, number);
  const script = `<Response><Gather NumDigits="1" Action="${base()}/${account.sid}/pressed"><Say>Press a key.</Say></Gather></Response>`;
  const url = `${base()}/${account.sid}/ordered`;
  answers.set(`/${account.sid}/ordered`, script);
  answers.set(`/${account.sid}/pressed`, "<Response><Say>Thanks.</Say></Response>");
  const phone = await openPhone(account);
  const program = member === "script" ? { script } : { scriptUrl: `${url}#part` };
  const placed = await answerOf<CallBody>(
    await account.call("/v1/Voice/Calls", json("POST", { to: PHONE, ...program })),
    201,
  );
  expect(placed).toMatchObject({ direction: "Outbound", from: number, to: PHONE, legs: [{ from: number, to: PHONE }] });
  await phone.becomes("Ringing");
  phone.order({ do: "answer" });
  await noted(account, '"say":"Press a key."');
  phone.order({ do: "press", key: "5" });
  await noted(account, '"ended"');
  phone.close();
  const call = await callOf(account);
  expect(call).toMatchObject({ sid: placed.sid, endReason: "ScriptHangup", legs: [{ to: PHONE }] });
  const asked = requests.filter((one) => one.url.startsWith(`/${account.sid}`)).map(({ body }) => JSON.parse(body));
  const common = { CallSid: placed.sid, From: number, To: PHONE, Direction: "Outbound", CallStatus: "Answered" };
  expect(asked).toMatchObject([...(member === "script" ? [] : [common]), { ...common, Digits: "5" }]);
});

test.each([
  [{}, "One of these is required: from, script, scriptUrl."],
  [{ from: BUSY, script: "<Response/>" }, "Give one of these: from, script, scriptUrl."],
  [{ script: "<Response><Redirect>next</Redirect></Response>" }, "name the whole URL to ask."],
  [{ script: "<Response><Sing/></Response>" }, "Line 1, column "],
  [{ scriptUrl: "http://user:secret@example.com/" }, '"scriptUrl":['],
])("an order of our own that is wrong is refused: %j", async (order, reason) => {
  const account = await newCaller();
  const refusal = await answerOf(await account.call("/v1/Voice/Calls", json("POST", { to: "soon", ...order })), 400);
  expect(JSON.stringify(refusal)).toContain(reason);
  expect(refusal).toMatchObject({ errors: { to: [expect.any(String)] } });
});

test.each(["A", "Twilio"] as const)(
  "a call under way goes on elsewhere, in the middle of a dial (shape %s)",
  async (shape) => {
    const account = await newCaller();
    const number = await newNumber(tandem);
    await take(account, number);
    answers.set(`/${account.sid}/elsewhere`, "<Response><Say>Elsewhere.</Say><Redirect>last</Redirect></Response>");
    answers.set(`/${account.sid}/last`, "<Response><Say>Goodbye.</Say></Response>");
    const url = `${base()}/${account.sid}/elsewhere`;
    const script = `<Response><Dial Action="${base()}/${account.sid}/after">${ANSWERS_AT_ONCE}</Dial></Response>`;
    const client = twilioClient(tandem, account);
    const phone = await openPhone(account);
    const placed =
      shape === "A"
        ? await answerOf<CallBody>(await account.call("/v1/Voice/Calls", json("POST", { to: PHONE, script })), 201)
        : await client.calls.create({ from: number, to: PHONE, twiml: script.replace("Action", "action") });
    const path = `/v1/Voice/Calls/${placed.sid}/redirect`;
    const redirect = async () =>
      shape === "A"
        ? await answerOf<CallBody>(await account.call(path, json("POST", { scriptUrl: url })), 200)
        : await client.calls(placed.sid).update({ url });
    await phone.becomes("Ringing");
    expect(await problemOf(await account.call(path, json("POST", { scriptUrl: url })), 409)).toMatchObject({
      code: "call-not-in-progress",
    });
    phone.order({ do: "answer" });
    await noted(account, '"joined"');
    expect(await redirect()).toMatchObject({ sid: placed.sid });
    await noted(account, '"say":"Goodbye."');
    await noted(account, '"ended"');
    phone.close();
    expect(await callOf(account)).toMatchObject({
      endReason: "ScriptHangup",
      legs: [
        { to: PHONE, endReason: "ScriptHangup" },
        { to: ANSWERS_AT_ONCE, endReason: "Completed" },
      ],
    });
    const asked = requests.filter((one) => one.url.startsWith(`/${account.sid}`));
    expect(asked.map((one) => one.url.split("/").at(-1)).toSorted()).toEqual(["after", "elsewhere", "last"]);
    expect(await problemOf(await account.call(path, json("POST", { scriptUrl: url })), 409)).toMatchObject({
      detail: "The call has ended.",
    });
  },
);

test("our own language asks with JSON, signed with the account's secret; without keys the next instruction follows", async () => {
  const account = await newCaller();
  const { secret } = await answerOf<{ secret: string }>(
    await account.call("/v1/Account/webhookSecret", { method: "POST" }),
    200,
  );
  answers.set(`/${account.sid}/menu`, "<Response><Gather Timeout='1'/><Redirect>gone</Redirect></Response>");
  const from = requests.length;
  const { call, steps } = await run("A", "<Response><Gather NumDigits='2' Action='menu'/></Response>", {
    account,
    digits: "42",
  });
  expect(call.endReason).toBe("ScriptUnavailable");
  const [, asked, gone] = requests.slice(from).filter(({ url }) => url.startsWith(`/${account.sid}`));
  expect(gone?.url).toBe(`/${account.sid}/gone`);
  expect(JSON.parse(asked?.body ?? "")).toMatchObject({ CallSid: call.sid, CallStatus: "Answered", Digits: "42" });
  expect(() => new Webhook(secret).verify(asked?.body ?? "", asked?.headers as Record<string, string>)).not.toThrow();
  expect(JSON.stringify(steps)).toContain("It answered 404.");
});

/** A WAV file of half a second, 8 kHz, 16 bit. */
function wavOf(sampleAt: (at: number) => number): Buffer {
  const samples = Buffer.alloc(8_000);
  for (let at = 0; at < 4_000; at++) samples.writeInt16LE(Math.round(sampleAt(at)), at * 2);
  return Buffer.concat([
    Buffer.from("RIFF....WAVEfmt ", "latin1"),
    Buffer.from("1000000001000100401f0000803e000002001000", "hex"),
    Buffer.from("64617461401f0000", "hex"),
    samples,
  ]);
}

const PAGE = readFileSync(fileURLToPath(new URL("../../docs/programs.md", import.meta.url)), "utf8");
const EXAMPLES = [...PAGE.matchAll(/^<!-- (A|Twilio) -->\n```xml\n(.*?)^```$/gms)].flatMap(([, shape, block = ""]) =>
  block
    .trim()
    .split("\n")
    .map((line) => [shape as "A" | "Twilio", line] as const),
);

test.concurrent.each(EXAMPLES)("the example in %s runs: %s", async (shape, line) => {
  const account = await newCaller();
  for (const page of ["menu", "after", "whisper"])
    answers.set(`/${account.sid}/${page}`, "<Response><Say>Well.</Say></Response>");
  answers.set(
    `/${account.sid}/hello.wav`,
    wavOf(() => 0),
  );
  const { call, steps } = await run(shape, line, { durationSeconds: 8, account });
  expect(JSON.stringify(steps)).not.toContain("could not be");
  const script = steps.find(({ step }) => step === "script");
  expect(script?.details.reason).toBeUndefined();
  expect(["ScriptHangup", "Completed", "Canceled"]).toContain(call.endReason);
});
