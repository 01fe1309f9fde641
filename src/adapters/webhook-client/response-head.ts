// Parses the head of an HTTP/1.1 response (RFC 9112): its status line and header fields. Strict where leniency is
// dangerous: lines end with CR LF and a field name is a token; folded lines, contradicting lengths and switched
// protocols are faults.

import { forgetOldest } from "../../base/forget-oldest.ts";

export type ResponseFault =
  | { readonly kind: "too-large"; readonly detail: string }
  | { readonly kind: "protocol"; readonly detail: string };

/** How the body ends: with a known length, with the last chunk, or with the connection. */
export type BodyEnd = "length" | "chunks" | "close";

export interface ResponseHead {
  readonly kind: "final";
  readonly status: number;
  readonly contentType: string | undefined;
  readonly retryAfter: string | undefined;
  /** The peer keeps the connection open after the body. */
  readonly isReusable: boolean;
  /** For how long, if it announces that. */
  readonly keepAliveMs: number | undefined;
  readonly bodyEnd: BodyEnd;
  /** Of the body, where that has a known one. */
  readonly length: number;
}

/** A 1xx response, which precedes the final one. */
export interface InterimHead {
  readonly kind: "interim";
}

interface Fields {
  lengths: string | undefined;
  transferEncoding: string | undefined;
  connection: string | undefined;
  keepAlive: string | undefined;
  contentType: string | undefined;
  retryAfter: string | undefined;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NOT_IN_VALUES = /[\0\r\n]/;
const LENGTH = /^\d{1,15}$/;

export const NOT_HTTP = protocol("The answer is not HTTP/1.1.");
const INTERIM: InterimHead = { kind: "interim" };

// For speed alone (`bench -- webhooks` would notice): a receiver answers with the same head until its date changes.
const known = new Map<string, ResponseHead>();
const KNOWN_MAX = 256;
const KNOWN_LENGTH_MAX = 512;

/** `text` is the head without its empty line. */
export function readHead(text: string): ResponseHead | InterimHead | ResponseFault {
  const found = known.get(text);
  if (found) return found;
  const head = parseHead(text);
  if (head.kind !== "final" || text.length > KNOWN_LENGTH_MAX) return head;
  known.set(text, head);
  forgetOldest(known, KNOWN_MAX);
  return head;
}

function parseHead(text: string): ResponseHead | InterimHead | ResponseFault {
  const lineEnd = text.indexOf("\r\n");
  const line = lineEnd === -1 ? text : text.slice(0, lineEnd);
  const found = STATUS_LINE.exec(line);
  if (!found || NOT_IN_VALUES.test(line)) return NOT_HTTP;
  const status = Number(found[2]);
  // RFC 9110 15.2: a client must be able to parse interim responses, even unexpected ones.
  if (status === 101) return protocol("The answer switches to a protocol that was not requested.");
  if (status < 200) return INTERIM;
  const fields: Fields = {
    lengths: undefined,
    transferEncoding: undefined,
    connection: undefined,
    keepAlive: undefined,
    contentType: undefined,
    retryAfter: undefined,
  };
  let at = lineEnd === -1 ? text.length : lineEnd + 2;
  while (at < text.length) {
    const next = text.indexOf("\r\n", at);
    const end = next === -1 ? text.length : next;
    if (!takeField(fields, text, at, end)) return protocol("The answer has a header that cannot be read.");
    at = end + 2;
  }
  return headOf(status, found[1] === "1", fields);
}

function takeField(fields: Fields, head: string, at: number, end: number): boolean {
  const colon = head.indexOf(":", at);
  if (colon === -1 || colon >= end) return false;
  const name = head.slice(at, colon);
  const value = head.slice(colon + 1, end).trim();
  if (!TOKEN.test(name) || NOT_IN_VALUES.test(value)) return false;
  switch (name.toLowerCase()) {
    case "connection":
      fields.connection = listed(fields.connection, value);
      break;
    case "keep-alive":
      fields.keepAlive = value;
      break;
    case "retry-after":
      fields.retryAfter ??= value;
      break;
    case "content-type":
      fields.contentType ??= value;
      break;
    case "content-length":
      fields.lengths = listed(fields.lengths, value);
      break;
    case "transfer-encoding":
      fields.transferEncoding = listed(fields.transferEncoding, value);
      break;
  }
  return true;
}

/** RFC 9112 6.3: determines the length of the body. */
function headOf(status: number, isOne: boolean, fields: Fields): ResponseHead | ResponseFault {
  const { contentType, retryAfter, connection, keepAlive, transferEncoding, lengths } = fields;
  const given = lengths === undefined ? undefined : lengthOf(lengths);
  if (given === null) return protocol("The length of the answer cannot be read.");
  const staysOpen = isOne ? !names(connection, "close") : names(connection, "keep-alive");
  const keepAliveMs = keepAlive === undefined ? undefined : timeoutOf(keepAlive);
  const head = { kind: "final", status, contentType, retryAfter, keepAliveMs, length: 0 } as const;
  if (status === 204 || status === 304) return { ...head, isReusable: staysOpen, bodyEnd: "length" };
  if (transferEncoding !== undefined) {
    const bodyEnd = /(?:^|,)[ \t]*chunked$/i.test(transferEncoding) ? "chunks" : "close";
    // A Content-Length beside it may be an attempt at response splitting.
    const isReusable = staysOpen && isOne && lengths === undefined && bodyEnd === "chunks";
    return { ...head, isReusable, bodyEnd };
  }
  if (given === undefined) return { ...head, isReusable: false, bodyEnd: "close" };
  return { ...head, isReusable: staysOpen, bodyEnd: "length", length: given };
}

export function protocol(detail: string): ResponseFault {
  return { kind: "protocol", detail };
}

/** RFC 9110 5.3: a repeated field is one list. */
function listed(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before},${value}`;
}

/** Null for anything but one number, which may be repeated. */
function lengthOf(list: string): number | null {
  if (LENGTH.test(list)) return Number(list);
  const [first = "", ...others] = list.split(",").map((value) => value.trim());
  return LENGTH.test(first) && others.every((other) => other === first) ? Number(first) : null;
}

function names(list: string | undefined, option: string): boolean {
  if (list === undefined) return false;
  return list.split(",").some((value) => value.trim().toLowerCase() === option);
}

function timeoutOf(keepAlive: string): number | undefined {
  const seconds = /(?:^|[,;\s])timeout\s*=\s*"?(\d{1,6})/i.exec(keepAlive)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
