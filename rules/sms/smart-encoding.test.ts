import fc from "fast-check";
import { expect, test } from "vitest";
import { countSeptets } from "./gsm7.ts";
import { segmentText } from "./segment.ts";
import { smartEncode } from "./smart-encoding.ts";

test.each([
  ["“Don’t” – really…", `"Don't" - really...`],
  ["no\u00a0break\u2009thin\u200bzero", "no break thinzero"],
  ["«quoted» ‚low‛", `"quoted" 'low'`],
  ["ＡＢＣ１２３！", "ABC123!"],
  ["cafe\u0301", "café"],
  ["½ – ¾", "1/2 - 3/4"],
  ["• one\u2028• two", "* one\n* two"],
  ["back`tick and ＇full width`＇", "back'tick and 'full width''"],
])("%j is sent as %j", (text, plain) => {
  expect(smartEncode(text)).toBe(plain);
  expect(segmentText(text, { smartEncoding: true })).toMatchObject({ encoding: "GSM7", text: plain });
  expect(segmentText(text)).toMatchObject({ encoding: "UCS2", text });
});

test("a text that goes as UCS-2 anyway keeps its typography", () => {
  expect(smartEncode("“hi” 😀")).toBe("“hi” 😀");
  expect(smartEncode("“Привет”")).toBe("“Привет”");
});

test("letters keep their accents", () => {
  expect(smartEncode("á ç õ")).toBe("á ç õ");
});

test("the outcome is GSM-7 or the text itself, and doing it twice changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const sent = smartEncode(text);
      expect(sent === text || countSeptets(sent) >= 0).toBe(true);
      expect(smartEncode(sent)).toBe(sent);
    }),
  );
});
