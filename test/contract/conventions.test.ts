// The conventions of every operation, on one server: who may call, the form of refusals, repeats, lists, and the
// operator's side.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { type HeldLookupService, startLookupService } from "../fakes/lookup-service.ts";
import { exchange } from "../raw-http.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { newAccount } from "./account.ts";
import { guessUntilLimited, statusOf } from "./failed-sign-ins.ts";
import { type ProblemBody, problemOf } from "./problem.ts";

const packageJson = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const NOBODY = "AC0123456789abcdef0123456789abcdef";

let service: HeldLookupService;
let scratch: string;

const tandem = useTandem(async () => {
  scratch = mkdtempSync(join(tmpdir(), "tandem-conventions-"));
  service = await startLookupService();
  const config = service.writeConfig(join(scratch, "config.json"));
  return { environment: { TANDEM_SUPPORT_CONTACT: "help@tandem.test", TANDEM_CONFIG: config } };
});
afterAll(async () => {
  await service.close();
  rmSync(scratch, { recursive: true });
});

const withoutIds = ({ traceId: _, ...rest }: ProblemBody) => rest;
const call = (path: string, headers: Record<string, string> = {}) => fetch(tandem.url + path, { headers });
const bodyOf = async <Body>(response: Response | Promise<Response>) => (await (await response).json()) as Body;

