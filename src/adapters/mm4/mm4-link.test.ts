import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { afterThisTest, closedAfter } from "../../../test/fakes/closed-after.ts";
import {
  Peer,
  type PeerMail,
  type Script,
  Talk,
  TestLink,
  type TestMms,
  testMms,
} from "../../../test/fakes/mm4-peer.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { ownPort } from "../../../test/own-port.ts";
import { systemClock } from "../../base/clock.ts";
import { FairQueue } from "../../base/fair-queue.ts";
import { ok, refused } from "../../base/result.ts";
import { FAILURES, type Media, type MediaFetcher, type SubmitOutcome } from "../../domain/messaging/index.ts";
import { encodeMm4 } from "../../wire/mm4/encode.ts";
import type { ForwardRequest, Mm4Message } from "../../wire/mm4/messages.ts";
import { parseMm4 } from "../../wire/mm4/parse.ts";
import { mm4Settings } from "./mm4-settings.ts";

async function startBoth(script?: Script, options?: Parameters<typeof TestLink.open>[1]) {
  const peer = closedAfter(await Peer.start());
  if (script) peer.script = script;
  const listener = closedAfter(await TestLink.open(peer.port, options));
  return { peer, listener, link: listener.link };
}

/** For tests that wait for the end of its patience. */
const IMPATIENT = { settings: { responseSeconds: 3 } };
const PICTURE: Media = { contentType: "image/png", name: "a.png", bytes: new Uint8Array(200_000).fill(7) };
const mms = (rest: Partial<TestMms> = {}): TestMms => testMms({ media: [PICTURE], ...rest });

const messageIn = ({ text }: PeerMail): Mm4Message => {
  const parsed = parseMm4(Buffer.from(text, "latin1"));
  if (!parsed.ok) throw new Error(parsed.refusal);
  return parsed.value;
};

test("an MMS reaches the peer as it was handed in, with a name that does not change", async () => {
  const { peer, listener } = await startBoth();
  const order = mms({ recipients: ["+15559870002", "+15559870003"] });
  expect(await listener.submit(order)).toEqual({
    kind: "accepted",
    carrierIds: [`${order.sid}@us.example 1`, `${order.sid}@us.example 2`],
  });
  const [mail] = peer.mails;
  expect(mail).toMatchObject({
    from: "+15551230001/TYPE=PLMN@us.example",
    to: ["+15559870002/TYPE=PLMN@them.example", "+15559870003/TYPE=PLMN@them.example"],
  });
  const arrived = messageIn(mail as PeerMail);
  const hashed = ({ media }: Pick<TestMms, "media">) =>
    media.map(({ bytes, ...rest }) => ({ ...rest, sha256: createHash("sha256").update(bytes).digest("hex") }));
  expect({ ...arrived, media: hashed(arrived as ForwardRequest) }).toEqual({
    kind: "forward",
    transactionId: `"${order.sid}"`,
    messageId: `"${order.sid}@us.example"`,
    from: mail?.from,
    to: mail?.to,
    originatorSystem: "system-user@us.example",
    isAckRequested: true,
    isReportRequested: true,
    date: new Date("2026-05-04T03:02:01Z"),
    expiresAt: expect.any(Date),
    subject: "",
    text: order.text,
    media: hashed(order),
  });
});

test.each([
  ["MAIL", "452 4.3.1 full", "throttled", 452],
  ["MAIL", "550 5.7.1 not you", "rejected", 550],
  ["RCPT", "450 4.2.1 later", "throttled", 450],
  ["RCPT", "550 5.1.1 nobody", "rejected", 550],
  ["DATA", "451 4.3.0 later", "throttled", 451],
  ["dot", "451 4.3.0 later", "throttled", 451],
  ["dot", "554 5.6.0 spam", "rejected", 554],
  ["dot", "421 4.3.2 closing", "throttled", 421],
] as const)(
  "a peer that answers %s with %j has %s it, and the next one goes through",
  async (at, saying, kind, status) => {
    let isAngry = true;
    const { peer, listener } = await startBoth((step) => (isAngry && step === at ? saying : undefined));
    const refused = { kind: "rejected", reason: `The carrier answered ${status} ${saying}`, carrierIds: [] };
    expect(await listener.submit(mms())).toMatchObject(kind === "rejected" ? refused : { kind });
    isAngry = false;
    expect(await listener.submit(mms())).toMatchObject({ kind: "accepted" });
    expect(peer.mails).toHaveLength(1);
  },
);

