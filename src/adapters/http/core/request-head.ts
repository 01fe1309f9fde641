// For speed alone (`bench -- messages` would notice): parses the head of a plain request, which every HTTP parser reads
// in the same way. A head with anything else (another method, a body without Content-Length, a repeated header, a
// header that changes the connection or that only browsers send) is not accepted.

import type { IncomingHttpHeaders } from "node:http";

export interface RequestHead {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyLength: number;
}

/** Address and headers together. */
export const HEADER_BYTES_MAX = 16 * 1024;
export const ADDRESS_LENGTH_MAX = 8 * 1024;

const FIRST_LINE = /^(GET|POST) (\/[!-~]*) HTTP\/1\.1\r\n/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([!-~](?:[ -~]*[!-~])?)$/;
const LENGTH = /^\d{1,6}$/;
/** Headers about the connection, the framing or proxies, and those that identify pages of other sites. */
const UNUSUAL =
  /^(transfer-encoding|te|trailer|expect|upgrade|keep-alive|proxy-.*|content-encoding|http2-settings|forwarded|x-forwarded-.*|origin|sec-fetch-site)$/;
const HEADERS_MAX = 50;

/** Reads the heads of one connection. Most clients send the same headers with every request; those are read once. */
export class HeadReader {
  #text: string | undefined;
  #headers: IncomingHttpHeaders | undefined;

  /** `text` is everything before the empty line, one character for each byte. */
  read(text: string): RequestHead | undefined {
    const first = FIRST_LINE.exec(text);
    if (!first) return undefined;
    const [line, method, path] = first as unknown as [string, RequestHead["method"], string];
    const headers = this.#headersOf(text.slice(line.length));
    if (!headers || path.length > ADDRESS_LENGTH_MAX) return undefined;
    const { "content-length": length } = headers;
    if (method === "GET") return length === undefined ? { method, path, headers, bodyLength: 0 } : undefined;
    return length !== undefined && LENGTH.test(length)
      ? { method, path, headers, bodyLength: Number(length) }
      : undefined;
  }

  #headersOf(text: string): IncomingHttpHeaders | undefined {
    if (text !== this.#text) {
      this.#text = text;
      this.#headers = readHeaders(text);
    }
    return this.#headers;
  }
}

function readHeaders(text: string): IncomingHttpHeaders | undefined {
  const lines = text.split("\r\n", HEADERS_MAX + 1);
  if (lines.length > HEADERS_MAX) return undefined;
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, given = "", value = ""] = HEADER_LINE.exec(line) ?? [];
    const name = given.toLowerCase();
    if (name === "" || name in headers || UNUSUAL.test(name)) return undefined;
    headers[name] = value;
  }
  const { host, connection = "keep-alive" } = headers;
  return host === undefined || connection.toLowerCase() !== "keep-alive" ? undefined : headers;
}
