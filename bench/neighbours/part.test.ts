import { expect, onTestFinished, test, vi } from "vitest";
import { VirtualClock } from "../../test/fakes/virtual-clock.ts";
import { measureRound, measureWaits, type Part, resultOf, type Waits } from "./part.ts";

/** A part that serves after the time that `delayMs` says for the moment at which it is asked. */
function partOf(delayMs: (atMs: number) => number, everyMs = 1_000) {
  const clock = new VirtualClock();
  const acts: string[] = [];
  const part: Part = {
    everyMs,
    ask: async () => {
      const ms = delayMs(clock.nowMs);
      return [new Promise<void>((resolve) => ms < Number.POSITIVE_INFINITY && void clock.after(ms, resolve))];
    },
    crowd: async () => void acts.push(`crowd at ${clock.nowMs}`),
    calm: async () => void acts.push(`calm at ${clock.nowMs}`),
    close: async () => {},
  };
  const waits = () => clock.until(measureWaits(part, clock));
  return { clock, part, acts, waits };
}

test("every wait is measured, also of those that are served after the last one asked", async () => {
  const { waits } = partOf(() => 3_000);
  expect(await waits()).toEqual({ ms: Array(6).fill(3_000), isStarved: false });
});

test("what is asked for is asked for in time, however long it takes to be served", async () => {
  const { waits } = partOf(() => 9_990, 100);
  const { ms, isStarved } = await waits();
  expect([ms.length, isStarved]).toEqual([60, false]);
});

test("nothing served in ten seconds is starvation, and what is never served has waited until the end", async () => {
  const { waits } = partOf(() => Number.POSITIVE_INFINITY, 5_000);
  expect(await waits()).toEqual({ ms: [15_000, 10_000], isStarved: true });
});

test("what is served after ten seconds was starved until then", async () => {
  const stopped = partOf((atMs) => (atMs < 2_000 ? 10 : Math.max(10, 14_000 - atMs)));
  expect(await stopped.waits()).toMatchObject({ isStarved: true });
  const slow = partOf((atMs) => (atMs < 2_000 ? 10 : Math.max(10, 11_000 - atMs)));
  expect(await slow.waits()).toMatchObject({ isStarved: false });
});

test.each([
  ["served", async () => [Promise.reject(new Error("gone"))]],
  ["asked for", () => Promise.reject(new Error("gone"))],
])("what fails when it is %s was not served, and the reason is printed once", async (_, ask) => {
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  const { clock, part } = partOf(() => 0);
  expect(await clock.until(measureWaits({ ...part, ask }, clock))).toMatchObject({ isStarved: true });
  expect(printed.mock.calls).toEqual([["not served: gone"]]);
});

test("the greedy account is there in the second half of a round", async () => {
  const { clock, part, acts } = partOf((atMs) => (atMs >= 5_100 ? 200 : 100));
  const { alone, beside } = await clock.until(measureRound(part, clock));
  expect([alone.ms, beside.ms]).toEqual([Array(6).fill(100), Array(6).fill(200)]);
  expect(acts).toEqual(["crowd at 5100", "calm at 10300"]);
});

test("a ratio is that of the middle round, by p90, and one round that starves is enough", () => {
  const waitsOf = (p90: number, isStarved = false): Waits => ({ ms: [...Array(9).fill(p90), 1_000], isStarved });
  const rounds = [
    { alone: waitsOf(10), beside: waitsOf(25) },
    { alone: waitsOf(20), beside: waitsOf(50, true) },
    { alone: waitsOf(900), beside: waitsOf(40) },
  ];
  expect(resultOf(rounds)).toEqual({
    ratio: 2,
    starved: true,
    aloneMs: { p50: 20, p90: 20, p99: 1_000 },
    besideMs: { p50: 40, p90: 40, p99: 1_000 },
  });
});
