import { describe, expect, test } from "vitest";
import { type LookupAnswer, type NumberInfo, parseNumber } from "./index.ts";
import { describeNumber } from "./number-details.ts";

const NOW = new Date("2026-10-01T00:00:00Z");
const places = { placeOf: (number: string) => (number.startsWith("+1415") ? "San Francisco, CA" : undefined) };

function detailsOf(text: string, info: Partial<NumberInfo> = {}, more: Partial<LookupAnswer> = {}) {
  const number = parseNumber(text);
  if (!number.ok) throw new Error(number.refusal.reason);
  const base = { number: number.value.e164, status: "Active", type: "Wireless", carrierName: "T-Mobile USA" } as const;
  const answer = {
    info: { ...base, ...info },
    source: "table",
    asOf: new Date("2026-09-01T00:00:00Z"),
    ...more,
  } as const;
  return describeNumber(places, number.value, answer, NOW);
}

test("a number is described with its country, its spellings, its area and its network", () => {
  expect(detailsOf("+14155552671")).toEqual({
    number: "+14155552671",
    status: "Active",
    type: "Wireless",
    carrierName: "T-Mobile USA",
    country: "US",
    callingCode: "1",
    nationalFormat: "(415) 555-2671",
    internationalFormat: "+1 415 555 2671",
    location: "San Francisco, CA",
    mobileCountryCode: "310",
    mobileNetworkCode: "260",
    ported: null,
    source: "table",
    asOf: new Date("2026-09-01T00:00:00Z"),
    ageSeconds: 30 * 24 * 3600,
    confidence: "Medium",
  });
});

test("a number of no country, of no area and of no network says so", () => {
  const details = detailsOf("+881612345678", { type: "Unknown", carrierName: null });
  expect(details).toMatchObject({ country: null, callingCode: "881", location: null, mobileCountryCode: null });
});

test("a carrier's network is reported only for its mobile numbers", () => {
  expect(detailsOf("+14155552671", { type: "VoIP" }).mobileNetworkCode).toBeNull();
});

describe("confidence", () => {
  const yesterday = new Date(NOW.getTime() - 25 * 3600 * 1000);
  test.each([
    ["an override however old", { source: "override", asOf: new Date(0) }, {}, "High"],
    ["a number of ours", { source: "own", asOf: new Date(0) }, {}, "High"],
    ["a live answer of today", { source: "http", asOf: NOW }, {}, "High"],
    ["a live answer of yesterday", { source: "enum", asOf: yesterday }, {}, "Medium"],
    ["a table of 2014", { asOf: new Date("2014-02-01T00:00:00Z") }, {}, "Low"],
    ["a type that nobody knows", {}, { type: "Unknown" }, "Low"],
  ] as const)("%s", (_what, answer, info, expected) => {
    expect(detailsOf("+14155552671", info, answer).confidence).toBe(expected);
  });
});
