// Parses a SIP message from its octets (see octets.ts). Total: any text gives a message or a refusal, in time
// proportional to its length. Tolerant where RFC 3261 7.3.1 asks for it (folding, white space, case, compact forms,
// bare line feeds) and strict where a guess would let two parsers see different messages.

import { parseUri, URI_LENGTH_MAX } from "../../../rules/sip-uri.ts";
import { canonicalName } from "./header-names.ts";
import { fieldsOf, type SipMessage } from "./message.ts";
import { parseNameAddr, splitValues } from "./name-addr.ts";
import { COLON, CR, isBlank, isCallId, isToken, LF, parseCount, SPACE } from "./octets.ts";
import { parameterOf } from "./parameters.ts";
import { MAGIC_COOKIE, parseVia } from "./via.ts";

/** Why a message was refused. `headers` and `method` allow a response, if it was a request. */
export interface BadMessage {
  readonly status: 400 | 414 | 505;
  readonly reason: string;
  readonly headers: readonly string[];
  /** Undefined when it cannot be answered: a response, an ACK, or not a message. */
  readonly method: string | undefined;
}

export type Parsed =
  | { readonly ok: true; readonly message: SipMessage }
  | { readonly ok: false; readonly refusal: BadMessage };

export const HEADERS_MAX = 200;
const CSEQ_MAX = 0x7fffffff;

interface StartLine {
  readonly kind: "request" | "response";
  readonly method: string;
  readonly uri: string;
  readonly status: number;
  readonly reason: string;
}

export function parseMessage(text: string): Parsed {
  const startAt = skipLineBreaks(text);
  const lineEnd = text.indexOf("\n", startAt);
  if (lineEnd === -1) return bad(400, "Not a SIP message", [], undefined);
  const headers: string[] = [];
  const bodyAt = readHeaders(text, lineEnd + 1, headers);
  const start = parseStartLine(text.slice(startAt, endOfLine(text, lineEnd)));
  if (typeof start !== "object") return bad(statusOf(start), start, headers, methodOf(text, startAt));
  const answerable = start.kind === "request" ? start.method : undefined;
  if (typeof bodyAt === "string") return bad(400, bodyAt, headers, answerable);
  const message = assemble(start, headers, text, bodyAt);
  return typeof message === "string" ? bad(400, message, headers, answerable) : { ok: true, message };
}

function bad(
  status: BadMessage["status"],
  reason: string,
  headers: readonly string[],
  method: string | undefined,
): Parsed {
  return { ok: false, refusal: { status, reason, headers, method: method === "ACK" ? undefined : method } };
}

const UNKNOWN_VERSION = "Version Not Supported";
const LONG_URI = "Request-URI Too Long";

function statusOf(reason: string): BadMessage["status"] {
  return reason === UNKNOWN_VERSION ? 505 : reason === LONG_URI ? 414 : 400;
}

/** RFC 3261 7.5: line breaks before the start line are ignored. */
function skipLineBreaks(text: string): number {
  let at = 0;
  while (at < text.length && (text.charCodeAt(at) === CR || text.charCodeAt(at) === LF)) at++;
  return at;
}

function endOfLine(text: string, lineFeed: number): number {
  return text.charCodeAt(lineFeed - 1) === CR ? lineFeed - 1 : lineFeed;
}

function parseStartLine(line: string): StartLine | string {
  if (line.startsWith("SIP/")) return parseStatusLine(line);
  const first = line.indexOf(" ");
  const last = line.lastIndexOf(" ");
  if (first < 1 || last === first) return "Malformed request line";
  const version = line.slice(last + 1);
  const uri = line.slice(first + 1, last);
  const method = line.slice(0, first);
  if (version !== "SIP/2.0") {
    if (/^SIP\/\d+\.\d+$/i.test(version) && version.toUpperCase() !== "SIP/2.0") return UNKNOWN_VERSION;
    if (version.toUpperCase() !== "SIP/2.0") return "Malformed request line";
  }
  if (!isToken(method) || method.length > 64) return "Malformed method";
  if (uri.length > URI_LENGTH_MAX) return LONG_URI;
  const parsed = parseUri(uri);
  if (!parsed) return "Malformed Request-URI";
  // RFC 3261 19.1.1: headers are not allowed in a Request-URI.
  if ("headers" in parsed && parsed.headers !== "") return "Headers in the Request-URI";
  return { kind: "request", method, uri, status: 0, reason: "" };
}

function parseStatusLine(line: string): StartLine | string {
  const code = parseCount(line.slice(8, 11), 699);
  const isShaped = line.startsWith("SIP/2.0 ") && (line.length === 11 || line.charCodeAt(11) === SPACE);
  if (!isShaped || code === undefined || code < 100) return "Malformed status line";
  return { kind: "response", method: "", uri: "", status: code, reason: line.slice(12) };
}

/** The method of a refused start line, if it can be recognised, so that the refusal can be sent. */
function methodOf(text: string, start: number): string | undefined {
  if (text.startsWith("SIP/", start)) return undefined;
  const method = text.slice(start, text.indexOf(" ", start));
  return method.length <= 64 && isToken(method) ? method : undefined;
}

