import fc from "fast-check";
import { expect, test } from "vitest";
import { crc16 } from "./crc16.ts";
import { FRAME_SAMPLES, FrameCount, frameLength } from "./frames.ts";
import { ENCODER_DELAY, INFO_OCTETS, playedSamples, readInfoFrame, writeInfoFrame } from "./info-frame.ts";

test("the checksum is CRC-16/ARC, in one piece or several", () => {
  const digits = new TextEncoder().encode("123456789");
  expect(crc16(digits)).toBe(0xbb3d);
  expect(crc16(digits.subarray(4), crc16(digits.subarray(0, 4)))).toBe(0xbb3d);
});

test("an Info frame is a frame, and is read as it was written", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 2 ** 24 }),
      fc.integer({ min: 0, max: 2 ** 31 }),
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0, max: 0xfff }),
      fc.constantFrom(1 as const, 2 as const),
      (frames, octets, crc, padding, channels) => {
        const samples = frames * FRAME_SAMPLES - ENCODER_DELAY - padding;
        const frame = writeInfoFrame({ frames, octets, crc }, samples, channels);
        if (samples < 0) return;
        expect(frame && frameLength(frame, 0, channels)).toBe(INFO_OCTETS);
        const info = readInfoFrame(frame as Uint8Array, channels);
        expect(info).toEqual({ frames, octets, crc, delay: ENCODER_DELAY, padding });
        expect(info && playedSamples(info)).toBe(samples);
        const other = channels === 1 ? 2 : 1;
        expect(frame && frameLength(frame, 0, other)).toBeUndefined();
        expect(readInfoFrame(frame as Uint8Array, other)).toBeUndefined();
      },
    ),
  );
});

test("samples that the frames do not hold, or that leave too many over, are not written", () => {
  const music = { frames: 10, octets: 2_880, crc: 0 };
  expect(writeInfoFrame(music, 9 * FRAME_SAMPLES, 2)).toBeDefined();
  expect(writeInfoFrame(music, 9 * FRAME_SAMPLES + 1, 2)).toBeUndefined();
  expect(writeInfoFrame(music, 0, 2)).toBeUndefined();
});

test("a damaged Info frame is none", () => {
  const frame = writeInfoFrame({ frames: 10, octets: 2_880, crc: 7 }, 5_000, 2) as Uint8Array;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 174 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Uint8Array.from(frame);
      damaged[at] = (damaged[at] as number) ^ change;
      expect(readInfoFrame(damaged, 2)).toBeUndefined();
    }),
  );
  expect(readInfoFrame(frame.subarray(0, 200), 2)).toBeUndefined();
  expect(readInfoFrame(new Uint8Array(0), 2)).toBeUndefined();
});

test("frames are counted however the file is cut", () => {
  const frame = writeInfoFrame({ frames: 1, octets: 0, crc: 0 }, 0, 2) as Uint8Array;
  const file = new Uint8Array([...frame, ...frame, ...frame]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 20 }), (lengths) => {
      const count = new FrameCount(2);
      let at = 0;
      for (const length of lengths) {
        count.add(file.subarray(at, at + length));
        at += length;
      }
      count.add(file.subarray(at));
      expect(count.fault()).toBeUndefined();
      expect(count.frames).toBe(3);
      expect(count.octets).toBe(file.length);
    }),
  );
});

test("what is no file of frames is reported, whatever it is", () => {
  const cut = new FrameCount(2);
  cut.add((writeInfoFrame({ frames: 1, octets: 0, crc: 0 }, 0, 2) as Uint8Array).subarray(0, 100));
  expect(cut.fault()).toBe("the last frame is cut off");
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), (octets) => {
      if (octets[0] === 0xff) return;
      const count = new FrameCount(2);
      count.add(octets);
      expect(count.fault()).toBeDefined();
    }),
  );
});
