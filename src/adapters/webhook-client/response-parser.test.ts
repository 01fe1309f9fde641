import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ResponseParser } from "./response-parser.ts";

const KEEP = 100;
const BYTES_MAX = 2_000;

interface Seen {
  readonly end: unknown;
  readonly status: number;
  readonly body: string;
  readonly isShortened: boolean;
  readonly isReusable: boolean;
}

/**
 * Reads the pieces one after the other, each in a buffer that is overwritten afterwards, and then the end of the
 * connection.
 */
function readAll(pieces: readonly Buffer[]): Seen {
  const reader = new ResponseParser(KEEP, BYTES_MAX);
  let end: unknown = "more";
  let extra = false;
  for (const piece of pieces) {
    if (end !== "more") {
      // The connection sees what follows an answer, and is dropped because of it.
      extra ||= piece.length > 0;
      continue;
    }
    // Longer than what was read: the remains of an earlier answer must not be read again.
    const buffer = Buffer.concat([piece, Buffer.from("HTTP/1.1 299 Old\r\n\r\n")]);
    end = reader.read(buffer, piece.length);
    buffer.fill(0);
  }
  if (end === "more") end = reader.status === 0 ? "lost" : reader.end();
  const isReusable = end === "done" && reader.isReusable && !extra;
  const { status, isShortened } = reader;
  return { end, status, body: Buffer.from(reader.body).toString("latin1"), isShortened, isReusable };
}

const readText = (text: string) => readAll([Buffer.from(text, "latin1")]);

function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((place, index) => bytes.subarray(place, sorted[index] ?? bytes.length));
}

const ok = (rest: string) => `HTTP/1.1 200 OK\r\n${rest}`;
const done = (body: string, isReusable = true) => ({ end: "done", status: 200, body, isReusable });
const fault = (kind: string) => ({ end: { kind, detail: expect.any(String) }, status: 0 });

