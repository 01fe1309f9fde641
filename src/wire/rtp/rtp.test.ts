import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeSample } from "../../../test/fakes/g711.ts";
import { purityOf } from "../../../test/fakes/rtp-phone.ts";
import { encodeSample, type Law, transcode } from "./g711.ts";
import { Latch } from "./latch.ts";
import { MovingLatch } from "./moving-latch.ts";
import { OutgoingStream } from "./outgoing-stream.ts";
import { isRtcp, RTP_HEADER_LENGTH, readRtp, writeRtpHeader } from "./packet.ts";
import { PacketIndex } from "./packet-index.ts";
import { meanOpinion, Reception } from "./reception.ts";
import { middleOfNtp, readReport, roundTripMs, writeReport } from "./rtcp.ts";
import { KeyListener, readEvent, writeEvent } from "./telephone-event.ts";
import { comfortNoise, toneOf } from "./tones.ts";

const u16 = fc.integer({ min: 0, max: 0xffff });
const u32 = fc.integer({ min: 0, max: 0xffffffff });

test("a header that is written is read back the same", () => {
  const header = fc.record({
    hasMarker: fc.boolean(),
    payload: fc.integer({ min: 0, max: 127 }),
    sequence: u16,
    timestamp: u32,
    ssrc: u32,
  });
  fc.assert(
    fc.property(header, fc.uint8Array({ maxLength: 200 }), (value, payload) => {
      const octets = new Uint8Array(RTP_HEADER_LENGTH + payload.length);
      octets.set(payload, RTP_HEADER_LENGTH);
      writeRtpHeader(octets, 0, value);
      expect(readRtp(octets)).toEqual({ ...value, start: RTP_HEADER_LENGTH, end: octets.length });
    }),
  );
});

test("sources, extension and padding are not payload", () => {
  const octets = new Uint8Array([0xb1, 0, ...Array(10).fill(0), 1, 2, 3, 4, 0xbe, 0xde, 0, 1, 9, 9, 9, 9, 7, 7, 0, 2]);
  expect(readRtp(octets)).toMatchObject({ start: 24, end: 26 });
});

test("any octets are read or not, and never beyond their end", () => {
  const almost = fc.uint8Array({ minLength: 12, maxLength: 60 }).map((octets) => {
    octets[0] = 0x80 | ((octets[0] as number) & 0x3f);
    return octets;
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 100 }), almost), (octets) => {
      const header = readRtp(octets);
      if (header) {
        expect(header.start).toBeLessThanOrEqual(header.end);
        expect(header.end).toBeLessThanOrEqual(octets.length);
      }
      readReport(octets);
      isRtcp(octets);
      readEvent(octets, 0, octets.length);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["PCMU", 0x00, -32_124],
  ["PCMU", 0x80, 32_124],
  ["PCMU", 0xff, 0],
  ["PCMU", 0x55, -716],
  ["PCMA", 0xd5, 8],
  ["PCMA", 0x55, -8],
  ["PCMA", 0x2a, -32_256],
  ["PCMA", 0xaa, 32_256],
] as const)("G.711: %s %i is the sample %i", (law, octet, sample) => {
  expect(decodeSample(law, octet)).toBe(sample);
  expect(encodeSample(law, sample)).toBe(octet);
});

test("every octet of a law that is decoded and encoded is itself, the two zeros of PCMU excepted", () => {
  for (const law of ["PCMU", "PCMA"] as const) {
    for (let octet = 0; octet < 256; octet++) {
      const again = encodeSample(law, decodeSample(law, octet));
      expect(decodeSample(law, again)).toBe(decodeSample(law, octet));
    }
  }
});

test("a tone survives the way through the other law and back", () => {
  const tone = (law: Law) =>
    Uint8Array.from({ length: 1600 }, (_, at) => encodeSample(law, 9000 * Math.sin((2 * Math.PI * 1000 * at) / 8000)));
  const octets = tone("PCMU");
  transcode("PCMU", octets, 0, octets.length);
  expect(
    purityOf(
      [...octets].map((octet) => decodeSample("PCMA", octet)),
      1000,
    ),
  ).toBeGreaterThan(0.99);
  transcode("PCMA", octets, 0, octets.length);
  expect(
    purityOf(
      [...octets].map((octet) => decodeSample("PCMU", octet)),
      1000,
    ),
  ).toBeGreaterThan(0.99);
});

