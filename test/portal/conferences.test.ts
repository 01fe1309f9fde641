// A conference of the sandbox's callers in the portal: who is in it, muted, put on hold and removed there, and ended,
// and its recording.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerOf, type List, SOON } from "../contract/numbers.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInLink, usePortal } from "./browser.ts";

const ALICE = "+12125550171";
const BOB = "+12125550172";
const CAROL = "+12125550173";
const SCRIPT =
  '<Response><Dial><Conference ParticipantLabel="on call" Record="true">stand-up</Conference></Dial><Pause Length="60"/></Response>';

interface Conference {
  readonly sid: string;
  readonly participants: readonly { readonly muted: boolean; readonly hold: boolean }[];
}

describe.skipIf(!chromiumPath)("a conference in the portal", () => {
  const tandem = useTandem({});
  const portal = usePortal();
  let visitor: OpenPage;
  let origin = "";
  let server: Server;
  let number: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.setHeader("Content-Type", "application/xml").end(SCRIPT);
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const link = signInLink(tandem.output());
    origin = new URL(link).origin;
    visitor = await portal.open();
    await visitor.page.goto(link);
    await visitor.page.getByRole("heading", { name: "Send yourself a text" }).waitFor();
    const { items } = await answerOf<List<{ number: string }>>(await tandem.get("/v1/Phones"), 200);
    number = items[0]?.number ?? "";
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const webhook = json("POST", { type: "InboundCallReceivedWebhook", url });
    await answerOf(await tandem.get("/v1/Webhooks", webhook), 201);
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function call(from: string): Promise<void> {
    const order = json("POST", { from, to: number, durationSeconds: 600 });
    await answerOf(await tandem.get("/testkit/v1/Emulate/inbound-call", order), 200);
  }

  async function participants(): Promise<Conference["participants"]> {
    const { items } = await answerOf<List<Conference>>(await tandem.get("/v1/Voice/Conferences"), 200);
    return items[0]?.participants ?? [];
  }

  const partOf = (page: Page, who: string) => page.getByRole("listitem").filter({ hasText: who });
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

  test("appears in the list while that is open, and leads to who is in it", async () => {
    const { page } = visitor;
    await page.goto(`${origin}/conferences`);
    await page.getByText("No conferences yet").waitFor();
    await page.locator(".live", { hasText: /^Live/ }).waitFor();
    await call(ALICE);
    await page.getByRole("row", { name: /stand-up Waiting 1 participant/ }).waitFor();
    await page.getByRole("link", { name: "stand-up" }).click();
    await partOf(page, ALICE).getByText("Waits").waitFor();
    await page.getByText("It starts when there are two").waitFor();
    await call(BOB);
    await call(CAROL);
    for (const who of [ALICE, BOB, CAROL]) await partOf(page, who).getByText("Heard by all").waitFor();
    await page.getByText("In progress").waitFor();
  });

  test("mutes one, and puts one on hold", async () => {
    const { page } = visitor;
    await button(page, `Mute ${ALICE}`).click();
    await partOf(page, ALICE).getByText("Muted").waitFor();
    await button(page, `Hold ${BOB}`).click();
    await partOf(page, BOB).getByText("On hold").waitFor();
    expect(await participants()).toMatchObject([
      { muted: true, hold: false },
      { muted: false, hold: true },
      { muted: false, hold: false },
    ]);
    await look(page, "conference");
    await button(page, `Unmute ${ALICE}`).click();
    await partOf(page, ALICE).getByText("Heard by all").waitFor();
    await button(page, `Resume ${BOB}`).click();
    await partOf(page, BOB).getByText("Heard by all").waitFor();
  });

  test("removes one, when that is confirmed", async () => {
    const { page } = visitor;
    await button(page, `Remove ${CAROL}`).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await partOf(page, CAROL).waitFor({ state: "detached" });
    await expect.poll(async () => (await participants()).length, SOON).toBe(2);
    await page.goto(`${origin}/conferences?q=status:InProgress`);
    await page.getByRole("row", { name: /stand-up In progress 2 participants/ }).waitFor();
    await look(page, "conferences");
  });

  test("ends it", async () => {
    const { page } = visitor;
    await page.getByRole("link", { name: "stand-up" }).click();
    await button(page, "End conference").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "End conference" }).click();
    await page.getByText("by the API", { exact: true }).waitFor();
    await page.getByText("Nobody is in it any more.").waitFor();
    const file = page.getByRole("link", { name: /^[\d.]+ s, MP3$/ });
    await file.waitFor();
    const link = new URL((await file.getAttribute("href")) ?? "", origin);
    expect((await tandem.get(link.pathname)).headers.get("Content-Type")).toBe("audio/mpeg");
    await look(page, "conference-ended");
    expect(visitor.complaints).toEqual([]);
  });
});
