// A first visit to the portal: sign-in by the link that `npm start` prints, a text, a reply, a text that fails, and a
// tour, also as an operator.

import { gzipSync } from "node:zlib";
import type { Response } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { chromiumPath } from "../peers/chromium.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInLink, usePortal } from "./browser.ts";

const SCRIPT_KB_MAX = 200;
const PHONE = "+14154740200";
const SPAM = "+17205550104";

describe.skipIf(!chromiumPath)("the portal", () => {
  const tandem = useTandem({});
  const portal = usePortal();
  let visitor: OpenPage;
  let link = "";
  const scripts = new Map<string, Promise<number>>();
  const keepScript = (answer: Response) => {
    if (answer.request().resourceType() !== "script") return;
    const size = answer.body().then((body) => gzipSync(body).length);
    scripts.set(answer.url(), size);
  };

  beforeAll(async () => {
    link = signInLink(tandem.output());
    visitor = await portal.open();
    visitor.page.on("response", keepScript);
  });

  test("signs in by the link, once, and begins with a first run", async () => {
    const { page } = visitor;
    await page.goto(link);
    await page.getByRole("heading", { name: "Send yourself a text" }).waitFor();
    expect(page.url()).not.toContain("ticket");
    const stranger = await portal.open();
    await stranger.page.goto(link);
    await stranger.page.getByText("Not signed in").waitFor();
    await look(stranger.page, "sign-in");
    await stranger.context.close();
  });

  test("loads little for its first screen", async () => {
    visitor.page.off("response", keepScript);
    const sizes = await Promise.all(scripts.values());
    const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1024;
    expect(kilobytes).toBeGreaterThan(0);
    expect(kilobytes).toBeLessThanOrEqual(SCRIPT_KB_MAX);
  });

  test("shows a text Delivered as it happens, and the reply of the phone", async () => {
    const { page } = visitor;
    await look(page, "first-run");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.locator(".first-latest", { hasText: "Delivered" }).waitFor();
    await page.getByRole("region", { name: "Texts on the phone" }).getByText("Hello from Tandem").waitFor();
    await page.getByRole("textbox", { name: "Text from the phone" }).fill("Hello back");
    await page.getByRole("button", { name: "Send from the phone" }).click();
    await page.getByRole("region", { name: "Texts on the phone" }).getByText("Hello back").waitFor();
    await page.goto(new URL(`/messages/${PHONE}`, link).href);
    await page.getByRole("region", { name: "Texts" }).getByText("Hello back").waitFor();
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("And once more");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const bubble = page.locator(".bubble", { hasText: "And once more" });
    await bubble.getByText("Delivered").waitFor();
    await look(page, "conversation");
  });

  test("tries no text before it knows the numbers that can send it", async () => {
    const { page } = visitor;
    await page.keyboard.press("Escape");
    let goOn = () => {};
    const isTyped = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/v1\/Phones(\?|$)/, async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.goto(new URL("/messages/new", link).href);
    await page.getByRole("textbox", { name: "To" }).fill(PHONE);
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("Too early");
    const dryRun = page.getByRole("button", { name: "Dry run" });
    expect(await dryRun.isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
    goOn();
    await dryRun.click();
    await page.getByText("It would be sent").waitFor();
    await page.unrouteAll();
  });

  test("sends a text once, however often Ctrl+Enter is pressed", async () => {
    const { page } = visitor;
    const text = `Once ${Date.now()}`;
    await page.goto(new URL(`/messages/${PHONE}`, link).href);
    const field = page.getByRole("textbox", { name: "Text", exact: true });
    await field.fill(text);
    await page.getByRole("button", { name: "Send", exact: true, disabled: false }).waitFor();
    // Seven key presses before the page can show that it sends.
    await page.evaluate(`
      const order = { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
      const field = document.querySelector("textarea[aria-label=Text]");
      for (let press = 0; press < 7; press++) field.dispatchEvent(new KeyboardEvent("keydown", order));
    `);
    await page.locator(".bubble", { hasText: text }).getByText("Delivered").waitFor();
    const list = await tandem.get("/messaging/v1/OutboundMessages?PageSize=20");
    const { items } = (await list.json()) as { readonly items: readonly { readonly text: string }[] };
    expect(items.filter((message) => message.text === text)).toHaveLength(1);
  });

  test("says why a text did not arrive, and what to do", async () => {
    const { page } = visitor;
    await page.goto(new URL("/messages/new", link).href);
    await page.getByRole("textbox", { name: "To" }).fill(SPAM);
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("Time for your check-up: hvd.example/r");
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText("It would be sent").waitFor();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const bubble = page.locator(".bubble", { hasText: "check-up" });
    await bubble.getByText("Not delivered: blocked as spam").waitFor();
    await bubble.getByRole("link").click();
    const why = page.getByRole("complementary", { name: "Why it did not arrive" });
    await why.getByText("The message was blocked as spam").first().waitFor();
    await why.getByText("Change the text").waitFor();
    await look(page, "message-why");
  });

  test("shows everything in the log, joined by its trace", async () => {
    const { page } = visitor;
    await page.getByRole("link", { name: "Live log" }).first().click();
    await page.getByRole("row", { name: /Blocked as spam/ }).click();
    await page.getByRole("heading", { name: "Sent to Failed, 3002" }).waitFor();
    await page.getByRole("heading", { name: "The trace" }).waitFor();
    await look(page, "log");
    await page.getByRole("link", { name: "Messages" }).first().click();
    await page.getByRole("row", { name: /check-up/ }).waitFor();
    await look(page, "messages");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/messages/OM*");
    await page.getByRole("link", { name: "Tandem, home" }).click();
    await page.getByRole("heading", { name: "Just now" }).waitFor();
    await look(page, "home");
  });

  test("shows the numbers, the account, and who a number is", async () => {
    const { page } = visitor;
    await page.getByRole("link", { name: "Numbers" }).first().click();
    await page.getByRole("row", { name: /Demo 1/ }).waitFor();
    await look(page, "numbers");
    await page.getByRole("row", { name: /Demo 1/ }).click();
    await page.getByLabel("MessagingConfig").waitFor();
    await look(page, "number");
    await page.getByRole("link", { name: "Account" }).first().click();
    await page.getByRole("heading", { name: "Limits" }).waitFor();
    await look(page, "account");
    await page.goto(new URL("/more", link).href);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await look(page, "more");
    await page.goto(new URL("/lookup?n=%2B14074740200", link).href);
    await page.getByText("It can be texted").waitFor();
    await look(page, "lookup");
  });

  test("looks up a file of a thousand numbers, and says how far it is", async () => {
    const { page } = visitor;
    const lines = Array.from({ length: 1000 }, (_, at) => (at === 500 ? "x,nobody" : `x,+1415474${1000 + at}`));
    const file = {
      name: "patients.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(["name,phone", ...lines].join("\n")),
    };
    await page.goto(new URL("/lookup", link).href);
    // The third batch waits until the page has shown its progress.
    let asked = 0;
    let goOn = () => {};
    const isSeen = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route("**/carrierLookup/v1/**", async (route) => {
      if (++asked === 3) await isSeen;
      await route.continue();
    });
    await page.getByLabel("CSV file", { exact: true }).setInputFiles(file);
    await page.getByText("200 of 1,000").waitFor();
    goOn();
    await page.getByText("1,000 of 1,000").waitFor();
    await page.getByText("1 is no number").waitFor();
    await look(page, "lookup-csv");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the answers" }).click();
    expect((await download).suggestedFilename()).toBe("patients-looked-up.csv");
  });

  test("keeps what is in the address: filter, row and form of the log", async () => {
    const { page } = visitor;
    await page.goto(new URL("/log?q=kind:Message", link).href);
    await page.getByRole("row", { name: /Blocked as spam/ }).click();
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.reload();
    await page.getByRole("heading", { name: "Sent to Failed, 3002" }).waitFor();
    await page.getByRole("tab", { name: "JSON", selected: true }).waitFor();
    await page.getByRole("button", { name: "Remove kind:Message" }).waitFor();
    await page.getByRole("button", { name: /^Held/ }).waitFor();
  });

  test("has pictures of what operators see of it", async () => {
    const { page, complaints, context } = await portal.open();
    await page.goto(new URL("/sign-in", link).href);
    await page.getByRole("tab", { name: "Operator" }).click();
    await page.getByLabel("Operator token").fill(tandem.operatorToken);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Reconciles" }).waitFor();
    await look(page, "operator-overview");
    await page.getByRole("link", { name: "Inventory" }).first().click();
    await page.getByRole("heading", { name: "Inventory" }).waitFor();
    await look(page, "operator-inventory");
    await page.getByRole("link", { name: "Lookup overrides" }).first().click();
    await page.getByRole("button", { name: "Set an answer" }).click();
    await page.getByLabel("Number").fill("+14155550100");
    await page.getByLabel("Note").fill("A test line");
    await page.getByRole("button", { name: "Set it" }).click();
    await page.getByRole("row", { name: /A test line/ }).waitFor();
    await look(page, "operator-overrides");
    await page.getByRole("link", { name: "Audit log" }).first().click();
    await page.getByRole("heading", { name: "Audit log" }).waitFor();
    await page.getByRole("row").nth(1).click();
    await page.getByRole("complementary").waitFor();
    await look(page, "operator-audit");
    await context.close();
    expect(complaints).toEqual([]);
  });

  test("opens what a pasted id names", async () => {
    const { page } = visitor;
    const { items } = (await (await tandem.get("/messaging/v1/OutboundMessages?PageSize=1")).json()) as {
      readonly items: readonly { readonly sid: string }[];
    };
    const sid = items[0]?.sid ?? "";
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find or jump to" }).fill(sid);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/messages/${sid}`);
  });

  test("had nothing to complain about", () => {
    expect(visitor.complaints).toEqual([]);
  });
});
