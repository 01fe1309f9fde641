// RFC 2047: non-ASCII text in a header field.

import { decodeCharset } from "./charset.ts";
import { base64Length, decodeBase64, decodeQuotedPrintable, writeBase64 } from "./transfer-encoding.ts";

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
  const bytes = new TextEncoder().encode(text);
  const out = new Uint8Array(base64Length(bytes.length));
  writeBase64(bytes, out, 0);
  return `=?utf-8?B?${String.fromCharCode(...out).trimEnd()}?=`;
}

export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
