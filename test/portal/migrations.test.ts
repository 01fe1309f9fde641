// Journeys through the portal's migrations: one from its config to Active, and one whose wrong PIN is corrected in the
// form of its blocker.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { UNTIL } from "../contract/messages.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInLink, usePortal } from "./browser.ts";

const FIELDS = {
  "Losing carrier": "Kestrel Connect",
  "Account number": "A-123",
  "Name on the account": "Shop Inc.",
  "Authorized person": "Ann Smith",
  Street: "1 Main St",
  City: "Denver",
  State: "CO",
  "Postal code": "80202",
};
/** A PIN that no number in the sandbox has. */
const WRONG_PIN = "0000";

describe.skipIf(!chromiumPath)("migrations in the portal", () => {
  const tandem = useTandem({
    environment: {
      TANDEM_SANDBOX_PORT_SECONDS: "1",
      TANDEM_SANDBOX_ACCEPTANCE_SECONDS: "0",
      TANDEM_ACTIVATION_SECONDS: "0.2",
    },
  });
  const portal = usePortal();
  let visitor: OpenPage;
  let origin = "";

  beforeAll(async () => {
    const link = signInLink(tandem.output());
    origin = new URL(link).origin;
    visitor = await portal.open();
    await visitor.page.goto(link);
    await visitor.page.getByRole("heading", { name: "Send yourself a text" }).waitFor();
  });

  /** Fills the form in, generates the letter and uploads it; the order is not sent yet. */
  async function fillIn(page: Page, campaign: string, numbers: readonly string[]): Promise<void> {
    await page.getByRole("textbox", { name: "Campaign id" }).fill(campaign);
    await page.getByRole("textbox", { name: "Name of the new config" }).fill(`Shop ${campaign}`);
    await page.getByRole("textbox", { name: "Numbers, one a line" }).fill(numbers.join("\n"));
    for (const [name, value] of Object.entries(FIELDS))
      await page.getByRole("textbox", { name, exact: true }).fill(value);
    const letter = page.waitForEvent("download");
    await page.getByRole("button", { name: "Fill one in to sign" }).click();
    await page.getByLabel("Letter of authorization, signed").setInputFiles(await (await letter).path());
  }

  test("goes from its config to Active", async () => {
    const { page } = visitor;
    await page.goto(`${origin}/campaigns`);
    await page.getByRole("link", { name: "CDEMO01" }).waitFor();
    await look(page, "campaigns");
    await page.getByRole("link", { name: "Move a campaign here" }).click();
    await fillIn(page, "CSHOP01", ["(720) 557-0101"]);
    await page.getByText("The only match: it will be linked").waitFor();
    await page.getByRole("button", { name: "Only look" }).click();
    await page.getByRole("heading", { name: "What was found" }).waitFor();
    await look(page, "campaign-move");
    await page.getByRole("button", { name: "Order the numbers" }).click();
    await page.getByRole("heading", { name: "Shop CSHOP01" }).waitFor();
    await page.getByText("1 of 1 moved").waitFor();
    await page.getByRole("button", { name: "Choose us in the registry" }).click();
    await page.getByText("By itself: one config names it").waitFor();
    await page.getByText("1 of 1 can send").waitFor();
    await page.locator(".page-sub", { hasText: "Completed" }).waitFor();
    await page.getByRole("region", { name: "Numbers of this move" }).getByText("Active").click();
    await page.getByRole("region", { name: "The way of +17205570101" }).getByText("Joining campaign").first().waitFor();
    await look(page, "migration");
  });

  test("goes on when the right PIN is given in the form of what blocks it", async () => {
    const { page } = visitor;
    await page.goto(`${origin}/campaigns?move=CPIN123`);
    await fillIn(page, "CPIN123", [`+17205570102 ${WRONG_PIN}`, "+17205570103 4471"]);
    await page.getByRole("button", { name: "Order the numbers" }).click();
    const blocker = page.getByRole("region", { name: "1 number is held up: its PIN is wrong" });
    await blocker.waitFor();
    await page.getByText("1 of 2 moved, 1 held").waitFor();
    await page.getByRole("button", { name: "Choose us in the registry" }).click();
    await page.getByText("1 of 2 can send").waitFor();
    await look(page, "migration-blocked");
    await blocker.getByRole("textbox", { name: "PIN of +17205570102" }).fill("4471");
    await blocker.getByRole("button", { name: "Answer the carrier" }).click();
    await page.getByText("2 of 2 can send").waitFor();
    expect(await blocker.count()).toBe(0);
    expect(visitor.complaints).toStrictEqual([]);
  });

  /** A campaign that has come, and that no config names. */
  async function bringUnnamed(tcrCampaignId: string): Promise<void> {
    const accepted = await tandem.get("/testkit/v1/Emulate/campaign-migration", json("POST", { tcrCampaignId }));
    expect(accepted.status).toBeLessThan(300);
    await expect.poll(async () => (await tandem.get(`/v1/TcrCampaigns/${tcrCampaignId}`)).status, UNTIL).toBe(200);
  }

  async function newConfig(name: string): Promise<string> {
    const made = await tandem.get("/v1/MessagingConfigs", json("POST", { name }));
    return ((await made.json()) as { readonly sid: string }).sid;
  }

  test("attaches a campaign that no name matches to a config that is there", async () => {
    const { page } = visitor;
    await newConfig("Made before");
    await bringUnnamed("CNOMA01");
    await page.goto(`${origin}/migrations/CNOMA01`);
    const blocker = page.getByRole("region", { name: "No config names the campaign" });
    await blocker.getByLabel("Config", { exact: true }).selectOption({ label: "Made before" });
    await look(page, "campaign-attach");
    await blocker.getByRole("button", { name: "Link it" }).click();
    await blocker.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Made before" }).waitFor();
  });

  test("attaches one from a number that waits for it", async () => {
    const { page } = visitor;
    const sid = await newConfig("Of a number");
    const free = await tandem.get("/v1/Phones/Available?Quantity=1");
    const { items } = (await free.json()) as { readonly items: readonly { readonly number: string }[] };
    const number = items[0]?.number ?? "";
    const taken = await tandem.get("/v1/Phones", json("POST", { phone: number, messagingConfigSid: sid }));
    expect(taken.status).toBe(201);
    await bringUnnamed("CNOMA02");
    await page.goto(`${origin}/numbers/${number}`);
    await page.getByText("It is not Active: PendingTcrCampaignAdd").waitFor();
    await page.getByLabel("Campaign", { exact: true }).selectOption("CNOMA02");
    await look(page, "number-attach");
    await page.getByRole("button", { name: "Link it" }).click();
    await page.locator(".page-sub").getByText("Active", { exact: true }).waitFor();
    expect(visitor.complaints).toStrictEqual([]);
  });
});
