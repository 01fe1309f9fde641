// Recordings in S3: uploads, ranges, a store that is down for a while, and deletion.

import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3 } from "../fakes/s3-server.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { UNTIL } from "./messages.ts";
import { answerOf } from "./numbers.ts";
import type { RecordedCall } from "./recordings.ts";

const folder = mkdtempSync(join(tmpdir(), "tandem-s3-"));
let s3: S3Server;

const tandem = useTandem(async () => {
  s3 = await startS3(join(folder, "bucket"));
  const { secretAccessKey: _, ...settings } = s3.settings;
  const file = join(folder, "tandem.config.json");
  writeFileSync(
    file,
    JSON.stringify({ recordings: { s3: { ...settings, secretAccessKey: "env:BUCKET_SECRET", prefix: "calls" } } }),
  );
  return { environment: { TANDEM_CONFIG: file, BUCKET_SECRET: s3.settings.secretAccessKey } };
});

beforeAll(async () => {
  // Calls are polled until they have ended, however long that takes.
  const limits = { read: { requests: 1_000_000, windowSeconds: 10 } };
  await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", { limits }));
});
afterAll(async () => {
  await s3?.close();
  rmSync(folder, { recursive: true });
});

const stored = () =>
  readdirSync(join(folder, "bucket"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.mp3[^/]*_object$/.test(name),
  );
/** What of the recordings is on the server's own disk. */
const local = () => ["raw", "encoded"].flatMap((name) => readdirSync(join(tandem.dataDir, "recordings", name)));
const callOf = async (sid: string) => answerOf<RecordedCall>(await tandem.get(`/v1/Voice/Calls/${sid}`), 200);

async function record(): Promise<string> {
  const order = { from: "+14155550111", to: "+14155550107", record: true };
  const { sid } = await answerOf<RecordedCall>(await tandem.get("/v1/Voice/Calls", json("POST", order)), 201);
  await expect.poll(async () => (await callOf(sid)).status, UNTIL).toBe("Completed");
  return sid;
}

const statusOf = async (sid: string) => (await callOf(sid)).recordings.status;

let kept: string;

test("a recording is uploaded, and read through the API, whole and in parts, by link and by credentials", async () => {
  kept = await record();
  await expect.poll(() => statusOf(kept), UNTIL).toBe("Completed");
  const { segments } = (await callOf(kept)).recordings;
  const [segment] = segments;
  expect(stored().some((name) => name.startsWith(`recordings/calls/${tandem.accountSid}/${kept}/`))).toBe(true);
  const file = Buffer.from(await (await fetch(segment?.url ?? "")).arrayBuffer());
  expect(createHash("sha256").update(file).digest("hex")).toBe(segment?.sha256);
  const part = await tandem.get(`/v1/Voice/Calls/${kept}/recordings/1`, { headers: { Range: "bytes=288-575" } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(file.subarray(288, 576))).toBe(true);
  const expired = (segment?.url ?? "").replace(/expires=\d+/, "expires=1000000000");
  expect((await fetch(expired)).status).toBe(401);
});

test("while S3 is away nothing is lost: recordings are completed when it is back", async () => {
  await s3.goAway();
  const sids = await Promise.all([record(), record()]);
  await expect.poll(() => tandem.output(), UNTIL).toContain("segment not stored");
  for (const sid of sids) expect(await statusOf(sid)).toBe("Processing");
  const away = await answerOf(await tandem.get(`/v1/Voice/Calls/${kept}/recordings/1`), 503);
  expect(away).toMatchObject({ code: "unavailable" });
  await s3.comeBack();
  for (const sid of sids) {
    await expect.poll(() => statusOf(sid), UNTIL).toBe("Completed");
    const [segment] = (await callOf(sid)).recordings.segments;
    const file = Buffer.from(await (await fetch(segment?.url ?? "")).arrayBuffer());
    expect(createHash("sha256").update(file).digest("hex")).toBe(segment?.sha256);
  }
  await expect.poll(local, UNTIL).toEqual([]);
});

test("a deleted call leaves nothing in S3, also when S3 was away", async () => {
  const sid = await record();
  await expect.poll(() => statusOf(sid), UNTIL).toBe("Completed");
  const ofCall = () => stored().filter((name) => name.includes(sid));
  expect(ofCall()).toHaveLength(1);
  await s3.goAway();
  const unfinished = await record();
  expect(await statusOf(unfinished)).toBe("Processing");
  for (const one of [sid, unfinished]) {
    expect((await tandem.get(`/v1/Voice/Calls/${one}`, { method: "DELETE" })).status).toBe(204);
  }
  await expect.poll(() => tandem.output(), UNTIL).toContain("remove-recordings");
  expect(ofCall()).toHaveLength(1);
  await s3.comeBack();
  await expect.poll(ofCall, UNTIL).toEqual([]);
  await expect.poll(local, UNTIL).toEqual([]);
  await expect.poll(() => tandem.database.query("select id from removed_segments"), UNTIL).toEqual([]);
  expect(stored().filter((name) => name.includes(unfinished))).toEqual([]);
});
