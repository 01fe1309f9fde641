// A first visit to the portal: in by the link that `npm start` prints, a text, a reply, and a text that fails.

import { gzipSync } from "node:zlib";
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

  beforeAll(async () => {
    link = signInLink(tandem.output());
    visitor = await portal.open();
    visitor.page.on("response", (answer) => {
      const isScript = answer.request().resourceType() === "script";
      if (isScript)
        scripts.set(
          answer.url(),
          answer.body().then((body) => gzipSync(body).length),
        );
    });
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

  test("says why a text did not arrive, and what to do", async () => {
    const { page } = visitor;
    await page.keyboard.press("Escape");
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

  test("shows everything in the log, joined by its cord", async () => {
    const { page } = visitor;
    await page.getByRole("link", { name: "Live log" }).first().click();
    await page.getByRole("row", { name: /Blocked as spam/ }).click();
    await page.getByRole("heading", { name: "Sent to Failed, 3002" }).waitFor();
    await page.getByRole("heading", { name: "The cord" }).waitFor();
    await look(page, "log");
    await page.getByRole("link", { name: "Messages" }).first().click();
    await page.getByRole("row", { name: /check-up/ }).waitFor();
    await look(page, "messages");
    await page.getByRole("link", { name: "Tandem, home" }).click();
    await page.getByRole("heading", { name: "Just now" }).waitFor();
    await look(page, "home");
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
