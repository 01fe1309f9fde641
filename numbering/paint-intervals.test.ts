import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openNumberingTable } from "../src/domain/lookup/numbering-table.ts";
import { encodeTable } from "./encode-table.ts";
import { type PaintedPrefix, paintIntervals } from "./paint-intervals.ts";

const HOLDERS = ["Alpha", "Beta", "Gamma", "Delta"];
const header = {
  layers: [{ name: "test", date: "2026-01-01", licence: "none" }],
  holders: HOLDERS.map((carrierName) => ({ carrierName, layer: 0 })),
};

/** The rule in its simplest form: the highest layer that covers the number, and within it the longest prefix. */
function naively(prefixes: readonly PaintedPrefix[], digits: string): string | undefined {
  const covering = prefixes.filter(({ prefix }) => digits.startsWith(prefix));
  covering.sort((a, b) => b.rank - a.rank || b.prefix.length - a.prefix.length);
  const winner = covering[0];
  return winner && HOLDERS[winner.holder - 1];
}

// Few digits and short prefixes, so that prefixes often nest and touch.
const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom("1", "2", "9"), { minLength, maxLength }).map((some) => some.join(""));

const prefixSet = fc.uniqueArray(
  fc.record({ prefix: digits(1, 6), holder: fc.integer({ min: 1, max: HOLDERS.length }), rank: fc.nat(2) }),
  { selector: ({ prefix, rank }) => `${rank}:${prefix}`, maxLength: 60 },
);

describe("painting", () => {
  it("answers what the longest prefix of the highest layer would", () => {
    fc.assert(
      fc.property(prefixSet, fc.array(digits(6, 15), { minLength: 20, maxLength: 20 }), (prefixes, numbers) => {
        const table = openNumberingTable(encodeTable(header, paintIntervals(prefixes)));
        if (!table.ok) throw new Error(table.refusal.reason);
        for (const number of numbers) {
          expect(table.value.holderOf(`+${number}`)?.carrierName, number).toBe(naively(prefixes, number));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("gives ascending intervals whose neighbours differ, whatever the order of the prefixes", () => {
    fc.assert(
      fc.property(prefixSet, (prefixes) => {
        const { starts, holders } = paintIntervals(prefixes);
        for (let at = 1; at < starts.length; at++) {
          expect(starts[at]).toBeGreaterThan(starts[at - 1] ?? Number.NaN);
          expect(holders[at]).not.toBe(holders[at - 1]);
        }
        expect(paintIntervals(prefixes.toReversed())).toEqual({ starts, holders });
      }),
    );
  });
});
