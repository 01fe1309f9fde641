// The screens of an account that has nothing yet: each says how to begin, and fits every width, 200 % zoom included.
// And what operators see of such an account, filtered or not.

import { beforeAll, describe, expect, test } from "vitest";
import type { TestAccount } from "../contract/account.ts";
import { newMessenger } from "../contract/messages.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { useTandem } from "../use-tandem.ts";
import { type OpenPage, signInAs, usePortal } from "./browser.ts";

/** 640 and 720: pages of 1280 and 1440 at 200 %. */
const WIDTHS = [320, 375, 640, 720, 768, 1024, 1280, 1920, 2560];

describe.skipIf(!chromiumPath)("an empty screen", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let account: TestAccount;
  let visitor: OpenPage;

  beforeAll(async () => {
    account = await newMessenger(tandem, { features: ["voice", "campaignMigration"] });
    visitor = await portal.open();
    const { page } = visitor;
    await page.goto(`${tandem.url}/sign-in`);
    await signInAs(page, account);
    await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
  });

  test.each([
    ["/messages", "send --to"],
    ["/messages", "Write the first"],
    ["/calls", "call +1"],
    ["/conferences", "<Conference>team"],
    ["/webhooks", "listen --forward-to"],
    ["/webhooks/deliveries", "webhooks test"],
    ["/configs", "configs create"],
    ["/opt-outs", "optouts import"],
    ["/campaigns", "campaigns migrate"],
    ["/numbers", "Take a number"],
    ["/numbers?status=Active", "Show all"],
    ["/sandbox", "Take one"],
  ])("%s says how to begin", async (path, words) => {
    const { page, complaints } = visitor;
    await page.goto(tandem.url + path);
    await page.getByRole("main").getByText(words).first().waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const isSideways = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      expect({ width, isSideways }).toEqual({ width, isSideways: false });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(complaints).toEqual([]);
  });

  test("of an operator says what will show, and drops its filter", async () => {
    const { page, complaints } = await portal.open();
    await page.goto(`${tandem.url}/sign-in`);
    await page.getByRole("tab", { name: "Operator" }).click();
    await page.getByLabel("Operator token").fill(tandem.operatorToken);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(({ pathname }) => pathname !== "/sign-in");
    for (const [filter, none, yet] of [
      ["tab=messages&status=Failed", "No such messages", "No messages yet"],
      ["tab=calls&status=Completed", "No such calls", "No calls yet"],
      ["tab=numbers&status=Active", "No such numbers", "Open the inventory"],
    ] as const) {
      await page.goto(`${tandem.url}/operator/accounts/${account.sid}?${filter}`);
      await page.getByText(none).waitFor();
      await page.getByRole("button", { name: "Show all" }).click();
      await page.getByText(yet).waitFor();
    }
    expect(complaints).toEqual([]);
  });
});
