// The transfer encodings of RFC 2045. Writes base64 in lines; reads base64 and quoted-printable as tolerantly as
// section 6 asks: it skips invalid characters and never fails.

/** RFC 2045 6.8 allows no more characters in a line. */
const LINE_MAX = 76;

/** The length of the encoded lines, each with its CRLF. */
export function base64Length(octets: number): number {
  const characters = Math.ceil(octets / 3) * 4;
  return characters + Math.ceil(characters / LINE_MAX) * 2;
}

/** Lines, each with its CRLF. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = bufferOf(bytes).toString("base64");
  return text.replaceAll(/.{1,76}/g, "$&\r\n");
}

/** Padding ends the data; other characters outside the alphabet are skipped. */
export function decodeBase64(bytes: Uint8Array): Uint8Array {
  const text = bufferOf(bytes).toString("latin1");
  return Uint8Array.from(Buffer.from(text.replaceAll(/=.*|[^A-Za-z0-9+/=]+/gs, ""), "base64"));
}

/**
 * RFC 2045 6.7 (5): = at the end of a line is a soft break, also when the transport has added white space after it.
 * Another = that does not start an escape is kept as it is.
 */
export function decodeQuotedPrintable(bytes: Uint8Array): Uint8Array {
  const text = bufferOf(bytes).toString("latin1");
  return latin1Bytes(text.replaceAll(/=(?:[ \t]*(?:\r?\n|$)|([0-9A-Fa-f]{2}))/g, octetOf));
}

/** %XX, as in RFC 2231 and in URLs. */
export function decodePercent(text: string): Uint8Array {
  return latin1Bytes(text.replaceAll(/%([0-9A-Fa-f]{2})/g, octetOf));
}

export function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "latin1"));
}

function octetOf(_: string, hex: string | undefined): string {
  return hex === undefined ? "" : String.fromCharCode(Number.parseInt(hex, 16));
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
