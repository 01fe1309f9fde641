import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DelayQueue } from "./delay-queue.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("each comes after the delay, in order, together with those due by then", () => {
  const due: (readonly string[])[] = [];
  const line = new DelayQueue<string>(100, (items) => due.push(items));
  line.push("a");
  line.push("b");
  vi.advanceTimersByTime(60);
  line.push("c");
  expect(line.length).toBe(3);
  vi.advanceTimersByTime(40);
  expect(due).toEqual([["a", "b"]]);
  vi.advanceTimersByTime(59);
  expect(due.length).toBe(1);
  vi.advanceTimersByTime(1);
  expect(due).toEqual([["a", "b"], ["c"]]);
  line.push("d");
  vi.advanceTimersByTime(100);
  expect(due.at(-1)).toEqual(["d"]);
});

test("closed, it brings nothing more", () => {
  const due: unknown[] = [];
  const line = new DelayQueue<string>(100, (items) => due.push(items));
  line.push("a");
  line.close();
  vi.advanceTimersByTime(1000);
  expect(due).toEqual([]);
});
