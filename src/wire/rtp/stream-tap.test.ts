import { expect, test } from "vitest";
import { SILENCE } from "./g711.ts";
import { StreamTap } from "./stream-tap.ts";

const FRAME_SAMPLES = 160;
const FRAME_MS = 20;

test("a caller whose packets take longer from now on is heard by the program again at once", () => {
  const tap = new StreamTap(0, true);
  const packet = { hasMarker: false, ssrc: 7, start: 0, end: FRAME_SAMPLES };
  const loud = new Uint8Array(FRAME_SAMPLES).fill(0x20);
  let silent = 0;
  for (let ms = 0; ms < 4_000; ms += FRAME_MS) {
    // After a second each packet takes 80 ms more.
    const sent = ms < 1_000 ? ms : ms - 80;
    if (ms < 1_000 || sent >= 1_000) tap.place(0, loud, { ...packet, timestamp: sent * 8 }, "PCMU", ms);
    for (let frame = tap.next(ms); frame; frame = tap.next(ms)) {
      if (ms >= 1_500 && frame[0].includes(SILENCE.PCMU)) silent++;
    }
  }
  expect(silent).toBe(0);
});
