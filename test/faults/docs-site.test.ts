// The documentation site. The quick form lays out its sources. The long form builds and serves it, which takes half a
// minute: every link in it works, its search finds results, and its pages load nothing from other hosts and do not
// violate their own content security policy.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { HttpServer } from "../../src/adapters/http/core/http-server.ts";
import { RefusalLog } from "../../src/adapters/http/core/refusal-log.ts";
import { mountDocs } from "../../src/adapters/http/pages/docs-page.ts";
import { systemClock } from "../../src/base/clock.ts";
import { makeIds } from "../../src/base/ids.ts";
import { silent } from "../fakes/silent-log.ts";
import { chromiumPath, startChromium } from "../peers/chromium.ts";
import { isLong, LONG_TIMEOUT_MS } from "./form.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PICTURES = join(ROOT, "artefacts/docs");

test("every link in a document leads to something that the site has", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const stage = `import { stageSite } from "./scripts/site/stage-site.mjs"; stageSite("${folder}", "/docs/")`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", stage], { cwd: ROOT });
});

describe.runIf(isLong)("the site of the documents", () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-site-"));
  const site = join(folder, "site");
  const http = new HttpServer({
    log: silent,
    uuids: makeIds(systemClock),
    refusals: new RefusalLog(systemClock),
    trustProxy: [],
    corsOrigins: [],
  });
  let url: string;
  let browser: Browser | undefined;

  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ["scripts/docs.mjs", site], { cwd: ROOT });
    const script = join(ROOT, "vendor/redoc/redoc.standalone.js");
    mountDocs(http, { script, site, documents: [], shown: "/swagger/v1/swagger.json" });
    const document = readFileSync(join(ROOT, "api/tandem.json"), "utf8");
    http.get("/swagger/v1/swagger.json", () => ({ status: 200, headers: {}, text: document }));
    await http.listen({ host: "127.0.0.1", port: 0 });
    url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
    if (chromiumPath !== undefined) browser = await startChromium();
  }, LONG_TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await http.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("has no link that leads nowhere, on any page and to any heading", async () => {
    const pages = new Map<string, string>();
    const wanted: { readonly from: string; readonly path: string; readonly anchor: string }[] = [];
    const open = ["/docs/"];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (pages.has(path)) continue;
      const answer = await fetch(url + path);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true;
      const text = isPage ? await answer.text() : "";
      pages.set(path, text);
      for (const [, href = ""] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        const target = new URL(href.replaceAll("&amp;", "&"), url + path);
        if (target.origin !== url) continue;
        open.push(target.pathname);
        wanted.push({ from: path, path: target.pathname, anchor: decodeURIComponent(target.hash.slice(1)) });
      }
    }
    expect(pages.size).toBeGreaterThan(100);
    const lost = wanted.filter(({ path, anchor }) => anchor !== "" && !pages.get(path)?.includes(` id="${anchor}"`));
    expect(lost).toEqual([]);
  });

  test("lists every page for language models, and has the text of each", async () => {
    const lines = (await (await fetch(`${url}/llms.txt`)).text()).matchAll(/^- \[.+\]\((\S+)\)$/gm);
    const paths = [...lines].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(50);
    for (const path of paths) {
      const answer = await fetch(url + path);
      expect({ path, type: answer.headers.get("content-type") }).toEqual({
        path,
        type: "text/markdown; charset=utf-8",
      });
      expect(await answer.text()).toMatch(/^# /);
    }
  });

  test.runIf(chromiumPath)("asks nobody but the server, keeps its policy, and finds what is looked for", async () => {
    mkdirSync(PICTURES, { recursive: true });
    const page = await (browser as Browser).newPage({ viewport: { width: 1440, height: 900 } });
    const [complaints, asked]: [string[], string[]] = [[], []];
    page.on(
      "console",
      (message) => void (["error", "warning"].includes(message.type()) && complaints.push(message.text())),
    );
    page.on("pageerror", (error) => void complaints.push(error.message));
    page.on("request", (request) => void asked.push(request.url()));
    for (const [path, name] of [
      ["/docs/", "home"],
      ["/docs/health", "health"],
      ["/docs/api/messages", "api-messages"],
    ]) {
      await page.goto(url + path, { waitUntil: "networkidle" });
      expect(await page.locator("body").innerText()).not.toMatch(/\{\{ \w/);
      await page.screenshot({ path: join(PICTURES, `${name}.png`) });
    }
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.locator("#localsearch-input").fill("rotating the secret key");
    await page.getByRole("option").first().waitFor();
    await page.screenshot({ path: join(PICTURES, "search.png") });
    await page.getByRole("option").first().click();
    await page.waitForURL(/\/docs\/(database|cli)/);
    await page.setViewportSize({ width: 375, height: 700 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(asked.filter((address) => !address.startsWith(url) && !/^(blob|data):/.test(address))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
