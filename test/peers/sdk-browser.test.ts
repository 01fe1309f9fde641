// The SDK in a browser, on a page of another origin: what the server allows by TANDEM_CORS_ORIGINS, by plain HTTP as
// browsers send it, and by a real browser.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newMessenger, newSender } from "../contract/messages.ts";
import { basic } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { requirePeer } from "./peer.ts";

type Sdk = typeof import("../../sdk/src/index.ts");
/** Global of the page. */
declare const sdk: Sdk;

const SDK = fileURLToPath(new URL("../../sdk/src/index.ts", import.meta.url));
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** A page with the SDK, at its own origin. */
async function servePage(): Promise<{ readonly server: Server; readonly origin: string }> {
  const { outputFiles } = await build({ entryPoints: [SDK], bundle: true, globalName: "sdk", write: false });
  const script = outputFiles[0]?.text ?? "";
  const server = createServer(({ url }, response) => {
    const isScript = url === "/sdk.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : "<script src=/sdk.js></script>");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let allowed: Awaited<ReturnType<typeof servePage>>;
let stranger: Awaited<ReturnType<typeof servePage>>;

const tandem = useTandem(async () => {
  [allowed, stranger] = await Promise.all([servePage(), servePage()]);
  return { environment: { TANDEM_CORS_ORIGINS: allowed.origin } };
});

afterAll(() => {
  for (const page of [allowed, stranger]) page?.server.close();
});

const wordsOf = (text: string | null) => (text ?? "").toLowerCase().split(/\s*,\s*/);

test.each(["POST /messaging/v1/OutboundMessages", "PATCH /v1/Phones/+14155550150", "GET /v1/Account"])(
  "%s is allowed to pages of the origin, with everything that the SDK sends",
  async (operation) => {
    const [method = "", path] = operation.split(" ");
    const wanted = ["authorization", "content-type", "idempotency-key"];
    const { status, headers } = await fetch(tandem.url + path, {
      method: "OPTIONS",
      headers: {
        Origin: allowed.origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": wanted.join(","),
      },
    });
    expect(status).toBe(204);
    expect(headers.get("Access-Control-Allow-Origin")).toBe(allowed.origin);
    expect(wordsOf(headers.get("Access-Control-Allow-Methods"))).toContain(method.toLowerCase());
    expect(wordsOf(headers.get("Access-Control-Allow-Headers"))).toEqual(expect.arrayContaining(wanted));
    expect(wordsOf(headers.get("Vary"))).toContain("origin");
  },
);

test("pages of other origins are allowed nothing", async () => {
  const headers = { Origin: stranger.origin, "Access-Control-Request-Method": "POST" };
  const preflight = await fetch(`${tandem.url}/v1/Webhooks`, { method: "OPTIONS", headers });
  expect(preflight.headers.get("Access-Control-Allow-Origin")).toBeNull();
});

test("pages may read every header of an answer, refusals included", async () => {
  for (const authorization of [basic(tandem.accountSid, tandem.token), {}]) {
    const { headers } = await fetch(`${tandem.url}/v1/Account`, {
      headers: { Origin: allowed.origin, ...authorization },
    });
    expect(headers.get("Access-Control-Allow-Origin")).toBe(allowed.origin);
    // Without the browser's credentials the asterisk means all headers.
    expect(headers.get("Access-Control-Expose-Headers")).toBe("*");
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
  }
});

const path = requirePeer("chromium", "chromium");

describe.skipIf(!path)("in a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: path ?? "", args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  async function pageOf(origin: string) {
    const page = await browser.newPage();
    await page.goto(origin);
    return page;
  }

  test("a page of an allowed origin sends a message, looks a number up and verifies a webhook", async () => {
    const account = await newMessenger(tandem);
    const { number: from } = await newSender(tandem, tandem.database, account);
    const page = await pageOf(allowed.origin);
    const order = { baseUrl: tandem.url, accountSid: account.sid, token: account.token };
    const seen = await page.evaluate(
      async ({ order, from, secret }) => {
        const client = sdk.createClient(order);
        const message = { from, to: "+14155550100", text: "From a page" };
        const [first, again] = [
          await client.messages.send(message, { idempotencyKey: "page-1" }),
          await client.messages.send(message, { idempotencyKey: "page-1" }),
        ];
        const { requestId, rateLimit, source } = await client.lookup.number("+14155550100");
        const refused = await client.messages.get("OM0").catch((error: InstanceType<Sdk["TandemError"]>) => error);
        const sids: string[] = [];
        for await (const { sid } of client.messages.list()) sids.push(sid);
        const stop = new AbortController();
        let event = "";
        for await (const { type } of client.events.stream({ lastEventId: "0-0", signal: stop.signal })) {
          event = type;
          stop.abort();
        }
        const payload = "{}";
        const headers = { ...(await sdk.signWebhook({ id: "WH1", timestamp: new Date(), payload, secret })) };
        const { id } = await sdk.verifyWebhook({ payload, headers, secret });
        const isOnce = first.data.sid === again.data.sid;
        const code = "code" in refused ? refused.code : undefined;
        return { isOnce, requestId, rateLimit, source, code, refusedId: refused.requestId, sids, event, id };
      },
      { order, from, secret: SECRET },
    );
    expect(seen).toEqual({
      isOnce: true,
      requestId: expect.stringMatching(/\S/),
      rateLimit: expect.objectContaining({ limit: expect.any(Number), remaining: expect.any(Number) }),
      source: "table",
      code: "not-found",
      refusedId: expect.stringMatching(/\S/),
      sids: [expect.stringMatching(/^OM/)],
      event: expect.stringMatching(/\S/),
      id: "WH1",
    });
  });

  test("a page of another origin reaches nothing", async () => {
    const page = await pageOf(stranger.origin);
    const { url: baseUrl, accountSid, token } = tandem;
    const fault = await page.evaluate(
      (order) =>
        sdk
          .createClient(order)
          .account.get()
          .then(
            () => "answered",
            (error: InstanceType<Sdk["TandemNetworkError"]>) => error.fault,
          ),
      { baseUrl, accountSid, token, retryPauseMs: 1 },
    );
    expect(fault).toBe("unreachable");
  });
});