test("a ringing tone has its frequencies, its cadence, and the country's own where it is known", () => {
  const period = toneOf("ringback", "US", "PCMU");
  expect(period).toHaveLength(48_000);
  const samples = [...period].map((octet) => decodeSample("PCMU", octet));
  expect(purityOf(samples.slice(0, 16_000), 440) + purityOf(samples.slice(0, 16_000), 480)).toBeGreaterThan(0.98);
  expect(samples.slice(16_000).every((sample) => sample === 0)).toBe(true);
  expect(toneOf("ringback", "GB", "PCMU")).toHaveLength(24_000);
  expect(toneOf("ringback", "XX", "PCMU")).toBe(period);
  expect(toneOf("ringback", "toString", "PCMU")).toBe(period);
  expect(toneOf("busy", "US", "PCMU")).toHaveLength(8_000);
  expect(toneOf("busy", "GB", "PCMU")).toHaveLength(6_000);
  expect(comfortNoise(60, "PCMU")).toHaveLength(8000);
});

test("a key goes down with its first packet, whichever of them arrives", () => {
  const listener = new KeyListener();
  const begun = [
    [1, 5, 160],
    [1, 5, 320],
    [900, 5, 320],
    [2000, 11, 160],
    [2000, 11, 640],
  ].map(([timestamp = 0, event = 0, duration = 0]) => {
    const packet = { event, isEnd: duration === 640, duration };
    const digit = listener.begunBy(timestamp, packet);
    listener.hear(timestamp, packet);
    return digit;
  });
  expect(begun).toEqual(["5", undefined, "5", "#", undefined]);
  expect(listener.begunBy(3000, { event: 32, isEnd: false, duration: 160 })).toBeUndefined();
});

test("a key is reported once, at its first end; a lost end is seen by what follows", () => {
  const listener = new KeyListener();
  const hear = (timestamp: number, event: number, isEnd: boolean, duration: number) =>
    listener.hear(timestamp, { event, isEnd, duration });
  expect(hear(1, 5, false, 160)).toBeUndefined();
  expect(hear(1, 5, true, 640)).toEqual({ digit: "5", ms: 80 });
  expect(hear(1, 5, true, 640)).toBeUndefined();
  expect(hear(900, 11, false, 400)).toBeUndefined();
  expect(hear(2000, 1, false, 160)).toEqual({ digit: "#", ms: 50 });
  expect(listener.finish()).toEqual({ digit: "1", ms: 20 });
  expect(listener.finish()).toBeUndefined();
  expect(hear(3000, 32, true, 160)).toBeUndefined();
});

test("an event that is written is read back the same", () => {
  const events = fc.record({ event: fc.integer({ min: 0, max: 255 }), isEnd: fc.boolean(), duration: u16 });
  fc.assert(
    fc.property(events, (event) => {
      const octets = new Uint8Array(4);
      writeEvent(octets, 0, event);
      expect(readEvent(octets, 0, 4)).toEqual(event);
    }),
  );
});

test("lost, doubled and disordered packets are counted as RFC 3550 does, also across the end of numbers", () => {
  const reception = new Reception();
  const order = [65_533, 65_534, 1, 0, 2, 5, 6];
  for (const [at, sequence] of order.entries()) reception.count(7, sequence, at * 160, at * 20);
  expect(reception.quality).toMatchObject({ packetsReceived: 7, packetsLost: 3, jitterMs: 0 });
  expect(reception.report()).toEqual({ fractionLost: Math.floor((3 * 256) / 10), lost: 3 });
  reception.count(8, 1000, 0, 500);
  reception.count(8, 1002, 320, 540);
  expect(reception.quality).toMatchObject({ packetsReceived: 9, packetsLost: 4 });
});

test("jitter is the smoothed deviation of arrival", () => {
  const reception = new Reception();
  for (let at = 0; at < 1000; at++) reception.count(1, at, at * 160, at * 20 + (at % 2) * 10);
  expect(reception.quality.jitterMs).toBeCloseTo(10, 0);
});

