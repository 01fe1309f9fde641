// Header fields of RFC 5322: reading a block of them, within bounds, and writing one that cannot become two.

import { ok, type Result, refused } from "../../base/result.ts";
import { decodeUnnamed } from "./charset.ts";

const CR = 0x0d;
const LF = 0x0a;
const FIELDS_MAX = 256;
/** RFC 5322 2.1.1: lines should be no longer than 78, and must be no longer than 998. */
const LINE_MAX = 78;

/** The values of the fields with this name, in lower case, in their order. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

export interface HeaderBlock {
  readonly fields: HeaderFields;
  readonly bodyStart: number;
}

/** The block that begins at `start` and ends with an empty line or at `end`; its lines may end in CRLF or LF. */
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
    // A line that is no field (mbox's "From …") is nobody's loss.
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

/** RFC 5322 2.2.3: a line that begins with white space goes on with the one before. */
function unfolded(bytes: Uint8Array, lineEnd: number, next: number, end: number): readonly [number, number] {
  let fieldEnd = lineEnd;
  let after = next;
  while (after < end && (bytes[after] === 0x20 || bytes[after] === 0x09)) {
    [fieldEnd, after] = lineAt(bytes, after, end);
  }
  return [fieldEnd, after];
}

/** One field and its CRLF. Whatever the value holds, no line of it can begin another field: control characters become spaces, what is
 *  beyond ASCII a question mark, and lines are folded at spaces only. */
export function fieldLine(name: string, value: string): string {
  const words = withoutControls(value.trim())
    .replaceAll(/[^ -~]/gu, "?")
    .split(" ");
  const lines: string[] = [];
  let line = `${name}:`;
  for (const word of words) {
    const isFull = line.length + 1 + word.length > LINE_MAX;
    // A line must not be white space alone, and not every peer expects a value to begin on the second.
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
