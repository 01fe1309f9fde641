import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAGIC, MarkerStamper } from "./marker.ts";

const NOW_US = 1_795_000_000_123_456;
const SOUND = 0x9a;

/** A packet of 20 ms, as a phone sends it. */
function packet(sentUs: bigint): Buffer {
  const octets = Buffer.alloc(160, SOUND);
  octets.set(MAGIC);
  octets.writeBigUInt64LE(sentUs, 8);
  octets.writeBigUInt64LE(0n, 16);
  return octets;
}

test("a marker gets the time of the program, wherever messages cut the sound", () => {
  const messages = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 });
  fc.assert(
    fc.property(messages, fc.integer({ min: 0, max: 159 }), (lengths, offset) => {
      const packets = [11n, 12n, 13n, 14n].map(packet);
      const sound = Buffer.concat([Buffer.alloc(offset, SOUND), ...packets]);
      const stamper = new MarkerStamper();
      let at = 0;
      for (const length of lengths) {
        stamper.stamp(sound.subarray(at, at + length), NOW_US);
        at += length;
      }
      stamper.stamp(sound.subarray(at), NOW_US);
      packets.forEach((sent, index) => {
        const heard = sound.subarray(offset + index * 160, offset + (index + 1) * 160);
        expect(heard.readBigUInt64LE(16)).toBe(BigInt(NOW_US));
        heard.writeBigUInt64LE(0n, 16);
        expect(heard).toEqual(sent);
      });
    }),
  );
});

test("a marker that is split over two messages has the time of the first that has a part of the stamp", () => {
  const sound = packet(11n);
  const stamper = new MarkerStamper();
  expect(stamper.stamp(sound.subarray(0, 16), 1)).toBe(false);
  expect(stamper.stamp(sound.subarray(16, 20), NOW_US)).toBe(true);
  expect(stamper.stamp(sound.subarray(20), NOW_US + 20_000)).toBe(true);
  expect(sound.readBigUInt64LE(16)).toBe(BigInt(NOW_US));
});

test("sound without a marker stays as it is, also where it begins like one", () => {
  const sound = Buffer.concat([MAGIC.subarray(0, 1), MAGIC.subarray(0, 7), Buffer.alloc(100, SOUND)]);
  const before = Buffer.from(sound);
  expect(new MarkerStamper().stamp(sound, NOW_US)).toBe(false);
  expect(sound).toEqual(before);
});

test("the phones and the program know the same marker", () => {
  const source = readFileSync(new URL("../media/generator.c", import.meta.url), "utf8");
  const magic = /MAGIC\[8\] = \{(.*?)\}/.exec(source)?.[1] ?? "";
  expect(magic.split(",").map(Number)).toEqual([...MAGIC]);
});