test("the opinion falls with loss and delay, and stays within its scale", () => {
  expect(meanOpinion(40, 0)).toBeGreaterThan(4.3);
  expect(meanOpinion(40, 5)).toBeLessThan(meanOpinion(40, 1));
  expect(meanOpinion(500, 0)).toBeLessThan(meanOpinion(100, 0));
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 5000, noNaN: true }),
      fc.double({ min: 0, max: 100, noNaN: true }),
      (ms, loss) => {
        expect(meanOpinion(ms, loss)).toBeGreaterThanOrEqual(1);
        expect(meanOpinion(ms, loss)).toBeLessThanOrEqual(4.5);
      },
    ),
  );
});

test("whoever speaks, the numbers of the outgoing stream go on and the times do not go back", () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("own" as const), ms: fc.integer({ min: 0, max: 3000 }) }),
    fc.record({
      kind: fc.constant("switch" as const),
      sequence: u16,
      timestamp: u32,
      ms: fc.integer({ min: 0, max: 3000 }),
    }),
    fc.record({ kind: fc.constant("relay" as const), ms: fc.integer({ min: 0, max: 3000 }) }),
  );
  fc.assert(
    fc.property(u32, u16, u32, fc.array(step, { maxLength: 100 }), (ssrc, first, begin, steps) => {
      const stream = new OutgoingStream(ssrc, first, begin, 0);
      let nowMs = 0;
      let speaker = { ssrc: 1, sequence: 0, timestamp: 0 };
      let last: { sequence: number; timestamp: number } = { sequence: first, timestamp: begin };
      for (const each of steps) {
        nowMs += each.ms;
        if (each.kind === "switch")
          speaker = { ssrc: speaker.ssrc + 1, sequence: each.sequence, timestamp: each.timestamp };
        else if (each.kind === "relay") {
          speaker = {
            ...speaker,
            sequence: (speaker.sequence + 1) & 0xffff,
            timestamp: (speaker.timestamp + 160) >>> 0,
          };
        }
        const place =
          each.kind === "own"
            ? stream.own(160, nowMs)
            : stream.relay(speaker.ssrc, speaker.sequence, speaker.timestamp, nowMs);
        expect((place.sequence - last.sequence) & 0xffff).toBe(1);
        expect((place.timestamp - last.timestamp) | 0).toBeGreaterThanOrEqual(160);
        last = place;
      }
    }),
  );
});

test("gaps and disorder of a speaker are passed on", () => {
  const stream = new OutgoingStream(1, 99, 0, 0);
  const sent = [10, 12, 11, 15].map((sequence) => stream.relay(7, sequence, sequence * 160, sequence * 20));
  expect(sent.map(({ sequence }) => sequence)).toEqual([100, 102, 101, 105]);
  const [first, second] = sent;
  expect((second?.timestamp ?? 0) - (first?.timestamp ?? 0)).toBe(320);
});

test("a latch hears the negotiated port at once, another of its ports after three packets, and no one else", () => {
  const latch = new Latch();
  latch.negotiate("192.0.2.1", 4000);
  expect(latch.mayBePeer("192.0.2.2", 4000, 0)).toBe(false);
  expect(latch.mayBePeer("192.0.2.1", 4001, 0)).toBe(true);
  expect(latch.accept(4001, 9, 1, 0)).toBe(false);
  expect(latch.accept(4001, 9, 2, 20)).toBe(false);
  expect(latch.accept(4001, 9, 3, 40)).toBe(true);
  expect(latch.port).toBe(4001);
  expect(latch.accept(4002, 9, 4, 60)).toBe(false);
  expect(latch.mayBePeer("192.0.2.1", 4002, 60)).toBe(false);
  expect(latch.mayBePeer("192.0.2.1", 4002, 5000)).toBe(true);
  expect([5, 6, 7].map((sequence) => latch.accept(4000, 9, sequence, 80))).toEqual([false, false, true]);
  expect(latch.accept(4001, 9, 8, 100)).toBe(false);
});

