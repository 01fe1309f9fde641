// REGISTER as a client (RFC 3261 10.2) as a pure machine: `(state, input) → [state, commands]`.
//
//   down → asking ⇄ up → leaving → gone
//
// Guarantees: one REGISTER at a time; a registration is refreshed before it expires; a longer interval that the
// registrar requires (423) is accepted; after a failure it is retried, with doubled delays.

import { backoffMs } from "../../base/backoff.ts";
import { headerOf, numberOf, type SipMessage, valuesOf } from "./message.ts";
import { parseNameAddr } from "./name-addr.ts";
import { parseCount } from "./octets.ts";
import { parameterOf } from "./parameters.ts";
import { NEVER_MS } from "./timers.ts";
import type { RequestDraft } from "./write.ts";

export interface RegistrationSettings {
  /** Request-URI: the registrar's domain. */
  readonly registrar: string;
  /** The registered address, as a URI. */
  readonly address: string;
  readonly callId: string;
  readonly tag: string;
  readonly expiresSeconds: number;
}

export interface Registration {
  readonly settings: RegistrationSettings;
  readonly phase: "down" | "asking" | "up" | "leaving" | "gone";
  /** The value of our Contact; set with every request, because it depends on the route. */
  readonly contact: string;
  readonly cseq: number;
  readonly expiresSeconds: number;
  readonly failures: number;
  readonly isUp: boolean;
  /** When to send the next REGISTER. */
  readonly dueMs: number;
}

export type RegistrationInput = { readonly nowMs: number } & (
  | { readonly kind: "tick"; readonly contact: string }
  | { readonly kind: "response"; readonly message: SipMessage }
  | { readonly kind: "unanswered"; readonly status: number }
  | { readonly kind: "authorize"; readonly line: string }
  | { readonly kind: "leave" }
);

export type RegistrationCommand =
  | { readonly kind: "send"; readonly draft: RequestDraft }
  | { readonly kind: "report"; readonly isUp: boolean; readonly reason: string };

type Step = readonly [Registration, readonly RegistrationCommand[]];

const RETRY = { msMin: 5000, msMax: 300_000 };
const EXPIRES_MAX = 86_400 * 7;

export function newRegistration(settings: RegistrationSettings): Registration {
  return {
    settings,
    phase: "down",
    contact: "",
    cseq: 0,
    expiresSeconds: settings.expiresSeconds,
    failures: 0,
    isUp: false,
    dueMs: 0,
  };
}

export function stepRegistration(state: Registration, input: RegistrationInput): Step {
  if (state.phase === "gone") return [state, []];
  switch (input.kind) {
    case "tick":
      if (input.nowMs < state.dueMs || state.phase === "asking" || state.phase === "leaving") return [state, []];
      return ask({ ...state, contact: input.contact }, "");
    case "authorize":
      return state.phase === "asking" || state.phase === "leaving" ? ask(state, input.line) : [state, []];
    case "response":
      return receive(state, input.message, input.nowMs);
    case "unanswered":
      return failed(state, input.nowMs, `no answer (${input.status})`, undefined);
    case "leave":
      return state.isUp ? ask({ ...state, phase: "leaving" }, "") : [{ ...state, phase: "gone", dueMs: NEVER_MS }, []];
  }
}

function ask(state: Registration, credentials: string): Step {
  const { settings, contact } = state;
  const cseq = state.cseq + 1;
  const isLeaving = state.phase === "leaving";
  const expires = isLeaving ? 0 : state.expiresSeconds;
  const draft: RequestDraft = {
    method: "REGISTER",
    uri: settings.registrar,
    routes: [],
    from: `<${settings.address}>;tag=${settings.tag}`,
    to: `<${settings.address}>`,
    callId: settings.callId,
    cseq,
    lines: `Contact: ${contact}\r\nExpires: ${expires}\r\n${credentials}`,
    body: "",
  };
  return [{ ...state, phase: isLeaving ? "leaving" : "asking", cseq, dueMs: NEVER_MS }, [{ kind: "send", draft }]];
}

function receive(state: Registration, message: SipMessage, nowMs: number): Step {
  if (message.status < 200 || message.cseq !== state.cseq) return [state, []];
  if (state.phase === "leaving") return [{ ...state, phase: "gone", isUp: false, dueMs: NEVER_MS }, []];
  if (state.phase !== "asking") return [state, []];
  if (message.status < 300) return registered(state, message, nowMs);
  // RFC 3261 10.2.8: the registrar names the shortest interval that it accepts.
  const longer = message.status === 423 ? numberOf(message, "min-expires", EXPIRES_MAX) : undefined;
  if (longer !== undefined && longer > state.expiresSeconds) return ask({ ...state, expiresSeconds: longer }, "");
  const retryAfter = parseCount(/^\d{1,6}/.exec(headerOf(message, "retry-after") ?? "")?.[0] ?? "", 86_400);
  return failed(state, nowMs, `${message.status} ${message.reason}`, retryAfter);
}

function registered(state: Registration, message: SipMessage, nowMs: number): Step {
  const seconds = grantedSeconds(state, message);
  // Early enough for a few retries.
  const refreshMs = Math.max(1000, (seconds - Math.min(60, seconds / 3)) * 1000);
  const next: Registration = { ...state, phase: "up", isUp: true, failures: 0, dueMs: nowMs + refreshMs };
  return [next, [{ kind: "report", isUp: true, reason: `granted for ${seconds} s` }]];
}

/** RFC 3261 10.2.4: from our Contact in the response, otherwise from its Expires. */
function grantedSeconds(state: Registration, message: SipMessage): number {
  const ours = parseNameAddr(state.contact)?.uri;
  for (const value of valuesOf(message, "contact")) {
    const contact = parseNameAddr(value);
    const expires = contact && parameterOf(contact.parameters, "expires");
    const seconds = expires === undefined ? undefined : parseCount(expires, EXPIRES_MAX);
    if (contact?.uri === ours && seconds !== undefined && seconds > 0) return seconds;
  }
  return numberOf(message, "expires", EXPIRES_MAX) || state.expiresSeconds;
}

function failed(state: Registration, nowMs: number, reason: string, retryAfterSeconds: number | undefined): Step {
  if (state.phase === "leaving") return [{ ...state, phase: "gone", isUp: false, dueMs: NEVER_MS }, []];
  if (state.phase !== "asking") return [state, []];
  const failures = state.failures + 1;
  const waitMs = Math.max(backoffMs(RETRY, failures), (retryAfterSeconds ?? 0) * 1000);
  const next: Registration = { ...state, phase: "down", isUp: false, failures, dueMs: nowMs + waitMs };
  return [next, [{ kind: "report", isUp: false, reason }]];
}
