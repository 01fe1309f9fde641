import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/fakes/virtual-clock.ts";
import { pause } from "../../../base/clock.ts";
import { ListPlaces } from "./list-places.ts";

const PAGE_MS = 1_000;

function placesOf() {
  const clock = new VirtualClock();
  const lists = new ListPlaces(clock);
  const state = { atOnce: 0, atOnceMax: 0 };
  const list = (account: string, ms = PAGE_MS, size = 50) =>
    lists.run(account, size, async () => {
      state.atOnceMax = Math.max(state.atOnceMax, ++state.atOnce);
      await pause(clock, ms);
      state.atOnce--;
      return account;
    });
  return { clock, list, state };
}

test("one account's lists do not keep another's waiting", async () => {
  const { clock, list, state } = placesOf();
  const many = Array.from({ length: 12 }, () => list("a"));
  expect(await clock.until(list("b"))).toBe("b");
  expect(clock.nowMs).toBe(PAGE_MS);
  expect(await clock.until(Promise.all(many))).toEqual(Array(12).fill("a"));
  expect([clock.nowMs, state.atOnceMax]).toEqual([4 * PAGE_MS, 4]);
});

test("beside several, a small account waits for a page of each at most", async () => {
  const { clock, list, state } = placesOf();
  const many = Array.from({ length: 60 }, (_, at) => list(`greedy ${at % 4}`));
  await clock.advance(PAGE_MS / 2);
  expect(await clock.until(list("small"))).toBe("small");
  expect(clock.nowMs).toBeLessThanOrEqual(PAGE_MS / 2 + 2 * PAGE_MS);
  const answers = await clock.until(Promise.all(many));
  expect(answers.filter((answer) => answer === undefined).length).toBeGreaterThan(0);
  expect(state.atOnceMax).toBe(5);
});

test("a list that waits for five seconds is refused, and keeps no place", async () => {
  const { clock, list } = placesOf();
  const slow = Array.from({ length: 3 }, () => list("a", 6_000));
  const late = list("a");
  expect(await clock.until(late)).toBeUndefined();
  expect(clock.nowMs).toBe(5_000);
  await clock.until(Promise.all(slow));
  expect(await clock.until(list("a"))).toBe("a");
  expect(clock.waiting).toBe(0);
});

test("a fault of a list is its own, however late it comes", async () => {
  const { clock } = placesOf();
  const lists = new ListPlaces(clock);
  const failing = lists.run("a", 50, async () => {
    await pause(clock, 20_000);
    throw new Error("the statement took too long");
  });
  await expect(clock.until(failing)).rejects.toThrow("the statement took too long");
});

test("an account reads one long page at a time, with a rest after it, so that others are answered", async () => {
  const { clock, list, state } = placesOf();
  const long = [1, 2].map(async () => {
    expect(await list("a", PAGE_MS, 101)).toBe("a");
    return clock.nowMs;
  });
  const others = Promise.all([list("a"), list("a", PAGE_MS, 100), list("b", PAGE_MS, 1_000)]);
  expect(await clock.until(others)).toEqual(["a", "a", "b"]);
  expect([clock.nowMs, state.atOnceMax]).toEqual([PAGE_MS, 4]);
  expect(await clock.until(Promise.all(long))).toEqual([PAGE_MS, 4 * PAGE_MS]);
  await clock.advance(2 * PAGE_MS);
  expect(clock.waiting).toBe(0);
});

test("a long page that waits for five seconds is refused", async () => {
  const { clock, list } = placesOf();
  const slow = list("a", 3_000, 1_000);
  expect(await clock.until(list("a", PAGE_MS, 1_000))).toBeUndefined();
  expect([clock.nowMs, await slow]).toEqual([5_000, "a"]);
  await clock.advance(4_000);
  expect(await clock.until(list("a", PAGE_MS, 1_000))).toBe("a");
});
