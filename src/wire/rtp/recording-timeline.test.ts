import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Chance } from "../../../test/fakes/chance.ts";
import { decodeSample } from "../../../test/fakes/g711.ts";
import { purityOf } from "../../../test/fakes/rtp-phone.ts";
import { encodeSample, type Law, SILENCE } from "./g711.ts";
import { LATE_MS_MAX, RecordingTimeline } from "./recording-timeline.ts";

const RTP_HEADER = 12;
const SAMPLES = 160;
const SILENT = SILENCE.PCMU;
/** The first octet of a packet, and all other octets. */
const PULSE = encodeSample("PCMU", 20_000);
const QUIET = encodeSample("PCMU", 500);
const QUIET_PAYLOAD = new Uint8Array(SAMPLES).fill(QUIET);

interface Packet {
  readonly leg: 0 | 1;
  /** When it arrives. */
  readonly ms: number;
  readonly timestamp: number;
  readonly ssrc?: number;
  readonly law?: Law;
  readonly hasMarker?: boolean;
  readonly octets?: Uint8Array;
}

const DATAGRAM = new Uint8Array(RTP_HEADER + 1000);

function place(timeline: RecordingTimeline, packet: Packet): void {
  const payload = packet.octets ?? QUIET_PAYLOAD;
  DATAGRAM.set(payload, RTP_HEADER);
  const { hasMarker = false, timestamp, ssrc = 1, law = "PCMU", ms } = packet;
  const header = { hasMarker, timestamp: timestamp >>> 0, ssrc, start: RTP_HEADER, end: RTP_HEADER + payload.length };
  timeline.place(packet.leg, DATAGRAM, header, law, ms);
}

/** Both legs up to this moment. */
function takeAll(timeline: RecordingTimeline, endMs: number): readonly [number[], number[]] {
  const legs = [[], []] as [number[], number[]];
  for (let piece = timeline.take(endMs); piece; piece = timeline.take(endMs)) {
    for (const [at, octet] of piece.entries()) legs[at % 2 === 0 ? 0 : 1].push(octet);
  }
  return legs;
}

/** Places packets in the order of arrival and takes the audio every 250 ms, like a recorder. */
function record(packets: readonly Packet[], endMs: number): readonly [number[], number[]] {
  const timeline = new RecordingTimeline(0);
  const legs = [[], []] as [number[], number[]];
  const keep = ([first, second]: readonly [number[], number[]]) => {
    for (const octet of first) legs[0].push(octet);
    for (const octet of second) legs[1].push(octet);
  };
  let tickMs = 250;
  for (const packet of [...packets].sort((one, other) => one.ms - other.ms)) {
    for (; tickMs <= packet.ms; tickMs += 250) keep(takeAll(timeline, tickMs - LATE_MS_MAX));
    place(timeline, packet);
  }
  keep(takeAll(timeline, endMs));
  return legs;
}

/** A leg that sends this many packets. */
const speech = (leg: 0 | 1, packets: number, change: (at: number) => Partial<Packet> = () => ({})): Packet[] =>
  Array.from({ length: packets }, (_, at) => ({ leg, ms: at * 20, timestamp: 7_000 + at * SAMPLES, ...change(at) }));

const spoken = (octets: readonly number[]) => octets.filter((octet) => octet !== SILENT).length;

