// Recordings that could not be finished, as operators see them and have them retried.

import { beforeAll, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "./numbers.ts";
import { failedRecording, type RecordedCall } from "./recordings.ts";

interface Troubled {
  readonly sid: string;
  readonly callSid: string;
}

const REASON = "the encoder was lost: it ended with SIGKILL";
const tandem = useTandem();
let account: TestAccount;

beforeAll(async () => {
  account = await newAccount(tandem, { features: ["voice"], limits: { read: WIDE, write: WIDE, call: WIDE } });
  await take(account, await newNumber(tandem));
});

const callOf = async (sid: string) => answerOf<RecordedCall>(await account.call(`/v1/Voice/Calls/${sid}`), 200);
const retry = (sid: string) => tandem.operator(`/operator/v1/Recordings/${sid}/retry`, json("POST", {}));

test("one that was given up is listed with the reason, and completed when it is tried again", async () => {
  const { callSid, sid } = await failedRecording(tandem, account, REASON);
  const listed = async () =>
    (await answerOf<List<Troubled>>(await tandem.operator("/operator/v1/Recordings?PageSize=1000"), 200)).items.find(
      (recording) => recording.sid === sid,
    );
  expect(await listed()).toEqual({
    sid,
    callSid,
    accountSid: account.sid,
    status: "Failed",
    fault: REASON,
    segments: [{ index: 1, state: "Failed", attempts: 5, fault: REASON, rawFile: `${sid}-1.ulaw2` }],
  });
  expect((await callOf(callSid)).recordings.status).toBe("Failed");
  expect((await account.call(`/v1/Voice/Calls/${callSid}/recordings/1`)).status).toBe(404);
  expect((await retry(sid)).status).toBe(204);
  await expect.poll(async () => (await callOf(callSid)).recordings.status, SOON).toBe("Completed");
  expect((await callOf(callSid)).recordings.durationSeconds).toBe(1);
  expect((await account.call(`/v1/Voice/Calls/${callSid}/recordings/1`)).status).toBe(200);
  expect(await listed()).toBeUndefined();
  expect((await retry(sid)).status).toBe(404);
});

test("accounts and support may not have it tried again", async () => {
  const { sid } = await failedRecording(tandem, account, REASON);
  expect((await account.call(`/operator/v1/Recordings/${sid}/retry`, json("POST", {}))).status).toBe(401);
  const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: `s${Date.now()}`, role: "support" }));
  const { token } = await answerOf<{ token: string }>(made, 201);
  const headers = { Authorization: `Basic ${Buffer.from(`operator:${token}`).toString("base64")}` };
  const asSupport = (path: string, init: RequestInit = {}) =>
    fetch(`${tandem.url}/operator/v1/Recordings${path}`, { ...init, headers: { ...init.headers, ...headers } });
  expect(await answerOf(await asSupport(`/${sid}/retry`, json("POST", {})), 403)).toMatchObject({ code: "admin-only" });
  expect((await asSupport("")).status).toBe(200);
});