describe("who may call", () => {
  const CHALLENGE = 'Basic realm="tandem"';

  test.each(["/v1/Account", "/carrierLookup/v1/Numbers/+12024561414", "/operator/v1/Accounts"])(
    "without credentials, or with a header that holds none, %s is 401 and says how to sign in",
    async (path) => {
      const encoded = Buffer.from("no colon here").toString("base64");
      const headers = [
        {},
        ...["Basic", "Basic ", "Bearer abc", `Basic ${encoded}`, "Basic !!!", "nonsense"].map((text) => ({
          Authorization: text,
        })),
      ];
      const bodies = new Set<string>();
      for (const header of headers) {
        const response = await call(path, header);
        expect(response.headers.get("www-authenticate")).toBe(CHALLENGE);
        bodies.add(JSON.stringify(withoutIds(await problemOf(response, 401))));
      }
      expect(bodies.size).toBe(1);
    },
  );

  test("a wrong token and an unknown account get the same answer, so nobody learns which accounts exist", async () => {
    const pairs = [
      [tandem.accountSid, "wrong"],
      [tandem.accountSid, ""],
      [tandem.accountSid, `${tandem.token}x`],
      [NOBODY, tandem.token],
      ["nobody", "wrong"],
      ["", ""],
      [tandem.accountSid.toLowerCase(), tandem.token],
      ["operator", tandem.operatorToken],
    ];
    const bodies = new Set<string>();
    for (const [name = "", token = ""] of pairs) {
      const response = await call("/v1/Account", basic(name, token));
      expect(response.headers.get("www-authenticate")).toBe(CHALLENGE);
      bodies.add(JSON.stringify(withoutIds(await problemOf(response, 401))));
    }
    expect(bodies.size).toBe(1);
  });

  test("an account is no operator, and an operator's token goes with the name operator only", async () => {
    for (const [name, token] of [
      [tandem.accountSid, tandem.token],
      ["operator", tandem.token],
      ["Operator", tandem.operatorToken],
      [tandem.accountSid, tandem.operatorToken],
    ] as const) {
      expect((await call("/operator/v1/Accounts", basic(name, token))).status).toBe(401);
    }
  });

  test("tokens are rotated with two alive, and a deleted one is dead at once", async () => {
    const account = await newAccount(tandem);
    const made = await account.call("/v1/Account/tokens", { method: "POST" });
    expect(made.status).toBe(201);
    const second = await bodyOf<{ n: number; token: string; createdOn: string }>(made);
    expect(second).toStrictEqual({
      ...{ n: 2, token: expect.stringMatching(/^[\w-]{43}$/), createdOn: expect.any(String) },
      ...{ signs: false, toolWrites: false },
    });
    const asSecond = basic(account.sid, second.token);
    expect((await call("/v1/Account", asSecond)).status).toBe(200);
    expect((await account.call("/v1/Account")).status).toBe(200);
    await problemOf(await account.call("/v1/Account/tokens", { method: "POST" }), 409);
    const deleted = await fetch(`${tandem.url}/v1/Account/tokens/1`, { method: "DELETE", headers: asSecond });
    expect(deleted.status).toBe(204);
    expect(await deleted.text()).toBe("");
    expect((await account.call("/v1/Account")).status).toBe(401);
    expect((await call("/v1/Account", asSecond)).status).toBe(200);
    const again = await fetch(`${tandem.url}/v1/Account/tokens/1`, { method: "DELETE", headers: asSecond });
    await problemOf(again, 404);
    const last = await fetch(`${tandem.url}/v1/Account/tokens/2`, { method: "DELETE", headers: asSecond });
    await problemOf(last, 409);
    const third = await fetch(`${tandem.url}/v1/Account/tokens`, { method: "POST", headers: asSecond });
    expect((await bodyOf<{ n: number }>(third)).n).toBe(1);
  });

  test("of ten tokens asked for at once one is made", async () => {
    const account = await newAccount(tandem);
    const asked = await Promise.all(
      Array.from({ length: 10 }, () => account.call("/v1/Account/tokens", { method: "POST" })),
    );
    expect(asked.map(({ status }) => status).sort()).toStrictEqual([201, ...Array(9).fill(409)]);
  });

  test("a suspended account is told whom to ask, sees itself, and works again when it is let go", async () => {
    const account = await newAccount(tandem);
    await account.change({ status: "suspended" });
    for (const path of ["/carrierLookup/v1/Numbers/+12024561414", "/carrierLookup/v1/Numbers/pizza"]) {
      const body = await problemOf(await account.call(path), 403);
      expect(body).toMatchObject({ code: "account-suspended", detail: expect.stringContaining("help@tandem.test") });
    }
    await problemOf(await account.call("/v1/Account/tokens", { method: "POST" }), 403);
    expect(await bodyOf(account.call("/v1/Account"))).toMatchObject({ sid: account.sid, status: "Suspended" });
    await account.change({ status: "Active" });
    expect((await account.call("/carrierLookup/v1/Numbers/+12024561414")).status).toBe(200);
  });

  test("the operator sets the weight of an account's share, up to 100", async () => {
    const account = await newAccount(tandem);
    const path = `/operator/v1/Accounts/${account.sid}`;
    const weighing = (requests: number) => json("PATCH", { limits: { weight: { requests, windowSeconds: 1 } } });
    expect((await tandem.operator(path, weighing(100))).status).toBe(200);
    expect(await bodyOf(account.call("/v1/Account"))).toMatchObject({ limits: { weight: { requests: 100 } } });
    await problemOf(await tandem.operator(path, weighing(101)), 400);
  });

  test("a suspension carries a reason, which the account sees until it is let go", async () => {
    const account = await newAccount(tandem);
    const path = `/operator/v1/Accounts/${account.sid}`;
    const seen = async () => [await bodyOf(account.call("/v1/Account")), await bodyOf(tandem.operator(path))];
    const suspendedReason = "The invoice of May is unpaid";
    await problemOf(await tandem.operator(path, json("PATCH", { suspendedReason })), 409);
    await problemOf(await tandem.operator(path, json("PATCH", { status: "Active", suspendedReason })), 409);
    await account.change({ status: "Suspended", suspendedReason });
    for (const shown of await seen()) expect(shown).toMatchObject({ status: "Suspended", suspendedReason });
    const order = json("POST", { From: "+12024561414", To: "+12024561414", Text: "Hi" });
    for (const refused of [account.call("/v1/Phones"), account.call("/messaging/v1/OutboundMessages", order)]) {
      const { detail, ...refusal } = await problemOf(await refused, 403);
      expect(detail).toBe("The invoice of May is unpaid. Ask help@tandem.test what to do.");
      expect(refusal).toMatchObject({ code: "account-suspended", errorCode: 3019 });
    }
    const audit = await bodyOf<{ items: object[] }>(tandem.operator(`/operator/v1/AuditLog?Subject=${account.sid}`));
    expect(audit.items[0]).toMatchObject({
      action: "changeAccount",
      details: { status: "Suspended", suspendedReason },
    });
    await account.change({ name: "Still unpaid" });
    for (const shown of await seen()) expect(shown).toMatchObject({ suspendedReason });
    await account.change({ status: "Active" });
    for (const shown of await seen()) expect(shown).toMatchObject({ status: "Active", suspendedReason: null });
    await account.change({ status: "Suspended" });
    for (const shown of await seen()) expect(shown).toMatchObject({ status: "Suspended", suspendedReason: null });
  });

  test("guessing is stopped per address, and good callers at the same address are not", async () => {
    const stranger = { url: tandem.url, from: "127.0.0.77" };
    const statuses = await guessUntilLimited(stranger);
    expect(statuses.at(0)).toBe(401);
    expect(statuses).toContain(429);
    expect(await statusOf(stranger, tandem.accountSid, tandem.token)).toBe(200);
    expect(await statusOf({ url: tandem.url, from: "127.0.0.78" }, NOBODY, "guess")).toBe(401);
    // A client's own claim about its address is not trusted.
    const disguised = { ...stranger, headers: { "X-Forwarded-For": "203.0.113.1" } };
    expect(await guessUntilLimited(disguised)).toContain(429);
  });
});

