// The API explorer: an operation is found, its form is prefilled from the account, and it is sent from the page.

import { beforeAll, describe, expect, test } from "vitest";
import { chromiumPath } from "../peers/chromium.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInLink, usePortal } from "./browser.ts";

describe.skipIf(!chromiumPath)("the API explorer in the portal", () => {
  const tandem = useTandem({});
  const portal = usePortal();
  let visitor: OpenPage;

  beforeAll(async () => {
    const link = signInLink(tandem.output());
    visitor = await portal.open();
    await visitor.page.goto(link);
    await visitor.page.getByRole("link", { name: "API explorer" }).first().click();
    await visitor.page.getByRole("heading", { name: "API explorer" }).waitFor();
  });

  test("a text is sent as its form says, after a question", async () => {
    const { page } = visitor;
    await look(page, "api");
    await page.getByRole("textbox", { name: "Search operations" }).fill("send message");
    await page.getByRole("link", { name: /Send a message/ }).click();
    await page.getByRole("heading", { level: 1, name: "Send a message" }).waitFor();
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("It's from the explorer");
    await page.getByRole("tab", { name: "tandem CLI" }).click();
    await page.getByText("'It'\\''s from the explorer'").waitFor();
    await page.keyboard.press("Home");
    const first = page.getByRole("tab", { name: "curl", selected: true });
    await first.waitFor();
    await first.and(page.locator(":focus")).waitFor();
    await page.getByRole("button", { name: "Send it" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Send it" }).click();
    await page.getByText("200 OK").waitFor();
    await look(page, "api-operation");
  });

  test("what is read is sent at once, and its headers are shown", async () => {
    const { page } = visitor;
    await page.getByRole("textbox", { name: "Search operations" }).fill("getOutboundMessage");
    await page.getByRole("link", { name: /A sent message/ }).click();
    // The page before has a button of this name, too.
    await page.getByRole("heading", { level: 1, name: "A sent message" }).waitFor();
    await page.getByRole("button", { name: "Send it" }).click();
    await page.getByText("200 OK").waitFor();
    await page.getByRole("tab", { name: "Headers" }).click();
    await page.getByText("x-request-id").waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
