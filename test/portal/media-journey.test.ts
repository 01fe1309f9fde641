// Pictures of received texts in the portal: a thumbnail, the whole in a dialog, and nothing from elsewhere.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MediaServer, PNG, startMediaServer } from "../contract/media-server.ts";
import { newMessenger, newSender, UNTIL } from "../contract/messages.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInAs, usePortal } from "./browser.ts";

const PERSON = "+14155550177";

describe.skipIf(!chromiumPath)("pictures in the portal", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let visitor: OpenPage;
  let media: MediaServer;

  beforeAll(async () => {
    media = await startMediaServer();
    const account = await newMessenger(tandem);
    const { number } = await newSender(tandem, tandem.database, account);
    const order = { from: PERSON, to: [number], text: "Look", mediaUrls: [media.urlOf("/a.png")] };
    const sent = await account.call("/testkit/v1/Emulate/inbound-message", json("POST", order));
    expect(sent.status).toBeLessThan(300);
    visitor = await portal.open();
    const { page } = visitor;
    await page.goto(`${tandem.url}/sign-in?next=${encodeURIComponent(`/messages/${PERSON}`)}`);
    await signInAs(page, account);
  });
  afterAll(() => media?.close());

  test("are shown from our own address, in full when they are clicked, with type and size", async () => {
    const { page, complaints } = visitor;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const words = `image/png, ${PNG.length} bytes`;
    const thumbnail = page.getByRole("button", { name: `Received: ${words}` });
    await thumbnail.waitFor(UNTIL);
    await expect
      .poll(() => page.evaluate("document.querySelector('.bubble-picture img').naturalWidth"), UNTIL)
      .toBeGreaterThan(0);
    await look(page, "conversation-picture");
    await thumbnail.click();
    const dialog = page.getByRole("dialog", { name: "Picture" });
    await dialog.getByText(words).waitFor();
    await dialog.getByRole("link", { name: "Save it" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(asked.filter((url) => new URL(url).origin !== new URL(tandem.url).origin)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
