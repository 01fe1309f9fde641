// Trunks that register with us, as raw agents.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { ContactTable } from "../../../test/fakes/contact-table.ts";
import { SDP } from "../../../test/fakes/sip-legs.ts";
import { SipPeer } from "../../../test/fakes/sip-peer.ts";
import { TestSignalling } from "../../../test/fakes/sip-signalling.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { ownPort } from "../../../test/own-port.ts";
import { authorizationValue, type DigestAlgorithm, pickChallenge } from "../../wire/sip/digest.ts";
import { Framer } from "../../wire/sip/framer.ts";
import { fieldsOf, headerOf, type SipMessage } from "../../wire/sip/message.ts";
import { parseMessage } from "../../wire/sip/parse.ts";
import { SDP_TYPE, writeResponse } from "../../wire/sip/write.ts";
import { digestHash } from "./digest-account.ts";

const SOON = { timeout: 120_000 };
const REGISTRAR = { username: "pbx", password: "secret" };
/** Of its own network, where it cannot be reached. */
const CONTACT = "<sip:pbx@10.255.0.2:5060>";

const closings: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) void close();
});

async function world(registrar: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) {
  const us = await TestSignalling.open([{ host: undefined, registrar: { ...REGISTRAR, ...registrar }, ...settings }]);
  closings.push(() => us.sip.close());
  return { us, pbx: new Pbx(us, await peerOf()), registration: () => us.sip.trunks()[0]?.registration };
}

async function peerOf(): Promise<SipPeer> {
  const peer = await SipPeer.open();
  closings.push(() => peer.close());
  return peer;
}

interface Proof {
  readonly username?: string;
  readonly password?: string;
  readonly algorithm?: DigestAlgorithm;
}

let requests = 0;

/** The header line that answers the challenge. */
function proofOf(method: string, uri: string, asked: SipMessage, proof: Proof = {}, body = ""): string {
  const { username = "pbx", password = "secret", algorithm = "SHA-256" } = proof;
  const challenge = pickChallenge(
    fieldsOf(asked, "www-authenticate").filter((one) => one.includes(`algorithm=${algorithm}`)),
  );
  if (!challenge) throw new Error("no challenge");
  const use = { count: ++requests, cnonce: "c" };
  return authorizationValue(challenge, { username, password }, { method, uri, body }, use, digestHash);
}

class Pbx {
  readonly us: TestSignalling;
  readonly peer: SipPeer;
  readonly #address: string;

  constructor(us: TestSignalling, peer: SipPeer, address = "127.0.0.2") {
    this.us = us;
    this.peer = peer;
    this.#address = address;
  }

  request(method: string, fields: Record<string, string> = {}, body = ""): string {
    const uri = method === "REGISTER" ? { uri: "sip:127.0.0.2" } : {};
    return this.peer.request(method, { ...uri, CSeq: `${++requests} ${method}`, ...fields }, body);
  }

