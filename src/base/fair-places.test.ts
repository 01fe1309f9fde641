import { expect, test } from "vitest";
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

test("who gives up waiting gets no place, and loses no turn", async () => {
  const { fair, begun, ask } = placesOf(1, 1);
  ask("a");
  const giveUp = new AbortController();
  const given = [fair.take("b", giveUp.signal), fair.take("b", giveUp.signal)];
  ask("c");
  ask("b");
  giveUp.abort();
  expect(await Promise.all(given)).toEqual([false, false]);
  expect([fair.waiting, await fair.take("b", giveUp.signal)]).toEqual([2, false]);
  fair.release("a");
  await settled();
  expect(begun.join("")).toBe("ab");
  fair.release("b");
  await settled();
  expect(begun.join("")).toBe("abc");
});

test("giving up later does not take a place away", async () => {
  const { fair } = placesOf(1, 1);
  const giveUp = new AbortController();
  expect(await fair.take("a", giveUp.signal)).toBe(true);
  giveUp.abort();
  fair.release("a");
  expect(() => fair.release("a")).toThrow("a has no place to release");
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
