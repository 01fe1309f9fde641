// Parses untrusted JSON: any bytes give a value or a reason. Stricter than JSON.parse, which would lose data silently:
// refuses bytes that are not UTF-8, duplicate member names, and nesting deeper than DEPTH_MAX.

import { ok, type Result, refused } from "./result.ts";

const DEPTH_MAX = 32;

export function parseStrictJson(bytes: Uint8Array): Result<unknown, string> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refused("The body is not valid UTF-8.");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refused(`The body is not valid JSON: ${reasonOf(error)}.`);
  }
  const fault = faultOfStructure(text);
  return fault === undefined ? ok(value) : refused(fault);
}

/** V8's message gives the position and quotes the text; only the position is kept. */
function reasonOf(error: unknown): string {
  const place = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
  return place === undefined ? "it ends too early or is not JSON at all" : `unexpected character ${place}`;
}

/** The text has passed JSON.parse, so only strings, brackets and commas matter. */
function faultOfStructure(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let nameMayFollow = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        const names = open.at(-1);
        if (nameMayFollow && names) {
          const name = JSON.parse(text.slice(at, end + 1)) as string;
          if (names.has(name)) return `The member "${name.slice(0, 64)}" is given twice.`;
          names.add(name);
        }
        nameMayFollow = false;
        at = end;
        break;
      }
      case 0x7b:
        open.push(new Set());
        nameMayFollow = true;
        break;
      case 0x5b:
        open.push(undefined);
        nameMayFollow = false;
        break;
      case 0x7d:
      case 0x5d:
        open.pop();
        break;
      case 0x2c:
        nameMayFollow = open.at(-1) !== undefined;
        break;
      default:
    }
    if (open.length > DEPTH_MAX) return `The body is nested deeper than ${DEPTH_MAX} levels.`;
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}
