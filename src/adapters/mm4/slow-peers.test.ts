// Peers that send slowly, never stop, never read or never hang up, on either side of the link: each is cut off after
// its time limit.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect as connectTcp, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
import { afterThisTest, closedAfter } from "../../../test/fakes/closed-after.ts";
import { testMms as mms, Peer, type Script, Talk, TestLink } from "../../../test/fakes/mm4-peer.ts";
import type { MmsVerdict } from "../../domain/messaging/index.ts";
import { encodeMm4 } from "../../wire/mm4/encode.ts";

async function startBoth(script: Script = () => undefined, options?: Parameters<typeof TestLink.open>[1]) {
  const peer = closedAfter(await Peer.start());
  peer.script = script;
  const listener = closedAfter(await TestLink.open(peer.port, options));
  return { peer, listener, link: listener.link };
}

const LOGIN = { settings: { user: "tandem", password: "sesame" } };
const withLogin =
  (script: Script): Script =>
  (step, ...rest) =>
    script(step, ...rest) ?? (step === "EHLO" ? "250-peer\r\n250 AUTH PLAIN" : undefined);

test.each(["connect", "EHLO", "AUTH"] as const)(
  "a peer that dribbles at %s is given up, told to be down, and found again",
  async (at) => {
    let isSlow = true;
    const script = withLogin((step) => (isSlow && step === at ? "dribble" : undefined));
    const { peer, listener, link } = await startBoth(script, { ...LOGIN, times: { readyMsMax: 500 } });
    await listener.until(() => link.state.kind === "down");
    expect(link.state.reason).toBe("the peer was not done within 500 ms");
    await peer.until(() => peer.open === 0);
    isSlow = false;
    await listener.until(() => link.state.kind === "bound" && link.capacity() > 0);
    expect(await listener.submit(mms())).toMatchObject({ kind: "accepted" });
  },
);

test("messages that wait for a peer which never gets ready are not sent, and take no place for ever", async () => {
  const options = { settings: { maxConnections: 2 }, times: { readyMsMax: 50 } };
  const { listener } = await startBoth((step) => (step === "EHLO" ? "dribble" : undefined), options);
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => listener.submit(mms())));
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(6).fill("notSent"));
  expect(listener.states).toContain("down");
});

test("a peer that dribbles where it should forget a refused mail has refused it all the same", async () => {
  const script: Script = (step) => {
    if (step === "dot") return "451 4.3.0 later";
    return step === "RSET" ? "dribble" : undefined;
  };
  const { peer, listener, link } = await startBoth(script, { times: { readyMsMax: 200 } });
  await listener.until(() => listener.freedCount > 0 && link.capacity() > 0);
  expect(await listener.submit(mms())).toMatchObject({ kind: "throttled" });
  await peer.until(() => peer.open === 0);
});

test("a peer that dribbles in the middle of a mail is given up, and the mail is not sent", async () => {
  const { listener, link } = await startBoth((step) => (step === "DATA" ? "dribble" : undefined), {
    times: { mailMsMax: 50 },
  });
  await listener.until(() => listener.freedCount > 0 && link.capacity() > 0);
  expect(await listener.submit(mms())).toEqual({ kind: "notSent", reason: "the peer was not done within 50 ms" });
});

test.each([
  ["empty lines", "\r\n".repeat(40_000)],
  ["lines of an answer without end", "250-more\r\n".repeat(10_000)],
  ["a line without end", `250 ${"x".repeat(80_000)}`],
  ["unfinished answers between empty lines", "\r\n\r\n250-more\r\nx\r\n".repeat(6_000).concat("250-more")],
])("a peer that says %s is not listened to", async (_, flood) => {
  const { peer, listener, link } = await startBoth((step) => (step === "EHLO" ? flood : undefined));
  await listener.until(() => link.state.kind === "down");
  expect(link.state.reason).toBe("the peer sent too much");
  await peer.until(() => peer.open === 0);
});

test("a closing link does not wait for ever for the answer to a mail: it is unknown", async () => {
  let isSent = false;
  const script: Script = (step) => {
    isSent ||= step === "dot";
    return step === "dot" ? "dribble" : undefined;
  };
  const { peer, listener, link } = await startBoth(script, {
    times: { drainMsMax: 50 },
    settings: { responseSeconds: 600 },
  });
  const order = mms();
  let isSettled = false;
  const submitting = listener.submit(order).finally(() => {
    isSettled = true;
  });
  await peer.until(() => isSent);
  await link.close();
  expect(isSettled).toBe(true);
  expect(await submitting).toEqual({
    kind: "unknown",
    reason: "the link is closed",
    carrierIds: [`${order.sid}@us.example`],
  });
  await peer.until(() => peer.open === 0);
});

test("a closing link does not wait for ever for a connection: what wanted one was not sent", async () => {
  const options = { times: { drainMsMax: 50 }, settings: { responseSeconds: 600, maxConnections: 2 } };
  const { peer, listener, link } = await startBoth((step) => (step === "EHLO" ? "dribble" : undefined), options);
  const submitting = Promise.all([mms(), mms(), mms()].map((order) => listener.submit(order)));
  await peer.until(() => peer.open === 2);
  await link.close();
  expect(await submitting).toEqual(Array(3).fill({ kind: "notSent", reason: "the link is closed" }));
  expect(link.state.kind).toBe("closed");
  await peer.until(() => peer.open === 0);
});

