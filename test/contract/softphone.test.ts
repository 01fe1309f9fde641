// A sandbox telephone for a person, as programs use it: by WebSocket.

import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createMp3Encoder } from "wasm-media-encoders";
import { WebSocket } from "ws";
import { piecesOfTone } from "../fakes/rtp-phone.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const PHONE = "+14154740288";
const TONE = "+13035550111";
const PATH = `/testkit/v1/Phone?Number=${encodeURIComponent(PHONE)}`;

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly endedBy: string | null;
}

interface OpenPhone {
  readonly socket: WebSocket;
  readonly heard: number[];
  /** Why its commands were refused. */
  readonly reasons: string[];
  /** The last state it received. */
  told(): { readonly state?: string };
  order(order: object): void;
  becomes(state: object): Promise<void>;
}

const tandem = useTandem();
let account: TestAccount;
let number: string;
const open: WebSocket[] = [];

beforeAll(async () => {
  account = await newAccount(tandem, { features: ["voice"], limits: { read: WIDE, write: WIDE, call: WIDE } });
  number = await newNumber(tandem);
  await take(account, number);
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate();
});

async function openPhone(headers: Readonly<Record<string, string>>): Promise<OpenPhone> {
  const socket = new WebSocket(tandem.url.replace("http", "ws") + PATH, { headers });
  open.push(socket);
  const heard: number[] = [];
  const texts: string[] = [];
  const reasons: string[] = [];
  socket.on("message", (data: Buffer, isBinary) => {
    const text = data.toString();
    if (!isBinary && text.startsWith('{"refused"')) reasons.push(JSON.parse(text).refused);
    else if (!isBinary) texts.push(text);
    else for (let at = 0; at < data.length; at += 2) heard.push(data.readInt16LE(at));
  });
  const told = () => JSON.parse(texts.at(-1) ?? "{}") as ReturnType<OpenPhone["told"]>;
  const phone: OpenPhone = {
    socket,
    heard,
    reasons,
    told,
    order: (order) => socket.send(JSON.stringify(order)),
    becomes: (state) => expect.poll(told, SOON).toMatchObject(state),
  };
  await phone.becomes({ state: "Idle" });
  return phone;
}

const own = () => openPhone(basic(account.sid, account.token));
const place = async (order: object) =>
  answerOf<CallBody>(await account.call("/v1/Voice/Calls", json("POST", { callerId: number, ...order })), 201);
const callOf = async ({ sid }: CallBody) => answerOf<CallBody>(await account.call(`/v1/Voice/Calls/${sid}`), 200);

test("it rings, is answered, presses a key, hears and hangs up", async () => {
  const phone = await own();
  const call = await place({ from: PHONE, to: TONE, requireKeyPress: true });
  await phone.becomes({ state: "Ringing", number });
  phone.order({ do: "answer" });
  await phone.becomes({ state: "Talking" });
  phone.order({ do: "press", key: "1" });
  await expect.poll(async () => (await callOf(call)).status, SOON).toBe("Answered");
  await expect.poll(() => piecesOfTone(phone.heard, 620), SOON).toBeGreaterThan(20);
  phone.order({ do: "hangUp" });
  await phone.becomes({ state: "Idle", ended: "ByPhone" });
  await expect.poll(async () => callOf(call), SOON).toMatchObject({ endReason: "Completed", endedBy: "First" });
});

test("it rejects a call, and sees that the other side hung up", async () => {
  const phone = await own();
  const rejected = await place({ from: TONE, to: PHONE });
  await phone.becomes({ state: "Ringing" });
  phone.order({ do: "reject" });
  await expect.poll(async () => callOf(rejected), SOON).toMatchObject({ status: "Completed", endReason: "Rejected" });
  await place({ from: PHONE, to: "+13035550107" });
  await phone.becomes({ state: "Ringing" });
  phone.order({ do: "answer" });
  await phone.becomes({ state: "Idle", ended: "ByOther" });
});

