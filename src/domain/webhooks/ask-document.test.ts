import { expect, test } from "vitest";
import { CookieJar } from "../../base/cookie-jar.ts";
import { ok, refused } from "../../base/result.ts";
import { type AskDocumentDeps, type AskedDocument, askDocument } from "./ask-document.ts";
import type { PostOrder, PostOutcome, SignOrder } from "./ports.ts";

const URL = "https://example.com/calls/menu?a=1";
const ASKED: AskedDocument = {
  accountSid: "AC1",
  callSid: "CA1",
  url: URL,
  method: "POST",
  shape: "Twilio",
  fields: { CallSid: "CA1", Digits: "12" },
  cookies: new CookieJar(),
};
const answered = (text: string): PostOutcome => ({
  status: 200,
  failure: null,
  ms: 5,
  answer: Buffer.from(text),
  isCut: false,
  contentType: "text/xml",
  retryAfterMs: undefined,
});
const failed = (failure: string): PostOutcome => ({ ...answered(""), status: null, failure });
const redirected = (location: string, status = 302): PostOutcome => ({
  ...answered(""),
  status,
  valuesOf: (name) => (name === "location" ? [location] : []),
});

/** Each post takes a second and gets the next outcome; the last one is repeated. */
function newWorld(...outcomes: readonly PostOutcome[]) {
  const posted: PostOrder[] = [];
  const signed: SignOrder[] = [];
  let nowMs = Date.UTC(2026, 0, 1);
  const deps: AskDocumentDeps = {
    poster: {
      async post(order) {
        posted.push(order);
        nowMs += 1_000;
        return outcomes[posted.length - 1] ?? (outcomes.at(-1) as PostOutcome);
      },
    },
    signer: {
      sign(order) {
        signed.push(order);
        return ok({ "x-signed": order.url });
      },
    },
    secretsOf: async () => ["whsec_a"],
    newSid: () => "WH1",
    now: () => new Date(nowMs),
  };
  return { posted, signed, deps };
}

test("a form is posted, signed, and what answers is the document", async () => {
  const { posted, signed, deps } = newWorld(answered("<Response/>"));
  expect(await askDocument(deps, ASKED)).toEqual({
    kind: "answered",
    body: Buffer.from("<Response/>"),
    url: URL,
    method: "POST",
  });
  expect(posted).toMatchObject([
    { method: "POST", url: URL, body: "CallSid=CA1&Digits=12", isOnce: true, deadlineMs: 15_000, keepBytes: 65_536 },
  ]);
  expect(posted[0]?.headers).toEqual({ "x-signed": URL, "content-type": "application/x-www-form-urlencoded" });
  expect(signed).toMatchObject([{ secrets: ["whsec_a"], payload: { parameters: ASKED.fields } }]);
});

test("with GET the parameters are in the query, which is signed", async () => {
  const { posted, signed, deps } = newWorld(answered(""));
  expect(await askDocument(deps, { ...ASKED, method: "GET" })).toMatchObject({ url: URL, method: "GET" });
  expect(posted).toMatchObject([{ method: "GET", url: `${URL}&CallSid=CA1&Digits=12`, body: "" }]);
  expect(signed).toMatchObject([{ url: `${URL}&CallSid=CA1&Digits=12`, payload: { parameters: {} } }]);
});

test("our own shape is JSON, whatever is in it", async () => {
  const { posted, signed, deps } = newWorld(answered(""));
  await askDocument(deps, { ...ASKED, shape: "A", fields: { CallSid: "CA1", DialCallDuration: 0 } });
  expect(posted[0]).toMatchObject({ body: '{"CallSid":"CA1","DialCallDuration":0}' });
  expect(posted[0]?.headers["content-type"]).toBe("application/json");
  expect(signed[0]?.payload).not.toHaveProperty("parameters");
});

test("redirections are followed without the parameters, within the time of the first request", async () => {
  const { posted, deps } = newWorld(redirected("../there#x"), redirected("https://other.example/", 307), answered("x"));
  expect(await askDocument(deps, ASKED)).toMatchObject({ url: "https://other.example/", method: "GET" });
  expect(posted.map(({ method, url, body, deadlineMs }) => [method, url, body, deadlineMs])).toEqual([
    ["POST", URL, "CallSid=CA1&Digits=12", 15_000],
    ["GET", "https://example.com/there", "", 14_000],
    ["GET", "https://other.example/", "", 13_000],
  ]);
});

test("ten redirections are followed, and no more", async () => {
  const { posted, deps } = newWorld(redirected("/again"));
  expect(await askDocument(deps, ASKED)).toMatchObject({ reason: "It redirected more than 10 times." });
  expect(posted).toHaveLength(11);
});

test.each([
  ["connect: refused", 2],
  ["dns: unknown", 2],
  ["tls: expired", 2],
  ["reset: The other side closed the connection without an answer.", 1],
  ["timeout: There was no answer within 15000 ms.", 1],
  ["refused-address: 10.0.0.1", 1],
])("after “%s” it is tried %i times", async (failure, times) => {
  const { posted, deps } = newWorld(failed(failure));
  expect(await askDocument(deps, ASKED)).toEqual({ kind: "unanswered", reason: failure });
  expect(posted).toHaveLength(times);
});

test.each<[string, PostOutcome]>([
  ["It answered 500.", { ...answered("sorry"), status: 500 }],
  ["It answered 302.", { ...answered(""), status: 302 }],
  ["The answer is longer than 65536 bytes, or its end did not come.", { ...answered("x"), isCut: true }],
])("no document: %s", async (reason, outcome) => {
  expect(await askDocument(newWorld(outcome).deps, ASKED)).toEqual({ kind: "unanswered", reason });
});

test("nothing is sent that cannot be signed", async () => {
  const { posted, deps } = newWorld(answered(""));
  const signer = { sign: () => refused("The key cannot be read.") };
  expect(await askDocument({ ...deps, signer }, ASKED)).toEqual({
    kind: "unanswered",
    reason: "The key cannot be read.",
  });
  expect(posted).toEqual([]);
});

test("cookies of an answer go with the next request to its host, also with one that it redirects to", async () => {
  const setting = (cookie: string, outcome: PostOutcome): PostOutcome => ({
    ...outcome,
    valuesOf: (name) => (name === "set-cookie" ? [cookie] : (outcome.valuesOf?.(name) ?? [])),
  });
  const { posted, deps } = newWorld(
    setting("session=1", redirected("/calls/next")),
    redirected("https://other.example/"),
    setting("session=2", answered("x")),
    answered("x"),
  );
  const asked = { ...ASKED, cookies: new CookieJar() };
  await askDocument(deps, asked);
  await askDocument(deps, asked);
  expect(posted.map(({ headers }) => headers.cookie)).toEqual([undefined, "session=1", undefined, "session=1"]);
});

test("a redirection may be long", async () => {
  const { posted, deps } = newWorld(redirected(`/${"x".repeat(2_000)}`), answered("x"));
  await askDocument(deps, ASKED);
  expect(posted[1]?.url).toHaveLength("https://example.com/".length + 2_000);
});
