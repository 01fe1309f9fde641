import { expect, test } from "vitest";
import { VirtualClock } from "../../test/fakes/virtual-clock.ts";
import { pause } from "./clock.ts";
import { RestingPlaces } from "./resting-places.ts";

function placesOf(places: number, placesPerAccount: number) {
  const clock = new VirtualClock();
  const resting = new RestingPlaces(clock, { places, placesPerAccount });
  const startMs = clock.nowMs;
  const ended: string[] = [];
  const work = (account: string, ms: number, fault?: Error) =>
    resting.run(account, async () => {
      await pause(clock, ms);
      ended.push(`${account} ${clock.nowMs - startMs}`);
      if (fault) throw fault;
      return account;
    });
  return { clock, resting, ended, work };
}

test("a place rests for twice the time that its work took, and nobody waits for that of another account", async () => {
  const { clock, ended, work } = placesOf(2, 1);
  const all = Promise.all([work("a", 10), work("a", 20), work("a", 1), work("b", 5)]);
  expect(await clock.until(all)).toEqual(["a", "a", "a", "b"]);
  expect(ended).toEqual(["b 5", "a 10", "a 50", "a 91"]);
});

test("work that fails rests, too, and its fault is told", async () => {
  const { clock, ended, work } = placesOf(1, 1);
  const failing = work("a", 10, new Error("lost"));
  const next = work("a", 1);
  await expect(clock.until(failing)).rejects.toThrow("lost");
  await clock.until(next);
  expect(ended).toEqual(["a 10", "a 31"]);
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
