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

async function hungUp(...seen: readonly (Call | undefined)[]) {
  const left = [...seen];
  const asked: string[] = [];
  const answer = await hangUpParty(
    {
      calls: { findByParty: async () => left.shift(), askToHangUpParty: async (sid) => void asked.push(sid) },
      until: async (look) => look(),
    },
    "AC1",
    "LGparty",
  );
  return { answer, asked };
}

test("a party that is hung up is answered with its call", async () => {
  const over = withParty("Completed");
  expect(await hungUp(withParty("Ringing"), over)).toEqual({ answer: { ok: true, value: over }, asked: ["LGparty"] });
});

test("a party that is gone already is not asked for", async () => {
  const over = withParty("Completed");
  expect(await hungUp(over)).toEqual({ answer: { ok: true, value: over }, asked: [] });
});

test("a party that is not hung up in time is to be asked for again", async () => {
  const { answer } = await hungUp(withParty("Ringing"), withParty("Ringing"));
  expect(answer).toMatchObject({ refusal: { code: "call-not-reached", retryAfterSeconds: 5 } });
});

test.each([[[undefined]], [[withParty("Ringing"), undefined]]])(
  "a party that there is not is not found",
  async (seen) => {
    expect((await hungUp(...seen)).answer).toMatchObject({ refusal: { code: "not-found" } });
  },
);
