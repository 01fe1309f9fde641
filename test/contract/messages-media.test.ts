// Pictures, outbound and inbound, through the sandbox's MMS centre, and media that cannot be sent.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { limitOf, type TestAccount } from "./account.ts";
import { JPEG, type MediaServer, PNG, startMediaServer } from "./media-server.ts";
import {
  type Ear,
  emulateInbound,
  form,
  type InboundBody,
  listen,
  type MessageBody,
  messageOf,
  newMessenger,
  newSender,
  SEND,
  type Sender,
  send,
  UNTIL,
  whyOf,
} from "./messages.ts";
import { answerOf } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const FROM = "+12125550142";

const tandem = useTandem();
let media: MediaServer;
let account: TestAccount;
let sender: Sender;
let ear: Ear;

beforeAll(async () => {
  media = await startMediaServer();
});
afterAll(async () => {
  await media?.close();
});
beforeEach(async () => {
  account = await newMessenger(tandem);
  sender = await newSender(tandem, tandem.database, account);
  ear = await listen(account);
});
afterEach(() => ear.leave());

const get = async <Body>(path: string) => answerOf<Body>(await account.call(path), 200);
const sendMedia = (To: string, paths: readonly string[], more: object = {}) =>
  send(account, { From: sender.number, To, MediaUrls: paths.map((path) => media.urlOf(path)), ...more });

