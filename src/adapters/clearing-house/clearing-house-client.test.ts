import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { Unavailable } from "../../base/unavailable.ts";
import type { PortDetails } from "../../domain/porting/index.ts";
import { newPortOrder } from "../../domain/porting/port-order.ts";
import { ClearingHouseClient } from "./clearing-house-client.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function clientOf(listener: RequestListener, deadlineMs = 10_000) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const warnings: object[] = [];
  const log = { debug: () => {}, info: () => {}, warn: (fields: object) => warnings.push(fields), error: () => {} };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
  const client = new ClearingHouseClient({
    baseUrl,
    token: "t",
    deadlineMs,
    documentDeadlineMs: deadlineMs,
    concurrencyMax: 1,
    log,
  });
  closers.push(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return { client, warnings };
}

const answer = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const order = newPortOrder({
  sid: `PO${"0".repeat(32)}`,
  accountSid: `AC${"0".repeat(32)}`,
  messagingConfigSid: `MC${"0".repeat(32)}`,
  numbers: ["+14155550100"],
  createdOn: new Date(0),
  details: { accountNumber: "1", requestedOn: new Date(0) } as PortDetails,
});

describe("a request", () => {
  test("names order, key and token, below the base path", async () => {
    const seen: unknown[] = [];
    const { client } = await clientOf(async (request, response) => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
      seen.push(request.method, request.url, request.headers, body);
      answer(response, 201, { news: [] });
    });
    await client.submit(order, new Map([["+14155550100", "1234"]]), []);
    expect(seen).toMatchObject([
      "POST",
      "/api/v1/orders",
      { authorization: "Bearer t", "idempotency-key": order.sid },
      {
        reference: order.sid,
        numbers: [{ number: "+14155550100", pin: "1234" }],
        accountNumber: "1",
        requestedOn: "1970-01-01T00:00:00.000Z",
        documents: [],
      },
    ]);
  });

  test("that is refused is refused with the reason given", async () => {
    const { client } = await clientOf((request, response) =>
      answer(response, request.url?.endsWith("cancel") ? 404 : 422, { code: "LSR_PENDING", detail: "wait" }),
    );
    const reason = { code: "LSR_PENDING", detail: "wait" };
    expect(await client.submit(order, new Map(), [])).toEqual({ kind: "refused", reason });
    expect(await client.cancel(order)).toEqual({ kind: "unknown" });
  });

  test("is not followed by the order when a document is refused", async () => {
    const urls: unknown[] = [];
    const { client } = await clientOf((request, response) => {
      urls.push(request.url);
      request.resume().on("end", () => answer(response, 415, { code: "OTHER", detail: "no fax, please" }));
    });
    const document = { name: "loa.pdf", contentType: "image/tiff", sha256: "ab", bytes: Buffer.from("x") };
    expect(await client.submit(order, new Map(), [document])).toMatchObject({ kind: "refused" });
    expect(urls).toEqual(["/api/v1/documents/ab"]);
  });

  test.each<[string, RequestListener]>([
    ["500", (_, response) => answer(response, 500, { code: "OTHER" })],
    ["401", (_, response) => answer(response, 401, { code: "OTHER" })],
    ["a proxy's page", (_, response) => response.end("<html>OK</html>")],
    ["a proxy's 404", (_, response) => response.writeHead(404).end("<html>")],
    ["a proxy's 413", (_, response) => response.writeHead(413).end("<html>")],
    ["a redirect", (_, response) => response.writeHead(302, { location: "/elsewhere" }).end()],
    ["too much", (_, response) => answer(response, 200, { news: [], noise: "x".repeat(2 << 20) })],
    [
      "something compressed",
      (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"news":[]}')),
    ],
    ["two members of one name", (_, response) => response.end('{"cursor":"a","cursor":"b","news":[],"news":[]}')],
    ["a cut line", (_, response) => response.destroy()],
    [
      "half an answer",
      (_, response) => response.writeHead(200, { "content-length": 99 }).write("{", () => response.destroy()),
    ],
  ])("answered with %s leaves open what happened", async (_, listener) => {
    const { client } = await clientOf(listener);
    const asked = [client.submit(order, new Map(), []), client.cancel(order), client.updates(undefined)];
    await Promise.all(asked.map((answered) => expect(answered).rejects.toThrow(Unavailable)));
  });

  test.each<[string, RequestListener]>([
    ["at all", () => {}],
    ["to its end", (_, response) => response.writeHead(200).write("{")],
  ])("that is not answered %s ends with the deadline", async (_, listener) => {
    const { client } = await clientOf(listener, 100);
    await expect(client.updates(undefined)).rejects.toThrow(Unavailable);
  });
});

describe("news", () => {
  test("is read from the start where the place is no longer known", async () => {
    const urls: string[] = [];
    const { client } = await clientOf((request, response) => {
      urls.push(request.url ?? "");
      if (request.url?.includes("after")) answer(response, 410, { code: "CURSOR_GONE" });
      else answer(response, 200, { news: [], cursor: "new.0", more: true });
    });
    expect(await client.updates("old.7")).toEqual({ updates: [], cursor: "new.0", more: true });
    expect(urls).toEqual(["/api/v1/news?limit=200&after=old.7", "/api/v1/news?limit=200"]);
  });

  test("that leads nowhere ends there, and what cannot be read is reported", async () => {
    const { client, warnings } = await clientOf((_, response) =>
      answer(response, 200, { news: [{ kind: "teleported" }], cursor: "a", more: true }),
    );
    expect(await client.updates("a")).toEqual({ updates: [], cursor: "a", more: false });
    expect(warnings).toEqual([{ unreadable: 1 }]);
  });

  test("without a usable cursor is none", async () => {
    const { client } = await clientOf((_, response) => answer(response, 200, { news: [], cursor: "x".repeat(501) }));
    await expect(client.updates(undefined)).rejects.toThrow(Unavailable);
  });
});

test("a closed client asks no more", async () => {
  const { client } = await clientOf((_, response) => answer(response, 200, { news: [], cursor: "" }));
  await Promise.all([client.close(), client.close()]);
  await expect(client.updates(undefined)).rejects.toThrow(Unavailable);
});
