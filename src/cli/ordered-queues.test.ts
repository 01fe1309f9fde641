import fc from "fast-check";
import { expect, test } from "vitest";
import { OrderedQueues } from "./ordered-queues.ts";

test("a queue keeps its order, queues do not wait for each other, and no more than the bound is held", async () => {
  const jobs = fc.array(fc.record({ queue: fc.constantFrom("a", "b", "c"), turns: fc.nat(5) }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(jobs, fc.integer({ min: 1, max: 6 }), async (given, pendingMax) => {
      const queues = new OrderedQueues(pendingMax);
      const done: number[] = [];
      const running = new Set<string>();
      let runningMost = 0;
      for (const [at, { queue, turns }] of given.entries()) {
        await queues.add(queue, async () => {
          expect(running.has(queue)).toBe(false);
          running.add(queue);
          runningMost = Math.max(runningMost, running.size);
          for (let turn = 0; turn < turns; turn++) await Promise.resolve();
          running.delete(queue);
          done.push(at);
        });
      }
      await queues.idle();
      expect(runningMost).toBeLessThanOrEqual(pendingMax);
      expect([...done].sort((a, b) => a - b)).toEqual(given.map((_, at) => at));
      for (const queue of ["a", "b", "c"]) {
        const order = done.filter((at) => given[at]?.queue === queue);
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }
    }),
  );
});

test("a queue that hangs stops no other, until the bound is reached", async () => {
  const queues = new OrderedQueues(2);
  let release = () => {};
  await queues.add("slow", () => new Promise((resolve) => (release = resolve)));
  const seen: string[] = [];
  await queues.add("quick", async () => void seen.push("first"));
  await queues.add("slow", async () => void seen.push("after"));
  const third = queues.add("quick", async () => void seen.push("second"));
  expect(seen).toEqual(["first"]);
  release();
  await third;
  await queues.idle();
  expect(seen.toSorted()).toEqual(["after", "first", "second"]);
});