describe("out", () => {
  test("two pictures go by the specification's form and arrive", async () => {
    const MediaUrls = `[${media.urlOf("/a.png")},${media.urlOf("/b.jpg")}]`;
    const order = form({ From: sender.number, To: "+12125550100", MediaUrls });
    const message = await answerOf<MessageBody>(await account.call(SEND, order), 200);
    expect(message).toMatchObject({ mediaUrls: [media.urlOf("/a.png"), media.urlOf("/b.jpg")], segmentCount: 1 });
    expect(await ear.statusesUntil(message.sid, "Delivered", "Failed")).toEqual(["Sent", "Delivered"]);
    const { steps, ...why } = await whyOf(account, message.sid);
    expect(Object.keys(why)[0]).toBe("summary");
    expect(why.summary).toEqual({
      what: expect.stringMatching(/^It was delivered at /),
      why: expect.any(String),
      advice: null,
    });
    expect(steps.map(({ step }) => step)).toEqual(["accepted", "sent", "delivered"]);
    expect(steps[1]?.details).toMatchObject({ link: "sandbox-mms" });
  });

  test("text and a picture that moved go together", async () => {
    const { sid } = await sendMedia("+12125550100", ["/moved.png"], { Text: "Look: 😀 & <b>" });
    expect(await ear.statusesUntil(sid, "Delivered", "Failed")).toEqual(["Sent", "Delivered"]);
  });

  test.each([
    ["failed", "0101", ["Sent", "Failed"], 3004],
    ["unreachable", "0102", ["Sent", "Failed"], 1003],
    ["spam", "0104", ["Sent", "Failed"], 3003],
    ["expired", "0105", ["Sent", "Failed"], 1003],
    ["throttled", "0107", ["Sent", "Delivered"], 0],
    ["rejected", "0109", ["Failed"], 1003],
    ["receiptFirst", "0112", ["Sent", "Delivered"], 0],
    ["receiptTwice", "0113", ["Sent", "Delivered"], 0],
    ["cut", "0110", ["Failed"], 3100],
    // The delivery report still finds its message, because the message carries an id of ours.
    ["takenAndCut", "0114", ["Failed", "Delivered"], 0],
  ] as const)(
    "a picture to the sandbox's number for %s fares as a text does",
    async (_what, line, statuses, errorCode) => {
      const { sid } = await sendMedia(`+1312555${line}`, ["/a.png"]);
      expect(await ear.statusesUntil(sid, statuses.at(-1) as string)).toEqual(statuses);
      expect(await messageOf(account, sid)).toMatchObject({ status: statuses.at(-1), errorCode });
    },
  );

  test("an answer of the centre that comes too late is written down", async () => {
    const { sid } = await sendMedia("+13125550114", ["/a.png"]);
    await ear.statusesUntil(sid, "Delivered");
    const late = async () => (await whyOf(account, sid)).steps.filter(({ details }) => details.late === true);
    await expect
      .poll(late, { timeout: 120_000 })
      .toMatchObject([{ step: "submit", details: { link: "sandbox-mms", kind: "accepted" } }]);
  });

  test("a group's message is delivered when everyone has it, and has failed when a user has not", async () => {
    const settle = async (sid: string, deliveredSuccessfully: boolean) =>
      answerOf(
        await account.call("/testkit/v1/Emulate/outbound-message-status", json("POST", { sid, deliveredSuccessfully })),
        200,
      );
    const group = async (...Recipients: string[]) =>
      send(account, { From: sender.number, Recipients, Text: "Hi all", MediaUrls: [media.urlOf("/a.png")] });
    const good = await group("+12125550100", "+13125550100", "+14155550100");
    expect(await ear.statusesUntil(good.sid, "Delivered")).toEqual(["Sent", "Delivered"]);
    const mixed = await group("+12125550100", "+13125550101");
    expect(await ear.statusesUntil(mixed.sid, "Failed")).toEqual(["Sent", "Failed"]);
    const silent = await group("+12125550100", "+13125550106");
    await ear.statusesUntil(silent.sid, "Sent");
    const refused = await group("+12125550100", "+13125550109");
    expect(await ear.statusesUntil(refused.sid, "Failed")).toEqual(["Failed"]);
    expect(await messageOf(account, refused.sid)).toMatchObject({
      errorCode: 1003,
      statusReason: expect.stringContaining("+13125550109"),
    });
    // By now the first recipient of the silent group has received it, and nothing was reported for the second.
    expect(await messageOf(account, silent.sid)).toMatchObject({ status: "Sent" });
    await settle(silent.sid, true);
    expect(await ear.statusesUntil(silent.sid, "Delivered")).toEqual(["Sent", "Delivered"]);
  });

  test.each([
    ["a page", "/page.html", /page/],
    ["a page that is called a picture", "/lie.png", /calls it image\/png/],
    ["text that is called a picture", "/lie.jpg", /calls it image\/jpeg/],
    ["a picture that is too big", "/huge.png", /more than/],
    ["a picture that never ends", "/endless.png", /more than/],
    ["nothing", "/empty.png", /nothing/],
    ["what is not there", "/missing.png", /404/],
    ["a server in trouble", "/error.png", /503/],
    ["a server that hangs up", "/broken.png", /\S/],
    ["a way into a private network", "/to-private.png", /private|not allowed|TANDEM_ALLOWED_NETWORKS/],
    ["a way into the file system", "/to-file.png", /http/],
    ["a way in circles", "/loop.png", /redirects/],
  ])("%s fails with 2006, and the trail says why", async (_what, path, reason) => {
    const { sid } = await sendMedia("+12125550100", ["/a.png", path]);
    expect(await ear.statusesUntil(sid, "Failed", "Sent")).toEqual(["Failed"]);
    const message = await messageOf(account, sid);
    expect(message).toMatchObject({ errorCode: 2006, statusReason: expect.stringMatching(reason), sentOn: null });
    expect(message.statusReason).toContain(media.urlOf(path));
    const { steps, summary } = await whyOf(account, sid);
    expect(summary).toEqual({
      what: "It was not delivered.",
      why: expect.stringContaining(message.statusReason as string),
      advice: expect.stringContaining("media"),
    });
    expect(steps.map(({ step }) => step)).toEqual(["accepted", "submit", "failed"]);
    expect(steps[1]?.details).toMatchObject({ kind: "rejected", reason: message.statusReason });
  });

  test("pictures that are too much together fail with 2006", async () => {
    const { sid } = await sendMedia("+12125550100", ["/large.png", "/large.png", "/a.png"]);
    expect(await ear.statusesUntil(sid, "Failed", "Sent")).toEqual(["Failed"]);
    expect(await messageOf(account, sid)).toMatchObject({
      errorCode: 2006,
      statusReason: expect.stringMatching(/most/),
    });
    expect((await sendMedia("+12125550100", ["/large.png"])).status).toBe("Queued");
  });

  test("slow media hold up no one else, and fail with 2006 in the end", async () => {
    const slow = [];
    for (let count = 0; count < 8; count++) slow.push((await sendMedia("+12125550100", ["/slow.png"])).sid);
    const { sid } = await sendMedia("+12125550100", ["/a.png"]);
    expect(await ear.statusesUntil(sid, "Delivered", "Failed")).toEqual(["Sent", "Delivered"]);
    for (const late of slow) {
      expect(await ear.statusesUntil(late, "Failed", "Sent")).toEqual(["Failed"]);
      expect(await messageOf(account, late)).toMatchObject({
        errorCode: 2006,
        statusReason: expect.stringMatching(/within/),
      });
    }
  });

  test("media are fetched when the message leaves, and not for a dry run", async () => {
    const before = media.asked("/b.jpg");
    await sendMedia("+12125550100", ["/b.jpg"], { DryRun: true });
    await sendMedia("+12125550100", ["/b.jpg"], { SendAt: new Date(Date.now() + 3_600_000).toISOString() });
    const { sid } = await sendMedia("+12125550100", ["/b.jpg"]);
    await ear.statusesUntil(sid, "Delivered");
    expect(media.asked("/b.jpg") - before).toBe(1);
  });
});

