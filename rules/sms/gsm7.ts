// The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038, 6.2.1), unpacked: one septet an octet, as
// SMPP carries it. National shift tables are not used: a text outside this alphabet goes as UCS-2.

const ESCAPE = 0x1b;

// 6.2.1: the position in the string is the code. Code 0x1b is the escape and stands for no character.
const DEFAULT_ALPHABET =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

// 6.2.1.1: characters that follow the escape.
const EXTENSION: readonly (readonly [number, string])[] = [
  [0x0a, "\f"],
  [0x14, "^"],
  [0x28, "{"],
  [0x29, "}"],
  [0x2f, "\\"],
  [0x3c, "["],
  [0x3d, "~"],
  [0x3e, "]"],
  [0x40, "|"],
  [0x65, "€"],
];

const NOT_GSM7 = 0xff;
const EXTENDED = 0x80;
const EURO = 0x20ac;
const TABLE_SIZE = 0x400;

// Code unit → septet, with EXTENDED set where the escape comes first. Every character but the euro lies below
// TABLE_SIZE.
const SEPTET_OF = new Uint8Array(TABLE_SIZE).fill(NOT_GSM7);
const EXTENDED_TEXT: (string | undefined)[] = new Array(128).fill(undefined);
for (let code = 0; code < DEFAULT_ALPHABET.length; code++) {
  if (code !== ESCAPE) SEPTET_OF[DEFAULT_ALPHABET.charCodeAt(code)] = code;
}
for (const [code, text] of EXTENSION) {
  EXTENDED_TEXT[code] = text;
  if (text.charCodeAt(0) < TABLE_SIZE) SEPTET_OF[text.charCodeAt(0)] = code | EXTENDED;
}

function septetOf(unit: number): number {
  if (unit < TABLE_SIZE) return SEPTET_OF[unit] as number;
  return unit === EURO ? 0x65 | EXTENDED : NOT_GSM7;
}

/** How many septets one UTF-16 code unit takes: 1, 2 with an escape, or 0 when the alphabet does not have it. */
export function septetsOfUnit(unit: number): 0 | 1 | 2 {
  const septet = septetOf(unit);
  if (septet === NOT_GSM7) return 0;
  return septet & EXTENDED ? 2 : 1;
}

/** How many septets the text takes, or -1 when it does not fit the alphabet. */
export function countSeptets(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const septet = septetOf(text.charCodeAt(at));
    if (septet === NOT_GSM7) return -1;
    count += septet & EXTENDED ? 2 : 1;
  }
  return count;
}

/** One septet an octet, or undefined when the text does not fit the alphabet. */
export function encodeGsm7(text: string): Uint8Array | undefined {
  const count = countSeptets(text);
  if (count < 0) return undefined;
  const septets = new Uint8Array(count);
  let to = 0;
  for (let at = 0; at < text.length; at++) {
    const septet = septetOf(text.charCodeAt(at));
    if (septet & EXTENDED) septets[to++] = ESCAPE;
    septets[to++] = septet & 0x7f;
  }
  return septets;
}

/**
 * Never fails: ignores the eighth bit; an escape before a code that the extension table lacks gives that code's default
 * character (6.2.1.1, note 1); a doubled or final escape gives a space.
 */
export function decodeGsm7(septets: Uint8Array): string {
  let text = "";
  for (let at = 0; at < septets.length; at++) {
    const septet = (septets[at] as number) & 0x7f;
    if (septet !== ESCAPE) {
      text += DEFAULT_ALPHABET[septet];
    } else if (at + 1 === septets.length) {
      text += " ";
    } else {
      const next = (septets[++at] as number) & 0x7f;
      text += next === ESCAPE ? " " : (EXTENDED_TEXT[next] ?? DEFAULT_ALPHABET[next]);
    }
  }
  return text;
}
