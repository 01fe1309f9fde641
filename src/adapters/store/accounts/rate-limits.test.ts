import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../../test/fakes/virtual-clock.ts";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import { Database } from "../engine/database.ts";
import { RateCounters, sweepRateWindows } from "./rate-limits.ts";

const TEN_SECONDS = { requests: 10, windowSeconds: 10 };
/** The middle of a window of ten seconds, of a minute and of a day. */
const NOON = Date.UTC(2026, 0, 1, 12, 0, 35);

let url: string;
const databases: Database[] = [];

beforeAll(async () => {
  url = await newDatabase();
  for (let process = 0; process < 2; process++) databases.push(new Database(connectionTo(url), silent));
});

afterAll(async () => {
  for (const database of databases) await database.close();
  await dropDatabase(url);
});

let subjects = 0;
const newSubject = () => `subject ${++subjects}`;
const one = () => databases[0] as Database;
const two = () => databases[1] as Database;
const at = (ms: number) => new VirtualClock(ms);

test("each taking is told what it left, and what does not fit is refused and takes nothing", async () => {
  const counters = new RateCounters(one(), at(NOON));
  const subject = newSubject();
  const take = async (cost: number) => {
    const { admitted, remaining } = await counters.take(subject, "lookup", TEN_SECONDS, cost);
    return [admitted, remaining];
  };
  expect(await take(0)).toStrictEqual([true, 10]);
  expect(await take(6)).toStrictEqual([true, 4]);
  expect(await take(5)).toStrictEqual([false, 4]);
  expect(await take(1000)).toStrictEqual([false, 4]);
  expect(await take(4)).toStrictEqual([true, 0]);
  expect(await take(1)).toStrictEqual([false, 0]);
  expect(await take(0)).toStrictEqual([true, 0]);
});

test("takings that travel together are admitted in order, and a large one does not stand in the way of a small one", async () => {
  const counters = new RateCounters(one(), at(NOON));
  const subject = newSubject();
  const taken = await Promise.all(
    [4, 7, 5, 0, 2, 1].map((cost) => counters.take(subject, "lookup", TEN_SECONDS, cost)),
  );
  expect(taken.map(({ admitted, remaining }) => [admitted, remaining])).toStrictEqual([
    [true, 6],
    [false, 6],
    [true, 1],
    [true, 1],
    [false, 1],
    [true, 0],
  ]);
});

test("subjects and classes are counted apart", async () => {
  const counters = new RateCounters(one(), at(NOON));
  const [first, second] = [newSubject(), newSubject()];
  await counters.take(first, "lookup", TEN_SECONDS, 10);
  const others = await Promise.all([
    counters.take(first, "read", TEN_SECONDS, 1),
    counters.take(second, "lookup", TEN_SECONDS, 1),
  ]);
  expect(others.map(({ remaining }) => remaining)).toStrictEqual([9, 9]);
});

test("two processes admit as much as the limit allows, never more, and nothing less fits any more", async () => {
  const both = [new RateCounters(one(), at(NOON)), new RateCounters(two(), at(NOON))];
  const cost = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 1 }));
  await fc.assert(
    fc.asyncProperty(fc.array(cost, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }), async (takings, requests) => {
      const subject = newSubject();
      const limit = { requests, windowSeconds: 10 };
      const taken = await Promise.all(
        takings.map(async ([amount, process]) => {
          const { admitted } = await (both[process] as RateCounters).take(subject, "lookup", limit, amount);
          return { amount, admitted };
        }),
      );
      const used = taken.filter(({ admitted }) => admitted).reduce((sum, { amount }) => sum + amount, 0);
      expect(used).toBeLessThanOrEqual(requests);
      const { remaining } = await (both[0] as RateCounters).take(subject, "lookup", limit, 0);
      expect(remaining).toBe(requests - used);
      for (const { amount, admitted } of taken) if (!admitted) expect(amount).toBeGreaterThan(remaining);
    }),
    { numRuns: 60 },
  );
});

describe("windows", () => {
  test("the next one begins with nothing used, and the answer says when", async () => {
    const subject = newSubject();
    const before = await new RateCounters(one(), at(NOON)).take(subject, "lookup", TEN_SECONDS, 10);
    expect(before).toStrictEqual({ admitted: true, remaining: 0, resetSeconds: 5 });
    const last = await new RateCounters(one(), at(NOON + 4_999)).take(subject, "lookup", TEN_SECONDS, 1);
    expect(last).toStrictEqual({ admitted: false, remaining: 0, resetSeconds: 1 });
    const next = await new RateCounters(one(), at(NOON + 5_000)).take(subject, "lookup", TEN_SECONDS, 1);
    expect(next).toStrictEqual({ admitted: true, remaining: 9, resetSeconds: 10 });
  });

  test("clocks that differ do not give the limit twice", async () => {
    const subject = newSubject();
    const behind = new RateCounters(one(), at(NOON + 4_900));
    const ahead = new RateCounters(two(), at(NOON + 5_100));
    expect((await ahead.take(subject, "lookup", TEN_SECONDS, 6)).remaining).toBe(4);
    expect((await behind.take(subject, "lookup", TEN_SECONDS, 3)).remaining).toBe(1);
    expect((await ahead.take(subject, "lookup", TEN_SECONDS, 2)).admitted).toBe(false);
    expect((await behind.take(subject, "lookup", TEN_SECONDS, 0)).remaining).toBe(1);
  });

  test("a clock that was a day ahead for a moment locks nobody out", async () => {
    const subject = newSubject();
    await new RateCounters(two(), at(NOON + 86_400_000)).take(subject, "lookup", TEN_SECONDS, 10);
    expect((await new RateCounters(one(), at(NOON)).take(subject, "lookup", TEN_SECONDS, 1)).admitted).toBe(true);
  });

  test("a limit with a longer window keeps what was used, a lower one leaves nothing", async () => {
    const subject = newSubject();
    const counters = new RateCounters(one(), at(NOON));
    await counters.take(subject, "lookup", TEN_SECONDS, 4);
    const longer = { requests: 10, windowSeconds: 60 };
    expect((await counters.take(subject, "lookup", longer, 1)).remaining).toBe(5);
    const lower = { requests: 3, windowSeconds: 60 };
    expect(await counters.take(subject, "lookup", lower, 1)).toMatchObject({ admitted: false, remaining: 0 });
  });

  test("those long over are swept, those of the longest limit are not", async () => {
    const [old, young] = [newSubject(), newSubject()];
    const day = { requests: 10, windowSeconds: 86_400 };
    await new RateCounters(one(), at(NOON - 3 * 86_400_000)).take(old, "lookup", TEN_SECONDS, 1);
    await new RateCounters(one(), at(NOON)).take(young, "lookup", day, 1);
    expect(await sweepRateWindows(one(), new Date(NOON))).toBe(1);
    const rows = await one().query("select subject from rate_windows where subject = any($1)", [[old, young]]);
    expect(rows).toStrictEqual([{ subject: young }]);
  });
});

test("a statement that fails refuses those who asked with it and nobody after them", async () => {
  const counters = new RateCounters(one(), at(NOON));
  await expect(counters.take("NUL \u0000", "lookup", TEN_SECONDS, 1)).rejects.toThrow();
  expect((await counters.take(newSubject(), "lookup", TEN_SECONDS, 1)).admitted).toBe(true);
});
