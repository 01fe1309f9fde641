import { expect, test } from "vitest";
import { grown, isHeld, type Minute } from "./verdicts.ts";

const HELD = { lossPercent: 0, delayMs: { p50: 70, p99: 90 }, answered: 0.999 };
const MINUTE: Minute = {
  sent: 300_000,
  received: 300_000,
  toProgramMs: { p50: 55, p99: 66 },
  fromProgramMs: { p50: 12, p99: 25 },
  waitingMs: { mean: 20, most: 40 },
  rssMb: { server: 150, media: 90 },
};

const minutes = (count: number, of: (minute: number) => Partial<Minute>): Minute[] =>
  Array.from({ length: count }, (_, minute) => ({ ...MINUTE, ...of(minute) }));

test("streams are held when no sound is lost, none is late and none is owed", () => {
  expect(isHeld(HELD)).toBe(true);
  expect(isHeld({ ...HELD, lossPercent: 0.001 })).toBe(false);
  expect(isHeld({ ...HELD, delayMs: { p50: 70, p99: 251 } })).toBe(false);
  expect(isHeld({ ...HELD, answered: 0.98 })).toBe(false);
});

test("what is the same in all minutes has not grown", () => {
  expect(grown(minutes(10, () => ({})))).toEqual([]);
});

test("a delay that grows by more than a frame is named, by its median or by its tail", () => {
  const later = minutes(10, (minute) => ({ fromProgramMs: { p50: 12 + minute * 5, p99: 80 } }));
  expect(grown(later)).toEqual(["fromProgramMs"]);
  const tail = minutes(10, (minute) => ({ toProgramMs: { p50: 55, p99: 66 + minute * 5 } }));
  expect(grown(tail)).toEqual(["toProgramMs"]);
});

test("sound that waits and memory that grows are named", () => {
  const waits = minutes(10, (minute) => ({ waitingMs: { mean: 20 + minute * 10, most: 900 } }));
  expect(grown(waits)).toEqual(["waitingMs"]);
  const leaks = minutes(10, (minute) => ({ rssMb: { server: 150 + minute * 6, media: 90 + minute * 4 } }));
  expect(grown(leaks)).toEqual(["serverMemory", "mediaMemory"]);
});

test("one bad minute, and what the first needs to begin, is no growth", () => {
  const stall = minutes(10, (minute) => (minute === 8 ? { toProgramMs: { p50: 300, p99: 500 } } : {}));
  expect(grown(stall)).toEqual([]);
  expect(grown(minutes(10, (minute) => (minute === 0 ? { rssMb: { server: 40, media: 40 } } : {})))).toEqual([]);
});
