import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeIds } from "../../../base/ids.ts";
import { answerWithFile, staticFile } from "../pages/static-file.ts";
import type { Answer } from "./answer.ts";
import { HttpServer } from "./http-server.ts";
import { RefusalLog } from "./refusal-log.ts";

const PORTAL = "https://portal.example";
const http = new HttpServer({
  log: silent,
  uuids: makeIds(systemClock),
  refusals: new RefusalLog(systemClock),
  trustProxy: [],
  corsOrigins: [PORTAL],
  publicUrl: "https://phone.example/tandem",
});
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
let url: URL;

beforeAll(async () => {
  for (const method of METHODS) {
    http.route({ method, path: "/ours", handle: () => ({ status: 200, headers: {}, text: "{}" }) });
  }
  const type = { name: "a.json", contentType: "application/json" };
  const answers: Readonly<Record<string, () => Answer>> = {
    "/refused": () => ({ status: 409, headers: {}, text: "{}" }),
    "/unchanged": () => ({ status: 304, headers: { ETag: '"1"' }, text: "" }),
    "/content": () => ({
      ...{ status: 206, headers: {}, text: "" },
      content: { ...type, sizeBytes: 2, stream: Readable.from(["{}"]) },
    }),
    "/stream": () => ({ status: 200, headers: {}, text: "", stream: Readable.from(["data: 1\n\n"]) }),
  };
  for (const [path, answer] of Object.entries(answers)) {
    http.get(path, answer);
  }
  const file = staticFile("page.js", Buffer.from("x".repeat(100)));
  http.get("/file", (exchange) => answerWithFile(exchange, file, {}));
  await http.listen({ host: "127.0.0.1", port: 0 });
  url = new URL(`http://127.0.0.1:${(http.server.address() as AddressInfo).port}/ours`);
});
afterAll(() => http.close());

interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

function call(method: string, headers: Readonly<Record<string, string>>, path = "/ours"): Promise<Seen> {
  return new Promise((resolve, reject) => {
    request(new URL(path, url), { method, headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    })
      .on("error", reject)
      .end();
  });
}

test.each([
  ["another site's form", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
  ["a form of a sister domain", { Origin: "https://blog.phone.example", "Sec-Fetch-Site": "same-site" }],
  ["another site's form without Origin", { "Sec-Fetch-Site": "cross-site" }],
  ["another site's form in a browser without Sec-Fetch-Site", { Origin: "https://evil.example" }],
  ["a page without an origin", { Origin: "null" }],
  ["a page that claims our origin, as no browser does", { Origin: "https://phone.example", "Sec-Fetch-Site": "x" }],
])("%s changes nothing", async (_who, headers) => {
  for (const method of METHODS) {
    const { status, text, headers: seen } = await call(method, headers);
    expect(status, method).toBe(method === "GET" ? 200 : 403);
    expect(JSON.parse(text)).toMatchObject(method === "GET" ? {} : { code: "cross-site", status: 403 });
    expect(seen["access-control-allow-origin"]).toBeUndefined();
    expect(seen["x-request-id"]).toMatch(/\S/);
  }
});

test.each([
  ["a program", () => ({})],
  ["Node's fetch", () => ({ "Sec-Fetch-Mode": "cors" })],
  ["our own page", () => ({ Origin: url.origin, "Sec-Fetch-Site": "same-origin" })],
  ["our own page in a browser without Sec-Fetch-Site", () => ({ Origin: url.origin })],
  ["our own page behind a proxy that changes Host", () => ({ Origin: "https://phone.example" })],
  ["a person", () => ({ "Sec-Fetch-Site": "none" })],
])("%s is not kept from anything", async (_who, headers) => {
  for (const method of METHODS) expect((await call(method, headers())).status, method).toBe(200);
});

test("an allowed origin may call, and its pages may read the answers, refusals too", async () => {
  const headers = { Origin: PORTAL, "Sec-Fetch-Site": "cross-site" };
  for (const method of METHODS) {
    const answer = await call(method, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": PORTAL,
      "access-control-expose-headers": "*",
      "x-content-type-options": "nosniff",
    });
    // Credentials that the browser remembers are not for pages of other sites, not even of allowed ones.
    expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
  }
  const missing = await call("GET", headers, "/nowhere");
  expect(missing.status).toBe(404);
  expect(missing.headers["access-control-allow-origin"]).toBe(PORTAL);
});

test.each([
  ["/ours", 200, "Origin, Accept"],
  ["/refused", 409, "Origin, Accept"],
  ["/unchanged", 304, "Origin, Accept"],
  ["/content", 206, "Origin, Accept"],
  ["/nowhere", 404, "Origin, Accept"],
  ["/file", 200, "Origin, Accept-Encoding"],
  ["/stream", 200, "Origin"],
])("caches are told that %s depends on the origin, whoever asks", async (path, status, vary) => {
  for (const headers of [{ Origin: PORTAL }, { Origin: "https://evil.example" }, { "Accept-Encoding": "gzip" }]) {
    const answer = await call("GET", headers, path);
    expect(answer.status).toBe(status);
    expect(answer.headers.vary, JSON.stringify(headers)).toBe(vary);
  }
});

test("a browser that asks first is told what an allowed origin may send, and others nothing", async () => {
  const ask = (Origin: string) =>
    call("OPTIONS", { Origin, "Access-Control-Request-Method": "POST", "Sec-Fetch-Site": "cross-site" });
  const told = await ask(PORTAL);
  expect(told.status).toBe(204);
  expect(told.headers["access-control-allow-origin"]).toBe(PORTAL);
  expect(told.headers.vary).toBe("Origin");
  expect(told.headers["access-control-allow-methods"]).toBe("GET, HEAD, POST, PUT, PATCH, DELETE");
  expect(told.headers["access-control-allow-headers"]).toContain("Authorization");
  const other = await ask("https://evil.example");
  expect(other.status).toBe(405);
  expect(other.headers).not.toHaveProperty("access-control-allow-methods");
});
