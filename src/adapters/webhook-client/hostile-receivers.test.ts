import { Socket } from "node:net";
import { expect, test } from "vitest";
import { closedAfter } from "../../../test/fakes/closed-after.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
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

interface Case {
  readonly name: string;
  readonly start: () => Promise<zoo.Receiver>;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly deadlineMs?: number;
  /** Does not notice when the other side hangs up. */
  readonly isBlind?: boolean;
}

const answered = (status: number, truncated: boolean, rest = {}) => ({ kind: "answered", status, truncated, ...rest });
const failed = (reason: string) => ({ kind: "failed", reason });

test.each<Case>([
  { name: "never answers", start: zoo.startSilent, expected: failed("timeout"), deadlineMs: 1000 },
  {
    name: "hangs after its headers",
    start: zoo.startHangAfterHeaders,
    expected: answered(200, true),
    deadlineMs: 1000,
  },
  { name: "drips its body", start: () => zoo.startDrip("body", 10), expected: answered(200, true), deadlineMs: 1000 },
  { name: "drips its headers", start: () => zoo.startDrip("head", 100), expected: failed("timeout"), deadlineMs: 1000 },
  { name: "resets at once", start: zoo.startResetAtOnce, expected: failed("reset") },
  { name: "closes without an answer", start: zoo.startCloseWithoutAnswer, expected: failed("reset") },
  { name: "resets in mid-body", start: zoo.startResetMidBody, expected: answered(200, true) },
  { name: "fails and resets in mid-body", start: () => zoo.startResetMidBody(503), expected: answered(503, true) },
  { name: "answers 100 MB", start: zoo.startHugeAnswer, expected: answered(200, true) },
  {
    name: "answers 100 MB in chunks",
    start: () => zoo.startHugeAnswer(100_000_000, true),
    expected: answered(200, true),
  },
  { name: "sends a gzip bomb", start: zoo.startGzipBomb, expected: answered(200, true) },
  { name: "redirects without end", start: zoo.startRedirects, expected: answered(307, false) },
  { name: "shows an untrusted certificate", start: zoo.startUntrustedTls, expected: failed("tls") },
  { name: "talks garbage", start: zoo.startGarbage, expected: failed("protocol") },
  { name: "sends endless headers", start: zoo.startHugeHeaders, expected: failed("too-large") },
  { name: "fails with 500", start: () => zoo.startStatus(500), expected: answered(500, false) },
  { name: "is gone with 410", start: () => zoo.startStatus(410), expected: answered(410, false) },
  {
    name: "asks to wait some seconds",
    start: () => zoo.startStatus(429, { "retry-after": "120" }),
    expected: answered(429, false, { retryAfterMs: 120_000 }),
  },
  {
    name: "asks to wait until a date",
    start: () => zoo.startStatus(503, { "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }),
    expected: answered(503, false, { retryAfterMs: 60_000 }),
  },
  { name: "gives early hints", start: () => zoo.startInterim("early-hints"), expected: answered(200, false) },
  { name: "says 100 unasked", start: () => zoo.startInterim("continue"), expected: answered(200, false) },
  { name: "upgrades unasked", start: () => zoo.startInterim("upgrade"), expected: failed("protocol") },
  { name: "never comes to its answer", start: () => zoo.startInterim("endless"), expected: failed("protocol") },
  { name: "answers before it reads", start: zoo.startEarlyAnswer, expected: answered(200, false), isBlind: true },
  {
    name: "refuses before it reads",
    start: () => zoo.startEarlyAnswer(413),
    expected: answered(413, false),
    isBlind: true,
  },
  { name: "promises too much", start: () => zoo.startWrongLength("long"), expected: answered(200, true) },
  { name: "promises too little", start: () => zoo.startWrongLength("short"), expected: answered(200, false) },
])("a receiver that $name", async ({ start, expected, deadlineMs, isBlind }) => {
  const receiver = closedAfter(await start());
  const client = newClient({ clock: new VirtualClock(new Date("2026-01-01T00:00:00Z")) });
  const answer = await client.post(order(receiver.url, deadlineMs === undefined ? {} : { deadlineMs }));
  expect(answer).toMatchObject(expected);
  await client.close();
  if (!isBlind) await receiver.whenEmpty();
  expect(receiver.accepted).toBe(1);
});

test.each<Omit<Case, "expected">>([
  { name: "never answers", start: zoo.startSilent },
  { name: "never ends the TLS handshake", start: () => zoo.startSilent("https") },
  { name: "hangs after its headers", start: zoo.startHangAfterHeaders },
  { name: "drips", start: () => zoo.startDrip("body", 5) },
])("everything is freed at the deadline though the receiver $name", async ({ start }) => {
  const receiver = closedAfter(await start());
  const client = newClient({ connectionsPerOriginMax: 3 });
  const posts = Array.from({ length: 10 }, () => client.post(order(receiver.url, { deadlineMs: 500 })));
  await receiver.whenAccepted(3);
  expect((await Promise.all(posts)).length).toBe(10);
  await receiver.whenEmpty();
});

test("a TCP connect that hangs ends at the connect timeout, or earlier at the deadline", async () => {
  const dialled: Socket[] = [];
  const dial = () => {
    const socket = new Socket();
    dialled.push(socket);
    return socket;
  };
  const patient = newClient({ dial, connectTimeoutMs: 20 });
  expect(await patient.post(order("http://127.0.0.1:9/"))).toMatchObject(failed("connect"));
  const hasty = newClient({ dial });
  expect(await hasty.post(order("http://127.0.0.1:9/", { deadlineMs: 20 }))).toMatchObject(failed("timeout"));
  expect(dialled.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

test("a connection that is reset as soon as it is made is reported as that, and not as one to a forbidden address", async () => {
  const dial = () => {
    const socket = new Socket();
    // Connected, but the peer is gone and has no address any more when we check it.
    setImmediate(() => socket.emit("connect"));
    return socket;
  };
  expect(await newClient({ dial }).post(order("http://127.0.0.1:9/"))).toMatchObject(failed("reset"));
});

test("a TLS handshake that hangs ends at the connect timeout", async () => {
  const receiver = closedAfter(await zoo.startSilent("https"));
  const client = newClient({ connectTimeoutMs: 500 });
  expect(await client.post(order(receiver.url))).toMatchObject(failed("tls"));
  await receiver.whenEmpty();
});

test("a name server that hangs is given up, and a name that does not exist is a matter of names", async () => {
  let given = 0;
  const resolve: ResolveName = (_, signal) =>
    new Promise((__, reject) => {
      signal.addEventListener("abort", () => {
        given += 1;
        reject(signal.reason);
      });
    });
  const guard = newAddressGuard({ allowedNetworks: [], resolve });
  const client = newClient({ guard });
  expect(await client.post(order("http://slow.test/", { deadlineMs: 20 }))).toMatchObject(failed("timeout"));
  expect(given).toBe(1);
  const nowhere = newAddressGuard({ allowedNetworks: [], resolve: async () => [] });
  expect(await newClient({ guard: nowhere }).post(order("http://no.test/"))).toMatchObject(failed("dns"));
});

test("the status decides though the body is cut, and what is kept is bounded", async () => {
  const huge = closedAfter(await zoo.startHugeAnswer());
  const client = newClient({ answerBytesMax: 64 * 1024 });
  const answer = await client.post(order(huge.url, { keepBytes: 100 }));
  expect(answer).toMatchObject({ ...answered(200, true), body: new Uint8Array(100).fill(0x61) });
  await huge.whenEmpty();
  // Only what fits into the buffers on the way was sent, not the rest of the 100 MB.
  expect(huge.bytesSent).toBeLessThan(20_000_000);
});

test("a gzip bomb is kept as it came", async () => {
  const receiver = closedAfter(await zoo.startGzipBomb());
  const answer = await newClient().post(order(receiver.url, { keepBytes: 2 }));
  expect(answer).toMatchObject({ body: new Uint8Array([0x1f, 0x8b]) });
});

test("an answer forged in advance is not taken for the next one", async () => {
  const receiver = closedAfter(await zoo.startWrongLength("short"));
  const client = newClient();
  for (let round = 0; round < 5; round++) expect(await client.post(order(receiver.url))).toMatchObject({ status: 200 });
});

test("a connection whose request was not read to its end is not used again", async () => {
  const receiver = closedAfter(await zoo.startEarlyAnswer());
  const client = newClient();
  const body = "x".repeat(20_000_000);
  expect(await client.post(order(receiver.url, { body }))).toMatchObject(answered(200, false));
  expect(await client.post(order(receiver.url, { body: "x" }))).toMatchObject(answered(200, false));
  expect(receiver.accepted).toBe(2);
});

test("a kept connection that breaks under the next request is replaced once", async () => {
  const receiver = closedAfter(await zoo.startCloseOnSecond());
  const client = newClient();
  for (let round = 0; round < 5; round++) expect(await client.post(order(receiver.url))).toMatchObject({ status: 200 });
  expect(receiver.accepted).toBe(5);
});

test("healthy receivers are served while hostile ones hang", async () => {
  const hostile = await Promise.all([zoo.startSilent(), zoo.startHangAfterHeaders(), zoo.startDrip("head", 1000)]);
  const healthy = closedAfter(await zoo.startHealthy());
  for (const receiver of hostile) closedAfter(receiver);
  const client = newClient({ connectionsPerOriginMax: 5 });
  const hanging = hostile.flatMap(({ url }) =>
    Array.from({ length: 100 }, () => client.post(order(url, { deadlineMs: 60_000 }))),
  );
  await Promise.all(hostile.map((receiver) => receiver.whenAccepted(5)));
  const served = await Promise.all(Array.from({ length: 200 }, () => client.post(order(healthy.url))));
  expect(served.filter((answer) => answer.kind === "answered" && answer.status === 200).length).toBe(200);
  expect(hostile.map(({ accepted }) => accepted)).toEqual([5, 5, 5]);
  await client.close();
  const outcomes = await Promise.all(hanging);
  // Only exchanges with the second receiver had their status already.
  expect(
    outcomes.filter((answer) => answer.kind === "failed" && answer.reason === "aborted").length,
  ).toBeGreaterThanOrEqual(295);
  await Promise.all(hostile.map((receiver) => receiver.whenEmpty()));
});

test("hostile answers do not pile up in memory", async () => {
  const receivers = await Promise.all([zoo.startHugeAnswer(), zoo.startHugeHeaders(), zoo.startInterim("endless")]);
  for (const receiver of receivers) closedAfter(receiver);
  const client = newClient({ connectionsPerOriginMax: 5 });
  const before = process.memoryUsage();
  for (let round = 0; round < 10; round++) {
    await Promise.all(receivers.flatMap(({ url }) => Array.from({ length: 10 }, () => client.post(order(url)))));
  }
  const after = process.memoryUsage();
  // 300 answers that would be gigabytes: 10 GB of bodies alone.
  expect(after.external + after.heapUsed - before.external - before.heapUsed).toBeLessThan(200_000_000);
  await Promise.all(receivers.map((receiver) => receiver.whenEmpty()));
});
