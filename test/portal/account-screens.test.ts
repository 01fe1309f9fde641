// An account that begins with nothing: its first run starts with a number, which gets a MessagingConfig; a conversation
// in which two numbers speak; and a number that is opted out, and in again.

import { beforeAll, describe, expect, test } from "vitest";
import type { TestAccount } from "../contract/account.ts";
import { emulateInbound, newMessenger, newSender, type Sender } from "../contract/messages.ts";
import { answerOf, bringCampaign, type List, newNumber, take } from "../contract/numbers.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInAs, usePortal } from "./browser.ts";

const PERSON = "+14154740200";
/** 640 and 720: pages of 1280 and 1440 at 200 %. */
const WIDTHS = [320, 375, 640, 720, 768, 1024, 1280, 1920, 2560];

describe.skipIf(!chromiumPath)("the screens of an account", () => {
  const tandem = useTandem();
  const portal = usePortal();

  const enter = async (account: TestAccount): Promise<OpenPage> => {
    const opened = await portal.open();
    await opened.page.goto(`${tandem.url}/sign-in`);
    await signInAs(opened.page, account);
    await opened.page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
    return opened;
  };

  test("the first run begins with taking a number, and leads to its MessagingConfig", async () => {
    const account = await newMessenger(tandem);
    const free = await newNumber(tandem);
    const { tcrCampaignId } = await bringCampaign(tandem.database, account.sid);
    const { page, complaints, context } = await enter(account);
    await page.getByRole("heading", { level: 1, name: "Take a number" }).waitFor();
    await page.getByLabel("Digits it contains").fill(free.slice(-7));
    const offered = page.getByRole("listitem").filter({ hasText: free.slice(-4) });
    await offered.getByRole("button", { name: "Take" }).waitFor();
    await look(page, "first-number");
    await offered.getByRole("button", { name: "Take" }).click();
    await page.getByRole("link", { name: "Go on" }).click();
    await page.getByRole("link", { name: "Make a MessagingConfig" }).click();
    // The page before has a field of this name, too.
    await page.getByRole("heading", { level: 1, name: "New MessagingConfig" }).waitFor();
    await page.getByLabel("Name").fill("Reminders");
    await page.getByLabel("Campaign").selectOption(tcrCampaignId);
    await page.getByLabel("Only at certain times").check();
    await page.getByLabel("Sat").check();
    await page.getByLabel("Reply: asking for help").fill("Call us: 555 0100.");
    await page.getByLabel("Further keywords: opting out").fill("ENOUGH, NO MORE");
    await look(page, "config-new");
    await page.getByRole("button", { name: "Make it" }).click();
    await page.getByRole("heading", { level: 1, name: "Reminders" }).waitFor();
    await look(page, "config");
    const { items } = await answerOf<List<object>>(await account.call("/v1/MessagingConfigs"), 200);
    expect(items).toMatchObject([
      {
        tcrCampaignId,
        helpReply: "Call us: 555 0100.",
        optOutKeywords: ["ENOUGH", "NO MORE"],
        sendingTimes: { days: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"], timeZone: "America/New_York" },
      },
    ]);
    await page.getByLabel("Only at certain times").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByRole("link", { name: "MessagingConfigs" }).first().click();
    await page
      .getByRole("row", { name: /Reminders/ })
      .getByText("at any time")
      .waitFor();
    await look(page, "configs");
    await page.goto(`${tandem.url}/numbers/${encodeURIComponent(free)}`);
    await page.getByLabel("MessagingConfig").selectOption({ label: `Reminders (${tcrCampaignId})` });
    await page.getByRole("button", { name: "Save" }).first().click();
    await page.getByText("Active", { exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  describe("of an account with two numbers", () => {
    let account: TestAccount;
    let senders: readonly [Sender, Sender];
    let visitor: OpenPage;

    beforeAll(async () => {
      account = await newMessenger(tandem);
      senders = [await newSender(tandem, tandem.database, account), await newSender(tandem, tandem.database, account)];
      visitor = await enter(account);
    });

    test("a conversation shows which number speaks, and lets one choose", async () => {
      const { page } = visitor;
      const [{ number: one }, { number: two }] = senders;
      await emulateInbound(account, { from: PERSON, to: [one], text: "Are you open?" });
      await page.goto(`${tandem.url}/messages/${PERSON}`);
      const bubbles = page.getByRole("region", { name: "Texts" });
      await bubbles.getByText("Are you open?").waitFor();
      const from = page.getByLabel("From");
      expect(await from.inputValue()).toBe(one);
      await from.selectOption(two);
      await page.getByRole("textbox", { name: "Text", exact: true }).fill("Until six");
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await bubbles.getByText("Until six").waitFor();
      await bubbles.getByText(/^from/).getByText(two.slice(-4)).waitFor();
      await bubbles.getByText(/^to/).getByText(one.slice(-4)).waitFor();
      expect(await from.inputValue()).toBe(two);
      await look(page, "conversation-two");
      const sent = await answerOf<List<object>>(await account.call("/v1/OutboundMessages"), 200);
      expect(sent.items).toMatchObject([{ from: two, to: PERSON, text: "Until six" }]);
    });

    test("a conversation sends nothing before it is known which number speaks in it", async () => {
      const { page } = visitor;
      const [, { number }] = senders;
      let goOn = () => {};
      const isTyped = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await page.route(/\/OutboundMessages\?.*\bTo=/, async (route) => {
        await isTyped;
        await route.continue();
      });
      const phones = page.waitForResponse(/\/v1\/Phones\?/);
      await page.goto(`${tandem.url}/messages/${PERSON}`);
      await page.getByRole("textbox", { name: "Text", exact: true }).fill("Too early");
      await (await phones).finished();
      const send = page.getByRole("button", { name: "Send", exact: true });
      expect(await send.isDisabled()).toBe(true);
      expect(await page.getByLabel("From").count()).toBe(0);
      goOn();
      await send.and(page.locator(":enabled")).waitFor();
      expect(await page.getByLabel("From").inputValue()).toBe(number);
      await page.unrouteAll();
    });

    test("what is typed about a number's calls stays when something else of the number is saved", async () => {
      const { page } = visitor;
      const [{ number }] = senders;
      await page.goto(`${tandem.url}/numbers/${encodeURIComponent(number)}`);
      const target = page.getByLabel("Calls go to");
      await target.fill("sip:front-desk@example.com");
      await page.getByLabel("Name", { exact: true }).fill("Front desk");
      const readAgain = page.waitForResponse(
        (answer) => answer.request().method() === "GET" && /voice$/.test(answer.url()),
      );
      await page.getByRole("button", { name: "Save" }).first().click();
      await (await readAgain).finished();
      await page.locator(".page-sub").getByText("Front desk").waitFor();
      expect(await target.inputValue()).toBe("sip:front-desk@example.com");
    });

    test("J and K move the focus in a list, and a chosen row is seen in forced colours", async () => {
      const { page } = visitor;
      await page.goto(`${tandem.url}/numbers`);
      const rows = page.locator("tbody tr");
      await rows.nth(1).waitFor();
      const focused = page.locator("tbody tr:focus");
      await page.keyboard.press("j");
      expect(await focused.innerText()).toBe(await rows.nth(0).innerText());
      await page.keyboard.press("j");
      expect(await focused.innerText()).toBe(await rows.nth(1).innerText());
      await page.keyboard.press("k");
      expect(await focused.innerText()).toBe(await rows.nth(0).innerText());
      await page.emulateMedia({ forcedColors: "active" });
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
      await page.emulateMedia({ forcedColors: "none" });
      await page.keyboard.press("Enter");
      await page.waitForURL(({ pathname }) => pathname.startsWith("/numbers/"));
    });

    test("the explorer fills in a number that can send, however new another one is", async () => {
      const { page } = visitor;
      const { number: newest } = await take(account, await newNumber(tandem));
      await page.goto(`${tandem.url}/api/sendMessage`);
      const from = page.getByLabel(/^From/).first();
      await from.waitFor();
      expect(senders.map(({ number }) => number)).toContain(await from.inputValue());
      await account.call(`/v1/Phones/${encodeURIComponent(newest)}`, { method: "DELETE" });
    });

    test("what has something to show fits every width, 200 % zoom included", async () => {
      const { page } = visitor;
      const [{ number }] = senders;
      const { items } = await answerOf<List<{ sid: string }>>(await account.call("/v1/OutboundMessages"), 200);
      const conversations = ["/messages", `/messages/${PERSON}`, `/messages/${items[0]?.sid}`];
      const filled = ["/", "/log", ...conversations, "/numbers", `/numbers/${number}`, "/configs", "/campaigns"];
      for (const path of [
        ...filled,
        "/lookup",
        "/sandbox",
        "/api/sendMessage",
        "/account",
        "/statistics",
        "/calls",
        "/webhooks",
      ]) {
        await page.goto(tandem.url + path);
        await page.getByRole("main").getByRole("heading").first().waitFor({ state: "attached" });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const wide = await page.evaluate(
            "[document.documentElement, document.querySelector('main')].map((box) => box.scrollWidth - box.clientWidth)",
          );
          expect({ path, width, wide }).toEqual({ path, width, wide: [0, 0] });
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    test("somebody is opted out by hand, and in again", async () => {
      const { page } = visitor;
      const [{ number }] = senders;
      await page.goto(`${tandem.url}/opt-outs`);
      await page.getByText("Nobody has opted out").waitFor();
      await page.getByRole("button", { name: "Opt somebody out" }).click();
      await page.getByLabel("Who").fill("(415) 474-0277");
      await page.getByLabel("Wants no texts from").selectOption(number);
      await page.getByRole("button", { name: "Opt them out" }).click();
      await page.getByText("+14154740277 gets no more texts from there.").waitFor();
      await page.getByLabel("Number", { exact: true }).fill("415 474 0277");
      const row = page.getByRole("row").filter({ hasText: "0277" });
      await row.getByText("entered by hand").waitFor();
      await look(page, "opt-outs");
      await row.getByRole("button", { name: "Take away" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Take the opt-out away" }).click();
      await page.getByText("has not opted out").waitFor();
      expect(visitor.complaints).toEqual([]);
    });
  });
});
