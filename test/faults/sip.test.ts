// Malformed SIP messages of every kind, as datagrams and as streams that are cut anywhere, from a trunk, so that all of
// them are read. Nothing may crash or be logged as a fault, memory must not grow, and good calls between them succeed.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import type { SignallingInput } from "../../src/domain/voice/ports.ts";
import { headerOf, type SipMessage } from "../../src/wire/sip/message.ts";
import { writeResponse } from "../../src/wire/sip/write.ts";
import { Chance } from "../fakes/chance.ts";
import { silent } from "../fakes/silent-log.ts";
import { SDP } from "../fakes/sip-legs.ts";
import { SipPeer } from "../fakes/sip-peer.ts";
import { TestSignalling } from "../fakes/sip-signalling.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const DATAGRAMS = roundsOf({ quick: 45_000, long: 900_000 });
const STREAMED = roundsOf({ quick: 5000, long: 100_000 });
const BATCH = 100;
const GROWTH_MAX = 96 << 20;
const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000);

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

const faults: unknown[] = [];

/** Responds to every input of the storm. */
async function openVictim(peers: readonly SipPeer[]): Promise<TestSignalling> {
  const react = (input: SignallingInput) => {
    const { sip } = us;
    if (input.kind === "incoming" && input.trunk === "t0") {
      sip.ring(input.legSid);
      sip.answer(input.legSid, SDP);
    } else if (input.kind === "offered") sip.answerOffer(input.legSid, input.sdp === undefined ? undefined : SDP);
    else if (input.kind === "digit") sip.sendDigit(input.legSid, input.digit, input.ms);
  };
  const trunks = peers.map((peer, at) => ({ name: `t${at}`, port: peer.port, sources: [peer.address], priority: at }));
  const us = await TestSignalling.open(trunks, {
    log: { ...silent, error: (fields, fact) => void faults.push([fact, fields]) },
    onMessage: undefined,
    react,
  });
  closings.push(() => us.sip.close());
  return us;
}

async function peerOf(): Promise<SipPeer> {
  const peer = await SipPeer.open({ isForgiving: true });
  closings.push(() => peer.close());
  return peer;
}

const METHODS = ["INVITE", "ACK", "BYE", "CANCEL", "OPTIONS", "REGISTER", "UPDATE", "INFO", "PRACK", "REFER", "X"];
const FIELDS = [
  "Via: SIP/2.0/UDP a:1;branch=z9hG4bK1, SIP/2.0/TCP b",
  "Record-Route: <sip:127.0.0.1;lr>, <sip:127.0.0.9>",
  "Require: 100rel, timer",
  "Session-Expires: 90;refresher=uas",
  "Supported: timer, 100rel",
  "RAck: 1 1 INVITE",
  "RSeq: 1",
  "Contact: *",
  "Contact: <sip:[::1]:99999>;q=2",
  'Authorization: Digest username="a", nonce="',
  "Content-Encoding: gzip",
  "P-Asserted-Identity: <tel:+1415;phone-context=>",
  `X-Long: ${"x".repeat(3000)}`,
];
const VALUES = [
  "0",
  "-1",
  "4294967296",
  "99999999999999999999",
  "",
  '"',
  "<",
  "%00",
  ";;;",
  ",,,",
  "\u00ff\u00fe",
  "SIP/2.0",
];

function bend(chance: Chance, text: string): string {
  let bent = text;
  for (let times = chance.integer(1, 5); times > 0; times--) bent = bendOnce(chance, bent);
  return bent.slice(0, 4000);
}

function bendOnce(chance: Chance, text: string): string {
  const at = chance.integer(0, text.length + 1);
  const end = Math.min(text.length, at + chance.integer(0, 30));
  const lines = text.split("\r\n");
  const line = chance.integer(0, lines.length);
  switch (chance.integer(0, 9)) {
    case 0:
      return `${text.slice(0, at)}${String.fromCharCode(chance.integer(0, 256))}${text.slice(at + 1)}`;
    case 1:
      return text.slice(0, at) + text.slice(end);
    case 2:
      return text.slice(0, end) + text.slice(at);
    case 3:
      return text.slice(0, at);
    case 4:
      return [...lines.slice(0, line), lines[chance.integer(0, lines.length)] ?? "", ...lines.slice(line)].join("\r\n");
    case 5:
      return [...lines.slice(0, line), ` folded ${lines[line]}`, ...lines.slice(line + 1)].join("\r\n");
    case 6:
      return [lines[0], FIELDS[chance.integer(0, FIELDS.length)], ...lines.slice(1)].join("\r\n");
    case 7:
      return text.replace(/\d+/g, (digits) =>
        chance.happens(0.1) ? (VALUES[chance.integer(0, VALUES.length)] ?? "") : digits,
      );
    default:
      return text.replace(/: [^\r]*/g, (value) =>
        chance.happens(0.1) ? `: ${VALUES[chance.integer(0, VALUES.length)]}` : value,
      );
  }
}

