import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { purityOf } from "../../../test/fakes/rtp-phone.ts";
import { decodeSample } from "../rtp/g711.ts";
import { telephoneParts, toTelephoneRate } from "./resample.ts";
import { readWav } from "./wav.ts";

interface WavOrder {
  readonly rate?: number;
  readonly channels?: number;
  readonly bits?: number;
  readonly tag?: number;
  readonly length?: number;
  /** Chunks before the data. */
  readonly before?: Buffer;
}

function wavOf(samples: readonly number[], order: WavOrder = {}): Buffer {
  const { rate = 16_000, channels = 1, bits = 16, tag = 1, length = samples.length * 2, before } = order;
  const data = Buffer.alloc(samples.length * 2);
  for (const [at, sample] of samples.entries()) data.writeInt16LE(sample, at * 2);
  const format = Buffer.alloc(24);
  format.write("fmt ");
  format.writeUInt32LE(16, 4);
  format.writeUInt16LE(tag, 8);
  format.writeUInt16LE(channels, 10);
  format.writeUInt32LE(rate, 12);
  format.writeUInt16LE(bits, 22);
  const head = Buffer.from("data\0\0\0\0");
  head.writeUInt32LE(length, 4);
  return Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), format, before ?? Buffer.alloc(0), head, data]);
}

describe("a WAV file", () => {
  test("is read with its rate, whatever stands before its sound", () => {
    const before = Buffer.from("LIST\x03\0\0\0abc\0");
    expect(readWav(wavOf([1, -2, 3], { rate: 22_050, before }))).toEqual({
      ok: true,
      value: { rate: 22_050, samples: Int16Array.of(1, -2, 3) },
    });
  });

  test("of two channels gives the first, and one whose length is left open gives what is there", () => {
    expect(readWav(wavOf([1, 2, 3, 4], { channels: 2 }))).toMatchObject({ value: { samples: Int16Array.of(1, 3) } });
    expect(readWav(wavOf([1, 2], { length: 0xffffffff }))).toMatchObject({ value: { samples: Int16Array.of(1, 2) } });
  });

  test.each([
    ["another format", wavOf([1], { tag: 2 })],
    ["8 bits", wavOf([1], { bits: 8 })],
    ["a rate of nothing", wavOf([1], { rate: 0 })],
    ["no channel", wavOf([1], { channels: 0 })],
    ["no sound", wavOf([1]).subarray(0, 36)],
    ["no format", Buffer.from("RIFF\0\0\0\0WAVEdata\0\0\0\0")],
    ["nothing", Buffer.alloc(0)],
  ])("with %s is refused", (_what, octets) => {
    expect(readWav(octets)).toMatchObject({ ok: false });
  });

  test("is read or refused, whatever its octets are", () => {
    const whole = wavOf([1, 2, 3, 4]);
    const change = fc.record({ at: fc.nat(whole.length - 1), octet: fc.nat(255), end: fc.nat(whole.length) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), (changes) => {
        let octets = Uint8Array.from(whole);
        for (const { at, octet, end } of changes) {
          if (at < octets.length) octets[at] = octet;
          if (octet % 4 === 0) octets = octets.slice(0, end);
        }
        expect(typeof readWav(octets).ok).toBe("boolean");
      }),
    );
  });
});

test("a WAV file of G.711 is read octet by octet, and its first channel", () => {
  const samples = (tag: number, channels = 1) => {
    const read = readWav(wavOf([-256, -1], { tag, channels }));
    return read.ok ? [...read.value.samples] : [];
  };
  expect(samples(7)).toEqual([0x00, 0xff, 0xff, 0xff].map((octet) => decodeSample("PCMU", octet)));
  expect(samples(6)).toEqual([0x00, 0xff, 0xff, 0xff].map((octet) => decodeSample("PCMA", octet)));
  expect(samples(7, 2)).toEqual([0x00, 0xff].map((octet) => decodeSample("PCMU", octet)));
});

describe("sound of another rate", () => {
  const tone = (rate: number, hz: number) => ({
    rate,
    samples: Int16Array.from({ length: rate }, (_, at) => 8000 * Math.sin((2 * Math.PI * hz * at) / rate)),
  });
  const middle = (samples: Int16Array) => [...samples.subarray(200, -200)];

  test.each([8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 6_000])("of %i Hz keeps its tone and loudness", (rate) => {
    const heard = middle(toTelephoneRate(tone(rate, 1000)));
    expect(heard).toHaveLength(7600);
    expect(purityOf(heard, 1000)).toBeGreaterThan(0.999);
    expect(Math.max(...heard)).toBeGreaterThan(7900);
    expect(Math.max(...heard)).toBeLessThan(8100);
  });

  test.each([4_400, 5_000, 7_000])("above what telephones carry is left out: %i Hz", (hz) => {
    const heard = middle(toTelephoneRate(tone(16_000, hz)));
    expect(Math.max(...heard.map(Math.abs))).toBeLessThan(80);
  });

  test("that is as loud as can be is not cut into noise, and none is none", () => {
    const loud = Int16Array.from({ length: 16_000 }, (_, at) => (at % 32 < 16 ? 32_767 : -32_768));
    expect(Math.max(...toTelephoneRate({ rate: 16_000, samples: loud }))).toBe(32_767);
    expect(toTelephoneRate({ rate: 16_000, samples: new Int16Array() })).toHaveLength(0);
  });

  test.each([8_000, 22_050])("comes in parts that are the whole together, from %i Hz", (rate) => {
    const whole = toTelephoneRate(tone(rate, 440));
    const parts = [...telephoneParts(tone(rate, 440), 3_000)];
    expect(parts.map(({ length }) => length)).toEqual([3_000, 3_000, 2_000]);
    expect(parts.flatMap((part) => [...part])).toEqual([...whole]);
  });
});
