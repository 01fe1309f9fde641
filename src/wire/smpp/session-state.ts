// The state, the inputs and the commands of an SMPP session. See session.ts for the rules.

import type {
  BareResponse,
  BindCommand,
  BindRequest,
  CancelSm,
  DataSm,
  DeliverSm,
  MessageResponse,
  QuerySm,
  QuerySmResp,
  SubmitSm,
  Unnumbered,
} from "./pdu.ts";

export interface SessionSettings {
  /** How many of our requests may be outstanding. */
  readonly windowMax: number;
  /** How many of the peer's requests may wait for the caller's answers; more are throttled. */
  readonly unansweredMax: number;
  readonly responseTimeoutMs: number;
  /** For the whole bind, and for the response to our unbind. */
  readonly bindTimeoutMs: number;
  /** How long the peer may be silent before we send enquire_link, and how long it may then take to respond. */
  readonly enquireIntervalMs: number;
  readonly enquireTimeoutMs: number;
}

export const SESSION_SETTINGS: SessionSettings = {
  windowMax: 10,
  unansweredMax: 100,
  responseTimeoutMs: 30_000,
  bindTimeoutMs: 10_000,
  enquireIntervalMs: 30_000,
  enquireTimeoutMs: 10_000,
};

/** Requests that have a response and count in the window. */
export type SessionRequest = SubmitSm | DeliverSm | DataSm | QuerySm | CancelSm;
export type SessionResponse = MessageResponse | QuerySmResp | BareResponse;

export interface Outstanding {
  readonly sequence: number;
  readonly command: SessionRequest["command"];
  /** The caller's name for the request. */
  readonly ref: string;
  readonly sentMs: number;
}

export interface Unanswered {
  readonly sequence: number;
  readonly command: SessionRequest["command"];
}

export interface SessionState {
  /** An ESME sends the bind; an SMSC receives it. */
  readonly role: "esme" | "smsc";
  readonly settings: SessionSettings;
  /** The bind request that an ESME sends or an SMSC has received. */
  readonly bind: Unnumbered<BindRequest> | undefined;
  readonly bindSequence: number;
  readonly phase: "idle" | "open" | "bound" | "draining" | "unbinding" | "closed";
  readonly nextSequence: number;
  /** In the order of sending. Never longer than the window. */
  readonly outstanding: readonly Outstanding[];
  /** Timed out and reported as unknown; a response may still come. At most a window; the oldest is dropped first. */
  readonly overdue: readonly Outstanding[];
  readonly unanswered: readonly Unanswered[];
  readonly lastReceivedMs: number;
  /** When binding, draining or unbinding times out. */
  readonly phaseDeadlineMs: number;
  /** When our enquire_link times out. */
  readonly enquireDeadlineMs: number;
}

export type SessionInput =
  | { readonly kind: "connected"; readonly nowMs: number }
  /** Whole PDUs, as the framer cuts them. */
  | { readonly kind: "received"; readonly pdus: readonly Uint8Array[]; readonly nowMs: number }
  /** The framer can no longer find the next PDU. */
  | { readonly kind: "garbled"; readonly reason: string; readonly nowMs: number }
  | { readonly kind: "request"; readonly requests: readonly OwnerRequest[]; readonly nowMs: number }
  | { readonly kind: "answer"; readonly answers: readonly SessionResponse[]; readonly nowMs: number }
  /** The SMSC's answer to a bind request. */
  | { readonly kind: "answerBind"; readonly status: number; readonly systemId: string; readonly nowMs: number }
  /** Take no more requests, wait for what is outstanding, then unbind and close. */
  | { readonly kind: "unbind"; readonly nowMs: number }
  | { readonly kind: "tick"; readonly nowMs: number }
  | { readonly kind: "closed"; readonly nowMs: number };

export interface OwnerRequest {
  readonly ref: string;
  readonly pdu: Unnumbered<SessionRequest>;
}

export type SessionCommand =
  | { readonly kind: "send"; readonly bytes: Uint8Array }
  | { readonly kind: "report"; readonly event: SessionEvent }
  | { readonly kind: "close"; readonly reason: string };

export type SessionEvent =
  | { readonly kind: "bound"; readonly as: BindCommand; readonly systemId: string }
  | { readonly kind: "bindRefused"; readonly status: number }
  | { readonly kind: "bindRequested"; readonly request: BindRequest }
  /** Exactly once for every request. */
  | { readonly kind: "answered"; readonly ref: string; readonly outcome: Outcome }
  /** The response to a request that had timed out and was reported as unknown. */
  | { readonly kind: "answeredLate"; readonly ref: string; readonly outcome: Outcome }
  /** The peer's request; the caller answers it with the input `answer` and the same sequence. */
  | { readonly kind: "requested"; readonly pdu: SessionRequest }
  /** Something that violates the protocol; for the log. */
  | { readonly kind: "noticed"; readonly what: string; readonly sequence: number }
  /** Once. */
  | { readonly kind: "ended"; readonly reason: string };

export type Outcome =
  | { readonly kind: "accepted"; readonly messageId: string; readonly response: SessionResponse }
  /** The request is fine, but the peer wants a lower rate. */
  | { readonly kind: "throttled"; readonly status: number }
  | { readonly kind: "rejected"; readonly status: number }
  /** The peer may or may not have carried it out, so it must not be sent again. */
  | { readonly kind: "unknown"; readonly reason: string }
  /** No octet of it was sent. */
  | { readonly kind: "notSent"; readonly reason: string };

export function newEsmeSession(bind: Unnumbered<BindRequest>, settings = SESSION_SETTINGS): SessionState {
  return { ...NEW_SESSION, role: "esme", bind, settings };
}

export function newSmscSession(settings = SESSION_SETTINGS): SessionState {
  return { ...NEW_SESSION, role: "smsc", settings };
}

const NEW_SESSION: SessionState = {
  role: "smsc",
  settings: SESSION_SETTINGS,
  bind: undefined,
  bindSequence: 0,
  phase: "idle",
  nextSequence: 1,
  outstanding: [],
  overdue: [],
  unanswered: [],
  lastReceivedMs: 0,
  phaseDeadlineMs: Number.POSITIVE_INFINITY,
  enquireDeadlineMs: Number.POSITIVE_INFINITY,
};

/** How many more requests fit into the window. */
export function windowCapacity({ phase, settings, outstanding }: SessionState): number {
  return phase === "bound" ? Math.max(0, settings.windowMax - outstanding.length) : 0;
}

/** When the next `tick` is due; undefined when no timer is running. */
export function nextTickMs(state: SessionState): number | undefined {
  if (state.phase === "idle" || state.phase === "closed") return undefined;
  const { settings, outstanding, phaseDeadlineMs, enquireDeadlineMs, lastReceivedMs } = state;
  let dueMs = Math.min(phaseDeadlineMs, enquireDeadlineMs);
  if (outstanding[0]) dueMs = Math.min(dueMs, outstanding[0].sentMs + settings.responseTimeoutMs);
  if (isUp(state) && enquireDeadlineMs === Number.POSITIVE_INFINITY) {
    dueMs = Math.min(dueMs, lastReceivedMs + settings.enquireIntervalMs);
  }
  return dueMs === Number.POSITIVE_INFINITY ? undefined : dueMs;
}

export function isUp({ phase }: SessionState): boolean {
  return phase === "bound" || phase === "draining";
}
