import { expect, test } from "vitest";
import { reasonPhrase, writeResponse } from "./write.ts";

test.each([
  [180, "Ringing"],
  [199, "Progress"],
  [299, "OK"],
  [202, "OK"],
  [300, "Failure"],
])("the phrase of %i is %s", (status, phrase) => {
  expect(reasonPhrase(status)).toBe(phrase);
});

const textOf = (status: number, headers: readonly string[]) =>
  writeResponse({ headers }, { address: "192.0.2.1", port: 5060 }, { status, toTag: "us" });

test.each([
  [100, false],
  [101, true],
  [299, true],
  [300, false],
])("a %i repeats Record-Route: %s", (status, isRepeated) => {
  expect(textOf(status, ["record-route", "<sip:p;lr>"]).includes("Record-Route: <sip:p;lr>\r\n")).toBe(isRepeated);
});

test("a 100 repeats Timestamp, and no other response does", () => {
  expect(textOf(100, ["timestamp", "54"])).toContain("Timestamp: 54\r\n");
  expect(textOf(180, ["timestamp", "54"])).not.toContain("Timestamp");
});

test("our tag is added to a To that has none", () => {
  expect(textOf(180, ["to", "<sip:a@b>"])).toContain("To: <sip:a@b>;tag=us\r\n");
  expect(textOf(180, ["to", "<sip:a@b>;tag=x"])).toContain("To: <sip:a@b>;tag=x\r\n");
});
