import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { deadlineAfter } from "./deadline.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const abortOf = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener("abort", resolve));

test("a deadline comes although garbage was collected meanwhile", async () => {
  const aborted = abortOf(deadlineAfter(20, new AbortController().signal).signal);
  await new Promise(setImmediate);
  collectGarbage();
  await aborted;
});

test("a deadline comes early with the outer signal, and not at all once it is cleared", async () => {
  const outer = new AbortController();
  const late = deadlineAfter(3_600_000, outer.signal);
  const cleared = deadlineAfter(1, new AbortController().signal);
  cleared.clear();
  await abortOf(deadlineAfter(2, new AbortController().signal).signal);
  outer.abort();
  expect([late.signal.aborted, cleared.signal.aborted]).toEqual([true, false]);
  late.clear();
});
