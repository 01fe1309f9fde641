// Recordings of calls in the sandbox: started, paused, resumed and ended as the contract says.

import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "./numbers.ts";

interface RecordingBody {
  readonly sid: string;
  readonly status: string;
  readonly channels: number;
  readonly segments: readonly { readonly index: number; readonly durationSeconds: number | null }[];
}

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly recordings?: RecordingBody;
}

const tandem = useTandem();
let account: TestAccount;
let number: string;

beforeAll(async () => {
  const limits = { read: WIDE, write: WIDE, call: WIDE };
  account = await newAccount(tandem, { features: ["voice"], limits });
  number = await newNumber(tandem);
  await take(account, number);
});

const AT_ONCE = "+14155550111";
const NEVER = "+14155550102";
const place = async (order: object) =>
  answerOf<CallBody>(
    await account.call("/v1/Voice/Calls", json("POST", { from: AT_ONCE, to: AT_ONCE, ...order })),
    201,
  );
const callOf = async (sid: string) => answerOf<CallBody>(await account.call(`/v1/Voice/Calls/${sid}`), 200);
const control = (sid: string, action: string, who = account) =>
  who.call(`/v1/Voice/Calls/${sid}/recording-control`, json("POST", { action }));
const switchTo = async (sid: string, action: string) => answerOf<RecordingBody>(await control(sid, action), 200);
const hangUp = async (sid: string) =>
  answerOf<CallBody>(await account.call(`/v1/Voice/Calls/${sid}/hangup`, json("POST", {})), 200);
const until = (sid: string, status: string) => expect.poll(async () => (await callOf(sid)).status, SOON).toBe(status);
const indexes = ({ segments }: RecordingBody) => segments.map(({ index }) => index);

describe("a recorded call", () => {
  test("is Recording from the start, has a segment more for each resume, and is processed at its end", async () => {
    const { sid, recordings } = await place({ record: true });
    expect(recordings).toEqual({
      sid: expect.stringMatching(/^RE[0-9a-f]{32}$/),
      status: "Recording",
      durationSeconds: 0,
      channels: 2,
      segments: [],
    });
    await until(sid, "Answered");
    expect((await callOf(sid)).recordings).toMatchObject({
      status: "Recording",
      segments: [{ index: 1, durationSeconds: null, sizeBytes: null, sha256: null, url: null }],
    });
    const paused = await switchTo(sid, "Pause");
    expect(paused).toMatchObject({ sid: recordings?.sid, status: "Paused" });
    expect(indexes(await switchTo(sid, "Pause"))).toEqual([1]);
    const resumed = await switchTo(sid, "resume");
    expect([resumed.status, indexes(resumed)]).toEqual(["Recording", [1, 2]]);
    expect(indexes(await switchTo(sid, "Resume"))).toEqual([1, 2]);
    const { recordings: ended } = await hangUp(sid);
    expect(["Processing", "Completed"]).toContain(ended?.status);
    expect(ended?.segments.map(({ durationSeconds }) => typeof durationSeconds)).toEqual(["number", "number"]);
    expect((await control(sid, "Pause")).status).toBe(409);
  });

  test("is paused and resumed before the parties are connected, too, without segments", async () => {
    const { sid } = await place({ record: true, to: NEVER, ringSeconds: 120 });
    expect(await switchTo(sid, "Pause")).toMatchObject({ status: "Paused", segments: [] });
    expect(await switchTo(sid, "Resume")).toMatchObject({ status: "Recording", segments: [] });
    expect(await switchTo(sid, "Pause")).toMatchObject({ status: "Paused", segments: [] });
    await hangUp(sid);
    expect((await callOf(sid)).recordings).toMatchObject({ status: "Completed", segments: [] });
  });

  test("that was never connected ends Completed, with no segments", async () => {
    const { sid } = await place({ record: true, to: NEVER });
    await hangUp(sid);
    expect((await callOf(sid)).recordings).toMatchObject({ status: "Completed", durationSeconds: 0, segments: [] });
  });

  test("is one to a number that says so", async () => {
    const voice = json("PUT", { callsForwardedTo: AT_ONCE, recordInboundCalls: true });
    await answerOf(await account.call(`/v1/Phones/${number}/voice`, voice), 200);
    const emulated = { from: "+12125550123", to: number, durationSeconds: 1 };
    await answerOf(await account.call("/testkit/v1/Emulate/inbound-call", json("POST", emulated)), 200);
    const calls = await answerOf<{ items: CallBody[] }>(
      await account.call("/v1/Voice/Calls?Direction=Inbound&PageSize=1"),
      200,
    );
    const sid = calls.items[0]?.sid ?? "";
    await until(sid, "Completed");
    const { recordings } = await callOf(sid);
    expect(recordings?.segments).toHaveLength(1);
    expect(recordings?.segments[0]?.durationSeconds).toBeGreaterThan(0.5);
  });
});

test.skipIf(process.platform !== "linux")("a full disk marks the recording, and the call goes on", async () => {
  const { sid } = await place({ record: true });
  // The resumed recording is written to a file that accepts no data.
  const paused = await switchTo(sid, "Pause");
  await until(sid, "Answered");
  const file = join(tandem.dataDir, "recordings", "raw", `${paused.sid}-${paused.segments.length + 1}.ulaw2`);
  symlinkSync("/dev/full", file);
  await switchTo(sid, "Resume");
  const why = async () => JSON.stringify(await answerOf(await account.call(`/v1/Voice/Calls/${sid}/why`), 200));
  await expect.poll(why, SOON).toContain("Audio of the recording could not be written.");
  expect(await callOf(sid)).toMatchObject({ status: "Answered", recordings: { status: "Recording" } });
  const troubled = async () => JSON.stringify(await answerOf(await tandem.operator("/operator/v1/Recordings"), 200));
  await expect.poll(troubled, SOON).toContain(paused.sid);
  // The disk has space again: the file is there and empty.
  rmSync(file);
  writeFileSync(file, "");
  await hangUp(sid);
  await expect.poll(async () => (await callOf(sid)).recordings?.status, SOON).toBe("Completed");
});

describe("control of a recording is refused", () => {
  test("where there is none: 409", async () => {
    const { sid, ...call } = await place({});
    expect(call).not.toHaveProperty("recordings");
    await until(sid, "Answered");
    expect(await answerOf(await control(sid, "Pause"), 409)).toMatchObject({ code: "conflict" });
    await hangUp(sid);
  });

  test("where the call is another user's or unknown: 404; of actions that do not exist: 400", async () => {
    const { sid } = await place({ record: true });
    const other = await newAccount(tandem, { features: ["voice"] });
    expect((await control(sid, "Pause", other)).status).toBe(404);
    expect((await control("CA0", "Pause")).status).toBe(404);
    expect(await answerOf(await control(sid, "Stop"), 400)).toMatchObject({ errors: { action: [expect.any(String)] } });
    expect((await callOf(sid)).recordings?.status).toBe("Recording");
    await hangUp(sid);
  });
});
