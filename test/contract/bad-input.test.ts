// Everything an untrusted client can send. Every response is a 4xx problem with an X-Request-Id that reveals nothing
// internal, and the server is unharmed afterwards.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HeldLookupService, startLookupService } from "../fakes/lookup-service.ts";
import { exchange, openSocket, type RawAnswer, readAnswers } from "../raw-http.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { checkProblemText, problemOf } from "./problem.ts";

const LOOKUP = "/carrierLookup/v1/Numbers";
const HEADERS_TIMEOUT_MS = 30_000;

let service: HeldLookupService;
let scratch: string;
let auth: string;

const tandem = useTandem(async () => {
  scratch = mkdtempSync(join(tmpdir(), "tandem-bad-input-"));
  service = await startLookupService();
  const config = service.writeConfig(join(scratch, "config.json"));
  return { environment: { TANDEM_LOG_LEVEL: "warn", TANDEM_CONFIG: config } };
});
beforeAll(async () => {
  auth = basic(tandem.accountSid, tandem.token).Authorization;
  const wide = { requests: 1_000_000, windowSeconds: 10 };
  const limits = { lookup: wide, lookupBatch: wide, read: wide, write: wide };
  await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", { limits }));
});

afterAll(async () => {
  // The server has survived all of it: same process, no internal error in the log.
  const health = await tandem.get("/readyz");
  expect(health.status).toBe(200);
  expect((await tandem.get(`${LOOKUP}/+12024561414`)).status).toBe(200);
  expect(tandem.output()).not.toContain("request failed");
  await service.close();
  rmSync(scratch, { recursive: true });
});

function checkRefusal(answer: RawAnswer | undefined, status: number) {
  expect(answer?.status, answer?.text).toBe(status);
  expect(answer?.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(answer?.headers.get("content-type")).toBe("application/json; charset=utf-8");
  return checkProblemText(answer?.text ?? "", status);
}

/** A raw request with our credentials. */
function request(line: string, headers: readonly string[] = [], body: string | Uint8Array = ""): Uint8Array {
  const head = [`${line} HTTP/1.1`, "Host: tandem", `Authorization: ${auth}`, "Connection: close", ...headers];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), Buffer.from(body)]);
}

