import { expect, test } from "vitest";
import { newCall } from "../../../test/fakes/new-call.ts";
import type { Call } from "./call.ts";
import { redirectCall } from "./redirect-call.ts";
import type { OrderedProgram } from "./script.ts";

const PROGRAM: OrderedProgram = { script: [], source: { document: { url: "", method: "POST" }, shape: "A" } };
const CALL = newCall({ sid: "CA1", accountSid: "AC1", status: "Answered" });
const TALKING: Call = { ...CALL, legs: CALL.legs.map((leg) => ({ ...leg, answeredOn: new Date(0) })) };
const ENDED: Call = { ...TALKING, status: "Completed" };

/** Redirects a call a third time; `seen`: how many redirections are done, at each look. */
async function redirected(found: Call | undefined, seen: readonly (number | undefined)[], isTaken = false) {
  const left = [...seen];
  let withdrawals = 0;
  const answer = await redirectCall(
    {
      calls: {
        find: async () => found,
        askToRedirect: async (_account, _sid, program) => (program === PROGRAM && found !== ENDED ? 3 : undefined),
        redirectionsOf: async () => left.shift(),
        withdrawRedirection: async (_account, _sid, number) => {
          withdrawals += number === 3 ? 1 : 100;
          return !isTaken;
        },
      },
      until: async (look) => look(),
    },
    "AC1",
    "CA1",
    PROGRAM,
  );
  return { answer, withdrawals, looks: seen.length - left.length };
}

test.each([3, 4])("a redirection that is done is answered with the call, and not withdrawn (%i done)", async (done) => {
  expect(await redirected(TALKING, [done])).toEqual({ answer: { ok: true, value: TALKING }, withdrawals: 0, looks: 1 });
});

test("a redirection that is not done in time is withdrawn, and who asked is told to ask again", async () => {
  const { answer, withdrawals, looks } = await redirected(TALKING, [2, 3]);
  expect(answer).toMatchObject({ refusal: { code: "call-not-reached", retryAfterSeconds: 5 } });
  expect(answer).toMatchObject({ refusal: { detail: expect.stringContaining("It was not done") } });
  expect([withdrawals, looks]).toEqual([1, 1]);
});

test("a redirection that was taken up at the last moment is waited for", async () => {
  expect((await redirected(TALKING, [2, 3], true)).answer).toMatchObject({ ok: true });
  expect((await redirected(TALKING, [2, 2], true)).answer).toMatchObject({
    refusal: { code: "call-not-reached", detail: expect.stringContaining("not confirmed") },
  });
});

test.each([
  ["has ended", ENDED, [], "The call has ended."],
  ["ends meanwhile", TALKING, [undefined], "The call has ended."],
  ["ends after it was taken up", TALKING, [2, undefined], "The call has ended."],
  ["is not answered", CALL, [], "Its first party has not answered yet."],
] as const)("a call that %s is not redirected", async (_why, call, seen, detail) => {
  const { answer, withdrawals } = await redirected(call, seen, true);
  expect(answer).toMatchObject({ ok: false, refusal: { code: "call-not-in-progress", detail } });
  expect(withdrawals).toBe(seen.length > 1 ? 1 : 0);
});

test("a call that there is not is not found", async () => {
  expect((await redirected(undefined, [])).answer).toMatchObject({ refusal: { code: "not-found" } });
});