test("of a group, who is refused is reported and the others have it", async () => {
  const { peer, listener } = await startBoth((step, text) =>
    step === "RCPT" && text.includes("0003") ? "550 5.1.1 nobody" : undefined,
  );
  const order = mms({ recipients: ["+15559870002", "+15559870003", "+15559870004"] });
  expect(await listener.submit(order)).toEqual({
    kind: "rejected",
    failure: FAILURES.unreachable,
    reason: "The carrier took it for the others only: +15559870003: 550 550 5.1.1 nobody",
    carrierIds: [`${order.sid}@us.example 1`, `${order.sid}@us.example 3`],
  });
  expect(peer.mails[0]?.to).toEqual(["+15559870002/TYPE=PLMN@them.example", "+15559870004/TYPE=PLMN@them.example"]);
});

test.each(["MAIL", "DATA", "chunk"] as const)("a connection that is cut at %s has sent nothing", async (at) => {
  const { peer, listener } = await startBoth((step) => (step === at ? "cut" : undefined));
  expect(
    await listener.submit(mms({ media: [{ contentType: "image/png", name: "a", bytes: new Uint8Array(900_000) }] })),
  ).toMatchObject({
    kind: "notSent",
  });
  expect(peer.mails).toEqual([]);
});

test.each(["cut", "silence"] as const)("after the last octet, a %s leaves it unknown", async (saying) => {
  const { listener } = await startBoth((step) => (step === "dot" ? saying : undefined), IMPATIENT);
  const order = mms();
  expect(await listener.submit(order)).toMatchObject({ kind: "unknown", carrierIds: [`${order.sid}@us.example`] });
});

test("silence before the last octet is nothing sent", async () => {
  const { listener } = await startBoth((step) => (step === "DATA" ? "silence" : undefined), IMPATIENT);
  expect(await listener.submit(mms())).toMatchObject({ kind: "notSent" });
});

test("connections are used again, and one that went stale meanwhile costs nothing", async () => {
  const { peer, listener, link } = await startBoth();
  await listener.until(() => listener.freedCount > 0 && link.capacity() > 0);
  expect(await listener.submit(mms())).toMatchObject({ kind: "accepted" });
  expect(await listener.submit(mms())).toMatchObject({ kind: "accepted" });
  expect(peer.connections).toBe(1);
  peer.cut();
  await peer.until(() => peer.open === 0);
  expect(await listener.submit(mms())).toMatchObject({ kind: "accepted" });
  // A peer may close an idle connection only when it receives the next command.
  peer.script = (step, _, connection) => (step === "MAIL" && connection === 2 ? "cut" : undefined);
  expect(await listener.submit(mms())).toMatchObject({ kind: "accepted" });
  peer.script = (step, _, connection) => (step === "MAIL" && connection === 3 ? "421 4.4.2 idle too long" : undefined);
  expect(await listener.submit(mms())).toMatchObject({ kind: "accepted" });
  expect(peer.connections).toBe(4);
});

