import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMp3Encoder } from "wasm-media-encoders";
import { mp3ThreadFile } from "../../../test/fakes/worker-file.ts";
import { Mp3Decoder } from "./mp3-decoder.ts";

let decoder: Mp3Decoder;
let music: Uint8Array;
const RATE = 44_100;
const SECONDS = 3;

beforeAll(async () => {
  decoder = new Mp3Decoder(await mp3ThreadFile());
  music = await encoded({ left: 440, right: 440 });
});
afterAll(() => decoder.close());

const decode = (file: Uint8Array, stop = new AbortController()) => decoder.decode("AC1", file, stop.signal);

async function encoded({ left, right }: { readonly left: number; readonly right: number }): Promise<Uint8Array> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: RATE, channels: 2, bitrate: 128 });
  const toneOf = (hertz: number) =>
    Float32Array.from({ length: RATE * SECONDS }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / RATE));
  const frames = Buffer.from(encoder.encode([toneOf(left), toneOf(right)]));
  return new Uint8Array(Buffer.concat([frames, encoder.finalize()]));
}

/** The strength of a frequency in the middle of the sound; 0.5 for the whole of a tone of half the range. */
function strength(samples: Int16Array, hertz: number): number {
  const middle = samples.subarray(8_000, 16_000);
  let [real, imaginary] = [0, 0];
  middle.forEach((sample, at) => {
    real += sample * Math.cos((2 * Math.PI * hertz * at) / 8_000);
    imaginary += sample * Math.sin((2 * Math.PI * hertz * at) / 8_000);
  });
  return Math.hypot(real, imaginary) / middle.length / 16_384;
}

test("music of 44.1 kHz becomes one channel of 8 kHz", async () => {
  const samples = await decode(music);
  expect(samples.length / 8_000).toBeCloseTo(SECONDS, 0);
  expect(strength(samples, 440)).toBeCloseTo(0.5, 1);
  expect(strength(samples, 1_000)).toBeLessThan(0.01);
});

test("both channels are heard", async () => {
  const samples = await decode(await encoded({ left: 440, right: 1_000 }));
  expect(strength(samples, 440)).toBeCloseTo(0.25, 1);
  expect(strength(samples, 1_000)).toBeCloseTo(0.25, 1);
});

test("what there is of a file that was cut off is heard", async () => {
  const samples = await decode(music.slice(0, music.length / 2));
  expect(samples.length / 8_000).toBeGreaterThan(1.3);
  expect(samples.length / 8_000).toBeLessThan(1.7);
});

describe("no sound comes", () => {
  test.each([
    ["of noise", () => randomBytes(2_000_000)],
    ["of a page", () => Buffer.from(`<html>${"a".repeat(10_000)}</html>`)],
    ["of a tag that claims more than there is", () => Buffer.from("ID3\x04\0\0\x7f\x7f\x7f\x7fmore", "latin1")],
    ["of nothing", () => Buffer.alloc(0)],
  ])("%s", async (_name, file) => {
    await expect(decode(new Uint8Array(file()))).rejects.toThrow("it has no MPEG audio");
  });

  test("of a file that ends before its first sound", async () => {
    const file = Buffer.alloc(421);
    for (const at of [0, 417]) file.set([0xff, 0xfb, 0x90, 0x00], at);
    // The first frame tells about the file.
    file.write("Info", 36, "latin1");
    await expect(decode(new Uint8Array(file))).rejects.toThrow("no sound could be decoded");
  });
});

test("at most ten minutes are decoded", async () => {
  // Silence at 8 kHz: each frame has 72 octets and 72 ms.
  const file = new Uint8Array(72 * 9_000);
  for (let at = 0; at < file.length; at += 72) file.set([0xff, 0xe3, 0x18, 0xc0], at);
  const samples = await decode(file);
  expect(samples.length / 8_000).toBeGreaterThanOrEqual(600);
  expect(samples.length / 8_000).toBeLessThan(610);
});

test("a file that is no longer wanted is not decoded, and the next one is", async () => {
  const stop = new AbortController();
  const unwanted = decode(music, stop);
  stop.abort();
  await expect(unwanted).rejects.toThrow("no longer wanted");
  expect((await decode(music)).length).toBeGreaterThan(0);
});
