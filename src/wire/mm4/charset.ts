// Decodes bytes of a named charset. Never fails: invalid bytes become U+FFFD, and text in an unknown charset is decoded
// as UTF-8 if it is valid, else as Latin-1.

import { tableOf } from "../../base/table.ts";

/** Names that phones and carriers write → names that TextDecoder knows. */
const DECODERS = tableOf<string>({
  "utf-8": "utf-8",
  utf8: "utf-8",
  "iso-8859-1": "windows-1252",
  "iso-8859-15": "iso-8859-15",
  latin1: "windows-1252",
  "windows-1252": "windows-1252",
  "utf-16": "utf-16le",
  "utf-16le": "utf-16le",
  "utf-16be": "utf-16be",
});

export function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  const wanted = (charset ?? "").toLowerCase();
  const name = wanted === "utf-16" && bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : DECODERS.get(wanted);
  if (name === undefined) return decodeUnnamed(bytes);
  return new TextDecoder(name, { ignoreBOM: name === "utf-8" }).decode(bytes);
}

/** Also used for "us-ascii", because many peers declare ASCII for text that is not. */
export function decodeUnnamed(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