test("there are never more connections than allowed, and what is beyond waits for one", async () => {
  const { peer, listener, link } = await startBoth(undefined, { settings: { maxConnections: 2 } });
  await listener.until(() => listener.freedCount > 0 && link.capacity() > 0);
  // On a busy machine the first probe may have been given up, and the peer see its end late.
  await peer.until(() => peer.open === 1);
  peer.openMax = 1;
  const outcomes = Promise.all(Array.from({ length: 16 }, () => listener.submit(mms())));
  expect([link.capacity(), link.roomFor(mms().accountSid)]).toEqual([16, 0]);
  await peer.until(() => peer.open === 2);
  expect((await outcomes).map(({ kind }) => kind)).toEqual(Array(16).fill("accepted"));
  expect(peer.openMax).toBeLessThanOrEqual(2);
  expect(link.capacity()).toBe(32);
  expect(listener.freedCount).toBeGreaterThan(0);
});

test("a peer that is away takes nothing, and when it is back the listener hears that there is capacity", async () => {
  const port = await ownPort();
  const peer = closedAfter(await Peer.start(port));
  const listener = closedAfter(await TestLink.open(port));
  const { link } = listener;
  await listener.until(() => link.state.kind === "bound");
  await peer.close();
  expect(await listener.submit(mms())).toMatchObject({ kind: "notSent" });
  expect({ state: link.state.kind, capacity: link.capacity() }).toEqual({ state: "down", capacity: 0 });
  const freedCount = listener.freedCount;
  closedAfter(await Peer.start(port));
  await listener.until(() => link.state.kind === "bound" && listener.freedCount > freedCount);
  expect(await listener.submit(mms())).toMatchObject({ kind: "accepted" });
  expect(listener.states).toEqual(["bound", "down", "bound"]);
});

test("what is too big is rejected with the reason: by our settings, or by the size the peer names", async () => {
  const { peer, listener } = await startBoth((step) => (step === "EHLO" ? "250-peer\r\n250 SIZE 5000" : undefined));
  const big = (octets: number) =>
    mms({ media: [{ contentType: "image/png", name: "a", bytes: new Uint8Array(octets) }] });
  expect(await listener.submit(big(1_200_000))).toEqual({
    kind: "rejected",
    failure: FAILURES.badMedia,
    reason: "Text and media come to more than the 1500000 octets that this carrier takes",
    carrierIds: [],
  });
  expect(await listener.submit(big(5000))).toMatchObject({ kind: "rejected", failure: FAILURES.badMedia });
  expect(await listener.submit(big(100))).toMatchObject({ kind: "accepted" });
  expect(peer.mails).toHaveLength(1);
  expect(await listener.submit(mms({ recipients: [] }))).toMatchObject({ kind: "rejected" });
});

test("the peer is signed in to where it asks, with a password from the environment", async () => {
  const heard: string[] = [];
  const settings = { user: "tandem", password: "env:MM4_PASSWORD" };
  const script: Script = (step, text) => {
    if (step === "AUTH") heard.push(Buffer.from(text.split(" ")[2] ?? "", "base64").toString());
    return step === "EHLO" ? "250-peer\r\n250 AUTH PLAIN" : undefined;
  };
  const { listener } = await startBoth(script, { settings });
  expect(await listener.submit(mms())).toMatchObject({ kind: "accepted" });
  expect(heard[0]).toBe("\0tandem\0sesame");
});

test("a peer that has no STARTTLS where we insist on it is not spoken with", async () => {
  const { peer, listener, link } = await startBoth(undefined, { settings: { tls: { mode: "starttls" } } });
  await listener.until(() => link.state.kind === "down");
  expect(await listener.submit(mms())).toMatchObject({ kind: "notSent" });
  expect(peer.mails).toEqual([]);
});

