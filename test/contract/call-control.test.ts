// Control of a call from another process than the one that has it. While that process is silent no order counts as
// done, and what was withdrawn is not done later; once it was killed, its calls end.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { twilioDialedCallSid } from "../../src/adapters/twilio/names.ts";
import { basic, json, type Tandem } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const ANSWERS_AT_ONCE = "+14155550111";
const DIALS = `<Response><Dial><Number>${ANSWERS_AT_ONCE}</Number></Dial><Pause Length="180"/></Response>`;
const PAUSES = '<Response><Pause Length="180"/></Response>';

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly legs: readonly { readonly sid: string; readonly status: string; readonly endReason: string | null }[];
  readonly recordings?: { readonly status: string };
}

const folder = mkdtempSync(join(tmpdir(), "tandem-control-"));
/** The server that has the calls. */
const tandem = useTandem({});
let api: Tandem;
let account: TestAccount;
beforeAll(async () => {
  const file = join(folder, "tandem.config.json");
  const trunk = { name: "carrier", host: "127.0.0.1", port: 5999, sources: ["127.0.0.1"], optionsSeconds: 0 };
  writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks: [trunk] } }));
  api = await startBeside(tandem, { TANDEM_ROLES: "api", TANDEM_CONFIG: file });
  account = await newAccount(tandem, { features: ["voice"], limits: { read: WIDE, write: WIDE, call: WIDE } });
  await take(account, await newNumber(tandem));
});
afterAll(async () => {
  await api?.stop();
  rmSync(folder, { recursive: true });
});

const asAccount = (path: string, init?: RequestInit) =>
  fetch(api.url + path, { ...init, headers: { ...basic(account.sid, account.token), ...init?.headers } });
const callOf = async (sid: string) => answerOf<CallBody>(await asAccount(`/v1/Voice/Calls/${sid}`), 200);
const why = async (sid: string) => (await asAccount(`/v1/Voice/Calls/${sid}/why`)).text();

/** A call with this order, once both parties are there. */
async function call(order: object): Promise<string> {
  const { sid } = await answerOf<CallBody>(await account.call("/v1/Voice/Calls", json("POST", order)), 201);
  const answered = async () => (await callOf(sid)).legs.filter(({ status }) => status === "Answered").length;
  await expect.poll(answered, SOON).toBe(2);
  return sid;
}

const connected = () => call({ from: ANSWERS_AT_ONCE, to: ANSWERS_AT_ONCE, record: true });
const dialling = () => call({ to: ANSWERS_AT_ONCE, script: DIALS });

const order = (sid: string, what: string, body: object = {}) =>
  asAccount(`/v1/Voice/Calls/${sid}/${what}`, json("POST", body));
const hangUp = (sid: string) => order(sid, "hangup");
const pause = (sid: string) => order(sid, "recording-control", { action: "Pause" });
const redirect = (sid: string) => order(sid, "redirect", { script: PAUSES });
const hangUpAsTwilio = (sid: string) =>
  asAccount(`/2010-04-01/Accounts/${account.sid}/Calls/${sid}.json`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "Status=completed",
  });
/** Of the call that another one has dialled. */
const hangUpParty = async (sid: string) => {
  const party = (await callOf(sid)).legs[1]?.sid ?? "";
  return () => hangUpAsTwilio(twilioDialedCallSid(party));
};

test("is done by the process that has the call", async () => {
  const [one, other] = [await connected(), await dialling()];
  expect(await answerOf<object>(await pause(one), 200)).toMatchObject({ status: "Paused" });
  const party = await hangUpParty(other);
  expect(await answerOf<object>(await party(), 200)).toMatchObject({ status: "completed" });
  expect((await callOf(other)).status).not.toBe("Completed");
  await answerOf(await redirect(other), 200);
  await expect.poll(() => why(other), SOON).toContain('"redirected"');
  for (const sid of [one, other]) {
    expect(await answerOf<CallBody>(await hangUp(sid), 200)).toMatchObject({ status: "Completed" });
  }
});

test("is 503 while the process is silent: a hang-up is done when it is back, all else is not done later", async () => {
  const [ended, also, recorded] = [await connected(), await connected(), await connected()];
  const [redirected, dialled] = [await dialling(), await dialling()];
  const party = await hangUpParty(dialled);
  process.kill(tandem.pid, "SIGSTOP");
  onTestFinished(() => void process.kill(tandem.pid, "SIGCONT"));
  const answers = await Promise.all([
    hangUp(ended),
    hangUpAsTwilio(also),
    pause(recorded),
    redirect(redirected),
    party(),
  ]);
  for (const answer of answers) {
    expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(answer.status).toBe(503);
    await answer.body?.cancel();
  }
  expect(await problemOf(await hangUp(ended), 503)).toMatchObject({ code: "call-not-reached" });
  expect((await callOf(ended)).status).toBe("Answered");
  process.kill(tandem.pid, "SIGCONT");
  for (const sid of [ended, also]) await expect.poll(async () => (await callOf(sid)).status, SOON).toBe("Completed");
  expect(await answerOf<CallBody>(await hangUp(ended), 200)).toMatchObject({
    status: "Completed",
    endReason: "HungUp",
  });
  // What it was asked for before has been looked at once it does this.
  await answerOf(await pause(await connected()), 200);
  expect((await callOf(recorded)).recordings?.status).toBe("Recording");
  expect((await callOf(dialled)).legs[1]?.status).toBe("Answered");
  expect(await why(redirected)).not.toContain('"redirected"');
  // It can be asked for again.
  await answerOf(await pause(recorded), 200);
  await answerOf(await redirect(redirected), 200);
  await answerOf(await party(), 200);
});

test("of a process that is killed while it is asked is answered by 503, and then by the end of the call", async () => {
  const [ended, recorded] = [await connected(), await connected()];
  const [redirected, dialled] = [await dialling(), await dialling()];
  const party = await hangUpParty(dialled);
  process.kill(tandem.pid, "SIGSTOP");
  const answers = Promise.all([hangUp(ended), pause(recorded), redirect(redirected), party()]);
  await tandem.kill();
  for (const answer of await answers) {
    expect(answer.status).toBe(503);
    await answer.body?.cancel();
  }
  // Another process takes its place.
  const next = await startBeside(tandem);
  onTestFinished(() => next.stop().then(() => undefined));
  for (const sid of [ended, recorded, redirected, dialled]) {
    await expect.poll(async () => (await callOf(sid)).status, SOON).toBe("Completed");
    expect(await callOf(sid)).toMatchObject({ endReason: "Failed" });
  }
  await answerOf(await hangUp(ended), 200);
  expect(await problemOf(await pause(recorded), 409)).toMatchObject({ code: "conflict" });
  expect(await problemOf(await redirect(redirected), 409)).toMatchObject({ code: "call-not-in-progress" });
  await answerOf(await party(), 200);
});
