// The statistics of the portal: their figures are the lists', a bar leads to the list behind it by mouse and by
// keyboard, and an account without traffic learns how to have some.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { newSender, SEND, send, UNTIL } from "../contract/messages.ts";
import { answerOf, type List, WIDE } from "../contract/numbers.ts";
import { type HealthyReceiver, startHealthy } from "../faults/webhook-receivers.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInAs, usePortal } from "./browser.ts";

interface Listed {
  readonly status: string;
  readonly endReason?: string | null;
}

const LISTS = {
  "Messages by status": SEND,
  "Calls by outcome": "/v1/Voice/Calls",
  "Webhook deliveries": "/v1/Webhooks/deliveries",
} as const;
type Title = keyof typeof LISTS;
const TITLES = Object.keys(LISTS) as Title[];

describe.skipIf(!chromiumPath)("the statistics", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let account: TestAccount;
  let receiver: HealthyReceiver;
  let visitor: OpenPage;

  const list = async (title: Title) =>
    (await answerOf<List<Listed>>(await account.call(`${LISTS[title]}?PageSize=100`), 200)).items;

  /** "Delivered 4", as the list has them. */
  const listedSums = async (title: Title) => {
    const outcomes = (await list(title)).map(({ endReason, status }) => endReason ?? status);
    return [...new Set(outcomes)]
      .map((outcome) => `${outcome} ${outcomes.filter((one) => one === outcome).length}`)
      .sort();
  };

  const chart = (title: Title) => visitor.page.getByRole("region", { name: title, exact: true });
  const shownSums = async (title: Title) => {
    const sums = await chart(title)
      .locator(".statistics-sums > div", { has: visitor.page.locator("a") })
      .all();
    const texts = await Promise.all(
      sums.map(
        async (sum) => `${await sum.locator("dt").innerText()} ${/\d+/.exec(await sum.locator("a").innerText())}`,
      ),
    );
    return texts.sort();
  };

  beforeAll(async () => {
    receiver = await startHealthy();
    const limits = { read: WIDE, write: WIDE, send: WIDE, sendToRecipient: WIDE, call: WIDE };
    account = await newAccount(tandem, { features: ["voice"], limits });
    visitor = await portal.open();
    await visitor.page.goto(`${tandem.url}/sign-in`);
    await signInAs(visitor.page, account);
    await visitor.page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
  });
  afterAll(() => receiver.close());

  test("an account without traffic is told how to have some", async () => {
    const { page } = visitor;
    await page.getByRole("link", { name: "Statistics" }).click();
    await page.getByRole("heading", { level: 1, name: "Statistics" }).waitFor();
    for (const title of TITLES) {
      await chart(title).getByText("None in the last 24 hours").waitFor();
      await chart(title).locator(".code-box, code, pre").first().waitFor();
    }
  });

  const asks = (params: URLSearchParams, filter: string) => params.get("q")?.includes(filter) === true;

  describe("of traffic", () => {
    beforeAll(async () => {
      const { number } = await newSender(tandem, tandem.database, account);
      const types = { types: ["OutboundMessageStatusChanged"] };
      await answerOf(await account.call("/v1/Webhooks", json("POST", { ...types, url: receiver.url })), 201);
      await answerOf(await account.call("/v1/Webhooks", json("POST", { ...types, url: "http://127.0.0.1:1/" })), 201);
      const lines = ["0100", "0101", "0106", "0109"].flatMap((line) => [`+1415555${line}`, `+1212555${line}`]);
      await Promise.all(lines.map((To) => send(account, { From: number, To, Text: "Hello" })));
      for (const to of ["+14155550101", "+14155550103"]) {
        const order = { from: "+14155550111", to, callerId: number };
        await answerOf(await account.call("/v1/Voice/Calls", json("POST", order)), 201);
      }
    });

    test("the figures are the lists', for one request a chart", async () => {
      const { page } = visitor;
      const countOf = async (title: Title, wanted: string) =>
        (await list(title)).filter(({ status }) => status === wanted).length;
      // Two lines send no receipt.
      const unsettled = async () => [
        await countOf("Messages by status", "Queued"),
        await countOf("Messages by status", "Sent"),
      ];
      await expect.poll(unsettled, UNTIL).toEqual([0, 2]);
      await expect
        .poll(async () => (await list("Calls by outcome")).every(({ status }) => status === "Completed"), UNTIL)
        .toBe(true);
      // One of the two receivers takes everything, the other nothing.
      const deliveries = "Webhook deliveries";
      await expect
        .poll(async () => 2 * (await countOf(deliveries, "Delivered")) === (await list(deliveries)).length, UNTIL)
        .toBe(true);
      for (const title of TITLES) {
        await expect
          .poll(async () => {
            await page.goto(`${tandem.url}/statistics`);
            await chart(title).locator(".statistics-sums").waitFor();
            return { shown: await shownSums(title), listed: await listedSums(title) };
          }, UNTIL)
          .toSatisfy(({ shown, listed }) => listed.length > 1 && shown.join() === listed.join());
      }
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${tandem.url}/statistics?span=month`);
      for (const title of TITLES) await chart(title).locator(".statistics-sums").waitFor();
      expect(asked.filter((path) => path === "/v1/Statistics")).toHaveLength(TITLES.length);
      for (const title of TITLES) expect(await shownSums(title)).toEqual(await listedSums(title));
    });

    test("a bar leads to its list, by mouse and by keyboard", async () => {
      const { page } = visitor;
      await page.goto(`${tandem.url}/statistics`);
      const bars = chart("Messages by status").getByRole("group", { name: "Messages by the hour" });
      const failed = bars.getByRole("link", { name: /\d Failed$/ }).last();
      const count = Number(/(\d+) Failed$/.exec((await failed.getAttribute("aria-label")) ?? "")?.[1]);
      await failed.click();
      await page.waitForURL(
        ({ pathname, searchParams }) => pathname === "/messages" && asks(searchParams, "status:Failed"),
      );
      const rows = page.getByRole("region", { name: "Messages", exact: true }).locator("tbody tr:not(.table-spacer)");
      await rows.nth(count - 1).waitFor();
      expect(await rows.count()).toBe(count);
      expect(new URL(page.url()).searchParams.get("q")).toMatch(
        /^status:Failed since:\S+:00:00\.000Z until:\S+:59:59\.999Z$/,
      );
      await page.goBack();
      await bars
        .getByRole("link", { name: /Delivered/ })
        .first()
        .focus();
      await page.keyboard.press("ArrowUp");
      const label = await page.evaluate("document.activeElement.getAttribute('aria-label')");
      expect(label).not.toMatch(/Delivered/);
      await page.keyboard.press("Enter");
      await page.waitForURL(
        ({ pathname, searchParams }) => pathname === "/messages" && !asks(searchParams, "status:Delivered"),
      );
    });

    test("a list that has more than the bar says so, and deliveries have a list of all webhooks", async () => {
      const { page } = visitor;
      await page.goto(`${tandem.url}/statistics?span=week`);
      const calls = chart("Calls by outcome").getByRole("group");
      const busy = calls.getByRole("link", { name: /UTC: \d+ \w+\. The list shows all calls that ended, however$/ });
      await busy.first().waitFor();
      const carriers = chart("Messages by status").getByRole("group", { name: "Messages by carrier" });
      await carriers
        .getByRole("link", { name: /The list shows all carriers$/ })
        .first()
        .waitFor();
      for (const title of TITLES) await chart(title).getByText("As a table").click();
      await chart("Webhook deliveries").getByRole("columnheader", { name: "Pending" }).waitFor();
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await page.evaluate("document.querySelector('main').scrollWidth > innerWidth")).toBe(false);
      await look(page, "statistics");
      await chart("Webhook deliveries").locator(".statistics-sums a").first().click();
      await page.getByRole("heading", { level: 1, name: "All deliveries" }).waitFor();
      expect(new URL(page.url()).searchParams.get("q")).toMatch(/^status:Delivered since:/);
      const delivered = (await list("Webhook deliveries")).filter(({ status }) => status === "Delivered").length;
      const rows = page.getByRole("region", { name: "Deliveries", exact: true }).getByRole("table");
      await expect.poll(() => rows.getAttribute("aria-rowcount"), UNTIL).toBe(String(delivered + 1));
      await look(page, "deliveries");
      expect(visitor.complaints).toEqual([]);
    });
  });
});
