// A person of an account copies a link for support; support opens the operator's view of the same thing from it.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { newSender, SEND } from "../contract/messages.ts";
import { answerOf, type List, WIDE } from "../contract/numbers.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInAs, usePortal } from "./browser.ts";

const NAME = `opens-links-${process.pid}-${Date.now()}`;
/** One is delivered, the other is not. */
const [GOOD, BAD] = ["+12125550100", "+12125550103"];

describe.skipIf(!chromiumPath)("links for support", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let account: TestAccount;
  let person: OpenPage;
  let support: OpenPage;
  let sids: readonly [string, string];

  beforeAll(async () => {
    account = await newAccount(tandem, { name: "Harbor View Dental", limits: { send: WIDE, write: WIDE } });
    const { number } = await newSender(tandem, tandem.database, account);
    const text = async (to: string) => {
      const sent = await account.call(SEND, json("POST", { From: number, To: to, Text: "Your table is ready" }));
      return (await answerOf<{ sid: string }>(sent, 200)).sid;
    };
    sids = [await text(GOOD), await text(BAD)];
    const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: NAME, role: "support" }));
    const { token } = await answerOf<{ token: string }>(made, 201);
    person = await portal.open();
    await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await person.page.goto(`${tandem.url}/sign-in`);
    await signInAs(person.page, account);
    await person.page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
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

  /** Of what the person sees now. */
  const copiedLink = async (): Promise<string> => {
    const { page } = person;
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await page.getByRole("menuitem", { name: "Copy link for support" }).click();
    const note = page.getByText("Link for support copied");
    await note.waitFor();
    await page.getByRole("button", { name: "Close this note" }).click();
    await note.waitFor({ state: "detached" });
    return String(await page.evaluate("navigator.clipboard.readText()"));
  };

  test("a filtered list is seen by support with its filter, and the link says nothing of it", async () => {
    const { page } = person;
    await page.goto(`${tandem.url}/messages?q=to:%2B12125550103+since:2h`);
    await page.getByRole("row").filter({ hasText: "0103" }).waitFor();
    const link = await copiedLink();
    expect(link).toMatch(new RegExp(`^${tandem.url}/support/SL[0-9a-f]{32}$`));
    await support.page.goto(link);
    await support.page.getByRole("heading", { level: 1, name: "Harbor View Dental" }).waitFor();
    await support.page.getByRole("row").filter({ hasText: "0103" }).waitFor();
    expect(await support.page.getByRole("row").filter({ hasText: "0100" }).count()).toBe(0);
    expect(await support.page.getByLabel("To", { exact: true }).inputValue()).toBe(BAD);
    expect(await support.page.getByLabel("Since").inputValue()).not.toBe("");
    await look(support.page, "support-messages");
    const log = await tandem.operator(`/operator/v1/AuditLog?Operator=${NAME}`);
    const actions = (await answerOf<List<{ action: string }>>(log, 200)).items.map(({ action }) => action);
    expect(actions).toContain("openSupportLink");
    expect(actions).toContain("listOutboundMessagesOfAccount");
  });

  test("one text is seen by support with why", async () => {
    const { page } = person;
    await page.goto(`${tandem.url}/messages/${sids[1]}`);
    await page.getByRole("complementary", { name: "Why" }).waitFor();
    await support.page.goto(await copiedLink());
    await support.page.getByRole("complementary", { name: "Why" }).getByRole("button", { name: sids[1] }).waitFor();
  });

  test("a person of an account is told whom the link is for", async () => {
    const { page } = person;
    await page.goto(`${tandem.url}/calls`);
    const link = await copiedLink();
    await page.goto(link);
    await page.getByText("This link is for support").waitFor();
    await look(page, "support-link");
    expect(person.complaints).toEqual([]);
  });

  test("support is told of a link that is no more", async () => {
    const { page } = support;
    await page.goto(`${tandem.url}/support/SL${"0".repeat(32)}`);
    await page.getByText("The link did not open").waitFor();
    expect(await page.getByRole("button", { name: "Views", exact: true }).count()).toBe(1);
    await page.getByRole("button", { name: "Views", exact: true }).click();
    expect(await page.getByRole("menuitem", { name: "Copy link for support" }).count()).toBe(0);
    expect(support.complaints.filter((complaint) => !/status of 404/.test(complaint))).toEqual([]);
  });
});