test("a response tells what became of a message whose outcome was unknown", async () => {
  const { peer, listener, link } = await startBoth((step) => (step === "dot" ? "cut" : undefined));
  const order = mms();
  expect(await listener.submit(order)).toMatchObject({ kind: "unknown" });
  peer.script = () => undefined;
  const response = {
    kind: "response",
    answers: "forward",
    transactionId: order.sid,
    messageId: "<their-own@them.example>",
    sender: "system-user@them.example",
    recipient: "system-user@us.example",
    status: "Ok",
    statusText: "",
  } as const;
  expect(await mailTo(link.port, "system-user@us.example", encodeMm4(response))).toMatch(/^250/);
  expect(listener.lateAnswers).toEqual([[order.sid, { kind: "accepted", carrierIds: [`${order.sid}@us.example`] }]]);
  // A late answer is reported once, and only for an unknown outcome.
  expect(await mailTo(link.port, "system-user@us.example", encodeMm4(response))).toMatch(/^250/);
  expect(listener.lateAnswers).toHaveLength(1);
});

async function mailTo(port: number, to: string, bytes: Uint8Array): Promise<string> {
  const talk = await Talk.with(port);
  afterThisTest(() => talk.end());
  await talk.hear();
  await talk.ask("EHLO them.example");
  return await talk.mail([to], Buffer.from(bytes).toString("latin1"));
}

test("a closing link lets what is on its way arrive, and takes nothing more", async () => {
  const { peer, listener, link } = await startBoth();
  const sending = listener.submit(mms());
  await peer.until(() => peer.open > 0);
  await link.close();
  expect(await sending).toMatchObject({ kind: "accepted" });
  expect(await listener.submit(mms())).toEqual({ kind: "notSent", reason: "the link is closed" });
  expect(link.state.kind).toBe("closed");
  await peer.until(() => peer.open === 0);
});

/** Media that never come, until their fetch is given up. */
const fetchForEver = (_: string, signal?: AbortSignal) =>
  new Promise<Awaited<ReturnType<MediaFetcher["fetch"]>>>((resolve) => {
    signal?.addEventListener("abort", () => resolve(refused({ detail: "The media did not come." })));
  });

/** Hands messages to the link as the sender does: in turns by account, as many as the link has room for. */
function sendInTurns({ listener, link }: { readonly listener: TestLink; readonly link: TestLink["link"] }) {
  const waiting = new FairQueue<TestMms>();
  const outcomes = new Map<string, SubmitOutcome["kind"]>();
  const pump = () => {
    const leftOut: string[] = [];
    for (let account = waiting.next; account !== undefined && link.capacity() > 0; account = waiting.next) {
      if (link.roomFor(account) === 0) {
        waiting.pause(account);
        leftOut.push(account);
        continue;
      }
      const next = waiting.shift() as TestMms;
      void listener.submit(next).then((outcome) => {
        outcomes.set(next.accountSid, outcome.kind);
        listener.ring();
      });
    }
    for (const account of leftOut) waiting.resume(account);
  };
  return {
    outcomes,
    pump,
    send: (message: TestMms) => waiting.push(message.accountSid, message),
  };
}

test("an account whose media never come keeps no other account from sending", async () => {
  const fetch: MediaFetcher["fetch"] = async (url, signal) =>
    url.startsWith("https://slow") ? fetchForEver(url, signal) : ok(PICTURE);
  const both = await startBoth(undefined, { fetch, clock: systemClock });
  const { peer, listener } = both;
  const { send, pump, outcomes } = sendInTurns(both);
  for (let sent = 0; sent < 90; sent++) send(mms({ accountSid: "greedy", mediaUrls: ["https://slow.example/a"] }));
  pump();
  for (let sent = 0; sent < 10; sent++) send(mms({ accountSid: `small ${sent}` }));
  while (outcomes.size < 10) {
    pump();
    const { freedCount } = listener;
    await listener.until(() => listener.freedCount > freedCount || outcomes.size === 10);
  }
  expect([...outcomes.values()]).toEqual(Array(10).fill("accepted"));
  expect(peer.mails).toHaveLength(10);
});