  send(method: string, fields: Record<string, string> = {}, body = ""): void {
    this.peer.send(this.request(method, fields, body), this.us.port, this.#address);
  }

  async challenged(): Promise<SipMessage> {
    this.send("REGISTER");
    return (await this.peer.next(401)).message;
  }

  async register(fields: Record<string, string> = {}, proof: Proof = {}): Promise<void> {
    const asked = await this.challenged();
    this.send("REGISTER", {
      Contact: CONTACT,
      Authorization: proofOf("REGISTER", "sip:127.0.0.2", asked, proof),
      ...fields,
    });
  }
}

test.each(["SHA-256", "MD5"] as const)("a trunk registers with %s, and is shown", async (algorithm) => {
  const { pbx, us, registration } = await world();
  expect(us.sip.trunks()).toMatchObject([{ isUp: false, reason: "not registered" }]);
  await pbx.register({}, { algorithm });
  const { message } = await pbx.peer.next(200);
  expect(headerOf(message, "contact")).toBe("<sip:pbx@10.255.0.2:5060>;expires=120");
  expect(us.sip.trunks()).toMatchObject([{ isUp: true, reason: "registered" }]);
  expect(registration()?.reason).toContain(`sip:pbx@10.255.0.2:5060 from ${pbx.peer.address} by UDP until `);
});

test("it is offered only the digests that are wanted", async () => {
  const us = await TestSignalling.open([{ host: undefined, registrar: REGISTRAR }], { digests: ["MD5"] });
  closings.push(() => us.sip.close());
  const pbx = new Pbx(us, await peerOf());
  expect(fieldsOf(await pbx.challenged(), "www-authenticate")).toEqual([expect.stringContaining("algorithm=MD5")]);
  await pbx.register({}, { algorithm: "MD5" });
  await pbx.peer.next(200);
});

test("calls leave for where it registered from, and so do the requests in them, whatever its Contact", async () => {
  const { pbx, us } = await world();
  await pbx.register();
  await pbx.peer.next(200);
  us.dial("+14155550122");
  const invite = await pbx.peer.next("INVITE");
  expect(invite.message.uri).toBe("sip:+14155550122@10.255.0.2:5060");
  expect(invite.message.to.uri).toBe("sip:+14155550122@127.0.0.2");
  expect(headerOf(invite.message, "p-called-party-id")).toBe("<sip:+14155550122@127.0.0.2>");
  pbx.peer.respond(invite, 200, `Contact: ${CONTACT}\r\n`, SDP);
  await us.next("answered");
  await pbx.peer.next("ACK");
  us.sip.hangUp("out");
  expect((await pbx.peer.next("BYE")).message.uri).toBe("sip:pbx@10.255.0.2:5060");
});

test("it is called by its registered address where that is wanted", async () => {
  const { pbx, us } = await world({ requestUri: "contact" });
  await pbx.register();
  await pbx.peer.next(200);
  us.dial("+14155550122");
  const { message } = await pbx.peer.next("INVITE");
  expect(message.uri).toBe("sip:pbx@10.255.0.2:5060");
  expect(message.to.uri).toBe("sip:+14155550122@127.0.0.2");
});

test("its calls prove who it is; its health checks are answered where it is registered, and nowhere else", async () => {
  const { pbx, us } = await world();
  const stranger = await peerOf();
  await pbx.register();
  await pbx.peer.next(200);
  pbx.send("OPTIONS");
  await pbx.peer.next(200);
  stranger.send(stranger.request("OPTIONS"), us.port);
  pbx.send("INVITE", {}, SDP);
  const asked = (await pbx.peer.next(401)).message;
  const uri = "sip:+14155550100@127.0.0.2";
  pbx.send("INVITE", { Authorization: proofOf("INVITE", uri, asked, {}, SDP) }, SDP);
  expect(await us.next("incoming")).toMatchObject({ trunk: "carrier" });
  await pbx.peer.next(100);
  pbx.send("INVITE", { "Call-ID": "again", Authorization: proofOf("INVITE", uri, asked, { password: "x" }, SDP) }, SDP);
  await pbx.peer.next(401);
  expect(stranger.left).toEqual([]);
});

test("a stranger cannot tell a wrong password from a user that does not exist", async () => {
  const { pbx, registration } = await world();
  const answers: string[] = [];
  for (const proof of [{ password: "wrong" }, { username: "nobody" }, { username: "nobody", password: "x" }]) {
    await pbx.register({}, proof);
    const { message } = await pbx.peer.next(401);
    answers.push(message.text.replace(/nonce="[^"]*"|tag=\w+|branch=\w+|rport=\d+|Call-ID.*|CSeq.*/g, ""));
  }
  expect(new Set(answers).size).toBe(1);
  expect(registration()?.isUp).toBe(false);
});

test("guesses are limited: the right password does not help for a minute", async () => {
  const { pbx, us } = await world();
  for (let at = 0; at < 10; at++) {
    await pbx.register({}, { password: `guess ${at}` });
    await pbx.peer.next(401);
    // No address may send more than fifty messages a second.
    await us.clock.advance(1000);
  }
  await pbx.register();
  await pbx.peer.next(401);
  await us.clock.advance(60_000);
  await pbx.register();
  await pbx.peer.next(200);
});

test("a nonce is worth nothing at another address, and neither is one that we never gave", async () => {
  const { pbx, us } = await world();
  const asked = await pbx.challenged();
  const [given = ""] = fieldsOf(asked, "www-authenticate");
  const forged = { ...asked, headers: ["www-authenticate", given.replace(/nonce="[^"]*/, 'nonce="0.0')] };
  pbx.send("REGISTER", { Contact: CONTACT, Authorization: proofOf("REGISTER", "sip:127.0.0.2", forged) });
  expect(headerOf((await pbx.peer.next(401)).message, "www-authenticate")).toContain("stale=true");
  const other = await TcpPbx.open(us, "127.0.0.9");
  other.write(other.request("REGISTER", `Authorization: ${proofOf("REGISTER", "sip:127.0.0.2", asked)}\r\n`));
  expect(headerOf(await other.next(401), "www-authenticate")).toContain("stale=true");
  expect(us.sip.trunks()).toMatchObject([{ isUp: false }]);
});

test("a registration ends by its time, or when the trunk says so", async () => {
  const { pbx, us, registration } = await world();
  await pbx.register({ Expires: "60" });
  await pbx.peer.next(200);
  expect(registration()?.isUp).toBe(true);
  await us.clock.advance(60_000);
  expect(registration()).toEqual({ isUp: false, reason: "it has no contact here" });
  us.dial("+14155550122");
  expect(await us.next("refused")).toMatchObject({ isOurs: true, reason: "trunk carrier is not registered." });
  await pbx.register();
  await pbx.peer.next(200);
  await pbx.register({ Contact: "*", Expires: "0" });
  await pbx.peer.next(200);
  expect(us.sip.trunks()).toMatchObject([{ isUp: false, reason: "not registered" }]);
});

test("too short a time, an unknown extension and what cannot be read are refused, to those who have proven themselves", async () => {
  const { pbx, registration } = await world();
  await pbx.register({ Expires: "10" });
  expect(headerOf((await pbx.peer.next(423)).message, "min-expires")).toBe("30");
  await pbx.register({ Require: "path" });
  expect(headerOf((await pbx.peer.next(420)).message, "unsupported")).toBe("path");
  await pbx.register({ Contact: "*" });
  await pbx.peer.next(400);
  expect(registration()?.isUp).toBe(false);
});

test("several contacts are called in the order of their q, the next where one fails", async () => {
  const { pbx, us } = await world({ maxContacts: 2 });
  const second = new Pbx(us, await peerOf());
  await pbx.register({ Contact: `${CONTACT};q=0.5` });
  await pbx.peer.next(200);
  await second.register({ Contact: "<sip:pbx@10.255.0.3>;q=0.9" });
  await second.peer.next(200);
  us.dial("+14155550122");
  second.peer.respond(await second.peer.next("INVITE"), 503);
  const invite = await pbx.peer.next("INVITE");
  expect(invite.message.uri).toBe("sip:+14155550122@10.255.0.2:5060");
});

test("one that gives no answer to OPTIONS is down until it answers or registers again", async () => {
  const { pbx, us } = await world({}, { optionsSeconds: 30 });
  await pbx.register();
  await pbx.peer.next(200);
  await us.clock.advance(30_000);
  await pbx.peer.next("OPTIONS");
  await us.clock.advance(32_000);
  await expect
    .poll(() => us.sip.trunks(), SOON)
    .toMatchObject([{ isUp: false, reason: "no answer to OPTIONS", registration: { isUp: true } }]);
  await pbx.register();
  await pbx.peer.next(200);
  expect(us.sip.trunks()).toMatchObject([{ isUp: true, reason: "registered" }]);
});

test("over a connection calls leave by it, and with it the registration ends", async () => {
  const { us, registration } = await world();
  const pbx = await TcpPbx.open(us);
  await pbx.register();
  expect(registration()?.reason).toContain("by TCP");
  us.dial("+14155550122");
  const invite = await pbx.next("INVITE");
  expect(invite.uri).toBe("sip:+14155550122@10.255.0.2:5060");
  pbx.write(writeResponse(invite, { address: "127.0.0.1", port: 1 }, { status: 486, toTag: "t" }));
  expect(await us.next("refused")).toMatchObject({ sipCode: 486 });
  const other = await TcpPbx.open(us);
  other.write(other.request("OPTIONS"));
  pbx.write("\r\n\r\n");
  await pbx.pong;
  pbx.close();
  await expect.poll(() => registration()?.isUp, SOON).toBe(false);
  expect(other.left).toBe(0);
});

test("a call goes on over the connection by which the trunk has registered again", async () => {
  const { us } = await world();
  const [pbx, again] = [await TcpPbx.open(us), await TcpPbx.open(us)];
  await pbx.register();
  us.dial("+14155550122");
  const answer = { status: 200, toTag: "t", lines: `Contact: ${CONTACT}\r\n`, contentType: SDP_TYPE, body: SDP };
  pbx.write(writeResponse(await pbx.next("INVITE"), { address: "127.0.0.1", port: 1 }, answer));
  await us.next("answered");
  await pbx.next("ACK");
  await again.register();
  await pbx.breaks();
  us.sip.hangUp("out");
  expect((await again.next("BYE")).uri).toBe("sip:pbx@10.255.0.2:5060");
});

test("a trunk that must use TLS does not register by anything else", async () => {
  const { pbx, registration } = await world({}, { transport: "tls", srtp: true });
  await pbx.register();
  await pbx.peer.next(403);
  expect(registration()?.isUp).toBe(false);
});

test("without trunks that register nobody gets an answer", async () => {
  const us = await TestSignalling.open([{ host: "203.0.113.1" }]);
  closings.push(() => us.sip.close());
  const peer = await peerOf();
  peer.send(peer.request("REGISTER"), us.port);
  await expect.poll(() => us.sip.drops.request, SOON).toBe(1);
  expect(peer.left).toEqual([]);
});

describe("with several processes", () => {
  /** Of the same trunk, on one table of contacts. */
  async function processes(registrar: Record<string, unknown> = {}) {
    const clock = new VirtualClock();
    const table = new ContactTable(clock.now);
    const open = async (process: number, address: string, port = 0, settings: Record<string, unknown> = {}) => {
      const trunk = { host: undefined, registrar: { ...REGISTRAR, ...registrar }, ...settings };
      const us = await TestSignalling.open([trunk], {
        ...{ clock, port, sources: [{ address }], contacts: table.storeOf(process) },
      });
      closings.push(() => us.sip.close());
      table.notify(us.sip);
      await us.sip.loadContacts();
      return us;
    };
    // Some tests open the first one again on its port.
    const [one, other] = [await open(1, "127.0.0.2", await ownPort()), await open(2, "127.0.0.3")];
    return { clock, table, open, one, other };
  }

  const trunkAt = (us: TestSignalling) => us.sip.trunks()[0];
  const place = (address: string, us: TestSignalling) => `${address}:${us.port}`;

  test("all know a registration, and only the process that has it calls there", async () => {
    const { clock, one, other } = await processes();
    const pbx = new Pbx(one, await peerOf());
    await pbx.register();
    await pbx.peer.next(200);
    await clock.advance(200);
    expect(trunkAt(other)).toMatchObject({
      isUp: true,
      reason: `registered with the server at ${place("127.0.0.2", one)}`,
      registration: {
        isUp: true,
        reason: expect.stringMatching(/^sip:pbx@10[.]255[.]0[.]2:5060 from .+, with the server at 127[.]0[.]0[.]2/),
      },
    });
    expect([one.sip.isBestTrunkElsewhere, other.sip.isBestTrunkElsewhere]).toEqual([false, true]);
    expect([one, other].map(({ sip }) => sip.isTrunkElsewhere("carrier"))).toEqual([false, true]);
    expect([undefined, "unknown"].map((name) => other.sip.isTrunkElsewhere(name))).toEqual([false, false]);
    other.dial("+14155550122");
    expect(await other.next("refused")).toMatchObject({
      isOurs: true,
      reason: `trunk carrier is registered at ${place("127.0.0.2", one)}: only the server there reaches it.`,
    });
    one.dial("+14155550122");
    await pbx.peer.next("INVITE");
    await clock.advance(120_000);
    expect(trunkAt(other)).toMatchObject({ isUp: false, registration: { isUp: false } });
  });

  test("a trunk may register with each, and is called by each while it answers there", async () => {
    const { clock, table, one, other } = await processes();
    const peer = await peerOf();
    const [first, second] = [new Pbx(one, peer), new Pbx(other, peer, "127.0.0.3")];
    for (const pbx of [first, second]) {
      await pbx.register();
      await peer.next(200);
    }
    await clock.advance(200);
    expect(table.rows.map(({ process, place: at }) => [process, at])).toEqual([
      [1, place("127.0.0.2", one)],
      [2, place("127.0.0.3", other)],
    ]);
    expect([one.sip.isBestTrunkElsewhere, other.sip.isBestTrunkElsewhere]).toEqual([false, false]);
    expect(trunkAt(one)?.registration?.reason.split("; ")).toHaveLength(2);
    await first.register({ Contact: "*", Expires: "0" });
    await peer.next(200);
    await clock.advance(200);
    expect(table.rows).toMatchObject([{ process: 2 }]);
    expect(one.sip.isBestTrunkElsewhere).toBe(true);
  });

  test("a process that was taken for dead stores again what it holds", async () => {
    const { clock, table, one } = await processes({ maxContacts: 2 });
    const pbx = new Pbx(one, await peerOf());
    await pbx.register();
    await pbx.peer.next(200);
    const connected = await TcpPbx.open(one);
    await connected.register("<sip:tcp@10.255.0.2>");
    await clock.advance(200);
    table.bury(1);
    expect(table.rows).toMatchObject([{ process: null }]);
    await clock.advance(1200);
    expect(table.rows).toMatchObject([{ process: 1 }, { process: 1 }]);
  });

  test("after a restart at the same place a contact over UDP is called at once; one over TCP is gone", async () => {
    const { clock, table, one, other, open } = await processes({ maxContacts: 2 });
    const pbx = new Pbx(one, await peerOf());
    await pbx.register();
    await pbx.peer.next(200);
    const connected = await TcpPbx.open(one);
    await connected.register("<sip:tcp@10.255.0.2>");
    await clock.advance(200);
    expect(table.rows).toHaveLength(2);
    const { port } = one;
    await one.sip.close();
    table.bury(1);
    await clock.advance(200);
    expect(trunkAt(other)).toMatchObject({ isUp: false, registration: { isUp: false } });
    other.dial("+14155550122");
    expect(await other.next("refused")).toMatchObject({
      reason: `trunk carrier was registered at 127.0.0.2:${port}, where no server runs now.`,
    });
    const again = await open(3, "127.0.0.2", port);
    expect(table.rows).toMatchObject([{ process: 3, transport: "UDP" }]);
    expect(trunkAt(again)).toMatchObject({ isUp: true, registration: { isUp: true } });
    again.dial("+14155550122");
    const { message } = await pbx.peer.next("INVITE");
    expect(message.uri).toBe("sip:+14155550122@10.255.0.2:5060");
    await clock.advance(120_000);
    expect(table.rows).toEqual([]);
  });

  test.each([
    ["fewer contacts", { registrar: REGISTRAR }, ["<sip:two@10.255.0.2>"]],
    ["another transport", { transport: "tcp" }, []],
  ])("after a restart with %s it is called by what the settings of now allow", async (_what, settings, kept) => {
    const { clock, table, one, other, open } = await processes({ maxContacts: 2 });
    const pbx = new Pbx(one, await peerOf());
    for (const contact of ["<sip:one@10.255.0.2>", "<sip:two@10.255.0.2>"]) {
      await pbx.register({ Contact: contact });
      await pbx.peer.next(200);
      await clock.advance(1000);
    }
    const { port } = one;
    await one.sip.close();
    table.bury(1);
    const again = await open(3, "127.0.0.2", port, settings);
    await clock.advance(1200);
    expect(trunkAt(again)).toMatchObject({ isUp: kept.length > 0 });
    expect(table.rows.map(({ uri }) => `<${uri}>`)).toEqual(kept);
    expect(trunkAt(other)).toMatchObject({ isUp: kept.length > 0 });
  });

  test("a registration that is only refreshed is written when a third of its time has passed, and never expires", async () => {
    const { clock, table, one, other } = await processes();
    const pbx = new Pbx(one, await peerOf());
    for (let seconds = 0; seconds < 240; seconds += 10) {
      await pbx.register({ "Call-ID": "refreshed" });
      await pbx.peer.next(200);
      await clock.advance(10_000);
      expect(trunkAt(other)).toMatchObject({ isUp: true });
    }
    expect(table.writes).toBeLessThanOrEqual(7);
    expect(table.writes).toBeGreaterThanOrEqual(4);
    await pbx.register({ "Call-ID": "refreshed", Contact: `${CONTACT};q=0.5` });
    await pbx.peer.next(200);
    await clock.advance(200);
    expect(table.rows).toMatchObject([{ q: 0.5 }]);
  });

  test("a stranger makes no rows, and a store that fails is tried again", async () => {
    const { clock, table, one } = await processes();
    const pbx = new Pbx(one, await peerOf());
    pbx.send("REGISTER", { Contact: CONTACT });
    await pbx.peer.next(401);
    await pbx.register({}, { password: "wrong" });
    await pbx.peer.next(401);
    await clock.advance(5000);
    expect(table.rows).toEqual([]);
    table.isAway = true;
    await pbx.register();
    await pbx.peer.next(200);
    await clock.advance(5000);
    expect(trunkAt(one)).toMatchObject({ isUp: true });
    table.isAway = false;
    await clock.advance(1100);
    expect(table.rows).toMatchObject([{ process: 1, callId: expect.any(String), cseq: expect.any(Number) }]);
  });
});

class TcpPbx {
  readonly #socket: Socket;
  readonly #framer = new Framer();
  readonly #messages: SipMessage[] = [];
  readonly pong: Promise<void>;

