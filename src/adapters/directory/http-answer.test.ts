import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AnswerPaths, readAnswer, STATUS_WORDS, TYPE_WORDS, wordKey } from "./http-answer.ts";

const NUMBER = "+12155550123";
const PATHS: AnswerPaths = { carrierName: ["c"], type: ["t"], status: ["s"], routingNumber: ["r"] };

function keyed<Word>(words: Readonly<Record<string, Word>>) {
  return new Map(Object.entries(words).map(([word, value]) => [wordKey(word), value]));
}
const WORDS = { types: keyed(TYPE_WORDS), statuses: keyed(STATUS_WORDS) };

const read = (answer: unknown, paths = PATHS) => readAnswer(NUMBER, answer, paths, WORDS);

describe("a service's answer", () => {
  test("is reported in our words", () => {
    expect(read({ c: " Example Mobile ", t: "MOBILE", s: true, r: "2155550199" })).toEqual({
      kind: "found",
      carrierName: "Example Mobile",
      type: "Wireless",
      status: "Active",
      routingNumber: "+12155550199",
    });
  });

  test.each([
    ["nonFixedVoip", "VoIP"],
    ["fixedVoip", "VoIP"],
    ["VOIP-FIXED", "VoIP"],
    ["virtual", "VoIP"],
    ["fixed line", "Landline"],
    ["FIXED", "Landline"],
    ["landline", "Landline"],
    ["landline_tollfree", "Unknown"],
    ["fixed line or mobile", "Unknown"],
    ["sharedCost", "Unknown"],
    ["toll free", "Unknown"],
    ["non-fixed VoIP", "VoIP"],
  ])("calls %s %s", (word, type) => {
    expect(read({ t: word })).toEqual({ kind: "found", type });
  });

  test("leaves to the numbering table what it has no word for", () => {
    expect(read({ c: "Example", t: "constructor", s: "maybe" })).toEqual({ kind: "found", carrierName: "Example" });
  });

  test("that tells nothing is no finding", () => {
    for (const answer of [{}, { c: null, t: "", r: " " }, null, [], "text", 7]) {
      expect(read(answer)).toEqual({ kind: "notFound" });
    }
  });

  test("may say by itself whether it knows the number", () => {
    const paths = { ...PATHS, found: ["ok"] };
    for (const no of [false, null, undefined, "", "no", "false", 0]) {
      expect(read({ ok: no, c: "Example" }, paths)).toEqual({ kind: "notFound" });
    }
    expect(read({ ok: true }, paths)).toEqual({ kind: "found" });
  });

  test.each([
    { c: ["Example"] },
    { c: {} },
    { c: "x".repeat(201) },
    { c: "two\nlines" },
    { t: {} },
    { r: "not a number" },
    { r: "+442079460000" },
    { r: 12 },
  ])("%j is a fault of the service", (answer) => {
    expect(() => read(answer)).toThrow();
  });

  test("of any shape gives a finding or a fault, never a routing number of another plan", () => {
    const field = fc.oneof(fc.jsonValue(), fc.string(), fc.constantFrom("mobile", "+12155550199", "2155550199"));
    fc.assert(
      fc.property(fc.record({ c: field, t: field, s: field, r: field }, { requiredKeys: [] }), (answer) => {
        let finding: ReturnType<typeof read>;
        try {
          finding = read(answer);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          return;
        }
        if (finding.kind === "found") expect(finding.routingNumber ?? "+12155550199").toMatch(/^\+1\d{10}$/);
      }),
    );
  });
});
