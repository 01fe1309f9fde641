import { expect, test } from "vitest";
import { compareCpu } from "./processor-time.ts";

test("a ratio of processor time above 1 says that ours takes less", () => {
  const ours = { all: 134, server: 63, postgres: 71 };
  const peer = { all: 201, bearerbox: 201 };
  expect(compareCpu(ours, peer)).toEqual({ cpuUs: ours, peerCpuUs: peer, cpuRatio: 1.5 });
});
