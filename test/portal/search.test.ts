// Search: from the palette by Enter to a page with all that has a number, an id or words, and from there to each.

import { beforeAll, describe, expect, test } from "vitest";
import { markedParts } from "../../portal/src/screens/search/marked-parts.ts";
import type { TestAccount } from "../contract/account.ts";
import { emulateInbound, listen, newMessenger, newSender, send } from "../contract/messages.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInAs, usePortal } from "./browser.ts";

test.each([
  ["Your Bread is ready", "bread", "Your [Bread] is ready"],
  ["bread, BREAD", "read", "b[read], B[READ]"],
  ["a+b (c)", "b c", "a+[b] ([c])"],
  ["nothing", "…", "nothing"],
])("in “%s” “%s” is marked as %s", (text, query, marked) => {
  const shown = markedParts(text, query).map(({ part, isMarked }) => (isMarked ? `[${part}]` : part));
  expect(shown.join("")).toBe(marked);
});

describe.skipIf(!chromiumPath)("search", () => {
  const tandem = useTandem();
  const portal = usePortal();
  const PERSON = "+14154740231";
  let account: TestAccount;
  let visitor: OpenPage;
  let sid: string;

  beforeAll(async () => {
    account = await newMessenger(tandem);
    const { number } = await newSender(tandem, tandem.database, account);
    const ear = await listen(account);
    ({ sid } = await send(account, {
      From: number,
      To: PERSON,
      Text: "Your crème brûlée is ready, pick it up by six",
    }));
    await emulateInbound(account, { from: PERSON, to: [number], text: "Is the brulee <b>fresh</b>?" });
    await ear.statusesUntil(sid, "Delivered");
    await ear.inboundUntil(({ Text }) => String(Text).includes("fresh"));
    await ear.leave();
    visitor = await portal.open();
    await visitor.page.goto(`${tandem.url}/sign-in`);
    await signInAs(visitor.page, account);
    await visitor.page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
  });

  const group = (name: string) => visitor.page.getByRole("region", { name });

  test("words typed into the palette find texts, and a text opens", async () => {
    const { page } = visitor;
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find or jump to" }).fill("brulee");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/search\?q=brulee$/);
    const lines = group("Texts with these words").getByRole("listitem");
    await lines.first().getByText("fresh", { exact: false }).waitFor();
    expect(await lines.allInnerTexts()).toEqual([
      expect.stringContaining("Is the brulee <b>fresh</b>?"),
      expect.stringContaining("Your crème brûlée is ready"),
    ]);
    expect(await lines.first().locator("mark").allInnerTexts()).toEqual(["brulee"]);
    await look(page, "search");
    await lines.getByText("crème").click();
    await page.waitForURL(new RegExp(`/messages/${sid}`));
  });

  test("a number in any spelling finds its texts, a sid its record", async () => {
    const { page } = visitor;
    await page.goto(`${tandem.url}/search`);
    const field = page.getByLabel("Look for");
    await field.fill("(415) 474-0231");
    await field.press("Enter");
    await expect.poll(() => group("Texts with this number").getByRole("listitem").count()).toBe(2);
    await field.fill(sid);
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await group("By its id")
      .getByRole("link", { name: /^Message/ })
      .waitFor();
    await page.goBack();
    await expect.poll(() => field.inputValue()).toBe("(415) 474-0231");
  });

  test("what is not there says so, and searches all times", async () => {
    const { page } = visitor;
    await page.goto(`${tandem.url}/search?q=zabaglione`);
    await page.getByText("Nothing has “zabaglione”").waitFor();
    await page.getByRole("button", { name: "Search texts of any time" }).click();
    await page.waitForURL(/since=all/);
    await page.getByText("Nothing has “zabaglione”").waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
