// An operator in the portal, without a clearing house or a registry: routes over links of which one is down, live
// events of all accounts, a port order and a campaign by hand. Support finds a message and a refused request by the ids
// of their requests, and sees no actions.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Smsc } from "../../src/sandbox/smsc/smsc.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { messageOf, newSender, SEND, UNTIL } from "../contract/messages.ts";
import { answerOf, newCampaignId, newConfig, WIDE } from "../contract/numbers.ts";
import { orderThatIs, portIn, strangeNumbers } from "../contract/port-orders.ts";
import { silent as log } from "../fakes/silent-log.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, usePortal } from "./browser.ts";

/** Two carriers; one of their links connects to nothing. */
function network(port: number): object {
  const link = { host: "127.0.0.1", port, systemId: "tandem", password: "secret" };
  const acme = ["acme-east", "acme-west"].map((name) => ({ ...link, name }));
  return {
    carriers: [
      { name: "acme", smpp: acme },
      { name: "kestrel", smpp: [{ ...link, name: "kestrel-eu", port: 1 }] },
    ],
    routes: [{ destinations: ["+44"], to: [{ carrier: "kestrel", weight: 3 }, { carrier: "acme" }] }],
  };
}

describe.skipIf(!chromiumPath)("the operator's part of the portal", () => {
  let scratch: string;
  let smsc: Smsc;
  const tandem = useTandem(async () => {
    scratch = mkdtempSync(join(tmpdir(), "tandem-operator-"));
    smsc = await Smsc.listen({ host: "127.0.0.1", port: 0, log, receiptDelayMs: 0 });
    const file = join(scratch, "config.json");
    writeFileSync(file, JSON.stringify({ porting: { kind: "manual" }, ...network(smsc.port) }));
    return { environment: { TANDEM_CONFIG: file, TANDEM_SANDBOX: "off" } };
  });
  const portal = usePortal();
  let operator: OpenPage;
  let account: TestAccount;

  const enter = async (token: string): Promise<OpenPage> => {
    const opened = await portal.open();
    await opened.page.goto(`${tandem.url}/sign-in`);
    await opened.page.getByRole("tab", { name: "Operator" }).click();
    await opened.page.getByLabel("Operator token").fill(token);
    await opened.page.getByRole("button", { name: "Sign in" }).click();
    // The sign-in page has a heading, too: navigating before it is left would interrupt the sign-in.
    await opened.page.waitForURL(({ pathname }) => pathname !== "/sign-in");
    await opened.page.getByRole("heading", { level: 1 }).waitFor();
    return opened;
  };

  beforeAll(async () => {
    const order = { name: "Harbor View Dental", features: ["campaignMigration"], limits: { read: WIDE, write: WIDE } };
    account = await newAccount(tandem, order);
    operator = await enter(tandem.operatorToken);
  });
  afterAll(async () => {
    await smsc?.close();
    rmSync(scratch, { recursive: true });
  });

  test("sees which links carry what, and which is down", async () => {
    const { page } = operator;
    await page.goto(`${tandem.url}/operator/links`);
    const panel = page.getByRole("region", { name: "Patch panel" });
    await panel.getByText("goes by kestrel-eu 75 %, now 0 %, down; acme-east 13 %, now 50 %").waitFor();
    await panel.getByRole("button", { name: "acme-west" }).waitFor();
    await look(page, "operator-links");
    await panel.getByRole("button", { name: "kestrel-eu" }).click();
    await panel.getByRole("button", { name: "kestrel-eu", pressed: true }).waitFor();
    await page.emulateMedia({ forcedColors: "active" });
    const outline = await page.evaluate(
      "getComputedStyle(document.querySelector('.patch-way[aria-pressed=true]')).outlineStyle",
    );
    expect(outline).toBe("solid");
    await page.emulateMedia({ forcedColors: "none" });
    await page.getByRole("complementary", { name: "texts by kestrel-eu" }).getByText("kestrel-eu is down").waitFor();
    await page.getByRole("link", { name: "Routes" }).first().click();
    await page
      .getByRole("row", { name: /route 1/ })
      .getByText("kestrel-eu 75 %, now 0 %, down")
      .waitFor();
    await page.getByRole("row", { name: /any/ }).getByText("acme-east 25 %").waitFor();
    await look(page, "operator-routes");
  });

  test("sees which processes serve the database, and what each holds", async () => {
    const { page } = operator;
    await page.goto(`${tandem.url}/operator/nodes`);
    const row = page.getByRole("row", { name: /Ready/ });
    await row.getByText(/sending over \d links, webhooks of 64 slots/).waitFor();
    await look(page, "operator-nodes");
    await row.click();
    await page.getByRole("button", { name: /^Drain / }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Let it run" }).click();
  });

  test("is led from what stops everybody to where it is cleared", async () => {
    const { page } = operator;
    await page.goto(`${tandem.url}/`);
    const first = page.getByRole("region", { name: "Needs you" }).getByRole("listitem").first();
    await first.getByText("kestrel-eu").first().waitFor();
    await first.getByRole("link", { name: "See the link" }).click();
    await page.getByRole("complementary", { name: "texts by kestrel-eu" }).waitFor();
  });

  test("sees what stops everybody above what stops one account", async () => {
    const { page } = operator;
    const order = json("POST", { type: "OptOutChanged", url: "https://hooks.example/gone" });
    const { sid } = await answerOf<{ sid: string }>(await account.call("/v1/Webhooks", order), 201);
    const off = "update webhook_subscriptions set enabled = false, disabled_reason = 'Gone.' where sid = $1";
    await tandem.database.query(off, [sid]);
    const link = "/operator/v1/Links/kestrel-eu";
    await answerOf(await tandem.operator(`${link}/stop`, { method: "POST" }), 200);
    await page.goto(`${tandem.url}/`);
    const items = page.getByRole("region", { name: "Needs you" }).getByRole("listitem");
    await items.filter({ hasText: "kestrel-eu is stopped" }).waitFor();
    const whats = await items.locator("p.strong").allInnerTexts();
    const places = ["kestrel-eu is stopped", "switched off"].map((words) =>
      whats.findIndex((what) => what.includes(words)),
    );
    expect({ whats, places }).toMatchObject({ places: [0, 1] });
    await items.filter({ hasText: "switched off" }).getByRole("link", { name: "See what failed" }).click();
    await page.waitForURL(({ pathname }) => pathname === `/operator/accounts/${account.sid}`);
    await answerOf(await tandem.operator(`${link}/start`, { method: "POST" }), 200);
    await account.call(`/v1/Webhooks/${sid}`, { method: "DELETE" });
  });

  test("is led from a link of the overview to the links", async () => {
    const { page } = operator;
    await page.goto(`${tandem.url}/`);
    const links = page.getByRole("region", { name: "Links" });
    await links.getByText(/^\d of 3 well$/).waitFor();
    await links.getByRole("link", { name: "acme-west" }).click();
    await page.getByRole("complementary", { name: "texts by acme-west" }).waitFor();
  });

  test("makes a token for support, looks at recordings, and changes an account's settings", async () => {
    const { page } = operator;
    await page.goto(`${tandem.url}/operator/tokens`);
    await page.getByRole("button", { name: "Make a token" }).click();
    await page.getByLabel("Name").fill("evening-desk");
    await page.getByRole("button", { name: "Make it" }).click();
    await page.getByText("evening-desk has a token").waitFor();
    await look(page, "operator-tokens");
    await page.getByRole("button", { name: "Delete the token evening-desk" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete it" }).click();
    await page.getByText("The token evening-desk is no longer good.").waitFor();
    await page.goto(`${tandem.url}/operator/recordings`);
    await page.getByText("Nothing went wrong").waitFor();
    await look(page, "operator-recordings");
    const other = await newAccount(tandem, { name: "Corner Cafe" });
    await page.goto(`${tandem.url}/operator/accounts/${other.sid}`);
    await page.getByLabel("Name", { exact: true }).fill("Corner Coffee");
    await page.getByLabel("Country", { exact: true }).fill("gb");
    await page.getByLabel("Texts and calls to").fill("GB, US");
    await look(page, "operator-account");
    await page.getByRole("button", { name: "Change them" }).click();
    await page.getByRole("heading", { name: "Corner Coffee" }).waitFor();
    await page.getByRole("textbox", { name: "Messages" }).fill("90");
    await page.getByRole("button", { name: "Keep it so long" }).click();
    await page.getByText("messages 90 days").waitFor();
    const seen = await answerOf<object>(await tandem.operator(`/operator/v1/Accounts/${other.sid}`), 200);
    const kept = { messageDays: 90, callDays: null, eventDays: null };
    expect(seen).toMatchObject({ name: "Corner Coffee", country: "GB", allowedCountries: ["GB", "US"], ...kept });
  });

  test("sees in the live log what happens in all accounts, and goes on where the line was cut", async () => {
    const { page } = operator;
    const { number } = await newSender(tandem, tandem.database, account);
    const text = async (to: string) => {
      const sent = await account.call(SEND, json("POST", { From: number, To: to, Text: "Your table is ready" }));
      return answerOf<{ sid: string }>(sent, 200);
    };
    await page.goto(`${tandem.url}/log`);
    await page.getByRole("button", { name: /^Live/ }).waitFor();
    await text("+12125550100");
    const delivered = (to: string) => page.getByRole("row", { name: /to Delivered/ }).filter({ hasText: to.slice(-4) });
    await delivered("+12125550100").getByRole("link", { name: "Harbor View Dental" }).waitFor();
    await page
      .getByRole("row", { name: /POST OutboundMessages/ })
      .first()
      .waitFor();
    await look(page, "operator-log");
    await page.getByRole("button", { name: /^Live/ }).click();
    const { sid } = await text("+12125550142");
    await expect.poll(async () => (await messageOf(account, sid)).status, UNTIL).toBe("Delivered");
    const resumed = page.waitForRequest((request) => request.url().includes("/operator/v1/Events/stream"));
    await page.getByRole("button", { name: "Paused" }).click();
    expect((await resumed).url()).toMatch(/LastEventId=\d+-\d+/);
    await delivered("+12125550142").waitFor();
    await delivered("+12125550142").click();
    const entry = page.getByRole("complementary", { name: "Entry" });
    await entry.getByRole("link", { name: "Open the message" }).click();
    await page.getByRole("complementary", { name: "Why" }).waitFor();
  });

  test("moves a port order along: PINs, a date, one number completed and one rejected", async () => {
    const { page } = operator;
    const [first, second] = strangeNumbers(2, "303") as [string, string];
    const phones = [{ number: first, pin: "4711" }, second];
    const { sid } = await portIn(account, await newConfig(account), phones);
    await page.goto(`${tandem.url}/operator/ports`);
    await page.getByRole("row", { name: "Harbor View Dental" }).waitFor();
    await look(page, "operator-ports");
    await page.getByRole("row", { name: "Harbor View Dental" }).click();
    await page.getByRole("button", { name: "Reveal the PINs" }).click();
    await page.getByRole("list", { name: "PINs" }).getByText("4711").waitFor();
    await page.getByLabel("The losing carrier lets go on").fill("2026-12-24T10:00");
    await look(page, "operator-port");
    await page.getByRole("button", { name: "Agree the date" }).click();
    await orderThatIs(account, sid, "FocConfirmed");
    await page.getByText("Date agreed").first().waitFor();
    await page.getByRole("checkbox", { name: second }).uncheck();
    await page.getByRole("button", { name: "Complete them" }).click();
    await page.getByText("texts moved").waitFor();
    await page.getByLabel("What is wrong").selectOption("PHONE_NUMBER_NOT_PORTABLE");
    await page.getByRole("button", { name: "Reject them" }).click();
    await page.getByText("Partly completed").waitFor();
    await orderThatIs(account, sid, "PartiallyCompleted");
    expect(await page.getByRole("button", { name: "Reject them" }).count()).toBe(0);
  });

  test("enters a campaign by hand, and suspends it", async () => {
    const { page } = operator;
    const id = newCampaignId();
    await page.goto(`${tandem.url}/operator/campaigns`);
    await page.getByRole("button", { name: "Enter a campaign" }).click();
    await page.getByLabel("Campaign id").fill(id);
    await page.getByLabel("Brand id").fill("BHARB01");
    await page.getByLabel("Name").fill("Reminders");
    await page.getByLabel("Account", { exact: true }).selectOption(account.sid);
    await look(page, "operator-campaign-form");
    await page.getByRole("button", { name: "Enter it" }).click();
    await page.getByRole("row", { name: id }).click();
    await page.getByRole("button", { name: "Suspend it" }).click();
    await page.getByRole("complementary").getByText("Suspended").waitFor();
    const told = await account.call(`/v1/TcrCampaigns/${id}`);
    expect(await told.json()).toMatchObject({ status: "Suspended", source: "Manual" });
    await look(page, "operator-campaigns");
  });

  test("shows whose a campaign is in the choice of its account before the accounts' names have come", async () => {
    const { page } = operator;
    let goOn = () => {};
    const isSeen = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/operator\/v1\/Accounts(\?|$)/, async (route) => {
      await isSeen;
      await route.continue();
    });
    await page.reload();
    const choice = page.getByRole("complementary").getByLabel("Account", { exact: true });
    expect(await choice.inputValue()).toBe(account.sid);
    goOn();
    await choice.getByText("Harbor View Dental").waitFor({ state: "attached" });
    expect(await choice.inputValue()).toBe(account.sid);
    await page.unrouteAll();
  });

  test("support finds a refused request and a message by their ids, and has no actions", async () => {
    const refused = await account.call("/messaging/v1/OutboundMessages", json("POST", { From: "+14155550199" }));
    const requestId = refused.headers.get("X-Request-Id") ?? "";
    await refused.body?.cancel();
    // Stored a moment after it was answered.
    const stored = async () => (await account.call("/v1/Requests")).text();
    await expect.poll(stored, UNTIL).toContain(requestId);
    const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: "night-desk", role: "support" }));
    const { token } = (await made.json()) as { token: string };
    const { page, complaints, context } = await enter(token);
    await page.goto(`${tandem.url}/operator/accounts`);
    await page.getByLabel("Request id").fill(requestId);
    await page.getByRole("button", { name: "Find", exact: true }).click();
    const verdict = page.locator(".verdict", { hasText: requestId });
    await verdict.getByText(`was refused with ${refused.status}`).waitFor();
    expect(await page.getByRole("button", { name: "Create an account" }).count()).toBe(0);
    await look(page, "operator-accounts-support");
    await verdict.getByRole("link", { name: "Harbor View Dental" }).click();
    await page.getByRole("heading", { name: "Harbor View Dental" }).waitFor();
    expect(await page.getByRole("button", { name: /Suspend|Switch|token|Change the limits/ }).count()).toBe(0);
    await look(page, "operator-account-support");
    const { number } = await newSender(tandem, tandem.database, account);
    const sent = await account.call(
      SEND,
      json("POST", { From: number, To: "+14155550100", Text: "Your table is ready" }),
    );
    const { sid } = await answerOf<{ sid: string }>(sent, 200);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill(sent.headers.get("X-Request-Id") ?? "");
    await page.getByRole("option", { name: "What became of this request" }).click();
    await page.getByText("Accepted: it made a message").waitFor();
    await look(page, "operator-request");
    await page.getByRole("link", { name: "Open the message" }).click();
    await page.getByRole("complementary", { name: "Why" }).getByRole("button", { name: sid }).waitFor();
    await look(page, "operator-message-support");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("support finds a person's texts by the number in any spelling, and one of them by its time", async () => {
    const { number } = await newSender(tandem, tandem.database, account);
    const order = json("POST", { From: number, To: "+12125550177", Text: "Your table is ready" });
    const { sid } = await answerOf<{ sid: string }>(await account.call(SEND, order), 200);
    const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: "day-desk", role: "support" }));
    const { token } = (await made.json()) as { token: string };
    const { page, complaints, context } = await enter(token);
    const finder = page.getByRole("combobox", { name: "Find or jump to" });
    await page.keyboard.press("Control+k");
    const found = page.getByRole("option", { name: "Texts to +12125550177: Harbor View Dental" });
    await finder.fill("2125550177");
    const highlighted = page.getByRole("option", { name: "What became of this request", selected: true });
    await highlighted.waitFor();
    await found.waitFor();
    expect(await page.getByRole("option").first().innerText()).toContain("Texts to +12125550177");
    expect(await highlighted.count()).toBe(1);
    await finder.fill("(212) 555-0177");
    await found.and(page.getByRole("option", { selected: true })).waitFor();
    await look(page, "operator-found");
    await found.click();
    await page.getByRole("row").filter({ hasText: "0177" }).click();
    await page.getByRole("complementary", { name: "Why" }).getByRole("button", { name: sid }).waitFor();
    await page.getByLabel("Since").fill("2099-01-01T00:00");
    await page.getByText("No such messages").waitFor();
    await page.getByLabel("Since").fill("2020-01-01T00:00");
    await page.getByRole("row").filter({ hasText: "0177" }).waitFor();
    await page.keyboard.press("Control+k");
    await finder.fill(number);
    await page.getByRole("option", { name: `${number} is Harbor View Dental's` }).waitFor();
    await finder.fill("harbor dent");
    await page.getByRole("option", { name: "Harbor View Dental", selected: true }).waitFor();
    await page.getByRole("group", { name: "Accounts" }).getByText("Harbor View Dental").click();
    await page.getByRole("tab", { name: "Received" }).click();
    await page.getByText("No texts yet").waitFor();
    await page.getByRole("tab", { name: "Deliveries" }).click();
    await page.getByText("No deliveries yet").waitFor();
    await page.getByRole("tab", { name: "Changes" }).click();
    await page
      .getByRole("row", { name: /createMessagingConfig/ })
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("has nothing to complain of", () => {
    expect(operator.complaints).toEqual([]);
  });
});
