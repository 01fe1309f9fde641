// Refuses requests outside of a dialog before anything else is done with them (RFC 3261 8.2), with the response to
// send.

import { parseUri } from "../../../rules/sip-uri.ts";
import { ALLOWED } from "./leg-transition.ts";
import { hasToken, headerOf, numberOf, type SipMessage, sdpOf, tokensOf } from "./message.ts";
import { isIntervalTooSmall, MIN_SE_SECONDS } from "./session-timer.ts";
import { SDP_TYPE } from "./write.ts";

export interface RequestRefusal {
  readonly status: number;
  readonly lines: string;
}

const METHODS = new Set(ALLOWED.split(", "));
/** Methods that we know but do not support: 405. Any other is 501. */
const OTHER_METHODS = new Set(["REGISTER", "SUBSCRIBE", "NOTIFY", "MESSAGE", "PUBLISH"]);
/** RFC 3326: a transfer is refused permanently, so that the peer neither retries it nor blames a fault of ours. */
export const REFER_LINES = `Reason: SIP;cause=603;text="Calls are not transferred by REFER"\r\nAllow: ${ALLOWED}\r\n`;
const EXTENSIONS = new Set(["100rel", "timer"]);

/** Undefined when the request is acceptable. */
export function refusalOf(request: SipMessage): RequestRefusal | undefined {
  const { method } = request;
  if (method === "REFER") return { status: 603, lines: REFER_LINES };
  if (!METHODS.has(method)) {
    return { status: OTHER_METHODS.has(method) ? 405 : 501, lines: `Allow: ${ALLOWED}\r\n` };
  }
  if (parseUri(request.uri)?.scheme === "other") return { status: 416, lines: "" };
  if (numberOf(request, "max-forwards", 255) === 0) return { status: 483, lines: "" };
  return extensionRefusal(request) ?? (method === "INVITE" ? inviteRefusal(request) : undefined);
}

/** RFC 3261 8.2.2.3. */
export function extensionRefusal(request: SipMessage): RequestRefusal | undefined {
  const unknown = tokensOf(request, "require").filter((tag) => !EXTENSIONS.has(tag));
  return unknown.length > 0 ? { status: 420, lines: `Unsupported: ${unknown.join(", ")}\r\n` } : undefined;
}

function inviteRefusal(request: SipMessage): RequestRefusal | undefined {
  if (request.body !== "" && !hasSdp(request)) return { status: 415, lines: `Accept: ${SDP_TYPE}\r\n` };
  const accept = headerOf(request, "accept");
  if (accept !== undefined && !mayAcceptSdp(request)) return { status: 406, lines: "" };
  if (isIntervalTooSmall(request)) return { status: 422, lines: `Min-SE: ${MIN_SE_SECONDS}\r\n` };
  return undefined;
}

function hasSdp(request: SipMessage): boolean {
  const encoding = headerOf(request, "content-encoding")?.toLowerCase() ?? "identity";
  return sdpOf(request) !== undefined && encoding === "identity";
}

function mayAcceptSdp(request: SipMessage): boolean {
  const isNamed = ["*/*", "application/*", SDP_TYPE].some((type) => hasToken(request, "accept", type));
  return isNamed || tokensOf(request, "accept").some((type) => /^(?:\*\/\*|application\/(?:\*|sdp))[ \t]*;/.test(type));
}
