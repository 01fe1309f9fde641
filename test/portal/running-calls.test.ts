// How many calls Home says are running.

import type { Call, CallStatus } from "@tandem/sdk";
import { expect, test } from "vitest";
import { homeCalls } from "../../portal/src/screens/home/running-calls.ts";

const PAGE = 50;
const call = (number: number, status: CallStatus) => ({ sid: `CA${String(number).padStart(4, "0")}`, status }) as Call;
const sids = (calls: readonly Call[]) => calls.map(({ sid }) => sid);

/** `moved`: listed under a second status, too. */
function sourceOf(calls: readonly Call[], moved: readonly Call[] = []) {
  const asked: CallStatus[] = [];
  const items = calls.toReversed().slice(0, PAGE);
  return {
    asked,
    newest: async () => ({ items, ...(calls.length > PAGE && { searchId: "more" }) }),
    async *withStatus(status: CallStatus) {
      asked.push(status);
      yield* [...calls, ...moved].filter((each) => each.status === status);
    },
  };
}

test("calls that are older than a page of newer ones are counted", async () => {
  const ended = Array.from({ length: 2 * PAGE }, (_, at) => call(10 + at, "Completed"));
  const source = sourceOf([call(1, "Answered"), call(2, "Ringing"), ...ended, call(999, "Started")]);
  const { running, newest } = await homeCalls(source);
  expect(sids(running)).toEqual(["CA0999", "CA0002", "CA0001"]);
  expect(newest).toHaveLength(PAGE);
});

test("one that moves on while they are read is counted once", async () => {
  const ended = Array.from({ length: PAGE }, (_, at) => call(10 + at, "Completed"));
  const { running } = await homeCalls(sourceOf([call(1, "Ringing"), ...ended], [call(1, "Answered")]));
  expect(sids(running)).toEqual(["CA0001"]);
});

test("where all calls are on a page, nothing more is asked for", async () => {
  const source = sourceOf([call(1, "Answered"), call(2, "Completed"), call(3, "Started")]);
  expect(sids((await homeCalls(source)).running)).toEqual(["CA0003", "CA0001"]);
  expect(source.asked).toEqual([]);
});
