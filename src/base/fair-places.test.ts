import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../../test/fakes/virtual-clock.ts";
import { pause } from "./clock.ts";
import { FairPlaces } from "./fair-places.ts";

/** Lets what was resolved go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function placesOf(places: number, placesPerAccount: number) {
  const fair = new FairPlaces({ places, placesPerAccount });
  const begun: string[] = [];
  return {
    fair,
    begun,
    ask: (account: string, count = 1) => {
      for (let asked = 0; asked < count; asked++) void fair.take(account).then(() => begun.push(account));
    },
  };
}

test("one account has its places, and the rest is for the others", async () => {
  const { fair, begun, ask } = placesOf(3, 2);
  ask("a", 10);
  await settled();
  expect(begun.join("")).toBe("aa");
  ask("b", 2);
  await settled();
  expect([begun.join(""), fair.waiting]).toEqual(["aab", 9]);
  fair.release("b");
  await settled();
  expect(begun.join("")).toBe("aabb");
  fair.release("a");
  await settled();
  expect(begun.join("")).toBe("aabba");
});

test("places are given in turns", async () => {
  const { fair, begun, ask } = placesOf(1, 1);
  ask("a", 3);
  ask("b", 2);
  ask("c");
  for (let served = 0; served < 6; served++) {
    await settled();
    fair.release(begun.at(-1) as string);
  }
  expect(begun.join("")).toBe("abcaba");
});

test("work frees its place, also when it fails", async () => {
  const { fair } = placesOf(1, 1);
  const failed = fair.run("a", () => Promise.reject(new Error("no")));
  const done = fair.run("b", async () => "done");
  await expect(failed).rejects.toThrow("no");
  expect(await done).toBe("done");
});

test("a place that nobody has cannot be released", () => {
  expect(() => placesOf(1, 1).fair.release("a")).toThrow("a has no place to release");
});

test("who stops waiting leaves the queue, and costs its account nothing", async () => {
  const { fair, begun, ask } = placesOf(1, 1);
  ask("a", 2);
  const stop = new AbortController();
  const unwanted = fair.take("b", stop.signal);
  ask("b");
  stop.abort();
  await expect(unwanted).rejects.toThrow("it is no longer wanted");
  expect(fair.waiting).toBe(2);
  fair.release("a");
  await settled();
  expect(begun.join("")).toBe("ab");
  await expect(fair.take("c", stop.signal)).rejects.toThrow("it is no longer wanted");
  expect(fair.waiting).toBe(1);
  await expect(fair.run("c", async () => "never", stop.signal)).rejects.toThrow("it is no longer wanted");
});

test("a stop that comes after the place was given changes nothing", async () => {
  const { fair } = placesOf(1, 1);
  const stop = new AbortController();
  await fair.run("a", async () => stop.abort(), stop.signal);
  expect(await fair.run("b", async () => "done")).toBe("done");
});

test("work gives way after each unit, and goes on at once where nobody waits", async () => {
  const { fair } = placesOf(1, 1);
  const done: string[] = [];
  const work = (account: string, units: number) =>
    fair.run(account, async (nextUnit) => {
      for (let unit = 1; unit <= units; unit++) {
        if (unit > 1) await nextUnit();
        done.push(`${account}${unit}`);
      }
    });
  await Promise.all([work("a", 4), work("a", 2), work("b", 2), work("c", 1)]);
  // Both works of a take turns within its share.
  expect(done.join(" ")).toBe("a1 b1 c1 a1 b2 a2 a2 a3 a4");
  expect(fair.waiting).toBe(0);
});

test("work that fails while it waits for its next unit keeps no place", async () => {
  const { fair } = placesOf(1, 1);
  const failing = fair.run("a", async (nextUnit) => {
    nextUnit().catch(() => undefined);
    throw new Error("lost");
  });
  const other = fair.run("b", async () => "done");
  await expect(failing).rejects.toThrow("lost");
  expect(await other).toBe("done");
  expect(await fair.run("a", async () => "again")).toBe("again");
  expect(fair.waiting).toBe(0);
});

test("a small account waits for at most one unit of each other account for each place, on virtual time", async () => {
  const UNIT_MS = 1_000;
  const order = fc.record({
    places: fc.integer({ min: 1, max: 4 }),
    greedy: fc.integer({ min: 1, max: 5 }),
    jobs: fc.integer({ min: 1, max: 6 }),
    length: fc.integer({ min: 1, max: 20 }),
    comesMs: fc.integer({ min: 0, max: 9_999 }),
  });
  await fc.assert(
    fc.asyncProperty(order, async ({ places, greedy, jobs, length, comesMs }) => {
      const clock = new VirtualClock();
      const fair = new FairPlaces({ places, placesPerAccount: places });
      const work = (account: string, count: number) =>
        fair.run(account, async (nextUnit) => {
          for (let unit = 0; unit < count; unit++) {
            if (unit > 0) await nextUnit();
            await pause(clock, UNIT_MS);
          }
        });
      const others = Array.from({ length: greedy * jobs }, (_, at) => work(`greedy ${at % greedy}`, length));
      await clock.advance(comesMs);
      const beganMs = clock.nowMs;
      await clock.until(work("small", 1));
      // What runs is waited for, then one unit of each other account, spread over the places.
      const units = Math.min(greedy, Math.ceil(greedy / places) + 1);
      expect(clock.nowMs - beganMs - UNIT_MS).toBeLessThanOrEqual(units * UNIT_MS);
      await clock.until(Promise.all(others));
    }),
    { numRuns: 100 },
  );
});
