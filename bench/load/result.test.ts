import { expect, test } from "vitest";
import { medians } from "./result.ts";

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
