import { expect, test } from "vitest";
import { newCall } from "../../../test/fakes/new-call.ts";
import type { Call } from "./call.ts";
import { hangUpParty } from "./hang-up-party.ts";

const CALL = newCall({ sid: "CA1", accountSid: "AC1" });
const [FIRST] = CALL.legs;
const withParty = (status: "Ringing" | "Completed"): Call => ({
  ...CALL,
  legs: FIRST ? [FIRST, { ...FIRST, sid: "LGparty", leg: "Second", status }] : [],
});

async function hungUp(seen: readonly (Call | undefined)[], { isTaken = false } = {}) {
  const left = [...seen];
  const done: string[] = [];
  const answer = await hangUpParty(
    {
      calls: {
        findByParty: async () => left.shift(),
        askToHangUpParty: async (sid) => void done.push(`asked ${sid}`),
        async withdrawPartyHangUp(sid) {
          done.push(`withdrawn ${sid}`);
          return !isTaken;
        },
      },
      until: async (look) => look(),
    },
    "AC1",
    "LGparty",
  );
  return { answer, done };
}

const over = withParty("Completed");

test("a party that is hung up is answered with its call", async () => {
  expect(await hungUp([withParty("Ringing"), over])).toEqual({
    answer: { ok: true, value: over },
    done: ["asked LGparty"],
  });
});

test("a party that is gone already is not asked for", async () => {
  expect(await hungUp([over])).toEqual({ answer: { ok: true, value: over }, done: [] });
});

test("a party that is not hung up in time is to be asked for again, and is not hung up later", async () => {
  const { answer, done } = await hungUp([withParty("Ringing"), withParty("Ringing")]);
  expect(answer).toMatchObject({ refusal: { code: "call-not-reached", retryAfterSeconds: 5 } });
  expect(answer).toMatchObject({ refusal: { detail: expect.stringContaining("will not be") } });
  expect(done).toEqual(["asked LGparty", "withdrawn LGparty"]);
});

test("a request that is taken up at the last moment is waited for", async () => {
  const ringing = withParty("Ringing");
  expect((await hungUp([ringing, ringing, over], { isTaken: true })).answer).toEqual({ ok: true, value: over });
  const { answer } = await hungUp([ringing, ringing, ringing], { isTaken: true });
  expect(answer).toMatchObject({ refusal: { detail: expect.stringContaining("begun") } });
});

test.each([[[undefined]], [[withParty("Ringing"), undefined]]])(
  "a party that there is not is not found",
  async (seen) => {
    expect((await hungUp(seen)).answer).toMatchObject({ refusal: { code: "not-found" } });
  },
);
