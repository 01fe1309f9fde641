import { expect, test } from "vitest";
import { hasTerms, termsOf, wordsOf } from "./text-words.ts";

test.each([
  ["Your code is 4821-77.", ["your", "code", "is", "4821", "77"]],
  ["Crème BRÛLÉE, Łódź", ["creme", "brulee", "lodz"]],
  ["Straße", ["strasse"]],
  ["ΟΔΟΣ οδός", ["οδοσ", "οδοσ"]],
  ["İstanbul'da kırmızı", ["istanbul", "da", "kirmizi"]],
  ["ＡＢＣ ﬁne", ["abc", "fine"]],
  ["我的iPhone坏了", ["我的", "iphone", "坏了"]],
  ["สวัสดีครับ 123", ["สวัสดีครับ", "123"]],
  ["🎉 … —", []],
])("%s has the words %j", (text, words) => {
  expect(wordsOf(text)).toStrictEqual(words);
});

test.each([
  ["Your bread is ready", "BREAD", true],
  ["Your bread is ready", "bre", true],
  ["Your bread is ready", "read", true],
  ["Your bread is fine", "read", false],
  ["Your bread is ready", "ready bread", true],
  ["Your bread is ready", "bre ready", false],
  ["Your bread is ready", "bread butter", false],
  ["See you at the café", "cafe", true],
  ["See you at the cafe", "CAFÉ", true],
  ["您的面包已经好了", "面包", true],
  ["您的面包已经好了", "好了 面包", true],
  ["您的面包已经好了", "牛奶", false],
  ["ขนมปังของคุณพร้อมแล้ว", "พร้อม", true],
  ["パンができました", "でき", true],
  ["100% sure_thing", "thing", true],
  ["100 sure", "100%", true],
])("in “%s” “%s” is found: %s", (text, query, isFound) => {
  expect(hasTerms(text, termsOf(query))).toBe(isFound);
});
