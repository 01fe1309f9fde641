import { expect, test } from "vitest";
import { newCall } from "../../../test/fakes/new-call.ts";
import type { Call } from "./call.ts";
import { newRecording } from "./recording.ts";
import { switchRecording } from "./switch-recording.ts";

const RECORDED: Call = newCall({ sid: "CA1", accountSid: "AC1", status: "Answered", recording: newRecording("RE1") });
const PAUSED: Call = { ...RECORDED, recording: { ...newRecording("RE1"), status: "Paused", switches: 1 } };
const ENDED: Call = { ...RECORDED, status: "Completed" };

/** Pauses a call that is `found` at first, then as in `waits`; `isTaken`: its process has taken the pause up. */
async function pause(found: Call | undefined, waits: readonly (Call | undefined)[], isTaken = false) {
  const left = [...waits];
  let withdrawals = 0;
  const answer = await switchRecording(
    {
      calls: {
        find: async () => found,
        askToSwitch: async () => (found?.recording && found.status !== "Completed" ? 1 : undefined),
        withdrawSwitch: async () => {
          withdrawals++;
          return !isTaken;
        },
      },
      untilCall: async () => left.shift(),
    },
    "AC1",
    "CA1",
    "Pause",
  );
  return { answer, withdrawals, waits: waits.length - left.length };
}

test("a pause that is done is answered with the recording, and not withdrawn", async () => {
  const { answer, withdrawals } = await pause(RECORDED, [PAUSED]);
  expect(answer).toEqual({ ok: true, value: PAUSED.recording });
  expect(withdrawals).toBe(0);
});

test("a pause that is not done in time is withdrawn, and who asked is told to ask again", async () => {
  const { answer, waits } = await pause(RECORDED, [RECORDED, PAUSED]);
  expect(answer).toMatchObject({ ok: false, refusal: { code: "call-not-reached", retryAfterSeconds: 5 } });
  expect(waits).toBe(1);
});

test("a pause that was taken up at the last moment is waited for", async () => {
  expect((await pause(RECORDED, [RECORDED, PAUSED], true)).answer).toMatchObject({ ok: true });
  const unconfirmed = {
    ok: false,
    refusal: { code: "call-not-reached", detail: expect.stringContaining("confirmed") },
  };
  expect((await pause(RECORDED, [RECORDED, RECORDED], true)).answer).toMatchObject(unconfirmed);
});

test("a call that ends before it was paused is refused as one that has ended", async () => {
  for (const isTaken of [true, false]) {
    const { answer, withdrawals } = await pause(RECORDED, [ENDED, ENDED], isTaken);
    expect(answer).toMatchObject({ ok: false, refusal: { code: "conflict", detail: "The call has ended." } });
    expect(withdrawals).toBe(1);
  }
});

test.each([
  ["there is no such call", undefined, "not-found"],
  ["the call is not recorded", { ...RECORDED, recording: null }, "conflict"],
  ["the call has ended", ENDED, "conflict"],
])("where %s nothing is waited for", async (_why, found, code) => {
  const { answer, waits } = await pause(found, []);
  expect(answer).toMatchObject({ ok: false, refusal: { code } });
  expect(waits).toBe(0);
});

test("a call that was deleted meanwhile is there no more", async () => {
  expect((await pause(RECORDED, [undefined])).answer).toMatchObject({ ok: false, refusal: { code: "not-found" } });
});
