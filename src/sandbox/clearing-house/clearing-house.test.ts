import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { silent as log } from "../../../test/fakes/silent-log.ts";
import { ClearingHouse, type ClearingHouseOptions } from "./clearing-house.ts";

const TOKEN = "carrier-token";
const SECRET = "notification-secret";
const LOA = Buffer.from("%PDF-1.7 a letter");
const SHA256 = createHash("sha256").update(LOA).digest("hex");
const HOUR_MS = 3_600_000;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(more: Partial<ClearingHouseOptions> = {}): Promise<ClearingHouse> {
  const options = { host: "127.0.0.1", port: 0, token: TOKEN, secret: SECRET, portMs: HOUR_MS, log };
  const house = await ClearingHouse.listen({ ...options, ...more });
  closers.push(() => house.close());
  return house;
}

interface Exchange {
  readonly status: number;
  readonly body: { news?: { kind: string; sequence: number }[]; cursor?: string; more?: boolean; code?: string };
}

async function ask(
  house: ClearingHouse,
  method: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<Exchange> {
  const headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` };
  if (key !== undefined) headers["idempotency-key"] = key;
  const content =
    body === undefined ? {} : { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) };
  const response = await fetch(house.url + path, { method, headers, ...content });
  return { status: response.status, body: (await response.json()) as Exchange["body"] };
}

const order = {
  reference: "PO1",
  numbers: [{ number: "+14155550100", pin: "4321" }],
  accountNumber: "1",
  subscriber: { type: "Business", name: "Example", authorizedPerson: "Ann" },
  serviceAddress: { street: "1 Main St", city: "Here", state: "CA", postalCode: "94105", country: "US" },
  documents: [{ sha256: SHA256, name: "loa.pdf", contentType: "application/pdf" }],
};

async function submitted(house: ClearingHouse): Promise<Exchange> {
  await ask(house, "PUT", `/v1/documents/${SHA256}`, LOA);
  return ask(house, "POST", "/v1/orders", order, "PO1");
}

interface Notification {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers each notification with the next status, and finally with 204. */
async function listener(...statuses: readonly number[]) {
  const received: Notification[] = [];
  const left = [...statuses];
  let onNext: (() => void) | undefined;
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()).toString() });
    response.writeHead(left.shift() ?? 204).end();
    onNext?.();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const heard = async (count: number) => {
    while (received.length < count) {
      await new Promise<void>((resolve) => {
        onNext = resolve;
      });
    }
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/news`, received, heard };
}

