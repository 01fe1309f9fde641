// What support sees of an account: what needs attention there, its traffic, configs, opt-outs and migrations, and the
// SIP messages of a call.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { messageOf, newSender, SEND, type Sender, UNTIL } from "../contract/messages.ts";
import { answerOf, WIDE } from "../contract/numbers.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, usePortal } from "./browser.ts";

const NAME = `tabs-${process.pid}-${Date.now()}`;
const PERSON = "+14154740266";
const SIZES = [320, 375, 480, 760, 1024, 1180, 1440, 1920, 2560];

describe.skipIf(!chromiumPath)("the tabs of an account", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let account: TestAccount;
  let sender: Sender;
  let support: OpenPage;

  beforeAll(async () => {
    const order = { name: "Harbor View Dental", features: ["voice"], limits: { send: WIDE, write: WIDE } };
    account = await newAccount(tandem, order);
    sender = await newSender(tandem, tandem.database, account);
    const sent = json("POST", { From: sender.number, To: "+12125550103", Text: "Your table is ready" });
    const { sid } = await answerOf<{ sid: string }>(await account.call(SEND, sent), 200);
    await vi.waitFor(async () => expect((await messageOf(account, sid)).status).toBe("Failed"), UNTIL);
    const optOut = { number: PERSON, scopeType: "SenderPhoneNumber", scope: sender.number };
    await answerOf(await account.call("/v1/OptOuts", json("POST", optOut)), 201);
    const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: NAME, role: "support" }));
    const { token } = await answerOf<{ token: string }>(made, 201);
    support = await portal.open();
    await support.page.goto(`${tandem.url}/sign-in`);
    await support.page.getByRole("tab", { name: "Operator" }).click();
    await support.page.getByLabel("Operator token").fill(token);
    await support.page.getByRole("button", { name: "Sign in" }).click();
    await support.page.waitForURL(({ pathname }) => pathname !== "/sign-in");
  });
  afterAll(async () => {
    await tandem.operator(`/operator/v1/Tokens/${NAME}`, { method: "DELETE" });
  });

  const open = async (name: string) => {
    const { page } = support;
    await page.goto(`${tandem.url}/operator/accounts/${account.sid}`);
    await page.getByRole("tab", { name, exact: true }).click();
    return page;
  };

  test("what needs somebody there leads to the text that failed", async () => {
    const page = await open("Attention");
    const needs = page.getByRole("region", { name: "Needs them" });
    await needs.getByRole("link", { name: "Read why" }).waitFor();
    await look(page, "support-attention");
    await needs.getByRole("link", { name: "Read why" }).click();
    await page.getByRole("complementary", { name: "Why" }).waitFor();
    // In the list of just what was counted.
    expect(await page.getByLabel("Status", { exact: true }).inputValue()).toBe("Failed");
    expect(await page.getByLabel("Error", { exact: true }).inputValue()).toMatch(/^\d{4}$/);
    await expect
      .poll(() => page.getByRole("region", { name: "Messages of the account" }).getByRole("row").count())
      .toBe(2);
  });

  test("its traffic is counted by the minute", async () => {
    const page = await open("Traffic");
    await page.getByLabel("Of", { exact: true }).selectOption("1440");
    await page.getByRole("region", { name: "Traffic of the account" }).getByRole("row").nth(1).waitFor();
    await look(page, "support-traffic");
  });

  test("a person's opt-out is found by the number", async () => {
    const page = await open("Opt-outs");
    await page.getByLabel("Number", { exact: true }).fill(PERSON);
    await page.getByRole("row").filter({ hasText: "0266" }).getByText("entered by hand").waitFor();
    await look(page, "support-opt-outs");
    await page.getByLabel("Number", { exact: true }).fill("+14154740299");
    await page.getByText("has not opted out").waitFor();
  });

  test("a config says how it sends, and a migration what it waits for", async () => {
    const configs = await open("Configs");
    await configs.getByRole("row").filter({ hasText: sender.tcrCampaignId }).click();
    const config = configs.getByRole("complementary", { name: "MessagingConfig" });
    await config.getByText("the usual words").first().waitFor();
    await look(configs, "support-config");
    const page = await open("Migrations");
    await page.getByRole("row").filter({ hasText: sender.tcrCampaignId }).click();
    const migration = page.getByRole("complementary", { name: "Migration" });
    await migration.getByText(sender.number.slice(-4)).first().waitFor();
    await look(page, "support-migration");
  });

  test("a call shows its SIP messages", async () => {
    const order = json("POST", { from: "+14155550101", to: "+14155550100" });
    const { sid } = await answerOf<{ sid: string }>(await account.call("/v1/Voice/Calls", order), 201);
    const textOf = async () => (await account.call(`/v1/Voice/Calls/${sid}/sip`)).text();
    await vi.waitFor(async () => expect(await textOf()).toContain("ACK"), UNTIL);
    const page = await open("Calls");
    await page.getByRole("row").filter({ hasText: "Busy" }).click();
    const sip = page.getByRole("region", { name: "SIP" });
    await sip
      .getByText(/^INVITE /)
      .first()
      .click();
    await sip
      .getByText(/Call-ID/i)
      .first()
      .waitFor();
    await look(page, "support-sip");
  });

  test("fit into every width", async () => {
    const { page } = support;
    for (const tab of [
      "attention",
      "traffic",
      "messages",
      "calls",
      "configs",
      "opt-outs",
      "migrations",
      "deliveries",
    ]) {
      await page.goto(`${tandem.url}/operator/accounts/${account.sid}?tab=${tab}`);
      await page.getByRole("tab", { selected: true }).waitFor();
      for (const width of SIZES) {
        await page.setViewportSize({ width, height: 800 });
        const isSideways = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
        expect({ tab, width, isSideways }).toMatchObject({ isSideways: false });
      }
    }
    expect(support.complaints).toEqual([]);
  });
});
