// What a page asks of the server for one text while a long list is open.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { TestAccount } from "../contract/account.ts";
import { newMessenger, newSender, SEND, type Sender, UNTIL } from "../contract/messages.ts";
import { answerOf } from "../contract/numbers.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { type OpenPage, signInAs, usePortal } from "./browser.ts";

const PERSON = "+14154740217";
const PAGES = 60;
const ROWS = 50 * PAGES;

describe.skipIf(!chromiumPath)("a page with a long list", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let account: TestAccount;
  let sender: Sender;
  let visitor: OpenPage;
  let isCompressed = true;
  const asked: string[] = [];

  beforeAll(async () => {
    account = await newMessenger(tandem);
    sender = await newSender(tandem, tandem.database, account);
    await tandem.database.query(
      `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding,
                                      priority, created_at, expires_at)
       select $1, 'OM0199' || lpad(to_hex(n), 28, '0'), $2, $3, 'Text ' || n, 'Delivered', 1, 'GSM7', 2, now(), now()
         from generate_series(1, ${ROWS}) as n`,
      [account.sid, sender.number, PERSON],
    );
    visitor = await portal.open();
    const { page } = visitor;
    await page.goto(`${tandem.url}/sign-in`);
    await signInAs(page, account);
    await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      // Not what is asked for by the clock.
      if (/\/v1\//.test(pathname) && !/\/(stream|Attention)$/.test(pathname)) asked.push(pathname + search);
    });
    page.on("response", async (response) => {
      if (!/OutboundMessages\?/.test(response.url())) return;
      isCompressed &&= (await response.allHeaders())["content-encoding"] === "gzip";
    });
    await page.goto(`${tandem.url}/messages`);
    await page.locator(".live", { hasText: /^Live/ }).waitFor();
    await loadAll(page);
  });

  const list = (page: Page) => page.getByRole("region", { name: "Messages", exact: true });
  const rowCount = async (page: Page) => Number(await list(page).getByRole("table").getAttribute("aria-rowcount")) - 1;

  const scrollTo = (page: Page, place: "head" | "end") =>
    page.evaluate(`document.querySelector("section[aria-label=Messages]").scrollTo(0, ${place === "end" ? 1e9 : 0})`);

  async function loadAll(page: Page): Promise<void> {
    const scrolled = async () => {
      await scrollTo(page, "end");
      return rowCount(page);
    };
    await vi.waitFor(async () => expect(await scrolled()).toBe(ROWS), UNTIL);
  }

  const send = async (text: string) => {
    const sent = await account.call(SEND, json("POST", { From: sender.number, To: PERSON, Text: text }));
    return answerOf<{ readonly sid: string }>(sent, 200);
  };
  const shown = (page: Page, text: string) => list(page).getByRole("row", { name: new RegExp(`${text}.*Delivered`) });

  test("asks three times at most for a text, and shows it Delivered", async () => {
    const { page } = visitor;
    await scrollTo(page, "head");
    await list(page)
      .getByRole("row", { name: /Text 3000/ })
      .waitFor();
    asked.length = 0;
    await send("Your table is ready");
    await shown(page, "Your table is ready").waitFor();
    expect(await rowCount(page)).toBe(ROWS + 1);
    expect({ asked, isFew: asked.length <= 3 }).toMatchObject({ isFew: true });
  });

  test("asks no more for one while its end is in sight, and shows it when the list is scrolled back", async () => {
    const { page } = visitor;
    await scrollTo(page, "end");
    await list(page)
      .getByRole("row", { name: /Text 1\b/ })
      .waitFor();
    asked.length = 0;
    const { sid } = await send("Your car is ready");
    // The conversations beside the list show it first.
    await page.getByRole("complementary", { name: "Conversations" }).getByText("Your car is ready").waitFor();
    await expect
      .poll(async () => (await (await account.call(`${SEND}/${sid}`)).json()) as object, UNTIL)
      .toMatchObject({
        status: "Delivered",
      });
    expect({ asked, isFew: asked.length <= 3 }).toMatchObject({ isFew: true });
    await scrollTo(page, "head");
    await shown(page, "Your car is ready").waitFor();
    expect(await rowCount(page)).toBe(ROWS + 2);
  });

  test("has only the rows in sight of a plain list, too, and reads its pages as it is scrolled", async () => {
    const { page } = visitor;
    await tandem.database.query(
      `insert into opt_outs (account_sid, number, scope_type, scope, created_at)
       select $1, '+1415475' || lpad(n::text, 4, '0'), 'SenderPhoneNumber', $2, now() from generate_series(1, 400) as n`,
      [account.sid, sender.number],
    );
    await page.goto(`${tandem.url}/opt-outs`);
    const optOuts = page.getByRole("region", { name: "Opt-outs" });
    await optOuts.getByRole("row").nth(20).waitFor();
    await page.evaluate("document.querySelector('section[aria-label=Opt-outs]').scrollTo(0, 1e9)");
    const table = optOuts.getByRole("table");
    await expect.poll(async () => Number(await table.getAttribute("aria-rowcount")), UNTIL).toBeGreaterThan(51);
    expect(await optOuts.getByRole("row").count()).toBeLessThan(50);
  });

  test("gets its lists compressed", () => {
    expect(isCompressed).toBe(true);
  });
});
