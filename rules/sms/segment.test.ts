import fc from "fast-check";
import { SegmentedMessage } from "sms-segments-calculator";
import { expect, test } from "vitest";
import { clusterEnd } from "./graphemes.ts";
import { countSeptets } from "./gsm7.ts";
import { countSegments, segmentText } from "./segment.ts";

const FAMILY = "👨‍👩‍👧‍👦"; // 11 units
const FLAG = "🇮🇹"; // 4 units
const RAINBOW = "🏳️‍🌈"; // 6 units
const THUMB = "👍🏽"; // 4 units
const COMBINED = "e\u0301"; // 2 units

const clustersOf = (text: string) => {
  const clusters: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = clusterEnd(text, at);
    clusters.push(text.slice(at, end));
    at = end;
  }
  return clusters;
};

const endsOf = (pieces: readonly string[]) => {
  let end = 0;
  return pieces.map(({ length }) => (end += length));
};

// Name, text, encoding, units of each segment.
const VECTORS: readonly (readonly [string, string, "GSM7" | "UCS2", readonly number[]])[] = [
  ["an empty text", "", "GSM7", [0]],
  ["one letter", "a", "GSM7", [1]],
  ["159 letters", "a".repeat(159), "GSM7", [159]],
  ["160 letters", "a".repeat(160), "GSM7", [160]],
  ["161 letters", "a".repeat(161), "GSM7", [153, 8]],
  ["2 × 153 letters", "a".repeat(306), "GSM7", [153, 153]],
  ["2 × 153 + 1 letters", "a".repeat(307), "GSM7", [153, 153, 1]],
  ["3 × 153 letters", "a".repeat(459), "GSM7", [153, 153, 153]],
  ["3 × 153 + 1 letters", "a".repeat(460), "GSM7", [153, 153, 153, 1]],
  ["1600 letters", "a".repeat(1600), "GSM7", [...Array(10).fill(153), 70]],
  ["80 escape pairs", "€".repeat(80), "GSM7", [160]],
  ["81 escape pairs: 153 is odd, so a part holds 76", "€".repeat(81), "GSM7", [152, 10]],
  ["an escape pair that ends at 160", `${"a".repeat(158)}€`, "GSM7", [160]],
  ["an escape pair that would end at 161", `${"a".repeat(159)}€`, "GSM7", [153, 8]],
  ["an escape pair across 153", `${"a".repeat(152)}€${"b".repeat(10)}`, "GSM7", [152, 12]],
  ["an escape pair that ends at 153", `${"a".repeat(151)}€${"b".repeat(10)}`, "GSM7", [153, 10]],
  ["escape pairs across both borders", `${"a".repeat(152)}[${"b".repeat(150)}]${"c".repeat(3)}`, "GSM7", [152, 152, 5]],
  ["all of the extension table", "\f^{}\\[~]|€", "GSM7", [20]],
  ["Greek capitals that GSM-7 has", "ΔΦΓΛΩΠΨΣΘΞ", "GSM7", [10]],
  ["a Greek capital that only looks Latin", "Α", "UCS2", [1]],
  ["Ç is GSM-7", "Ç", "GSM7", [1]],
  ["ç is not", "ç", "UCS2", [1]],
  ["a backtick is not", "`", "UCS2", [1]],
  ["a tab is not", "a\tb", "UCS2", [3]],
  ["an escape character is not", "\u001b", "UCS2", [1]],
  ["CR LF is two septets", `${"a".repeat(158)}\r\n`, "GSM7", [160]],
  ["CR LF across 160", `${"a".repeat(159)}\r\n`, "GSM7", [153, 8]],
  ["CR LF may be torn in UCS-2", `ж${"a".repeat(65)}\r\n${"b".repeat(9)}`, "UCS2", [67, 10]],
  ["70 units", "ж".repeat(70), "UCS2", [70]],
  ["71 units", "ж".repeat(71), "UCS2", [67, 4]],
  ["2 × 67 units", "ж".repeat(134), "UCS2", [67, 67]],
  ["2 × 67 + 1 units", "ж".repeat(135), "UCS2", [67, 67, 1]],
  ["3 × 67 units", "ж".repeat(201), "UCS2", [67, 67, 67]],
  ["an extension character is one unit in UCS-2", `ж${"]".repeat(69)}`, "UCS2", [70]],
  ["a curly quote", `It’s ${"a".repeat(65)}`, "UCS2", [70]],
  ["35 emoji", "😀".repeat(35), "UCS2", [70]],
  ["36 emoji: 67 is odd, so a part holds 33", "😀".repeat(36), "UCS2", [66, 6]],
  ["a surrogate pair across 67", `${"a".repeat(66)}😀${"b".repeat(5)}`, "UCS2", [66, 7]],
  ["a surrogate pair that ends at 67", `${"a".repeat(65)}😀${"b".repeat(5)}`, "UCS2", [67, 5]],
  ["a surrogate pair that ends at 70", `${"a".repeat(68)}😀`, "UCS2", [70]],
  ["a surrogate pair that would end at 71", `${"a".repeat(69)}😀`, "UCS2", [67, 4]],
  ["a flag across 67", `${"a".repeat(65)}${FLAG}bb`, "UCS2", [65, 6]],
  ["a flag that ends at 70", `${"a".repeat(66)}${FLAG}`, "UCS2", [70]],
  ["a rainbow flag across 67", `${"a".repeat(62)}${RAINBOW}bbb`, "UCS2", [62, 9]],
  ["a family across 67", `${"a".repeat(60)}${FAMILY}`, "UCS2", [60, 11]],
  ["a family that ends at 67", `${"a".repeat(56)}${FAMILY}${"b".repeat(4)}`, "UCS2", [67, 4]],
  ["seven families", FAMILY.repeat(7), "UCS2", [66, 11]],
  ["a skin tone across 67", `${"a".repeat(64)}${THUMB}bbb`, "UCS2", [64, 7]],
  ["an accent across 67", `${"a".repeat(66)}${COMBINED}bbb`, "UCS2", [66, 5]],
  ["35 letters with their accents", COMBINED.repeat(35), "UCS2", [70]],
  ["36 letters with their accents", COMBINED.repeat(36), "UCS2", [66, 6]],
  ["Hangul of three letters across 67", `${"a".repeat(65)}\u1112\u1161\u11abbbb`, "UCS2", [65, 6]],
  ["a Devanagari syllable across 67", `${"a".repeat(66)}\u0915\u093fbbb`, "UCS2", [66, 5]],
  ["a lone high surrogate", "\ud83d", "UCS2", [1]],
  ["a lone low surrogate at the end of 70", `${"a".repeat(69)}\ude00`, "UCS2", [70]],
  ["lone surrogates either side of 67", `${"a".repeat(66)}\ud83d\ud83d${"b".repeat(3)}`, "UCS2", [67, 4]],
  ["a low surrogate before a high one", `${"a".repeat(66)}\ude00\ud83d${"b".repeat(3)}`, "UCS2", [67, 4]],
];

