// The API reference in a browser: it names every operation and every webhook, each has its own URL, it is readable on a
// telephone, and it sends requests to the server only.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useTandem } from "../use-tandem.ts";
import { chromiumPath, startChromium } from "./chromium.ts";

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 375, height: 700 };
const SHOWN = { timeout: 120_000 };

const tandem = useTandem();

describe.skipIf(!chromiumPath)("the reference", () => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const urls: string[] = [];

  // Rendering so many operations takes a browser many seconds, so all tests share one page.
  beforeAll(async () => {
    browser = await startChromium();
    page = await browser.newPage({ viewport: WIDE });
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    page.on("pageerror", (error) => void complaints.push(error.message));
    page.on("request", (request) => void urls.push(request.url()));
    await page.goto(`${tandem.url}/docs/reference#operation/placeCall`);
    await page.getByRole("heading", { name: "Place a call" }).first().waitFor(SHOWN);
  }, 2 * SHOWN.timeout);
  afterAll(() => browser?.close());

  test("goes to the operation that its address names", async () => {
    await expect.poll(() => page.evaluate<number>("scrollY"), SHOWN).toBeGreaterThan(WIDE.height);
  });

  test("names every operation and every webhook, and loads nothing from elsewhere", async () => {
    const document = (await (await fetch(`${tandem.url}/swagger/v1/swagger.json`)).json()) as Record<
      "paths" | "x-webhooks",
      Record<string, Record<string, { operationId: string }>>
    >;
    const wanted = [document.paths, document["x-webhooks"]]
      .flatMap((paths) => Object.values(paths).flatMap((methods) => Object.values(methods)))
      .map(({ operationId }) => operationId);
    const ids = await page.locator("[id]").evaluateAll((elements) => elements.map(({ id }) => id.split("/").at(-1)));
    expect(wanted.filter((id) => !ids.includes(id))).toStrictEqual([]);
    expect(urls.filter((url) => !url.startsWith(tandem.url) && !/^(blob|data):/.test(url))).toStrictEqual([]);
    expect(complaints).toStrictEqual([]);
  });

  test("is no wider than a telephone", async () => {
    await page.setViewportSize(NARROW);
    const width = () => page.evaluate<number>("document.documentElement.scrollWidth");
    await expect.poll(width, SHOWN).toBeLessThanOrEqual(NARROW.width);
  });
});
