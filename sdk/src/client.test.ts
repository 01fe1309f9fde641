import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createClient, createOperatorClient, TandemError, TandemNetworkError } from "./index.ts";

interface Heard {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

let server: Server;
let heard: Heard[];
let reply: (response: ServerResponse, request: IncomingMessage) => void;
let baseUrl: string;

beforeEach(async () => {
  heard = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    heard.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    reply(response, request);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const INFO = { number: "+14154740200", status: "Active", type: "Wireless", carrierName: "Example" };
const LIMITS = { "RateLimit-Limit": "100", "RateLimit-Remaining": "97", "RateLimit-Reset": "8" };

function answerJson(status: number, body: unknown, headers: Record<string, string> = {}) {
  reply = (response) =>
    response
      .writeHead(status, { "Content-Type": "application/json", "X-Request-Id": "r-1", ...headers })
      .end(JSON.stringify(body));
}

function client(timeoutMs = 10_000) {
  return createClient({ baseUrl: `${baseUrl}/`, accountSid: "AC1", token: "geheim-ü", timeoutMs, retries: 0 });
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("a lookup answers the number with what the headers say", async () => {
  answerJson(200, INFO, { ...LIMITS, "X-Lookup-Source": "table", "X-Lookup-As-Of": "2026-09-03T00:00:00.000Z" });
  expect(await client().lookup.number("+14154740200")).toEqual({
    data: INFO,
    status: 200,
    requestId: "r-1",
    rateLimit: { limit: 100, remaining: 97, resetSeconds: 8 },
    source: "table",
    asOf: "2026-09-03T00:00:00.000Z",
  });
  expect(heard[0]).toMatchObject({
    method: "GET",
    url: "/carrierLookup/v1/Numbers/%2B14154740200",
    headers: { authorization: `Basic ${Buffer.from("AC1:geheim-ü").toString("base64")}` },
  });
});

test("many numbers go in one request, under the key that was given", async () => {
  const items = [INFO, { number: "x", error: "no digits" }];
  answerJson(200, { items });
  const answer = await client().lookup.numbers(["+14154740200", "x"], { idempotencyKey: "once" });
  expect(answer.data.items).toEqual(items);
  expect(answer.rateLimit).toBeUndefined();
  expect(heard[0]).toMatchObject({ method: "POST", headers: { "idempotency-key": "once" } });
  expect(JSON.parse(heard[0]?.body ?? "")).toEqual({ numbers: ["+14154740200", "x"] });
});

test("the account is asked for itself", async () => {
  answerJson(200, { sid: "AC1" });
  expect((await client().account.get()).data.sid).toBe("AC1");
  expect(heard[0]?.url).toBe("/v1/Account");
});

test("a refusal carries everything the problem says", async () => {
  const traceId = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  const errors = { Number: ["This is no number."] };
  answerJson(400, { title: "One or more validation errors occurred.", detail: null, code: "invalid", traceId, errors });
  const error = await failure(client().lookup.number("x"));
  expect(error).toBeInstanceOf(TandemError);
  expect(error).toMatchObject({ status: 400, code: "invalid", errors, traceId, requestId: "r-1" });
  expect((error as TandemError).message).toBe("This is no number.");
});

test("a refused message carries its error code", async () => {
  const problem = { title: "The recipient has opted out.", code: "recipient-opted-out", errors: { To: ["No."] } };
  answerJson(400, { ...problem, errorCode: 1002, errorMessage: "The recipient has opted out." });
  expect(await failure(client().messages.send({ from: "+1", to: "+2", text: "Hi" }))).toMatchObject({
    code: "recipient-opted-out",
    errorCode: 1002,
    errorMessage: "The recipient has opted out.",
  });
  answerJson(400, { title: "No.", errorCode: "1002" });
  expect(await failure(client().account.get())).toMatchObject({ errorCode: undefined, errorMessage: undefined });
});

test("a refusal for haste says when to come back", async () => {
  answerJson(
    429,
    { title: "Too many requests", detail: "Ask again.", code: "rate-limited" },
    {
      ...LIMITS,
      "RateLimit-Remaining": "0",
      "Retry-After": "8",
    },
  );
  expect(await failure(client().account.get())).toMatchObject({
    message: "Too many requests. Ask again.",
    retryAfterSeconds: 8,
    rateLimit: { limit: 100, remaining: 0, resetSeconds: 8 },
  });
});

test("a proxy's error page is a refusal without a code", async () => {
  reply = (response) => response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");
  expect(await failure(client().account.get())).toMatchObject({
    name: "TandemError",
    status: 502,
    code: undefined,
    errors: {},
  });
});

test("an answer that is no JSON is not taken for one", async () => {
  reply = (response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Welcome</h1>");
  expect(await failure(client().account.get())).toMatchObject({ name: "TandemNetworkError", fault: "garbled" });
});

test("a server that is not there is a network error with the reason", async () => {
  const unreachable = createClient({ baseUrl: "http://127.0.0.1:1", accountSid: "AC1", token: "t", retryPauseMs: 1 });
  const error = await failure(unreachable.account.get());
  expect(error).toMatchObject({ fault: "unreachable" });
  expect((error as Error).message).toMatch(/ECONNREFUSED|bad port/);
});

test("a server that stops in the middle of its answer is given up after the timeout", async () => {
  reply = (response) => response.writeHead(200, { "Content-Type": "application/json" }).write('{"sid":');
  const error = await failure(client(50).account.get());
  expect(error).toBeInstanceOf(TandemNetworkError);
  expect(error).toMatchObject({ fault: "timeout" });
});

test("a connection that breaks in the middle is a network error", async () => {
  reply = (response) => {
    response.writeHead(200, { "Content-Length": "100" }).write("{", () => response.destroy());
  };
  expect(await failure(client().account.get())).toMatchObject({ fault: "unreachable" });
});

test("a caller's signal ends the call, also one that was given before", async () => {
  const giveUp = new AbortController();
  reply = () => giveUp.abort();
  expect(await failure(client().account.get({ signal: giveUp.signal }))).toMatchObject({ fault: "aborted" });
  expect(await failure(client().account.get({ signal: giveUp.signal }))).toMatchObject({ fault: "aborted" });
  expect(heard).toHaveLength(1);
});

test("credentials do not follow a redirect", async () => {
  reply = (response) => response.writeHead(302, { Location: "/elsewhere" }).end();
  expect(await failure(client().account.get())).toMatchObject({ name: "TandemNetworkError", fault: "garbled" });
  expect(heard).toHaveLength(1);
});

test("a session signs in by its cookie, and shows that no form of another site asks", async () => {
  const asked: RequestInit[] = [];
  const order = {
    baseUrl,
    session: true,
    fetch: async (_: unknown, init?: RequestInit) => {
      asked.push(init ?? {});
      return Response.json({ items: [] });
    },
  } as const;
  await createClient(order).account.get();
  await createOperatorClient(order).accounts.list();
  for (const { credentials, headers } of asked) {
    expect(credentials).toBe("same-origin");
    expect(headers).toEqual({ Accept: "application/json", "X-Tandem-Session": "1" });
  }
  expect(asked).toHaveLength(2);
});

test("a session's requests name whom the page shows, as soon as it shows one", async () => {
  let shown: string | undefined;
  const named: unknown[] = [];
  const client = createClient({
    baseUrl,
    session: true,
    shownOwner: () => shown,
    fetch: async (_: unknown, init?: RequestInit) => {
      named.push(new Headers(init?.headers).get("X-Tandem-Account"));
      return Response.json({});
    },
  });
  await client.account.get();
  shown = "AC01935f1e4c7b7000a3c41f0e5d9b2a00";
  await client.account.get();
  expect(named).toEqual([null, shown]);
});
