// Calls whose sound goes to a program over a WebSocket and comes back, against a telephone of the sandbox: RTP on one
// side, a WebSocket server on the other.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import twilio from "twilio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { decodeSample } from "../fakes/g711.ts";
import { piecesOfTone } from "../fakes/rtp-phone.ts";
import { encodeUlaw } from "../fakes/tone.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, newNumber, SOON, take, WIDE, whenListed } from "./numbers.ts";
import { openPhone } from "./speaking-phone.ts";

const HEARD_HERTZ = 440;
/** Obeys the test. */
const SPEAKS = { number: "+14154740278", hertz: HEARD_HERTZ };
const SAID_HERTZ = 1_000;
const RECENT_MESSAGES = 100;
/** On a busy machine there are gaps in a tone. */
const PIECES = 5;

interface Message {
  readonly event: string;
  readonly sequenceNumber?: string;
  readonly streamSid?: string;
  readonly media?: {
    readonly track: string;
    readonly chunk: string;
    readonly timestamp: string;
    readonly payload: string;
  };
  readonly mark?: { readonly name: string };
  readonly [event: string]: unknown;
}

interface Asked {
  readonly url: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

const tandem = useTandem();
const answers = new Map<string, string>();
const requests: Asked[] = [];
let server: Server;
let sockets: WebSocketServer;

beforeAll(() => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { url = "", headers } = request;
    requests.push({ url, headers, body: Buffer.concat(parts).toString() });
    const answer = answers.get(url);
    response.statusCode = answer === undefined ? 404 : 200;
    response.setHeader("Content-Type", "text/xml").end(answer);
  });
  sockets = new WebSocketServer({ server });
  server.listen(0, "127.0.0.1");
});
afterAll(() => {
  sockets.close();
  server.close();
});

const place = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
const newCaller = () =>
  newAccount(tandem, { features: ["voice"], limits: { read: WIDE, write: WIDE, call: WIDE }, token: { signs: true } });

/** A number whose calls are answered with this document. */
async function newProgram(account: TestAccount, payloadShape: "A" | "Twilio", xml: string): Promise<string> {
  const number = await newNumber(tandem);
  await take(account, number);
  const path = `/${account.sid}/`;
  answers.set(path, xml);
  const order = json("POST", { type: "InboundCallReceived", url: `http://${place()}${path}`, payloadShape });
  await answerOf(await account.call("/v1/Webhooks", order), 201);
  return number;
}

/** The next program that is connected at a path. */
function nextProgram(path: string) {
  return new Promise<ReturnType<typeof programOf>>((resolve) => {
    const connected = (socket: WebSocket, request: IncomingMessage) => {
      if (request.url !== path) return;
      sockets.off("connection", connected);
      resolve(programOf(socket, request.headers));
    };
    sockets.on("connection", connected);
  });
}

function programOf(socket: WebSocket, headers: IncomingHttpHeaders) {
  const heard: Message[] = [];
  let closedBy: number | undefined;
  const frames: Buffer[] = [];
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) frames.push(data);
    else heard.push(JSON.parse(data.toString()));
  });
  socket.on("close", (code) => {
    closedBy = code;
  });
  const say = (message: object) => socket.send(JSON.stringify(message));
  return {
    headers,
    heard,
    say,
    close: () => socket.close(1000),
    stopReading: () => socket.pause(),
    cut: () => socket.terminate(),
    closedBy: () => closedBy,
    ofKind: (event: string) => heard.filter((one) => one.event === event),
    marks: () => heard.flatMap(({ mark }) => (mark ? [mark.name] : [])),
    play: (octets: Uint8Array) => say({ event: "media", streamSid: null, media: { payload: base64(octets) } }),
    mark: (name: string) => say({ event: "mark", streamSid: null, mark: { name } }),
    clear: () => say({ event: "clear", streamSid: null }),
    /** Pieces of this tone in the frames that came last. */
    hearsSamples(hertz: number, rate: number) {
      const octets = Buffer.concat(frames.slice(-RECENT_MESSAGES));
      const samples = Array.from({ length: octets.length / 2 }, (_, at) => octets.readInt16LE(2 * at));
      return piecesOfTone(
        samples.filter((_, at) => at % (rate / 8_000) === 0),
        hertz,
      );
    },
    playSamples(hertz: number, rate: number, seconds: number) {
      const octets = Buffer.alloc(2 * rate * seconds);
      for (let at = 0; at < rate * seconds; at++) {
        octets.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * hertz * at) / rate)), 2 * at);
      }
      socket.send(octets);
    },
    /** Pieces of this tone in what came last. */
    hears: (hertz: number) => piecesOfTone(linear(heard.slice(-RECENT_MESSAGES)), hertz),
  };
}

