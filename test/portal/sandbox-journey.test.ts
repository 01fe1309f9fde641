// The Sandbox screen: a line that misbehaves, the carrier's switch, and the phone that sends texts.

import { beforeAll, describe, expect, test } from "vitest";
import { chromiumPath } from "../peers/chromium.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInLink, usePortal } from "./browser.ts";

describe.skipIf(!chromiumPath)("the sandbox in the portal", () => {
  const tandem = useTandem({});
  const portal = usePortal();
  let visitor: OpenPage;

  beforeAll(async () => {
    const link = signInLink(tandem.output());
    visitor = await portal.open();
    await visitor.page.goto(link);
    await visitor.page.getByRole("link", { name: "Sandbox" }).first().click();
    await visitor.page.getByRole("heading", { name: "Clearing house" }).waitFor();
  });

  test("a text to the silent line waits until the carrier's switch settles it", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: /^Text .* silent/ }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const became = page.locator(".sandbox-became");
    await became.getByText("Sent").waitFor();
    await page.getByRole("button", { name: "Fail", exact: true }).click();
    await became.getByRole("link", { name: "Read why" }).waitFor();
    await page.getByText("No text waits for its receipt").waitFor();
  });

  test("the phone texts, and a campaign migrates", async () => {
    const { page } = visitor;
    await page.getByRole("textbox", { name: "Text from the phone" }).fill("Hello from outside");
    await page.getByRole("button", { name: "Send from the phone" }).click();
    await page.getByRole("region", { name: "Texts on the phone" }).getByText("Hello from outside").waitFor();
    await page.getByRole("textbox", { name: "Campaign" }).fill("CSAND01");
    await page.getByRole("button", { name: "Migrate" }).click();
    await page.getByRole("link", { name: "CSAND01" }).waitFor();
    await look(page, "sandbox");
    expect(visitor.complaints).toEqual([]);
  });
});
