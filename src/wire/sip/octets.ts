// Characters of RFC 3261 25.1 as tables, for scanners that look at one octet at a time.
//
// A SIP message is held as a string of octets (each character is one octet, 0 to 255), never as decoded UTF-8: lengths
// are then octets, a slice costs nothing, and octets that cannot be decoded are passed on unchanged.

function tableOf(members: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const member of members) table[member.charCodeAt(0)] = 1;
  return table;
}

const ALPHANUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const TOKEN = tableOf(`${ALPHANUM}-.!%*_+\`'~`);
const CALL_ID = tableOf(`${ALPHANUM}-.!%*_+\`'~()<>:\\"/[]?{}@`);

export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const QUOTE = 34;
export const COMMA = 44;
export const COLON = 58;
export const SEMICOLON = 59;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const BACKSLASH = 92;

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

export function isToken(text: string): boolean {
  return consistsOf(text, TOKEN);
}

/** RFC 3261 25.1: word [ "@" word ]; a second @ is tolerated. */
export function isCallId(text: string): boolean {
  return consistsOf(text, CALL_ID);
}

function consistsOf(text: string, table: Uint8Array): boolean {
  if (text.length === 0) return false;
  for (let at = 0; at < text.length; at++) {
    if (table[text.charCodeAt(at)] !== 1) return false;
  }
  return true;
}

/** The end of the quoted string that begins at `start`, after its closing quote; -1 when it never closes. */
export function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
  return -1;
}

export function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Digits only, up to `max`; undefined otherwise, also for numbers too long to be exact. */
export function parseCount(text: string, max: number): number | undefined {
  if (text.length === 0 || text.length > 15) return undefined;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value <= max ? value : undefined;
}
