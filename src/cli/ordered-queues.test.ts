import fc from "fast-check";
import { expect, test } from "vitest";
import { OrderedLanes } from "./ordered-queues.ts";

test("a lane keeps its order, lanes do not wait for each other, and no more than the bound is held", async () => {
  const jobs = fc.array(fc.record({ lane: fc.constantFrom("a", "b", "c"), turns: fc.nat(5) }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(jobs, fc.integer({ min: 1, max: 6 }), async (given, heldMax) => {
      const lanes = new OrderedLanes(heldMax);
      const done: number[] = [];
      const running = new Set<string>();
      let runningMost = 0;
      for (const [at, { lane, turns }] of given.entries()) {
        await lanes.add(lane, async () => {
          expect(running.has(lane)).toBe(false);
          running.add(lane);
          runningMost = Math.max(runningMost, running.size);
          for (let turn = 0; turn < turns; turn++) await Promise.resolve();
          running.delete(lane);
          done.push(at);
        });
      }
      await lanes.idle();
      expect(runningMost).toBeLessThanOrEqual(heldMax);
      expect([...done].sort((a, b) => a - b)).toEqual(given.map((_, at) => at));
      for (const lane of ["a", "b", "c"]) {
        const order = done.filter((at) => given[at]?.lane === lane);
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }
    }),
  );
});

test("a lane that hangs stops no other, until the bound is reached", async () => {
  const lanes = new OrderedLanes(2);
  let release = () => {};
  await lanes.add("slow", () => new Promise((resolve) => (release = resolve)));
  const seen: string[] = [];
  await lanes.add("quick", async () => void seen.push("first"));
  await lanes.add("slow", async () => void seen.push("after"));
  const third = lanes.add("quick", async () => void seen.push("second"));
  expect(seen).toEqual(["first"]);
  release();
  await third;
  await lanes.idle();
  expect(seen.toSorted()).toEqual(["after", "first", "second"]);
});
