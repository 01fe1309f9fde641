// `"Display" <uri>;parameters` or `uri;parameters`, as in From, To, Contact, Route and Record-Route (RFC 3261 20.10).

import { COMMA, endOfQuoted, GREATER, isBlank, isToken, LESS, QUOTE, SEMICOLON, skipBlanks } from "./octets.ts";
import { type Parameters, parseParameters, unquoted } from "./parameters.ts";

export interface NameAddr {
  /** Without quotes. */
  readonly display: string;
  /** As written. */
  readonly uri: string;
  readonly parameters: Parameters;
}

const VALUES_MAX = 64;

export function parseNameAddr(text: string): NameAddr | undefined {
  const start = skipBlanks(text, 0);
  const first = text.charCodeAt(start);
  if (first === LESS) return parseBracketed(text, start, "");
  if (first === QUOTE) {
    const end = endOfQuoted(text, start);
    if (end === -1) return undefined;
    const less = skipBlanks(text, end);
    return text.charCodeAt(less) === LESS ? parseBracketed(text, less, unquoted(text.slice(start, end))) : undefined;
  }
  const less = text.indexOf("<", start);
  if (less === -1) return parseBare(text, start);
  const display = text.slice(start, less).trim();
  return display.split(/[ \t]+/).every(isToken) ? parseBracketed(text, less, display) : undefined;
}

function parseBracketed(text: string, less: number, display: string): NameAddr | undefined {
  const greater = text.indexOf(">", less);
  if (greater === -1) return undefined;
  const uri = text.slice(less + 1, greater);
  const parameters = parseParameters(text, greater + 1);
  return isUriText(uri) && parameters ? { display, uri, parameters } : undefined;
}

/** RFC 3261 20: without brackets, what follows a semicolon belongs to the header, and a question mark is forbidden. */
function parseBare(text: string, start: number): NameAddr | undefined {
  let end = start;
  while (end < text.length && text.charCodeAt(end) !== SEMICOLON && !isBlank(text.charCodeAt(end))) end++;
  const uri = text.slice(start, end);
  const parameters = parseParameters(text, end);
  return isUriText(uri) && !/[?,]/.test(uri) && parameters ? { display: "", uri, parameters } : undefined;
}

function isUriText(text: string): boolean {
  const colon = text.indexOf(":");
  if (colon < 1) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === LESS || code === GREATER || code === QUOTE || code === 127) return false;
  }
  return true;
}

/** The values of a header that may have several, split at commas outside of quotes and brackets. */
export function splitValues(text: string): readonly string[] | undefined {
  if (!text.includes(",")) return [text];
  const values: string[] = [];
  let start = 0;
  let isInside = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE && !isInside) {
      at = endOfQuoted(text, at) - 1;
      if (at < 0) return undefined;
    } else if (code === LESS) isInside = true;
    else if (code === GREATER) isInside = false;
    else if (code === COMMA && !isInside) {
      values.push(text.slice(start, at).trim());
      start = at + 1;
      if (values.length > VALUES_MAX) return undefined;
    }
  }
  values.push(text.slice(start).trim());
  return values;
}
