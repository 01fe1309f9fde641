import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askFor } from "../../../../test/fakes/ask-for.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeIds } from "../../../base/ids.ts";
import { HttpServer } from "../core/http-server.ts";
import { RefusalLog } from "../core/refusal-log.ts";
import { mountDocs } from "./docs-page.ts";

const folder = mkdtempSync(join(tmpdir(), "tandem-docs-"));
const site = join(folder, "site");
const script = join(folder, "redoc.js");
const http = new HttpServer({
  log: silent,
  uuids: makeIds(systemClock),
  refusals: new RefusalLog(systemClock),
  trustProxy: [],
  corsOrigins: [],
});
const ask = (url: string) => askFor(http, url, { accept: "text/html" });

beforeAll(async () => {
  writeFileSync(script, "console.log(1);");
  writeFileSync(join(folder, "secret.key"), "secret");
  mountDocs(http, { script, site, documents: [], shown: "/swagger/v1/swagger.json" });
  await http.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});

test("/docs is the reference until the site is built", async () => {
  const page = await ask("/docs");
  expect(page.body).toContain('<redoc spec-url="/swagger/v1/swagger.json"');
  expect((await ask("/docs/reference")).body).toBe(page.body);
  expect((await ask("/docs/tour")).json()).toMatchObject({ status: 404, code: "not-found" });
  expect((await ask("/llms.txt")).statusCode).toBe(404);
});

test("a site that is built is at /docs, with the reference beside it", async () => {
  mkdirSync(join(site, "assets"), { recursive: true });
  mkdirSync(join(site, "api"));
  for (const name of ["index.html", "tour.html", "api/index.html"]) writeFileSync(join(site, name), `<p>${name}</p>`);
  writeFileSync(join(site, "llms.txt"), "# Tandem");
  writeFileSync(join(site, "assets", "app.B1x_9.js"), "console.log(2);");
  expect(await ask("/docs")).toMatchObject({ statusCode: 302, headers: { location: "/docs/" } });
  expect((await ask("/docs/")).body).toBe("<p>index.html</p>");
  expect((await ask("/docs/tour?q=1")).body).toBe("<p>tour.html</p>");
  expect((await ask("/docs/api/")).body).toBe("<p>api/index.html</p>");
  expect((await ask("/docs/reference")).body).toContain("<redoc ");
  expect((await ask("/docs/assets/app.B1x_9.js")).headers["cache-control"]).toContain("immutable");
  const policy = String((await ask("/docs/")).headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect((await ask("/llms.txt")).body).toBe("# Tandem");
  expect((await ask("/docs/llms.txt")).headers["content-type"]).toBe("text/plain; charset=utf-8");
});

test.each(["/docs/nothing", "/docs/../secret.key", "/docs/%2e%2e/secret.key", "/docs/..%2fsecret.key"])(
  "%s is not found",
  async (url) => {
    expect((await ask(url)).statusCode).toBe(404);
  },
);
