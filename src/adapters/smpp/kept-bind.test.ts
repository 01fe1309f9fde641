import { expect, test } from "vitest";
import { reconnectDelayMs } from "./kept-bind.ts";

test("each failure doubles the wait before connecting again, up to a bound, for ever", () => {
  const times = { connectMsMax: 0, reconnectMsMin: 500, reconnectMsMax: 30_000 };
  const delays = [1, 2, 3, 6, 7, 8, 1000, 1e9].map((failures) => reconnectDelayMs(failures, times));
  expect(delays).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  expect(reconnectDelayMs(0, times)).toBe(500);
});