function post(path: string, body: string | Uint8Array, type = "application/json"): Uint8Array {
  return request(`POST ${path}`, [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`], body);
}

describe("bytes that are no HTTP", () => {
  test.each([
    ["noise", "\x00\x01\x02\xff\xfe\r\n\r\n"],
    ["a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an SSH greeting", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost tandem\r\n\r\n"],
    ["a header name with a blank", "GET / HTTP/1.1\r\nHost : tandem\r\n\r\n"],
    ["a NUL in a header", "GET / HTTP/1.1\r\nHost: tan\x00dem\r\n\r\n"],
    ["a bare carriage return", "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n"],
    ["raw bytes in the address", `GET ${LOOKUP}/\xff\xfe HTTP/1.1\r\nHost: tandem\r\n\r\n`],
    ["a method nobody knows", "STEAL / HTTP/1.1\r\nHost: tandem\r\n\r\n"],
    ["an HTTP/9.9 request", "GET / HTTP/9.9\r\nHost: tandem\r\n\r\n"],
  ])("%s is answered with a problem and the end of the connection", async (_what, text) => {
    const answers = await exchange(tandem.url, Buffer.from(text, "latin1"));
    expect(answers).toHaveLength(1);
    expect(checkRefusal(answers[0], 400).errors).toHaveProperty("$");
  });

  test.each([
    ["both Content-Length and Transfer-Encoding", "Content-Length: 4\r\nTransfer-Encoding: chunked"],
    ["two Content-Lengths", "Content-Length: 4\r\nContent-Length: 40"],
    ["a negative Content-Length", "Content-Length: -4"],
    ["a Content-Length in words", "Content-Length: four"],
    ["a Transfer-Encoding that is not quite chunked", "Transfer-Encoding: xchunked"],
    ["chunked before another encoding", "Transfer-Encoding: chunked, identity"],
  ])("a request smuggled by %s is not understood, and nothing behind it is answered", async (_how, headers) => {
    const smuggled = `POST ${LOOKUP} HTTP/1.1\r\nHost: a\r\nAuthorization: ${auth}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`;
    const answers = await exchange(tandem.url, smuggled);
    expect(answers).toHaveLength(1);
    checkRefusal(answers[0], 400);
  });

  test("a chunk with a malformed size is refused", async () => {
    const head = `POST ${LOOKUP} HTTP/1.1\r\nHost: a\r\nAuthorization: ${auth}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const [answer] = await exchange(tandem.url, `${head}zz\r\n{}\r\n0\r\n\r\n`);
    checkRefusal(answer, 400);
  });

  test("a request without Host is refused by name", async () => {
    const [answer] = await exchange(tandem.url, "GET /healthz HTTP/1.1\r\n\r\n");
    expect(checkRefusal(answer, 400).errors).toHaveProperty("Host");
  });

  test.each([
    ["Host", ["host: other"]],
    ["Host", [...Array.from({ length: 2_100 }, () => "a:b"), "HOST: tandem"]],
    ["Authorization", ["authorization: Basic QUM6dG9rZW4="]],
  ])("a request with two headers %s is refused, for another reader might take the other", async (name, more) => {
    const answers = await exchange(tandem.url, request("GET /v1/Account", more));
    expect(answers).toHaveLength(1);
    expect(checkRefusal(answers[0], 400).errors).toStrictEqual({ [name]: ["This header may be given once."] });
  });

  test("CONNECT is refused", async () => {
    const [answer] = await exchange(tandem.url, "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n");
    checkRefusal(answer, 405);
  });

  test("CONNECT by a user who resets the connection harms no one else", async () => {
    for (let times = 0; times < 5; times++) {
      const socket = openSocket(tandem.url);
      socket.write("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n");
      await once(socket, "data");
      socket.resetAndDestroy();
      expect((await tandem.get("/healthz")).status).toBe(200);
    }
  });

  test("an expectation nobody knows does not change the answer", async () => {
    const [answer] = await exchange(tandem.url, request(`GET ${LOOKUP}/pizza`, ["Expect: a-miracle"]));
    checkRefusal(answer, 400);
  });

  test("a refused connection is closed by the server even if the other side keeps it open", async () => {
    const socket = openSocket(tandem.url);
    const answers = readAnswers(socket);
    socket.write("garbage\r\n\r\n");
    checkRefusal((await answers)[0], 400);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const talking = setInterval(() => socket.write("still here"), 100);
    await closed;
    clearInterval(talking);
  });
});

