import { expect, test } from "vitest";
import { TandemError, TandemNetworkError } from "../../../sdk/src/index.ts";
import { afterAnswer, afterFault, batchSize, firstPace, type Pace } from "./pacing.ts";

const RETRIES = 3;
const FIRST_PACE = firstPace(1000);

function denial(headers: Record<string, string>): TandemError {
  return new TandemError(429, new Headers(headers), { code: "rate-limited" });
}

function failed(pace: Pace, error: unknown) {
  return afterFault(pace, error, 0, RETRIES);
}

test("a full batch is asked for as long as nothing speaks against it", () => {
  expect(batchSize(FIRST_PACE, 0)).toBe(1000);
  expect(batchSize(afterAnswer(FIRST_PACE, undefined, 0), 0)).toBe(1000);
});

test("what is left of the window is used, then its end is waited for", () => {
  const some = afterAnswer(FIRST_PACE, { limit: 10_000, remaining: 300, resetSeconds: 7 }, 1000);
  expect(batchSize(some, 1000)).toBe(300);
  const none = afterAnswer(some, { limit: 10_000, remaining: 0, resetSeconds: 7 }, 1000);
  expect(batchSize(none, 7999)).toBe(0);
  expect(none.windowEndMs).toBe(8000);
  expect(batchSize(none, 8000)).toBe(1000);
});

test("a batch is never larger than the whole limit", () => {
  const pace = afterAnswer(FIRST_PACE, { limit: 50, remaining: 50, resetSeconds: 7 }, 0);
  expect(batchSize(pace, 0)).toBe(50);
  expect(batchSize(pace, 7000)).toBe(50);
});

test("a denial is waited out as long as the server says", () => {
  const limits = { "RateLimit-Limit": "50", "RateLimit-Remaining": "20", "RateLimit-Reset": "9" };
  const first = failed(FIRST_PACE, denial({ ...limits, "Retry-After": "4" }));
  expect(first).toMatchObject({ kind: "wait", ms: 4000, why: "limit", pace: { batchMax: 50 } });
  expect(failed(FIRST_PACE, denial(limits))).toMatchObject({ kind: "wait", ms: 9000 });
  expect(failed(FIRST_PACE, denial({}))).toMatchObject({ kind: "wait", ms: 500 });
});

test("an endless pause and endless denials are given up", () => {
  expect(failed(FIRST_PACE, denial({ "Retry-After": "86400" }))).toEqual({ kind: "giveUp" });
  expect(failed({ ...FIRST_PACE, denials: 100 }, denial({ "Retry-After": "1" }))).toEqual({ kind: "giveUp" });
});

test.each([
  ["a broken connection", new TandemNetworkError("unreachable", "gone")],
  ["a late answer", new TandemNetworkError("timeout", "late")],
  ["a failing server", new TandemError(503, new Headers(), undefined)],
  ["a request that is still at work", new TandemError(409, new Headers(), { code: "idempotency-running" })],
])("after %s longer and longer pauses are made, then none", (_, error) => {
  const pauses: number[] = [];
  let pace: Pace = FIRST_PACE;
  for (;;) {
    const reaction = failed(pace, error);
    if (reaction.kind === "giveUp") break;
    pauses.push(reaction.ms);
    pace = reaction.pace;
  }
  expect(pauses).toEqual([500, 1000, 2000]);
  expect(afterAnswer(pace, undefined, 0).failures).toBe(0);
});

test("a server that asks for a pause after a fault gets it", () => {
  const error = new TandemError(503, new Headers({ "Retry-After": "20" }), undefined);
  expect(failed(FIRST_PACE, error)).toMatchObject({ kind: "wait", ms: 20_000, why: "fault" });
});

test.each([
  ["wrong credentials", new TandemError(401, new Headers(), undefined)],
  ["a conflict", new TandemError(409, new Headers(), { code: "conflict" })],
  ["a refused request", new TandemError(400, new Headers(), undefined)],
  ["the caller's own will", new TandemNetworkError("aborted", "given up")],
  ["a fault of ours", new Error("bug")],
])("after %s nothing is tried again", (_, error) => {
  expect(failed(FIRST_PACE, error)).toEqual({ kind: "giveUp" });
});
