import { expect, test } from "vitest";
import { VirtualClock } from "../../test/fakes/virtual-clock.ts";
import { ActiveAccounts } from "./active-accounts.ts";

test("an account has others beside it for ten seconds after they were active", async () => {
  const clock = new VirtualClock();
  const active = new ActiveAccounts(clock);
  expect(active.hasOthers("a")).toBe(false);
  active.note("a");
  expect([active.hasOthers("a"), active.hasOthers("b")]).toEqual([false, true]);
  await clock.advance(1_000);
  active.note("b");
  active.note("b");
  active.note("a");
  await clock.advance(9_999);
  active.note("a");
  expect([active.hasOthers("a"), active.hasOthers("b"), active.hasOthers("c")]).toEqual([true, true, true]);
  await clock.advance(1);
  expect([active.hasOthers("a"), active.hasOthers("b"), active.hasOthers("c")]).toEqual([false, true, true]);
});
