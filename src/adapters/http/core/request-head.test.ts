import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HeadReader } from "./request-head.ts";

const PLAIN = [
  "POST /messaging/v1/OutboundMessages HTTP/1.1",
  "Host: localhost:8080",
  "User-Agent: axios/1.7 (Linux; a=b)",
  "Accept: application/json, text/plain",
  "Authorization: Basic QUM6dG9rZW4=",
  "Content-Type: application/x-www-form-urlencoded; charset=utf-8",
  "X-Request-Id: a-1",
  "Content-Length: 2",
];
const GET = ["GET /carrierLookup/v1/Numbers/+15551234567 HTTP/1.1", ...PLAIN.slice(1, -1)];
const readRequestHead = (head: string) => new HeadReader().read(head);
const text = (...lines: readonly string[]) => lines.join("\r\n");

test("a plain request is read, names in small letters", () => {
  expect(readRequestHead(text(...PLAIN))).toEqual({
    method: "POST",
    path: "/messaging/v1/OutboundMessages",
    headers: {
      host: "localhost:8080",
      "user-agent": "axios/1.7 (Linux; a=b)",
      accept: "application/json, text/plain",
      authorization: "Basic QUM6dG9rZW4=",
      "content-type": "application/x-www-form-urlencoded; charset=utf-8",
      "x-request-id": "a-1",
      "content-length": "2",
    },
    bodyLength: 2,
  });
  expect(readRequestHead(text(...PLAIN, "Connection: Keep-Alive"))).toBeDefined();
  // As Node's fetch sends it.
  expect(readRequestHead(text(...PLAIN, "Sec-Fetch-Mode: cors"))).toBeDefined();
});

test("the same headers are read once, and belong to each address", () => {
  const heads = new HeadReader();
  const first = heads.read(text(...GET));
  expect(first).toMatchObject({ method: "GET", path: "/carrierLookup/v1/Numbers/+15551234567", bodyLength: 0 });
  const second = heads.read(text("GET /other HTTP/1.1", ...GET.slice(1)));
  expect(second).toEqual({ ...first, path: "/other" });
  expect(second?.headers).toBe(first?.headers);
  expect(heads.read(text(...GET, "X-More: 1"))?.headers).toMatchObject({ "x-more": "1" });
  expect(heads.read(text(...GET, "X-Odd : 1"))).toBeUndefined();
  expect(heads.read(text(...GET))).toEqual(first);
  expect(heads.read(text("GET / HTTP/1.0", ...GET.slice(1)))).toBeUndefined();
});

test.each([
  ["another method", text("PUT / HTTP/1.1", ...PLAIN.slice(1))],
  ["a GET with a body", text("GET / HTTP/1.1", ...PLAIN.slice(1))],
  ["an address that is too long", text(`GET /${"x".repeat(8_192)} HTTP/1.1`, ...GET.slice(1))],
  ["another version", text("POST / HTTP/1.0", ...PLAIN.slice(1))],
  ["no host", text(PLAIN[0] as string, ...PLAIN.slice(2))],
  ["no length", text(...PLAIN.slice(0, -1))],
  ["a length that is none", text(...PLAIN.slice(0, -1), "Content-Length: +2")],
  ["two lengths", text(...PLAIN, "Content-Length: 2")],
  ["a header twice", text(...PLAIN, "host: other")],
  ["chunks", text(...PLAIN, "Transfer-Encoding: chunked")],
  ["an expectation", text(...PLAIN, "Expect: 100-continue")],
  ["the end of the connection", text(...PLAIN, "Connection: close")],
  ["another protocol", text(...PLAIN, "Connection: Upgrade", "Upgrade: websocket")],
  ["a way here", text(...PLAIN, "X-Forwarded-For: 203.0.113.1")],
  ["a page's origin", text(...PLAIN, "Origin: https://a.example")],
  ["a page's site", text(...PLAIN, "Sec-Fetch-Site: cross-site")],
  ["a folded line", text(...PLAIN, " and on")],
  ["a space before the colon", text(...PLAIN, "X-Odd : 1")],
  ["a bare line feed", text(...PLAIN, "X-Odd: 1\nX-Even: 2")],
  ["a bare carriage return", text(...PLAIN, "X-Odd: 1\rX-Even: 2")],
  ["bytes beyond ASCII", text(...PLAIN, "X-Odd: \u00e9")],
  ["an empty value", text(...PLAIN, "X-Odd:")],
  ["too many", text(...PLAIN, ...Array.from({ length: 60 }, (_, n) => `X-${n}: 1`))],
  ["nothing", ""],
])("not read: %s", (_name, head) => {
  expect(readRequestHead(head)).toBeUndefined();
});

test("what is read, Node's parser reads the same, however a request was changed", { timeout: 120_000 }, async () => {
  const server = createServer((request, response) => {
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
    });
    const { method, url, headers } = request;
    request.on("end", () => response.end(JSON.stringify({ method, path: url, headers, bodyLength: length })));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const read = { same: 0, not: 0 };
  try {
    await fc.assert(
      fc.asyncProperty(changedHead, async (head) => {
        const own = readRequestHead(head);
        if (!own) {
          read.not++;
          return;
        }
        const bytes = Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), Buffer.alloc(own.bodyLength, "x")]);
        expect(await nodesReading((server.address() as AddressInfo).port, bytes)).toEqual(own);
        read.same++;
      }),
      { numRuns: 2_000 },
    );
  } finally {
    server.close();
  }
  expect(Math.min(read.same, read.not)).toBeGreaterThan(100);
});

const LINES = [
  ...PLAIN.slice(1),
  "Connection: keep-alive",
  "Connection: close",
  "Content-Length: 3",
  "Transfer-Encoding: chunked",
  "Accept-Encoding: gzip, deflate",
  "X-Custom:  two spaces",
  "Cookie: a=b; c=d",
];
const changedHead = fc
  .record({
    plain: fc.constantFrom(PLAIN, GET),
    more: fc.uniqueArray(fc.constantFrom(...LINES), { maxLength: 2 }),
    changes: fc.array(fc.record({ at: fc.nat(), what: fc.constantFrom("drop", "put"), byte: fc.nat(255) }), {
      maxLength: 2,
    }),
  })
  .map(({ plain, more, changes }) => {
    let head = text(...plain, ...more.filter((line) => !plain.includes(line)));
    for (const { at, what, byte } of changes) {
      const place = at % head.length;
      head = head.slice(0, place) + (what === "put" ? String.fromCharCode(byte) : "") + head.slice(place + 1);
    }
    return head;
  });

async function nodesReading(port: number, bytes: Buffer): Promise<unknown> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    answer += chunk;
    const body = answer.split("\r\n\r\n", 2)[1];
    if (body?.endsWith("}")) socket.end();
  });
  socket.write(bytes);
  await once(socket, "close");
  return JSON.parse(answer.split("\r\n\r\n", 2)[1] as string);
}
