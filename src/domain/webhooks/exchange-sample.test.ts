import { expect, test } from "vitest";
import { ExchangeSample, KEPT_PER_SECOND } from "./exchange-sample.ts";

test("every failure is taken, and of the successes so many in a second", () => {
  const sample = new ExchangeSample();
  const taken = (nowMs: number, isSuccess: boolean) =>
    Array.from({ length: 200 }, () => sample.takes(isSuccess, nowMs)).filter(Boolean).length;
  expect(taken(1_000, true)).toBe(KEPT_PER_SECOND);
  expect(taken(1_999, true)).toBe(0);
  expect(taken(1_999, false)).toBe(200);
  expect(taken(2_000, true)).toBe(KEPT_PER_SECOND);
});
