import { describe, expect, test } from "vitest";
import { RateDoubler, RateHalver } from "./stream-rate.ts";

/** A second of a tone. */
function tone(hertz: number, rate: number): Int16Array {
  return Int16Array.from({ length: rate }, (_, at) => Math.round(10_000 * Math.sin((2 * Math.PI * hertz * at) / rate)));
}

/** What comes out when the samples come in pieces of these lengths, again and again. */
function inPieces(rate: { take(samples: Int16Array): Int16Array }, samples: Int16Array, lengths: readonly number[]) {
  const out: number[] = [];
  for (let [at, piece] = [0, 0]; at < samples.length; piece++) {
    const length = lengths[piece % lengths.length] as number;
    out.push(...rate.take(samples.subarray(at, at + length)));
    at += length;
  }
  return out;
}

/** The amplitude of this frequency, without the beginning, where the filter has no past. */
function amplitude(samples: readonly number[], hertz: number, rate: number): number {
  const [from, to] = [rate / 10, rate / 10 + rate / 2];
  let [sine, cosine] = [0, 0];
  for (let at = from; at < to; at++) {
    sine += (samples[at] as number) * Math.sin((2 * Math.PI * hertz * at) / rate);
    cosine += (samples[at] as number) * Math.cos((2 * Math.PI * hertz * at) / rate);
  }
  return (2 * Math.hypot(sine, cosine)) / (to - from);
}

describe.each([[[160]], [[1, 2, 3, 77]], [[8_001]]])("in pieces of %j samples", (lengths) => {
  test.each([300, 1_000, 3_000])("%i Hz is as loud at the double rate, and has no mirror image", (hertz) => {
    const doubled = inPieces(new RateDoubler(), tone(hertz, 8_000), lengths);
    expect(doubled).toHaveLength(16_000);
    expect(amplitude(doubled, hertz, 16_000)).toBeCloseTo(10_000, -2);
    expect(amplitude(doubled, 8_000 - hertz, 16_000)).toBeLessThan(50);
  });

  test.each([300, 1_000, 3_000])("%i Hz is as loud at half the rate", (hertz) => {
    const halved = inPieces(new RateHalver(), tone(hertz, 16_000), lengths);
    expect(halved).toHaveLength(8_000);
    expect(amplitude(halved, hertz, 8_000)).toBeCloseTo(10_000, -2);
  });

  test("what half the rate cannot carry is silent", () => {
    const halved = inPieces(new RateHalver(), tone(6_000, 16_000), lengths);
    expect(amplitude(halved, 2_000, 8_000)).toBeLessThan(50);
  });
});

test("pieces make the same stream as the whole", () => {
  const wide = tone(700, 16_000);
  expect(inPieces(new RateHalver(), wide, [3, 1, 6])).toEqual([...new RateHalver().take(wide)]);
  const narrow = tone(700, 8_000);
  expect(inPieces(new RateDoubler(), narrow, [3, 1, 6])).toEqual([...new RateDoubler().take(narrow)]);
});
