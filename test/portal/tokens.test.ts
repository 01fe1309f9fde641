// An account's tokens in the portal: one that signs in Twilio's shape is created and replaces the previous one.

import { describe, expect, test } from "vitest";
import { newMessenger } from "../contract/messages.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { basic } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, signInAs, usePortal } from "./browser.ts";

describe.skipIf(!chromiumPath)("the tokens of an account", () => {
  const tandem = useTandem();
  const portal = usePortal();

  test("a second signing token is made, shown once, and promoted", async () => {
    const account = await newMessenger(tandem, { token: { signs: true } });
    const { page, complaints, context } = await portal.open();
    await page.goto(`${tandem.url}/sign-in`);
    await signInAs(page, account);
    await page.waitForURL(({ pathname }) => pathname !== "/sign-in");
    await page.goto(`${tandem.url}/account`);
    await page.getByText(", signs", { exact: false }).first().waitFor();
    const own = page.locator(".account-token", { hasText: "this session's" });
    expect(await own.innerText()).toMatch(/^since .*, last used .*, signs/);
    await page.getByLabel("It signs webhooks in Twilio's shape").check();
    await page.getByRole("button", { name: "Make a second token" }).click();
    await page.getByText("Token 2: copy it now").waitFor();
    const token = (await page.locator("[role=status] code").first().innerText()).trim();
    await page.getByText(/not used yet.*, may sign/).waitFor();
    await look(page, "account-tokens");
    await page.getByRole("button", { name: "Sign with token 2" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign with token 2" }).click();
    await page.getByText("Token 2 signs.").waitFor();
    await page.getByRole("button", { name: "Sign with token 1" }).waitFor();
    await page.getByRole("link", { name: "Who changed what" }).click();
    await page
      .getByRole("row", { name: /promoteToken/ })
      .getByText("a person, by token 1")
      .waitFor();
    await look(page, "changes");
    const shown = await fetch(`${tandem.url}/v1/Account`, { headers: basic(account.sid, token) });
    expect(await shown.json()).toMatchObject({ signingToken: 2, tokens: [{ n: 1 }, { n: 2, signs: true }] });
    expect(complaints).toEqual([]);
    await context.close();
  });
});
