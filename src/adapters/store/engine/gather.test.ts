import { afterEach, expect, test, vi } from "vitest";
import { Unavailable } from "../../../base/unavailable.ts";
import { gather } from "./gather.ts";

test("questions asked while a statement runs travel together in the next one, in order", async () => {
  const batches: number[][] = [];
  let release: () => void = () => undefined;
  const gathered = gather<number, string>(async (questions) => {
    batches.push([...questions]);
    if (batches.length === 1) {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    }
    return questions.map(String);
  }, 3);
  const first = gathered.ask(1);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const rest = [2, 3, 4, 5].map((question) => gathered.ask(question));
  release();
  expect(await Promise.all([first, ...rest])).toEqual(["1", "2", "3", "4", "5"]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

afterEach(() => {
  vi.useRealTimers();
});

test("with a pace, questions that follow a statement soon wait for the next one, and a late one does not", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  const batches: number[][] = [];
  const gathered = gather<number, number>(
    async (questions) => {
      batches.push([...questions]);
      return questions;
    },
    500,
    10,
  );
  expect(await gathered.ask(1)).toBe(1);
  const soon = [2, 3].map((question) => gathered.ask(question));
  await new Promise(setImmediate);
  soon.push(gathered.ask(4));
  await new Promise(setImmediate);
  expect(batches).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(10);
  expect(await Promise.all(soon)).toEqual([2, 3, 4]);
  await vi.advanceTimersByTimeAsync(10);
  expect(await gathered.ask(5)).toBe(5);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test("a failed statement fails those it held and nobody after them", async () => {
  let calls = 0;
  const gathered = gather<number, number>(async (questions) => {
    if (++calls === 1) throw new Error("gone");
    return questions;
  });
  await expect(gathered.ask(1)).rejects.toThrow("gone");
  expect(await gathered.ask(2)).toBe(2);
});

test("one that cannot be answered fails alone, and a database out of reach is not asked again for each", async () => {
  const batches: number[][] = [];
  const gathered = gather<number, number>(async (questions) => {
    batches.push([...questions]);
    if (questions.includes(2)) throw new Error("not this one");
    if (questions.includes(5)) throw new Unavailable("gone");
    return questions;
  });
  const fates = await Promise.allSettled([1, 2, 3].map((question) => gathered.ask(question)));
  expect(fates.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  await Promise.allSettled([4, 5].map((question) => gathered.ask(question)));
  expect(batches).toEqual([[1, 2, 3], [1], [2, 3], [2], [3], [4, 5]]);
});

test("one among five hundred that cannot be answered costs the others few statements", async () => {
  let statements = 0;
  const gathered = gather<number, number>(async (questions) => {
    statements += 1;
    if (questions.includes(317)) throw new Error("not this one");
    return questions;
  });
  const questions = Array.from({ length: 500 }, (_, at) => at);
  const fates = await Promise.allSettled(questions.map((question) => gathered.ask(question)));
  expect(questions.filter((at) => fates[at]?.status === "rejected")).toEqual([317]);
  expect(statements).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(500)) + 1);
});
