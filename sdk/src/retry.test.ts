import { afterEach, expect, test, vi } from "vitest";
import { createClient, type TandemClient, TandemError, TandemNetworkError } from "./index.ts";

interface Sent {
  readonly method: string | undefined;
  readonly key: string | null;
}

afterEach(() => {
  vi.useRealTimers();
});

/** A client of a server that sends these responses, one after the other; `undefined` is a connection that breaks. */
function clientOf(answers: readonly (Response | undefined)[], order: { retries?: number; timeoutMs?: number } = {}) {
  const sent: Sent[] = [];
  const left = [...answers];
  const fetch = async (_: unknown, { method, headers }: RequestInit = {}) => {
    sent.push({ method, key: new Headers(headers).get("Idempotency-Key") });
    const answer = left.shift();
    if (answer) return answer;
    throw new TypeError("fetch failed");
  };
  const baseUrl = "http://localhost:8080";
  return { client: createClient({ baseUrl, accountSid: "AC1", token: "t", retryPauseMs: 0, ...order, fetch }), sent };
}

const refusal = (status: number, code = "busy", headers: Record<string, string> = {}) =>
  Response.json({ title: "No.", code }, { status, headers });
const done = () => Response.json({ sid: "OM1", items: [] });
const send = (client: TandemClient) => client.messages.send({ from: "+1", to: "+2", text: "Hi" });
const change = (client: TandemClient) => client.phones.change("+1", { name: "A" });

test("a message is sent once, under one key, however often its request is repeated", async () => {
  const { client, sent } = clientOf([undefined, refusal(409, "idempotency-running"), done()]);
  expect(await send(client)).toMatchObject({ status: 200 });
  expect(sent).toHaveLength(3);
  expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
});

test("each call has a key of its own, unless one is given", async () => {
  const { client, sent } = clientOf([done(), done(), done()]);
  await send(client);
  await send(client);
  await client.messages.send({ from: "+1", to: "+2", text: "Hi" }, { idempotencyKey: "mine" });
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  expect(sent[2]?.key).toBe("mine");
});

test("what only reads has no key", async () => {
  const { client, sent } = clientOf([done(), done(), undefined, done()]);
  await client.lookup.numbers(["+1"]);
  await client.messages.rehearse({ from: "+1", to: "+2", text: "Hi" });
  await client.messages.list();
  expect(sent.map(({ key }) => key)).toEqual([null, null, null, null]);
});

test.each([429, 502, 503, 504])("%i is asked again", async (status) => {
  const { client, sent } = clientOf([refusal(status), refusal(status), done()]);
  await send(client);
  expect(sent).toHaveLength(3);
});

test.each([400, 401, 404, 409, 500])("%i is not asked again", async (status) => {
  const { client, sent } = clientOf([refusal(status), done()]);
  await expect(send(client)).rejects.toMatchObject({ status });
  expect(sent).toHaveLength(1);
});

test("a change that may have been made is not made again", async () => {
  for (const answer of [undefined, refusal(502), refusal(504)]) {
    const { client, sent } = clientOf([answer, done()]);
    await expect(change(client)).rejects.toThrow();
    expect(sent).toHaveLength(1);
  }
  for (const answer of [refusal(429), refusal(503)]) await change(clientOf([answer, done()]).client);
});

test("what an earlier try may have deleted is gone", async () => {
  const remove = (client: TandemClient) => client.phones.remove("+1");
  for (const answer of [undefined, refusal(502), refusal(504)]) {
    const { client, sent } = clientOf([answer, refusal(503), refusal(404, "not-found")]);
    expect(await remove(client)).toMatchObject({ status: 204, data: undefined });
    expect(sent).toHaveLength(3);
  }
  const { client } = clientOf([refusal(503), refusal(404, "not-found")]);
  await expect(remove(client)).rejects.toMatchObject({ status: 404 });
  const reading = clientOf([undefined, refusal(404, "not-found")]).client;
  await expect(reading.account.get()).rejects.toMatchObject({ status: 404 });
});

test("the last fault is reported when every repeat fails", async () => {
  const { client, sent } = clientOf([undefined, refusal(503), undefined, done()]);
  await expect(client.account.get()).rejects.toBeInstanceOf(TandemNetworkError);
  expect(sent).toHaveLength(3);
});

test("without retries there is one request, without a key", async () => {
  const { client, sent } = clientOf([refusal(503), done()], { retries: 0 });
  await expect(send(client)).rejects.toBeInstanceOf(TandemError);
  expect(sent).toEqual([{ method: "POST", key: null }]);
});

test("a pause that the server asks for is kept", async () => {
  vi.useFakeTimers();
  const { client, sent } = clientOf([refusal(429, "rate-limited", { "Retry-After": "7" }), done()]);
  const call = client.account.get();
  await vi.advanceTimersByTimeAsync(6_999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await call).toMatchObject({ status: 200 });
});

test("a pause that outlasts the call is not begun: the refusal says when to come back", async () => {
  const { client, sent } = clientOf([refusal(429, "rate-limited", { "Retry-After": "60" }), done()]);
  await expect(client.account.get()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 60 });
  expect(sent).toHaveLength(1);
});

test("a caller who gives up during the pause gets no further request", async () => {
  const { client, sent } = clientOf([refusal(429, "rate-limited", { "Retry-After": "7" }), done()]);
  const giveUp = new AbortController();
  const call = client.account.get({ signal: giveUp.signal });
  await expect.poll(() => sent).toHaveLength(1);
  giveUp.abort();
  await expect(call).rejects.toThrow();
  expect(sent).toHaveLength(1);
});
