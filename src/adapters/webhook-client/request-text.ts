// The text of a request (RFC 9112 3).

import type { UrlTarget } from "../guard/address-guard.ts";

/** Header values: ASCII without control characters. */
const SENDABLE = /^[\t\x20-\x7e]*$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Undefined for a header that cannot be sent: a line break in it would inject another header. */
export function requestText(
  { origin, path }: UrlTarget,
  headers: Readonly<Record<string, string>>,
  body: string,
  method: "POST" | "GET" = "POST",
): string | undefined {
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${origin.host}\r\nconnection: keep-alive\r\nuser-agent: tandem\r\naccept-encoding: identity\r\n`;
  for (const name in headers) {
    const value = headers[name] as string;
    if (!TOKEN.test(name) || !SENDABLE.test(value)) return undefined;
    text += `${name}: ${value}\r\n`;
  }
  return `${text}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
