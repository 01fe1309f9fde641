// A request for a message or a lookup that arrives in one piece is parsed by our own code, one in two pieces by Node:
// clients must not see a difference.

import { once } from "node:events";
import { beforeAll, expect, test } from "vitest";
import { openSocket, type RawAnswer, readAnswers } from "../raw-http.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";

const PATH = "/messaging/v1/OutboundMessages";
const tandem = useTandem({});
let from: string;

beforeAll(async () => {
  const wide = { requests: 1_000_000, windowSeconds: 86_400 };
  const limits = { send: wide, sendToRecipient: wide };
  await tandem.operator(`/operator/v1/Accounts/${tandem.accountSid}`, json("PATCH", { limits }));
  const phones = (await (await tandem.get("/v1/Phones")).json()) as { items: { number: string }[] };
  from = phones.items[0]?.number as string;
});

const FORM = "application/x-www-form-urlencoded";
const good = () => `From=${encodeURIComponent(from)}&To=%2B14155550123&Text=Hello`;
const order = () => JSON.stringify({ From: from, To: "+14155550123", Text: "Grüße, 你好 🙂 \ud83d" });

test.each([
  ["a form", () => [good()]],
  ["JSON", () => [order(), "Content-Type: application/json"]],
  ["JSON under another name", () => [order(), "Content-Type: text/json; charset=utf-8", "Accept: text/plain"]],
  ["a type with more to it", () => [order(), "Content-Type: application/json, text/plain"]],
  ["a type that is none", () => [good(), "Content-Type: application/x-www-form-urlencoded/x"]],
  ["a head that is too long", () => [good(), `X-Long: ${"x".repeat(17_000)}`]],
  ["a rehearsal", () => [`${good()}&DryRun=true`]],
  ["a name of its own", () => [good(), "X-Request-Id: mine-1"]],
  ["a name that is none", () => [good(), "X-Request-Id: not/mine"]],
  ["a trace", () => ["From=1", "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"]],
  ["an unknown field", () => [`${good()}&Colour=red`]],
  ["faults", () => ["From=1&To=2&Text="]],
  ["a broken form", () => ["From=%zz"]],
  ["broken JSON", () => ["{", "Content-Type: application/json"]],
  ["JSON that is not UTF-8", () => ["\xff", "Content-Type: application/json"]],
  ["nothing as a form", () => [""]],
  ["nothing as JSON", () => ["", "Content-Type: application/json"]],
  ["a stranger", () => [good(), `Authorization: ${basic(tandem.accountSid, "wrong").Authorization}`]],
  ["nobody", () => [good(), "Authorization: none"]],
  ["another site's page", () => [good(), "Origin: https://evil.example", "Sec-Fetch-Site: cross-site"]],
  ["a page of ours", () => [good(), "Origin: http://localhost"]],
  ["two hosts", () => [good(), "Host: other"]],
  ["two callers", () => [good(), `authorization: ${basic(tandem.accountSid, "wrong").Authorization}`]],
] as const)("%s is answered the same in one piece and in two", async (_name, given) => {
  const [body, ...headers] = given() as readonly string[];
  const request = requestOf(body as string, headers);
  const whole = seen(await askInPieces(request, []));
  for (const cut of [9, Math.floor(request.length / 2), request.length - 1]) {
    expect(seen(await askInPieces(request, [cut])), `cut after ${cut}`).toEqual(whole);
  }
});

test.each([
  ["a number", "+14155550123", []],
  ["a number without its plus", "14155550123", []],
  ["a plus as it is escaped", "%2B14155550123", []],
  ["other escapes", "%2B1%204155550123", []],
  ["no number", "x1", []],
  ["a number that is too short", "+1415", []],
  ["a query", "+14155550123?a=b", []],
  ["more path", "+14155550123/more", []],
  ["another type", "+14155550123", ["Accept: text/plain"]],
  ["a name of its own", "+14155550123", ["X-Request-Id: mine-1"]],
  ["a stranger", "+14155550123", [`Authorization: ${basic("AC", "wrong").Authorization}`]],
  ["nobody", "+14155550123", ["Authorization: none"]],
  ["a session that is none", "+14155550123", ["Authorization:", "Cookie: tandem_session=x"]],
  ["another site's page", "+14155550123", ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site"]],
  ["two hosts", "+14155550123", ["Host: other"]],
] as const)("a lookup of %s is answered the same in one piece and in two", async (_name, number, headers) => {
  const given = headers.some((line) => line.startsWith("Authorization:"));
  const own = given ? [] : [`Authorization: ${basic(tandem.accountSid, tandem.token).Authorization}`];
  const lines = [...own, ...headers].filter((line) => line !== "Authorization:");
  const head = [`GET /carrierLookup/v1/Numbers/${number} HTTP/1.1`, "Host: localhost", ...lines, "", ""];
  const request = Buffer.from(head.join("\r\n"));
  const whole = seen(await askInPieces(request, []));
  for (const cut of [9, request.length - 1]) {
    expect(seen(await askInPieces(request, [cut])), `cut after ${cut}`).toEqual(whole);
  }
});

test("a repeat under an Idempotency-Key is the same message, whichever way it came", async () => {
  const request = requestOf(good(), ["Idempotency-Key: fast-1"]);
  const [first, second] = [await askInPieces(request, []), await askInPieces(request, [40])];
  expect(second.text).toBe(first.text);
  expect(second.headers.get("idempotent-replayed")).toBe("true");
});

function requestOf(body: string, headers: readonly string[]): Buffer {
  const given = new Set(headers.map((line) => line.split(":")[0]));
  const standard = [`Authorization: ${basic(tandem.accountSid, tandem.token).Authorization}`, `Content-Type: ${FORM}`];
  const lines = [...standard.filter((line) => !given.has(line.split(":")[0])), ...headers];
  const bytes = Buffer.from(body, body === "\xff" ? "latin1" : "utf8");
  const head = [`POST ${PATH} HTTP/1.1`, "Host: localhost", ...lines, `Content-Length: ${bytes.length}`, "", ""];
  return Buffer.concat([Buffer.from(head.join("\r\n")), bytes]);
}

/** Sends the last piece when the server has read those before it, as far as a client can observe. */
async function askInPieces(request: Buffer, cuts: readonly number[]): Promise<RawAnswer> {
  const socket = openSocket(tandem.url).setNoDelay();
  await once(socket, "connect");
  const answers = readAnswers(socket);
  const heard = once(socket, "data");
  let from = 0;
  for (const cut of cuts) {
    socket.write(request.subarray(from, cut));
    await tandem.get("/healthz");
    from = cut;
  }
  socket.write(request.subarray(from));
  await heard;
  socket.end();
  const [answer] = await answers;
  if (!answer) throw new Error("no answer");
  return answer;
}

/**
 * Without what differs between any two responses, and without headers of the connection: the framework closes some
 * connections.
 */
function seen({ status, headers, text }: RawAnswer): object {
  const own = /"(sid|createdOn|expiresOn|traceId)":"[^"]*"/g;
  const changing = new Set(["date", "connection", "keep-alive", "ratelimit-remaining", "ratelimit-reset"]);
  const kept = [...headers].filter(([name]) => !changing.has(name));
  const id = headers.get("x-request-id") === "mine-1" ? "mine-1" : "made here";
  return {
    status,
    headers: Object.fromEntries([...kept, ["x-request-id", id], ["content-length", "as long as it is"]]),
    text: text.replaceAll(own, '"$1":"…"'),
  };
}
