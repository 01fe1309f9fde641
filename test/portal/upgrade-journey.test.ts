// A tab that is open while the server is away, and comes back with another build of the portal.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownPort } from "../own-port.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { startTandem, type Tandem } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInAs, usePortal } from "./browser.ts";

describe.skipIf(!chromiumPath)("a tab that is open during an upgrade", () => {
  const tandem = useTandem(async () => ({ environment: { TANDEM_PORT: String(await ownPort()) } }));
  const portal = usePortal();
  let visitor: OpenPage;
  let upgraded: Tandem | undefined;

  beforeAll(async () => {
    visitor = await portal.open();
    const { page } = visitor;
    await page.goto(`${tandem.url}/sign-in`);
    await signInAs(page, { sid: tandem.accountSid, token: tandem.token });
    await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
    await page.goto(`${tandem.url}/numbers`);
    await page.getByRole("heading", { level: 1, name: "Numbers" }).waitFor();
    await page.locator(".live", { hasText: /^Live/ }).waitFor();
  });
  afterAll(() => upgraded?.stop());

  test("waits for the server where a screen cannot be loaded", async () => {
    const { page } = visitor;
    await tandem.kill();
    await page.getByRole("link", { name: "Calls" }).first().click();
    await page.getByRole("main").getByText("The server does not answer.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/calls");
    await look(page, "server-away");
  });

  test("says that the server has a newer portal, and goes on at the same place", async () => {
    const { page } = visitor;
    await page.route(`${tandem.url}/`, async (route) => {
      const response = await route.fetch().catch(() => undefined);
      if (!response) return route.abort();
      const body = (await response.text()).replace(/\/assets\/index-[^"]+\.js/, "/assets/index-newer.js");
      const { "content-encoding": _, "content-length": __, ...headers } = response.headers();
      await route.fulfill({ response, headers, body });
    });
    const { dataDir, databaseUrl, url } = tandem;
    upgraded = await startTandem({ dataDir, databaseUrl, environment: { TANDEM_PORT: new URL(url).port } });
    await page.getByText("There is a newer portal than this tab.").waitFor();
    await look(page, "newer-portal");
    await page.getByRole("main").getByRole("button", { name: "Load it again" }).click();
    await page.getByRole("main").getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/calls");
  });
});
