// Recordings in the sandbox: from a call to its MP3, by signed link and by credentials, whole and in parts.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requirePeer } from "../peers/peer.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { listen } from "./messages.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "./numbers.ts";
import type { RecordedCall, RecordingEvent } from "./recordings.ts";

const ffmpeg = requirePeer("ffmpeg", "ffmpeg");
const ffprobe = requirePeer("ffprobe", "ffmpeg");
const sox = requirePeer("sox", "sox");
const AT_ONCE = "+14155550111";
const HANGS_UP = "+14155550107";

const tandem = useTandem();
const folder = mkdtempSync(join(tmpdir(), "tandem-recordings-"));
let account: TestAccount;
let event: RecordingEvent;
let sid: string;
let path: string;
let file: Buffer;

afterAll(() => rmSync(folder, { recursive: true }));

const callOf = async (callSid: string) => answerOf<RecordedCall>(await account.call(`/v1/Voice/Calls/${callSid}`), 200);
const octetsOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

async function record(): Promise<RecordingEvent> {
  const ear = await listen(account);
  const order = { from: AT_ONCE, to: HANGS_UP, record: true };
  const placed = await answerOf<RecordedCall>(await account.call("/v1/Voice/Calls", json("POST", order)), 201);
  const completed = () => ear.heard.filter(({ type }) => type === "CallRecordingCompleted");
  await ear.until(() => completed().some(({ payload }) => payload.CallSid === placed.sid));
  await ear.leave();
  const told = completed().filter(({ payload }) => payload.CallSid === placed.sid);
  expect(told).toHaveLength(1);
  return told[0]?.payload as unknown as RecordingEvent;
}

beforeAll(async () => {
  account = await newAccount(tandem, { features: ["voice"], limits: { read: WIDE, write: WIDE, call: WIDE } });
  await take(account, await newNumber(tandem));
  event = await record();
  sid = event.CallSid;
  path = `/v1/Voice/Calls/${sid}/recordings/1`;
  file = await octetsOf(await account.call(path));
  writeFileSync(join(folder, "call.mp3"), file);
});

test("the event and the call tell the same of a file that is what they say", async () => {
  const { recordings } = await callOf(sid);
  const [segment] = recordings.segments;
  expect(recordings).toMatchObject({ sid: event.RecordingSid, status: "Completed", channels: 2 });
  expect(event.Segments).toHaveLength(1);
  const [told] = event.Segments;
  expect(told).toMatchObject({ Index: 1, SizeBytes: file.length });
  expect(told?.Sha256).toBe(createHash("sha256").update(file).digest("hex"));
  expect(segment).toMatchObject({
    sizeBytes: file.length,
    sha256: told?.Sha256,
    durationSeconds: told?.DurationSeconds,
  });
  expect(recordings.durationSeconds).toBe(event.DurationSeconds);
  for (const url of [told?.Url, segment?.url]) expect(url).toMatch(/recordings\/1\?expires=\d+&signature=[\w-]{43}$/);
});

test("a link needs no credentials; one that has expired or was changed does", async () => {
  const url = event.Segments[0]?.Url ?? "";
  expect((await octetsOf(await fetch(url))).equals(file)).toBe(true);
  const bad = [
    url.replace(/expires=\d+/, "expires=1000000000"),
    url.replace(/signature=./, (text) => `${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`),
    url.replace("/recordings/1", "/recordings/2"),
    url.replace(/\?.*/, ""),
  ];
  for (const one of bad) {
    const answer = await fetch(one);
    expect(await answerOf(answer, 401)).toMatchObject({ code: "unauthorized" });
    expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Basic/);
  }
  expect(await answerOf(await fetch(bad[0] ?? ""), 401)).toMatchObject({ detail: expect.stringContaining("expired") });
});

test("ranges are answered, and what cannot be is refused", async () => {
  const ask = (range: string, more: Record<string, string> = {}) =>
    account.call(path, { headers: { Range: range, ...more } });
  const part = await ask("bytes=100-299");
  expect(part.status).toBe(206);
  expect(part.headers.get("Content-Range")).toBe(`bytes 100-299/${file.length}`);
  expect(part.headers.get("Content-Length")).toBe("200");
  expect((await octetsOf(part)).equals(file.subarray(100, 300))).toBe(true);
  expect((await octetsOf(await ask("bytes=-10"))).equals(file.subarray(-10))).toBe(true);
  expect((await octetsOf(await ask(`bytes=${file.length - 1}-`))).equals(file.subarray(-1))).toBe(true);
  const beyond = await ask(`bytes=${file.length}-`);
  expect(beyond.headers.get("Content-Range")).toBe(`bytes */${file.length}`);
  expect(await answerOf(beyond, 416)).toMatchObject({ code: "range-not-satisfiable" });
  expect((await octetsOf(await ask("bytes=0-1,4-5"))).equals(file)).toBe(true);
  const etag = part.headers.get("ETag") ?? "";
  expect((await ask("bytes=0-9", { "If-Range": etag })).status).toBe(206);
  expect((await ask("bytes=0-9", { "If-Range": '"other"' })).status).toBe(200);
});