describe("too much", () => {
  test("ten thousand headers are 431", async () => {
    const headers = Array.from({ length: 10_000 }, (_, index) => `X-Header-${index}: value`);
    const [answer] = await exchange(tandem.url, request("GET /v1/Account", headers));
    expect(checkRefusal(answer, 431).code).toBe("headers-too-large");
  });

  test.each([17_000, 5_000_000])("a header of %d bytes is 431, and the answer arrives", async (length) => {
    const [answer] = await exchange(tandem.url, request("GET /v1/Account", [`X-Long: ${"a".repeat(length)}`]));
    checkRefusal(answer, 431);
  });

  test("an address of 20,000 characters is 431", async () => {
    const [answer] = await exchange(tandem.url, request(`GET ${LOOKUP}/${"1".repeat(20_000)}`));
    checkRefusal(answer, 431);
  });

  test("an address of 9,000 characters is 414", async () => {
    const [answer] = await exchange(tandem.url, request(`GET ${LOOKUP}/${"1".repeat(9_000)}`));
    checkRefusal(answer, 414);
  });

  test.each([
    ["the lookup", `GET ${LOOKUP}/`],
    ["an account", "GET /operator/v1/Accounts/"],
    ["an override", "GET /operator/v1/LookupOverrides/"],
    ["an operator's token", "DELETE /operator/v1/Tokens/"],
    ["a token", "DELETE /v1/Account/tokens/"],
  ])("a parameter of 3,000 characters is 400 for %s, not 404", async (_what, line) => {
    const credentials = line.includes("/operator/") ? basic("operator", tandem.operatorToken).Authorization : auth;
    const head = `${line}${"9".repeat(3000)} HTTP/1.1\r\nHost: a\r\nAuthorization: ${credentials}\r\nConnection: close\r\n\r\n`;
    const [answer] = await exchange(tandem.url, head);
    checkRefusal(answer, 400);
  });

  test("a body of 10 MB is 413 before it is read, announced or not", async () => {
    const [announced] = await exchange(tandem.url, post(LOOKUP, `{"numbers":[${"1".repeat(10_000_000)}]}`));
    expect(checkRefusal(announced, 413).code).toBe("body-too-large");
    const chunk = `10000\r\n${"1".repeat(0x10000)}\r\n`;
    const head = request(`POST ${LOOKUP}`, ["Content-Type: application/json", "Transfer-Encoding: chunked"]);
    const [chunked] = await exchange(tandem.url, head, chunk.repeat(150), "0\r\n\r\n");
    checkRefusal(chunked, 413);
  });

  test("after a body that was refused nothing more is carried out on its connection", async () => {
    const path = "/operator/v1/LookupOverrides/+12025550187";
    const override = { carrierName: "Nobody", type: "Wireless", status: "Active" };
    const body = JSON.stringify(override);
    const { Authorization } = basic("operator", tandem.operatorToken);
    const head = [`PUT ${path} HTTP/1.1`, "Host: tandem", `Authorization: ${Authorization}`];
    const length = [`Content-Type: application/json`, `Content-Length: ${body.length}`];
    const socket = openSocket(tandem.url);
    const answers = readAnswers(socket);
    socket.write(post(LOOKUP, " ".repeat(300_000)));
    const [refused] = await answers;
    checkRefusal(refused, 413);
    socket.write([...head, ...length, "", body].join("\r\n"));
    // By then the server has read the second request.
    await tandem.get("/healthz");
    expect((await tandem.operator(path)).status).toBe(404);
    socket.destroy();
    expect((await tandem.operator(path, json("PUT", override))).status).toBe(200);
    await tandem.operator(path, { method: "DELETE" });
  });

  test("a body of 256 KiB is read, one byte more is not", async () => {
    const padded = (length: number) => {
      const body = '{"numbers":["+12024561414"]}';
      return body + " ".repeat(length - body.length);
    };
    const [fits] = await exchange(tandem.url, post(LOOKUP, padded(256 * 1024)));
    expect(fits?.status).toBe(200);
    const [tooLong] = await exchange(tandem.url, post(LOOKUP, padded(256 * 1024 + 1)));
    checkRefusal(tooLong, 413);
  });

  test("a number of 200,000 digits is refused without effort", async () => {
    const [asText] = await exchange(tandem.url, post(LOOKUP, `{"numbers":["${"1".repeat(200_000)}"]}`));
    expect(checkRefusal(asText, 400).errors).toHaveProperty("numbers[0]");
    const [asNumber] = await exchange(tandem.url, post(LOOKUP, `{"numbers":[${"1".repeat(200_000)}]}`));
    expect(checkRefusal(asNumber, 400).errors).toHaveProperty("numbers[0]");
  });

  test("lists nested 100,000 deep are refused", async () => {
    const [answer] = await exchange(tandem.url, post(LOOKUP, `${"[".repeat(100_000)}${"]".repeat(100_000)}`));
    expect(checkRefusal(answer, 400).errors?.$?.[0]).toContain("nested");
  });

  test("ten thousand unknown members are refused with a short answer", async () => {
    const members = Array.from({ length: 10_000 }, (_, index) => `"member${index}":1`);
    const [answer] = await exchange(tandem.url, post(LOOKUP, `{${members.join()}}`));
    const { errors } = checkRefusal(answer, 400);
    expect(Object.keys(errors ?? {}).length).toBeLessThanOrEqual(21);
  });
});

