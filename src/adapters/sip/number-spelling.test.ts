import { expect, test } from "vitest";
import { callerNumberOf, numberOfUri, writeNumber } from "./number-spelling.ts";

const GERMAN = {
  countryCode: "49",
  nationalPrefix: "0",
  internationalPrefix: "00",
  called: "e164",
  caller: "e164",
} as const;
const AMERICAN = { ...GERMAN, countryCode: "1", nationalPrefix: "", internationalPrefix: "011" } as const;
const NONE = { ...GERMAN, countryCode: "", nationalPrefix: "" } as const;

test.each([
  ["sip:+4930123456@x", GERMAN, "+4930123456"],
  ["sip:030123456@x", GERMAN, "+4930123456"],
  ["sip:004930123456@x", GERMAN, "+4930123456"],
  ["sip:30123456@x", GERMAN, "+4930123456"],
  ["sip:4930123456@x", GERMAN, "+4930123456"],
  ["tel:+49-30-123456", GERMAN, "+4930123456"],
  ["tel:123456;phone-context=+4930", GERMAN, "+4930123456"],
  ["sip:+4930123456;npdi;rn=123@x;user=phone", GERMAN, "+4930123456"],
  ["sip:%2B4930123456@x", GERMAN, "+4930123456"],
  ["sip:4155550100@x", AMERICAN, "+14155550100"],
  ["sip:14155550100@x", AMERICAN, "+14155550100"],
  ["sip:0114930123456@x", AMERICAN, "+4930123456"],
  ["sip:14155550100@x", NONE, "+14155550100"],
  ["sip:alice@x", GERMAN, undefined],
  ["sip:x", GERMAN, undefined],
  ["sip:+0123@x", GERMAN, undefined],
  ["sip:12345678901234567890@x", NONE, undefined],
  ["mailto:x@y", GERMAN, undefined],
])("%s is read as %3$s", (uri, numbers, number) => {
  expect(numberOfUri(uri, numbers)).toBe(number);
});

test.each([
  ["sip:+1001@x", GERMAN, "+1001"],
  ["sip:030123456@x", GERMAN, "+4930123456"],
  ["sip:4155550100@x", AMERICAN, "+14155550100"],
  ["sip:0114930123456@x", AMERICAN, "+4930123456"],
  ["sip:14155550100@x", NONE, "+14155550100"],
  ["sip:5550123@x", AMERICAN, undefined],
  ["sip:1001@x", AMERICAN, undefined],
  ["sip:1001@x", GERMAN, undefined],
  ["sip:1001@x", NONE, undefined],
  ["tel:1001", NONE, undefined],
])("a caller %s is the number %3$s", (uri, numbers, number) => {
  expect(callerNumberOf(uri, numbers)).toBe(number);
});

test.each([
  ["e164", "+4930123456"],
  ["digits", "4930123456"],
  ["prefixed", "004930123456"],
  ["national", "030123456"],
] as const)("a number is written as %s: %s", (form, written) => {
  expect(writeNumber("+4930123456", form, GERMAN)).toBe(written);
});

test("abroad stays abroad, and what is no E.164 number stays as it is", () => {
  expect(writeNumber("+14155550100", "national", GERMAN)).toBe("0014155550100");
  expect(writeNumber("112", "national", GERMAN)).toBe("112");
});