test("a client that already has the file is answered without its content", async () => {
  const etag = (await account.call(path, { method: "HEAD" })).headers.get("ETag") ?? "";
  const ask = (known: string, more: Record<string, string> = {}) =>
    account.call(path, { headers: { "If-None-Match": known, ...more } });
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const answer = await ask(known);
    expect([known, answer.status, answer.headers.get("ETag")]).toEqual([known, 304, etag]);
    expect(answer.headers.has("Content-Length")).toBe(false);
    expect(await octetsOf(answer)).toHaveLength(0);
  }
  // RFC 9110 13.2.2: before the range.
  expect((await ask(etag, { Range: `bytes=${file.length}-` })).status).toBe(304);
  expect((await octetsOf(await ask('"other"'))).equals(file)).toBe(true);
});

test("the headers tell what it is, also without the content", async () => {
  const answer = await account.call(path, { method: "HEAD" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("audio/mpeg");
  expect(answer.headers.get("Content-Length")).toBe(String(file.length));
  expect(answer.headers.get("Accept-Ranges")).toBe("bytes");
  expect(answer.headers.get("Content-Disposition")).toContain(`${sid}-1.mp3`);
  expect(answer.headers.get("X-Request-Id")).toBeTruthy();
});

test("others, other segments and the second spelling", async () => {
  const stranger = await newAccount(tandem, { features: ["voice"] });
  for (const one of [path, `/v1/Voice/Calls/CA${"0".repeat(32)}/recordings/1`]) {
    expect(await answerOf(await stranger.call(one), 404)).toMatchObject({ code: "not-found" });
  }
  expect((await account.call(`/v1/Voice/Calls/${sid}/recordings/2`)).status).toBe(404);
  expect((await account.call(`/v1/Voice/Calls/${sid}/recordings/0`)).status).toBe(400);
  expect((await account.call(`/v1/Voice/Calls/${sid}/recordings/x`)).status).toBe(400);
  expect((await octetsOf(await account.call(`/v1/Calls/${sid}/recordings/1`))).equals(file)).toBe(true);
});

test("operators see a call's recording without what opens it, and no audio", async () => {
  const seen = await tandem.operator(`/operator/v1/Accounts/${account.sid}/Voice/Calls/${sid}`);
  expect(JSON.stringify(await seen.json())).toContain("signature=hidden");
  expect((await tandem.operator(`/operator/v1/Accounts/${account.sid}${path.slice(3)}`)).status).toBe(404);
});

describe.skipIf(!ffmpeg || !ffprobe || !sox)("by programs of others", () => {
  const mp3 = join(folder, "call.mp3");

  test("it is stereo at 8 kHz, and plays for as long as it says", () => {
    const read = execFileSync(ffprobe as string, ["-v", "error", "-show_streams", "-of", "json", mp3], {
      encoding: "utf8",
    });
    expect(JSON.parse(read).streams).toMatchObject([{ codec_name: "mp3", sample_rate: "8000", channels: 2 }]);
    const samples = execFileSync(ffmpeg as string, ["-v", "error", "-i", mp3, "-f", "s16le", "-"], {
      maxBuffer: 2 ** 28,
    });
    expect(samples.length / 4 / 8_000).toBeCloseTo(event.DurationSeconds, 2);
    const stat = execFileSync(sox as string, [mp3, "-n", "stat"], {
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
    });
    expect(stat).toBeDefined();
  });
});

test("the raw audio goes when its MP3 is stored, and the files with the call", async () => {
  const raw = join(tandem.dataDir, "recordings", "raw");
  const left = () => readdirSync(raw).filter((name) => name.startsWith(event.RecordingSid));
  await expect.poll(left, SOON).toEqual([]);
  const { CallSid, RecordingSid } = await record();
  const stored = join(tandem.dataDir, "recordings", "files", account.sid, CallSid, `${RecordingSid}-1.mp3`);
  expect(existsSync(stored)).toBe(true);
  expect((await account.call(`/v1/Voice/Calls/${CallSid}`, { method: "DELETE" })).status).toBe(204);
  expect((await account.call(`/v1/Voice/Calls/${CallSid}/recordings/1`)).status).toBe(404);
  await expect.poll(() => existsSync(stored), SOON).toBe(false);
});
