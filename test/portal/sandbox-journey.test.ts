// The Sandbox screen: a line that misbehaves, the carrier's switch, and the phone that sends texts.

import { beforeAll, describe, expect, test } from "vitest";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInLink, usePortal } from "./browser.ts";

describe.skipIf(!chromiumPath)("the sandbox in the portal", () => {
  const tandem = useTandem({});
  const portal = usePortal();
  let visitor: OpenPage;

  beforeAll(async () => {
    const link = signInLink(tandem.output());
    visitor = await portal.open();
    await visitor.page.goto(link);
    await visitor.page.getByRole("link", { name: "Sandbox" }).first().click();
    await visitor.page.getByRole("heading", { name: "Clearing house" }).waitFor();
  });

  test("a text to the silent line waits until the carrier's switch settles it", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: /^Text .* silent/ }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const became = page.locator(".sandbox-became");
    await became.getByText("Sent").waitFor();
    await page.getByRole("button", { name: "Fail", exact: true }).click();
    await became.getByRole("link", { name: "Read why" }).waitFor();
    await page.getByText("No text waits for its receipt").waitFor();
  });

  test("says what will happen to a call, for each way of forwarding", async () => {
    const { page } = visitor;
    const aside = page.getByRole("complementary", { name: "Sandbox phone" });
    const ours = await aside.getByLabel("Your number").inputValue();
    await aside.getByText("A call to it is refused: it is not forwarded, and no webhook answers it.").waitFor();
    const order = { type: "InboundCallReceivedWebhook", url: "http://127.0.0.1:9/calls" };
    const made = await tandem.get("/v1/Webhooks", json("POST", order));
    expect(made.status).toBe(201);
    const again = async () => {
      await page.reload();
      await page.getByRole("heading", { name: "Clearing house" }).waitFor();
    };
    await again();
    await aside.getByText("A call to it asks 127.0.0.1:9, whose script says what happens.").waitFor();
    const { sid } = (await made.json()) as { readonly sid: string };
    await tandem.get(`/v1/Webhooks/${sid}`, json("PATCH", { enabled: false }));
    await again();
    await aside.getByText("would answer it, and is switched off").waitFor();
    await tandem.get(
      `/v1/Phones/${ours}/voice`,
      json("PUT", { callsForwardedTo: "+17205550101", recordInboundCalls: true }),
    );
    await again();
    await aside.getByText("and is recorded. That line: Is busy: 486.").waitFor();
  });

  test("the phone texts, and a campaign migrates", async () => {
    const { page } = visitor;
    await page.getByRole("textbox", { name: "Text from the phone" }).fill("Hello from outside");
    await page.getByRole("button", { name: "Send from the phone" }).click();
    await page.getByRole("region", { name: "Texts on the phone" }).getByText("Hello from outside").waitFor();
    await page.getByRole("textbox", { name: "Campaign" }).fill("CSAND01");
    await page.getByRole("button", { name: "Migrate" }).click();
    await page.getByRole("link", { name: "CSAND01" }).waitFor();
    await look(page, "sandbox");
    expect(visitor.complaints).toEqual([]);
  });
});
