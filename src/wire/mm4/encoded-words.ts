// RFC 2047: non-ASCII text in a header field.

import { decodeCharset } from "./charset.ts";
import { decodeBase64, decodeQuotedPrintable, encodeBase64, latin1Bytes } from "./transfer-encoding.ts";

/** RFC 2047 2: an encoded word has at most 75 characters with `=?utf-8?B?` and `?=`; 45 octets give 60 of base64. */
const WORD_OCTETS_MAX = 45;
const WORD = /=\?([^?\s*]{1,40})(?:\*[^?\s]{0,20})?\?([bq])\?([^?\s]{0,4096})\?=/gi;

export function decodeEncodedWords(text: string): string {
  if (!text.includes("=?")) return text;
  // RFC 2047 6.2: white space between two words is not part of the text.
  return text
    .replaceAll(/(\?=)\s+(?==\?[^?\s]{1,40}\?[bq]\?)/gi, "$1")
    .replaceAll(WORD, (_, charset: string, encoding: string, word: string) => {
      const bytes = latin1Bytes(word);
      // RFC 2047 4.2: _ is a space, whatever the charset.
      const decoded = /b/i.test(encoding)
        ? decodeBase64(bytes)
        : decodeQuotedPrintable(latin1Bytes(word.replaceAll("_", " ")));
      return decodeCharset(decoded, charset);
    });
}

/** Encoded words separated by spaces. ASCII that can be folded and does not look like an encoded word is kept. */
export function encodeWords(text: string): string {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(text) && !/=\?|\S{76}/.test(text)) return text;
  const words: string[] = [];
  let word = "";
  let octets = 0;
  for (const char of text) {
    const size = new TextEncoder().encode(char).length;
    if (octets + size > WORD_OCTETS_MAX) {
      words.push(encodedWord(word));
      word = "";
      octets = 0;
    }
    word += char;
    octets += size;
  }
  if (word !== "") words.push(encodedWord(word));
  return words.join(" ");
}

function encodedWord(text: string): string {
  return `=?utf-8?B?${encodeBase64(new TextEncoder().encode(text)).trimEnd()}?=`;
}