describe("every answer", () => {
  test("the trace id of a refusal continues the caller's trace", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const parent = "00f067aa0ba902b7";
    const { traceId } = await problemOf(await call("/v1/Account", { traceparent: `00-${trace}-${parent}-01` }), 401);
    expect(traceId).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    expect(traceId).not.toContain(parent);
  });

  test.each([
    "nonsense",
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  ])("the traceparent %s is not continued", async (traceparent) => {
    const { traceId } = await problemOf(await call("/v1/Account", { traceparent }), 401);
    expect(traceId).not.toContain("4bf92f3577b34da6a3ce929d0e0e4736");
    expect(traceId).not.toContain("0".repeat(32));
  });

  test.each([
    ["", "application/json"],
    ["*/*", "application/json"],
    ["text/*", "text/json"],
    ["text/plain", "text/plain"],
    ["text/plain;q=0.5, text/json;q=0.9", "text/json"],
    ["text/html, application/xml", "application/json"],
    ["TEXT/PLAIN", "text/plain"],
    ["application/json;q=0, */*", "text/json"],
    ["image/png;q=1, ;;;,q=,=", "application/json"],
  ])("Accept: %s is answered as %s, a refusal too", async (accept, type) => {
    for (const path of ["/healthz", "/v1/Account", "/v1/nowhere"]) {
      const response = await call(path, accept === "" ? {} : { Accept: accept });
      expect(response.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
      expect(response.headers.get("vary")).toBe("Accept");
    }
  });

  test("an address that is none is 404", async () => {
    for (const path of [
      "/nowhere",
      "/v9/Account",
      "/carrierLookup/v1/Numbers/+1/more",
      "/v1/account/tokens/1/2",
      "/.env",
    ]) {
      expect((await problemOf(await tandem.get(path), 404)).code).toBe("not-found");
    }
  });

  test.each([
    ["PUT", "/v1/Account", "GET, HEAD"],
    ["OPTIONS", "/v1/Account", "GET, HEAD"],
    ["GET", "/v1/Account/tokens", "POST"],
    ["PATCH", "/carrierLookup/v1/Numbers/+12024561414", "GET, HEAD"],
    ["DELETE", "/operator/v1/Accounts", "GET, HEAD, POST"],
    ["PROPFIND", "/v1/Account", "GET, HEAD"],
    // A fixed path segment takes precedence over a parameter.
    ["DELETE", "/v1/Phones/Available", "GET, HEAD"],
    ["GET", "/v1/OutboundMessages/dryRun", "POST"],
  ])("%s %s is 405 and says what is allowed", async (method, path, allow) => {
    const response = await fetch(tandem.url + path, { method });
    expect(response.headers.get("allow")).toBe(allow);
    expect((await problemOf(response, 405)).code).toBe("method-not-allowed");
  });

  test("a method that is not allowed is reported before the body is read", async () => {
    const response = await tandem.get("/v1/Account", { ...json("PUT", {}), body: "no JSON" });
    expect((await problemOf(response, 405)).code).toBe("method-not-allowed");
  });

  test("HEAD answers the headers of GET and nothing else, and is 405 where there is no GET", async () => {
    const head = await tandem.get("/v1/Account", { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.headers.get("ratelimit-limit")).toBe("100");
    expect(await head.text()).toBe("");
    expect((await tandem.get("/v1/Account/tokens", { method: "HEAD" })).status).toBe(405);
  });

  test("a stream has no HEAD, which would leave it running with nobody to read it", async () => {
    expect((await tandem.get("/v1/Events/stream", { method: "HEAD" })).status).toBe(405);
  });

  test("no answer may be cached, and none is sniffed", async () => {
    for (const response of [await tandem.get("/v1/Account"), await call("/v1/Account"), await call("/nowhere")]) {
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("x-request-id")).toMatch(/./);
    }
  });
});

