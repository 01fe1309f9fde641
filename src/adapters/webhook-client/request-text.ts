// The text of a request (RFC 9112 3).

import { forgetOldest } from "../../base/forget-oldest.ts";
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
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${origin.host}\r\nconnection: keep-alive\r\nuser-agent: tandem\r\naccept-encoding: identity`;
  for (const name in headers) {
    const value = headers[name] as string;
    const start = lineStarts.get(name) ?? lineStartOf(name);
    if (start === undefined || !SENDABLE.test(value)) return undefined;
    text += start;
    text += value;
  }
  return `${text}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** What stands before the value of a header; the headers that we send have few names. */
const lineStarts = new Map<string, string>();
const NAMES_MAX = 100;

function lineStartOf(name: string): string | undefined {
  if (!TOKEN.test(name)) return undefined;
  const start = `\r\n${name}: `;
  lineStarts.set(name, start);
  forgetOldest(lineStarts, NAMES_MAX);
  return start;
}
