import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Deadlines } from "./deadlines.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const deadlines = new Deadlines();
  const ended: string[] = [];
  const add = (name: string, ms: number) => {
    const expiring = { expire: (afterMs: number) => ended.push(`${name} after ${afterMs}`) };
    deadlines.add(expiring, ms);
    return () => deadlines.remove(expiring, ms);
  };
  return { deadlines, ended, add };
}

test("each ends at its own time, the shorter before the longer, whenever it was added", () => {
  const { ended, add } = setUp();
  add("long", 100);
  vi.advanceTimersByTime(50);
  add("short", 20);
  add("late", 100);
  vi.advanceTimersByTime(19);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(2);
  expect(ended).toEqual(["short after 20"]);
  vi.advanceTimersByTime(30);
  expect(ended).toEqual(["short after 20", "long after 100"]);
  vi.advanceTimersByTime(51);
  expect(ended).toEqual(["short after 20", "long after 100", "late after 100"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("what was taken out does not end, and what comes after it does", () => {
  const { ended, add } = setUp();
  const remove = add("first", 100);
  vi.advanceTimersByTime(10);
  add("second", 100);
  remove();
  vi.advanceTimersByTime(95);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(10);
  expect(ended).toEqual(["second after 100"]);
});

test("a thousand of them take one timer, and a close takes it back", () => {
  const { deadlines, ended, add } = setUp();
  for (let at = 0; at < 1_000; at++) add(`${at}`, 100 + (at % 3));
  expect(vi.getTimerCount()).toBe(1);
  deadlines.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(ended).toEqual([]);
});
