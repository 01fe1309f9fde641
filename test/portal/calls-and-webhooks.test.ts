// Journeys through the portal's calls and webhooks: a recorded call that is paused, resumed, hung up and played; and a
// failing receiver, whose attempts are watched and replayed.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UNTIL } from "../contract/messages.ts";
import { type HealthyReceiver, startHealthy } from "../faults/webhook-receivers.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInLink, usePortal } from "./browser.ts";

const SPEAKER = "+12125550114";
const OTHER_SPEAKER = "+13035550114";
const BUSY = "+13035550101";

describe.skipIf(!chromiumPath)("calls and webhooks in the portal", () => {
  const tandem = useTandem({});
  const portal = usePortal();
  let visitor: OpenPage;
  let origin = "";
  let receiver: HealthyReceiver;
  let isBroken = true;

  beforeAll(async () => {
    receiver = await startHealthy({ answer: () => (isBroken ? { status: 503, body: "down" } : { status: 200 }) });
    const link = signInLink(tandem.output());
    origin = new URL(link).origin;
    visitor = await portal.open();
    await visitor.page.goto(link);
    await visitor.page.getByRole("heading", { name: "Send yourself a text" }).waitFor();
  });
  afterAll(() => receiver?.close());

  test("places a recorded call, pauses, resumes, hangs up and plays it", async () => {
    const { page } = visitor;
    await page.goto(`${origin}/calls`);
    await page.getByRole("button", { name: "Place a call" }).click();
    await page.getByRole("textbox", { name: "First party" }).fill(SPEAKER);
    await page.getByRole("textbox", { name: "Second party" }).fill(OTHER_SPEAKER);
    await page.getByRole("checkbox", { name: "Record it" }).check();
    await look(page, "call-place");
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByRole("button", { name: "Pause recording" }).click();
    await page.getByRole("button", { name: "Resume recording" }).click();
    await page.getByRole("button", { name: "Pause recording" }).waitFor();
    await page.getByRole("button", { name: "Hang up" }).click();
    await page.getByText("hung up by the API").waitFor();
    await page.getByText("2 segments").waitFor();
    await page.getByRole("link", { name: "Segment 2" }).waitFor();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.locator(".wave-first").first().waitFor();
    // Both segments have been played to their end.
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    const slider = page.getByRole("slider", { name: "Place in the recording" });
    expect(await slider.getAttribute("aria-valuenow")).toBe(await slider.getAttribute("aria-valuemax"));
    await page
      .getByRole("button", { name: /200 OK/ })
      .first()
      .click();
    await page.getByText(/^200 OK from/).waitFor();
    // The way back is not the page that is shown.
    expect(await page.getByRole("navigation", { name: "Where you are" }).locator("[aria-current]").count()).toBe(0);
    await page.emulateMedia({ forcedColors: "active" });
    const inks = await page.evaluate(
      `["body", ".leg-First .leg-talk", ".leg-Second .leg-talk", ".rec-segment"].map(
        (name) => getComputedStyle(document.querySelector(name)).backgroundColor)`,
    );
    expect(new Set(inks as string[]).size).toBe(4);
    await page.emulateMedia({ forcedColors: "none" });
    await look(page, "call");
  });

  test("says why a call came to nothing", async () => {
    const { page } = visitor;
    const placed = await tandem.get("/v1/Voice/Calls", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ from: SPEAKER, to: BUSY }),
    });
    const { sid } = (await placed.json()) as { readonly sid: string };
    await page.goto(`${origin}/calls/${sid}`);
    await page.getByText("The line was busy").first().waitFor();
    await look(page, "call-busy");
    await page.getByRole("link", { name: "Calls" }).first().click();
    await page.getByRole("row", { name: /Busy/ }).waitFor();
    await look(page, "calls");
  });

  test("subscribes, shows the secret once, and tells why the receiver fails", async () => {
    const { page } = visitor;
    await page.goto(`${origin}/webhooks`);
    await page.getByText("No webhooks yet").waitFor();
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByRole("textbox", { name: "Address", exact: true }).fill(receiver.url);
    await page.locator("form").getByRole("button", { name: "Subscribe" }).click();
    await page.getByText("it is shown once").waitFor();
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? "";
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("Your receiver is overloaded or down: it answers 503").waitFor();
    await look(page, "webhook");
    await page.getByRole("row", { name: /503/ }).getByRole("link").click();
    // The second attempt happens by itself.
    await page.getByRole("button", { name: /^2 503/ }).waitFor();
    await page.getByLabel("Secret").fill(secret);
    await page.getByRole("button", { name: "Recompute" }).click();
    await page.getByText("Signature right.").waitFor();
    await look(page, "delivery");
  });

  test("replays once the receiver is back", async () => {
    const { page } = visitor;
    isBroken = false;
    await page.getByRole("button", { name: "Replay now" }).click();
    await page.locator(".page-sub").getByText("Delivered").waitFor();
    await page.getByRole("link", { name: "Webhooks" }).first().click();
    await page.getByText("All receivers answer.").waitFor();
    await look(page, "webhooks");
  });

  test("replays at once what waits for a receiver", async () => {
    const { page } = visitor;
    isBroken = true;
    await page
      .getByRole("row", { name: new URL(receiver.url).host })
      .getByRole("link")
      .first()
      .click();
    const send = page.getByRole("button", { name: "Send a test" });
    await send.click();
    await page.getByRole("button", { name: "Replay all 1" }).waitFor();
    await send.click();
    await page.getByRole("button", { name: "Replay all 2" }).waitFor();
    const asked: unknown[] = [];
    // Not before: else they may be tried again by themselves before the button is pressed.
    await page.route(/\/deliveries\/replay$/, async (route) => {
      isBroken = false;
      asked.push(route.request().postDataJSON());
      await route.continue();
    });
    await page.getByRole("button", { name: /^Replay all/ }).click();
    await page.getByText("on their way again").waitFor();
    expect(asked[0]).toMatchObject({ status: "Pending" });
    await page.getByRole("button", { name: /^Replay all/ }).waitFor({ state: "detached" });
    await page.unrouteAll();
  });

  test("says every step of a text in words, for support too", async () => {
    const { page } = visitor;
    const phones = (await (await tandem.get("/v1/Phones?Status=Active")).json()) as {
      readonly items: readonly { readonly number: string }[];
    };
    const order = { from: phones.items[0]?.number, to: "+14154740200", text: "In words" };
    const sent = await tandem.get("/messaging/v1/OutboundMessages", json("POST", order));
    const { sid } = (await sent.json()) as { readonly sid: string };
    await page.goto(`${origin}/messages/${sid}`);
    const why = page.getByRole("complementary", { name: "How it arrived" });
    await why.getByText("reported by").waitFor();
    // Of Sent and of Delivered, each once, with a link to the delivery.
    await expect.poll(() => why.getByText("Webhook: OutboundMessageStatusChanged").count(), UNTIL).toBe(2);
    expect(await why.getByRole("link", { name: "Inspect" }).count()).toBe(2);
    expect(await why.innerText()).not.toMatch(/[{}]|\[object/);
    await look(page, "message-delivered");
    const support = await portal.open();
    await support.page.goto(`${origin}/sign-in?next=/operator/accounts/${tandem.accountSid}?tab=messages%26sel=${sid}`);
    await support.page.getByRole("tab", { name: "Operator" }).click();
    await support.page.getByLabel("Operator token").fill(tandem.operatorToken);
    await support.page.getByRole("button", { name: "Sign in" }).click();
    const trail = support.page.getByRole("complementary", { name: "Why" });
    await trail.getByText("Webhook: OutboundMessageStatusChanged").first().waitFor();
    await trail.getByText("reported by").waitFor();
    expect(await trail.innerText()).not.toMatch(/[{}]|\[object/);
    await support.context.close();
  });

  test("had nothing to complain about", () => {
    expect(visitor.complaints).toEqual([]);
  });
});
