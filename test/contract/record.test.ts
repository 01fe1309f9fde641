// `Record` of programs, with a telephone of the sandbox that speaks: what is recorded, what ends it, who is notified.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import twilio from "twilio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { piecesOfTone } from "../fakes/rtp-phone.ts";
import { requirePeer } from "../peers/peer.ts";
import { twilioClient } from "../peers/twilio-client.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { listen } from "./messages.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "./numbers.ts";

/** Obeys the test. */
const PHONE = "+14154740277";
const ANSWERS_AT_ONCE = "+14155550111";
const HERTZ = 800;
const FRAME_MS = 20;
/** On a busy machine the telephone leaves gaps. */
const PIECES_MIN = 10;
/** Three seconds. */
const FRAMES = 150;
const FRAME_SAMPLES = 160;

const ffmpeg = requirePeer("ffmpeg", "ffmpeg");
const tandem = useTandem();
const folder = mkdtempSync(join(tmpdir(), "tandem-record-"));

interface Recorded {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly programRecordings?: readonly {
    readonly sid: string;
    readonly status: string;
    readonly durationSeconds: number;
    readonly segments: readonly { readonly url: string; readonly sha256: string | null }[];
  }[];
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly signature: string;
}

const answers = new Map<string, string>();
const requests: Request[] = [];
let server: Server;

beforeAll(() => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = "", url: path = "", headers } = request;
    const signature = String(headers["x-twilio-signature"]);
    requests.push({ method, path, body: Buffer.concat(parts).toString(), signature });
    response.setHeader("Content-Type", "text/xml").end(answers.get(path) ?? "<Response><Hangup/></Response>");
  });
  server.listen(0, "127.0.0.1");
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const askedAt = (path: string) => requests.filter((one) => one.path === path);

async function newCaller(): Promise<{ readonly account: TestAccount; readonly number: string }> {
  const limits = { read: WIDE, write: WIDE, call: WIDE };
  const account = await newAccount(tandem, { features: ["voice"], limits, token: { signs: true } });
  const number = await newNumber(tandem);
  await take(account, number);
  return { account, number };
}

async function openPhone(account: TestAccount) {
  const path = `/testkit/v1/Phone?Number=${encodeURIComponent(PHONE)}`;
  const socket = new WebSocket(tandem.url.replace("http", "ws") + path, { headers: basic(account.sid, account.token) });
  let told = "";
  let speaking: NodeJS.Timeout | undefined;
  socket.on("message", (data: Buffer, isBinary) => {
    if (!isBinary) told = data.toString();
  });
  const becomes = (state: string) => expect.poll(() => told, SOON).toContain(`"state":"${state}"`);
  await becomes("Idle");
  return {
    becomes,
    order: (order: object) => socket.send(JSON.stringify(order)),
    /** Sounds a tone; resolves when it has said enough, and goes on until `hush`. */
    speak: () =>
      new Promise<void>((resolve) => {
        let place = 0;
        speaking = setInterval(() => {
          const frame = Int16Array.from({ length: FRAME_SAMPLES }, (_, at) =>
            Math.round(8_000 * Math.sin((2 * Math.PI * HERTZ * (place + at)) / 8_000)),
          );
          place += FRAME_SAMPLES;
          socket.send(new Uint8Array(frame.buffer));
          if (place === FRAMES * FRAME_SAMPLES) resolve();
        }, FRAME_MS);
      }),
    hush: () => clearInterval(speaking),
    close() {
      clearInterval(speaking);
      socket.terminate();
    },
  };
}

const formOf = (request: Request | undefined) => Object.fromEntries(new URLSearchParams(request?.body));

const callOf = async (account: TestAccount, sid: string) =>
  answerOf<Recorded>(await account.call(`/v1/Voice/Calls/${sid}`), 200);

async function recordingOf(account: TestAccount, sid: string) {
  const { programRecordings = [] } = await callOf(account, sid);
  return programRecordings[0];
}

/** The octets of the recording's file, once it is ready; until then its URL says when to ask again. */
async function fileAt(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  let file: Buffer | undefined;
  const fetched = async () => {
    const answer = await fetch(url, { headers });
    if (answer.status === 404) expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
    else file = Buffer.from(await answer.arrayBuffer());
    return answer.status;
  };
  await expect.poll(fetched, SOON).toBe(200);
  return file as Buffer;
}

/** How many pieces of 40 ms of the recording are the telephone's tone; and its channels. */
function heardIn(file: Buffer): { readonly pieces: number; readonly channels: number } {
  const mp3 = join(folder, "heard.mp3");
  writeFileSync(mp3, file);
  const pcm = execFileSync(ffmpeg as string, ["-v", "error", "-i", mp3, "-ac", "1", "-f", "s16le", "-"]);
  const samples = Array.from({ length: pcm.length >> 1 }, (_, at) => pcm.readInt16LE(2 * at));
  // ISO/IEC 11172-3 2.4.1.3: the mode of the first frame; 3 is one channel.
  const mode = (file[3] as number) >> 6;
  return { pieces: piecesOfTone(samples, HERTZ), channels: mode === 3 ? 1 : 2 };
}