const base64 = (octets: Uint8Array) => Buffer.from(octets).toString("base64");

function linear(heard: readonly Message[]): number[] {
  const octets = heard.flatMap(({ media }) => (media ? [...Buffer.from(media.payload, "base64")] : []));
  return octets.map((octet) => decodeSample("PCMU", octet));
}

interface Step {
  readonly step: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The requests to a status callback, once there were so many. */
async function toldAt({ sid }: TestAccount, times: number): Promise<readonly Asked[]> {
  const told = () => requests.filter(({ url }) => url === `/${sid}/told`);
  await expect.poll(() => told().length, SOON).toBe(times);
  return told();
}

async function onlyCall(account: TestAccount): Promise<{ readonly sid: string; readonly endReason: string | null }> {
  const answer = await account.call("/v1/Voice/Calls");
  const { items } = await answerOf<{ items: readonly { sid: string; endReason: string | null }[] }>(answer, 200);
  return items[0] ?? { sid: "", endReason: null };
}

async function stepsOf(account: TestAccount): Promise<readonly Step[]> {
  const { sid } = await onlyCall(account);
  if (sid === "") return [];
  return (await answerOf<{ steps: readonly Step[] }>(await account.call(`/v1/Voice/Calls/${sid}/why`), 200)).steps;
}

const noted = (account: TestAccount, text: string) =>
  expect.poll(async () => JSON.stringify(await stepsOf(account)), SOON).toContain(text);

test("a TwiML program talks with a caller: sound both ways, marks in order, clear, keys, then its action", async () => {
  const account = await newCaller();
  const url = `ws://${place()}/${account.sid}/agent`;
  const twiml = new twilio.twiml.VoiceResponse();
  const callback = { statusCallback: "told", statusCallbackMethod: "POST" } as const;
  const stream = twiml.connect({ action: "after" }).stream({ url, name: "agent", ...callback });
  stream.parameter({ name: "customer", value: 'Ann "A" Lee' });
  twiml.say("Never.");
  answers.set(`/${account.sid}/after`, new twilio.twiml.VoiceResponse().toString());
  answers.set(`/${account.sid}/told`, "");
  const number = await newProgram(account, "Twilio", twiml.toString());
  const coming = nextProgram(`/${account.sid}/agent`);
  const phone = await openPhone(tandem, account, SPEAKS);
  phone.order({ do: "call", to: number });
  const program = await coming;
  const { sid: callSid } = await onlyCall(account);
  const signature = String(program.headers["x-twilio-signature"]);
  expect(twilio.validateRequest(account.token, signature, url, {})).toBe(true);

  // What the caller says.
  await expect.poll(() => program.hears(HEARD_HERTZ), SOON).toBeGreaterThan(PIECES);
  const [connected, started] = program.heard;
  const streamSid = started?.streamSid;
  expect(streamSid).toMatch(/^MZ[0-9a-f]{32}$/);
  expect(connected).toEqual({ event: "connected", protocol: "Call", version: "1.0.0" });
  expect(started).toEqual({
    event: "start",
    sequenceNumber: "1",
    streamSid,
    start: {
      streamSid,
      accountSid: account.sid,
      callSid,
      tracks: ["inbound"],
      customParameters: { customer: 'Ann "A" Lee' },
      mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
    },
  });

  // What the program says, with marks.
  program.play(encodeUlaw(SAID_HERTZ, 1));
  program.mark("one");
  program.say({ event: "connected" });
  program.play(encodeUlaw(SAID_HERTZ, 1));
  program.mark("two");
  program.mark("two");
  await expect.poll(() => phone.hears(SAID_HERTZ), SOON).toBeGreaterThan(PIECES);
  expect(program.marks().length).toBeLessThan(3);
  await expect.poll(() => program.marks(), SOON).toEqual(["one", "two", "two"]);
  program.mark("at once");
  await expect.poll(() => program.marks(), SOON).toEqual(["one", "two", "two", "at once"]);

  // Barge-in.
  program.play(encodeUlaw(SAID_HERTZ, 30));
  program.mark("three");
  program.mark("four");
  await expect.poll(() => phone.hears(SAID_HERTZ), SOON).toBeGreaterThan(PIECES);
  program.clear();
  await expect.poll(() => program.marks().slice(4), SOON).toEqual(["three", "four"]);
  await expect.poll(() => phone.loudest(800), SOON).toBeLessThan(100);
  phone.order({ do: "press", key: "7" });
  await expect.poll(() => program.ofKind("dtmf").length, SOON).toBe(1);
  expect(program.ofKind("dtmf")[0]).toMatchObject({ streamSid, dtmf: { track: "inbound_track", digit: "7" } });

  // The program hangs up, and the call goes on with the action.
  program.close();
  await noted(account, '"ended"');
  phone.close();
  const numbers = program.heard.slice(1).map(({ sequenceNumber }) => Number(sequenceNumber));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  const media = program.ofKind("media").map((one) => one.media);
  expect(media.map((one) => one?.chunk)).toEqual(media.map((_, index) => String(index + 1)));
  expect(media.map((one) => one?.timestamp)).toEqual(media.map((_, index) => String(20 * (index + 1))));
  expect(program.ofKind("stop")).toEqual([]);
  const asked = requests.find((one) => one.url === `/${account.sid}/after`);
  expect(Object.fromEntries(new URLSearchParams(asked?.body))).toMatchObject({
    CallSid: callSid,
    CallStatus: "in-progress",
    StreamSid: streamSid,
    StreamName: "agent",
  });
  const [opened, ended] = (await stepsOf(account)).filter(({ step }) => step === "stream");
  expect(opened?.details).toMatchObject({ connected: url, streamSid });
  expect(ended?.details).toMatchObject({ streamSid, url, name: "agent", packetsReceived: 1_600, ignored: 1 });
  const told = await toldAt(account, 2);
  const toldUrl = `http://${place()}/${account.sid}/told`;
  for (const { body, headers } of told) {
    const form = Object.fromEntries(new URLSearchParams(body));
    expect(twilio.validateRequest(account.token, String(headers["x-twilio-signature"]), toldUrl, form)).toBe(true);
    const common = { AccountSid: account.sid, CallSid: callSid, StreamSid: streamSid, StreamName: "agent" };
    expect(form).toMatchObject({ ...common, Timestamp: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(form.StreamError).toBeUndefined();
  }
  const events = told.map(({ body }) => new URLSearchParams(body).get("StreamEvent"));
  expect(events).toEqual(["stream-started", "stream-stopped"]);
  // Some were on their way when the program closed.
  expect(Number(ended?.details.packetsSent) - media.length).toBeGreaterThanOrEqual(0);
  expect(Number(ended?.details.packetsSent) - media.length).toBeLessThan(50);
});

test("a program that sends very many marks and reads none of them loses the stream", async () => {
  const account = await newCaller();
  const url = `ws://${place()}/${account.sid}/deaf`;
  const number = await newProgram(account, "A", `<Response><Connect><Stream Url="${url}"/></Connect></Response>`);
  const coming = nextProgram(`/${account.sid}/deaf`);
  const phone = await openPhone(tandem, account, SPEAKS);
  phone.order({ do: "call", to: number });
  const program = await coming;
  program.stopReading();
  const mark = { event: "mark", mark: { name: "\u20ac".repeat(1_024) } };
  // 60 MB: the kernel takes the first of them.
  for (let sent = 0; sent < 20_000; sent++) program.say(mark);
  await noted(account, "MiB unread");
  program.cut();
  phone.close();
});

test("a script of our own talks with a caller, who hangs up: the program is told", async () => {
  const account = await newCaller();
  const url = `ws://${place()}/${account.sid}/agent`;
  const { secret } = await answerOf<{ secret: string }>(
    await account.call("/v1/Account/webhookSecret", json("POST", {})),
    200,
  );
  const xml = `<Response><Connect><Stream Url="${url}"><Parameter Name="a" Value="b"/></Stream></Connect></Response>`;
  const number = await newProgram(account, "A", xml);
  const coming = nextProgram(`/${account.sid}/agent`);
  const phone = await openPhone(tandem, account, SPEAKS);
  phone.order({ do: "call", to: number });
  const program = await coming;
  const headers = program.headers as Record<string, string>;
  expect(() => new Webhook(secret).verify("", headers)).not.toThrow(/signature/i);
  program.play(encodeUlaw(SAID_HERTZ, 60));
  await expect.poll(() => phone.hears(SAID_HERTZ), SOON).toBeGreaterThan(PIECES);
  await expect.poll(() => program.hears(HEARD_HERTZ), SOON).toBeGreaterThan(PIECES);
  phone.order({ do: "hangUp" });
  await noted(account, '"ended"');
  phone.close();
  await expect.poll(() => program.closedBy(), SOON).toBe(1000);
  const { sid: callSid, endReason } = await onlyCall(account);
  // As with every program: the caller was never joined with another party.
  expect(endReason).toBe("Canceled");
  expect(program.heard.at(-1)).toMatchObject({ event: "stop", stop: { accountSid: account.sid, callSid } });
  await whenListed(account);
  const { items: events } = await answerOf<{ items: readonly { payload: object }[] }>(
    await account.call("/v1/Events?Type=CallStreamStatusChanged&OrderByDirection=Ascending"),
    200,
  );
  expect(events.map(({ payload }) => payload)).toMatchObject([{ Status: "Started" }, { Status: "Stopped" }]);
});

test.each([8_000, 16_000])("a script of our own talks in 16-bit samples at %i Hz", async (rate) => {
  const account = await newCaller();
  const url = `ws://${place()}/${account.sid}/plain`;
  const xml = `<Response><Connect><Stream Url="${url}" Format="pcm16" Rate="${rate}"/></Connect></Response>`;
  const number = await newProgram(account, "A", xml);
  const coming = nextProgram(`/${account.sid}/plain`);
  const phone = await openPhone(tandem, account, SPEAKS);
  phone.order({ do: "call", to: number });
  const program = await coming;
  await expect.poll(() => program.hearsSamples(HEARD_HERTZ, rate), SOON).toBeGreaterThan(PIECES);
  expect(program.heard[1]).toMatchObject({ start: { mediaFormat: { encoding: "pcm16", sampleRate: rate } } });
  expect(program.ofKind("media")).toEqual([]);
  program.playSamples(SAID_HERTZ, rate, 3);
  program.mark("said");
  await expect.poll(() => phone.hears(SAID_HERTZ), SOON).toBeGreaterThan(PIECES);
  await expect.poll(() => program.marks(), SOON).toEqual(["said"]);
  program.close();
  await noted(account, '"ended"');
  phone.close();
  const ended = (await stepsOf(account)).filter(({ step }) => step === "stream").at(-1);
  expect(ended?.details).toMatchObject({ packetsReceived: 150 });
  expect(ended?.details).not.toHaveProperty("ignored");
});

test("a program hears both sides of a call beside it, until that is stopped", async () => {
  const account = await newCaller();
  const url = `ws://${place()}/${account.sid}/ear`;
  const twiml = new twilio.twiml.VoiceResponse();
  twiml.start().stream({ url, name: "ear", track: "both_tracks" });
  twiml.gather({ action: "pressed", numDigits: 1, timeout: 600 });
  const pressed = new twilio.twiml.VoiceResponse();
  pressed.say("This call is listened to, which takes a few words to say.");
  pressed.stop().stream({ name: "ear" });
  pressed.pause({ length: 600 });
  answers.set(`/${account.sid}/pressed`, pressed.toString());
  const number = await newProgram(account, "Twilio", twiml.toString());
  const coming = nextProgram(`/${account.sid}/ear`);
  const phone = await openPhone(tandem, account, SPEAKS);
  phone.order({ do: "call", to: number });
  const program = await coming;
  program.play(encodeUlaw(SAID_HERTZ, 5));
  // What is said before the program hears the call would be missing.
  await expect.poll(() => program.ofKind("media").length, SOON).toBeGreaterThan(0);
  phone.order({ do: "press", key: "1" });
  await expect.poll(() => program.closedBy(), SOON).toBe(1000);
  phone.order({ do: "hangUp" });
  await noted(account, '"ended"');
  phone.close();
  const ofTrack = (track: string) => program.heard.filter(({ media }) => media?.track === track);
  expect(program.heard[1]).toMatchObject({ start: { tracks: ["inbound", "outbound"] } });
  expect(piecesOfTone(linear(ofTrack("inbound")), HEARD_HERTZ)).toBeGreaterThan(PIECES);
  const said = linear(ofTrack("outbound"));
  expect(said.some((sample) => sample > 1_000)).toBe(true);
  expect(piecesOfTone(said, SAID_HERTZ)).toBeLessThan(PIECES);
  expect(ofTrack("outbound").map(({ media }) => media?.chunk)).toEqual(
    ofTrack("inbound").map((_, index) => String(index + 1)),
  );
  expect(program.heard.at(-1)).toMatchObject({ event: "stop" });
  const ended = (await stepsOf(account)).filter(({ step }) => step === "stream").at(-1);
  expect(ended?.details).toMatchObject({ name: "ear", packetsReceived: 0, ignored: 1 });
});

test.each([
  ["cannot be reached", () => `ws://${place()}/nowhere`, /The WebSocket was not opened: socket hang up/, 1],
  ["is outside the networks where TLS may be missing", () => "ws://192.0.2.1/agent", /not public|TANDEM_ALLOWED/, 0],
])("the call goes on when the program %s", async (_why, urlOf, fault, streams) => {
  sockets.once("headers", (_headers, request) => {
    if (request.url === "/nowhere") request.socket.destroy();
  });
  const account = await newCaller();
  const xml = `<Response><Connect Action="after"><Stream Url="${urlOf()}" StatusCallback="told"/></Connect></Response>`;
  answers.set(`/${account.sid}/after`, "<Response><Hangup>Sorry.</Hangup></Response>");
  answers.set(`/${account.sid}/told`, "");
  const number = await newProgram(account, "A", xml);
  const phone = await openPhone(tandem, account, SPEAKS);
  phone.order({ do: "call", to: number });
  await noted(account, '"ended"');
  phone.close();
  const steps = JSON.stringify(await stepsOf(account));
  expect(steps).toMatch(fault);
  const { sid: CallSid } = await onlyCall(account);
  for (const { body } of await toldAt(account, streams)) {
    const payload = JSON.parse(body);
    expect(payload).toMatchObject({ CallSid, StreamName: "", Status: "Failed", Sequence: 1 });
    expect(payload.Error).toMatch(fault);
  }
});