describe("too slow", () => {
  test("whoever says nothing, or one byte at a time, or half a body, is cut off by the server", async () => {
    const silent = openSocket(tandem.url);
    const trickling = openSocket(tandem.url);
    const halfBody = openSocket(tandem.url);
    const answers = [silent, trickling, halfBody].map(readAnswers);
    trickling.write(`GET ${LOOKUP}/+12024561414 HTTP/1.1\r\nHost: a\r\nX-Slow: `);
    const trickle = setInterval(() => trickling.write("a"), 250);
    halfBody.write(
      `POST ${LOOKUP} HTTP/1.1\r\nHost: a\r\nAuthorization: ${auth}\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n{"num`,
    );
    for (const [answer] of await Promise.all(answers)) {
      expect(checkRefusal(answer, 408).code).toBe("request-timeout");
    }
    clearInterval(trickle);
    for (const socket of [silent, trickling, halfBody]) socket.destroy();
  });
});

describe("bad text", () => {
  test.each([
    ["a NUL", "%00"],
    ["half a percent sequence", "%2"],
    ["a percent sequence that is none", "%zz"],
    ["bytes that are no UTF-8", "%ff%fe"],
    ["an overlong NUL", "%c0%80"],
    ["an encoded surrogate", "%ed%a0%80"],
    ["a line break", "%0d%0aSet-Cookie:%20a=b"],
    ["dots", "..%2f..%2fetc%2fpasswd"],
    ["a quote and a comment", "'%20or%201=1--"],
  ])("%s in an address is refused", async (_what, text) => {
    for (const line of [`GET ${LOOKUP}/${text}`, `DELETE /v1/Account/tokens/${text}`]) {
      const answers = await exchange(tandem.url, request(line));
      expect(answers).toHaveLength(1);
      checkRefusal(answers[0], 400);
      expect(answers[0]?.headers.has("set-cookie")).toBe(false);
    }
  });

  test.each([
    ["a NUL in a name", JSON.stringify({ name: "a\u0000b" })],
    ["half of a surrogate pair", '{"name":"\\ud800"}'],
    ["the other half", '{"name":"a\\udc00b"}'],
    ["an escape", JSON.stringify({ name: "\u001b[31m" })],
    ["nothing", '{"name":""}'],
    ["65 characters", JSON.stringify({ name: "x".repeat(65) })],
    ["a number", '{"name":1}'],
    ["a country of one letter", '{"name":"a","allowedCountries":["U"]}'],
    ["infinitely many requests", '{"name":"a","limits":{"lookup":{"requests":1e999,"windowSeconds":1}}}'],
    ["half a request", '{"name":"a","limits":{"lookup":{"requests":0.5,"windowSeconds":1}}}'],
    ["minus one second", '{"name":"a","limits":{"lookup":{"requests":1,"windowSeconds":-1}}}'],
  ])("an account named or limited by %s is refused", async (_what, body) => {
    const response = await tandem.operator("/operator/v1/Accounts", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    await problemOf(response, 400);
  });

  test.each([
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["UTF-16", Buffer.from('{"numbers":["1"]}', "utf16le")],
    ["half an object", '{"numbers":["+12024561414"'],
    ["two objects", '{"numbers":["1"]}{"numbers":["1"]}'],
    ["a trailing comma", '{"numbers":["1",]}'],
    ["a comment", '{"numbers":["1"]} // really'],
    ["NaN", '{"numbers":[NaN]}'],
    ["a raw line break in a string", '{"numbers":["1\n2"]}'],
    ["only blanks", "   "],
  ])("a body of %s is refused as no JSON", async (_what, body) => {
    const [answer] = await exchange(tandem.url, post(LOOKUP, body));
    expect(Object.keys(checkRefusal(answer, 400).errors ?? {})).toStrictEqual(["$"]);
  });

  test("an empty body is refused where one is wanted", async () => {
    const [answer] = await exchange(tandem.url, post(LOOKUP, ""));
    checkRefusal(answer, 400);
  });

  test.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"])(
    "a member named %s is unknown like any other, in body, query and filter",
    async (name) => {
      const [inBody] = await exchange(tandem.url, post(LOOKUP, `{"numbers":["1"],"${name}":{"admin":true}}`));
      expect(Object.keys(checkRefusal(inBody, 400).errors ?? {})).toStrictEqual([name]);
      const [inQuery] = await exchange(tandem.url, request(`GET /v1/Account?${name}=1`));
      expect(Object.keys(checkRefusal(inQuery, 400).errors ?? {})).toStrictEqual([name]);
      const inFilter = await tandem.operator(`/operator/v1/Accounts?${name}=1`);
      expect(Object.keys((await problemOf(inFilter, 400)).errors ?? {})).toStrictEqual([name]);
    },
  );

  test("nobody has become anything by those names", async () => {
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
    expect((await tandem.get("/operator/v1/Accounts")).status).toBe(401);
  });

  test.each([
    "text/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "image/png",
    "json",
    "/",
  ])("a body of type %s is 415", async (type) => {
    const [answer] = await exchange(tandem.url, post(LOOKUP, '{"numbers":["1"]}', type));
    expect(checkRefusal(answer, 415).code).toBe("unsupported-media-type");
  });

  test("a body without a type is 415", async () => {
    const body = '{"numbers":["1"]}';
    const [answer] = await exchange(tandem.url, request(`POST ${LOOKUP}`, [`Content-Length: ${body.length}`], body));
    checkRefusal(answer, 415);
  });

  test.each(["application/json; charset=utf-8", "APPLICATION/JSON", "text/json", "application/vnd.tandem+json"])(
    "a body of type %s is read",
    async (type) => {
      const [answer] = await exchange(tandem.url, post(LOOKUP, '{"numbers":["1"]}', type));
      expect(answer?.status).toBe(200);
    },
  );
});

