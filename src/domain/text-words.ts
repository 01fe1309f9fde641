// Words of texts as a search compares them: without case and accents. In scripts that put no blanks between words, each
// stretch is one word, in which a search looks anywhere.

import { tableOf } from "../base/table.ts";

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const ASCII_WORD = /[a-z0-9]+/g;
const IS_ASCII = /^[\0-\x7f]*$/;
const UNSPACED = /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)/u;
/** Accents of Latin, Greek and Cyrillic letters; marks of other scripts make other words. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that Unicode does not take apart, and that are also written with these. */
const FOLDED = tableOf({
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
});
const FOLDABLE = new RegExp(`[${[...FOLDED.keys()].join("")}]`, "g");

/** In their order, repeated where they are. */
export function wordsOf(text: string): readonly string[] {
  if (IS_ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  const plain = text.normalize("NFKD").replace(ACCENTS, "").normalize("NFC").toLowerCase();
  const folded = plain.replace(ACCENTS, "").replace(FOLDABLE, (letter) => FOLDED.get(letter) ?? letter);
  return (folded.match(WORD) ?? []).flatMap((word) =>
    IS_ASCII.test(word) ? [word] : word.split(UNSPACED).filter((part) => part !== ""),
  );
}

/** Words as one text, in which terms are looked for: a blank before and after each. */
export function joinWords(words: Iterable<string>): string {
  return ` ${[...words].join(" ")} `;
}

/**
 * What a text must contain, joined, to be found: every word of the query, the last one as the beginning of a word.
 * Empty where the query has no word.
 */
export function termsOf(query: string): readonly string[] {
  const words = [...new Set(wordsOf(query))];
  return words.map((word, at) => {
    if (UNSPACED.test(word)) return word;
    return at === words.length - 1 ? ` ${word}` : ` ${word} `;
  });
}

export function hasTerms(text: string, terms: readonly string[]): boolean {
  const joined = joinWords(wordsOf(text));
  return terms.every((term) => joined.includes(term));
}
