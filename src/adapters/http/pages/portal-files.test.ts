import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askFor } from "../../../../test/fakes/ask-for.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeIds } from "../../../base/ids.ts";
import { HttpServer } from "../core/http-server.ts";
import { RefusalLog } from "../core/refusal-log.ts";
import { portalFiles } from "./portal-files.ts";

const folder = mkdtempSync(join(tmpdir(), "tandem-portal-"));
const directory = join(folder, "portal");
const assetsFolder = join(folder, "kept");
const portal = portalFiles({ directory, assetsFolder, unbuiltPage: () => "npm run build" });
const http = new HttpServer({
  log: silent,
  uuids: makeIds(systemClock),
  refusals: new RefusalLog(systemClock),
  trustProxy: [],
  corsOrigins: [],
});
const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

const ask = (path: string, headers: Readonly<Record<string, string>> = HTML, method = "GET") =>
  askFor(http, path, headers, method);

function build(page: string, builtS: number, asset = "index-B1x_9.js"): void {
  mkdirSync(join(directory, "assets"), { recursive: true });
  writeFileSync(join(directory, "index.html"), page);
  writeFileSync(join(directory, "icon.svg"), "<svg/>");
  writeFileSync(join(directory, "assets", asset), "console.log(1);".repeat(100));
  writeFileSync(join(folder, "secret.key"), "secret");
  utimesSync(join(directory, "index.html"), builtS, builtS);
}

beforeAll(async () => {
  portal.mount(http);
  await http.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});

test("/ says how to build a portal that is not there, and shows each that is built", async () => {
  expect((await ask("/")).body).toBe("npm run build");
  build("<p>One</p>", 1_000);
  expect((await ask("/")).body).toBe("<p>One</p>");
  build("<p>Two</p>", 2_000);
  expect((await ask("/?q=1")).body).toBe("<p>Two</p>");
});

test.each(["/log?q=status:4xx", "/messages/+14155550100", "/operator/links", "/sign-in", "/api/sendMessage"])(
  "%s is the page for whoever asks for one, and a problem for others",
  async (url) => {
    const { statusCode, headers, body } = await ask(url);
    expect([statusCode, body]).toStrictEqual([200, "<p>Two</p>"]);
    expect(headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" });
    expect((await ask(url, { accept: "application/json" })).json()).toMatchObject({ status: 404, code: "not-found" });
    expect((await ask(url, {})).statusCode).toBe(404);
    expect((await ask(url, HTML, "POST")).statusCode).toBe(404);
    expect(await ask(url, HTML, "HEAD")).toMatchObject({ statusCode: 200, body: "" });
  },
);

test.each([
  "/v1/Nothing",
  "/v2/Nothing",
  "/messaging/v1/Nothing",
  "/operator/v1/Nothing",
  "/carrierLookup/swagger/v1/x",
  "/2010-04-01/Accounts",
  "/assets/gone.js",
  "/docs/x",
])("%s is no address of the portal", async (url) => {
  expect((await ask(url)).json()).toMatchObject({ status: 404, code: "not-found" });
});

test("the page runs nothing but its own files, from here, in no frame", async () => {
  const { headers } = await ask("/");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
});

test("files with a hash in their name are kept for good, compressed where the browser takes that", async () => {
  const url = "/assets/index-B1x_9.js";
  const plain = await ask(url, {});
  expect(plain.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
  const zipped = await ask(url, { "accept-encoding": "gzip, br" });
  expect(zipped.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  expect(gunzipSync(zipped.bytes).toString()).toBe(plain.body);
  expect((await ask("/icon.svg", {})).headers).toMatchObject({
    "content-type": "image/svg+xml",
    "cache-control": "no-cache",
  });
});

test.each([
  "/../secret.key",
  "/assets/../../secret.key",
  "/%2e%2e/secret.key",
  "/assets/..%2f..%2fsecret.key",
  "//secret.key",
])("%s leads nowhere", async (url) => {
  expect((await ask(url, {})).statusCode).toBe(404);
});

test("assets of earlier builds are there for a week after it", async () => {
  const [day, url] = [24 * 3_600_000, "/assets/index-B1x_9.js"];
  const upgradedMs = Date.UTC(2026, 0, 10);
  await portal.keepAssets(new Date(upgradedMs - day));
  const before = await ask(url, {});
  rmSync(join(directory, "assets"), { recursive: true });
  build("<p>Three</p>", 3_000, "index-C2y_8.js");
  const after = await ask(url, {});
  expect([after.statusCode, after.body]).toEqual([200, before.body]);
  expect(after.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  // What has run for long knows the files; another process begins anew.
  await portal.keepAssets(new Date(upgradedMs));
  expect(readdirSync(assetsFolder).sort()).toEqual(["index-B1x_9.js", "index-C2y_8.js"]);
  await portal.keepAssets(new Date(upgradedMs + 6 * day));
  expect((await ask(url, {})).statusCode).toBe(200);
  await portal.keepAssets(new Date(upgradedMs + 7 * day));
  expect((await ask(url, {})).statusCode).toBe(404);
  expect((await ask("/assets/index-C2y_8.js", {})).statusCode).toBe(200);
});

test("every asset of a build is there for a week after the last hour of its build, however it is named", async () => {
  const [hour, name] = [3_600_000, "api.generated-D3z_7.js"];
  const startedMs = Date.UTC(2026, 1, 1);
  build("<p>Four</p>", 4_000, name);
  await portal.keepAssets(new Date(startedMs));
  await portal.keepAssets(new Date(startedMs + 20 * hour));
  rmSync(join(directory, "assets"), { recursive: true });
  build("<p>Five</p>", 5_000, "index-E4a_6.js");
  await portal.keepAssets(new Date(startedMs + 21 * hour));
  await portal.keepAssets(new Date(startedMs + (20 + 7 * 24) * hour));
  expect((await ask(`/assets/${name}`, {})).statusCode).toBe(200);
  await portal.keepAssets(new Date(startedMs + (22 + 7 * 24) * hour));
  expect((await ask(`/assets/${name}`, {})).statusCode).toBe(404);
});

test("a file of an earlier build is read once, though many tabs ask for it", async () => {
  const name = "late-F5b_5.js";
  build("<p>Six</p>", 6_000, name);
  await portal.keepAssets(new Date(Date.UTC(2026, 2, 1)));
  rmSync(join(directory, "assets", name));
  build("<p>Seven</p>", 7_000);
  const first = await ask(`/assets/${name}`, {});
  rmSync(join(assetsFolder, name));
  expect((await ask(`/assets/${name}`, {})).body).toBe(first.body);
  expect(first.statusCode).toBe(200);
});