test.each(VECTORS)("%s", (_name, text, encoding, units) => {
  const { segments, ...rest } = segmentText(text);
  const measure = (segment: string) => (encoding === "GSM7" ? countSeptets(segment) : segment.length);
  expect(segments.map(measure)).toEqual(units);
  expect(segments.join("")).toBe(text);
  expect(rest).toEqual({ encoding, text, units: units.reduce((sum, count) => sum + count) });
  expect(countSegments(text)).toMatchObject({ encoding, count: units.length, units: rest.units });
});

test("a cluster longer than any segment is cut between its code points", () => {
  const zalgo = `a${"\u0301".repeat(150)}`;
  expect(segmentText(`hello ${zalgo}`).segments.map(({ length }) => length)).toEqual([6, 67, 67, 17]);
  const modified = `क${"\u{e0100}".repeat(60)}`;
  const { segments } = segmentText(modified);
  expect(segments.every((segment) => segment.isWellFormed())).toBe(true);
  expect(segments.join("")).toBe(modified);
});

test("a reference of 16 bits leaves room for a septet or a unit less", () => {
  expect(segmentText("a".repeat(161), { referenceBits: 16 }).segments.map(({ length }) => length)).toEqual([152, 9]);
  expect(segmentText("ж".repeat(71), { referenceBits: 16 }).segments.map(({ length }) => length)).toEqual([66, 5]);
});

const piece = fc.oneof(
  fc.constantFrom(
    "a",
    "€",
    "[",
    "é",
    "ж",
    "\r\n",
    "\n",
    FAMILY,
    FLAG,
    RAINBOW,
    THUMB,
    COMBINED,
    "😀",
    "\ud83d",
    "\ude00",
  ),
  fc.constantFrom("\u200d", "\ufe0f", "\u{1f3fd}", "\u{1f1ee}", "\u0600", "\u1112", "\u1161", "\u11ab", "한", "\u0903"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 3 }),
);
const anyText = fc
  .tuple(fc.nat(140), fc.constantFrom("a", "ж", "€"), fc.array(piece, { maxLength: 60 }))
  .map(([lead, filler, pieces]) => filler.repeat(lead) + pieces.join(""));

test("whatever the text, the segments join to it, fit, and tear no cluster that fits a segment", () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom<8 | 16>(8, 16), (text, referenceBits) => {
      const { segments, encoding, units } = segmentText(text, { referenceBits });
      const measure = (segment: string) => (encoding === "GSM7" ? countSeptets(segment) : segment.length);
      const single = encoding === "GSM7" ? 160 : 70;
      const part = (encoding === "GSM7" ? 153 : 67) - (referenceBits === 16 ? 1 : 0);
      expect(segments.join("")).toBe(text);
      expect(segments.length === 1).toBe(units <= single);
      for (const segment of segments)
        expect(measure(segment)).toBeLessThanOrEqual(segments.length === 1 ? single : part);
      if (encoding === "UCS2" && segments.length > 1) {
        const whole = clustersOf(text);
        fc.pre(whole.every(({ length }) => length <= 66));
        const borders = new Set(endsOf(whole));
        for (const end of endsOf(segments)) expect(borders.has(end)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test("segment counts agree with Twilio's calculator", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      fc.pre(clustersOf(text).every(({ length }) => length <= 32));
      const theirs = new SegmentedMessage(text);
      expect(countSegments(text)).toMatchObject({
        encoding: theirs.encodingName === "GSM-7" ? "GSM7" : "UCS2",
        count: theirs.segmentsCount,
      });
    }),
    { numRuns: 1_000 },
  );
  for (const [, text, encoding, units] of VECTORS) {
    const { encodingName, segmentsCount } = new SegmentedMessage(text);
    expect([encodingName.replace("-", ""), segmentsCount, text]).toEqual([encoding, units.length, text]);
  }
});
