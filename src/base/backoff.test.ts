import { expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";

const RULE = { msMin: 500, msMax: 30_000 };

test("each failure doubles the pause, up to a bound, for ever", () => {
  const pauses = [1, 2, 3, 6, 7, 8, 1000, 1e9].map((failures) => backoffMs(RULE, failures));
  expect(pauses).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  expect(backoffMs(RULE, 0)).toBe(500);
});

test("chance spreads the pause between the two bounds of its spread, and not without one", () => {
  const spread = [0.5, 1] as const;
  expect([0, 0.5, 1].map((chance) => backoffMs({ ...RULE, spread }, 2, chance))).toEqual([500, 750, 1000]);
  expect(backoffMs(RULE, 2, 0.7)).toBe(1000);
});
