// The live line of a tab whose server is away when it begins.

import { TandemError, TandemNetworkError } from "@tandem/sdk";
import { expect, test } from "vitest";
import { keepTrying } from "../../portal/src/api/keep-trying.ts";

const away = new TandemNetworkError("unreachable", "There is nobody.");
const answer = (status: number, code?: string, headers = new Headers()) => new TandemError(status, headers, { code });

/** Fails with each of these; undefined: it opens, and is lost. Then it is ended, or stays refused. */
async function pausesOf(faults: readonly (Error | undefined)[]) {
  const ending = new AbortController();
  const pauses: number[] = [];
  const shown: unknown[] = [];
  const left = [...faults];
  const trying = keepTrying({
    signal: ending.signal,
    connect: async (opened) => {
      if (left.length === 0) return ending.abort();
      const fault = left.shift();
      if (!fault) opened();
      throw fault ?? away;
    },
    failed: (error) => shown.push(error),
    pause: async (ms) => void pauses.push(ms),
  });
  const refusal = await trying.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { pauses, shown, refusal, left: left.length };
}

test("a server that is away is tried again, with growing pauses", async () => {
  const faults = [away, answer(502), answer(503), answer(500), ...Array.from({ length: 8 }, () => away)];
  const { pauses, shown, refusal } = await pausesOf(faults);
  expect(refusal).toBeUndefined();
  expect(shown).toEqual(faults);
  pauses.forEach((ms, at) => {
    const longest = Math.min(10_000, 250 * 2 ** at);
    expect(ms).toBeGreaterThanOrEqual(longest / 2);
    expect(ms).toBeLessThanOrEqual(longest);
  });
});

test("after a connection that opened, pauses begin small again", async () => {
  const { pauses } = await pausesOf([...Array.from({ length: 8 }, () => away), undefined]);
  expect(pauses.at(-2)).toBeGreaterThanOrEqual(5_000);
  expect(pauses.at(-1)).toBeLessThanOrEqual(250);
});

test("a pause that the server asks for is made, up to a minute", async () => {
  const asked = (seconds: number) => answer(503, undefined, new Headers({ "Retry-After": String(seconds) }));
  expect((await pausesOf([asked(7), asked(3600)])).pauses).toEqual([7_000, 60_000]);
});

test("too many streams, and answers that are not the server's, are tried again", async () => {
  const { shown } = await pausesOf([answer(409), answer(429), new TandemNetworkError("garbled", "<h1>"), answer(404)]);
  expect(shown).toHaveLength(4);
});

test.each([answer(401), answer(403), answer(409, "other-account")])("a refusal ends it: %s", async (refused) => {
  const { shown, refusal, left } = await pausesOf([away, refused, away]);
  expect({ shown, refusal, left }).toEqual({ shown: [away], refusal: refused, left: 1 });
});
