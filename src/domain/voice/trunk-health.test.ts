import { expect, test } from "vitest";
import { type TrunkHealth, trunksOver } from "./trunk-health.ts";

const SINCE = new Date("2026-06-01T12:00:00Z");
const seen = (more: Partial<TrunkHealth> = {}): TrunkHealth => ({
  ...{ name: "acme", isUp: true, reason: "answers", calls: 2, window: 10, inFlight: 2, perSecond: 0.5, p95Ms: 40 },
  ...{ since: SINCE, registration: null },
  ...more,
});

test("one process sees what it sees", () => {
  const { name: _, window: __, inFlight: ___, perSecond: ____, p95Ms: _____, since: ______, ...view } = seen();
  expect(trunksOver([{ host: "a", trunks: [seen()] }])).toEqual([{ ...seen(), nodes: [{ host: "a", ...view }] }]);
  expect(trunksOver([{ host: "a", trunks: [] }])).toEqual([]);
});

test("a trunk that one of two reaches is up, and their calls add up", () => {
  const down = seen({ isUp: false, reason: "refused", calls: 1, inFlight: 1, perSecond: 0.25, p95Ms: 90 });
  const registration = { isUp: true, reason: "for 300 s" };
  const views = [
    { host: "a", trunks: [{ ...down, registration: { isUp: false, reason: "403" } }] },
    { host: "b", trunks: [seen({ registration }), seen({ name: "spare" })] },
  ];
  expect(trunksOver(views)).toMatchObject([
    {
      ...{ name: "acme", isUp: true, reason: "answers", calls: 3, inFlight: 3, window: 20, perSecond: 0.75, p95Ms: 90 },
      registration,
      nodes: [
        { host: "a", isUp: false, reason: "refused", calls: 1, registration: { reason: "403" } },
        { host: "b", isUp: true, calls: 2 },
      ],
    },
    { name: "spare", nodes: [{ host: "b" }] },
  ]);
});

test("a trunk without a limit in one process has none, and one that no call used has no times", () => {
  const views = [
    { host: "a", trunks: [seen({ window: null, p95Ms: null, isUp: false, reason: "timed out" })] },
    { host: "b", trunks: [seen({ p95Ms: null, isUp: false, reason: "refused" })] },
  ];
  expect(trunksOver(views)).toMatchObject([{ isUp: false, reason: "timed out", window: null, p95Ms: null }]);
});
