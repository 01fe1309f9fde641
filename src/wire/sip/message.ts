// A SIP message as it was read, and the questions that are asked of it. Header fields beyond those that every message
// needs are read when they are asked for.

import { type NameAddr, parseNameAddr, splitValues } from "./name-addr.ts";
import { parseCount } from "./octets.ts";
import type { Via } from "./via.ts";

export interface SipMessage {
  readonly kind: "request" | "response";
  /** Of the request, or of the request that the response answers. */
  readonly method: string;
  /** As written; "" in a response. */
  readonly uri: string;
  /** 0 in a request. */
  readonly status: number;
  readonly reason: string;
  /** Small-letter name, value, name, value …; folded lines are joined. */
  readonly headers: readonly string[];
  readonly body: string;
  /** The topmost. */
  readonly via: Via;
  readonly callId: string;
  readonly cseq: number;
  readonly from: NameAddr;
  readonly to: NameAddr;
  /** "" where there is none. */
  readonly fromTag: string;
  readonly toTag: string;
  /** All octets that it was read from. */
  readonly text: string;
}

/** The first value of the field, as written, with all that a comma separates. */
export function headerOf({ headers }: Pick<SipMessage, "headers">, name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return headers[at + 1];
  return undefined;
}

/** Every value of the field in order; fields of the same name follow one another. Empty when one cannot be read. */
export function valuesOf({ headers }: Pick<SipMessage, "headers">, name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] !== name) continue;
    const found = splitValues(headers[at + 1] ?? "");
    if (!found) return [];
    for (const value of found) if (value !== "") values.push(value);
  }
  return values;
}

/** Option tags and the like, in small letters. */
export function tokensOf(message: Pick<SipMessage, "headers">, name: string): readonly string[] {
  return valuesOf(message, name).map((value) => value.toLowerCase());
}

export function hasToken(message: Pick<SipMessage, "headers">, name: string, token: string): boolean {
  const { headers } = message;
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] !== name) continue;
    const value = headers[at + 1] ?? "";
    if (
      value === token ||
      value
        .toLowerCase()
        .split(",")
        .some((piece) => piece.trim() === token)
    )
      return true;
  }
  return false;
}

export function numberOf(message: Pick<SipMessage, "headers">, name: string, max = 0xffffffff): number | undefined {
  const value = headerOf(message, name);
  return value === undefined ? undefined : parseCount(value.trim(), max);
}

/** The first Contact; undefined when there is none, `*` or one that cannot be read. */
export function contactOf(message: SipMessage): NameAddr | undefined {
  const [first] = valuesOf(message, "contact");
  return first === undefined ? undefined : parseNameAddr(first);
}

/** The body when its type is SDP. RFC 3261 20.15 wants the type wherever there is a body. */
export function sdpOf(message: SipMessage): string | undefined {
  if (message.body === "") return undefined;
  return contentTypeOf(message) === "application/sdp" ? message.body : undefined;
}

/** In small letters, without parameters. */
export function contentTypeOf(message: Pick<SipMessage, "headers">): string {
  const value = headerOf(message, "content-type") ?? "";
  const semicolon = value.indexOf(";");
  return (semicolon === -1 ? value : value.slice(0, semicolon)).trim().toLowerCase();
}
