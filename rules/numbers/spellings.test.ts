import { expect, test } from "vitest";
import { numbersMeant } from "./spellings.ts";

test.each([
  ["+14155550123", "+14155550123"],
  ["14155550123", "+14155550123"],
  ["+1 (415) 555-0123", "+14155550123"],
  ["1.415.555.0123", "+14155550123"],
  ["tel:+1-415-555-0123", "+14155550123"],
  ["sip:+14155550123@example.com;user=phone", "+14155550123"],
  ["\u00a0+1\u00a0415\u2011555\u20110123 ", "+14155550123"],
  ["011 44 20 7946 0018", "+442079460018"],
  ["0044 20 7946 0018", "+442079460018"],
  ["+44 (0)20 7946 0018", "+442079460018"],
])("%j means %s, whoever looks for it", (text, number) => {
  expect(numbersMeant(text)).toContain(number);
});

test("a national number is read in every country that is known", () => {
  expect(numbersMeant("(415) 555-2671", ["US", "GB"])[0]).toBe("+14155552671");
  expect(numbersMeant("020 7946 0018", ["US", "GB"])).toContain("+442079460018");
  expect(numbersMeant("020 7946 0018")).not.toContain("+442079460018");
});

test.each(["", "   ", "Harbor View Dental", "OM01935f1e4c7b7000a3c41f0e5d9b2a17", "night-desk-42"])(
  "%j is no number",
  (text) => {
    expect(numbersMeant(text, ["US"])).toStrictEqual([]);
  },
);