/** An ordered call to the telephone that runs this program; it has answered, and is recorded by now. */
async function recorded(shape: "A" | "Twilio", attributes: (own: string) => string) {
  const { account, number } = await newCaller();
  const own = `${base()}/${account.sid}`;
  const xml = `<Response><Record ${attributes(own)}/></Response>`;
  const ear = await listen(account);
  const phone = await openPhone(account);
  const { sid } =
    shape === "A"
      ? await answerOf<Recorded>(await account.call("/v1/Voice/Calls", json("POST", { to: PHONE, script: xml })), 201)
      : await twilioClient(tandem, account).calls.create({ from: number, to: PHONE, twiml: xml });
  await phone.becomes("Ringing");
  phone.order({ do: "answer" });
  await expect.poll(async () => (await recordingOf(account, sid))?.status, SOON).toBe("Recording");
  return { account, sid, phone, ear, done: `/${account.sid}/done` };
}

test.skipIf(!ffmpeg)("silence ends a recording, and what was said is in its file", async () => {
  const { account, sid, phone, ear, done } = await recorded(
    "A",
    (own) => `Action="${own}/done" Timeout="3" PlayBeep="false"`,
  );
  answers.set(done, "<Response><Say>Thank you.</Say></Response>");
  const begun = await recordingOf(account, sid);
  // The URL is known from the beginning.
  const early = await fetch(begun?.segments[0]?.url ?? "");
  expect([early.status, early.headers.has("Retry-After")]).toEqual([404, true]);
  await phone.speak();
  phone.hush();
  await expect.poll(() => askedAt(done), SOON).toHaveLength(1);
  const asked = JSON.parse(askedAt(done)[0]?.body ?? "");
  expect(asked).toMatchObject({ CallSid: sid, CallStatus: "Answered", Digits: "", RecordingSid: begun?.sid });
  expect(asked.RecordingDuration).toBeGreaterThan(3);
  const file = await fileAt(asked.RecordingUrl);
  const { pieces, channels } = heardIn(file);
  expect([pieces >= PIECES_MIN, channels]).toEqual([true, 1]);
  await ear.until(({ type }) => type === "CallRecordingCompleted");
  const told = ear.heard.filter(({ type }) => type === "CallRecordingCompleted").map(({ payload }) => payload);
  expect(told).toMatchObject([
    { CallSid: sid, RecordingSid: begun?.sid, Source: "Record", DurationSeconds: asked.RecordingDuration },
  ]);
  await ear.until(({ payload }) => payload.Leg === "First" && payload.Status === "Completed");
  await ear.leave();
  phone.close();
  const call = await callOf(account, sid);
  expect(call).toMatchObject({
    endReason: "ScriptHangup",
    programRecordings: [
      { sid: begun?.sid, status: "Completed", durationSeconds: asked.RecordingDuration, channels: 1 },
    ],
  });
  expect(call).not.toHaveProperty("recordings");
  expect((await account.call(`/v1/Voice/Calls/${sid}`, { method: "DELETE" })).status).toBe(204);
  expect((await account.call(`/v1/Voice/Calls/${sid}/recordings/${begun?.sid}`)).status).toBe(404);
});

test.skipIf(!ffmpeg)("a key ends a recording of TwiML, which is one of that provider's recordings", async () => {
  const { account, sid, phone, ear, done } = await recorded(
    "Twilio",
    (own) => `action="${own}/done" finishOnKey="5" recordingStatusCallback="${own}/told" playBeep="false"`,
  );
  await phone.speak();
  phone.order({ do: "press", key: "1" });
  phone.order({ do: "press", key: "5" });
  await expect.poll(() => askedAt(done), SOON).toHaveLength(1);
  phone.close();
  const client = twilioClient(tandem, account);
  const [listed] = await client.recordings.list({ callSid: sid });
  const { RecordingSid, RecordingUrl, ...asked } = formOf(askedAt(done)[0]);
  expect(asked).toMatchObject({ CallSid: sid, CallStatus: "in-progress", Digits: "5" });
  expect(listed).toMatchObject({ sid: RecordingSid, callSid: sid, channels: 1, source: "RecordVerb" });
  const { pieces } = heardIn(await fileAt(`${RecordingUrl}.mp3`, basic(account.sid, account.token)));
  expect(pieces).toBeGreaterThanOrEqual(PIECES_MIN);
  const told = `/${account.sid}/told`;
  await expect.poll(() => askedAt(told), SOON).toHaveLength(1);
  expect(formOf(askedAt(told)[0])).toMatchObject({
    CallSid: sid,
    RecordingSid,
    RecordingUrl,
    RecordingStatus: "completed",
    RecordingChannels: "1",
    RecordingSource: "RecordVerb",
  });
  for (const one of [askedAt(done)[0], askedAt(told)[0]]) {
    const { path = "", signature = "" } = one ?? {};
    expect(twilio.validateRequest(account.token, signature, `${base()}${path}`, formOf(one))).toBe(true);
  }
  expect(await client.recordings(RecordingSid ?? "").fetch()).toMatchObject({ status: "completed", channels: 1 });
  await ear.leave();
});

