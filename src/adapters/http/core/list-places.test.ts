import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/fakes/virtual-clock.ts";
import { pause } from "../../../base/clock.ts";
import { ListPlaces, SLICE } from "./list-places.ts";

const PAGE_MS = 1_000;

function placesOf(hasOthers = true) {
  const clock = new VirtualClock();
  const lists = new ListPlaces(clock, { hasOthers: () => hasOthers });
  const state = { atOnce: 0, atOnceMax: 0 };
  const list = (account: string, ms = PAGE_MS, size = 50) =>
    lists.run(account, size, async (slice) => {
      for (let left = size; left > 0; left -= SLICE) await slice(() => page(ms));
      return account;
    });
  const page = async (ms: number) => {
    state.atOnceMax = Math.max(state.atOnceMax, ++state.atOnce);
    await pause(clock, ms);
    state.atOnce--;
  };
  return { clock, lists, list, state };
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
  const { clock, lists } = placesOf();
  const failing = lists.run("a", 50, (slice) =>
    slice(async () => {
      await pause(clock, 20_000);
      throw new Error("the statement took too long");
    }),
  );
  await expect(clock.until(failing)).rejects.toThrow("the statement took too long");
});

test("beside others an account reads one long page at a time, with a rest after each slice", async () => {
  const { clock, list, state } = placesOf();
  const long = [1, 2].map(async () => {
    expect(await list("a", PAGE_MS / 2, 200)).toBe("a");
    return clock.nowMs;
  });
  const others = Promise.all([list("a"), list("a", PAGE_MS, 100), list("b", PAGE_MS, 101)]);
  expect(await clock.until(others)).toEqual(["a", "a", "b"]);
  expect([clock.nowMs, state.atOnceMax]).toEqual([3 * PAGE_MS, 4]);
  expect(await clock.until(Promise.all(long))).toEqual([1.5 * PAGE_MS, 3.5 * PAGE_MS]);
  await clock.advance(PAGE_MS);
  expect(clock.waiting).toBe(0);
});

test("an account that is alone reads its long pages without a rest", async () => {
  const { clock, list } = placesOf(false);
  await clock.until(Promise.all([list("a", PAGE_MS, 400), list("a", PAGE_MS, 300)]));
  expect(clock.nowMs).toBe(7 * PAGE_MS);
});

test("long pages leave a place for short ones", async () => {
  const { clock, list } = placesOf();
  const pages = Promise.all(Array.from({ length: 8 }, (_, at) => list(`greedy ${at}`, PAGE_MS, 1_000)));
  await clock.advance(PAGE_MS / 2);
  expect(await clock.until(list("small"))).toBe("small");
  expect(clock.nowMs).toBe(PAGE_MS / 2 + PAGE_MS);
  await clock.until(pages);
});

test("a long page that waits for five seconds is refused", async () => {
  const { clock, list } = placesOf();
  const slow = list("a", 3_000, 1_000);
  expect(await clock.until(list("a", PAGE_MS, 1_000))).toBeUndefined();
  expect(clock.nowMs).toBe(5_000);
  expect(await clock.until(slow)).toBe("a");
  await clock.advance(6_000);
  expect(await clock.until(list("a", PAGE_MS, 1_000))).toBe("a");
});
