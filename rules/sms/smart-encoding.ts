// Smart encoding: replaces typographic characters, which editors insert on their own, by plain ones, so that a text
// fits GSM-7 and costs fewer segments. Replacements keep meaning and looks: no accent is removed, no symbol becomes a
// word. Off by default.

import { countSeptets } from "./gsm7.ts";

const REPLACEMENTS: readonly (readonly [string, string])[] = [
  // Double quotes: “ ” „ ‟ « » ″ ‶ ʺ ˮ 〝 〞 ❝ ❞
  ['"', "201c 201d 201e 201f ab bb 2033 2036 2ba 2ee 301d 301e 275d 275e"],
  // Single quotes and apostrophes: ‘ ’ ‚ ‛ ‹ › ′ ‵ ʹ ʻ ʼ ʽ ˈ ˊ ˋ ´ ` ❛ ❜
  ["'", "2018 2019 201a 201b 2039 203a 2032 2035 2b9 2bb 2bc 2bd 2c8 2ca 2cb b4 60 275b 275c"],
  // Hyphens and dashes: ‐ ‑ ‒ – — ― ⁃ − ﹘ ﹣
  ["-", "2010 2011 2012 2013 2014 2015 2043 2212 fe58 fe63"],
  // Spaces of every width, and the line and paragraph separators.
  [" ", "a0 1680 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009 200a 202f 205f 3000 9"],
  ["\n", "85 2028 2029 b"],
  // Invisible: soft hyphen, zero-width space, joiners outside emoji, direction marks, word joiner, byte order mark.
  ["", "ad 200b 200c 200d 200e 200f 202a 202b 202c 202d 202e 2060 2066 2067 2068 2069 feff"],
  ["...", "2026"],
  ["..", "2025"],
  [".", "2024"],
  // Bullets: • ‣ · ∙
  ["*", "2022 2023 b7 2219 2217 204e"],
  // Slashes and bars: ⁄ ∕ ⧸ ∣ ￨
  ["/", "2044 2215 29f8"],
  ["|", "2223 ffe8"],
  ["\\", "2216 29f5 29f9"],
  ["~", "2dc 223c 301c"],
  ["^", "2c6"],
  ["<=", "2264"],
  [">=", "2265"],
  ["!=", "2260"],
  ["1/4", "bc"],
  ["1/2", "bd"],
  ["3/4", "be"],
  ["1/3", "2153"],
  ["2/3", "2154"],
  ["!!", "203c"],
  ["??", "2047"],
  ["fi", "fb01"],
  ["fl", "fb02"],
  ["ff", "fb00"],
];

const PLAIN_OF = new Map<number, string>();
for (const [plain, codes] of REPLACEMENTS) {
  for (const code of codes.split(" ")) PLAIN_OF.set(Number.parseInt(code, 16), plain);
}
// Full-width forms are 0xfee0 above their ASCII characters.
for (let code = 0x21; code <= 0x7e; code++) {
  const plain = String.fromCharCode(code);
  PLAIN_OF.set(code + 0xfee0, PLAIN_OF.get(code) ?? plain);
}

/**
 * The text with typographic characters replaced (and letters composed with their accents) if it then fits GSM-7;
 * otherwise the original text, because a message that goes as UCS-2 anyway loses nothing by keeping its quotes.
 */
export function smartEncode(text: string): string {
  if (countSeptets(text) >= 0) return text;
  let plain = "";
  for (const character of text.normalize("NFC")) plain += PLAIN_OF.get(character.codePointAt(0) as number) ?? character;
  return countSeptets(plain) >= 0 ? plain : text;
}
