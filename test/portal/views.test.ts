// Saved views: what a list is filtered by is in its address, gets a name, and is opened, renamed and deleted by it.

import { beforeAll, describe, expect, test } from "vitest";
import type { TestAccount } from "../contract/account.ts";
import { newMessenger, newSender } from "../contract/messages.ts";
import { answerOf, newNumber } from "../contract/numbers.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInAs, usePortal } from "./browser.ts";

const SIZES = [320, 375, 480, 760, 1024, 1180, 1440, 1920, 2560];

describe.skipIf(!chromiumPath)("saved views", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let account: TestAccount;
  let visitor: OpenPage;

  const enter = async (): Promise<OpenPage> => {
    const opened = await portal.open();
    await opened.page.goto(`${tandem.url}/sign-in`);
    await signInAs(opened.page, account);
    await opened.page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
    return opened;
  };
  const enterAsOperator = async (token: string): Promise<OpenPage> => {
    const opened = await portal.open();
    await opened.page.goto(`${tandem.url}/sign-in`);
    await opened.page.getByRole("tab", { name: "Operator" }).click();
    await opened.page.getByLabel("Operator token").fill(token);
    await opened.page.getByRole("button", { name: "Sign in" }).click();
    await opened.page.waitForURL(({ pathname }) => pathname !== "/sign-in");
    return opened;
  };
  const menu = ({ page }: OpenPage) => page.getByRole("button", { name: "Views", exact: true });
  const save = async (opened: OpenPage, name: string) => {
    await menu(opened).click();
    await opened.page.getByRole("menuitem", { name: "Save this view" }).click();
    await opened.page.getByLabel("Name", { exact: true }).fill(name);
    await opened.page.getByRole("button", { name: "Save it" }).click();
  };
  const addressOf = ({ page }: OpenPage) => page.url().slice(tandem.url.length);

  beforeAll(async () => {
    account = await newMessenger(tandem);
    await newSender(tandem, tandem.database, account);
    visitor = await enter();
  });

  test("a filtered list gets a name, and a colleague opens it by that", async () => {
    const { page } = visitor;
    await page.goto(`${tandem.url}/messages`);
    await page.getByLabel("Filter").fill("status:Failed");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=status:Failed/);
    const filtered = addressOf(visitor);
    await save(visitor, "Failed ones");
    await page.getByText("Saved as Failed ones.").waitFor();
    const colleague = await enter();
    await colleague.page.goto(`${tandem.url}/messages`);
    await menu(colleague).click();
    await colleague.page.getByRole("menuitemradio", { name: "Failed ones" }).click();
    await colleague.page.waitForURL(/q=status:Failed/);
    expect(addressOf(colleague)).toBe(filtered);
    await menu(colleague).click();
    const chosen = colleague.page.getByRole("menuitemradio", { name: "Failed ones", checked: true });
    await chosen.waitFor();
    expect(colleague.complaints).toEqual([]);
    await colleague.context.close();
  });

  test("a name that is taken is refused in the form", async () => {
    const { page } = visitor;
    await page.goto(`${tandem.url}/calls?q=status:Answered`);
    await save(visitor, "Failed ones");
    await page.getByText("There is a view named Failed ones already.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("On the line");
    await page.getByRole("button", { name: "Save it" }).click();
    await page.getByText("Saved as On the line.").waitFor();
  });

  test("views are found in the palette, renamed, deleted, and brought back", async () => {
    const { page } = visitor;
    await page.goto(`${tandem.url}/numbers`);
    await page.getByRole("heading", { level: 1, name: "Numbers" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find or jump to" }).fill("on the l");
    await page.getByRole("group", { name: "Saved views" }).getByRole("option", { name: "On the line" }).click();
    await page.waitForURL(/\/calls\?q=status:Answered$/);
    await menu(visitor).click();
    await page.getByRole("menuitem", { name: "All saved views" }).click();
    await page.getByRole("heading", { level: 1, name: "Saved views" }).waitFor();
    await page.getByRole("button", { name: "Rename On the line" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Talking now");
    await page.getByRole("button", { name: "Rename it" }).click();
    const row = page.getByRole("row", { name: /Talking now/ });
    await row.getByText("/calls?q=status:Answered").waitFor();
    await look(page, "views");
    await page.getByRole("button", { name: "Delete Talking now" }).click();
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await row.getByRole("link", { name: "Talking now" }).click();
    await page.waitForURL(/\/calls\?q=status:Answered$/);
  });

  test("what a list of free numbers is filtered by is in the address, too", async () => {
    const { page } = visitor;
    const free = await newNumber(tandem);
    await page.goto(`${tandem.url}/numbers`);
    await page.getByRole("button", { name: "Take a number" }).click();
    await page.getByLabel("Digits it contains").fill(free.slice(-7));
    await page.waitForURL(/digits=/);
    await page.reload();
    await page
      .getByRole("listitem")
      .filter({ hasText: free.slice(-4) })
      .waitFor();
  });

  test("an operator's views are their own", async () => {
    const made = async (name: string) => {
      const answer = await tandem.operator("/operator/v1/Tokens", json("POST", { name, role: "support" }));
      return (await answerOf<{ token: string }>(answer, 201)).token;
    };
    const one = await enterAsOperator(await made(`views-day-${account.sid.slice(-6)}`));
    const other = await enterAsOperator(await made(`views-night-${account.sid.slice(-6)}`));
    await one.page.goto(`${tandem.url}/operator/accounts/${account.sid}?tab=messages&status=Failed`);
    await save(one, "Their failures");
    await one.page.getByText("Saved as Their failures.").waitFor();
    await one.page.goto(`${tandem.url}/views`);
    await one.page.getByRole("link", { name: "Their failures" }).waitFor();
    await look(one.page, "operator-views");
    await other.page.goto(`${tandem.url}/views`);
    await other.page.getByText("No view is saved").waitFor();
    expect([...one.complaints, ...other.complaints]).toEqual([]);
    await one.context.close();
    await other.context.close();
  });

  test("the menu fits into every width", async () => {
    const { page } = visitor;
    await page.goto(`${tandem.url}/messages`);
    for (const width of SIZES) {
      await page.setViewportSize({ width, height: 800 });
      await menu(visitor).click();
      const box = await page.getByRole("menu", { name: "Views" }).boundingBox();
      expect({ width, isInside: box !== null && box.x >= 0 && box.x + box.width <= width }).toMatchObject({
        isInside: true,
      });
      expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
      await page.keyboard.press("Escape");
    }
    // The taken name was refused with 409, which the browser reports.
    expect(visitor.complaints.filter((complaint) => !/status of 409/.test(complaint))).toEqual([]);
  });
});
