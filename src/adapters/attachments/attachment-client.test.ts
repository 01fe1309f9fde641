import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { startSilent, startUntrustedTls } from "../../../test/faults/webhook-receivers.ts";
import { newAddressGuard } from "../guard/address-guard.ts";
import type { ResolveName } from "../guard/resolve-name.ts";
import { MediaClient, type MediaClientOptions } from "./attachment-client.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const PNG = Buffer.from("\x89PNG\r\n\x1a\n and so on", "latin1");
const zone: ResolveName = async (name) =>
  name === "inside.test" ? [{ address: "10.0.0.1", family: 4 }] : [{ address: "127.0.0.1", family: 4 }];

const newClient = (options: Partial<MediaClientOptions> = {}) =>
  new MediaClient({ guard: newAddressGuard({ allowedNetworks: ["loopback"], resolve: zone }), ...options });

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUps.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const reasonOf = async (client: MediaClient, url: string) => {
  const fetched = await client.fetch(url);
  return fetched.ok ? "fetched" : fetched.refusal.reason;
};

test("media comes with its real type and a harmless name", async () => {
  const origin = await serve((request, response) => {
    const headers = request.url?.startsWith("/named")
      ? { "content-disposition": 'inline; filename="../Été 1.JPEG"' }
      : {};
    response.writeHead(200, { "content-type": "image/jpeg", ...headers }).end(PNG);
  });
  expect(await newClient().fetch(`${origin}/pictures/a%20cat!.jpg?size=2`)).toEqual({
    ok: true,
    value: { contentType: "image/png", name: "a-cat.png", bytes: new Uint8Array(PNG), version: undefined },
  });
  expect(await newClient().fetch(`${origin}/named`)).toMatchObject({ value: { name: "E-te-1.png" } });
  expect(await newClient().fetch(`${origin}/`)).toMatchObject({ value: { name: "media.png" } });
});

test("the request asks for nothing encoded and tells nothing of us", async () => {
  let seen: IncomingMessage["headers"] = {};
  const origin = await serve((request, response) => {
    seen = request.headers;
    response.writeHead(200, { "content-type": "image/png" }).end(PNG);
  });
  expect(await reasonOf(newClient(), `${origin}/a`)).toBe("fetched");
  expect(Object.keys(seen).sort()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  expect(seen["accept-encoding"]).toBe("identity");
});

test.each([
  [404, "not-found"],
  [403, "not-found"],
  [204, "not-found"],
  [304, "not-found"],
  [429, "unreachable"],
  [503, "unreachable"],
])("a server that answers %i is %s", async (status, reason) => {
  const origin = await serve((_, response) => response.writeHead(status).end());
  expect(await newClient().fetch(`${origin}/a`)).toEqual({
    ok: false,
    refusal: { reason, detail: `The server answered ${status}.` },
  });
});

test("redirects are followed, three of them, each judged like the first URL", async () => {
  const origin = await serve((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
    else if (left === 0) response.writeHead(200, { "content-type": "image/png" }).end(PNG);
    else response.writeHead(307, { location: decodeURIComponent(request.url?.slice(6) ?? "") }).end();
  });
  const client = newClient();
  expect(await reasonOf(client, `${origin}/3`)).toBe("fetched");
  expect(await reasonOf(client, `${origin}/4`)).toBe("not-found");
  const via = (target: string) => `${origin}/NaN//${encodeURIComponent(target)}`;
  expect(await reasonOf(client, via("http://10.0.0.1/"))).toBe("address-refused");
  expect(await reasonOf(client, via("http://169.254.169.254/latest"))).toBe("address-refused");
  expect(await reasonOf(client, via("http://inside.test/"))).toBe("address-refused");
  expect(await reasonOf(client, via("file:///etc/passwd"))).toBe("bad-url");
  expect(await reasonOf(client, via("http://a:b@127.0.0.1/"))).toBe("bad-url");
  expect(await reasonOf(client, via("http://[half"))).toBe("bad-url");
});

test("where the guard does not allow it nothing is connected to", async () => {
  let dialled = 0;
  const client = newClient({
    guard: newAddressGuard({ allowedNetworks: [], resolve: zone }),
    dial: () => {
      dialled += 1;
      return new Socket();
    },
  });
  for (const url of [
    "http://127.0.0.1:1/",
    "http://localhost/",
    "http://inside.test/",
    "http://loop.test/",
    "http://[::1]/",
  ]) {
    expect([url, await reasonOf(client, url)]).toEqual([url, "address-refused"]);
  }
  expect(await reasonOf(client, "ftp://example.com/a.png")).toBe("bad-url");
  expect(dialled).toBe(0);
});

test("too much is refused: told beforehand, or only in coming", async () => {
  const origin = await serve((request, response) => {
    if (request.url === "/told") response.writeHead(200, { "content-length": "2000" }).end(Buffer.alloc(2000));
    else response.writeHead(200).write(Buffer.alloc(900), () => response.end(Buffer.alloc(200)));
  });
  const client = newClient({ octetsMax: 1000 });
  expect(await reasonOf(client, `${origin}/told`)).toBe("too-big");
  expect(await reasonOf(client, `${origin}/coming`)).toBe("too-big");
});

test("what never ends is left in time, wherever it hangs", async () => {
  const silent = await startSilent();
  cleanUps.push(() => silent.close());
  const origin = await serve((_, response) => void response.writeHead(200, { "content-type": "image/png" }).write(PNG));
  const client = newClient({ deadlineMs: 100 });
  expect(await reasonOf(client, silent.url)).toBe("too-slow");
  expect(await reasonOf(client, `${origin}/drips`)).toBe("too-slow");
  const deaf = newClient({ dial: () => new Socket(), connectTimeoutMs: 50 });
  expect(await reasonOf(deaf, "http://loop.test/")).toBe("unreachable");
});

test("what is given up ends at once", async () => {
  const origin = await serve((_, response) => void response.writeHead(200, { "content-type": "image/png" }).write(PNG));
  const client = newClient({ deadlineMs: 600_000 });
  const giveUp = new AbortController();
  const fetched = client.fetch(`${origin}/drips`, giveUp.signal);
  giveUp.abort();
  expect(await fetched).toMatchObject({ ok: false });
  expect(await client.fetch(`${origin}/drips`, giveUp.signal)).toMatchObject({ ok: false });
});

test("what the caller has is fetched only when it has changed, and only its own address is asked for it", async () => {
  let etag = '"1"';
  const asked: (string | undefined)[] = [];
  const origin = await serve((request, response) => {
    asked.push(`${request.url} ${request.headers["if-none-match"]} ${request.headers["if-modified-since"]}`);
    if (request.url === "/old") response.writeHead(302, { location: "/new" }).end();
    else if (request.headers["if-none-match"] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag, "last-modified": "Mon, 01 Jun 2026 10:00:00 GMT" }).end(PNG);
  });
  const { signal } = new AbortController();
  const client = newClient();
  const first = await client.fetchNewer(`${origin}/old`, undefined, signal);
  const version = first.ok ? first.value?.version : undefined;
  expect(version).toEqual({ url: `${origin}/new`, etag, lastModified: "Mon, 01 Jun 2026 10:00:00 GMT" });
  expect(await client.fetchNewer(`${origin}/old`, version, signal)).toEqual({ ok: true, value: undefined });
  etag = '"2"';
  expect(await client.fetchNewer(`${origin}/new`, version, signal)).toMatchObject({ value: { version: { etag } } });
  const conditions = '"1" Mon, 01 Jun 2026 10:00:00 GMT';
  expect(asked).toEqual([
    "/old undefined undefined",
    "/new undefined undefined",
    "/old undefined undefined",
    `/new ${conditions}`,
    `/new ${conditions}`,
  ]);
});