/** Fills `headers`; returns where the body begins, or the fault. */
function readHeaders(text: string, start: number, headers: string[]): number | string {
  let at = start;
  for (;;) {
    const lineFeed = text.indexOf("\n", at);
    if (lineFeed === -1) return "The header has no end";
    let end = endOfLine(text, lineFeed);
    if (end === at) return lineFeed + 1;
    if (headers.length >= 2 * HEADERS_MAX) return "Too many header fields";
    let next = lineFeed + 1;
    let value: string | undefined;
    const colon = text.indexOf(":", at);
    if (colon === -1 || colon > end) return "A header field without a colon";
    while (isBlank(text.charCodeAt(next))) {
      const more = text.indexOf("\n", next);
      if (more === -1) return "The header has no end";
      // RFC 3261 7.3.1: a line that begins with white space continues the field.
      value = `${value ?? text.slice(colon + 1, end)} ${text.slice(next, endOfLine(text, more)).trim()}`;
      end = endOfLine(text, more);
      next = more + 1;
    }
    const name = fieldName(text, at, colon);
    if (name === undefined) return "A malformed header field name";
    const trimmed = value === undefined ? trimmedSlice(text, colon + 1, end) : value.trim();
    if (trimmed.includes("\r")) return "A carriage return inside a header field";
    headers.push(name, trimmed);
    at = next;
  }
}

function fieldName(text: string, start: number, colon: number): string | undefined {
  let end = colon;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  const written = text.slice(start, end);
  return isToken(written) && text.charCodeAt(colon) === COLON ? canonicalName(written) : undefined;
}

function trimmedSlice(text: string, start: number, end: number): string {
  let first = start;
  let last = end;
  while (first < last && isBlank(text.charCodeAt(first))) first++;
  while (last > first && isBlank(text.charCodeAt(last - 1))) last--;
  return text.slice(first, last);
}

/** Fields that a message has once at most, as refusals spell them. */
const SINGLE: ReadonlyMap<string, string> = new Map(
  ["From", "To", "Call-ID", "CSeq", "Content-Length", "Max-Forwards"].map((name) => [canonicalName(name), name]),
);

/** The first field of each name; a string names one that must not occur twice. */
function firstFields(headers: readonly string[]): ReadonlyMap<string, string> | string {
  const fields = new Map<string, string>();
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as string;
    if (!fields.has(name)) fields.set(name, headers[at + 1] as string);
    else if (SINGLE.has(name)) return `${SINGLE.get(name)} twice`;
  }
  return fields;
}

function assemble(start: StartLine, headers: readonly string[], text: string, bodyAt: number): SipMessage | string {
  const fields = firstFields(headers);
  if (typeof fields === "string") return fields;
  const callId = fields.get("call-id");
  const topVia = fields.get("via");
  if (topVia === undefined) return "Via is missing";
  if (callId === undefined) return "Call-ID is missing";
  const via = parseVia(topVia);
  if (!via) return "Malformed Via";
  if (via.branch === MAGIC_COOKIE) return "An empty branch in Via";
  const from = parseNameAddr(fields.get("from") ?? "");
  if (!from) return "Malformed From";
  const to = parseNameAddr(fields.get("to") ?? "");
  if (!to) return "Malformed To";
  if (!isCallId(callId)) return "Malformed Call-ID";
  const cseq = /^(\d{1,15})[ \t]+(\S+)$/.exec(fields.get("cseq") ?? "");
  const number = parseCount(cseq?.[1] ?? "", CSEQ_MAX);
  const method = cseq?.[2] ?? "";
  if (number === undefined || !isToken(method)) return "Malformed CSeq";
  if (start.kind === "request" && method !== start.method) return "CSeq names another method";
  const fault = faultOf(fields, headers);
  if (fault !== undefined) return fault;
  const body = bodyOf(fields.get("content-length"), text, bodyAt);
  if (body === undefined) return "Content-Length does not fit";
  const { kind, uri, status, reason } = start;
  return {
    kind,
    method,
    uri,
    status,
    reason,
    headers,
    body,
    via,
    callId,
    cseq: number,
    from,
    to,
    fromTag: parameterOf(from.parameters, "tag") ?? "",
    toTag: parameterOf(to.parameters, "tag") ?? "",
    text,
  };
}

// RFC 3261 20.17: the only zone is GMT.
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/i;

function faultOf(fields: ReadonlyMap<string, string>, headers: readonly string[]): string | undefined {
  const [maxForwards, date] = [fields.get("max-forwards"), fields.get("date")];
  if (maxForwards !== undefined && parseCount(maxForwards, 255) === undefined) return "Malformed Max-Forwards";
  if (date !== undefined && !DATE.test(date)) return "Malformed Date";
  const isRead = (value: string) =>
    value === "*" || splitValues(value)?.every((contact) => parseNameAddr(contact) !== undefined);
  return fieldsOf({ headers }, "contact").every(isRead) ? undefined : "Malformed Contact";
}

/** RFC 3261 18.3: octets beyond Content-Length are ignored; without one, the body is the rest of the text. */
function bodyOf(contentLength: string | undefined, text: string, start: number): string | undefined {
  if (contentLength === undefined) return text.slice(start);
  const length = parseCount(contentLength, text.length - start);
  return length === undefined ? undefined : text.slice(start, start + length);
}
