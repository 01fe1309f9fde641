// The portal's words for the steps of a `why`: every kind that the API can answer has a sentence.

import { CALL_STEPS, MESSAGE_STEPS } from "@tandem/sdk";
import { describe, expect, test } from "vitest";
import { callStepWords, messageStepWords, partsOf } from "../../portal/src/components/step-words.ts";

const isOwn = (step: string) => step !== "webhook";
/** Neither JSON nor a value that is no text. */
const RAW = /[{}]|\[object|undefined|null|NaN/;

const DETAILS = [
  {},
  null,
  { attempts: [{ url: "https://shop.example/hook" }], reason: { nested: true }, to: ["+13035550101"], leg: "First" },
];

describe.each([
  ["a message", MESSAGE_STEPS, messageStepWords],
  ["a call", CALL_STEPS, callStepWords],
] as const)("the steps of %s", (_, kinds, wordsOf) => {
  test.each(kinds.filter(isOwn))("%s has words, whatever its details", (step) => {
    for (const details of DETAILS) {
      const { title, code = "", detail = "" } = wordsOf(step, details);
      expect(title).toMatch(/^[A-Z]/);
      expect(`${title} ${code} ${detail}`).not.toMatch(RAW);
      expect(detail).not.toMatch(/server is newer/);
    }
  });

  test("of a newer server are shown by their name", () => {
    expect(wordsOf("teleported", {})).toMatchObject({ title: "teleported" });
    expect(wordsOf("constructor", {})).toMatchObject({ title: "constructor" });
  });
});

test("says who hung up, and what a carrier answered", () => {
  expect(callStepWords("ended", { endReason: "Completed", endedBy: "Second" })).toMatchObject({
    title: "Ended: Completed",
    detail: "The second party hung up.",
  });
  expect(messageStepWords("submit", { link: "carrier-1", kind: "rejected", status: 88 })).toMatchObject({
    title: "Try by carrier-1",
    code: "88",
    detail: "The carrier refused it.",
  });
});

test("takes the webhook deliveries out of the steps", () => {
  const steps = [
    { step: "sent", details: {} },
    { step: "webhook", details: { sid: "WH1" } },
  ];
  expect(partsOf(steps)).toMatchObject({ steps: [{ step: "sent" }], deliveries: [{ sid: "WH1" }] });
});
