// The outcome of a request by its id, chosen by client or server: what it created, and how it was refused.

import { beforeAll, describe, expect, test } from "vitest";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import { form, newMessenger, newSender, SEND, type Sender, UNTIL } from "./messages.ts";
import { answerOf, type List } from "./numbers.ts";
import { problemOf } from "./problem.ts";

interface Outcome {
  readonly requestId: string;
  readonly made: readonly { kind: string; sid: string; createdOn: string; accountSid?: string }[];
  readonly refused: readonly { status: number; requestId: string; traceId: string; accountSid?: string | null }[];
}

const tandem = useTandem();
const PERSON = "+14154740200";
let account: TestAccount;
let other: TestAccount;
let sender: Sender;
let made = 0;

beforeAll(async () => {
  account = await newMessenger(tandem);
  other = await newMessenger(tandem);
  sender = await newSender(tandem, tandem.database, account);
});

const newRequestId = () => `order-${process.pid}-${Date.now()}.${++made}`;
const own = async (id: string) => answerOf<Outcome>(await account.call(`/v1/Requests/${id}`), 200);
const any = async (id: string) => answerOf<Outcome>(await tandem.operator(`/operator/v1/Requests/${id}`), 200);

async function madeBy(path: string, order: RequestInit, status: number, requestId?: string) {
  const headers = { ...order.headers, ...(requestId === undefined ? {} : { "X-Request-Id": requestId }) };
  const response = await account.call(path, { ...order, headers });
  const id = response.headers.get("X-Request-Id") ?? "";
  const { sid } = await answerOf<{ sid: string }>(response, status);
  return { id, sid };
}

const text = () => ({ From: sender.number, To: PERSON, Text: "Hello" });

describe.each<[string, () => RequestInit]>([
  ["by the fast path", () => form(text())],
  ["by the framework", () => ({ ...json("POST", text()), headers: { "Content-Type": "application/json;a=b" } })],
])("a message accepted %s", (_, order) => {
  test("is found by the id of its request", async () => {
    const { id, sid } = await madeBy(SEND, order(), 200);
    expect(await own(id)).toStrictEqual({
      requestId: id,
      made: [{ kind: "Message", sid, createdOn: expect.stringMatching(/Z$/) }],
      refused: [],
    });
    expect((await any(id)).made).toStrictEqual([
      { kind: "Message", sid, createdOn: expect.any(String), accountSid: account.sid },
    ]);
    await problemOf(await other.call(`/v1/Requests/${id}`), 404);
  });

  test("is found by the id that its sender gave, and so is the one of a second try", async () => {
    const requestId = newRequestId();
    const first = await madeBy(SEND, order(), 200, requestId);
    const second = await madeBy(SEND, order(), 200, requestId);
    expect(first.id).toBe(requestId);
    expect((await own(requestId)).made.map(({ sid }) => sid)).toEqual([first.sid, second.sid]);
    expect((await any(requestId)).made.map(({ accountSid }) => accountSid)).toEqual([account.sid, account.sid]);
    await problemOf(await other.call(`/v1/Requests/${requestId}`), 404);
  });
});

test("an id of ours that a sender gives again makes another message", async () => {
  const first = await madeBy(SEND, form(text()), 200);
  const second = await madeBy(SEND, form(text()), 200, first.id);
  expect(second.sid).not.toBe(first.sid);
  expect((await own(first.id)).made.map(({ sid }) => sid)).toEqual([first.sid, second.sid]);
});

test("a repeat under an Idempotency-Key made nothing; its first request made the message", async () => {
  const order = { ...form(text()) };
  const keyed = { ...order, headers: { ...order.headers, "Idempotency-Key": newRequestId() } };
  const first = await madeBy(SEND, keyed, 200);
  const repeat = await madeBy(SEND, keyed, 200);
  expect(repeat.sid).toBe(first.sid);
  expect((await own(first.id)).made).toMatchObject([{ sid: first.sid }]);
  await problemOf(await account.call(`/v1/Requests/${repeat.id}`), 404);
});

