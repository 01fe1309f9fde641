import { expect, test } from "vitest";
import { showProgress } from "./progress.ts";

function watch(isTerminal: boolean, done = 0, columns = 100) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const progress = showProgress({
    write: (text) => written.push(text),
    isTerminal,
    columns: () => columns,
    total: 50_000,
    done,
    unit: "rows",
    nowMs: () => clock.ms,
  });
  return { written, clock, progress };
}

test("a terminal sees a bar with speed and time left", () => {
  const { clock, progress, written } = watch(true);
  clock.ms = 10_000;
  progress.advance(12_500);
  progress.advance(12_600);
  expect(written).toEqual([
    "\r\u001b[K[######------------------]  25 % 12,500 of 50,000 rows, 1,250 rows/s, 30 s left",
  ]);
  progress.end();
  expect(written.at(-1)).toBe("\n");
});

test("a narrow terminal sees as much as fits in its line", () => {
  const { progress, written } = watch(true, 0, 20);
  progress.advance(0);
  expect(written).toEqual(["\r\u001b[K[------------------"]);
});

test("a log gets a line every few seconds", () => {
  const { clock, progress, written } = watch(false);
  for (clock.ms = 1000; clock.ms <= 10_000; clock.ms += 1000) progress.advance(clock.ms);
  progress.end();
  expect(written).toEqual([
    "5,000 of 50,000 rows, 1,000 rows/s, 45 s left\n",
    "10,000 of 50,000 rows, 1,000 rows/s, 40 s left\n",
  ]);
});

test("what an earlier run did is not taken for speed", () => {
  const { clock, progress, written } = watch(false, 40_000);
  clock.ms = 5_000;
  progress.advance(45_000);
  expect(written).toEqual(["45,000 of 50,000 rows, 1,000 rows/s, 5 s left\n"]);
});

test("a pause is reported with its reason", () => {
  const { progress, written } = watch(false);
  progress.wait(200, "for the rate limit");
  progress.wait(7000, "for the rate limit");
  expect(written).toEqual(["0 of 50,000 rows; waiting 7.0 s for the rate limit\n"]);
});

test("where the total is unknown, what is done is counted", () => {
  const written: string[] = [];
  const clock = { ms: 0 };
  const progress = showProgress({
    write: (text) => written.push(text),
    isTerminal: true,
    columns: () => 100,
    total: undefined,
    done: 0,
    unit: "messages",
    nowMs: () => clock.ms,
  });
  clock.ms = 2000;
  progress.advance(3000);
  expect(written).toEqual(["\r\u001b[K3,000 messages, 1,500 messages/s"]);
});
