import { describe, expect, test } from "vitest";
import { mpegAudioStart, mpegFrameLength } from "./mpeg-header.ts";

// The lengths of the standards: 144 × bitrate / rate for MPEG-1, 72 × for the others, rounded down, and the padding.
test.each([
  ["MPEG-1, 128 kbit/s at 44.1 kHz", [0xff, 0xfb, 0x90, 0x00], 417],
  ["the same with padding", [0xff, 0xfb, 0x92, 0x00], 418],
  ["MPEG-1, 320 kbit/s at 48 kHz, with a CRC", [0xff, 0xfa, 0xe4, 0xc0], 960],
  ["MPEG-2, 64 kbit/s at 22.05 kHz", [0xff, 0xf3, 0x80, 0xc0], 208],
  ["MPEG-2.5, 32 kbit/s at 8 kHz", [0xff, 0xe3, 0x48, 0x00], 288],
])("%s", (_name, header, length) => {
  expect(mpegFrameLength(Uint8Array.from(header), 0)).toBe(length);
});

test.each([
  ["Layer II", [0xff, 0xfd, 0x90, 0x00]],
  ["a reserved version", [0xff, 0xeb, 0x90, 0x00]],
  ["a free bitrate", [0xff, 0xfb, 0x00, 0x00]],
  ["a reserved bitrate", [0xff, 0xfb, 0xf0, 0x00]],
  ["a reserved rate", [0xff, 0xfb, 0x9c, 0x00]],
  ["no synchronisation", [0xff, 0x1b, 0x90, 0x00]],
  ["text", [0x49, 0x44, 0x33, 0x04]],
  ["nothing", []],
])("%s is no header", (_name, header) => {
  expect(mpegFrameLength(Uint8Array.from(header), 0)).toBeUndefined();
});

describe("audio begins", () => {
  const frames = new Uint8Array(3 * 417);
  for (let at = 0; at < frames.length; at += 417) frames.set([0xff, 0xfb, 0x90, 0x00], at);
  const startAfter = (...prefix: readonly number[]) => mpegAudioStart(Uint8Array.from([...prefix, ...frames]));

  test("at once, after a tag, or after a little of something else", () => {
    expect(startAfter()).toBe(0);
    expect(startAfter(...Buffer.from("ID3\x04\0\0\0\0\x01\x02", "latin1"), ...new Uint8Array(130))).toBe(140);
    expect(startAfter(1, 2, 3)).toBe(3);
  });

  test("where two frames agree", () => {
    expect(startAfter(0xff, 0xfb, 0x90, 0x00, 5, 5)).toBe(6);
    expect(mpegAudioStart(frames.subarray(0, 420))).toBeUndefined();
  });

  test("nowhere in a tag that is longer than the file, in noise, in nothing", () => {
    expect(startAfter(...Buffer.from("ID3\x04\0\0\x7f\x7f\x7f\x7f", "latin1"))).toBeUndefined();
    expect(startAfter(...new Uint8Array(4_096))).toBeUndefined();
    expect(mpegAudioStart(new Uint8Array(10_000))).toBeUndefined();
    expect(mpegAudioStart(new Uint8Array())).toBeUndefined();
  });
});
