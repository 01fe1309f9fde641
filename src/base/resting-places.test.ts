import { expect, test } from "vitest";
import { VirtualClock } from "../../test/fakes/virtual-clock.ts";
import { pause } from "./clock.ts";
import { RestingPlaces } from "./resting-places.ts";

function placesOf(places: number, placesPerAccount: number, hasOthers = true) {
  const clock = new VirtualClock();
  const resting = new RestingPlaces({ clock, active: { hasOthers: () => hasOthers } }, { places, placesPerAccount });
  const startMs = clock.nowMs;
  const ended: string[] = [];
  const work = (account: string, ms: number, fault?: Error) =>
    resting.run(account, (unit) => unit(() => one(account, ms, fault)));
  const one = async (account: string, ms: number, fault?: Error) => {
    await pause(clock, ms);
    ended.push(`${account} ${clock.nowMs - startMs}`);
    if (fault) throw fault;
    return account;
  };
  return { clock, resting, ended, work, one };
}

test("a place rests for as long as its work took, and nobody waits for that of another account", async () => {
  const { clock, ended, work } = placesOf(2, 1);
  const all = Promise.all([work("a", 10), work("a", 20), work("a", 1), work("b", 5)]);
  expect(await clock.until(all)).toEqual(["a", "a", "a", "b"]);
  expect(ended).toEqual(["b 5", "a 10", "a 40", "a 61"]);
});

test("a place rests after each unit of its work, and keeps its account meanwhile", async () => {
  const { clock, resting, ended, work, one } = placesOf(1, 1);
  const long = resting.run("a", async (unit) => {
    await unit(() => one("a", 10));
    await unit(() => one("a", 5));
    return one("a", 100);
  });
  const next = work("b", 1);
  expect(await clock.until(long)).toBe("a");
  await clock.until(next);
  expect(ended).toEqual(["a 10", "a 25", "a 125", "b 126"]);
});

test("while no other account has something to do, no place rests", async () => {
  const { clock, resting, ended, work, one } = placesOf(1, 1, false);
  const long = resting.run("a", async (unit) => {
    await unit(() => one("a", 10));
    return unit(() => one("a", 5));
  });
  await clock.until(Promise.all([long, work("a", 1)]));
  expect(ended).toEqual(["a 10", "a 15", "a 16"]);
  expect(clock.waiting).toBe(0);
});

test("work that fails rests, too, and its fault is told", async () => {
  const { clock, ended, work } = placesOf(1, 1);
  const failing = work("a", 10, new Error("lost"));
  const next = work("a", 1);
  await expect(clock.until(failing)).rejects.toThrow("lost");
  await clock.until(next);
  expect(ended).toEqual(["a 10", "a 21"]);
});

test("who stops waiting has no place", async () => {
  const { clock, resting, work } = placesOf(1, 1);
  const first = work("a", 10);
  const stop = new AbortController();
  const unwanted = resting.run("a", async () => "never", stop.signal);
  stop.abort();
  await expect(unwanted).rejects.toThrow("it is no longer wanted");
  await clock.until(first);
  await clock.until(work("a", 1));
  await clock.advance(2);
  expect(clock.waiting).toBe(0);
});