const US = "+15551230001/TYPE=PLMN@us.example";
const FORWARD = Buffer.from(
  encodeMm4({
    kind: "forward",
    transactionId: "T-7",
    messageId: "<M-7@them.example>",
    from: "+15559870002/TYPE=PLMN@them.example",
    to: [US],
    originatorSystem: "system@mmsc.them.example",
    isAckRequested: false,
    isReportRequested: false,
    subject: "",
    text: "hi",
    media: [],
  }),
).toString("latin1");

async function talkTo(port: number): Promise<Talk> {
  const talk = await Talk.with(port);
  afterThisTest(() => talk.end());
  expect(await talk.hear()).toMatch(/^220/);
  expect(await talk.ask("EHLO them.example")).toMatch(/^250/);
  return talk;
}

test("a closing link stores the mail that is here, and cuts off a peer that goes on and on with its own", async () => {
  let take = (_: MmsVerdict) => {};
  const taken = new Promise<MmsVerdict>((resolve) => {
    take = resolve;
  });
  const times = { hangUpMsMax: 50, takeMsMax: 30_000 };
  const { listener, link } = await startBoth(undefined, { take: () => taken, times });
  const [whole, endless] = [await talkTo(link.port), await talkTo(link.port)];
  const answer = whole.mail([US], FORWARD);
  await listener.until(() => listener.inbounds.length === 1);
  expect(await endless.beginMail([US])).toMatch(/^354/);
  endless.dribble();
  const closing = listener.close();
  expect(await endless.hear()).toBe("");
  take("taken");
  expect(await answer).toMatch(/^250/);
  await closing;
  expect(listener.inbounds).toHaveLength(1);
});

test("a closing link lets a peer finish the mail that it is sending", async () => {
  const { listener, link } = await startBoth();
  const talk = await talkTo(link.port);
  expect(await talk.beginMail([US])).toMatch(/^354/);
  const closing = listener.close();
  expect(await talk.ask(`${FORWARD}\r\n.`)).toMatch(/^250/);
  await closing;
  expect(listener.inbounds).toHaveLength(1);
});

/** Reads, and does not hang up when the other side does. */
async function stayOn(port: number): Promise<Socket> {
  const socket = connectTcp({ port, host: "127.0.0.1", allowHalfOpen: true });
  afterThisTest(() => socket.destroy());
  socket.on("error", () => {});
  await once(socket, "data");
  return socket;
}

const ended = (socket: Socket) => new Promise((resolve) => socket.once("close", resolve));

test("a closing link does not wait for a peer that will not hang up", async () => {
  const { listener, link } = await startBoth(undefined, { times: { hangUpMsMax: 50 } });
  const socket = await stayOn(link.port);
  const hungUpOn = once(socket, "end");
  await listener.close();
  await hungUpOn;
});

test("an outsider that goes on talking is cut off", async () => {
  const listen = { allowedNetworks: ["192.0.2.0/24"] };
  const { link } = await startBoth(undefined, { listen, times: { hangUpMsMax: 50 } });
  const socket = await stayOn(link.port);
  const timer = setInterval(() => socket.write("x"), 5);
  await ended(socket);
  clearInterval(timer);
});

test("a peer that never comes to the point is cut off", async () => {
  const { link } = await startBoth(undefined, { times: { mailWaitMsMax: 50 } });
  const talk = await Talk.with(link.port);
  talk.dribble();
  while ((await talk.hear()) !== "");
});

/** Sends this until the connection ends, and reads no answer. */
function talkDeaf(socket: Socket, text: string): Promise<unknown> {
  const over = ended(socket);
  socket.pause();
  const say = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on("drain", say);
  say();
  return over;
}

const EHLOS = "EHLO them.example\r\n".repeat(500);

test("a peer that asks and asks and reads no answer is cut off", async () => {
  const { link } = await startBoth();
  await talkDeaf(await stayOn(link.port), EHLOS);
});

async function takeToTls(port: number): Promise<Socket> {
  const socket = await stayOn(port);
  socket.write("EHLO them.example\r\n");
  await once(socket, "data");
  socket.write("STARTTLS\r\n");
  await once(socket, "data");
  const secured = connectTls({ socket, rejectUnauthorized: false });
  secured.on("error", () => {});
  await once(secured, "secureConnect");
  return secured;
}

test("so is one that has taken to TLS", async () => {
  const { link } = await startBoth(undefined, { listen: { tls: await certificate() } });
  await talkDeaf(await takeToTls(link.port), EHLOS);
});

test("TLS does not keep a closing link waiting either", async () => {
  const { listener, link } = await startBoth(undefined, {
    listen: { tls: await certificate() },
    times: { hangUpMsMax: 50 },
  });
  const secured = await takeToTls(link.port);
  secured.write("EHLO them.example\r\n");
  await once(secured, "data");
  secured.write(`MAIL FROM:<a@them.example>\r\nRCPT TO:<${US}>\r\nDATA\r\nand so on`);
  await once(secured, "data");
  await listener.close();
  expect(listener.inbounds).toEqual([]);
});

async function certificate(): Promise<{ readonly cert: string; readonly key: string }> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-mm4-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", ...kind, "-subj", "/CN=localhost", "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  return { cert, key };
}