test("a moving latch moves once, to an allowed sender, and again only after a new negotiation", () => {
  const latch = new MovingLatch((address) => address.startsWith("192.0.2."));
  latch.negotiate("10.0.0.5", 4000);
  const isHeard = (address: string, port: number, ssrc: number, sequence: number) =>
    latch.mayBePeer(address, port) && latch.accept(port, ssrc, sequence, 0, address);
  expect([1, 2, 3].map((sequence) => isHeard("203.0.113.9", 4000, 5, sequence))).toEqual([false, false, false]);
  expect([1, 2, 3].map((sequence) => isHeard("192.0.2.1", 6000, 9, sequence))).toEqual([false, false, true]);
  expect([latch.address, latch.port, latch.isSettled]).toEqual(["192.0.2.1", 6000, true]);
  expect([1, 2, 3].map((sequence) => isHeard("192.0.2.1", 6001, 9, sequence))).toEqual([false, false, false]);
  expect([1, 2, 3].map((sequence) => isHeard("10.0.0.5", 4000, 8, sequence))).toEqual([false, false, false]);
  latch.negotiate("10.0.0.5", 4000);
  expect([latch.address, isHeard("192.0.2.1", 6000, 9, 4)]).toEqual(["192.0.2.1", true]);
  expect([1, 2, 3].map((sequence) => isHeard("192.0.2.2", 7000, 9, sequence))).toEqual([false, false, true]);
  expect([latch.address, latch.port]).toEqual(["192.0.2.2", 7000]);
});

test("a locked latch lets a known source move to another port only after the peer was silent", () => {
  const latch = new Latch();
  latch.negotiate("192.0.2.1", 4000);
  expect(latch.accept(4000, 9, 1, 0)).toBe(true);
  expect([1, 2, 3, 4].some((sequence) => latch.accept(5000, 9, sequence, 1000))).toBe(false);
  expect([1, 2, 3, 4].some((sequence) => latch.accept(5000, 8, sequence, 5000))).toBe(false);
  expect([1, 2, 3].map((sequence) => latch.accept(5000, 9, sequence, 5000))).toEqual([false, false, true]);
  latch.negotiate("192.0.2.1", 4000);
  expect(latch.port).toBe(5000);
  latch.negotiate("192.0.2.1", 6000);
  expect(latch.port).toBe(6000);
});

test("another source at the peer's port is heard from its second packet on", () => {
  const latch = new Latch();
  latch.negotiate("192.0.2.1", 4000);
  expect(latch.accept(4000, 1, 1, 0)).toBe(true);
  expect(latch.accept(4000, 2, 700, 20)).toBe(false);
  expect(latch.accept(4000, 1, 2, 20)).toBe(true);
  expect([701, 702].map((sequence) => latch.accept(4000, 2, sequence, 40))).toEqual([true, true]);
});

test("a report of ours is read back, and its answer tells the way there and back", () => {
  const now = new Date("2026-11-15T20:00:00.250Z");
  const heard = { ssrc: 5, fractionLost: 3, lost: 9, highestSequence: 70_000, jitter: 12, lastReport: 77, delay: 88 };
  const common = { ssrc: 4, now, timestamp: 160, octetsSent: 160, canonicalName: "a@b", heard };
  const octets = writeReport({ ...common, packetsSent: 1 });
  expect(octets.length % 4).toBe(0);
  expect(readReport(octets)).toEqual({
    ssrc: 4,
    senderClock: middleOfNtp(now),
    blocks: [{ ssrc: 5, lastReport: 77, delay: 88 }],
  });
  expect(readReport(writeReport({ ...common, packetsSent: 0 }))).toMatchObject({ ssrc: 4, blocks: [{ ssrc: 5 }] });
  const block = { lastReport: middleOfNtp(now), delay: 65_536 / 10 };
  expect(roundTripMs(block, new Date(now.getTime() + 150))).toBeCloseTo(50, 0);
  expect(roundTripMs({ ...block, lastReport: 0 }, now)).toBeUndefined();
});

test("an index follows its sequence number around, and is used once", () => {
  const deltas = fc.array(fc.integer({ min: -60, max: 3000 }), { maxLength: 200 });
  fc.assert(
    fc.property(u16, deltas, (first, steps) => {
      const indexes = new PacketIndex();
      const used = new Set<number>();
      let highest = first;
      for (const step of [0, ...steps]) {
        const index = Math.max(0, highest + step);
        const guessed = indexes.guess(index & 0xffff);
        expect(guessed).toBe(index);
        if (used.has(index)) expect(indexes.isNew(index)).toBe(false);
        if (!indexes.isNew(index)) continue;
        indexes.use(index);
        used.add(index);
        highest = Math.max(highest, index);
      }
    }),
  );
});
