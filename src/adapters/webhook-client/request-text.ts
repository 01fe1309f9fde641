// The text of a request (RFC 9112 3). The lines that are the same for every request to a URL are built once.

import { hostnameOf, portOf } from "../guard/address-guard.ts";
import type { Origin } from "./connection.ts";

/** A URL that the guard has checked. */
export interface RequestTarget {
  readonly origin: Origin;
  /** What follows the method in the first lines of every request. */
  readonly firstLines: string;
}

/** Header values: ASCII without control characters. */
const SENDABLE = /^[\t\x20-\x7e]*$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export function requestTargetOf(url: URL): RequestTarget {
  const { origin, pathname, search, host } = url;
  return {
    origin: { name: origin, isSecure: url.protocol === "https:", hostname: hostnameOf(url), port: portOf(url) },
    firstLines: ` ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nuser-agent: tandem\r\naccept-encoding: identity\r\n`,
  };
}

/** Undefined for a header that cannot be sent: a line break in it would inject another header. */
export function requestText(
  { firstLines }: RequestTarget,
  headers: Readonly<Record<string, string>>,
  body: string,
  method: "POST" | "GET" = "POST",
): string | undefined {
  let text = method + firstLines;
  for (const name in headers) {
    const value = headers[name] as string;
    if (!TOKEN.test(name) || !SENDABLE.test(value)) return undefined;
    text += `${name}: ${value}\r\n`;
  }
  return `${text}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
