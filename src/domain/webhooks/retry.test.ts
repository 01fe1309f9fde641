import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AttemptFacts, type AttemptOutcome, outcomeOf } from "./retry.ts";
import type { Attempt } from "./subscription.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
/** As the contract states it. */
const SCHEDULE = [
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const START = new Date("2026-01-01T00:00:00.000Z");

function attempt(status: number | null): Attempt {
  const failure = status === null ? "timeout" : null;
  return { at: START, url: "https://example.com", status, failure, ms: 1, answer: null };
}

function outcomeAfter(facts: Partial<AttemptFacts>): AttemptOutcome {
  return outcomeOf({
    count: 1,
    last: attempt(500),
    retryAfterMs: undefined,
    failingSince: START,
    now: START,
    chance: 0.5,
    ...facts,
  });
}

function delayOf(outcome: AttemptOutcome, now: Date): number | undefined {
  return outcome.kind === "retry" ? outcome.at.getTime() - now.getTime() : undefined;
}

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failure = fc.option(fc.integer({ min: 100, max: 599 })).filter((status) => {
  return status === null || (status !== 410 && (status < 200 || status > 299));
});

describe("the schedule", () => {
  test("runs through eleven attempts in 76 hours, each pause within a fifth of its own, then gives up", () => {
    fc.assert(
      fc.property(fc.array(chance, { minLength: 10, maxLength: 10 }), failure, (chances, status) => {
        let now = START;
        chances.forEach((luck, at) => {
          const outcome = outcomeAfter({ count: at + 1, last: attempt(status), now, chance: luck });
          const delay = delayOf(outcome, now) as number;
          // Dates have whole milliseconds.
          expect(delay).toBeGreaterThanOrEqual((SCHEDULE[at] as number) * 0.8 - 1);
          expect(delay).toBeLessThanOrEqual((SCHEDULE[at] as number) * 1.2);
          now = new Date(now.getTime() + delay);
        });
        const hours = (now.getTime() - START.getTime()) / HOUR;
        expect(hours).toBeGreaterThan(75.5 * 0.8);
        expect(hours).toBeLessThan(75.6 * 1.2);
        expect(outcomeAfter({ count: 11, last: attempt(status), now })).toEqual({ kind: "failed" });
      }),
    );
  });

  test("uses the whole of the jitter, evenly to both sides", () => {
    SCHEDULE.forEach((delay, at) => {
      const seen = [0, 0.5, 1 - Number.EPSILON].map((luck) =>
        delayOf(outcomeAfter({ count: at + 1, chance: luck }), START),
      ) as number[];
      expect(seen[0]).toBeCloseTo(delay * 0.8, -1);
      expect(seen[1]).toBe(delay);
      expect(seen[2]).toBeCloseTo(delay * 1.2, -1);
    });
  });

  test("takes about 76 hours without jitter", () => {
    expect(SCHEDULE.reduce((sum, delay) => sum + delay, 0) / HOUR).toBeCloseTo(75.6, 1);
  });
});

describe("what the receiver answers", () => {
  test.each([200, 201, 202, 204, 299])("%i is success", (status) => {
    expect(outcomeAfter({ last: attempt(status) })).toEqual({ kind: "delivered" });
  });

  test.each([100, 199, 300, 301, 302, 307, 308, 400, 401, 404, 429, 500, 503, null])("%j is tried again", (status) => {
    expect(outcomeAfter({ last: attempt(status) }).kind).toBe("retry");
  });

  test("410 switches the subscription off, at any attempt", () => {
    for (const count of [1, 5, 11]) {
      const outcome = outcomeAfter({ count, last: attempt(410) });
      expect(outcome).toEqual({ kind: "switchOff", reason: expect.stringContaining("410") });
    }
  });
});

describe("Retry-After", () => {
  test("is kept when it is longer than the pause, up to 24 hours", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.nat(30 * DAY), chance, (count, retryAfterMs, luck) => {
        const own = delayOf(outcomeAfter({ count, chance: luck }), START) as number;
        const delay = delayOf(outcomeAfter({ count, chance: luck, retryAfterMs }), START);
        expect(delay).toBe(Math.max(own, Math.min(retryAfterMs, DAY)));
      }),
    );
  });

  test("does not add attempts", () => {
    expect(outcomeAfter({ count: 11, retryAfterMs: HOUR })).toEqual({ kind: "failed" });
  });
});

describe("five days of nothing but failures", () => {
  const FIVE_DAYS = new Date(START.getTime() + 5 * DAY);

  test("switch the subscription off, not a moment earlier", () => {
    expect(outcomeAfter({ now: FIVE_DAYS })).toEqual({
      kind: "switchOff",
      reason: expect.stringContaining("five days"),
    });
    expect(outcomeAfter({ now: new Date(FIVE_DAYS.getTime() - 1) }).kind).toBe("retry");
  });

  test("do not matter once one worked", () => {
    expect(outcomeAfter({ now: FIVE_DAYS, last: attempt(204) })).toEqual({ kind: "delivered" });
    expect(outcomeAfter({ now: FIVE_DAYS, failingSince: new Date(START.getTime() + DAY) }).kind).toBe("retry");
  });
});

test("whatever comes has an outcome, and what is tried again is tried later", () => {
  const facts = fc.record({
    count: fc.integer({ min: 1, max: 20 }),
    status: fc.option(fc.integer({ min: 100, max: 599 })),
    retryAfterMs: fc.option(fc.nat(100 * DAY), { nil: undefined }),
    failingMs: fc.nat(10 * DAY),
    chance,
  });
  fc.assert(
    fc.property(facts, ({ failingMs, status, ...rest }) => {
      const now = new Date(START.getTime() + failingMs);
      const outcome = outcomeAfter({ ...rest, now, last: attempt(status) });
      const delay = delayOf(outcome, now) ?? 4 * SECOND;
      expect(delay).toBeGreaterThanOrEqual(4 * SECOND);
      expect(delay).toBeLessThanOrEqual(1.2 * DAY);
    }),
  );
});
