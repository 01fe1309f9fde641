import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeSample, type Law, SILENCE } from "./g711.ts";
import { SilenceListener } from "./silence.ts";

const PACKET = 160;
const LAWS: readonly Law[] = ["PCMU", "PCMA"];

function tone(law: Law, amplitude: number): Uint8Array {
  return Uint8Array.from({ length: PACKET }, (_, at) =>
    encodeSample(law, amplitude * Math.sin((2 * Math.PI * 400 * at) / 8_000)),
  );
}

const quiet = (law: Law) => new Uint8Array(PACKET).fill(SILENCE[law]);

/** Feeds packets one after another; returns the number of the one with which the silence was long enough. */
function heardAt(listener: SilenceListener, law: Law, packets: readonly Uint8Array[]): number | undefined {
  const at = packets.findIndex((octets, index) =>
    listener.hear(octets, { start: 0, end: octets.length, timestamp: index * PACKET }, law),
  );
  return at === -1 ? undefined : at + 1;
}

test.each(LAWS)("%s: silence is told when it has lasted for so long, by the samples that came", (law) => {
  expect(heardAt(new SilenceListener(1_000), law, new Array(60).fill(quiet(law)))).toBe(50);
});

test.each(LAWS)("%s: noise that is quieter than speech is silence, speech is not", (law) => {
  expect(heardAt(new SilenceListener(200), law, new Array(20).fill(tone(law, 200)))).toBe(10);
  expect(heardAt(new SilenceListener(200), law, new Array(500).fill(tone(law, 1_000)))).toBeUndefined();
});

test("one packet of speech makes it begin anew", () => {
  const packets = [...new Array(9).fill(quiet("PCMU")), tone("PCMU", 8_000), ...new Array(20).fill(quiet("PCMU"))];
  expect(heardAt(new SilenceListener(200), "PCMU", packets)).toBe(20);
});

test("however the silence is cut into packets, the same samples are enough", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 480 }), { minLength: 1, maxLength: 40 }), (lengths) => {
      const listener = new SilenceListener(300);
      let samples = 0;
      for (const length of lengths) {
        const octets = new Uint8Array(length + 12).fill(SILENCE.PCMU);
        const isEnough = listener.hear(octets, { start: 12, end: octets.length, timestamp: samples }, "PCMU");
        samples += length;
        expect(isEnough).toBe(samples >= 2_400);
        if (isEnough) return;
      }
    }),
  );
});

test("comfort noise is silence for as long as its timestamps say; audio that is missing is none", () => {
  const listener = new SilenceListener(1_000);
  const octets = quiet("PCMU");
  const hear = (timestamp: number) => listener.hear(octets, { start: 0, end: PACKET, timestamp }, "PCMU");
  expect(hear(0)).toBe(false);
  // Ten seconds without a packet.
  expect(hear(80_000)).toBe(false);
  expect(listener.hearNoise(80_160)).toBe(false);
  expect(listener.hearNoise(84_160)).toBe(false);
  // Ten seconds without comfort noise either.
  expect(listener.hearNoise(164_160)).toBe(false);
  expect(listener.hearNoise(167_840)).toBe(true);
});

test("timestamps wrap around", () => {
  const listener = new SilenceListener(500);
  expect(listener.hearNoise(2 ** 32 - 2_000)).toBe(false);
  expect(listener.hearNoise(2_000)).toBe(true);
});
