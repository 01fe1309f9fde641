import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentTimes } from "./recent-times.ts";

test("the rate is that of the last ten whole seconds", () => {
  const times = new RecentTimes();
  expect(times.perSecond(0)).toBe(0);
  for (let atMs = 100_000; atMs < 110_000; atMs += 10) times.note(5, atMs);
  expect(times.perSecond(110_000)).toBe(100);
  expect(times.perSecond(115_000)).toBe(50);
  expect(times.perSecond(120_000)).toBe(0);
});

test("what is older than a minute counts no more", () => {
  const times = new RecentTimes();
  times.note(5_000, 100_000);
  times.note(10, 140_000);
  expect(times.p95Ms(140_000)).toBeGreaterThan(4_500);
  expect(times.p95Ms(170_000)).toBeLessThan(12);
  expect(times.p95Ms(1_000_000)).toBeNull();
});

test("19 of 20 took no longer than what is reported, to a tenth", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 30_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
      (taken) => {
        const times = new RecentTimes();
        for (const ms of taken) times.note(ms, 1_000);
        const exact = taken.toSorted((a, b) => a - b)[Math.ceil(taken.length * 0.95) - 1] as number;
        const told = times.p95Ms(1_000) as number;
        expect(Math.abs(told - exact)).toBeLessThanOrEqual(Math.max(1, (exact + 1) * 0.1));
      },
    ),
  );
});
