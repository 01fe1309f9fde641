import { describe, expect, test } from "vitest";
import { keyTones, TONE_KEYS, type ToneOrder } from "../../../test/fakes/key-tone.ts";
import { encodeSample } from "./g711.ts";
import { KeyTones } from "./key-tones.ts";

/** Detected in packets of 20 ms. */
function keysIn(octets: Uint8Array, law: "PCMU" | "PCMA" = "PCMU"): string {
  const tones = new KeyTones();
  let keys = "";
  for (let at = 0; at < octets.length; at += 160) {
    keys += tones.hear(octets, at, Math.min(at + 160, octets.length), law) ?? "";
  }
  return keys;
}

describe("every key is heard once", () => {
  test.each<[string, ToneOrder]>([
    ["as usual", {}],
    ["as short as it may be", { toneMs: 40, pauseMs: 40 }],
    ["long", { toneMs: 1000 }],
    ["quiet", { amplitude: 450 }],
    ["loud", { amplitude: 16_000 }],
    ["with noise", { toneMs: 50, pauseMs: 50, noise: 1500 }],
    ["with a louder high tone", { twist: 2 }],
    ["with a quieter high tone", { twist: 0.5 }],
    ["a little too high", { offBy: 0.015 }],
    ["a little too low", { offBy: -0.015 }],
  ])("%s", (_how, order) => {
    expect(keysIn(keyTones(TONE_KEYS, "PCMU", order))).toBe(TONE_KEYS);
    expect(keysIn(keyTones(TONE_KEYS, "PCMA", order), "PCMA")).toBe(TONE_KEYS);
  });
});

describe("what is no key is not heard", () => {
  const sound = (at: (place: number) => number) =>
    Uint8Array.from({ length: 80_000 }, (_, place) => encodeSample("PCMU", at(place)));
  const sine = (hz: number, place: number) => Math.sin((2 * Math.PI * hz * place) / 8000);
  let chance = 7;
  const noise = () => {
    chance = (Math.imul(chance, 1_103_515_245) + 12_345) >>> 0;
    return (chance >>> 8) / 0x800000 - 1;
  };

  test.each<[string, (place: number) => number]>([
    ["silence", () => 0],
    ["noise", () => 8000 * noise()],
    ["one tone", (place) => 8000 * sine(770, place)],
    ["a ringing tone", (place) => 4000 * (sine(440, place) + sine(480, place))],
    ["two tones of one group", (place) => 4000 * (sine(697, place) + sine(941, place))],
    ["a tone that slides", (place) => 8000 * sine(300 + place / 160, place)],
    [
      "a voice of many tones",
      (place) => 3000 * [1, 2, 3, 4, 5, 6, 7].reduce((sum, n) => sum + sine(n * 174, place), 0),
    ],
    ["a tone too far off", (place) => 4000 * (sine(697 * 1.05, place) + sine(1209 * 1.05, place))],
  ])("%s", (_what, at) => {
    expect(keysIn(sound(at))).toBe("");
  });

  test("a key that is too short", () => {
    expect(keysIn(keyTones("5", "PCMU", { toneMs: 20 }))).toBe("");
  });
});
