import type { StatisticsReport } from "@tandem/sdk";
import { expect, test } from "vitest";
import { barsOf, beginOf, carriersOf, listBehind, partsOf, SPANS } from "../../portal/src/screens/statistics/counts.ts";

const count = (from: string, outcome: string, carrier: string | null, counted: number) => ({
  from,
  outcome,
  carrier,
  count: counted,
});

const TEN = "2026-01-31T10:00:00.000Z";
const TWELVE = "2026-01-31T12:00:00.000Z";

const REPORT: StatisticsReport = {
  kind: "Messages",
  from: TEN,
  to: "2026-01-31T13:00:00.000Z",
  step: "Hour",
  countedUntil: TWELVE,
  items: [
    count(TEN, "Failed", "Verizon", 2),
    count(TEN, "Delivered", "Verizon", 3),
    count(TEN, "Delivered", null, 1),
    count(TWELVE, "Sent", null, 5),
  ],
};

test("each hour has a bar, also without traffic, whose parts are the sums over carriers", () => {
  expect(barsOf(REPORT)).toEqual([
    {
      from: TEN,
      until: "2026-01-31T11:00:00.000Z",
      parts: [
        { outcome: "Delivered", count: 4 },
        { outcome: "Failed", count: 2 },
      ],
      total: 6,
    },
    { from: "2026-01-31T11:00:00.000Z", until: TWELVE, parts: [], total: 0 },
    { from: TWELVE, until: "2026-01-31T13:00:00.000Z", parts: [{ outcome: "Sent", count: 5 }], total: 5 },
  ]);
  expect(partsOf("Messages", REPORT.items).map(({ outcome }) => outcome)).toEqual(["Delivered", "Sent", "Failed"]);
});

test("carriers are sorted by how many texts they had", () => {
  expect(carriersOf(REPORT).map(({ carrier, total }) => [carrier, total])).toEqual([
    [null, 6],
    ["Verizon", 5],
  ]);
});

test.each([
  ["Messages", "Failed", "/messages", "Failed", undefined],
  ["Deliveries", "Pending", "/webhooks/deliveries", "Pending", undefined],
  ["Calls", "Ringing", "/calls", "Ringing", undefined],
  ["Calls", "Busy", "/calls", "Completed", "all calls that ended, however"],
  ["Calls", "Completed", "/calls", "Completed", "all calls that ended, however"],
] as const)("behind %s that are %s is a list of their time", (kind, outcome, path, status, beyond) => {
  const list = listBehind(kind, outcome, { from: TEN, until: TWELVE });
  const { pathname, searchParams } = new URL(list.to, "http://localhost");
  expect(pathname).toBe(path);
  expect(searchParams.get("q")).toBe(`status:${status} since:${TEN} until:2026-01-31T11:59:59.999Z`);
  expect(list.beyond).toBe(beyond);
});

test("a span begins in the first of its steps", () => {
  const now = new Date("2026-03-01T12:30:00Z");
  expect(SPANS.map((span) => beginOf(span, now))).toEqual([
    "2026-02-28T13:30:00.000Z",
    "2026-02-23T12:30:00.000Z",
    "2026-01-31T12:30:00.000Z",
  ]);
});
