// Sessions of the portal: there is none, or it ends while its tab is open.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { TestAccount } from "../contract/account.ts";
import { newMessenger } from "../contract/messages.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInAs, usePortal } from "./browser.ts";

describe.skipIf(!chromiumPath)("a session of the portal", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let account: TestAccount;
  let visitor: OpenPage;

  beforeAll(async () => {
    account = await newMessenger(tandem);
    visitor = await portal.open();
  });

  async function signIn({ page }: OpenPage, account: TestAccount): Promise<void> {
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signInAs(page, account);
    await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
  }

  test("is asked for without an error in the console", async () => {
    const { page, complaints } = visitor;
    await page.goto(`${tandem.url}/numbers`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(complaints).toEqual([]);
    await signIn(visitor, account);
    await page.waitForURL("**/numbers");
  });

  test.each(["/", "/log?q=kind:Message", "/messages?q=status:Failed", "/calls", "/webhooks", "/numbers"])(
    "that ends in another tab leads from %s to the sign-in, and back there",
    async (path) => {
      const { page, context } = visitor;
      await page.goto(tandem.url + path);
      await page.getByRole("main").getByRole("heading").first().waitFor();
      await page.locator(".live", { hasText: /^Live/ }).waitFor();
      const ended = await context.request.delete(`${tandem.url}/v1/Session`, { headers: { "X-Tandem-Session": "1" } });
      expect(ended.status()).toBe(204);
      await tandem.database.query("select pg_notify('events_stored', $1)", [account.sid]);
      await signIn(visitor, account);
      expect(page.url()).toBe(tandem.url + path);
    },
  );

  /**
   * Until the returned function is called the page notices nothing by itself: neither by its live line nor by what it
   * asks for now and then.
   */
  async function heldStill(page: Page): Promise<() => void> {
    await page.locator(".live", { hasText: /^Live/ }).click();
    await page.locator(".live", { hasText: /^Paused/ }).waitFor();
    let goOn = () => {};
    const isOver = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/v1\//, async (route) => {
      if (route.request().method() === "GET") await isOver;
      await route.continue();
    });
    return goOn;
  }

  test("of another account in another tab stops this one before it does anything for it", async () => {
    const { page, context } = visitor;
    const other = await newMessenger(tandem, { name: "Other shop" });
    await page.goto(`${tandem.url}/account`);
    await page.getByRole("button", { name: "Make a second token" }).waitFor();
    const pageGoesOn = await heldStill(page);
    const tab = await context.newPage();
    await tab.goto(`${tandem.url}/account`);
    await tab.getByRole("button", { name: "Sign out", exact: true }).click();
    await signIn({ ...visitor, page: tab }, other);
    await page.getByRole("button", { name: "Make a second token" }).click();
    pageGoesOn();
    await page.getByRole("heading", { name: "This tab has stopped" }).waitFor();
    await look(page, "other-account");
    for (const { call } of [account, other]) {
      const { tokens } = (await (await call("/v1/Account")).json()) as { readonly tokens: readonly unknown[] };
      expect(tokens).toHaveLength(1);
    }
    const tabGoesOn = await heldStill(tab);
    await page.getByRole("button", { name: "Sign in as Test again" }).click();
    await signIn(visitor, account);
    expect(page.url()).toBe(`${tandem.url}/account`);
    // Now the other tab is the one that shows another account.
    await tab.bringToFront();
    await tab.getByRole("link", { name: "Numbers" }).first().click();
    tabGoesOn();
    await tab.getByRole("heading", { name: "This tab has stopped" }).waitFor();
    await tab.getByRole("button", { name: "Go on as Test" }).click();
    await tab.getByRole("navigation", { name: "Main", exact: true }).getByText(account.sid.slice(-6)).waitFor();
  });
});
