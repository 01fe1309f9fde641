import fc from "fast-check";
import { expect, test } from "vitest";
import { SILENCE } from "./g711.ts";
import { writeRtpHeader } from "./packet.ts";
import { StreamSound } from "./stream-sound.ts";
import { StreamTap } from "./stream-tap.ts";

/** How late a packet may be. */
const TAP_LATE_MS = 40;

function newSound() {
  const reached: number[] = [];
  const sound = new StreamSound(1, (mark) => void reached.push(mark));
  const fill = (count = 160, law: "PCMU" | "PCMA" = "PCMU") => {
    const octets = new Uint8Array(count + 2);
    sound.fill(octets, 2, count, law);
    return octets.subarray(2);
  };
  return { sound, reached, fill };
}

test("what was added comes out in order, and then silence", () => {
  const { sound, fill } = newSound();
  sound.add(Uint8Array.of(1, 2, 3));
  sound.add(Uint8Array.of(4));
  expect([...fill(6)]).toEqual([1, 2, 3, 4, SILENCE.PCMU, SILENCE.PCMU]);
  expect([...fill(2, "PCMA")]).toEqual([SILENCE.PCMA, SILENCE.PCMA]);
  expect(sound.isReady).toBe(true);
  expect(sound.isOver).toBe(false);
});

test("marks are reached when what was before them is sent or cleared, and at once when nothing waits", () => {
  const { sound, reached, fill } = newSound();
  sound.mark(1);
  expect(reached).toEqual([1]);
  sound.add(new Uint8Array(200));
  sound.mark(2);
  sound.add(new Uint8Array(200));
  sound.mark(3);
  fill();
  expect(reached).toEqual([1]);
  fill();
  expect(reached).toEqual([1, 2]);
  sound.clear();
  expect(reached).toEqual([1, 2, 3]);
  expect(sound.gone).toBe(400);
  expect([...fill(2)]).toEqual([SILENCE.PCMU, SILENCE.PCMU]);
});

test("however parts and packets are cut, every octet comes out once", () => {
  const parts = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 9_000 })), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(parts, (steps) => {
      const { sound, fill } = newSound();
      const added: number[] = [];
      const heard: number[] = [];
      for (const [size, count] of steps) {
        const part = Uint8Array.from({ length: size }, (_, at) => (added.length + at) % 127);
        for (const octet of part) added.push(octet);
        sound.add(part);
        for (const octet of fill(count)) if (octet !== SILENCE.PCMU) heard.push(octet);
      }
      expect(heard).toEqual(added.slice(0, heard.length));
      expect(sound.gone).toBe(heard.length);
    }),
    { numRuns: 30 },
  );
});

test("a leg is heard in frames of 20 ms, with silence where packets are missing", () => {
  const tap = new StreamTap(1_000, true);
  const place = (sequence: number, nowMs: number) => {
    const octets = new Uint8Array(172).fill(9);
    const head = { hasMarker: false, payload: 0, sequence, timestamp: sequence * 160, ssrc: 1 };
    writeRtpHeader(octets, 0, head);
    tap.place(0, octets, { ...head, start: 12, end: 172 }, "PCMU", nowMs);
  };
  place(0, 1_000);
  place(2, 1_040);
  expect(tap.next(1_000 + 19 + TAP_LATE_MS)).toBeUndefined();
  const frames = [];
  for (let frame = tap.next(1_060 + TAP_LATE_MS); frame; frame = tap.next(1_060 + TAP_LATE_MS)) frames.push(frame);
  expect(frames.map(([inbound]) => [inbound.length, inbound[0], inbound[159]])).toEqual([
    [160, 9, 9],
    [160, SILENCE.PCMU, expect.any(Number)],
    [160, 9, 9],
  ]);
});
