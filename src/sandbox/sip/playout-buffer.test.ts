import { expect, test } from "vitest";
import { PlayoutBuffer } from "./playout-buffer.ts";

const packet = (value: number) => new Int16Array(160).fill(value);
const take = (buffer: PlayoutBuffer, times: number) => Array.from({ length: times }, () => buffer.next()?.[0]);

test("it begins with a few packets, and again when it ran empty", () => {
  const buffer = new PlayoutBuffer();
  buffer.push(packet(1));
  buffer.push(packet(2));
  expect(take(buffer, 1)).toEqual([undefined]);
  buffer.push(packet(3));
  expect(take(buffer, 4)).toEqual([1, 2, 3, undefined]);
  buffer.push(packet(4));
  expect(take(buffer, 1)).toEqual([undefined]);
});

test("it drops the oldest rather than grow, and is not late from then on", () => {
  const buffer = new PlayoutBuffer();
  for (let value = 1; value <= 1_000; value++) buffer.push(packet(value));
  const left = take(buffer, 20).filter((value) => value !== undefined);
  expect(left.length).toBeLessThanOrEqual(10);
  expect(left.at(-1)).toBe(1_000);
});