test("a message in Twilio's shape is found, too", async () => {
  const path = `/2010-04-01/Accounts/${account.sid}/Messages.json`;
  const response = await account.call(path, form({ From: sender.number, To: PERSON, Body: "Hello" }));
  const { sid } = await answerOf<{ sid: string }>(response, 201);
  const { made: found } = await own(response.headers.get("X-Request-Id") ?? "");
  expect(found).toMatchObject([{ kind: "Message", sid: `OM${sid.slice(2)}` }]);
});

test.each<[string, string, () => RequestInit, number]>([
  ["MessagingConfig", "/v1/MessagingConfigs", () => json("POST", { name: newRequestId() }), 201],
  ["Subscription", "/v1/Webhooks", () => json("POST", { type: "OptOutChanged", url: "https://example.com/hook" }), 201],
])("a %s is found by the id of the request that made it", async (kind, path, order, status) => {
  const { id, sid } = await madeBy(path, order(), status);
  expect((await own(id)).made).toMatchObject([{ kind, sid }]);
});

test.each([undefined, "given"])("a call is found by the id of its request, %s", async (given) => {
  await account.change({ features: ["voice"] });
  const order = json("POST", { from: "+14155550101", to: "+14155550100" });
  const { id, sid } = await madeBy("/v1/Voice/Calls", order, 201, given && newRequestId());
  expect((await own(id)).made).toMatchObject([{ kind: "Call", sid }]);
});

test("a sid tells operators whose it is", async () => {
  const { sid } = await madeBy(SEND, form(text()), 200);
  expect((await any(sid)).made).toMatchObject([{ kind: "Message", sid, accountSid: account.sid }]);
  await problemOf(await other.call(`/v1/Requests/${sid}`), 404);
});

test("a refusal is found by its request id and by its trace id", async () => {
  const requestId = newRequestId();
  const { traceId } = await problemOf(
    await account.call("/v1/Webhooks/WS1", { headers: { "X-Request-Id": requestId } }),
    404,
  );
  await expect.poll(async () => (await account.call(`/v1/Requests/${requestId}`)).status, UNTIL).toBe(200);
  for (const id of [requestId, traceId]) {
    expect(await own(id)).toMatchObject({ made: [], refused: [{ status: 404, requestId, traceId }] });
    expect(await any(id)).toMatchObject({ refused: [{ accountSid: account.sid }] });
    await problemOf(await other.call(`/v1/Requests/${id}`), 404);
  }
});

test("what nobody asked for is not found, whatever it looks like", async () => {
  const ids = ["none-such", "01935f1e-4c7b-7000-a3c4-1f0e5d9b2a17", `OM${"0".repeat(32)}`, "%00", "' or 1=1 --"];
  for (const id of ids) {
    const path = `Requests/${encodeURIComponent(id).replace("%2500", "%00")}`;
    expect([400, 404]).toContain((await account.call(`/v1/${path}`)).status);
    expect([400, 404]).toContain((await tandem.operator(`/operator/v1/${path}`)).status);
  }
});

test("support may look, within an account too, and every look is in the audit log", async () => {
  const { id, sid } = await madeBy(SEND, form(text()), 200);
  const order = json("POST", { name: newRequestId(), role: "support" });
  const { token } = await answerOf<{ token: string }>(await tandem.operator("/operator/v1/Tokens", order), 201);
  const headers = { Authorization: `Basic ${btoa(`operator:${token}`)}` };
  const found = await fetch(`${tandem.url}/operator/v1/Requests/${id}`, { headers });
  expect((await answerOf<Outcome>(found, 200)).made).toMatchObject([{ sid }]);
  const within = (whose: string) => `${tandem.url}/operator/v1/Accounts/${whose}/Requests/${id}`;
  expect((await answerOf<Outcome>(await fetch(within(account.sid), { headers }), 200)).made).toMatchObject([{ sid }]);
  await problemOf(await fetch(within(other.sid), { headers }), 404);
  const audit = await tandem.operator(`/operator/v1/AuditLog?Subject=${id}`);
  expect((await answerOf<List<{ action: string }>>(audit, 200)).items).toMatchObject([{ action: "getAnyRequest" }]);
});
