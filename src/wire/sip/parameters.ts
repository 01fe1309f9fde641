// `;name=value;flag` as in Via, From, Contact and URIs: parsed once into a flat list, looked up by lower-case name.

import { NO_PARAMETERS, type Parameters, parameterOf } from "../../../rules/sip-uri.ts";
import { EQUALS, endOfQuoted, isBlank, isToken, QUOTE, SEMICOLON, skipBlanks } from "./octets.ts";

export { NO_PARAMETERS, type Parameters, parameterOf };

const PARAMETERS_MAX = 64;

/** Reads from `start` to the end of the text; undefined when it is not a list of parameters. */
export function parseParameters(text: string, start = 0): Parameters | undefined {
  let at = skipBlanks(text, start);
  if (at >= text.length) return NO_PARAMETERS;
  const found: string[] = [];
  while (at < text.length) {
    if (text.charCodeAt(at) !== SEMICOLON || found.length >= 2 * PARAMETERS_MAX) return undefined;
    at = skipBlanks(text, at + 1);
    const end = endOfParameter(text, at);
    if (end === -1 || !pushParameter(found, text, at, end)) return undefined;
    at = end;
  }
  return found;
}

function endOfParameter(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === SEMICOLON) return at;
    if (code === QUOTE) {
      at = endOfQuoted(text, at);
      if (at === -1) return -1;
    } else at++;
  }
  return at;
}

function pushParameter(found: string[], text: string, start: number, end: number): boolean {
  let last = end;
  while (last > start && isBlank(text.charCodeAt(last - 1))) last--;
  // A trailing semicolon is a common mistake and has no meaning.
  if (last === start) return end === text.length;
  let equals = start;
  while (equals < last && text.charCodeAt(equals) !== EQUALS) equals++;
  const name = text.slice(start, equals).trimEnd().toLowerCase();
  if (!isToken(name)) return false;
  found.push(name, equals < last ? text.slice(equals + 1, last).trimStart() : "");
  return true;
}

/** A quoted value without its quotes and escapes. */
export function unquoted(value: string): string {
  if (value.charCodeAt(0) !== QUOTE) return value;
  return value.slice(1, value.endsWith('"') ? -1 : undefined).replace(/\\(.)/gs, "$1");
}

export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
