// The transfer encodings of RFC 2045. Writes base64 in lines; reads base64 and quoted-printable as tolerantly as
// section 6 asks: it skips invalid characters and never fails.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CODES = Uint8Array.from(ALPHABET, (char) => char.charCodeAt(0));
const NOT_OF_IT = 255;
const PAD = 0x3d;
const CR = 0x0d;
const LF = 0x0a;
/** 19 groups of four: RFC 2045 6.8 allows no more than 76 characters. */
const LINE_OCTETS = 57;

const VALUES = new Uint8Array(256).fill(NOT_OF_IT);
for (const [value, code] of CODES.entries()) VALUES[code] = value;

/** The length of the encoded lines, each with its CRLF. */
export function base64Length(octets: number): number {
  return Math.ceil(octets / 3) * 4 + Math.ceil(octets / LINE_OCTETS) * 2;
}

/** Writes into `out` from `at` on, and returns where it ended. */
export function writeBase64(bytes: Uint8Array, out: Uint8Array, at: number): number {
  const whole = bytes.length - (bytes.length % 3);
  let to = at;
  let from = 0;
  while (from < whole) {
    const lineEnd = Math.min(whole, from + LINE_OCTETS);
    for (; from < lineEnd; from += 3) {
      const group = ((bytes[from] as number) << 16) | ((bytes[from + 1] as number) << 8) | (bytes[from + 2] as number);
      out[to++] = CODES[group >> 18] as number;
      out[to++] = CODES[(group >> 12) & 63] as number;
      out[to++] = CODES[(group >> 6) & 63] as number;
      out[to++] = CODES[group & 63] as number;
    }
    if (from % LINE_OCTETS === 0) {
      out[to++] = CR;
      out[to++] = LF;
    }
  }
  const rest = bytes.length - whole;
  if (rest > 0) {
    const group = ((bytes[from] as number) << 16) | (rest === 2 ? (bytes[from + 1] as number) << 8 : 0);
    out[to++] = CODES[group >> 18] as number;
    out[to++] = CODES[(group >> 12) & 63] as number;
    out[to++] = rest === 2 ? (CODES[(group >> 6) & 63] as number) : PAD;
    out[to++] = PAD;
  }
  if (bytes.length % LINE_OCTETS !== 0) {
    out[to++] = CR;
    out[to++] = LF;
  }
  return to;
}

export function decodeBase64(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil((bytes.length * 3) / 4));
  let to = 0;
  let group = 0;
  let sextets = 0;
  for (let at = 0; at < bytes.length; at++) {
    // Nearly all input is whole groups of four characters.
    while (sextets === 0 && at + 4 <= bytes.length) {
      const first = VALUES[bytes[at] as number] as number;
      const second = VALUES[bytes[at + 1] as number] as number;
      const third = VALUES[bytes[at + 2] as number] as number;
      const fourth = VALUES[bytes[at + 3] as number] as number;
      if ((first | second | third | fourth) > 63) break;
      out[to++] = (first << 2) | (second >> 4);
      out[to++] = (second << 4) | (third >> 2);
      out[to++] = (third << 6) | fourth;
      at += 4;
    }
    if (at >= bytes.length) break;
    const code = bytes[at] as number;
    const value = VALUES[code] as number;
    if (value === NOT_OF_IT) {
      if (code === PAD) break;
      continue;
    }
    group = (group << 6) | value;
    if (++sextets < 4) continue;
    out[to++] = group >> 16;
    out[to++] = group >> 8;
    out[to++] = group;
    group = 0;
    sextets = 0;
  }
  if (sextets === 3) {
    out[to++] = group >> 10;
    out[to++] = group >> 2;
  } else if (sextets === 2) {
    out[to++] = group >> 4;
  }
  return out.slice(0, to);
}

export function decodeQuotedPrintable(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let to = 0;
  let at = 0;
  while (at < bytes.length) {
    const code = bytes[at] as number;
    if (code !== PAD) {
      out[to++] = code;
      at += 1;
      continue;
    }
    const lineEnd = endOfSoftBreak(bytes, at + 1);
    if (lineEnd !== undefined) {
      at = lineEnd;
      continue;
    }
    const high = hexValue(bytes[at + 1]);
    const low = hexValue(bytes[at + 2]);
    if (high === undefined || low === undefined) {
      // RFC 2045 6.7: an = that does not start an escape is kept as it is.
      out[to++] = code;
      at += 1;
      continue;
    }
    out[to++] = (high << 4) | low;
    at += 3;
  }
  return out.slice(0, to);
}

/** RFC 2045 6.7 (5): = at the end of a line. The transport may have added white space after it. */
function endOfSoftBreak(bytes: Uint8Array, start: number): number | undefined {
  let at = start;
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1;
  if (at >= bytes.length) return at;
  if (bytes[at] === LF) return at + 1;
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : undefined;
}

export function hexValue(code: number | undefined): number | undefined {
  if (code === undefined) return undefined;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}