describe("several requests on one connection", () => {
  test("answers come in the order of the questions, though a later one is ready first", {
    timeout: HEADERS_TIMEOUT_MS,
  }, async () => {
    const socket = openSocket(tandem.url);
    const answers = readAnswers(socket);
    const get = (number: string, id: string) =>
      `GET ${LOOKUP}/${number} HTTP/1.1\r\nHost: a\r\nAuthorization: ${auth}\r\nX-Request-Id: ${id}\r\n`;
    socket.write(
      `${get("+447911123456", "slow")}\r\n${get("+12024561414", "quick")}\r\n${get("pizza", "wrong")}Connection: close\r\n\r\n`,
    );
    await service.asked();
    service.answerAll();
    const seen = (await answers).map(({ status, headers }) => [status, headers.get("x-request-id")]);
    expect(seen).toStrictEqual([
      [200, "slow"],
      [200, "quick"],
      [400, "wrong"],
    ]);
    socket.destroy();
  });

  test("garbage behind a request is refused after the request is answered", async () => {
    const text = `GET ${LOOKUP}/+12024561414 HTTP/1.1\r\nHost: a\r\nAuthorization: ${auth}\r\n\r\n\x00garbage\r\n\r\n`;
    const [first, second, ...more] = await exchange(tandem.url, text);
    expect(first?.status).toBe(200);
    expect(JSON.parse(first?.text ?? "")).toHaveProperty("carrierName", "Verizon");
    checkRefusal(second, 400);
    expect(more).toHaveLength(0);
  });
});
