import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newAnswerCache } from "./answer-cache.ts";

const entry = (number: string) => ({
  answer: {
    info: { number, status: "Active", type: "VoIP", carrierName: null },
    source: "enum",
    asOf: new Date(0),
  } as const,
  expiresAt: new Date(1),
});

describe("the answers given most recently", () => {
  it("drop the one unused for longest", () => {
    const cache = newAnswerCache(2);
    cache.keep(entry("+1"));
    cache.keep(entry("+2"));
    cache.find("+1");
    cache.keep(entry("+3"));
    expect(["+1", "+2", "+3"].map((number) => cache.find(number)?.answer.info.number)).toEqual(["+1", undefined, "+3"]);
  });

  it("forget when told to, and keep nothing when none may be kept", () => {
    const cache = newAnswerCache(1);
    cache.keep(entry("+1"));
    cache.forget("+1");
    expect(cache.find("+1")).toBeUndefined();
    const none = newAnswerCache(0);
    none.keep(entry("+1"));
    expect(none.size).toBe(0);
  });

  it("never outgrow their bound and always hold the last one kept", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(9), { minLength: 1 }), (entriesMax, numbers) => {
        const cache = newAnswerCache(entriesMax);
        for (const number of numbers) cache.keep(entry(String(number)));
        expect(cache.size).toBe(Math.min(entriesMax, new Set(numbers).size));
        expect(cache.find(String(numbers.at(-1)))).toBeDefined();
      }),
    );
  });
});
