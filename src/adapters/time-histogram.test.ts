import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { TimeHistogram } from "./time-histogram.ts";

test("it reads as prom-client's own does", async () => {
  const described = { name: "took_seconds", help: "How long it took.", labelNames: ["operation", "status"] as const };
  const bounds = [0.001, 0.01, 1];
  const ours = new Registry();
  const histogram = new TimeHistogram(ours, { ...described, bounds });
  const theirs = new Registry();
  const reference = new Histogram({ ...described, buckets: bounds, registers: [theirs] });
  for (const [seconds, operation, status] of [
    [0.0005, "send", "2xx"],
    [0.001, "send", "2xx"],
    [0.5, "send", "4xx"],
    [7, "look", "2xx"],
    [0.02, "send", "2xx"],
  ] as const) {
    histogram.observe(seconds, histogram.of(operation, status));
    reference.labels(operation, status).observe(seconds);
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});
