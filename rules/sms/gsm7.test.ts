import fc from "fast-check";
import { expect, test } from "vitest";
import { countSeptets, decodeGsm7, encodeGsm7, septetsOfUnit } from "./gsm7.ts";

const ALPHABET = Array.from({ length: 0x10000 }, (_, unit) => unit)
  .filter((unit) => septetsOfUnit(unit) > 0)
  .map((unit) => String.fromCharCode(unit));

const gsmText = fc.array(fc.constantFrom(...ALPHABET), { maxLength: 200 }).map((characters) => characters.join(""));

test("the alphabet has 127 characters and ten behind the escape", () => {
  expect(ALPHABET.length).toBe(137);
  expect(ALPHABET.filter((character) => septetsOfUnit(character.charCodeAt(0)) === 2).join("")).toBe("\f[\\]^{|}~€");
});

test.each([
  ["@£$", [0x00, 0x01, 0x02]],
  ["Çç", undefined],
  ["ΔΦΓΛΩΠΨΣΘΞ", [0x10, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a]],
  ["aà_¡§¿", [0x61, 0x7f, 0x11, 0x40, 0x5f, 0x60]],
  ["hi @ [€]", [0x68, 0x69, 0x20, 0x00, 0x20, 0x1b, 0x3c, 0x1b, 0x65, 0x1b, 0x3e]],
  ["\u001b", undefined],
  ["`", undefined],
  ["\t", undefined],
])("%j is written as 3GPP TS 23.038 numbers it", (text, septets) => {
  expect(encodeGsm7(text)).toEqual(septets && Uint8Array.from(septets));
});

test("decoding gives back what was encoded", () => {
  fc.assert(
    fc.property(gsmText, (text) => {
      const septets = encodeGsm7(text) ?? expect.fail();
      expect(septets.length).toBe(countSeptets(text));
      expect(decodeGsm7(septets)).toBe(text);
    }),
  );
});

test("any octets decode to some text", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => {
      expect(decodeGsm7(octets).length).toBeLessThanOrEqual(octets.length);
    }),
  );
});

test("an escape that leads nowhere shows the default character, a doubled or last one a space", () => {
  expect(decodeGsm7(Uint8Array.of(0x1b, 0x41))).toBe("A");
  expect(decodeGsm7(Uint8Array.of(0x1b, 0x1b, 0x41))).toBe(" A");
  expect(decodeGsm7(Uint8Array.of(0x41, 0x1b))).toBe("A ");
});
