// A request as it goes over the wire (RFC 9112 3): what is the same for every request to a URL is written once.

import { hostnameOf, portOf } from "../guard/address-guard.ts";
import type { Origin } from "./connection.ts";

/** A URL that was checked. */
export interface Place {
  readonly origin: Origin;
  /** The first lines of every request. */
  readonly firstLines: string;
}

/** Of values: text without control characters. */
const SENDABLE = /^[\t\x20-\x7e]*$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export function placeOf(url: URL): Place {
  const { origin, pathname, search, host } = url;
  return {
    origin: { name: origin, isSecure: url.protocol === "https:", hostname: hostnameOf(url), port: portOf(url) },
    firstLines: `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nuser-agent: tandem\r\naccept-encoding: identity\r\n`,
  };
}

/** Undefined when a header cannot be sent: a line break in one would begin another. */
export function requestText(
  { firstLines }: Place,
  headers: Readonly<Record<string, string>>,
  body: string,
): string | undefined {
  let text = firstLines;
  for (const name in headers) {
    const value = headers[name] as string;
    if (!TOKEN.test(name) || !SENDABLE.test(value)) return undefined;
    text += `${name}: ${value}\r\n`;
  }
  return `${text}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
