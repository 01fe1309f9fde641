// Malformed media of every kind: descriptions, RTP and RTCP with changed, cut and added octets, from the negotiated
// peer, so that all of them are read, while legs come and go. Nothing may crash or be logged as a fault, no port may
// stay in use, memory must not grow, and a good call between them must have audio.

import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import { RtpEngine } from "../../src/adapters/rtp/rtp-engine.ts";
import type { MediaLeg, MediaTerms } from "../../src/domain/voice/ports.ts";
import { writeReport } from "../../src/wire/rtp/rtcp.ts";
import { Chance } from "../fakes/chance.ts";
import { audioPortOf, RtpPhone } from "../fakes/rtp-phone.ts";
import { mediaWorkerFile } from "../fakes/worker-file.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const ROUNDS = roundsOf({ quick: 12, long: 3000 });
const LEGS = 6;
const PACKETS = 40;
/** Measured after warm-up rounds, in which JavaScript engines allocate what they need. */
const GROWTH_MAX_KB = 48 * 1024;
const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000);
const UNTIL = { timeout: 120_000, interval: 10 };
const TERMS: MediaTerms = { family: 4, secure: false, codecs: ["PCMU", "PCMA"], isTrusted: true };
const KEY = "d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj";
const OFFERS = [
  ["m=audio PORT RTP/AVP 0 8 101 13", "a=rtpmap:101 telephone-event/8000", "a=rtcp-mux"],
  ["m=audio PORT RTP/AVP 8 96", "a=rtpmap:96 telephone-event/8000", "a=ptime:60"],
  ["m=audio PORT RTP/SAVP 0", `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`],
  ["m=video 9 RTP/AVP 96", "m=audio PORT RTP/AVP 0", "a=sendonly"],
];

/** Separate from the other path's ports and from other runs of this test. */
function portsFor(path: "portable" | "fast") {
  const min = 22_000 + (process.pid % 4) * 200 + (path === "fast" ? 100 : 0);
  return { min, max: min + 99 };
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

test.each(["portable", "fast"] as const)(
  "bent media harms no call on the %s path",
  { timeout: LONG_TIMEOUT_MS },
  async (path) => {
    const chance = new Chance(SEED);
    const faults: unknown[] = [];
    // A port that another process uses is skipped.
    const keep = (_fields: unknown, fact: string) => {
      if (fact !== "media ports could not be opened") faults.push(fact);
    };
    const engine = new RtpEngine(
      {
        ports: portsFor(path),
        addresses: [{ family: 4, address: "127.0.0.1" }],
        publicAddresses: [],
        allowedNetworks: [],
        inactivityMs: 60_000,
        path,
        rawDirectory: tmpdir(),
        workerFile: await mediaWorkerFile(),
      },
      () => {},
      { debug() {}, info() {}, warn: keep, error: keep },
    );
    closing.push(() => engine.close());
    const good = [await openParty(engine, OFFERS[0]), await openParty(engine, OFFERS[1])] as const;
    good[0].leg.joinWith(good[1].leg);
    const phones = await Promise.all(Array.from({ length: LEGS }, openPhone));
    const free = engine.free;
    let firstKb = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await bendRound(engine, phones, chance);
      expect(engine.free, `seed ${SEED}`).toBe(free);
      const heard = good[1].phone.heard.length;
      await good[0].phone.sendTone(good[0].port, "PCMU", 440, 5);
      await expect.poll(() => good[1].phone.heard.length, UNTIL).toBe(heard + 5);
      if (round === ROUNDS >> 1) firstKb = memoryKb();
    }
    // Before the received audio is analysed, which takes much memory.
    expect(memoryKb() - firstKb).toBeLessThan(GROWTH_MAX_KB);
    expect(good[1].phone.purity("PCMA", 440)).toBeGreaterThan(0.98);
    expect(faults, `seed ${SEED}`).toEqual([]);
  },
);

async function openPhone(): Promise<RtpPhone> {
  const phone = await RtpPhone.open();
  closing.push(() => phone.close());
  return phone;
}

async function openParty(engine: RtpEngine, lines: readonly string[] = []) {
  const phone = await openPhone();
  const leg = await openLeg(engine);
  const answer = leg.answer(phone.sdp(...lines), TERMS);
  return { phone, leg, port: audioPortOf(answer.ok ? answer.value : "") };
}

