// Calls in the sandbox: each simulated telephone behaves as its number prescribes.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownPort } from "../own-port.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { type Ear, listen } from "./messages.ts";
import { answerOf, newNumber, SOON, take, WIDE } from "./numbers.ts";

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly endReason: string | null;
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
const place = async (order: object) =>
  (await answerOf<CallBody>(await account.call("/v1/Voice/Calls", json("POST", { from: AT_ONCE, ...order })), 201)).sid;
const callOf = async (sid: string) => answerOf<CallBody>(await account.call(`/v1/Voice/Calls/${sid}`), 200);
const emulate = (body: object, who = account) =>
  who.call("/testkit/v1/Emulate/inbound-call", json("POST", { from: "+12125550123", to: number, ...body }));

async function toldUntilEnd(ear: Ear): Promise<readonly string[]> {
  const told = () =>
    ear.heard
      .filter(({ type }) => type === "CallStatusChangedWebhook")
      .map(({ payload }) => `${payload.Leg} ${payload.Status}`);
  await ear.until(() => told().at(-1) === "Second Completed");
  await ear.leave();
  return told();
}

test.each([
  ["+14155550101", "Busy"],
  ["+14155550103", "Rejected"],
  ["+14155550104", "NoAnswer"],
  ["+14155550109", "Failed"],
])("a call to %s ends as %s", async (to, endReason) => {
  const sid = await place({ to });
  await expect.poll(async () => (await callOf(sid)).status, SOON).toBe("Completed");
  expect(await callOf(sid)).toMatchObject({ endReason });
});

test("a telephone that hangs up ends a call that was connected", async () => {
  const ear = await listen(account);
  const sid = await place({ to: "+14155550107" });
  expect(await toldUntilEnd(ear)).toHaveLength(6);
  expect(await callOf(sid)).toMatchObject({ endReason: "Completed", endedBy: "Second" });
});

test("first parties press a key: as an event, by INFO, as a tone", async () => {
  const pressing = ["+14155550110", "+14155550112", "+14155550113"];
  const sids = await Promise.all(pressing.map((from) => place({ from, to: "+14155550107", requireKeyPress: true })));
  for (const sid of sids) {
    await expect.poll(async () => (await callOf(sid)).status, SOON).toBe("Completed");
    expect(await callOf(sid)).toMatchObject({ endReason: "Completed", endedBy: "Second" });
    const trail = await account.call(`/v1/Voice/Calls/${sid}/why`);
    expect(JSON.stringify(await answerOf(trail, 200))).toContain("keyPressed");
  }
});

test("a user calls a number, is forwarded, and hangs up", async () => {
  await answerOf(await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo: AT_ONCE })), 200);
  const ear = await listen(account);
  expect(await answerOf(await emulate({ durationSeconds: 1 }), 200)).toStrictEqual({ done: true });
  expect(await toldUntilEnd(ear)).toHaveLength(6);
});

test("a telephone that is not to answer rings until the caller gives up", async () => {
  const ear = await listen(account);
  await answerOf(await emulate({ durationSeconds: 1, answer: false }), 200);
  expect(await toldUntilEnd(ear)).toStrictEqual([
    "First Ringing",
    "First Answered",
    "Second Ringing",
    "First Completed",
    "Second Completed",
  ]);
});

test("support sees the calls of an account, and why they went as they did", async () => {
  const sid = await place({ to: "+14155550101" });
  await expect.poll(async () => (await callOf(sid)).status, SOON).toBe("Completed");
  const seen = async (path: string) =>
    answerOf<Record<string, unknown>>(
      await tandem.operator(`/operator/v1/Accounts/${account.sid}/Voice/Calls${path}`),
      200,
    );
  expect(await seen("?PageSize=1")).toMatchObject({ items: [{ sid }] });
  expect(await seen(`/${sid}`)).toEqual(await callOf(sid));
  expect(await seen(`/${sid}/why`)).toMatchObject({
    endReason: "Busy",
    summary: { why: expect.stringContaining("The line was busy.") },
  });
});

test("nobody calls a number of another user, or where voice is off", async () => {
  const other = await newAccount(tandem);
  expect(await answerOf(await emulate({}, other), 403)).toMatchObject({ code: "feature-off" });
  await other.change({ features: ["voice"] });
  expect(await answerOf(await emulate({}, other), 400)).toMatchObject({ errors: { to: [expect.any(String)] } });
});

describe("when the first source address fails", () => {
  const taken = createSocket("udp4");
  const other = useTandem(async () => {
    const port = await ownPort();
    await once(taken.bind(port, "127.0.0.2"), "listening");
    return { environment: { TANDEM_SIP_PORT: String(port) } };
  });
  afterAll(() => taken.close());

  test("calls come and go by the second", async () => {
    const limits = { read: WIDE, write: WIDE, call: WIDE };
    const caller = await newAccount(other, { features: ["voice"], limits });
    const own = await newNumber(other);
    await take(caller, own);
    await answerOf(await caller.call(`/v1/Phones/${own}/voice`, json("PUT", { callsForwardedTo: AT_ONCE })), 200);
    const ear = await listen(caller);
    const order = json("POST", { from: "+12125550123", to: own, durationSeconds: 1 });
    await answerOf(await caller.call("/testkit/v1/Emulate/inbound-call", order), 200);
    expect(await toldUntilEnd(ear)).toHaveLength(6);
    const { items } = await answerOf<{ items: CallBody[] }>(await caller.call("/v1/Voice/Calls"), 200);
    const texts = async () =>
      JSON.stringify(await answerOf(await caller.call(`/v1/Voice/Calls/${items[0]?.sid}/sip`), 200));
    await expect.poll(texts, SOON).toMatch(/"direction":"Sent".*Via: SIP\/2.0\/UDP 127\.0\.0\.3:/);
    expect(await texts()).not.toContain("127.0.0.2");
  });
});
