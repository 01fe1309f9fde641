// A parsed SIP message and its accessors. Header fields beyond those that every message needs are parsed on demand.

import { type NameAddr, parseNameAddr, splitValues } from "./name-addr.ts";
import { parseCount } from "./octets.ts";
import { parameterOf, parseParameters, unquoted } from "./parameters.ts";
import type { Via } from "./via.ts";

export interface SipMessage {
  readonly kind: "request" | "response";
  /** Of the request, or of the request that the response belongs to. */
  readonly method: string;
  /** As written; "" in a response. */
  readonly uri: string;
  /** 0 in a request. */
  readonly status: number;
  readonly reason: string;
  /** Lower-case name, value, name, value …; folded lines are joined. */
  readonly headers: readonly string[];
  readonly body: string;
  /** The topmost. */
  readonly via: Via;
  readonly callId: string;
  readonly cseq: number;
  readonly from: NameAddr;
  readonly to: NameAddr;
  /** "" if there is none. */
  readonly fromTag: string;
  readonly toTag: string;
  /** All octets of the message. */
  readonly text: string;
}

/** The first value of the field as written, including everything separated by commas. */
export function headerOf({ headers }: Pick<SipMessage, "headers">, name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return headers[at + 1];
  return undefined;
}

/** All fields of the name, in order, as written. */
export function fieldsOf({ headers }: Pick<SipMessage, "headers">, name: string): readonly string[] {
  return headers.filter((_value, at) => at % 2 === 1 && headers[at - 1] === name);
}

/** All values of the field, in order, over all fields of that name. Empty when one cannot be parsed. */
export function valuesOf(message: Pick<SipMessage, "headers">, name: string): readonly string[] {
  const fields = fieldsOf(message, name).map(splitValues);
  return fields.includes(undefined) ? [] : fields.flatMap((values) => values?.filter((value) => value !== "") ?? []);
}

/** Option tags and the like, in lower case. */
export function tokensOf(message: Pick<SipMessage, "headers">, name: string): readonly string[] {
  return valuesOf(message, name).map((value) => value.toLowerCase());
}

export function hasToken(message: Pick<SipMessage, "headers">, name: string, token: string): boolean {
  const pieces = fieldsOf(message, name).flatMap((field) => field.toLowerCase().split(","));
  return pieces.some((piece) => piece.trim() === token);
}

export function numberOf(message: Pick<SipMessage, "headers">, name: string, max = 0xffffffff): number | undefined {
  const value = headerOf(message, name);
  return value === undefined ? undefined : parseCount(value.trim(), max);
}

/** The first Contact; undefined when there is none, `*` or one that cannot be parsed. */
export function contactOf(message: SipMessage): NameAddr | undefined {
  const [first] = valuesOf(message, "contact");
  return first === undefined ? undefined : parseNameAddr(first);
}

/** Every Contact that can be parsed, highest q first (RFC 3261 20.10). */
export function contactsOf(message: SipMessage): readonly NameAddr[] {
  return valuesOf(message, "contact")
    .flatMap((value) => parseNameAddr(value) ?? [])
    .map((contact) => ({ contact, q: Number(parameterOf(contact.parameters, "q") ?? 1) || 0 }))
    .sort((one, other) => other.q - one.q)
    .map(({ contact }) => contact);
}

/** The SDP of a body: the body itself, or its part in a multipart body (RFC 5621). */
export function sdpOf(message: Pick<SipMessage, "headers" | "body">): string | undefined {
  if (message.body === "") return undefined;
  const type = contentTypeOf(message);
  if (type === "application/sdp") return message.body;
  return type.startsWith("multipart/") ? sdpPartOf(message) : undefined;
}

const PARTS_MAX = 20;

function sdpPartOf(message: Pick<SipMessage, "headers" | "body">): string | undefined {
  const value = headerOf(message, "content-type") ?? "";
  const parameters = parseParameters(value, Math.max(0, value.indexOf(";")));
  const boundary = unquoted((parameters && parameterOf(parameters, "boundary")) ?? "");
  if (boundary === "" || boundary.length > 200) return undefined;
  const parts = `\r\n${message.body}`.split(`\r\n--${boundary}`, PARTS_MAX);
  for (const part of parts.slice(1)) {
    const end = part.indexOf("\r\n\r\n");
    const header = end === -1 ? "" : part.slice(0, end);
    if (/^\r\n(?:[^\r]*\r\n)*?Content-Type[ \t]*:[ \t]*application\/sdp/i.test(header)) return part.slice(end + 4);
  }
  return undefined;
}

/** In lower case, without parameters. */
export function contentTypeOf(message: Pick<SipMessage, "headers">): string {
  const value = headerOf(message, "content-type") ?? "";
  const semicolon = value.indexOf(";");
  return (semicolon === -1 ? value : value.slice(0, semicolon)).trim().toLowerCase();
}
