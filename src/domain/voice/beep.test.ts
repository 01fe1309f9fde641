import { expect, test } from "vitest";
import { beepAudio } from "./beep.ts";

test("the tone has 1,000 Hz, lasts 0.4 seconds, and begins and ends softly", async () => {
  const parts: Int16Array[] = [];
  for await (const part of beepAudio()) parts.push(part);
  expect(parts).toHaveLength(1);
  const samples = parts[0] ?? new Int16Array(0);
  expect(samples).toHaveLength(3_200);
  const crossings = samples.reduce(
    (sum, one, at) => sum + (at > 0 && one >= 0 && (samples[at - 1] ?? 0) < 0 ? 1 : 0),
    0,
  );
  expect(Math.abs(crossings - 400)).toBeLessThanOrEqual(2);
  expect(Math.max(...samples)).toBe(8_192);
  expect([samples[0], samples.at(-1)]).toEqual([0, 0]);
  expect(Math.max(...samples.subarray(0, 8), ...samples.subarray(-8))).toBeLessThan(900);
});
