import { connect } from "node:net";
import { expect, test } from "vitest";
import { closedAfter } from "../../../test/fakes/closed-after.ts";
import * as zoo from "../../../test/faults/webhook-receivers.ts";
import { newAddressGuard } from "../guard/address-guard.ts";
import type { ResolveName } from "../guard/resolve-name.ts";
import { WebhookClient, type WebhookClientOptions, type WebhookRequest } from "./webhook-client.ts";

const loopback: ResolveName = async () => [{ address: "127.0.0.1", family: 4 }];

function newClient(options: Partial<WebhookClientOptions> = {}): WebhookClient {
  const guard = newAddressGuard({ allowedNetworks: ["loopback"], resolve: loopback });
  return closedAfter(new WebhookClient({ guard, ...options }));
}

const order = (url: string, rest: Partial<WebhookRequest> = {}): WebhookRequest => ({
  url,
  headers: { "content-type": "application/json" },
  body: '{"a":1}',
  ...rest,
});

const textOf = (body: Uint8Array) => Buffer.from(body).toString();

const answered = (status: number, truncated: boolean, rest = {}) => ({ kind: "answered", status, truncated, ...rest });
const failed = (reason: string) => ({ kind: "failed", reason });

test("a healthy receiver gets the request as it was given and its answer comes back", async () => {
  const receiver = closedAfter(
    await zoo.startHealthy({ answer: () => ({ status: 201, headers: { "x-other": "1" }, body: "thanks" }) }),
  );
  const client = newClient();
  const answer = await client.post(
    order(`${receiver.url}?a=b%20c#fragment`, {
      headers: { "Content-Type": "application/json", "webhook-id": "x" },
      body: "ü",
    }),
  );
  expect(answer).toEqual({
    kind: "answered",
    status: 201,
    contentType: "text/plain",
    retryAfterMs: undefined,
    body: new Uint8Array(Buffer.from("thanks")),
    truncated: false,
    ms: expect.any(Number),
    exchange: expect.any(Function),
    valuesOf: expect.any(Function),
  });
  const [request] = receiver.requests;
  expect(request).toMatchObject({ method: "POST", path: "/hook?a=b%20c", body: Buffer.from("ü") });
  expect(request?.headers).toEqual({
    host: `127.0.0.1:${receiver.port}`,
    connection: "keep-alive",
    "content-type": "application/json",
    "content-length": "2",
    "user-agent": "tandem",
    "accept-encoding": "identity",
    "webhook-id": "x",
  });
});

test("an empty body is sent with its length", async () => {
  const receiver = closedAfter(await zoo.startHealthy());
  expect(await newClient().post(order(receiver.url, { body: "" }))).toMatchObject({ status: 200 });
  expect(receiver.requests.map(({ headers }) => headers["content-length"])).toEqual(["0"]);
});

test("connections are kept and used again", async () => {
  const receiver = closedAfter(await zoo.startHealthy());
  const client = newClient({ connectionsPerOriginMax: 4 });
  for (let round = 0; round < 5; round++) {
    await Promise.all(Array.from({ length: 40 }, () => client.post(order(receiver.url))));
  }
  expect(receiver.requests.length).toBe(200);
  expect(receiver).toMatchObject({ accepted: 4, open: 4 });
});

test("a request that is sent once only never uses a connection that was used before", async () => {
  const receiver = closedAfter(await zoo.startHealthy());
  const client = newClient();
  for (const isOnce of [false, true, true, false]) {
    expect(await client.post(order(receiver.url, { isOnce }))).toMatchObject({ status: 200 });
  }
  expect(receiver.accepted).toBe(3);
});

test("an idle connection is closed after its time", async () => {
  const receiver = closedAfter(await zoo.startHealthy());
  const client = newClient({ keepAliveMs: 20 });
  await client.post(order(receiver.url));
  await receiver.whenEmpty();
  expect(await client.post(order(receiver.url))).toMatchObject({ status: 200 });
  expect(receiver.accepted).toBe(2);
});

test("a port where nobody listens is a matter of connecting", async () => {
  const receiver = await zoo.startHealthy();
  await receiver.close();
  expect(await newClient().post(order(receiver.url))).toMatchObject(failed("connect"));
});

test("TLS is spoken with a trusted receiver of the right name and with no other", async () => {
  const receiver = closedAfter(await zoo.startHealthy({ tls: true }));
  const client = newClient({ ca: [zoo.CERTIFICATE.cert] });
  const post = (host: string) => client.post(order(`https://${host}:${receiver.port}/`));
  expect(await post("receiver.test")).toMatchObject(answered(200, false));
  expect(await post("receiver.test.")).toMatchObject(answered(200, false));
  expect(await post("127.0.0.1")).toMatchObject(answered(200, false));
  expect(await post("other.test")).toMatchObject(failed("tls"));
  expect(receiver.requests.length).toBe(3);
  const breaking = closedAfter(await zoo.startRawTls((socket) => socket.once("data", () => socket.destroy())));
  expect(await client.post(order(breaking.url))).toMatchObject(failed("reset"));
});

