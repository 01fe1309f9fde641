// Values with parameters, as in Content-Type and Content-Disposition: RFC 2045 5.1, and RFC 2231 for non-ASCII values.

import { decodeCharset } from "./charset.ts";
import { decodeEncodedWords } from "./encoded-words.ts";
import { decodePercent } from "./transfer-encoding.ts";

export interface Parameterized {
  /** In lower case. */
  readonly value: string;
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const PARAMETERS_MAX = 64;
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;]*))/g;

export function parseParameterized(text: string): Parameterized {
  const semicolon = text.indexOf(";");
  const value = (semicolon === -1 ? text : text.slice(0, semicolon)).trim().toLowerCase();
  const written = new Map<string, string>();
  if (semicolon !== -1) {
    for (const [, name = "", quoted, token] of text.slice(semicolon).matchAll(PARAMETER)) {
      if (written.size >= PARAMETERS_MAX) break;
      const key = name.toLowerCase();
      if (!written.has(key)) written.set(key, quoted === undefined ? (token ?? "") : quoted.replaceAll(/\\(.)/g, "$1"));
    }
  }
  const parameters = new Map<string, string>();
  for (const key of written.keys()) {
    const name = key.replace(/\*.*$/, "");
    if (!parameters.has(name)) parameters.set(name, parameterOf(written, name));
  }
  return { value, parameters };
}

/** RFC 2231 3 and 4: `name*=`, or `name*0=`, `name*1*=`, … joined. Many peers write RFC 2047 words instead. */
function parameterOf(written: ReadonlyMap<string, string>, name: string): string {
  const whole = written.get(`${name}*`);
  if (whole !== undefined) return decodeExtended(whole);
  if (written.get(`${name}*0`) === undefined && written.get(`${name}*0*`) === undefined) {
    return decodeEncodedWords(written.get(name) ?? "");
  }
  let text = "";
  let isExtended = false;
  for (let section = 0; section < PARAMETERS_MAX; section++) {
    const encoded = written.get(`${name}*${section}*`);
    const plain = written.get(`${name}*${section}`);
    if (encoded === undefined && plain === undefined) break;
    if (section === 0) isExtended = encoded !== undefined;
    // A % in a plain section is a literal one.
    text += encoded ?? (isExtended ? (plain ?? "").replaceAll("%", "%25") : plain);
  }
  return isExtended ? decodeExtended(text) : text;
}

/** `charset'language'text` with %XX. */
function decodeExtended(text: string): string {
  const parts = /^([^']*)'[^']*'(.*)$/s.exec(text);
  const [, charset, escaped = ""] = parts ?? ["", undefined, text];
  return decodeCharset(decodePercent(escaped), charset);
}

/** `; name="value"`, or `; name*=utf-8''…` for a value that is not plain ASCII. */
export function formatParameter(name: string, value: string): string {
  if (/^[ -~]*$/.test(value) && !value.includes("=?")) return `; ${name}="${value.replaceAll(/["\\]/g, "\\$&")}"`;
  const escaped = Array.from(new TextEncoder().encode(value), (octet) =>
    /[A-Za-z0-9._-]/.test(String.fromCharCode(octet))
      ? String.fromCharCode(octet)
      : `%${octet.toString(16).toUpperCase().padStart(2, "0")}`,
  );
  return `; ${name}*=utf-8''${escaped.join("")}`;
}
