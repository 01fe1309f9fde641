import { expect, test } from "vitest";
import { medians, percentile } from "./result.ts";

test("each figure has a median of its own", () => {
  const rounds = [
    { all: 9, server: 1 },
    { all: 5, server: 4 },
    { all: 7, server: 3 },
  ];
  expect(medians(rounds)).toEqual({ all: 7, server: 3 });
});

test("nothing is measured where there was no round", () => {
  expect(medians([])).toEqual({});
});

test("a percentile is one of the values, which so many do not exceed", () => {
  const values = [40, 10, 30, 20, 50, 60, 70, 80, 90, 100];
  expect([0, 0.1, 0.5, 0.9, 0.91, 0.99, 1].map((share) => percentile(values, share))).toEqual([
    10, 10, 50, 90, 100, 100, 100,
  ]);
  expect([percentile([7], 0.9), percentile([], 0.9)]).toEqual([7, 0]);
});
