// The telephone in the browser: it rings, is answered, sends Chromium's fake microphone, presses keys, calls and hangs
// up. The audio at the other side is measured in the recording.

import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, WebSocketRoute } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { UNTIL } from "../contract/messages.ts";
import { answerOf } from "../contract/numbers.ts";
import { piecesOfTone } from "../fakes/rtp-phone.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { toneFile } from "../peers/tone-file.ts";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInLink, usePortal } from "./browser.ts";

const PHONE = "+14154740200";
/** Answers immediately, and plays 620 Hz. */
const LINE = "+13035550111";
const MICROPHONE_HERTZ = 1_000;
const LINE_HERTZ = 620;
const TONE_HERTZ = 440;
/** How many pieces of a recording must contain a tone, and how many frames are sent for them. */
const ENOUGH = 10;
const FRAMES = 200;
const TONE_FILE = join(tmpdir(), `tandem-microphone-${process.pid}.wav`);

interface CallBody {
  readonly sid: string;
  readonly status: string;
  readonly recordings: { readonly segments: readonly { readonly sizeBytes?: number | null }[] } | null;
}

describe.skipIf(!chromiumPath)("the phone in the portal", () => {
  const tandem = useTandem({});
  writeFileSync(TONE_FILE, toneFile(MICROPHONE_HERTZ));
  const portal = usePortal([
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    `--use-file-for-fake-audio-capture=${TONE_FILE}`,
  ]);
  let visitor: OpenPage;
  let framesSent: () => number;
  let origin = "";

  beforeAll(async () => {
    const link = signInLink(tandem.output());
    origin = new URL(link).origin;
    visitor = await portal.open();
    framesSent = watchSound(visitor.page);
    await visitor.page.goto(link);
    await visitor.page.getByRole("link", { name: "Sandbox" }).first().click();
    await visitor.page.getByText("Calls to it ring here.").waitFor();
  });

  const place = async (order: object) =>
    answerOf<CallBody>(await tandem.get("/v1/Voice/Calls", json("POST", { ringSeconds: 120, ...order })), 201);
  const callOf = async ({ sid }: CallBody) => answerOf<CallBody>(await tandem.get(`/v1/Voice/Calls/${sid}`), 200);
  const until = (call: CallBody, state: object) => expect.poll(() => callOf(call), UNTIL).toMatchObject(state);
  const button = (name: string | RegExp) => visitor.page.getByRole("button", { name, exact: true });

  /** The share of its tone in each party's channel, as Chromium decodes the recording. */
  async function heard(call: CallBody, first: number, second: number): Promise<readonly number[]> {
    await expect
      .poll(async () => (await callOf(call)).recordings?.segments[0]?.sizeBytes ?? 0, UNTIL)
      .toBeGreaterThan(0);
    const channels = (await visitor.page.evaluate(`(async () => {
      const file = await (await fetch("/v1/Voice/Calls/${call.sid}/recordings/1")).arrayBuffer();
      const sound = await new OfflineAudioContext(2, 8000, 8000).decodeAudioData(file);
      return [0, 1].map((channel) => Array.from(sound.getChannelData(channel)));
    })()`)) as readonly (readonly number[])[];
    return [first, second].map((hertz, channel) => piecesOfTone(channels[channel] ?? [], hertz));
  }

  test("rings, is answered, presses a key, speaks, hears and hangs up", async () => {
    const { page } = visitor;
    const call = await place({ from: PHONE, to: LINE, record: true, requireKeyPress: true });
    await button("Answer").waitFor();
    await look(page, "phone-ringing");
    await button("Answer").click();
    await button("Press 1").click();
    await until(call, { status: "Answered" });
    await page.getByText("They hear your microphone.").waitFor();
    await look(page, "phone-talking");
    const before = framesSent();
    await expect.poll(framesSent, UNTIL).toBeGreaterThan(before + FRAMES);
    await button("Hang up").click();
    await page.getByText("You hung up.").waitFor();
    await until(call, { status: "Completed", endReason: "Completed", endedBy: "First" });
    const [microphone = 0, line = 0] = await heard(call, MICROPHONE_HERTZ, LINE_HERTZ);
    expect(microphone).toBeGreaterThan(ENOUGH);
    expect(line).toBeGreaterThan(ENOUGH);
  });

  test("rejects a call, and says when the other side hangs up", async () => {
    const { page } = visitor;
    const rejected = await place({ from: LINE, to: PHONE });
    await button("Reject").click();
    await until(rejected, { status: "Completed", endReason: "Rejected" });
    await place({ from: PHONE, to: "+13035550107" });
    await button("Answer").click();
    await page.getByText("They hung up.").waitFor();
  });

  test("calls a number of the account, and reaches who it is forwarded to", async () => {
    const { page } = visitor;
    const ours = await page.getByLabel("Your number").inputValue();
    const forward = json("PUT", { callsForwardedTo: LINE });
    await answerOf(await tandem.get(`/v1/Phones/${encodeURIComponent(ours)}/voice`, forward), 200);
    await button(`Call ${ours}`).click();
    await page.getByText("is on the line").waitFor();
    const { items } = await answerOf<{ items: readonly CallBody[] }>(
      await tandem.get("/v1/Voice/Calls?PageSize=1"),
      200,
    );
    await until(items[0] as CallBody, { status: "Answered", from: PHONE });
    await button("Hang up").click();
    await until(items[0] as CallBody, { status: "Completed", endedBy: "First" });
  });

  test("without a microphone it plays a tone, and another page may take it", async () => {
    const { page, context, complaints } = visitor;
    const other = await context.newPage();
    const framesSentByOther = watchSound(other);
    other.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) (complaints as string[]).push(message.text());
    });
    await other.addInitScript(
      'navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"))',
    );
    await other.goto(`${origin}/sandbox`);
    await other.getByText("Calls to it ring here.").waitFor();
    await page.getByText("Another page has the phone.").waitFor();
    const call = await place({ from: PHONE, to: LINE, record: true });
    await other.getByRole("button", { name: "Answer", exact: true }).click();
    await other.getByText("No microphone here: they hear a tone.").waitFor();
    await until(call, { status: "Answered" });
    const before = framesSentByOther();
    await expect.poll(framesSentByOther, UNTIL).toBeGreaterThan(before + FRAMES);
    await page.getByRole("button", { name: "Take it here" }).click();
    await until(call, { status: "Completed", endedBy: "First" });
    const [tone = 0] = await heard(call, TONE_HERTZ, LINE_HERTZ);
    expect(tone).toBeGreaterThan(ENOUGH);
    await page.getByText("Calls to it ring here.").waitFor();
    await other.close();
  });

  test("connects again when the connection is lost", async () => {
    const other = await visitor.context.newPage();
    other.setDefaultTimeout(UNTIL.timeout);
    const routes: WebSocketRoute[] = [];
    await other.routeWebSocket(/Phone/, (route) => {
      route.connectToServer();
      routes.push(route);
    });
    await other.goto(`${origin}/sandbox`);
    await other.getByText("Calls to it ring here.").waitFor();
    await routes[0]?.close({ code: 1001 });
    await expect.poll(() => routes.length, UNTIL).toBe(2);
    await other.getByText("Calls to it ring here.").waitFor();
    await other.close();
  });

  test("says why there is none, and does not ask on and on", async () => {
    await visitor.page.goto(`${origin}/`);
    const others: WebSocket[] = [];
    // The page's own phone may still be closing.
    const take = async (line: number) => others.push(await takePhone(`+1415474021${line}`)) > line;
    for (let line = 0; line < 10; line++) await expect.poll(() => take(line).catch(() => false), UNTIL).toBe(true);
    const other = await visitor.context.newPage();
    other.setDefaultTimeout(UNTIL.timeout);
    let sockets = 0;
    other.on("websocket", () => {
      sockets += 1;
    });
    await other.goto(`${origin}/sandbox`);
    await other.getByText("Too many telephones are open at once").waitFor();
    expect(sockets).toBe(1);
    for (const socket of others) {
      socket.close();
      await once(socket, "close");
    }
    await other.getByRole("button", { name: "Try again" }).click();
    await other.getByText("Calls to it ring here.").waitFor();
    await other.close();
  });

  /** Another phone of the account, opened by a program. */
  async function takePhone(number: string): Promise<WebSocket> {
    const url = `${tandem.url.replace("http", "ws")}/testkit/v1/Phone?Number=${encodeURIComponent(number)}`;
    const socket = new WebSocket(url, { headers: basic(tandem.accountSid, tandem.token) });
    await once(socket, "open");
    return socket;
  }

  test("had nothing to complain about", () => {
    expect(visitor.complaints).toEqual([]);
  });
});

/** Counts the audio frames that the page sends. */
function watchSound(page: Page): () => number {
  let frames = 0;
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      if (typeof payload !== "string") frames += 1;
    }),
  );
  return () => frames;
}