test("a server that says unchanged without being asked has nothing", async () => {
  const origin = await serve((_, response) => void response.writeHead(304).end());
  expect(await reasonOf(newClient(), origin)).toBe("not-found");
});

test("compressed content is not unpacked", async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  const origin = await serve((_, response) =>
    response.writeHead(200, { "content-type": "image/png", "content-encoding": "gzip" }).end(bomb),
  );
  expect(await reasonOf(newClient(), `${origin}/bomb`)).toBe("not-media");
});

test("pages and lies are refused, and so is nothing at all", async () => {
  const origin = await serve((request, response) => {
    if (request.url === "/lie") response.writeHead(200, { "content-type": "image/png" }).end("<html>log in</html>");
    else if (request.url === "/page") response.writeHead(200, { "content-type": "text/html" }).end("<html>hi</html>");
    else response.writeHead(200, { "content-type": "image/png" }).end();
  });
  expect(await reasonOf(newClient(), `${origin}/lie`)).toBe("lies-about-type");
  expect(await reasonOf(newClient(), `${origin}/page`)).toBe("not-media");
  expect(await reasonOf(newClient(), `${origin}/empty`)).toBe("not-media");
});

test("a certificate nobody vouches for, a reset and a closed door are a server out of reach", async () => {
  const untrusted = await startUntrustedTls();
  cleanUps.push(() => untrusted.close());
  expect(await reasonOf(newClient(), untrusted.url)).toBe("unreachable");
  const origin = await serve((_, response) => response.socket?.destroy());
  expect(await reasonOf(newClient(), `${origin}/reset`)).toBe("unreachable");
  const cut = await serve((_, response) => {
    response.writeHead(200, { "content-type": "image/png", "content-length": "1000" });
    response.write(PNG, () => response.socket?.destroy());
  });
  expect(await reasonOf(newClient(), `${cut}/half`)).toBe("unreachable");
});
