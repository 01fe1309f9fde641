// Session timers (RFC 4028): a call ends when its other end has vanished without BYE, because one side refreshes the
// session and the other notices when the refresh is missing.

import { hasToken, headerOf, numberOf, type SipMessage } from "./message.ts";
import { parseCount } from "./octets.ts";
import { parameterOf, parseParameters } from "./parameters.ts";

export interface SessionTimer {
  readonly seconds: number;
  readonly isRefresher: boolean;
  /** When we refresh, or when the session counts as dead. */
  readonly dueMs: number;
}

/** RFC 4028 4: shorter intervals are refused. */
export const MIN_SE_SECONDS = 90;
const SECONDS_MAX = 0xffffffff;

interface SessionExpires {
  readonly seconds: number;
  readonly refresher: "uac" | "uas" | undefined;
}

function sessionExpiresOf(message: SipMessage): SessionExpires | undefined {
  const value = headerOf(message, "session-expires");
  if (value === undefined) return undefined;
  const semicolon = value.indexOf(";");
  const seconds = parseCount((semicolon === -1 ? value : value.slice(0, semicolon)).trim(), SECONDS_MAX);
  const parameters = parseParameters(value, semicolon === -1 ? value.length : semicolon);
  if (seconds === undefined || seconds === 0 || !parameters) return undefined;
  const refresher = parameterOf(parameters, "refresher")?.toLowerCase();
  return { seconds, refresher: refresher === "uac" || refresher === "uas" ? refresher : undefined };
}

function startTimer(seconds: number, isRefresher: boolean, nowMs: number): SessionTimer {
  // RFC 4028 10: refresh after half of the interval; give up shortly before its end.
  const waitSeconds = isRefresher ? seconds / 2 : seconds - Math.min(32, seconds / 3);
  return { seconds, isRefresher, dueMs: nowMs + waitSeconds * 1000 };
}

/** The timer that the 2xx to our request agreed on. */
export function timerOfResponse(response: SipMessage, nowMs: number): SessionTimer | undefined {
  const expires = sessionExpiresOf(response);
  if (!expires) return undefined;
  return startTimer(Math.max(MIN_SE_SECONDS, expires.seconds), expires.refresher !== "uas", nowMs);
}

/** Whether a request's interval is refused with 422. */
export function isIntervalTooSmall(request: SipMessage): boolean {
  const expires = sessionExpiresOf(request);
  return expires !== undefined && expires.seconds < MIN_SE_SECONDS && hasToken(request, "supported", "timer");
}

/** The timer that our 2xx to the peer's request agrees on, and the header lines for it. */
export function timerOfRequest(
  request: SipMessage,
  nowMs: number,
): { readonly timer: SessionTimer | undefined; readonly lines: string } {
  const expires = sessionExpiresOf(request);
  if (!expires) return { timer: undefined, lines: "" };
  const isKnown = hasToken(request, "supported", "timer");
  // RFC 4028 9: a peer without support for session timers cannot be the refresher.
  const refresher = isKnown ? (expires.refresher ?? "uac") : "uas";
  const seconds = Math.max(MIN_SE_SECONDS, expires.seconds);
  const require = refresher === "uac" ? "Require: timer\r\n" : "";
  return {
    timer: startTimer(seconds, refresher === "uas", nowMs),
    lines: `${require}Session-Expires: ${seconds};refresher=${refresher}\r\n`,
  };
}

/** The header lines of a request that refreshes the session. */
export function refreshLines({ seconds }: SessionTimer): string {
  return `Session-Expires: ${seconds};refresher=uac\r\nMin-SE: ${MIN_SE_SECONDS}\r\n`;
}

export function minSeOf(response: SipMessage): number | undefined {
  return numberOf(response, "min-se", 86_400);
}
