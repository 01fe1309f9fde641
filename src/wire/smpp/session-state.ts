// What an SMPP session knows, hears, and wants done. See session.ts for the rules.

import type {
  AlertNotification,
  BareResponse,
  BindCommand,
  BindRequest,
  CancelSm,
  DataSm,
  DeliverSm,
  MessageResponse,
  QuerySm,
  QuerySmResp,
  ReplaceSm,
  SubmitSm,
  Unnumbered,
} from "./pdu.ts";

export interface SessionSettings {
  /** Our requests that may wait for their answers at once. */
  readonly windowMax: number;
  /** The peer's requests that may wait for our owner's answers at once; more are turned away for now. */
  readonly unansweredMax: number;
  readonly responseTimeoutMs: number;
  /** For the whole of binding, and for the answer to our unbind. */
  readonly bindTimeoutMs: number;
  /** Silence after which the peer is asked whether it is there, and how long it may take to show it. */
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

/** Requests that have an answer and may wait in a window. */
export type SessionRequest = SubmitSm | DeliverSm | DataSm | QuerySm | CancelSm | ReplaceSm;
export type SessionResponse = MessageResponse | QuerySmResp | BareResponse;

export interface Outstanding {
  readonly sequence: number;
  readonly command: SessionRequest["command"];
  /** The owner's name for the request. */
  readonly ref: string;
  readonly sentMs: number;
}

export interface Unanswered {
  readonly sequence: number;
  readonly command: SessionRequest["command"];
}

export interface SessionState {
  /** An ESME binds, an SMSC is bound to. */
  readonly role: "esme" | "smsc";
  readonly settings: SessionSettings;
  /** What an ESME binds with; what an SMSC was asked to let in. */
  readonly bind: Unnumbered<BindRequest> | undefined;
  readonly bindSequence: number;
  readonly phase: "idle" | "open" | "bound" | "draining" | "unbinding" | "closed";
  readonly nextSequence: number;
  /** In the order they were sent. Never longer than the window. */
  readonly outstanding: readonly Outstanding[];
  /** Reported as unknown for lack of time; an answer may still come. Never longer than the window, the oldest forgotten first. */
  readonly overdue: readonly Outstanding[];
  readonly unanswered: readonly Unanswered[];
  readonly heardMs: number;
  /** When binding or unbinding has taken too long. */
  readonly phaseDeadlineMs: number;
  /** When an enquire_link of ours has waited too long. */
  readonly enquireDeadlineMs: number;
}

export type SessionInput =
  | { readonly kind: "connected"; readonly nowMs: number }
  /** Whole PDUs, as the framer cuts them. */
  | { readonly kind: "received"; readonly pdus: readonly Uint8Array[]; readonly nowMs: number }
  /** The framer has lost the stream. */
  | { readonly kind: "garbled"; readonly reason: string; readonly nowMs: number }
  | { readonly kind: "request"; readonly requests: readonly OwnerRequest[]; readonly nowMs: number }
  | { readonly kind: "answer"; readonly answers: readonly SessionResponse[]; readonly nowMs: number }
  /** An SMSC's word on the bind it was asked for. */
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
  | {
      readonly kind: "bound";
      readonly as: BindCommand;
      readonly systemId: string;
      readonly interfaceVersion: number | undefined;
    }
  | { readonly kind: "bindRefused"; readonly status: number }
  | { readonly kind: "bindRequested"; readonly request: BindRequest }
  /** Exactly once for every request. */
  | { readonly kind: "answered"; readonly ref: string; readonly outcome: Outcome }
  /** The answer to a request that was reported as unknown for lack of time. */
  | { readonly kind: "answeredLate"; readonly ref: string; readonly outcome: Outcome }
  /** The peer's request, which waits for an `answer` with its sequence. */
  | { readonly kind: "requested"; readonly pdu: SessionRequest }
  | { readonly kind: "alerted"; readonly pdu: AlertNotification }
  /** Something the protocol does not provide for; for the log. */
  | { readonly kind: "noticed"; readonly what: string; readonly sequence: number }
  /** Once. */
  | { readonly kind: "ended"; readonly reason: string };

export type Outcome =
  | { readonly kind: "accepted"; readonly messageId: string; readonly response: SessionResponse }
  /** Nothing wrong with the request: the peer wants less just now. */
  | { readonly kind: "throttled"; readonly status: number }
  | { readonly kind: "rejected"; readonly status: number }
  /** It may or may not have been carried out: never to be sent again as if it had not. */
  | { readonly kind: "unknown"; readonly reason: string }
  /** No octet of it has left. */
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
  heardMs: 0,
  phaseDeadlineMs: Number.POSITIVE_INFINITY,
  enquireDeadlineMs: Number.POSITIVE_INFINITY,
};

/** How many more requests the window takes. */
export function windowRoom({ phase, settings, outstanding }: SessionState): number {
  return phase === "bound" ? Math.max(0, settings.windowMax - outstanding.length) : 0;
}

/** When the next `tick` is due; nothing when only the peer or the owner can bring news. */
export function nextTickMs(state: SessionState): number | undefined {
  if (state.phase === "idle" || state.phase === "closed") return undefined;
  const { settings, outstanding, phaseDeadlineMs, enquireDeadlineMs, heardMs } = state;
  let dueMs = Math.min(phaseDeadlineMs, enquireDeadlineMs);
  if (outstanding[0]) dueMs = Math.min(dueMs, outstanding[0].sentMs + settings.responseTimeoutMs);
  if (isUp(state) && enquireDeadlineMs === Number.POSITIVE_INFINITY) {
    dueMs = Math.min(dueMs, heardMs + settings.enquireIntervalMs);
  }
  return dueMs === Number.POSITIVE_INFINITY ? undefined : dueMs;
}

export function isUp({ phase }: SessionState): boolean {
  return phase === "bound" || phase === "draining";
}