test("a simulated caller speaks a file, which is fetched again only when it has changed", async () => {
  const music = await mp3Of(1_000);
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers["if-none-match"]);
    const isKnown = request.headers["if-none-match"] === '"1"';
    response.writeHead(isKnown ? 304 : 200, { etag: '"1"', "content-type": "audio/mpeg" }).end(isKnown ? "" : music);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  try {
    await answerOf(await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: PHONE })), 200);
    const audioUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hello.mp3`;
    const order = json("POST", { from: TONE, to: number, durationSeconds: 30, audioUrl });
    for (const known of [undefined, '"1"']) {
      const phone = await own();
      const called = account.call("/testkit/v1/Emulate/inbound-call", order);
      await phone.becomes({ state: "Ringing" });
      phone.order({ do: "answer" });
      await expect.poll(() => piecesOfTone(phone.heard, 1_000), SOON).toBeGreaterThan(20);
      expect(asked.at(-1)).toBe(known);
      // It is silent when the file has ended.
      await expect.poll(() => Math.max(...phone.heard.slice(-800).map(Math.abs)), SOON).toBeLessThan(100);
      phone.order({ do: "hangUp" });
      await answerOf(await called, 200);
      phone.socket.terminate();
    }
    const gone = json("POST", { from: TONE, to: number, audioUrl: "http://127.0.0.1:1/gone.mp3" });
    expect(await problemOf(await account.call("/testkit/v1/Emulate/inbound-call", gone), 409)).toMatchObject({
      detail: expect.stringContaining("http://127.0.0.1:1/gone.mp3"),
    });
  } finally {
    server.close();
  }
});

async function mp3Of(hertz: number): Promise<Uint8Array> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: 44_100, channels: 1, bitrate: 64 });
  const tone = Float32Array.from({ length: 88_200 }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / 44_100));
  const frames = Buffer.from(encoder.encode([tone]));
  return Buffer.concat([frames, encoder.finalize()]);
}

test("it calls a number of the account, and no other", async () => {
  await answerOf(await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: TONE })), 200);
  const phone = await own();
  phone.order({ do: "call", to: number });
  await phone.becomes({ state: "Talking", number });
  phone.order({ do: "hangUp" });
  phone.order({ do: "call", to: TONE });
  await phone.becomes({ state: "Idle", ended: "Refused", status: null });
});

test("its calls count as calls of the account do", async () => {
  const limited = await newAccount(tandem, {
    features: ["voice"],
    limits: { call: { requests: 1, windowSeconds: 86_400 } },
  });
  const theirs = await newNumber(tandem);
  await take(limited, theirs);
  const phone = await openPhone(basic(limited.sid, limited.token));
  phone.order({ do: "call", to: theirs });
  // The number has no forwarding.
  await phone.becomes({ state: "Idle", ended: "Refused", status: expect.any(Number) });
  phone.order({ do: "call", to: theirs });
  await phone.becomes({ state: "Idle", ended: "Refused", status: null });
  expect(phone.reasons).toEqual([expect.stringMatching(/^1 per 86400 s are allowed/)]);
});

test("a call of another account to the same number does not ring it", async () => {
  const phone = await own();
  const other = await newAccount(tandem, { features: ["voice"] });
  await take(other, await newNumber(tandem));
  const made = await other.call("/v1/Voice/Calls", json("POST", { from: PHONE, to: "+13035550107" }));
  const { sid } = await answerOf<CallBody>(made, 201);
  const theirs = async () => answerOf<CallBody>(await other.call(`/v1/Voice/Calls/${sid}`), 200);
  // The simulated telephone of the number answers it.
  await expect.poll(theirs, SOON).toMatchObject({ endReason: "Completed", endedBy: "Second" });
  expect(phone.told()).toMatchObject({ state: "Idle", ended: null });
});

test("who opens it again takes it over", async () => {
  const phone = await own();
  const closed = once(phone.socket, "close");
  const again = await own();
  expect((await closed)[0]).toBe(4001);
  await place({ from: PHONE, to: TONE });
  await again.becomes({ state: "Ringing" });
});

test("a session has it from a page of ours, until it ends", async () => {
  const order = { accountSid: account.sid, token: account.token };
  const headers = { "Content-Type": "application/json", "X-Tandem-Session": "1" };
  const signedIn = await fetch(`${tandem.url}/v1/Session`, { ...json("POST", order), headers });
  await answerOf(signedIn, 201);
  const [Cookie = ""] = (signedIn.headers.get("Set-Cookie") ?? "").split(";", 1);
  const phone = await openPhone({ Cookie, Origin: new URL(tandem.url).origin });
  const closed = once(phone.socket, "close");
  await fetch(`${tandem.url}/v1/Session`, { method: "DELETE", headers: { Cookie, "X-Tandem-Session": "1" } });
  expect((await closed)[0]).toBe(4003);
  const evil = { headers: { Cookie, Origin: "http://evil.example" } };
  const foreign = new WebSocket(tandem.url.replace("http", "ws") + PATH, evil);
  foreign.on("error", () => undefined);
  const [, refusal] = (await once(foreign, "unexpected-response")) as [unknown, { readonly statusCode: number }];
  expect(refusal.statusCode).toBe(403);
});

test("a suspended account loses it", async () => {
  const suspended = await newAccount(tandem, { features: ["voice"] });
  const phone = await openPhone(basic(suspended.sid, suspended.token));
  const closed = once(phone.socket, "close");
  await suspended.change({ status: "Suspended" });
  expect((await closed)[0]).toBe(4003);
});

test("what is not understood ends it", async () => {
  for (const frame of ["sing", Buffer.alloc(12)]) {
    const phone = await own();
    const closed = once(phone.socket, "close");
    phone.socket.send(frame);
    expect((await closed)[0]).toBe(1008);
  }
});

test("a request without credentials, without a number, or for no WebSocket is refused", async () => {
  expect((await fetch(tandem.url + PATH)).status).toBe(401);
  const refused = (await problemOf(await account.call("/testkit/v1/Phone"), 400)) as { readonly errors?: object };
  expect(Object.keys(refused.errors ?? {})).toEqual(expect.arrayContaining(["Number", "Upgrade"]));
  expect(await problemOf(await account.call(PATH), 400)).toMatchObject({ errors: { Upgrade: [expect.any(String)] } });
  // `fetch` sends no Upgrade.
  const headers = {
    ...basic(account.sid, account.token),
    Connection: "close",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": Buffer.alloc(16).toString("base64"),
  };
  const [answer] = (await once(get(tandem.url + PATH, { headers }), "response")) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(400);
});
