// Writes requests and responses. Values from outside are written only through `fieldLine`, which removes line breaks: a
// value can never become a second header field.

import type { SipMessage } from "./message.ts";
import { parseNameAddr } from "./name-addr.ts";
import { parameterOf } from "./parameters.ts";
import { viaWithReceived } from "./via.ts";

/** A request without its Via, which depends on the transport and the route. */
export interface RequestDraft {
  readonly method: string;
  readonly uri: string;
  /** Route values in order. */
  readonly routes: readonly string[];
  /** Default: 70. */
  readonly maxForwards?: number;
  /** Values of From and To, tags included. */
  readonly from: string;
  readonly to: string;
  readonly callId: string;
  readonly cseq: number;
  /** Whole lines, each with its line break. */
  readonly lines: string;
  /** Default: that of an SDP. */
  readonly contentType?: string;
  /** "" if there is none. */
  readonly body: string;
}

export interface ResponseDraft {
  readonly status: number;
  /** Default: the standard phrase. */
  readonly reason?: string | undefined;
  /** Added to To if it has none. */
  readonly toTag?: string;
  /** Whole lines, each with its line break. */
  readonly lines?: string;
  /** Default: that of an SDP. */
  readonly contentType?: string;
  readonly body?: string;
}

export const SDP_TYPE = "application/sdp";
const PRODUCT = "Tandem";

export function fieldLine(name: string, value: string): string {
  return `${name}: ${clean(value)}\r\n`;
}

/** Without control characters; a tab becomes a space. */
export function clean(value: string): string {
  return /\p{Cc}/u.test(value) ? value.replace(/[\p{Cc}]/gu, (control) => (control > "\x7f" ? control : " ")) : value;
}

/** `via` is the whole value of our Via. */
export function writeRequest(draft: RequestDraft, via: string): string {
  let routes = "";
  for (const route of draft.routes) routes += `Route: ${route}\r\n`;
  return (
    `${draft.method} ${draft.uri} SIP/2.0\r\nVia: ${via}\r\n${routes}Max-Forwards: ${draft.maxForwards ?? 70}\r\n` +
    `From: ${draft.from}\r\nTo: ${draft.to}\r\nCall-ID: ${draft.callId}\r\nCSeq: ${draft.cseq} ${draft.method}\r\n` +
    `User-Agent: ${PRODUCT}\r\n${draft.lines}${writeBody(draft)}`
  );
}

function writeBody({ contentType = SDP_TYPE, body = "" }: ResponseDraft | RequestDraft): string {
  if (body === "") return "Content-Length: 0\r\n\r\n";
  return `Content-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** The source of a request, for its Via (RFC 3261 18.2.1, RFC 3581). */
export interface Source {
  readonly address: string;
  readonly port: number;
}

/**
 * RFC 3261 8.2.6.2: a response repeats these fields of its request: Via, From, To, Call-ID, CSeq, and Record-Route if
 * it creates a dialog. Also works on the fields of a refused message.
 */
export function writeResponse(
  request: Pick<SipMessage, "headers"> & { readonly via?: SipMessage["via"] | undefined },
  source: Source,
  draft: ResponseDraft,
): string {
  const { headers } = request;
  let text = `SIP/2.0 ${draft.status} ${draft.reason ?? reasonPhrase(draft.status)}\r\n`;
  let isTop = true;
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] ?? "";
    switch (headers[at]) {
      case "via":
        text += `Via: ${isTop && request.via ? viaWithReceived(value, request.via, source.address, source.port) : value}\r\n`;
        isTop = false;
        break;
      case "from":
        text += `From: ${value}\r\n`;
        break;
      case "to":
        text += !draft.toTag || hasTag(value) ? `To: ${value}\r\n` : `To: ${value};tag=${draft.toTag}\r\n`;
        break;
      case "call-id":
        text += `Call-ID: ${value}\r\n`;
        break;
      case "cseq":
        text += `CSeq: ${value}\r\n`;
        break;
      case "record-route":
        if (draft.status > 100 && draft.status < 300) text += `Record-Route: ${value}\r\n`;
        break;
      case "timestamp":
        if (draft.status === 100) text += `Timestamp: ${value}\r\n`;
        break;
    }
  }
  return `${text}Server: ${PRODUCT}\r\n${draft.lines ?? ""}${writeBody(draft)}`;
}

function hasTag(value: string): boolean {
  const address = parseNameAddr(value);
  return address !== undefined && parameterOf(address.parameters, "tag") !== undefined;
}

const PHRASES: Readonly<Record<number, string>> = {
  100: "Trying",
  180: "Ringing",
  183: "Session Progress",
  200: "OK",
  302: "Moved Temporarily",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  414: "Request-URI Too Long",
  415: "Unsupported Media Type",
  416: "Unsupported URI Scheme",
  420: "Bad Extension",
  421: "Extension Required",
  422: "Session Interval Too Small",
  480: "Temporarily Unavailable",
  481: "Call/Transaction Does Not Exist",
  482: "Loop Detected",
  483: "Too Many Hops",
  484: "Address Incomplete",
  486: "Busy Here",
  487: "Request Terminated",
  488: "Not Acceptable Here",
  491: "Request Pending",
  500: "Server Internal Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  504: "Server Time-out",
  505: "Version Not Supported",
  600: "Busy Everywhere",
  603: "Decline",
  604: "Does Not Exist Anywhere",
  606: "Not Acceptable",
};

export function reasonPhrase(status: number): string {
  return PHRASES[status] ?? (status < 200 ? "Progress" : status < 300 ? "OK" : "Failure");
}
