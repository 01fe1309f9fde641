import { expect, test } from "vitest";
import { type Answer, TandemError, TandemNetworkError } from "../../../sdk/src/index.ts";
import { RetryingCaller } from "./retrying-caller.ts";

const answerOf = (data: string, remaining = 50): Answer<string> => ({
  data,
  status: 200,
  requestId: undefined,
  rateLimit: { limit: 50, remaining, resetSeconds: 0 },
});

function patient(retriesMax = 1, signal = new AbortController().signal) {
  const waits: string[] = [];
  const onWait = (ms: number, why: string) => waits.push(`${Math.round(ms)} ms ${why}`);
  return { caller: new RetryingCaller({ sizeMax: 100, retriesMax, signal, onWait }), waits };
}

/** Fails this many times, then answers. */
function failing(times: number, error: Error, data: string) {
  let left = times;
  return async () => {
    if (left-- > 0) throw error;
    return answerOf(data);
  };
}

test("calls that fail together make one pause, which counts once", async () => {
  const { caller, waits } = patient(1);
  const gone = new TandemNetworkError("unreachable", "gone");
  const answers = await Promise.all(["a", "b", "c"].map((data) => caller.call(failing(1, gone, data))));
  expect(answers.map(({ data }) => data)).toEqual(["a", "b", "c"]);
  expect(waits).toEqual(["500 ms to try again: gone"]);
});

test("a denial is waited out, and a batch that is too large is reported", async () => {
  const { caller, waits } = patient();
  const limits = { "RateLimit-Limit": "50", "RateLimit-Remaining": "0", "RateLimit-Reset": "0", "Retry-After": "0" };
  const denied = new TandemError(429, new Headers(limits), undefined);
  expect(await caller.callFor(100, failing(1, denied, "a"))).toBe("askLess");
  expect(await caller.allowance()).toBe(50);
  expect(await caller.callFor(50, failing(1, denied, "b"))).toMatchObject({ data: "b" });
  expect(waits).toEqual(["0 ms for the rate limit", "0 ms for the rate limit"]);
});

test("what trying again does not mend is thrown at once", async () => {
  const { caller, waits } = patient();
  const refused = new TandemError(400, new Headers(), { code: "validation" });
  await expect(caller.call(failing(1, refused, "a"))).rejects.toBe(refused);
  expect(waits).toEqual([]);
});

test("whoever stops it does not have to wait for a pause", async () => {
  const stop = new AbortController();
  const { caller } = patient(5, stop.signal);
  const slow = new TandemError(503, new Headers({ "Retry-After": "600" }), undefined);
  const calling = caller.call(failing(1, slow, "a"));
  stop.abort();
  await expect(calling).rejects.toMatchObject({ name: "AbortError" });
});
