// Header fields of RFC 5322: reads a block of them, within bounds, and writes one safely against header injection.

import { ok, type Result, refused } from "../../base/result.ts";
import { decodeUnnamed } from "./charset.ts";

const CR = 0x0d;
const LF = 0x0a;
const FIELDS_MAX = 256;
/** RFC 5322 2.1.1: lines should be no longer than 78, and must be no longer than 998. */
const LINE_MAX = 78;

/** Field name in lower case → values in the order of the block. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

export interface HeaderBlock {
  readonly fields: HeaderFields;
  readonly bodyStart: number;
}

/** Reads the block from `start` to an empty line or `end`. Lines may end in CRLF or LF. */
export function readHeaderFields(
  bytes: Uint8Array,
  start: number,
  end: number,
  octetsMax: number,
): Result<HeaderBlock, string> {
  const fields = new Map<string, string[]>();
  let count = 0;
  let at = start;
  while (at < end) {
    const [lineEnd, next] = lineAt(bytes, at, end);
    if (next - start > octetsMax) return refused(`the header is longer than ${octetsMax} octets`);
    if (lineEnd === at) return ok({ fields, bodyStart: next });
    const [fieldEnd, after] = unfolded(bytes, lineEnd, next, end);
    if (after - start > octetsMax) return refused(`the header is longer than ${octetsMax} octets`);
    count += 1;
    if (count > FIELDS_MAX) return refused(`the header has more than ${FIELDS_MAX} fields`);
    const text = decodeUnnamed(bytes.subarray(at, fieldEnd));
    const colon = text.indexOf(":");
    const name = text.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
    // Lines that are not fields (mbox's "From …") are ignored.
    if (/^[!-9;-~]+$/.test(name)) {
      const value = withoutControls(text.slice(colon + 1).replaceAll(/\r?\n/g, "")).trim();
      const values = fields.get(name);
      if (values) values.push(value);
      else fields.set(name, [value]);
    }
    at = after;
  }
  return ok({ fields, bodyStart: end });
}

export function firstField(fields: HeaderFields, name: string): string | undefined {
  return fields.get(name)?.[0];
}

/** Where the line at `at` ends, and where the next one begins. */
export function lineAt(bytes: Uint8Array, at: number, end: number): readonly [lineEnd: number, next: number] {
  const newline = bytes.indexOf(LF, at);
  if (newline === -1 || newline >= end) return [end, end];
  return [newline > at && bytes[newline - 1] === CR ? newline - 1 : newline, newline + 1];
}

/** RFC 5322 2.2.3: a line that begins with white space continues the one before. */
function unfolded(bytes: Uint8Array, lineEnd: number, next: number, end: number): readonly [number, number] {
  let fieldEnd = lineEnd;
  let after = next;
  while (after < end && (bytes[after] === 0x20 || bytes[after] === 0x09)) {
    [fieldEnd, after] = lineAt(bytes, after, end);
  }
  return [fieldEnd, after];
}

/**
 * One field and its CRLF. No value can start another field: control characters become spaces, non-ASCII characters
 * become question marks, and lines are folded only at spaces.
 */
export function fieldLine(name: string, value: string): string {
  const words = withoutControls(value.trim())
    .replaceAll(/[^ -~]/gu, "?")
    .split(" ");
  const lines: string[] = [];
  let line = `${name}:`;
  for (const word of words) {
    const isFull = line.length + 1 + word.length > LINE_MAX;
    // A line must not be only white space, and not every peer accepts a value that begins on the second line.
    if (isFull && word !== "" && line.trim() !== "" && line !== `${name}:`) {
      lines.push(line);
      line = "";
    }
    line += ` ${word}`;
  }
  lines.push(line);
  return `${lines.join("\r\n")}\r\n`;
}

function withoutControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}
