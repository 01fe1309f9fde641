import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readReason, readUpdates } from "./clearing-house-documents.ts";

const order = `PO${"a".repeat(32)}`;
const said = { order, sequence: 3, at: "2026-01-05T13:00:00+01:00", numbers: ["+14155550100"] };
const at = new Date("2026-01-05T12:00:00Z");

describe("updates", () => {
  test.each([
    [{ kind: "voiceMoved" }, { kind: "voiceMoved" }],
    [
      { kind: "foc", on: "2026-02-01T00:00:00Z" },
      { kind: "foc", on: new Date("2026-02-01T00:00:00Z") },
    ],
    [
      { kind: "exception", reason: { code: "account-number-mismatch" }, colour: "red" },
      { kind: "exception", reason: { code: "ACCOUNT_NUMBER_MISMATCH", detail: null } },
    ],
    [
      { kind: "rejected", reason: { code: "7399", detail: "TN dead" } },
      { kind: "rejected", reason: { code: "OTHER", detail: "7399: TN dead" } },
    ],
  ])("%j is understood", (change, expected) => {
    const update = { orderSid: order, sequence: 3, at, numbers: ["+14155550100"], change: expected };
    expect(readUpdates([{ ...said, ...change }])).toEqual({ unreadable: 0, updates: [update] });
  });

  test("of no number in particular is of all", () => {
    const { numbers: _, ...all } = said;
    expect(readUpdates([{ ...all, kind: "cancelled" }]).updates[0]?.numbers).toBe("all");
  });

  test.each([
    [{ kind: "foc" }],
    [{ kind: "foc", on: "soon" }],
    [{ kind: "rejected" }],
    [{ kind: "teleported" }],
    [{ kind: "cancelled", order: "PO1" }],
    [{ kind: "cancelled", sequence: 0 }],
    [{ kind: "cancelled", sequence: 1.5 }],
    [{ kind: "cancelled", numbers: [] }],
    [{ kind: "cancelled", numbers: ["4155550100"] }],
    [{ kind: "cancelled", at: "2026-01-05" }],
  ])("%j is left out and counted", (change) => {
    expect(readUpdates([{ ...said, ...change }])).toEqual({ updates: [], unreadable: 1 });
  });

  test("may be anything, and is read up to a bound", () => {
    fc.assert(
      fc.property(fc.anything(), (list) => {
        expect(readUpdates(list).updates).toEqual([]);
        readReason(list);
      }),
    );
    expect(readUpdates(Array.from({ length: 5000 }, () => ({ ...said, kind: "cancelled" }))).updates).toHaveLength(
      1000,
    );
  });
});