describe("the own account", () => {
  test("says what it may do, under both addresses and in any case", async () => {
    // When its token was last used is noted once a minute, so it may change meanwhile.
    const accountAt = async (path: string) => {
      const { tokens, ...own } = await bodyOf<{ tokens: readonly { lastUsedOn: string | null }[] }>(tandem.get(path));
      return { ...own, tokens: tokens.map(({ lastUsedOn: _, ...token }) => token) };
    };
    const own = await accountAt("/v1/Account");
    expect(own).toStrictEqual({
      sid: tandem.accountSid,
      name: "Demo",
      status: "Active",
      features: ["voice", "campaignMigration"],
      limits: {
        lookup: { requests: 100, windowSeconds: 10 },
        lookupBatch: { requests: 10_000, windowSeconds: 10 },
        send: { requests: 100, windowSeconds: 10 },
        sendToRecipient: { requests: 100, windowSeconds: 60 },
        read: { requests: 100, windowSeconds: 10 },
        session: { requests: 300, windowSeconds: 10 },
        write: { requests: 100, windowSeconds: 10 },
        call: { requests: 60, windowSeconds: 60 },
        concurrentCalls: { requests: 100, windowSeconds: 1 },
        webhooks: { requests: 100, windowSeconds: 1 },
        weight: { requests: 1, windowSeconds: 1 },
      },
      country: "US",
      defaultCallerId: null,
      upstreamCnpId: expect.stringMatching(/^S[A-Z2-9]{6}$/),
      sipSourceAddresses: ["127.0.0.2", "127.0.0.3"],
      suspendedReason: null,
      supportContact: "help@tandem.test",
      webhookSecretCreatedOn: null,
      tokens: [{ n: 1, createdOn: expect.any(String), signs: true, toolWrites: false }],
      signingToken: 1,
      createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    for (const path of ["/messaging/v1/Account", "/V1/ACCOUNT", "/Messaging/V1/account/"]) {
      expect(await accountAt(path)).toStrictEqual(own);
    }
  });

  test("a feature is asked for once, granted by the operator, and on from then", async () => {
    const account = await newAccount(tandem);
    const ask = (feature: string) => account.call("/v1/Account/featureRequests", json("POST", { feature }));
    const asked = await ask("VOICE");
    expect(asked.status).toBe(201);
    const request = await bodyOf<{ sid: string }>(asked);
    expect(request).toMatchObject({ accountSid: account.sid, feature: "voice", status: "Open", decidedOn: null });
    expect(await bodyOf(ask("voice"))).toStrictEqual(request);
    const queue = await bodyOf<{ items: { sid: string }[] }>(
      tandem.operator("/operator/v1/FeatureRequests?Status=open&PageSize=1000"),
    );
    expect(queue.items.filter(({ sid }) => sid === request.sid)).toStrictEqual([request]);
    const decide = (status: string) =>
      tandem.operator(`/operator/v1/FeatureRequests/${request.sid}`, json("PATCH", { status }));
    expect(await bodyOf(decide("Granted"))).toMatchObject({
      ...request,
      status: "Granted",
      decidedOn: expect.any(String),
    });
    expect(await bodyOf(account.call("/v1/Account"))).toMatchObject({ features: ["voice"] });
    await problemOf(await decide("Declined"), 409);
    await problemOf(await ask("voice"), 409);
    const granted = await bodyOf<{ items: { sid: string }[] }>(
      tandem.operator("/operator/v1/FeatureRequests?Status=Granted"),
    );
    expect(granted.items.map(({ sid }) => sid)).toContain(request.sid);
  });

  test("a declined feature stays off and may be asked for again", async () => {
    const account = await newAccount(tandem);
    const ask = () =>
      bodyOf<{ sid: string }>(account.call("/v1/Account/featureRequests", json("POST", { feature: "voice" })));
    const first = await ask();
    await tandem.operator(`/operator/v1/FeatureRequests/${first.sid}`, json("PATCH", { status: "Declined" }));
    expect(await bodyOf(account.call("/v1/Account"))).toMatchObject({ features: [] });
    expect((await ask()).sid).not.toBe(first.sid);
  });

  test("a feature that does not exist is refused with those that do", async () => {
    const asked = await tandem.get("/v1/Account/featureRequests", json("POST", { feature: "teleport" }));
    const { errors } = await problemOf(asked, 400);
    expect(errors).toStrictEqual({ feature: ["One of these is allowed: voice, campaignMigration."] });
  });
});

describe("repeats under an Idempotency-Key", () => {
  const withKey = (key: string, init: RequestInit): RequestInit => ({
    ...init,
    headers: { ...(init.headers as Record<string, string>), "Idempotency-Key": key },
  });

  test("a repeat gets the first answer again, secret included, and nothing is done twice", async () => {
    const order = json("POST", { name: "Once" });
    const first = await tandem.operator("/operator/v1/Accounts", withKey("once", order));
    expect(first.status).toBe(201);
    expect(first.headers.has("idempotent-replayed")).toBe(false);
    const made = await bodyOf<{ sid: string; token: string }>(first);
    const second = await tandem.operator("/operator/v1/Accounts", withKey("once", order));
    expect(second.status).toBe(201);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await bodyOf(second)).toStrictEqual(made);
    const { items } = await bodyOf<{ items: { name: string }[] }>(
      tandem.operator("/operator/v1/Accounts?PageSize=1000"),
    );
    expect(items.filter(({ name }) => name === "Once")).toHaveLength(1);
  });

  test("the same request written otherwise is the same request, another one is 422", async () => {
    await tandem.operator("/operator/v1/Accounts", withKey("same", json("POST", { name: "Same" })));
    const rewritten = await tandem.operator("/OPERATOR/v1/accounts", withKey("same", json("POST", { NAME: "Same" })));
    expect(rewritten.headers.get("idempotent-replayed")).toBe("true");
    const other = await tandem.operator("/operator/v1/Accounts", withKey("same", json("POST", { name: "Other" })));
    expect((await problemOf(other, 422)).code).toBe("idempotency-key-reused");
    const elsewhere = await tandem.operator("/operator/v1/Tokens", withKey("same", json("POST", { name: "same" })));
    await problemOf(elsewhere, 422);
  });

  test("keys of one account are not another's", async () => {
    const accounts = [await newAccount(tandem), await newAccount(tandem)];
    const tokens = new Set<string>();
    for (const account of accounts) {
      const made = await account.call("/v1/Account/tokens", withKey("mine", { method: "POST" }));
      expect(made.headers.has("idempotent-replayed")).toBe(false);
      tokens.add((await bodyOf<{ token: string }>(made)).token);
    }
    expect(tokens.size).toBe(2);
  });

  test("no refusal is remembered: what was in the way may go, and the request may be corrected", async () => {
    const account = await newAccount(tandem);
    await account.call("/v1/Account/tokens", { method: "POST" });
    const third = () => account.call("/v1/Account/tokens", withKey("third", { method: "POST" }));
    await problemOf(await third(), 409);
    const again = await third();
    expect(again.headers.has("idempotent-replayed")).toBe(false);
    await problemOf(again, 409);
    await account.call("/v1/Account/tokens/2", { method: "DELETE" });
    const made = await third();
    expect(made.headers.has("idempotent-replayed")).toBe(false);
    expect(made.status).toBe(201);
    expect((await third()).headers.get("idempotent-replayed")).toBe("true");

    // Refused by the handler, which reads the numbers: another request may use the key immediately.
    const inventory = (number: string) =>
      tandem.operator("/operator/v1/Numbers", withKey("numbers", json("POST", { numbers: [number] })));
    await problemOf(await inventory("pizza"), 400);
    expect((await inventory("+14155550987")).status).toBe(201);
    await problemOf(await inventory("+14155550988"), 422);

    const order = (feature: string) => withKey("form", json("POST", { feature }));
    await problemOf(await account.call("/v1/Account/featureRequests", order("teleport")), 400);
    const stranger = await fetch(`${tandem.url}/v1/Account/featureRequests`, order("voice"));
    expect(stranger.status).toBe(401);
    const right = await account.call("/v1/Account/featureRequests", order("voice"));
    expect(right.status).toBe(201);
    expect(right.headers.has("idempotent-replayed")).toBe(false);
  });

  test.each([
    ["empty", ""],
    ["256 characters long", "k".repeat(256)],
  ])("a key that is %s is refused", async (_what, key) => {
    const made = await tandem.operator("/operator/v1/Accounts", withKey(key, json("POST", { name: "Key" })));
    expect(Object.keys((await problemOf(made, 400)).errors ?? {})).toStrictEqual(["Idempotency-Key"]);
  });

  test("a key of 255 odd characters is a key", async () => {
    const key = "ÿ \"'%\\;".padEnd(255, "k");
    const first = await tandem.operator("/operator/v1/Accounts", withKey(key, json("POST", { name: "Odd" })));
    expect(first.status).toBe(201);
    const second = await tandem.operator("/operator/v1/Accounts", withKey(key, json("POST", { name: "Odd" })));
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });

  test("while the first request runs a repeat is 409, and afterwards it gets its answer", async () => {
    const order = withKey("running", json("POST", { numbers: ["+447911123456"] }));
    const first = tandem.get("/carrierLookup/v1/Numbers", order);
    await service.asked();
    expect((await problemOf(await tandem.get("/carrierLookup/v1/Numbers", order), 409)).code).toBe(
      "idempotency-running",
    );
    service.answerAll();
    const answered = await first;
    expect(answered.status).toBe(200);
    const repeat = await tandem.get("/carrierLookup/v1/Numbers", order);
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
    expect(await repeat.text()).toBe(await answered.text());
  });

  test("of twenty equal requests at once one is carried out", async () => {
    const order = withKey("twenty", json("POST", { name: "Twenty" }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tandem.operator("/operator/v1/Accounts", order)),
    );
    const fresh = answers.filter(({ status, headers }) => status === 201 && !headers.has("idempotent-replayed"));
    expect(fresh).toHaveLength(1);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const { items } = await bodyOf<{ items: { name: string }[] }>(
      tandem.operator("/operator/v1/Accounts?PageSize=1000"),
    );
    expect(items.filter(({ name }) => name === "Twenty")).toHaveLength(1);
  });

  test("secrets in kept answers are encrypted in the database, and tokens are not in it at all", async () => {
    const key = "kept-secret";
    const made = await tandem.operator("/operator/v1/Accounts", withKey(key, json("POST", { name: "Kept" })));
    const { token } = await bodyOf<{ token: string }>(made);
    const client = new pg.Client({ connectionString: tandem.databaseUrl });
    await client.connect();
    try {
      const kept = await client.query("select answer from kept_answers where key = $1", [
        Buffer.from(key).toString("base64"),
      ]);
      expect(kept.rows).toHaveLength(1);
      const answer = kept.rows[0].answer as Buffer;
      expect(answer.length).toBeGreaterThan(token.length);
      expect(answer.includes("Kept")).toBe(false);
      for (const table of ["kept_answers", "accounts", "account_tokens", "operator_tokens", "audit_log"]) {
        const { rows } = await client.query(`select ${table}::text as row from ${table}`);
        expect(rows.length).toBeGreaterThan(0);
        const hex = Buffer.from(token).toString("hex");
        expect(rows.filter(({ row }) => row.includes(token) || row.includes(hex))).toStrictEqual([]);
      }
    } finally {
      await client.end();
    }
  });
});

interface ListBody {
  readonly items: readonly { readonly sid: string }[];
  readonly searchId?: string;
}

describe("lists", () => {
  const list = (query: string) => bodyOf<ListBody>(tandem.operator(`/operator/v1/Accounts?${query}`));
  const sids = (body: ListBody) => body.items.map(({ sid }) => sid);

  test("pages do not shift while rows are added, newest first", async () => {
    const before = sids(await list("PageSize=1000"));
    expect(before).toStrictEqual([...before].sort().reverse());
    const seen: string[] = [];
    let searchId: string | undefined;
    do {
      const page = await list(`PageSize=3${searchId === undefined ? "" : `&SearchId=${searchId}`}`);
      expect(page.items.length).toBeLessThanOrEqual(3);
      seen.push(...sids(page));
      ({ searchId } = page);
      await newAccount(tandem);
    } while (searchId !== undefined);
    expect(seen).toStrictEqual(before);
  });

  test("in ascending order what is added meanwhile comes last", async () => {
    const first = await list("PageSize=1&OrderByDirection=ASCENDING");
    const added = await newAccount(tandem);
    const rest = await list(`PageSize=1000&orderbydirection=Ascending&SearchId=${first.searchId}`);
    const all = [...sids(first), ...sids(rest)];
    expect(all).toStrictEqual([...all].sort());
    expect(all.at(-1)).toBe(added.sid);
    expect(rest).not.toHaveProperty("searchId");
  });

  test("a page that holds the last row exactly has no next page", async () => {
    const all = await list("PageSize=1000");
    const exact = await list(`PageSize=${all.items.length}`);
    expect(exact).toStrictEqual(all);
    expect(exact).not.toHaveProperty("searchId");
  });

  test.each([
    ["PageSize=0", "PageSize"],
    ["PageSize=1001", "PageSize"],
    ["PageSize=-1", "PageSize"],
    ["PageSize=two", "PageSize"],
    ["PageSize=1.5", "PageSize"],
    ["PageSize=", "PageSize"],
    ["PageSize=1&pagesize=2", "PageSize"],
    ["PageSize=1&PageSize=2", "PageSize"],
    ["SearchId=garbage", "SearchId"],
    ["SearchId=", "SearchId"],
    [`SearchId=${"a".repeat(600)}`, "SearchId"],
    [`SearchId=${Buffer.from("k \u0000").toString("base64url")}`, "SearchId"],
    ["OrderByDirection=Sideways", "OrderByDirection"],
    ["Colour=red", "Colour"],
  ])("the query %s is refused by name", async (query, field) => {
    const { errors } = await problemOf(await tandem.operator(`/operator/v1/Accounts?${query}`), 400);
    expect(Object.keys(errors ?? {})).toStrictEqual([field]);
  });

  test("all faults of a query are told together", async () => {
    const wrong = await tandem.operator("/operator/v1/Accounts?PageSize=0&SearchId=x&OrderByDirection=y&Colour=z");
    expect(Object.keys((await problemOf(wrong, 400)).errors ?? {}).sort()).toStrictEqual([
      "Colour",
      "OrderByDirection",
      "PageSize",
      "SearchId",
    ]);
  });

  test("a searchId that names nothing any more answers what comes after it", async () => {
    const searchId = Buffer.from("k AC00000000000000000000000000000000").toString("base64url");
    expect(await list(`SearchId=${searchId}`)).toStrictEqual({ items: [] });
    const audit = await bodyOf(tandem.operator(`/operator/v1/AuditLog?SearchId=${searchId}`));
    expect(audit).toStrictEqual({ items: [] });
  });
});

describe("the operator", () => {
  test("makes and changes accounts", async () => {
    const made = await tandem.operator(
      "/operator/v1/Accounts",
      json("POST", {
        name: "Ünïcode & Söhne 📞",
        features: ["voice", "voice"],
        limits: { lookup: { requests: 5, windowSeconds: 60 } },
        allowedCountries: ["us", "CA"],
      }),
    );
    expect(made.status).toBe(201);
    const { token, ...account } = await bodyOf<{ token: string; sid: string; limits: object }>(made);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(account).toMatchObject({
      sid: expect.stringMatching(/^AC[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/),
      name: "Ünïcode & Söhne 📞",
      status: "Active",
      features: ["voice"],
      allowedCountries: ["US", "CA"],
      limits: { lookup: { requests: 5, windowSeconds: 60 }, read: { requests: 100, windowSeconds: 10 } },
    });
    const path = `/operator/v1/Accounts/${account.sid}`;
    expect(await bodyOf(tandem.operator(path))).toStrictEqual(account);
    const change = {
      name: "Renamed",
      defaultCallerId: "+12024561414",
      allowedCountries: null,
      limits: { read: { requests: 1, windowSeconds: 1 } },
    };
    const changed = await bodyOf(tandem.operator(path, json("PATCH", change)));
    expect(changed).toStrictEqual({ ...account, ...change, limits: { ...account.limits, ...change.limits } });
    expect(await bodyOf(tandem.operator(path))).toStrictEqual(changed);
    expect(await bodyOf(tandem.operator(path, json("PATCH", {})))).toStrictEqual(changed);
  });

  test("gets 404 for accounts and requests that do not exist", async () => {
    await problemOf(await tandem.operator(`/operator/v1/Accounts/${NOBODY}`), 404);
    await problemOf(await tandem.operator(`/operator/v1/Accounts/${NOBODY}`, json("PATCH", { name: "x" })), 404);
    await problemOf(await tandem.operator(`/operator/v1/Accounts/${NOBODY}/tokens`, { method: "POST" }), 404);
    await problemOf(await tandem.operator(`/operator/v1/Accounts/${NOBODY}/tokens/1`, { method: "DELETE" }), 404);
    await problemOf(
      await tandem.operator(`/operator/v1/FeatureRequests/${NOBODY}`, json("PATCH", { status: "Granted" })),
      404,
    );
  });

  test("gives and takes an account's tokens", async () => {
    const account = await newAccount(tandem);
    const made = await tandem.operator(`/operator/v1/Accounts/${account.sid}/tokens`, { method: "POST" });
    const { token, n } = await bodyOf<{ token: string; n: number }>(made);
    expect((await call("/v1/Account", basic(account.sid, token))).status).toBe(200);
    const deleted = await tandem.operator(`/operator/v1/Accounts/${account.sid}/tokens/${n}`, { method: "DELETE" });
    expect(deleted.status).toBe(204);
    expect((await call("/v1/Account", basic(account.sid, token))).status).toBe(401);
  });

  test("has named tokens, and the audit log says by which one something was done", async () => {
    const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: "alice" }));
    expect(made.status).toBe(201);
    const alice = await bodyOf<{ token: string }>(made);
    await problemOf(await tandem.operator("/operator/v1/Tokens", json("POST", { name: "alice" })), 409);
    const names = await bodyOf<{ items: { name: string }[] }>(tandem.operator("/operator/v1/Tokens"));
    expect(names.items.map(({ name }) => name)).toStrictEqual(["first", "alice"]);
    expect(JSON.stringify(names)).not.toContain(alice.token);

    const asAlice = (path: string, init?: RequestInit) =>
      fetch(tandem.url + path, { ...init, headers: { ...basic("operator", alice.token), ...init?.headers } });
    const account = await newAccount(tandem);
    const change = { ...json("PATCH", { name: "By Alice" }) };
    change.headers = { ...(change.headers as Record<string, string>), "X-Request-Id": "alice-1" };
    expect((await asAlice(`/operator/v1/Accounts/${account.sid}`, change)).status).toBe(200);
    const audit = await bodyOf<{ items: object[] }>(asAlice("/operator/v1/AuditLog?Operator=alice"));
    expect(audit.items).toStrictEqual([
      {
        at: expect.stringMatching(/Z$/),
        operator: "alice",
        action: "changeAccount",
        subject: account.sid,
        details: { name: "By Alice" },
        requestId: "alice-1",
      },
    ]);
    const bySubject = await bodyOf(tandem.operator(`/operator/v1/AuditLog?Subject=${account.sid}`));
    expect(bySubject).toStrictEqual(audit);

    expect((await tandem.operator("/operator/v1/Tokens/alice", { method: "DELETE" })).status).toBe(204);
    expect((await asAlice("/operator/v1/Accounts")).status).toBe(401);
    await problemOf(await tandem.operator("/operator/v1/Tokens/alice", { method: "DELETE" }), 404);
    const bob = await tandem.operator("/operator/v1/Tokens", json("POST", { name: "bob", role: "support" }));
    expect(bob.status).toBe(201);
    // The last admin: Bob, who has the role support, could not create another.
    await problemOf(await tandem.operator("/operator/v1/Tokens/first", { method: "DELETE" }), 409);
    expect((await tandem.operator("/operator/v1/Tokens/bob", { method: "DELETE" })).status).toBe(204);
    expect((await tandem.operator("/operator/v1/Tokens")).status).toBe(200);
  });

  test("leaves no audit entry for what was refused", async () => {
    await tandem.operator(`/operator/v1/Accounts/${NOBODY}`, json("PATCH", { name: "Nobody" }));
    const audit = await bodyOf(tandem.operator(`/operator/v1/AuditLog?Subject=${NOBODY}`));
    expect(audit).toStrictEqual({ items: [] });
  });

  test("keeps an inventory of numbers, all or none", async () => {
    const add = (...numbers: string[]) =>
      tandem.operator("/operator/v1/Numbers", json("POST", { numbers, features: ["SMS"] }));
    const before = await bodyOf(tandem.operator("/operator/v1/Numbers"));
    const refused = await problemOf(await add("+12025550101", "pizza", "+12025550102", "1"), 400);
    expect(Object.keys(refused.errors ?? {})).toStrictEqual(["numbers[1]", "numbers[3]"]);
    expect(await bodyOf(tandem.operator("/operator/v1/Numbers"))).toStrictEqual(before);
    const added = await add("+12025550101", "12025550102", "+1 202 555 0101");
    expect(added.status).toBe(201);
    expect(await bodyOf(added)).toStrictEqual({ added: ["+12025550101", "+12025550102"], alreadyHere: [] });
    expect(await bodyOf(add("+12025550102", "+12025550103"))).toStrictEqual({
      added: ["+12025550103"],
      alreadyHere: ["+12025550102"],
    });
    const { items } = await bodyOf<{ items: object[] }>(tandem.operator("/operator/v1/Numbers?PageSize=1"));
    expect(items).toStrictEqual([
      { number: "+12025550103", country: null, features: ["SMS"], createdOn: expect.stringMatching(/Z$/) },
    ]);
    for (const number of ["%2B12025550101", "12025550102", "+12025550103"]) {
      expect((await tandem.operator(`/operator/v1/Numbers/${number}`, { method: "DELETE" })).status).toBe(204);
    }
    await problemOf(await tandem.operator("/operator/v1/Numbers/+12025550101", { method: "DELETE" }), 404);
    await problemOf(await tandem.operator("/operator/v1/Numbers/pizza", { method: "DELETE" }), 400);
  });

  test("says what lookups of a number answer", async () => {
    const path = "/operator/v1/LookupOverrides/+12025550199";
    await problemOf(await tandem.operator(path), 404);
    const order = { type: "voip", status: "ACTIVE", carrierName: "Ours", note: "ported by hand" };
    const put = await bodyOf(tandem.operator(path, json("PUT", order)));
    expect(put).toStrictEqual({
      number: "+12025550199",
      type: "VoIP",
      status: "Active",
      carrierName: "Ours",
      note: "ported by hand",
      updatedOn: expect.stringMatching(/Z$/),
    });
    expect(await bodyOf(tandem.operator(path))).toStrictEqual(put);
    const { items } = await bodyOf<{ items: object[] }>(tandem.operator("/operator/v1/LookupOverrides"));
    expect(items).toStrictEqual([put]);
    const replaced = await bodyOf(tandem.operator(path, json("PUT", { type: "Unknown", status: "Inactive" })));
    expect(replaced).toMatchObject({ type: "Unknown", carrierName: null, note: null });
    expect((await tandem.operator(path, { method: "DELETE" })).status).toBe(204);
    await problemOf(await tandem.operator(path, { method: "DELETE" }), 404);
  });

  test.each([
    ["a type that does not exist", { type: "Pigeon", status: "Active" }, "type"],
    ["no status", { type: "VoIP" }, "status"],
    ["a carrier without a name", { type: "VoIP", status: "Active", carrierName: "" }, "carrierName"],
    ["a carrier with a line break", { type: "VoIP", status: "Active", carrierName: "a\nb" }, "carrierName"],
  ])("cannot override a number with %s", async (_what, order, field) => {
    const put = await tandem.operator("/operator/v1/LookupOverrides/+12025550199", json("PUT", order));
    expect(Object.keys((await problemOf(put, 400)).errors ?? {})).toStrictEqual([field]);
  });
});

