// Parses the head of a plain request, which every HTTP parser reads in the same way. A head with anything else (another
// method, a body without Content-Length, a repeated header, a header that changes the connection or that only browsers
// send) is not accepted.

import type { IncomingHttpHeaders } from "node:http";

export interface RequestHead {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyLength: number;
}

/** Address and headers together. */
export const HEADER_BYTES_MAX = 16 * 1024;

const FIRST_LINE = /^POST (\/[!-~]*) HTTP\/1\.1$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([!-~](?:[ -~]*[!-~])?)$/;
const LENGTH = /^\d{1,6}$/;
/** Headers about the connection, the framing or proxies, and those by which pages of other sites are known. */
const UNUSUAL =
  /^(transfer-encoding|te|trailer|expect|upgrade|keep-alive|proxy-.*|content-encoding|http2-settings|forwarded|x-forwarded-.*|origin|sec-fetch-site)$/;
const HEADERS_MAX = 50;

/** `text` is everything before the empty line, one character for each byte. */
export function readRequestHead(text: string): RequestHead | undefined {
  const [first = "", ...lines] = text.split("\r\n", HEADERS_MAX + 2);
  const path = FIRST_LINE.exec(first)?.[1];
  if (path === undefined || lines.length > HEADERS_MAX) return undefined;
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, given = "", value = ""] = HEADER_LINE.exec(line) ?? [];
    const name = given.toLowerCase();
    if (name === "" || name in headers || UNUSUAL.test(name)) return undefined;
    headers[name] = value;
  }
  const { host, connection = "keep-alive", "content-length": length = "" } = headers;
  if (host === undefined || connection.toLowerCase() !== "keep-alive" || !LENGTH.test(length)) return undefined;
  return { path, headers, bodyLength: Number(length) };
}
