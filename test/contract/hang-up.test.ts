// Hanging up a call whose process does not respond: no client hears that the call ended before it did.

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { basic, json, type Tandem } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const ANSWERS_AT_ONCE = "+14155550111";

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
}

/** The server that has the calls. */
const tandem = useTandem({});
let api: Tandem;
let account: TestAccount;
beforeAll(async () => {
  api = await startBeside(tandem, { TANDEM_ROLES: "api" });
  account = await newAccount(tandem, { features: ["voice"], limits: { read: WIDE, write: WIDE, call: WIDE } });
  await take(account, await newNumber(tandem));
});
afterAll(() => api?.stop());

test("is 503 while the process is silent, and 200 once the call has ended", async () => {
  const asAccount = (path: string, init?: RequestInit) =>
    fetch(api.url + path, { ...init, headers: { ...basic(account.sid, account.token), ...init?.headers } });
  const order = json("POST", { from: ANSWERS_AT_ONCE, to: ANSWERS_AT_ONCE });
  const { sid } = await answerOf<CallBody>(await account.call("/v1/Voice/Calls", order), 201);
  const callOf = async () => answerOf<CallBody>(await asAccount(`/v1/Voice/Calls/${sid}`), 200);
  await expect.poll(async () => (await callOf()).status, SOON).toBe("Answered");
  const hangUp = () => asAccount(`/v1/Voice/Calls/${sid}/hangup`, json("POST", {}));
  const hangUpAsTwilio = () =>
    asAccount(`/2010-04-01/Accounts/${account.sid}/Calls/${sid}.json`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "Status=completed",
    });
  process.kill(tandem.pid, "SIGSTOP");
  onTestFinished(() => void process.kill(tandem.pid, "SIGCONT"));
  for (const answer of await Promise.all([hangUp(), hangUpAsTwilio()])) {
    expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(answer.status).toBe(503);
    await answer.body?.cancel();
  }
  expect(await problemOf(await hangUp(), 503)).toMatchObject({ code: "call-not-reached" });
  expect((await callOf()).status).toBe("Answered");
  process.kill(tandem.pid, "SIGCONT");
  await expect.poll(async () => (await callOf()).status, SOON).toBe("Completed");
  expect(await answerOf<CallBody>(await hangUp(), 200)).toMatchObject({ status: "Completed", endReason: "HungUp" });
});