/** A plausible message of the peer in the present state of the calls. */
function likely(chance: Chance, peer: SipPeer, seen: readonly SipMessage[]): string {
  const known = seen.length > 0 && chance.happens(0.7) ? seen[chance.integer(0, seen.length)] : undefined;
  if (known?.kind === "request") {
    const status = chance.oneOf([100, 180, 183, 200, 200, 302, 401, 407, 422, 481, 486, 491, 503]);
    const lines = chance.happens(0.5)
      ? `Contact: <sip:x@${peer.address}>\r\nRequire: 100rel\r\nRSeq: ${chance.integer(0, 4)}\r\n`
      : "";
    const body = chance.happens(0.5) ? SDP : "";
    const draft = { status, toTag: `t${chance.integer(0, 3)}`, lines, contentType: body && "application/sdp", body };
    return writeResponse(known, { address: "127.0.0.1", port: peer.port }, draft);
  }
  const method = METHODS[chance.integer(0, METHODS.length)] ?? "X";
  const dialog: Record<string, string> = known
    ? { From: headerOf(known, "from") ?? "", To: headerOf(known, "to") ?? "", "Call-ID": known.callId }
    : {};
  return peer.request(method, { ...dialog, CSeq: `${chance.integer(1, 9)} ${method}` }, chance.happens(0.5) ? SDP : "");
}

async function goodCall(us: TestSignalling, peer: SipPeer): Promise<void> {
  const invite = peer.request("INVITE", {}, SDP);
  peer.send(invite, us.port);
  const { legSid } = await us.next("incoming", { trunk: "t1" });
  us.sip.answer(legSid, SDP);
  let { message } = await peer.next(200);
  // Responses to OPTIONS may arrive in between.
  while (message.method !== "INVITE") ({ message } = await peer.next(200));
  const dialog = {
    To: headerOf(message, "to") ?? "",
    From: headerOf(message, "from") ?? "",
    "Call-ID": message.callId,
  };
  peer.send(peer.request("ACK", { ...dialog, CSeq: "1 ACK" }), us.port);
  await us.next("confirmed", { legSid });
  peer.send(peer.request("BYE", { ...dialog, CSeq: "2 BYE" }), us.port);
  await us.next("ended", { legSid });
}

/** Resolves when everything sent before was read: the OPTIONS is answered. It is repeated, because it may be lost. */
async function untilRead(us: TestSignalling, peer: SipPeer): Promise<void> {
  const ask = () => peer.send(peer.request("OPTIONS"), us.port);
  const again = setInterval(ask, 500);
  ask();
  await peer.next(200);
  clearInterval(again);
}

const collect = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
})();

test(
  `${DATAGRAMS} bent datagrams neither crash nor fill us, and good calls go through`,
  async () => {
    const chance = new Chance(SEED);
    const [stormy, calm] = [await peerOf(), await peerOf()];
    const us = await openVictim([stormy, calm]);
    let seen: SipMessage[] = [];
    let baseline = 0;
    for (let sent = 0; sent < DATAGRAMS; sent += BATCH) {
      if (chance.happens(0.2)) us.dial("+14155550199", { legSid: `out${sent}` });
      for (let times = 0; times < BATCH; times++) {
        const text = likely(chance, stormy, seen);
        stormy.send(chance.happens(0.15) ? text : bend(chance, text), us.port);
      }
      await untilRead(us, calm);
      seen = [...seen, ...stormy.take()].slice(-200);
      await us.clock.advance(1000);
      us.forget();
      if (sent % (50 * BATCH) === 0) {
        us.hangUpAll();
        await goodCall(us, calm);
      }
      if (sent === Math.floor(DATAGRAMS / 3 / BATCH) * BATCH) {
        collect();
        baseline = process.memoryUsage().heapUsed;
      }
    }
    expect(faults, `seed ${SEED}`).toEqual([]);
    collect();
    expect(process.memoryUsage().heapUsed - baseline).toBeLessThan(GROWTH_MAX);
    us.hangUpAll();
    await us.clock.advance(200_000);
    expect(us.sip.open().transactions, `seed ${SEED}`).toBe(0);
    expect(us.sip.open().legs, `seed ${SEED}`).toBe(0);
  },
  LONG_TIMEOUT_MS,
);

test(
  `${STREAMED} bent messages in streams that are cut anywhere end at most their connection`,
  async () => {
    const chance = new Chance(SEED);
    const peer = await peerOf();
    const us = await openVictim([peer, peer]);
    const open = async (): Promise<Socket> => {
      const socket = connect({ host: "127.0.0.2", port: us.port, localAddress: "127.0.0.1" });
      socket.on("error", () => {}).on("data", () => {});
      await once(socket, "connect");
      return socket;
    };
    let socket = await open();
    closings.push(() => socket.destroy());
    for (let sent = 0; sent < STREAMED; sent += BATCH) {
      let stream = "";
      for (let times = 0; times < BATCH; times++) {
        const text = likely(chance, peer, []).replace("SIP/2.0/UDP", "SIP/2.0/TCP");
        stream += chance.happens(0.6) ? text : bend(chance, text);
      }
      for (let at = 0; at < stream.length && socket.writable; ) {
        const end = at + chance.integer(1, 2000);
        socket.write(Buffer.from(stream.slice(at, end), "latin1"));
        at = end;
      }
      // A stream that lost its framing is closed by us, or waits for octets that never arrive.
      socket.destroy();
      socket = await open();
      const answered = once(socket, "data");
      socket.write(peer.request("OPTIONS").replace("SIP/2.0/UDP", "SIP/2.0/TCP"));
      expect(String((await answered)[0])).toContain("SIP/2.0 200 OK");
      await us.clock.advance(1000);
      us.forget();
    }
    expect(faults, `seed ${SEED}`).toEqual([]);
  },
  LONG_TIMEOUT_MS,
);
