import { expect, test } from "vitest";
import { pause } from "../../src/base/clock.ts";
import { VirtualClock } from "./virtual-clock.ts";

test("timers run when they are due, in order, each at its own time and after everything promised before it", async () => {
  const clock = new VirtualClock(1_000);
  const seen: string[] = [];
  const see = (what: string) => seen.push(`${clock.nowMs} ${what}`);
  clock.after(20, () => see("third"));
  clock.after(10, () => {
    see("first");
    clock.soon(() => see("soon"));
    void Promise.resolve().then(() => Promise.resolve().then(() => see("promised")));
    clock.after(0, () => see("at once"));
  });
  clock.after(10, () => see("second"));
  const cancel = clock.after(15, () => see("canceled"));
  clock.after(12, cancel);
  await clock.advance(19);
  expect(seen).toEqual(["1010 first", "1010 promised", "1010 soon", "1010 second", "1010 at once"]);
  await clock.advance(1);
  expect(seen.at(-1)).toBe("1020 third");
  expect(clock.elapsedMs()).toBe(20);
});

test("time passes until a promise is kept, and whoever waits for nothing is reported", async () => {
  const clock = new VirtualClock();
  await clock.until(pause(clock, 5_000));
  expect(clock.nowMs).toBe(5_000);
  await expect(clock.until(new Promise(() => undefined))).rejects.toThrow("nothing more will happen");
});

test("what never ends is reported", async () => {
  const clock = new VirtualClock();
  const again = () => clock.soon(again);
  again();
  await expect(clock.advance(0)).rejects.toThrow("time did not pass");
  const ticking = new VirtualClock();
  const next = () => void ticking.after(1, next);
  next();
  await expect(ticking.until(new Promise(() => undefined))).rejects.toThrow("still waits");
});