  static async open(us: TestSignalling, localAddress = "127.0.0.1"): Promise<TcpPbx> {
    const socket = connect({ host: "127.0.0.2", port: us.port, localAddress });
    await once(socket, "connect");
    const pbx = new TcpPbx(socket);
    closings.push(() => pbx.close());
    return pbx;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.pong = new Promise((resolve) =>
      socket.on("data", (chunk) => {
        const text = chunk.toString("latin1");
        if (text === "\r\n") resolve();
        for (const one of this.#framer.push(text).messages) {
          const parsed = parseMessage(one);
          if (parsed.ok) this.#messages.push(parsed.message);
        }
      }),
    );
  }

  get left(): number {
    return this.#messages.length;
  }

  request(method: string, more = "", contact = CONTACT): string {
    const cseq = ++requests;
    return (
      `${method} sip:127.0.0.2 SIP/2.0\r\nVia: SIP/2.0/TCP 10.255.0.2;branch=z9hG4bKtcp${cseq};rport\r\nMax-Forwards: 70\r\n` +
      `From: <sip:pbx@127.0.0.2>;tag=a\r\nTo: <sip:pbx@127.0.0.2>\r\nCall-ID: tcp${cseq}\r\nCSeq: ${cseq} ${method}\r\n` +
      `Contact: ${contact}\r\n${more}Content-Length: 0\r\n\r\n`
    );
  }

  write(text: string): void {
    this.#socket.write(text, "latin1");
  }

  async register(contact = CONTACT): Promise<void> {
    this.write(this.request("REGISTER"));
    const asked = await this.next(401);
    const proof = `Authorization: ${proofOf("REGISTER", "sip:127.0.0.2", asked)}\r\n`;
    this.write(this.request("REGISTER", proof, contact));
    await this.next(200);
  }

  async next(wanted: string | number): Promise<SipMessage> {
    for (;;) {
      const message = this.#messages.shift();
      if (!message) await once(this.#socket, "data");
      else if (message.status === wanted || (message.kind === "request" && message.method === wanted)) return message;
    }
  }

  /** Sends what makes the server close the connection. */
  async breaks(): Promise<void> {
    const closed = once(this.#socket, "close");
    this.write("Content-Length: none\r\n\r\n");
    await closed;
  }

  close(): void {
    this.#socket.destroy();
  }
}
