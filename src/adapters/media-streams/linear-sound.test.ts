import { describe, expect, test } from "vitest";
import { encodeUlaw } from "../../../test/fakes/tone.ts";
import { LinearSound } from "./linear-sound.ts";
import { readStreamMessage } from "./messages.ts";

describe("at 8 kHz", () => {
  test("samples are little-endian, also where a frame begins at an odd octet", () => {
    const sound = new LinearSound(8_000);
    // ITU-T G.711: the octet 7 is the sample -24956, 0x9e84.
    expect([...sound.written(Uint8Array.of(7, 0xff))]).toEqual([0x84, 0x9e, 0, 0]);
    const received = Uint8Array.of(0, 0x84, 0x9e, 0, 0);
    expect(sound.read(received.subarray(1))).toEqual(Uint8Array.of(7, 0xff));
    expect(sound.read(received)).toBeUndefined();
    expect(sound.read(new Uint8Array())).toEqual(new Uint8Array());
  });

  test("the loudest samples of both signs are read, and every octet comes back", () => {
    const sound = new LinearSound(8_000);
    expect(sound.read(Uint8Array.of(0, 0x80, 0xff, 0x7f))).toEqual(Uint8Array.of(0, 0x80));
    const tone = encodeUlaw(440, 1);
    expect(sound.read(sound.written(tone))).toEqual(Uint8Array.from(tone));
  });
});

test("a frame of megabytes costs about as much as the same sound in JSON", () => {
  const octets = 1024 * 1024;
  const message = JSON.stringify({ event: "media", media: { payload: Buffer.alloc(octets, 5).toString("base64") } });
  const frame = new Uint8Array(2 * octets);
  const sound = new LinearSound(8_000);
  const inJson = shortestOf(() => readStreamMessage(message));
  expect(shortestOf(() => sound.read(frame))).toBeLessThan(12 * inJson);
});

function shortestOf(work: () => unknown): number {
  const times = Array.from({ length: 8 }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
  return Math.min(...times);
}
