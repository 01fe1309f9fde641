import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callingCodeIn } from "../../../rules/numbers/calling-code.ts";
import { enumName, type NaptrRecord, readNaptrs } from "./enum-answer.ts";
import { toRoutingNumber } from "./portability-uri.ts";

const NUMBER = "+12155550123";
const CARRIERS = new Map([["4711", "Example Mobile"]]);

function naptr(uri: string, more: Partial<NaptrRecord> = {}): NaptrRecord {
  return { flags: "u", service: "E2U+pstn:tel", regexp: `!^.*$!${uri}!`, order: 10, preference: 10, ...more };
}

function read(...records: NaptrRecord[]) {
  const result = readNaptrs({ number: NUMBER, carriers: CARRIERS }, records);
  return result.ok ? result.value : result.refusal;
}

test("the name of a number is its digits in reverse", () => {
  expect(enumName(NUMBER, "e164.arpa")).toBe("3.2.1.0.5.5.5.5.1.2.1.e164.arpa");
  expect(enumName("+4930", ".enum.example.")).toBe("0.3.9.4.enum.example");
});

describe("a number's NAPTR records", () => {
  test("a ported number gives its routing number", () => {
    expect(read(naptr(`tel:${NUMBER};npdi;rn=+12155550199`))).toEqual({ kind: "found", routingNumber: "+12155550199" });
  });

  test("a number that was looked for and is not ported is found without one", () => {
    expect(read(naptr(`tel:${NUMBER};npdi`))).toEqual({ kind: "found" });
  });

  test("a URI that says nothing of portability finds nothing", () => {
    expect(read(naptr(`tel:${NUMBER}`))).toEqual({ kind: "notFound" });
    expect(read(naptr(`tel:${NUMBER};spn=1;isub=7;cic=+1-6789`))).toEqual({ kind: "notFound" });
  });

  test("a known service provider gives the carrier's name", () => {
    expect(read(naptr(`tel:${NUMBER};npdi;spn=4711`))).toEqual({ kind: "found", carrierName: "Example Mobile" });
    expect(read(naptr(`tel:${NUMBER};npdi;rn=+12155550199;spn=4711`))).toEqual({
      kind: "found",
      carrierName: "Example Mobile",
      routingNumber: "+12155550199",
    });
    expect(read(naptr(`tel:${NUMBER};npdi;spn=constructor`))).toEqual({ kind: "found" });
  });

  test.each([
    "tel:+1-215-555-0123;npdi;rn=+1-215-555-0199",
    "TEL:+1(215)555.0123;NPDI=yes;RN=2155550199;rn-context=+1",
    `tel:${NUMBER};rn=2155550199;npdi`,
    `tel:${NUMBER};rn=12155550199`,
    `tel:${NUMBER};npdi;rn=12155550199;rn-context=+1`,
    `tel:${NUMBER};npdi;rn=5550199;rn-context=+1215`,
    `tel:${NUMBER};npdi;rn=%2B12155550199;x-unknown=%20`,
    `sip:${NUMBER};npdi;rn=+12155550199@gateway.example;user=phone`,
  ])("%s is read as the same routing number", (uri) => {
    expect(read(naptr(uri))).toEqual({ kind: "found", routingNumber: "+12155550199" });
  });

  test.each([
    "tel:+12155550124;npdi;rn=+12155550199",
    "tel:12155550123;npdi",
    `tel:${NUMBER};npdi;rn=`,
    `tel:${NUMBER};npdi;rn=+1215555019`,
    `tel:${NUMBER};npdi;rn=+11155550199`,
    `tel:${NUMBER};npdi;rn=+442155550199`,
    `tel:${NUMBER};npdi;rn=2155550199;rn-context=+44`,
    `tel:${NUMBER};npdi;rn=2155550199;rn-context=carrier.example`,
    `tel:${NUMBER};npdi;rn=D1234`,
    `tel:${NUMBER};npdi;rn=+12155550199;rn=+12155550198`,
    `tel:${NUMBER};npdi;NPDI`,
    `tel:${NUMBER};;npdi`,
    `tel:${NUMBER};npdi;x=%`,
    `tel:${NUMBER};npdi\u0000`,
    `tel:${NUMBER};npdi x`,
    `tel:${NUMBER};npdi@host`,
    `sip:${NUMBER};npdi`,
    `mailto:${NUMBER};npdi`,
    "",
  ])("%j is not believed", (uri) => {
    expect(read(naptr(uri))).toBe("unreadable");
  });

  test.each(["E2U+pstn:tel", "e2u+PSTN", "E2U+pstn:tel+sms:tel", "E2U+sms:tel+pstn:tel", "E2U+pstn:sip:tel"])(
    "the service %s is asked",
    (service) => {
      expect(read(naptr(`tel:${NUMBER};npdi`, { service, flags: "U" }))).toEqual({ kind: "found" });
    },
  );

  test.each([
    { service: "E2U+sip" },
    { service: "E2U+sms:tel" },
    { service: "E2U+pstnx:tel" },
    { service: "pstn:tel" },
    { service: "E2U+pstn:mailto" },
    { service: "" },
    { flags: "" },
    { flags: "s" },
  ])("%o is no portability rule", (more) => {
    expect(read(naptr(`tel:${NUMBER};npdi`, more))).toEqual({ kind: "notFound" });
  });

  test("the lowest order decides, then the lowest preference, however the answer was shuffled", () => {
    const records = [
      naptr(`tel:${NUMBER};npdi;rn=+12155550003`, { order: 20, preference: 1 }),
      naptr(`tel:${NUMBER};npdi;rn=+12155550002`, { order: 10, preference: 50 }),
      naptr(`tel:${NUMBER};npdi;rn=+12155550001`, { order: 10, preference: 5 }),
      naptr("sip:info@example.com", { order: 1, service: "E2U+sip" }),
      naptr("tel:garbage", { order: 2 }),
      naptr(`tel:${NUMBER};npdi;rn=+12155550009`, { order: 10, preference: 5 }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffled) => {
        expect(read(...shuffled)).toEqual({ kind: "found", routingNumber: "+12155550001" });
      }),
    );
  });

  test("no records, no finding", () => {
    expect(read()).toEqual({ kind: "notFound" });
  });

  test("an answer of absurd size is refused", () => {
    const flood = Array.from({ length: 101 }, () => naptr(`tel:${NUMBER};npdi`));
    expect(read(...flood)).toBe("too-many-records");
  });

  test("any records give a value, and never a routing number outside the asked number's plan", () => {
    const piece = fc.constantFrom(
      "tel:",
      "sip:",
      NUMBER,
      ";",
      "npdi",
      "rn=",
      "+1",
      "2155550199",
      "@",
      "%2B",
      "=",
      "\0",
    );
    const uri = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    const record = fc.record({
      flags: fc.oneof(fc.constant("u"), fc.string()),
      service: fc.oneof(fc.constant("E2U+pstn:tel"), fc.string({ unit: "binary" })),
      regexp: fc.oneof(
        uri.map((text) => `!^.*$!${text}!`),
        fc.string({ unit: "binary" }),
      ),
      order: fc.integer(),
      preference: fc.double(),
    });
    fc.assert(
      fc.property(fc.array(record), (records) => {
        const answer = readNaptrs({ number: NUMBER }, records);
        if (!answer.ok || answer.value.kind === "notFound") return;
        expect(answer.value.routingNumber ?? "+12155550199").toMatch(/^\+1\d{10}$/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a routing number", () => {
  test("of another plan is completed by its context only", () => {
    expect(toRoutingNumber("+442079460000", "+447700900123")).toBe("+447700900123");
    expect(toRoutingNumber("+442079460000", "7700900123", "+44")).toBe("+447700900123");
    expect(toRoutingNumber("+442079460000", "7700900123")).toBeUndefined();
    expect(toRoutingNumber("+442079460000", "+12155550199")).toBeUndefined();
  });
});

test.each([
  [NUMBER, "1"],
  ["+79161234567", "7"],
  ["+442079460000", "44"],
  ["+353861234567", "353"],
  ["+971501234567", "971"],
  ["+85221234567", "852"],
  ["+6591234567", "65"],
])("the calling code of %s is %s", (number, code) => {
  expect(callingCodeIn(number)).toBe(code);
});
