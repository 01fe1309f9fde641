import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { gatherSends } from "./gathered-sends.ts";

test("what is sent in one iteration travels together, and so does what follows within a few milliseconds", async () => {
  const clock = new VirtualClock(0);
  const sent: (readonly number[])[] = [];
  const send = gatherSends<number>(clock, (items) => sent.push(items));
  send(1);
  send(2);
  expect(sent).toEqual([]);
  await clock.advance(0);
  expect(sent).toEqual([[1, 2]]);
  send(3);
  await clock.advance(4);
  send(4);
  expect(sent).toHaveLength(1);
  await clock.advance(1);
  expect(sent).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await clock.advance(5);
  send(5);
  await clock.advance(0);
  expect(sent.at(-1)).toEqual([5]);
});

test("an urgent one takes along those that wait", async () => {
  const clock = new VirtualClock(0);
  const sent: (readonly number[])[] = [];
  const send = gatherSends<number>(clock, (items) => sent.push(items));
  send(1);
  await clock.advance(0);
  send(2);
  send(3, true);
  await clock.advance(0);
  expect(sent).toEqual([[1], [2, 3]]);
  await clock.advance(10);
  expect(sent).toHaveLength(2);
});
