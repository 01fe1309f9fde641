// Screens before their data has arrived, and when it does not arrive: they show no false zero and no false empty list,
// and a problem with the request's id that a retry clears.

import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { TestAccount } from "../contract/account.ts";
import { newMessenger, newSender, UNTIL } from "../contract/messages.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { useTandem } from "../use-tandem.ts";
import { type OpenPage, usePortal } from "./browser.ts";

/** What a screen shows when it is empty. */
const NOTHING = /.{0,40}(\b0\b|\bNo (?!SMS)\w+|\bNone\b|\bNothing\b|\bNobody\b|\bQuiet\b|\ball is well\b).{0,40}/i;

const REQUEST_ID = "held-by-the-test";
const DATA = /\/(v1|messaging\/v1|operator\/v1|readyz|swagger)\b/;

/** Holds all requests for data except the session's; can refuse them or let them pass. */
class Gate {
  readonly #held = new Set<Route>();
  #isOpen = true;

  async guard(page: Page): Promise<void> {
    await page.route(DATA, async (route) => {
      if (this.#isOpen || route.request().url().endsWith("/v1/Session")) await route.continue();
      else this.#held.add(route);
    });
  }

  close(): void {
    this.#isOpen = false;
  }

  open(): void {
    this.#isOpen = true;
  }

  async refuse(): Promise<void> {
    const body = JSON.stringify({
      title: "Not now",
      status: 403,
      code: "not-available",
      detail: "The gate is closed.",
    });
    const headers = { "Content-Type": "application/json", "X-Request-Id": REQUEST_ID };
    const held = [...this.#held];
    this.#held.clear();
    // A page that was left has aborted its requests.
    for (const route of held) await route.fulfill({ status: 403, headers, body }).catch(() => undefined);
  }
}

describe.skipIf(!chromiumPath)("the portal before its data is there", () => {
  const tandem = useTandem();
  const portal = usePortal();
  const gate = new Gate();

  const enter = async (fill: (page: Page) => Promise<void>): Promise<OpenPage> => {
    const opened = await portal.open();
    await gate.guard(opened.page);
    await opened.page.goto(`${tandem.url}/sign-in`);
    await fill(opened.page);
    gate.close();
    await opened.page.getByRole("button", { name: "Sign in" }).click();
    await opened.page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
    return opened;
  };

  const go = async (page: Page, name: string): Promise<void> => {
    await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name, exact: true }).click();
    await page.getByRole("navigation", { name: "Where you are" }).getByText(name, { exact: true }).waitFor();
  };

  /** Answers that there are too many requests for numbers; returns the addresses that were asked for. */
  const refusePhones = async (page: Page): Promise<readonly string[]> => {
    const asked: string[] = [];
    const body = JSON.stringify({ title: "Too many requests.", status: 429, code: "rate-limited" });
    const headers = { "Content-Type": "application/json", "Retry-After": "4", "X-Request-Id": REQUEST_ID };
    await page.route(/\/v1\/Phones(\?|$)/, async (route) => {
      asked.push(route.request().url());
      await route.fulfill({ status: 429, headers, body });
    });
    return asked;
  };

  /** Refuses requests until the page shows the refusal. */
  const untilRefused = async (page: Page): Promise<void> => {
    const refused = async () => {
      await gate.refuse();
      return page.getByRole("main").getByText(`req ${REQUEST_ID}`).count();
    };
    await expect.poll(refused, UNTIL).toBeGreaterThan(0);
    await page.getByRole("main").getByRole("button", { name: "Try again" }).first().waitFor();
  };

  /** Opens the screen while nothing is answered and checks what it shows; then checks what it shows for a refusal. */
  const visit = async (page: Page, name: string): Promise<void> => {
    const saidOf = async () => ({ name, said: NOTHING.exec(await page.getByRole("main").innerText())?.[0] });
    await go(page, name);
    await page.getByRole("main").locator(".loading, [role=alert]").first().waitFor({ state: "attached" });
    expect(await saidOf()).toEqual({ name, said: undefined });
    await untilRefused(page);
    expect(await saidOf()).toEqual({ name, said: undefined });
  };

  describe("of an account", () => {
    let account: TestAccount;
    let visitor: OpenPage;
    beforeAll(async () => {
      gate.open();
      account = await newMessenger(tandem);
      const { sid, token } = account;
      visitor = await enter(async (page) => {
        await page.getByLabel("Account SID").fill(sid);
        await page.getByLabel("Token").fill(token);
      });
    });

    test.each(["Home", "Live log", "Messages", "Calls", "Webhooks", "Numbers", "Campaigns", "Sandbox", "Account"])(
      "%s says nothing that is not so",
      async (name) => visit(visitor.page, name),
    );

    test("loads when it is tried again", async () => {
      const { page } = visitor;
      await go(page, "Numbers");
      await untilRefused(page);
      gate.open();
      await page.getByRole("main").getByRole("button", { name: "Try again" }).click();
      await page.getByText("No numbers yet").waitFor();
    });

    test("says at once that there are too many requests, counts down, and loads by itself", async () => {
      const { page } = visitor;
      gate.open();
      const asked = await refusePhones(page);
      await page.goto(`${tandem.url}/numbers`);
      await page
        .getByRole("main")
        .getByText(/Again by itself in \d s\./)
        .waitFor();
      // After the first answer, not after retries.
      expect(asked).toEqual([...new Set(asked)]);
      await page.unrouteAll();
      await gate.guard(page);
      await page.getByText("No numbers yet").waitFor();
    });

    test("says that what it shows may be old when it cannot be read again, counts down, and reads it", async () => {
      const { page } = visitor;
      const rowOf = (number: string) => page.getByRole("row").filter({ hasText: number.slice(-4) });
      await page.locator(".live", { hasText: /^Live/ }).waitFor();
      const first = await newSender(tandem, tandem.database, account);
      await rowOf(first.number).waitFor();
      await refusePhones(page);
      const second = await newSender(tandem, tandem.database, account);
      const note = page.getByRole("status").filter({ hasText: "What is shown may be old." });
      await note.getByText(/Again by itself in \d s\./).waitFor();
      await rowOf(first.number).waitFor();
      await page.unrouteAll();
      await gate.guard(page);
      await rowOf(second.number).waitFor();
      await note.waitFor({ state: "hidden" });
    });
  });

  describe("of an operator", () => {
    let visitor: OpenPage;
    beforeAll(async () => {
      gate.open();
      visitor = await enter(async (page) => {
        await page.getByRole("tab", { name: "Operator" }).click();
        await page.getByLabel("Operator token").fill(tandem.operatorToken);
      });
    });

    test.each([
      "Overview",
      "Live log",
      "Links",
      "Routes",
      "Inventory",
      "Lookup overrides",
      "Accounts",
      "Port orders",
      "Campaigns",
      "Nodes",
      "Audit log",
    ])("%s says nothing that is not so", async (name) => visit(visitor.page, name));
  });
});
