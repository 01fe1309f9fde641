import { expect, test } from "vitest";
import { type CarrierReceipt, verdictOf } from "./receipt.ts";

const failureOf = (state: CarrierReceipt["state"], errorCode: string | null) => {
  const verdict = verdictOf({ state, errorCode });
  return verdict.kind === "failed" ? verdict.failure.code : verdict.kind;
};

test("a message that is under way or delivered has not failed, whatever code comes along", () => {
  expect(failureOf("enroute", "027")).toBe("underWay");
  expect(failureOf("delivered", "000")).toBe("delivered");
});

test.each([
  ["failed", null, 3004],
  ["failed", "000", 3004],
  ["failed", "032", 3004],
  ["failed", "027", 1003],
  ["failed", "27", 1003],
  ["failed", "0027", 1003],
  ["failed", "011", 1004],
  ["failed", "770", 1004],
  ["failed", "650", 3002],
  ["expired", "000", 1003],
  ["rejected", null, 3002],
  ["rejected", "000", 3002],
  ["rejected", "0", 3002],
  ["rejected", "070", 3002],
  ["rejected", "070A", 3003],
  ["rejected", "123", 3003],
  // An MMS centre sends a word.
  ["rejected", "Rejected", 3003],
  ["failed", "Unreachable", 1003],
  ["failed", "Unrecognised", 3004],
  ["unknown", null, 2147483647],
] as const)("a carrier that says %s with the code %s means %i", (state, errorCode, code) => {
  expect(failureOf(state, errorCode)).toBe(code);
});

test("the reason names the carrier's own code", () => {
  expect(verdictOf({ state: "failed", errorCode: "032" })).toMatchObject({ reason: expect.stringContaining("032") });
});
