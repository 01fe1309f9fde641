import fc from "fast-check";
import { expect, test } from "vitest";
import { FairQueue, type FairQueueOptions } from "./fair-queue.ts";

interface Item {
  readonly account: string;
  readonly cost: number;
  readonly number: number;
}

function queueOf(options: FairQueueOptions<Item> = {}) {
  const queue = new FairQueue<Item>({ costOf: ({ cost }) => cost, ...options });
  let number = 0;
  return {
    queue,
    put(account: string, count = 1, cost = 1, level = 0): void {
      for (let put = 0; put < count; put++) queue.push(account, { account, cost, number: ++number }, level);
    },
    take: (count: number) => Array.from({ length: count }, () => queue.shift()?.account ?? "-").join(""),
  };
}

test("an account that comes late waits for at most one item of each other account", () => {
  const { put, take } = queueOf();
  put("a", 1_000);
  put("b", 1_000);
  expect(take(6)).toBe("ababab");
  put("c", 2);
  expect(take(6)).toBe("cabcab");
  expect(take(2)).toBe("ab");
});

test("shares are counted in cost, not in items", () => {
  const { put, take } = queueOf();
  put("a", 10, 3);
  put("b", 30, 1);
  const taken = take(24);
  expect([taken.split("a").length - 1, taken.split("b").length - 1]).toEqual([6, 18]);
});

test("an account of weight 3 gets three times the share", () => {
  const { put, take } = queueOf({ weightOf: (account) => (account === "a" ? 3 : 1) });
  put("a", 100);
  put("b", 100);
  put("c", 100);
  const taken = take(50);
  expect(["a", "b", "c"].map((account) => taken.split(account).length - 1)).toEqual([30, 10, 10]);
});

test("an item that comes back is not paid for twice", () => {
  const { queue, put, take } = queueOf();
  put("a", 2, 3);
  put("b", 9);
  queue.unshift("a", queue.shift() as Item);
  expect(take(6)).toBe("bbbaba");
});

test("urgent items leave before the account's others, and before nobody else's", () => {
  const queue = new FairQueue<string>({ levels: 2 });
  queue.push("a", "a1", 1);
  queue.push("a", "a2", 0);
  queue.push("b", "b1", 1);
  queue.unshift("a", "a0", 0);
  expect([queue.shift(), queue.shift(), queue.shift(), queue.shift(), queue.shift()]).toEqual([
    "a0",
    "b1",
    "a2",
    "a1",
    undefined,
  ]);
});

test("emptying the queue between two items gains nothing", () => {
  const { put, take } = queueOf();
  put("a", 100);
  let taken = "";
  for (let round = 0; round < 10; round++) {
    put("b");
    taken += take(2);
  }
  expect(taken.split("b")).toHaveLength(11);
  put("b", 10);
  expect(take(4)).toBe("abab");
});

test("nothing is taken from a paused account until it is resumed", () => {
  const { queue, put, take } = queueOf();
  put("a", 3);
  put("b", 2);
  queue.pause("a");
  expect(take(3)).toBe("bb-");
  expect(queue.length).toBe(3);
  queue.resume("a");
  put("b", 2);
  expect(take(4)).toBe("abab");
});

test("an item that is removed costs nothing, and is removed once", () => {
  const queue = new FairQueue<string>({ levels: 2 });
  for (const item of ["a1", "a2", "a3"]) queue.push("a", item, 1);
  queue.push("b", "b1");
  expect([queue.remove("a", "a1"), queue.remove("a", "a1"), queue.remove("c", "a2")]).toEqual([true, false, false]);
  expect([queue.length, queue.lengthOf("a")]).toEqual([3, 2]);
  expect([queue.shift(), queue.shift(), queue.shift(), queue.shift()]).toEqual(["a2", "b1", "a3", undefined]);
  queue.push("a", "a4");
  expect([queue.remove("a", "a4"), queue.shift(), queue.length]).toEqual([true, undefined, 0]);
});

test("drained items are gone, and the queue goes on", () => {
  const { queue, put, take } = queueOf();
  put("a", 2);
  put("b");
  expect(queue.drain().map(({ account }) => account)).toEqual(["a", "a", "b"]);
  expect([queue.length, queue.lengthOf("a"), take(1)]).toEqual([0, 0, "-"]);
  put("a");
  expect(take(2)).toBe("a-");
});

test("whatever happens: nothing is lost or doubled, order holds, and nobody falls behind by more than one item", () => {
  const account = fc.constantFrom("a", "b", "c", "d");
  const act = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ account, count: fc.integer({ min: 1, max: 5 }), cost: fc.integer({ min: 1, max: 9 }) }),
    },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 12 }) },
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const { queue, put } = queueOf();
      let [pushed, costMax] = [0, 1];
      const taken: Item[] = [];
      // Cost served to each account since all of these began to wait together.
      let together = new Map<string, number>();
      const waiting = () => ["a", "b", "c", "d"].filter((name) => queue.lengthOf(name) > 0);
      for (const step of acts) {
        if (typeof step === "object") {
          put(step.account, step.count, step.cost);
          pushed += step.count;
          costMax = Math.max(costMax, step.cost);
          together = new Map(waiting().map((name) => [name, 0]));
          continue;
        }
        for (let count = 0; count < step; count++) {
          const item = queue.shift();
          if (!item) break;
          taken.push(item);
          together.set(item.account, (together.get(item.account) ?? 0) + item.cost);
          const served = waiting().flatMap((name) => together.get(name) ?? []);
          if (served.length > 1) expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(2 * costMax);
        }
      }
      expect(taken.length + queue.length).toBe(pushed);
      for (let item = queue.shift(); item; item = queue.shift()) taken.push(item);
      expect(new Set(taken.map(({ number }) => number)).size).toBe(pushed);
      for (const name of ["a", "b", "c", "d"]) {
        const numbers = taken.filter((item) => item.account === name).map(({ number }) => number);
        expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
      }
    }),
  );
});