describe("the clearing house", () => {
  test("lets no caller in without the token", async () => {
    const house = await open();
    const response = await fetch(`${house.url}/v1/news`, { headers: { authorization: "Bearer other" } });
    expect(response.status).toBe(401);
  });

  test("takes an order once, however often it is sent, and another one under its name not at all", async () => {
    const house = await open();
    expect(await submitted(house)).toMatchObject({ status: 201, body: { news: [{ kind: "submitted", sequence: 1 }] } });
    expect(await submitted(house)).toMatchObject({ status: 200, body: { news: [{ kind: "submitted", sequence: 1 }] } });
    const other = await ask(house, "POST", "/v1/orders", { ...order, accountNumber: "2" }, "PO1");
    expect(other).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
  });

  test.each<[string, number, string, unknown, string]>([
    ["under another key", 400, "KEY_MISMATCH", order, "PO2"],
    ["without numbers", 422, "INVALID_ORDER", { ...order, numbers: [] }, "PO1"],
    ["that is no order", 422, "INVALID_ORDER", 5, "PO1"],
    ["that is no JSON", 400, "NOT_JSON", Buffer.from("{"), "PO1"],
  ])("refuses an order %s", async (_, status, code, body, key) => {
    const house = await open();
    await ask(house, "PUT", `/v1/documents/${SHA256}`, LOA);
    expect(await ask(house, "POST", "/v1/orders", body, key)).toMatchObject({ status, body: { code } });
  });

  test("refuses an order whose document it has not got", async () => {
    const answer = await ask(await open(), "POST", "/v1/orders", order, "PO1");
    expect(answer).toMatchObject({ status: 409, body: { code: "DOCUMENT_MISSING" } });
  });

  test("refuses a document that is not the one it is called, and one too large", async () => {
    const house = await open();
    expect(await ask(house, "PUT", `/v1/documents/${"0".repeat(64)}`, LOA)).toMatchObject({ status: 422 });
    expect(await ask(house, "PUT", `/v1/documents/${SHA256}`, Buffer.alloc(13 << 20))).toMatchObject({ status: 413 });
  });

  test("knows nothing of other orders and other places", async () => {
    const house = await open();
    expect(await ask(house, "POST", "/v1/orders/PO7/cancel", {})).toMatchObject({ status: 404 });
    expect(await ask(house, "PUT", "/v1/orders/PO1", order)).toMatchObject({ status: 409 });
    expect(await ask(house, "GET", "/v2/news")).toMatchObject({ status: 404 });
    expect(house.decide("PO7", { outcome: "complete" })).toMatchObject({ ok: false });
  });

  test("answers news page by page, from any place it has named", async () => {
    const house = await open();
    await submitted(house);
    house.decide("PO1", { outcome: "complete" });
    const first = await ask(house, "GET", "/v1/news?limit=3");
    expect(first.body).toMatchObject({ more: true, news: [{ sequence: 1 }, { sequence: 2 }, { sequence: 3 }] });
    const last = await ask(house, "GET", `/v1/news?after=${first.body.cursor}`);
    expect(last.body).toMatchObject({ more: false, news: [{ sequence: 4, kind: "messagingMoved" }] });
    const none = await ask(house, "GET", `/v1/news?after=${last.body.cursor}`);
    expect(none.body).toEqual({ news: [], cursor: last.body.cursor, more: false });
    for (const cursor of ["x", "x.1", `${last.body.cursor}9`]) {
      expect(await ask(house, "GET", `/v1/news?after=${cursor}`)).toMatchObject({ status: 410 });
    }
  });

  test("carries an order through by itself when its time has come", async () => {
    const ear = await listener();
    const house = await open({ portMs: 1, notifyUrl: ear.url });
    await submitted(house);
    await ear.heard(2);
    const { news } = (await ask(house, "GET", "/v1/news")).body;
    expect(news?.map(({ kind }) => kind).slice(0, 2)).toEqual(["submitted", "foc"]);
  });

  test("remembers its orders over a restart, without their PINs, and goes on with them", async () => {
    const directory = await mkdtemp(join(tmpdir(), "tandem-house-"));
    closers.push(() => rm(directory, { recursive: true }));
    const before = await open({ directory });
    await submitted(before);
    const { cursor } = (await ask(before, "GET", "/v1/news")).body;
    await before.close();
    for (const name of await readdir(directory))
      expect(await readFile(join(directory, name), "utf8")).not.toContain("4321");
    const after = await open({ directory });
    expect(await ask(after, "POST", "/v1/orders", order, "PO1")).toMatchObject({ status: 200 });
    expect(after.decide("PO1", { outcome: "reject", reason: "SV_CONFLICT" })).toEqual({ ok: true, value: undefined });
    expect((await ask(after, "GET", `/v1/news?after=${cursor}`)).body.news).toMatchObject([
      { kind: "rejected", sequence: 2, reason: { code: "SV_CONFLICT" } },
    ]);
    const forgetful = await open();
    expect(await ask(forgetful, "GET", `/v1/news?after=${cursor}`)).toMatchObject({ status: 410 });
  });
});

describe("its notifications", () => {
  test("are signed over time and body", async () => {
    const ear = await listener();
    const house = await open();
    house.notifyTo(ear.url);
    await submitted(house);
    await ear.heard(1);
    const [{ headers, body } = { headers: {}, body: "" }] = ear.received;
    const timestamp = headers["clearing-house-timestamp"];
    const wanted = createHmac("sha256", SECRET).update(`${timestamp}.${body}`).digest("hex");
    expect(headers["clearing-house-signature"]).toBe(`v1=${wanted}`);
    expect(JSON.parse(body)).toMatchObject({ news: [{ order: "PO1", kind: "submitted" }] });
  });

  test("are sent again where they were refused", async () => {
    const ear = await listener(500);
    await submitted(await open({ notifyUrl: ear.url }));
    await ear.heard(2);
    expect(ear.received[1]?.body).toBe(ear.received[0]?.body);
  });

  test("are lost and doubled on request", async () => {
    const ear = await listener();
    const house = await open({ notifyUrl: ear.url });
    house.treatNotifications("lose");
    await submitted(house);
    house.treatNotifications("duplicate");
    house.decide("PO1", { outcome: "reject" });
    await ear.heard(2);
    expect(ear.received.map(({ body }) => JSON.parse(body).news[0].kind)).toEqual(["rejected", "rejected"]);
  });

  test("that no receiver answers end with the house", async () => {
    const ear = await listener();
    const house = await open({ notifyUrl: ear.url.replace(/:\d+/, ":1") });
    await submitted(house);
    await Promise.all([house.close(), house.close()]);
  });
});

test("an order that cannot be kept is reported, and the house goes on", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  closers.push(async () => vi.useRealTimers());
  const directory = await mkdtemp(join(tmpdir(), "tandem-house-"));
  const error = vi.fn();
  const house = await open({ directory, log: { ...log, error } });
  await submitted(house);
  await rm(directory, { recursive: true });
  vi.advanceTimersByTime(HOUR_MS);
  expect(error).toHaveBeenCalledWith(expect.anything(), "orders of the clearing house not kept");
  expect((await ask(house, "GET", "/v1/news")).status).toBe(200);
});