describe("a time line", () => {
  test("is as long as the time that passed, whoever speaks", () => {
    for (const packets of [[], speech(0, 50), speech(1, 50), [...speech(0, 50), ...speech(1, 50)]]) {
      const [first, second] = record(packets, 1000);
      expect([first.length, second.length]).toEqual([8000, 8000]);
      expect(spoken(first)).toBe(packets.some(({ leg }) => leg === 0) ? 8000 : 0);
      expect(spoken(second)).toBe(packets.some(({ leg }) => leg === 1) ? 8000 : 0);
    }
  });

  test("has silence where packets are lost, and nothing else moves", () => {
    const lost = new Set([3, 4, 20]);
    const [first] = record(
      speech(0, 50).filter((_, at) => !lost.has(at)),
      1000,
    );
    for (let at = 0; at < 50; at++) {
      const octets = first.slice(at * SAMPLES, (at + 1) * SAMPLES - 1);
      expect(spoken(octets), `packet ${at}`).toBe(lost.has(at) ? 0 : octets.length);
    }
  });

  test("puts packets that come late, twice or in disorder where they belong, unless they are too late", () => {
    const numbered = (at: number) => ({ octets: new Uint8Array(SAMPLES).fill(at + 1) });
    const delays = [0, 60, 0, 120, 5, 180, 0, 30];
    const late = speech(0, 50, (at) => ({ ...numbered(at), ms: at * 20 + (delays[at % delays.length] ?? 0) }));
    const twice = speech(0, 50, (at) => ({ ...numbered(at), ms: at * 20 + 10 }));
    const [first] = record([...late, ...twice.slice(10, 20)], 2000);
    for (let at = 0; at < 50; at++) expect(first[at * SAMPLES + 80], `packet ${at}`).toBe(at + 1);
    const [tooLate] = record(
      speech(0, 50, (at) => ({ ...numbered(at), ms: at === 10 ? 900 : at * 20 })),
      1000,
    );
    expect(tooLate[10 * SAMPLES + 80]).toBe(SILENT);
    expect(tooLate[11 * SAMPLES + 80]).toBe(12);
  });

  test("keeps a tone pure when a busy machine delivers its packets late and in bursts", () => {
    const tone = (at: number) =>
      Uint8Array.from({ length: SAMPLES }, (_, sample) =>
        encodeSample("PCMU", 8000 * Math.sin((2 * Math.PI * 1000 * (at * SAMPLES + sample)) / 8000)),
      );
    const chance = new Chance(7);
    let freeMs = 0;
    // Occasionally nothing is processed for up to 250 ms, and then everything at the same time.
    const packets = speech(0, 3000, (at) => {
      if (chance.happens(0.05)) freeMs = at * 20 + chance.integer(0, 250);
      return { ms: Math.max(at * 20, freeMs), octets: tone(at) };
    });
    const [first] = record(packets, 60_000);
    const samples = first.map((octet) => decodeSample("PCMU", octet));
    const purities = Array.from({ length: 600 }, (_, at) => purityOf(samples.slice(at * 800, (at + 1) * 800), 1000));
    expect(purities.filter((purity) => purity > 0.8).length).toBe(600);
  });

  test("goes on when the codec, the source or the timestamps change", () => {
    const tone = (law: Law) => ({ law, octets: new Uint8Array(SAMPLES).fill(encodeSample(law, 500)) });
    const changes: Record<string, (at: number) => Partial<Packet>> = {
      codec: (at) => tone(at < 25 ? "PCMU" : "PCMA"),
      source: (at) => (at < 25 ? {} : { ssrc: 2, timestamp: 12 + at * SAMPLES }),
      "timestamps by far": (at) => (at < 25 ? {} : { timestamp: 4_000_000_000 + at * SAMPLES }),
      "timestamps past their largest number": (at) => ({ timestamp: 0xffff_ff00 + at * SAMPLES }),
    };
    for (const [what, change] of Object.entries(changes)) {
      const [first] = record(speech(0, 50, change), 1000);
      expect(spoken(first), what).toBe(8000);
    }
  });

  test("places a spurt by its arrival when the sender's timestamps stood still in the pause before it", () => {
    const before = speech(0, 10);
    const after = speech(0, 10, (at) => ({ ms: 1200 + at * 20, timestamp: 8_600 + at * SAMPLES, hasMarker: at === 0 }));
    const [first] = record([...before, ...after], 2000);
    expect(spoken(first.slice(0, 1600))).toBe(1600);
    expect(spoken(first.slice(1600, 9_599))).toBe(0);
    expect(spoken(first.slice(9_600, 11_200))).toBe(1600);
  });

  test("of four hours has both legs together at its end, at clocks that differ by 200 ppm, in bounded memory", () => {
    const hours = 4;
    const seconds = hours * 3600;
    const timeline = new RecordingTimeline(0);
    const skews = [1, 1 + 200e-6] as const;
    const pulse = new Uint8Array(SAMPLES).fill(QUIET).fill(PULSE, 0, 1);
    const heard: [number[], number[]] = [[], []];
    let taken = 0;
    let longest = 0;
    const take = (endMs: number) => {
      for (let piece = timeline.take(endMs); piece; piece = timeline.take(endMs)) {
        longest = Math.max(longest, piece.length);
        for (let at = piece.indexOf(PULSE); at !== -1; at = piece.indexOf(PULSE, at + 1)) {
          heard[at % 2 === 0 ? 0 : 1].push(taken + (at >> 1));
        }
        taken += piece.length / 2;
      }
    };
    // Packets of a fast clock arrive more often.
    const speak = (leg: 0 | 1, at: number) => {
      const ms = (at * 20) / skews[leg];
      place(timeline, { leg, ms, timestamp: at * SAMPLES, octets: at % 500 === 0 ? pulse : QUIET_PAYLOAD });
    };
    let fast = 0;
    for (let at = 0; at * 20 < seconds * 1000; at++) {
      speak(0, at);
      for (; fast * 20 <= (at + 1) * 20 * skews[1] && fast * 20 < seconds * 1000 * skews[1]; fast++) speak(1, fast);
      if (at % 12 === 0) take(at * 20 - LATE_MS_MAX);
    }
    take(seconds * 1000);
    expect(taken).toBe(seconds * 8000);
    expect(longest).toBeLessThanOrEqual(8_000);
    // Every pulse is within 15 ms of the moment at which it was spoken.
    for (const leg of [0, 1] as const) {
      const places = heard[leg].filter((at, index, all) => index === 0 || at - (all[index - 1] ?? 0) > 1);
      expect(places.length).toBe(Math.ceil((seconds * skews[leg]) / 10));
      for (const [count, at] of places.entries()) {
        expect(Math.abs(at - (count * 80_000) / skews[leg]), `pulse ${count} of leg ${leg}`).toBeLessThan(120);
      }
    }
  }, 120_000);

  test("is as long as the time whatever packets come", () => {
    const packet = fc.record({
      leg: fc.constantFrom<0 | 1>(0, 1),
      ms: fc.integer({ min: 0, max: 5_000 }),
      timestamp: fc.oneof(fc.integer({ min: 0, max: 0xffff_ffff }), fc.integer({ min: 0, max: 40_000 })),
      ssrc: fc.integer({ min: 0, max: 2 }),
      hasMarker: fc.boolean(),
      octets: fc.uint8Array({ maxLength: 400 }),
    });
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 100 }), fc.integer({ min: 5_000, max: 8_000 }), (packets, endMs) => {
        const [first, second] = record(packets, endMs);
        expect([first.length, second.length]).toEqual([endMs * 8, endMs * 8]);
      }),
    );
  });
});