test("an answer longer than what is kept, yet not too long, leaves the connection in use", async () => {
  const receiver = closedAfter(await zoo.startHealthy({ answer: () => ({ body: "x".repeat(60_000) }) }));
  const client = newClient();
  for (let round = 0; round < 3; round++) {
    const answer = await client.post(order(receiver.url));
    expect(answer).toMatchObject(answered(200, true));
    expect(answer.kind === "answered" && answer.body.length).toBe(4096);
  }
  expect(receiver.accepted).toBe(1);
});

test("a thousand origins leave no more behind than the bounds", async () => {
  const receiver = closedAfter(await zoo.startHealthy());
  const client = newClient({ connectionsMax: 10, idleConnectionsMax: 5 });
  const posts = Array.from({ length: 1000 }, async (_, index) => {
    const answer = await client.post(order(`http://host-${index}.test:${receiver.port}/`, { deadlineMs: 60_000 }));
    return answer.kind === "answered" && answer.status;
  });
  expect(new Set(await Promise.all(posts))).toEqual(new Set([200]));
  await receiver.whenOpen(5);
  // A closing connection may still be counted when the next one is already open.
  expect(receiver.openMax).toBeLessThanOrEqual(20);
});

test("a busy origin does not keep the others from the last connections", async () => {
  const silent = closedAfter(await zoo.startSilent());
  const healthy = closedAfter(await zoo.startHealthy());
  const client = newClient({ connectionsPerOriginMax: 4, connectionsMax: 4 });
  const stuck = Array.from({ length: 3 }, () => client.post(order(silent.url, { deadlineMs: 60_000 })));
  await silent.whenAccepted(3);
  const others = Array.from({ length: 50 }, (_, index) =>
    client.post(order(`http://host-${index % 10}.test:${healthy.port}/`)),
  );
  expect((await Promise.all(others)).every((answer) => answer.kind === "answered")).toBe(true);
  await client.close();
  expect((await Promise.all(stuck)).map((answer) => answer.kind === "failed" && answer.reason)).toEqual(
    Array(3).fill("aborted"),
  );
});

test("an account waits for no other account's connections to the same origin", async () => {
  const silent = closedAfter(await zoo.startSilent());
  const client = newClient({ connectionsPerOriginMax: 2 });
  const slow = Array.from({ length: 10 }, () => client.post(order(silent.url, { accountSid: "AC1" })));
  await silent.whenAccepted(2);
  const other = client.post(order(silent.url, { accountSid: "AC2" }));
  await silent.whenAccepted(3);
  await client.close();
  for (const answer of await Promise.all([...slow, other])) expect(answer).toMatchObject(failed("aborted"));
});

test("a header that cannot be sent fails its own request only", async () => {
  const receiver = closedAfter(await zoo.startHealthy());
  const client = newClient({ connectionsPerOriginMax: 1 });
  const bad = Array.from({ length: 1000 }, () =>
    client.post(order(receiver.url, { headers: { authorization: "a\r\nb: c" } })),
  );
  const good = client.post(order(receiver.url));
  for (const answer of await Promise.all(bad)) expect(answer).toMatchObject(failed("protocol"));
  expect(await good).toMatchObject(answered(200, false));
});

test("closing ends what runs, closes what is open, and may be done twice", async () => {
  const silent = closedAfter(await zoo.startSilent());
  const healthy = closedAfter(await zoo.startHealthy());
  const client = newClient();
  await client.post(order(healthy.url));
  const post = client.post(order(silent.url));
  await silent.whenAccepted(1);
  await Promise.all([client.close(), client.close()]);
  expect(await post).toMatchObject(failed("aborted"));
  expect(await client.post(order(healthy.url))).toMatchObject(failed("aborted"));
  await Promise.all([silent.whenEmpty(), healthy.whenEmpty()]);
});

test("requests to one origin leave in the order they were given", async () => {
  const receiver = closedAfter(await zoo.startHealthy());
  const client = newClient({ connectionsPerOriginMax: 1 });
  await Promise.all(Array.from({ length: 50 }, (_, index) => client.post(order(receiver.url, { body: `${index}` }))));
  expect(receiver.requests.map(({ body }) => textOf(body))).toEqual(
    Array.from({ length: 50 }, (_, index) => `${index}`),
  );
});

test("the connection is made to the address that was judged", async () => {
  const receiver = closedAfter(await zoo.startHealthy());
  const reached: (string | undefined)[] = [];
  const client = newClient({
    dial: (options) => {
      const socket = connect({ ...options, autoSelectFamily: true });
      socket.once("connect", () => reached.push(socket.remoteAddress));
      return socket;
    },
  });
  expect(await client.post(order(`http://any.test:${receiver.port}/`))).toMatchObject({ status: 200 });
  expect(reached).toEqual(["127.0.0.1"]);
});