async function openLeg(engine: RtpEngine): Promise<MediaLeg> {
  const opened = await engine.open("leg");
  if (!opened.ok) throw new Error(opened.refusal);
  return opened.value;
}

/** Legs with malformed descriptions, joined in pairs, whose phones send malformed packets; all are closed at last. */
async function bendRound(engine: RtpEngine, phones: readonly RtpPhone[], chance: Chance): Promise<void> {
  const legs: MediaLeg[] = [];
  for (const [at, phone] of phones.entries()) {
    const leg = await openLeg(engine);
    const sdp = phone.sdp(...(OFFERS[chance.integer(0, OFFERS.length)] ?? []));
    const port = audioPortOf(leg.offer(TERMS));
    if (chance.integer(0, 2) === 0) leg.answer(bentText(sdp, chance), TERMS);
    leg.answer(sdp, TERMS);
    leg.accept(bentText(sdp, chance));
    const other = legs[at - 1];
    if (other && chance.integer(0, 2) === 0) leg.joinWith(other);
    else leg.play({ kind: "ringback", country: chance.integer(0, 2) === 0 ? "GB" : undefined });
    leg.sendDigit("0123456789*#ABCDx"[chance.integer(0, 17)] ?? "1", chance.integer(0, 200));
    legs.push(leg);
    for (let packet = 0; packet < PACKETS; packet++) await sendBent(phone, port, chance);
    phone.heard.length = 0;
  }
  await Promise.all(legs.map((leg) => leg.close()));
}

async function sendBent(phone: RtpPhone, port: number, chance: Chance): Promise<void> {
  const isRtcp = chance.integer(0, 4) === 0;
  const packet = isRtcp ? reportOf(chance) : packetOf(phone, chance);
  const octets = chance.integer(0, 3) === 0 ? packet : bent(packet, chance);
  await phone.sendOctets(isRtcp && chance.integer(0, 2) === 0 ? port + 1 : port, octets);
}

function packetOf(phone: RtpPhone, chance: Chance): Uint8Array {
  const octets = new Uint8Array(12 + (chance.integer(0, 2) === 0 ? 160 : chance.integer(0, 20)));
  const payload = [0, 8, 13, 96, 101, 18][chance.integer(0, 6)] ?? 0;
  octets.set([0x80, payload, phone.sequence >> 8, phone.sequence & 0xff, 0, 0, chance.integer(0, 256), 0, 0, 0, 0, 9]);
  phone.sequence = (phone.sequence + 1 + (chance.integer(0, 20) === 0 ? chance.integer(0, 5000) : 0)) & 0xffff;
  return octets;
}

function reportOf(chance: Chance): Uint8Array {
  const heard = { ssrc: 1, fractionLost: 2, lost: 3, highestSequence: 4, jitter: 5, lastReport: 6, delay: 7 };
  const now = new Date();
  return writeReport({
    ssrc: chance.integer(0, 2 ** 31),
    now,
    timestamp: 1,
    packetsSent: chance.integer(0, 2),
    octetsSent: 160,
    canonicalName: "phone",
    heard,
  });
}

/** Changed, cut or lengthened octets. */
function bent(octets: Uint8Array, chance: Chance): Uint8Array {
  const kind = chance.integer(0, 3);
  if (kind === 0) return octets.subarray(0, chance.integer(0, octets.length + 1));
  const copy = new Uint8Array(octets.length + (kind === 1 ? chance.integer(0, 1600) : 0));
  copy.set(octets);
  for (let times = 1 + chance.integer(0, 6); times > 0; times--)
    copy[chance.integer(0, Math.min(copy.length, 40))] = chance.integer(0, 256);
  return copy;
}

function bentText(text: string, chance: Chance): string {
  const octets = bent(new TextEncoder().encode(text), chance);
  return new TextDecoder("latin1").decode(octets);
}

/** Memory of this process and of the relay that it started. */
function memoryKb(): number {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const all = pids.map((pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const isOurs = pid === String(process.pid) || new RegExp(`^PPid:\\s+${process.pid}$`, "m").test(status);
      return isOurs ? Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) : 0;
    } catch {
      return 0;
    }
  });
  return all.reduce((sum, kb) => sum + kb, 0);
}
