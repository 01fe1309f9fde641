// The frame of the portal: addresses that are none, code that is gone, a line that is away, single keys that are off,
// the sandbox's tag.

import { beforeAll, describe, expect, test } from "vitest";
import { newMessenger } from "../contract/messages.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInAs, usePortal } from "./browser.ts";

describe.skipIf(!chromiumPath)("the frame of the portal", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let visitor: OpenPage;

  beforeAll(async () => {
    const account = await newMessenger(tandem);
    visitor = await portal.open();
    const { page } = visitor;
    await page.goto(`${tandem.url}/sign-in`);
    await signInAs(page, account);
    await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
  });

  test("is there at an address that is none", async () => {
    const { page } = visitor;
    await page.goto(`${tandem.url}/no/such/page`);
    await page.getByText("There is no such page").waitFor();
    await look(page, "no-such-page");
    await page.getByRole("link", { name: "Numbers" }).first().click();
    await page.waitForURL("**/numbers");
  });

  test("says in every width that this is a sandbox", async () => {
    const { page } = visitor;
    for (const width of [320, 375, 760, 761, 1180, 1181, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const shown = await page.getByText("Sandbox", { exact: true }).and(page.locator("[title^=Nothing]")).all();
      const seen = await Promise.all(shown.map((tag) => tag.isVisible()));
      const isSideways = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      expect({ width, tags: seen.filter(Boolean).length, isSideways }).toEqual({ width, tags: 1, isSideways: false });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test("leaves keys of one character alone when they are off, and under an open menu", async () => {
    const { page } = visitor;
    const sheet = page.getByRole("dialog", { name: "Keys" });
    await page.goto(`${tandem.url}/numbers`);
    await page.getByRole("heading", { level: 1, name: "Numbers" }).waitFor();
    await page.keyboard.press("?");
    await look(page, "keys");
    await sheet.getByRole("checkbox", { name: "Keys of one character" }).uncheck();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.keyboard.press("c");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find or jump to" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await sheet.count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe("/numbers");
    await page.getByRole("button", { name: "Keys, ?" }).click();
    await sheet.getByRole("checkbox", { name: "Keys of one character" }).check();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Theme/ }).click();
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("c");
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/numbers");
  });

  test("goes live by itself when the server was away at first", async () => {
    const { page } = visitor;
    await page.route(/\/v1\/Events/, (route) => route.abort());
    await page.goto(`${tandem.url}/numbers`);
    await page.locator(".live", { hasText: /^Reconnecting/ }).waitFor();
    await page.unrouteAll();
    await page.locator(".live", { hasText: /^Live/ }).waitFor();
  });

  test("goes live at once, without the pause that the server asked for, when it is told to try again", async () => {
    const { page } = visitor;
    await page.route(/\/v1\/Events/, (route) => route.fulfill({ status: 503, headers: { "Retry-After": "60" } }));
    await page.goto(`${tandem.url}/log`);
    await page.locator(".live", { hasText: /^Reconnecting/ }).waitFor();
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unrouteAll();
    await again.click();
    await page.locator(".live", { hasText: /^Live/ }).waitFor({ timeout: 30_000 });
  });

  test("offers to load the page again when the code of a screen is gone, and keeps the place", async () => {
    const { page } = visitor;
    await page.goto(`${tandem.url}/numbers`);
    await page.getByRole("heading", { level: 1, name: "Numbers" }).waitFor();
    // As after an upgrade: the names of the files have changed.
    await page.route(/\/assets\/LookupScreen.*\.css$/, (route) => route.fulfill({ status: 404, body: "" }));
    await page.getByRole("link", { name: "Lookup" }).first().click();
    await page.getByText("This screen could not be loaded").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Load it again" }).click();
    await page.getByLabel("CSV file", { exact: true }).waitFor({ state: "attached" });
    expect(page.url()).toBe(`${tandem.url}/lookup`);
  });
});