test("an account has its share of a link and no more, whatever it is given", async () => {
  const { listener, link } = await startBoth(undefined, { fetch: fetchForEver });
  const outcomes = Array.from({ length: 20 }, () => listener.submit(mms()));
  expect(await Promise.all(outcomes.slice(16))).toEqual(
    Array(4).fill({ kind: "notSent", reason: "the account has its share of the link" }),
  );
  expect([link.capacity(), link.roomFor(mms().accountSid), link.roomFor("another")]).toEqual([16, 0, 8]);
});

test("accounts take turns at the connections", async () => {
  const { peer, listener, link } = await startBoth(undefined, { settings: { maxConnections: 1 } });
  await listener.until(() => listener.freedCount > 0 && link.capacity() > 0);
  const from = { greedy: "+15551230001", small: "+15551230002" };
  const greedy = Array.from({ length: 10 }, () => mms({ accountSid: "greedy", from: from.greedy }));
  const small = [mms({ accountSid: "small", from: from.small }), mms({ accountSid: "small", from: from.small })];
  await Promise.all([...greedy, ...small].map((message) => listener.submit(message)));
  const places = peer.mails.flatMap((mail, at) => (mail.from.startsWith(from.small) ? [at] : []));
  expect(places).toEqual([1, 3]);
});

test("a message that expired while its media were fetched is not sent", async () => {
  const clock = new VirtualClock(new Date("2026-05-04T03:02:01Z"));
  const fetch: MediaFetcher["fetch"] = async () => {
    await clock.advance(60_000);
    return ok(PICTURE);
  };
  const { peer, listener } = await startBoth(undefined, { clock, fetch });
  const expiresOn = new Date("2026-05-04T03:03:01Z");
  expect(await listener.submit(mms({ expiresOn }))).toEqual({ kind: "notSent", reason: "it expired while it waited" });
  expect(peer.mails).toEqual([]);
});

test("media that are refused reject the message with the reason", async () => {
  const { listener } = await startBoth(undefined, {
    fetch: async () => refused({ detail: "The server answered 404." }),
  });
  const order = mms();
  expect(await listener.submit(order)).toEqual({
    kind: "rejected",
    failure: FAILURES.badMedia,
    reason: `${order.mediaUrls[0]}: The server answered 404.`,
    carrierIds: [],
  });
});

test("a fetcher that fails leaves the outcome unknown, and the link goes on", async () => {
  const fetch: MediaFetcher["fetch"] = (url) =>
    url.includes("bad") ? Promise.reject(new Error("out of memory")) : Promise.resolve(ok(PICTURE));
  const { listener, link } = await startBoth(undefined, { fetch });
  expect(await listener.submit(mms({ mediaUrls: ["https://bad.example/"] }))).toMatchObject({ kind: "unknown" });
  expect(await listener.submit(mms())).toMatchObject({ kind: "accepted" });
  expect(link.capacity()).toBe(32);
});

test("a closing link does not wait for media", async () => {
  const { peer, listener, link } = await startBoth(undefined, { fetch: fetchForEver });
  let open = 12;
  const outcomes = Array.from({ length: open }, () => listener.submit(mms()).finally(() => open--));
  await link.close();
  expect(open).toBe(0);
  expect(await Promise.all(outcomes)).toEqual(Array(12).fill({ kind: "notSent", reason: "the link is closed" }));
  expect(peer.mails).toEqual([]);
});

test("settings that cannot work are refused", () => {
  const good = {
    name: "c",
    host: "h",
    ourHost: "us.example",
    peerHost: "them.example",
    listen: { port: 0, allowedNetworks: ["::1"] },
  };
  expect(mm4Settings.safeParse(good).success).toBe(true);
  const bad = [
    { ...good, user: "without-a-password" },
    { ...good, ourHost: "us.example\r\nX: y" },
    { ...good, listen: { port: 0, allowedNetworks: ["10.0.0.0/99"] } },
    { ...good, listen: { port: 0, allowedNetworks: [] } },
    { ...good, unknown: 1 },
  ];
  expect(bad.map((settings) => mm4Settings.safeParse(settings).success)).toEqual(bad.map(() => false));
});