describe("in", () => {
  const arrive = async (more: object = {}) => {
    const mediaUrls = [media.urlOf("/a.png"), media.urlOf("/b.jpg")];
    await emulateInbound(account, { from: FROM, to: [sender.number], text: "Look", mediaUrls, ...more });
    return ear.inboundUntil(({ From }) => From === FROM);
  };

  test("two pictures arrive with links that are good for anyone who has them", async () => {
    const payload = await arrive();
    expect(payload).toStrictEqual({
      Sid: expect.stringMatching(/^IM/),
      From: FROM,
      To: sender.number,
      AdditionalRecipients: [],
      EventDate: expect.any(String),
      Text: "Look",
      MediaUrls: [expect.any(String), expect.any(String)],
      SegmentCount: 1,
    });
    const urls = payload.MediaUrls as readonly [string, string];
    for (const [url, type, bytes] of [
      [urls[0], "image/png", PNG],
      [urls[1], "image/jpeg", JPEG],
    ] as const) {
      expect(url).toMatch(/\/v1\/Media\/ME[0-9a-f]{32}\?expires=\d+&signature=[\w-]+$/);
      const answer = await fetch(url.replace("localhost", "127.0.0.1"));
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe(type);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("content-security-policy")).toContain("sandbox");
      expect(answer.headers.get("x-request-id")).toMatch(/\S/);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    }
    const read = await get<InboundBody>(`/v1/InboundMessages/${payload.Sid}`);
    expect(read.mediaUrls).toHaveLength(2);
    expect((await fetch((read.mediaUrls[0] as string).replace("localhost", "127.0.0.1"))).status).toBe(200);
    await expect
      .poll(async () => (await fetch(`${tandem.url}/metrics`)).text(), UNTIL)
      .toMatch(/^tandem_inbound_messages_total\{link="sandbox-mms",kind="mms"\} [1-9]/m);
  });

  test("media without text, and text that is a keyword with media, are messages and nothing else", async () => {
    expect(await arrive({ text: "" })).toMatchObject({ Text: "" });
    await emulateInbound(account, {
      from: "+13125550142",
      to: sender.number,
      text: "STOP",
      mediaUrls: [media.urlOf("/a.png")],
    });
    await ear.inboundUntil(({ Text }) => Text === "STOP");
    expect(await get("/v1/OptOuts")).toEqual({ items: [] });
  });

  test.each(["/v1", "/messaging/v1"])("a link under %s that was tampered with opens nothing", async (mount) => {
    const { MediaUrls } = await arrive();
    const good = new URL((MediaUrls as string[])[0] as string);
    const [sid, other] = (MediaUrls as string[]).map((url) => /ME[0-9a-f]{32}/.exec(url)?.[0] as string);
    const path = (of: string | undefined, query: string) => `${tandem.url}${mount}/Media/${of}${query}`;
    expect((await fetch(path(sid, good.search))).status).toBe(200);
    const expires = good.searchParams.get("expires");
    const signature = good.searchParams.get("signature");
    for (const url of [
      path(other, good.search),
      path(sid, ""),
      path(sid, `?expires=${expires}`),
      path(sid, `?signature=${signature}`),
      path(sid, `?expires=${Number(expires) + 1}&signature=${signature}`),
      path(sid, `?expires=1&signature=${signature}`),
      path(sid, `?expires=${expires}&signature=${signature}x`),
      path(sid, `?expires=${expires}&expires=${expires}&signature=${signature}`),
      path(`ME${"0".repeat(32)}`, good.search),
      path("../../etc/passwd", ""),
    ]) {
      const answer = await fetch(url);
      expect([401, 404]).toContain(answer.status);
      if (url.includes(sid as string)) await problemOf(answer, 401);
    }
    // The account's own credentials need no signature; another account's get a 404.
    const own = await account.call(`${mount}/Media/${sid}`);
    expect(Buffer.from(await own.arrayBuffer()).equals(PNG)).toBe(true);
    const stranger = await newMessenger(tandem);
    await problemOf(await stranger.call(`${mount}/Media/${sid}`), 404);
    await problemOf(await account.call(`${mount}/Media/ME${"0".repeat(32)}`), 404);
    await problemOf(await fetch(path(sid, ""), { headers: basic(account.sid, "wrong") }), 401);
  });

  test("media are limited like other reads, and nobody reads those of a suspended account", async () => {
    const { MediaUrls } = await arrive();
    const link = ((MediaUrls as string[])[0] as string).replace("localhost", "127.0.0.1");
    const path = new URL(link).pathname;
    expect((await account.call(path)).headers.get("ratelimit-limit")).toMatch(/^\d+$/);
    await account.change({ limits: { read: limitOf(2) } });
    const statuses = [];
    for (let times = 0; times < 3; times++) statuses.push((await fetch(link)).status);
    expect(statuses).toStrictEqual([200, 200, 429]);
    await account.change({ status: "suspended", limits: { read: limitOf(1_000) } });
    for (const read of [() => fetch(link), () => account.call(path)]) {
      expect(await problemOf(await read(), 403)).toMatchObject({ code: "account-suspended" });
    }
  });

  test("media that the phone could not have sent are refused by the test kit", async () => {
    const order = { from: FROM, to: sender.number, mediaUrls: [media.urlOf("/page.html")] };
    const answer = await account.call("/testkit/v1/Emulate/inbound-message", json("POST", order));
    expect(await problemOf(answer, 409)).toMatchObject({ detail: expect.stringContaining("page") });
  });
});
