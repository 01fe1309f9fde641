import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { lookupProviderSchema, makeProvider } from "./provider-config.ts";

const NUMBER = "+12155550123";
const never = () => new AbortController().signal;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function service(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function provider(origin: string, more: Readonly<Record<string, unknown>> = {}) {
  const config = lookupProviderSchema.parse({
    kind: "http",
    name: "test",
    url: `${origin}/v2/{number}`,
    deadlineMs: 10_000,
    answer: { carrierName: "carrier.name", type: "carrier.type", routingNumber: "portability.lrn" },
    ...more,
  });
  const made = makeProvider(config, { secret: (name) => ({ TOKEN: "s3cret" })[name] });
  closers.push(() => made.close());
  return made;
}

function answer(response: ServerResponse, body: unknown, status = 200) {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

describe("the HTTP provider", () => {
  test("asks by the template and reads by the paths", async () => {
    const seen: IncomingMessage[] = [];
    const { origin } = await service((request, response) => {
      seen.push(request);
      answer(response, { carrier: { name: "Example", type: "fixed line" }, portability: { lrn: "2155550199" } });
    });
    const url = `${origin}/v2/{number}?d={digits}&n={national}&type=carrier`;
    const asking = provider(origin, {
      url,
      headers: { "X-Tenant": "blue" },
      auth: { kind: "bearer", token: "env:TOKEN" },
    });
    await expect(asking.ask(NUMBER, never())).resolves.toEqual({
      kind: "found",
      carrierName: "Example",
      type: "Landline",
      routingNumber: "+12155550199",
    });
    expect(seen[0]?.method).toBe("GET");
    expect(seen[0]?.url).toBe("/v2/%2B12155550123?d=12155550123&n=2155550123&type=carrier");
    expect(seen[0]?.headers).toMatchObject({
      accept: "application/json",
      "accept-encoding": "identity",
      authorization: "Bearer s3cret",
      "x-tenant": "blue",
    });
  });

  test.each([
    [undefined, `{"numbers":["{number}"],"deep":{"a":{}}}`, `{"numbers":["+12155550123"],"deep":{"a":{}}}`],
    ["application/x-www-form-urlencoded", "to={number}&d={digits}", "to=%2B12155550123&d=12155550123"],
  ])("posts a body of type %s", async (contentType, template, expected) => {
    const bodies: string[] = [];
    const { origin } = await service(async (request, response) => {
      bodies.push(await bodyOf(request));
      answer(response, { carrier: { name: "Example" } });
    });
    const body = contentType === undefined ? { template } : { contentType, template };
    await provider(origin, { method: "POST", body }).ask(NUMBER, never());
    expect(bodies).toEqual([expected]);
  });

  test.each([
    [{ kind: "basic", username: "me", password: "env:TOKEN" }, { authorization: `Basic ${btoa("me:s3cret")}` }],
    [{ kind: "header", name: "X-Api-Key", value: "env:TOKEN" }, { "x-api-key": "s3cret" }],
  ])("is known by %o", async (auth, headers) => {
    const seen: IncomingMessage["headers"][] = [];
    const { origin } = await service((request, response) => {
      seen.push(request.headers);
      answer(response, {});
    });
    await expect(provider(origin, { auth }).ask(NUMBER, never())).resolves.toEqual({ kind: "notFound" });
    expect(seen[0]).toMatchObject(headers);
  });

  test("finds nothing where the service does not know the number", async () => {
    const { origin } = await service((_, response) => answer(response, { error: "x".repeat(100_000) }, 404));
    await expect(provider(origin).ask(NUMBER, never())).resolves.toEqual({ kind: "notFound" });
    await expect(provider(origin, { notFoundStatuses: [] }).ask(NUMBER, never())).rejects.toThrow("status 404");
  });

  test("opens no more connections than it may", async () => {
    const { server, origin } = await service((_, response) => answer(response, { carrier: { name: "Example" } }));
    let connections = 0;
    server.on("connection", () => {
      connections += 1;
    });
    const asking = provider(origin, { concurrencyMax: 2 });
    const all = await Promise.all(Array.from({ length: 20 }, () => asking.ask(NUMBER, never())));
    expect(all).toHaveLength(20);
    expect(connections).toBeLessThanOrEqual(2);
  });

  test("closes twice as once, and is not asked any more", async () => {
    const { server, origin } = await service(() => {});
    const asking = provider(origin);
    const asked = asking.ask(NUMBER, never());
    const failed = expect(asked).rejects.toThrow();
    await once(server, "request");
    await Promise.all([asking.close(), asking.close(), failed]);
    await expect(asking.ask(NUMBER, never())).rejects.toThrow();
  });
});

describe("an abort ends the exchange", () => {
  const head = { "content-type": "application/json" };
  test.each<[string, string, RequestListener]>([
    ["before the answer", "undici:client:sendHeaders", () => {}],
    ["after the head", "undici:request:headers", (_, response) => response.writeHead(200, head).flushHeaders()],
    ["within the body", "undici:request:headers", (_, response) => response.writeHead(200, head).write('{"carrier":')],
  ])("%s", async (_, moment, listener) => {
    const { server, origin } = await service(listener);
    const reached = new Promise<void>((resolve) => {
      const onMoment = () => {
        unsubscribe(moment, onMoment);
        resolve();
      };
      subscribe(moment, onMoment);
    });
    const controller = new AbortController();
    const failed = expect(provider(origin).ask(NUMBER, controller.signal)).rejects.toThrow("deadline");
    const [request] = (await once(server, "request")) as [IncomingMessage];
    const gone = new Promise((resolve) => request.socket.once("close", resolve));
    await reached;
    controller.abort(new Error("deadline"));
    await Promise.all([failed, gone]);
  });

  test("an answer that trickles for ever is not waited for", async () => {
    const controller = new AbortController();
    let sent = 0;
    const { origin } = await service((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        sent += 1;
        if (sent === 50) controller.abort(new Error("deadline"));
        if (!response.destroyed) response.write(" ", () => setImmediate(more));
      };
      more();
    });
    await expect(provider(origin).ask(NUMBER, controller.signal)).rejects.toThrow("deadline");
  });

  test("nothing is sent when the abort came first", async () => {
    let asked = 0;
    const { origin } = await service((_, response) => {
      asked += 1;
      answer(response, {});
    });
    const asking = provider(origin);
    await expect(asking.ask(NUMBER, AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
    await asking.ask(NUMBER, never());
    expect(asked).toBe(1);
  });
});

describe("a lying service finds nothing", () => {
  const json = { "content-type": "application/json" };
  const good = JSON.stringify({ carrier: { name: "Wrong" } });
  const lies: readonly [string, RequestListener][] = [
    ["an error", (_, response) => answer(response, { carrier: { name: "Wrong" } }, 500)],
    ["a redirect", (_, response) => response.writeHead(302, { ...json, location: "/other" }).end(good)],
    ["too much", (_, response) => response.writeHead(200, json).end(`${good}${" ".repeat(64 * 1024)}`)],
    [
      "a compressed answer",
      (_, response) => response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync(good)),
    ],
    ["HTML", (_, response) => response.writeHead(200, { "content-type": "text/html" }).end(good)],
    ["no type", (_, response) => response.writeHead(200).end(good)],
    ["no content", (_, response) => response.writeHead(204).end()],
    ["half of it", (_, response) => response.writeHead(200, json).end(good.slice(0, -2))],
    [
      "less than promised",
      (_, response) => response.writeHead(200, { ...json, "content-length": 99 }).write(good, () => response.destroy()),
    ],
    [
      "bad UTF-8",
      (_, response) => response.writeHead(200, json).end(Buffer.from('{"carrier":{"name":"\xff"}}', "latin1")),
    ],
    ["deep nesting", (_, response) => response.writeHead(200, json).end("[".repeat(60_000))],
    ["a carrier that is a list", (_, response) => answer(response, { carrier: { name: ["Wrong"] } })],
    ["a routing number that is none", (_, response) => answer(response, { portability: { lrn: "666" } })],
    ["noise", (_, response) => response.socket?.end("\0\0\0 not HTTP\r\n\r\n")],
    ["a closed door", (_, response) => response.socket?.destroy()],
    ["endless headers", (_, response) => response.writeHead(200, { ...json, "x-long": "x".repeat(100_000) }).end(good)],
  ];

  test.each(lies)("by sending %s", async (_, listener) => {
    let asked = 0;
    const { origin } = await service((request, response) => {
      asked += 1;
      listener(request, response);
    });
    await expect(provider(origin).ask(NUMBER, never())).rejects.toThrow();
    expect(asked).toBe(1);
  });

  test("by not being there", async () => {
    const { server, origin } = await service(() => {});
    server.close();
    await once(server, "close");
    closers.pop();
    await expect(provider(origin).ask(NUMBER, never())).rejects.toThrow(/ECONNREFUSED/);
  });
});
