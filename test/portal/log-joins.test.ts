// The live log joins a request, what it made and its webhook deliveries, in both directions. It shows what an account's
// own programs read where requests are asked for.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestAccount } from "../contract/account.ts";
import { newMessenger, newSender, type Sender, send } from "../contract/messages.ts";
import { answerOf } from "../contract/numbers.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInAs, usePortal } from "./browser.ts";

describe.skipIf(!chromiumPath)("the live log", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let visitor: OpenPage;
  let account: TestAccount;
  let sender: Sender;
  let receiver: Server;

  beforeAll(async () => {
    receiver = createServer((request, response) => request.resume().on("end", () => response.end("thanks")));
    receiver.listen(0, "127.0.0.1");
    account = await newMessenger(tandem);
    sender = await newSender(tandem, tandem.database, account);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const order = json("POST", { type: "OutboundMessageStatusChanged", url });
    await answerOf(await account.call("/v1/Webhooks", order), 201);
    visitor = await portal.open();
    const { page } = visitor;
    await page.goto(`${tandem.url}/sign-in`);
    await signInAs(page, account);
    await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
    await page.goto(`${tandem.url}/log`);
    await page.getByRole("button", { name: /^Live/ }).waitFor();
  });
  afterAll(() => {
    receiver.close();
  });

  test("joins a request to the message that it made, and to who was told of it", async () => {
    const { page } = visitor;
    await send(account, { From: sender.number, To: "+14155550100", Text: "Your table is ready" });
    await page.getByRole("row", { name: /to Delivered/ }).waitFor();
    await page.getByRole("row", { name: /POST OutboundMessages/ }).click();
    const entry = page.getByRole("complementary", { name: "Entry" });
    const told = entry.getByRole("region", { name: "Who was told" });
    await told.getByText("200 in").nth(1).waitFor();
    await entry.getByRole("link", { name: "Open the message" }).waitFor();
    await look(page, "log-joined");
    await page.emulateMedia({ forcedColors: "active" });
    const [line, ground] = (await page.evaluate(
      `[getComputedStyle(document.querySelector(".log-line"), "::before"), getComputedStyle(document.body)].map(
        ({ backgroundColor }) => backgroundColor)`,
    )) as string[];
    expect(line).not.toBe(ground);
    await page.emulateMedia({ forcedColors: "none" });
    await entry.getByRole("button", { name: /to Delivered/ }).click();
    await entry.getByRole("heading", { name: /to Delivered/ }).waitFor();
    await entry.getByRole("button", { name: "POST OutboundMessages" }).click();
    await entry.getByRole("heading", { name: "POST OutboundMessages" }).waitFor();
    await told.getByRole("link", { name: "Inspect" }).first().click();
    await page.getByRole("link", { name: "in the log" }).click();
    await page.getByRole("row", { name: /POST OutboundMessages/ }).waitFor();
  });

  test("shows what the account's programs read where requests are asked for", async () => {
    const { page } = visitor;
    await page.goto(`${tandem.url}/log`);
    await page.getByRole("button", { name: /^Live/ }).waitFor();
    await answerOf(await account.call("/v1/Account"), 200);
    // Reported after the request above.
    await answerOf(await account.call("/v1/MessagingConfigs", json("POST", { name: "Front desk" })), 201);
    await page.getByRole("row", { name: /POST MessagingConfigs/ }).waitFor();
    expect(await page.getByRole("row", { name: /GET Account/ }).count()).toBe(0);
    await page.getByRole("button", { name: "My API calls" }).click();
    await page.getByRole("row", { name: /GET Account/ }).click();
    await page.getByRole("complementary", { name: "Entry" }).getByRole("heading", { name: "GET Account" }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