test.each<[string, string, object]>([
  ["a body of known length", ok("Content-Length: 2\r\n\r\nok"), done("ok")],
  ["no body", ok("content-length: 0\r\n\r\n"), done("")],
  ["a status line without a reason", "HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n", done("")],
  [
    "204, which has no body whatever it says",
    "HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\n",
    { ...done(""), status: 204 },
  ],
  ["chunks", ok("transfer-encoding: chunked\r\n\r\n2\r\nok\r\n3;a=b\r\nay!\r\n0\r\n\r\n"), done("okay!")],
  ["chunks with trailers", ok("Transfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\nx: y\r\nz: \r\n\r\n"), done("ok")],
  ["chunks of something coded", ok("transfer-encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"), done("ok")],
  ["a body that ends with the connection", ok("\r\nok"), done("ok", false)],
  ["a coding that has no end of its own", ok("transfer-encoding: gzip\r\n\r\nok"), done("ok", false)],
  ["interim answers before", `HTTP/1.1 103 Hints\r\nlink: x\r\n\r\n${ok("content-length: 2\r\n\r\nok")}`, done("ok")],
  ["the same length twice", ok("content-length: 2\r\ncontent-length: 2\r\n\r\nok"), done("ok")],
  ["a connection that is to be closed", ok("connection: x, Close\r\ncontent-length: 2\r\n\r\nok"), done("ok", false)],
  ["HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok", done("ok", false)],
  ["HTTP/1.0 that stays", "HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok", done("ok")],
  ["more than was promised", ok("content-length: 2\r\n\r\nokHTTP/1.1 299 Forged\r\n\r\n"), done("ok", false)],
  ["less than was promised", ok("content-length: 9\r\n\r\nok"), { end: "cut", status: 200, body: "ok" }],
  [
    "a length beside chunks",
    ok("content-length: 9\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
    done("ok", false),
  ],
  [
    "a chunk without a size",
    ok("transfer-encoding: chunked\r\n\r\n2\r\nok\r\nx\r\n"),
    { end: "cut", status: 200, body: "ok" },
  ],
  [
    "a chunk longer than its size",
    ok("transfer-encoding: chunked\r\n\r\n2\r\nokay\r\n"),
    { end: "cut", status: 200, body: "ok" },
  ],
  ["a chunk of more than 4 GB", ok("transfer-encoding: chunked\r\n\r\n100000000\r\nok"), { end: "cut", status: 200 }],
  [
    "chunks that break off",
    ok("transfer-encoding: chunked\r\n\r\n2\r\nok\r\n"),
    { end: "cut", status: 200, body: "ok" },
  ],
  ["two lengths", ok("content-length: 2\r\ncontent-length: 3\r\n\r\nok"), fault("protocol")],
  ["a length that is none", ok("content-length: +2\r\n\r\nok"), fault("protocol")],
  ["a folded line", ok("x: y\r\n z\r\n\r\n"), fault("protocol")],
  ["a name with a space", ok("content-length : 2\r\n\r\nok"), fault("protocol")],
  ["a line without a colon", ok("what\r\n\r\n"), fault("protocol")],
  ["a bare line feed within a line", ok("x: y\nz: w\r\n\r\n"), fault("protocol")],
  ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n", fault("protocol")],
  ["another version", "HTTP/2.0 200 OK\r\n\r\n", fault("protocol")],
  ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n", fault("protocol")],
  ["switched protocols", "HTTP/1.1 101 Switching\r\n\r\n", fault("protocol")],
  ["interim answers without end", "HTTP/1.1 102 Processing\r\n\r\n".repeat(17), fault("protocol")],
  ["a head without end", ok("x: y\r\n".repeat(5_000)), fault("too-large")],
  ["nothing", "", { end: "lost", status: 0 }],
])("%s", (_, text, expected) => {
  expect(readText(text)).toMatchObject(expected);
  // The same when it comes byte by byte.
  expect(readAll(Array.from(Buffer.from(text, "latin1"), (byte) => Buffer.from([byte])))).toMatchObject(expected);
});

test("of a long body the beginning is kept, and a longer one is not read to its end", () => {
  const long = "x".repeat(1_000);
  const expected = { end: "done", body: "x".repeat(KEEP), isShortened: true, isReusable: true };
  expect(readText(ok(`content-length: 1000\r\n\r\n${long}`))).toMatchObject(expected);
  expect(readText(ok(`transfer-encoding: chunked\r\n\r\n3e8\r\n${long}\r\n0\r\n\r\n`))).toMatchObject(expected);
  for (const head of ["content-length: 100000", "x: y"]) {
    expect(readText(ok(`${head}\r\n\r\n${"x".repeat(3_000)}`))).toMatchObject({ end: "cut", body: "x".repeat(KEEP) });
  }
});

test.each([
  ["chunks of one byte", "1;name=value\r\nx\r\n"],
  ["endless trailers", "0\r\nx: y\r\n"],
  ["a chunk's line without end", "1;".padEnd(5_000, "x")],
])("the frames of chunks count too: %s", (_, text) => {
  const pieces = [ok("transfer-encoding: chunked\r\n\r\n"), ...Array<string>(1_000).fill(text.replace(/^0\r\n/, ""))];
  if (text.startsWith("0")) pieces.splice(1, 0, "0\r\n");
  expect(readText(pieces.join(""))).toMatchObject({ end: "cut", status: 200 });
});

test("the other side says how long it keeps a connection", () => {
  const keepAliveOf = (value: string) => {
    const reader = new ResponseParser(KEEP, BYTES_MAX);
    const bytes = Buffer.from(ok(`keep-alive: ${value}\r\ncontent-length: 0\r\n\r\n`));
    reader.read(bytes, bytes.length);
    return reader.keepAliveMs;
  };
  expect(["timeout=5", "max=3, Timeout=7", "timeout=x", "max=3"].map(keepAliveOf)).toEqual([
    5000,
    7000,
    undefined,
    undefined,
  ]);
});

const name = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/).map((text) => `x-${text}`);
const value = fc.stringMatching(/^[ \t!-~]{0,20}$/);
const line = fc.tuple(name, value).map(([field, text]) => `${field}:${text}\r\n`);
const inAnyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(""));
const bodyText = fc.string({ unit: fc.constantFrom("a", "\r", "\n", "0", ":"), maxLength: KEEP });

