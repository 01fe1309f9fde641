import { expect, test } from "vitest";
import { Throttle } from "./throttle.ts";

function make() {
  const clock = { ms: 1000 };
  return { clock, throttle: new Throttle({ throttleMsMin: 250, throttleMsMax: 30_000 }, () => clock.ms) };
}

test("a link told to wait waits twice as long each time, up to a bound", () => {
  const { clock, throttle } = make();
  const waits: number[] = [];
  for (let time = 0; time < 9; time++) {
    throttle.throttled();
    waits.push(throttle.opensMs - clock.ms);
    expect(throttle.isClosed).toBe(true);
    clock.ms = throttle.opensMs;
    expect(throttle.isClosed).toBe(false);
  }
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test("the other answers of the same window make it wait no longer", () => {
  const { clock, throttle } = make();
  for (let answer = 0; answer < 100; answer++) throttle.throttled();
  throttle.accepted();
  expect([throttle.opensMs - clock.ms, throttle.allowance]).toEqual([250, 1]);
});

test("after the wait it tries with one, opens up with what is accepted, and has forgotten the waits", () => {
  const { clock, throttle } = make();
  expect(throttle.allowance).toBe(Number.POSITIVE_INFINITY);
  for (let time = 0; time < 3; time++) {
    throttle.throttled();
    clock.ms = throttle.opensMs;
  }
  const allowances = Array.from({ length: 12 }, () => {
    throttle.accepted();
    return throttle.allowance;
  });
  expect(allowances.slice(0, 3)).toEqual([2, 4, 8]);
  expect(allowances.at(-1)).toBe(Number.POSITIVE_INFINITY);
  throttle.throttled();
  expect(throttle.opensMs - clock.ms).toBe(250);
});
