import { expect, test } from "vitest";
import { stopTimes } from "./stop-times.ts";

test.each([
  [30, 25_000, 30_000],
  [10, 5_000, 10_000],
  [6, 3_000, 6_000],
  [1, 500, 5_000],
  [0, 0, 5_000],
])("a stop within %i s leaves %i ms for work and ends after %i ms", (seconds, forWorkMs, endMs) => {
  const { workMs, limitMs, databaseMs } = stopTimes({ TANDEM_DRAIN_SECONDS: seconds, TANDEM_LAME_DUCK_SECONDS: 0 });
  expect([workMs, limitMs + databaseMs]).toStrictEqual([forWorkMs, endMs]);
});