test("who hangs up ends the recording, and the action is asked all the same", async () => {
  const { account, sid, phone, ear, done } = await recorded("A", (own) => `Action="${own}/done" PlayBeep="true"`);
  await phone.speak();
  phone.order({ do: "hangUp" });
  await expect.poll(() => askedAt(done), SOON).toHaveLength(1);
  phone.close();
  const asked = JSON.parse(askedAt(done)[0]?.body ?? "");
  expect(asked).toMatchObject({ CallSid: sid, CallStatus: "Completed", Digits: "hangup" });
  expect(asked.RecordingDuration).toBeGreaterThan(0);
  expect((await fileAt(asked.RecordingUrl)).length).toBeGreaterThan(288);
  await ear.until(({ type }) => type === "CallRecordingCompleted");
  await ear.leave();
  const why = async () => JSON.stringify(await (await account.call(`/v1/Voice/Calls/${sid}/why`)).json());
  await expect.poll(why, SOON).toContain(`"informed":"${base()}${done}"`);
  expect(await why()).toContain('"endedBy":"HangUp"');
});

interface RecordedConference {
  readonly sid: string;
  readonly status: string;
  readonly recordings: readonly (NonNullable<Recorded["programRecordings"]>[number] & { readonly callSid: string })[];
}

test.skipIf(!ffmpeg)("a conference of TwiML is recorded, and is among that provider's recordings of it", async () => {
  const { account, number } = await newCaller();
  const own = `${base()}/${account.sid}`;
  const told = `/${account.sid}/told`;
  const response = new twilio.twiml.VoiceResponse();
  const options = { record: "record-from-start", beep: "false", startConferenceOnEnter: true } as const;
  response.dial().conference({ ...options, recordingStatusCallback: `${own}/told` }, "Recorded");
  const client = twilioClient(tandem, account);
  const phone = await openPhone(account);
  const order = { from: number, to: PHONE, twiml: response.toString() };
  const { sid } = await client.calls.create(order);
  await phone.becomes("Ringing");
  phone.order({ do: "answer" });
  const newest = async () =>
    (await answerOf<{ items: readonly RecordedConference[] }>(await account.call("/v1/Voice/Conferences"), 200))
      .items[0];
  await expect.poll(async () => (await newest())?.recordings, SOON).toMatchObject([{ callSid: sid, segments: [] }]);
  // It sounds a tone of its own, and is muted: that is not recorded.
  const muted = new twilio.twiml.VoiceResponse();
  muted.dial().conference({ ...options, muted: true }, "Recorded");
  await client.calls.create({ ...order, to: ANSWERS_AT_ONCE, twiml: muted.toString() });
  await expect.poll(async () => (await newest())?.status, SOON).toBe("InProgress");
  await phone.speak();
  const underWay = (await newest()) as RecordedConference;
  const conference = client.conferences(underWay.sid);
  const [listed] = await conference.recordings.list();
  const recordingSid = listed?.sid ?? "";
  const facts = { callSid: sid, conferenceSid: underWay.sid, source: "Conference", channels: 1 };
  expect(listed).toMatchObject({ ...facts, status: "in-progress" });
  phone.hush();
  await conference.update({ status: "completed" });
  await expect.poll(() => askedAt(told), SOON).toHaveLength(1);
  phone.close();
  const { RecordingUrl = "", ...form } = formOf(askedAt(told)[0]);
  expect(form).toMatchObject({
    ...{ ConferenceSid: underWay.sid, RecordingSid: recordingSid, RecordingStatus: "completed" },
    ...{ RecordingChannels: "1", RecordingSource: "Conference" },
  });
  expect(Number(form.RecordingDuration)).toBeGreaterThan(2);
  const { path = "", signature = "" } = askedAt(told)[0] ?? {};
  expect(twilio.validateRequest(account.token, signature, `${base()}${path}`, formOf(askedAt(told)[0]))).toBe(true);
  const { pieces, channels } = heardIn(await fileAt(`${RecordingUrl}.mp3`, basic(account.sid, account.token)));
  expect([pieces >= PIECES_MIN, channels]).toEqual([true, 1]);
  expect(await conference.recordings(recordingSid).fetch()).toMatchObject({ ...facts, status: "completed" });
  expect((await client.recordings.list({ conferenceSid: underWay.sid })).map((one) => one.sid)).toEqual([recordingSid]);
  const [shown] = (await newest())?.recordings ?? [];
  expect(shown).toMatchObject({ callSid: sid, status: "Completed", channels: 1, source: "Conference" });
  expect(await callOf(account, sid)).toMatchObject({ programRecordings: [{ sid: shown?.sid, source: "Conference" }] });
  expect((await fileAt(shown?.segments[0]?.url ?? "")).length).toBeGreaterThan(288);
  await expect.poll(async () => (await callOf(account, sid)).status, SOON).toBe("Completed");
  expect((await account.call(`/v1/Voice/Calls/${sid}`, { method: "DELETE" })).status).toBe(204);
  expect((await newest())?.recordings).toEqual([]);
});
