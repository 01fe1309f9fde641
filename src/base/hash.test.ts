import { expect, test } from "vitest";
import { hash32 } from "./hash.ts";

test("it is the same always: stored values depend on it", () => {
  expect(["", "a", "+14155550100 +14155550101"].map(hash32)).toEqual([2_872_998_923, 444_641_715, 1_949_208_019]);
});

test("texts that differ in one digit are spread evenly", () => {
  const counts = Array.from({ length: 64 }, () => 0);
  for (let number = 0; number < 64_000; number++) {
    const shard = hash32(`+1415555${number.toString().padStart(5, "0")}`) % 64;
    counts[shard] = (counts[shard] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(850);
  expect(Math.max(...counts)).toBeLessThan(1_150);
});
