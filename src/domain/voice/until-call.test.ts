import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import type { Call } from "./call.ts";
import { untilCall } from "./until-call.ts";

/** Finds these calls one after the other, then the last one again and again. */
function storeOf(...found: readonly (Call | undefined)[]) {
  const asked: string[] = [];
  return {
    asked,
    find: async (accountSid: string, sid: string) => {
      asked.push(`${accountSid} ${sid}`);
      return found[Math.min(asked.length, found.length) - 1];
    },
  };
}

const call = (status: Call["status"]) => ({ status }) as Call;
const isOver = ({ status }: Call) => status === "Completed";

async function waited(calls: ReturnType<typeof storeOf>, ms: number) {
  const clock = new VirtualClock();
  let call: Call | undefined | "waiting" = "waiting";
  const done = untilCall({ calls, clock }, "AC1", "CA1", isOver).then((found) => {
    call = found;
  });
  await clock.advance(ms);
  return { done, clock, call: () => call };
}

test("the call is returned as soon as it is as wanted", async () => {
  const calls = storeOf(call("Ringing"), call("Completed"));
  const { done, call: found } = await waited(calls, 25);
  await done;
  expect(found()).toEqual({ status: "Completed" });
  expect(calls.asked).toEqual(["AC1 CA1", "AC1 CA1"]);
});

test("a call that is gone is not waited for", async () => {
  const { done, call: found } = await waited(storeOf(undefined), 0);
  await done;
  expect(found()).toBeUndefined();
});

test("after five seconds the call is returned as it is", async () => {
  const { done, clock, call: found } = await waited(storeOf(call("Ringing")), 4_900);
  expect(found()).toBe("waiting");
  await clock.advance(200);
  await done;
  expect(found()).toEqual({ status: "Ringing" });
});