describe("what is not the API", () => {
  test("health and readiness are visible to anyone", async () => {
    expect(await bodyOf(call("/healthz"))).toStrictEqual({ status: "alive", version: packageJson.version });
    expect(await bodyOf(call("/readyz"))).toStrictEqual({
      status: "ready",
      checks: { server: "ok", store: "ok" },
      sending: "here",
      queue: expect.toBeOneOf([null, { due: expect.any(Number), oldestSeconds: expect.any(Number) }]),
      notifications: expect.stringMatching(/^(heard|silent)$/),
      links: { sandbox: expect.any(String), "sandbox-mms": expect.any(String) },
      trunks: { sandbox: expect.any(String) },
      sipSources: expect.any(Object),
      calls: expect.any(Number),
      workers: { running: 1 },
      clock: "ok",
      secretKey: "ok",
    });
  });

  test("metrics count requests by operation, and are not shown to whoever comes through a proxy", async () => {
    await tandem.get("/carrierLookup/v1/Numbers/+12024561414");
    const metrics = await call("/metrics");
    expect(metrics.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await metrics.text();
    expect(text).toMatch(/^tandem_http_request_seconds_count\{operation="lookUpNumber",status="2xx"\} [1-9]/m);
    expect(text).toMatch(/^tandem_lookups_total\{source="table"\} [1-9]/m);
    expect(text).not.toContain(tandem.accountSid);
    for (const name of ["X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Via", "X-Real-IP", "CF-Connecting-IP"]) {
      await problemOf(await call("/metrics", { [name]: "203.0.113.9" }), 404);
    }
    // A proxy that adds no header passes on the requested host name, or speaks HTTP/1.0 as nginx does.
    const byHand = async (line: string, host: string) =>
      (await exchange(tandem.url, `GET /metrics ${line}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))[0]?.status;
    expect(await byHand("HTTP/1.1", "phone.example.com")).toBe(404);
    expect(await byHand("HTTP/1.1", "127.0.0.1.example.com")).toBe(404);
    expect(await byHand("HTTP/1.0", "127.0.0.1:8080")).toBe(404);
    for (const host of ["localhost", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080"]) {
      expect(await byHand("HTTP/1.1", host), host).toBe(200);
    }
  });

  test.each([
    ["/carrierLookup/swagger/v1/swagger.json", "carrier-lookup.json"],
    ["/messaging/swagger/v1/swagger.json", "messaging.json"],
    ["/swagger/v1/swagger.json", "tandem.json"],
  ])("%s serves the committed document api/%s", async (path, file) => {
    const committed = readFileSync(new URL(`../../api/${file}`, import.meta.url), "utf8");
    expect(await bodyOf(call(path))).toStrictEqual(JSON.parse(committed));
  });

  test.each(["/", "/docs/reference"])("%s is a page for people that runs and loads only what is ours", async (path) => {
    const response = await call(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    const html = await response.text();
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).not.toMatch(/<script(?![^>]* src=")|(src|href)="(https?:)?\/\/|onclick=/i);
    expect(html).not.toContain(tandem.token);
    expect(html).not.toContain(tandem.operatorToken);
  });

  test("the script of the reference is kept by browsers for good, under the name of its content alone", async () => {
    const [script = ""] = (await (await call("/docs/reference")).text()).match(/(?<=<script src=")[^"]+/) ?? [];
    const response = await call(script);
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect(await response.text()).not.toContain("cdn.redoc.ly");
    await problemOf(await call("/docs/redoc.js"), 404);
  });
});