interface Made {
  readonly text: string;
  readonly body: string;
  readonly isReusable: boolean;
}

const framed: fc.Arbitrary<{ fields: string; rest: string; body: string; isReusable: boolean }> = fc.oneof(
  fc.tuple(inAnyCase("content-length"), bodyText).map(([field, body]) => ({
    fields: `${field}: ${body.length}\r\n`,
    rest: body,
    body,
    isReusable: true,
  })),
  fc
    .tuple(
      inAnyCase("transfer-encoding"),
      inAnyCase("chunked"),
      fc.array(bodyText.filter((text) => text !== "")),
      fc.array(line),
    )
    .map(([field, coding, chunks, trailers]) => ({
      fields: `${field}:\t${coding} \r\n`,
      rest: `${chunks.map((chunk) => `${chunk.length.toString(16)};x\r\n${chunk}\r\n`).join("")}0\r\n${trailers.join("")}\r\n`,
      body: chunks.join(""),
      isReusable: true,
    })),
  bodyText.map((body) => ({ fields: "", rest: body, body, isReusable: false })),
);

const answer: fc.Arbitrary<Made> = fc
  .record({
    framed,
    before: fc.array(line, { maxLength: 5 }),
    after: fc.array(line, { maxLength: 5 }),
    hints: fc.nat(3),
  })
  .filter(({ framed: { rest } }) => rest.length < 1_500)
  .map(({ framed: { fields, rest, body, isReusable }, before, after, hints }) => ({
    text: `${"HTTP/1.1 103 Hints\r\nlink: </a>\r\n\r\n".repeat(hints)}HTTP/1.1 200 OK\r\n${before.join("")}${fields}${after.join("")}\r\n${rest}`,
    body,
    isReusable,
  }));

const places = fc.array(fc.nat(5_000), { maxLength: 10 });

test("an answer is read as it was written, however it is cut", () => {
  fc.assert(
    fc.property(answer, places, ({ text, body, isReusable }, at) => {
      expect(readAll(cut(Buffer.from(text, "latin1"), at))).toEqual({
        ...done(body.slice(0, KEEP), isReusable),
        isShortened: body.length > KEEP,
      });
    }),
  );
});

test("any bytes lead to the same end, however they are cut, and none is a surprise", () => {
  const spoiled = fc
    .tuple(answer, fc.array(fc.tuple(fc.nat(5_000), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }))
    .map(([{ text }, changes]) => {
      const bytes = Buffer.from(text, "latin1");
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      return bytes;
    });
  const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.oneof(spoiled, noise), places, (bytes, at) => {
      const whole = readAll([bytes]);
      expect(["done", "cut", "lost", "protocol", "too-large"]).toContain(
        typeof whole.end === "string" ? whole.end : (whole.end as { kind: string }).kind,
      );
      expect(readAll(cut(bytes, at))).toEqual(whole);
    }),
    { numRuns: 1_000 },
  );
});

test("Node's own client reads the same", async () => {
  let text = "";
  const server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => socket.end(text, "latin1"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const readByNode = async () => {
    const asked = request({ host: "127.0.0.1", port, method: "POST", agent: false }).end("x");
    const [response] = await once(asked, "response");
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part);
    return { status: response.statusCode as number, body: Buffer.concat(parts).toString("latin1").slice(0, KEEP) };
  };
  try {
    await fc.assert(
      fc.asyncProperty(answer, async (made) => {
        text = made.text;
        expect(readText(text)).toMatchObject(await readByNode());
      }),
    );
  } finally {
    server.close();
  }
});
