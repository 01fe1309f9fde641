// The two server transactions of RFC 3261 17.2, with the accepted state of RFC 6026, as one pure machine:
// `(state, input) → [state, commands]`.
//
//   INVITE:  proceeding → completed → confirmed → terminated      (300 to 699: retransmitted here until the ACK)
//                 ╰─────→ accepted ─────────────↗                  (2xx: retransmitted above)
//   others:  proceeding → completed → terminated
//
// Guarantees: a retransmitted request is answered with the last response and never passed to the transaction user
// again; one final response is sent; an ACK is passed on only after a 2xx; `terminated` is the last command.

import { NEVER_MS, type SipTimers, transactionMs } from "./timers.ts";

export interface ServerTransaction {
  readonly isInvite: boolean;
  readonly isReliable: boolean;
  readonly timers: SipTimers;
  readonly phase: "proceeding" | "accepted" | "completed" | "confirmed" | "terminated";
  readonly hasResponse: boolean;
  /** Timer G. */
  readonly resendMs: number;
  readonly resendAfterMs: number;
  /** Timers H, I, J and L. */
  readonly deadlineMs: number;
}

export type ServerInput =
  /** A retransmission of the request. */
  | { readonly kind: "request"; readonly nowMs: number }
  | { readonly kind: "ack"; readonly nowMs: number }
  /** The transaction user responds. */
  | { readonly kind: "respond"; readonly status: number; readonly nowMs: number }
  | { readonly kind: "tick"; readonly nowMs: number };

export type ServerCommand =
  /** Sends the input response. */
  | "send"
  /** Retransmits the last response. */
  | "resend"
  /** Passes the ACK to the transaction user. */
  | "deliverAck"
  | "terminated";

type Step = readonly [ServerTransaction, readonly ServerCommand[]];

const NOTHING: readonly ServerCommand[] = [];
const RESEND: readonly ServerCommand[] = ["resend"];

export function newServerTransaction(isInvite: boolean, isReliable: boolean, timers: SipTimers): ServerTransaction {
  return {
    isInvite,
    isReliable,
    timers,
    phase: "proceeding",
    hasResponse: false,
    resendMs: NEVER_MS,
    resendAfterMs: timers.t1Ms,
    deadlineMs: NEVER_MS,
  };
}

export function stepServer(state: ServerTransaction, input: ServerInput): Step {
  switch (input.kind) {
    case "request":
      return [state, state.hasResponse && isRepeating(state) ? RESEND : NOTHING];
    case "ack":
      return acknowledge(state, input.nowMs);
    case "respond":
      return respond(state, input.status, input.nowMs);
    case "tick":
      return tick(state, input.nowMs);
  }
}

/** RFC 6026 8.7: in accepted, the transaction user retransmits the 2xx; in confirmed, the peer has the response. */
function isRepeating({ phase }: ServerTransaction): boolean {
  return phase === "proceeding" || phase === "completed";
}

function acknowledge(state: ServerTransaction, nowMs: number): Step {
  if (state.phase === "accepted") return [state, ["deliverAck"]];
  if (state.phase !== "completed" || !state.isInvite) return [state, NOTHING];
  if (state.isReliable) return [terminated(state), ["terminated"]];
  // Timer I absorbs further ACKs.
  return [{ ...state, phase: "confirmed", resendMs: NEVER_MS, deadlineMs: nowMs + state.timers.t4Ms }, NOTHING];
}

function respond(state: ServerTransaction, status: number, nowMs: number): Step {
  // RFC 6026 8.7: further 2xx of the transaction user are sent.
  if (state.phase === "accepted") return [state, status >= 200 && status < 300 ? ["send"] : NOTHING];
  if (state.phase !== "proceeding") return [state, NOTHING];
  if (status < 200) return [{ ...state, hasResponse: true }, ["send"]];
  const { timers } = state;
  const deadlineMs = nowMs + transactionMs(timers);
  if (state.isInvite && status < 300) {
    return [{ ...state, phase: "accepted", hasResponse: true, deadlineMs }, ["send"]];
  }
  if (!state.isInvite && state.isReliable) return [terminated(state), ["send", "terminated"]];
  const resendMs = state.isInvite && !state.isReliable ? nowMs + timers.t1Ms : NEVER_MS;
  return [{ ...state, phase: "completed", hasResponse: true, resendMs, deadlineMs }, ["send"]];
}

function tick(state: ServerTransaction, nowMs: number): Step {
  if (nowMs >= state.deadlineMs) return [terminated(state), ["terminated"]];
  if (nowMs < state.resendMs) return [state, NOTHING];
  const resendAfterMs = Math.min(2 * state.resendAfterMs, state.timers.t2Ms);
  return [{ ...state, resendAfterMs, resendMs: nowMs + resendAfterMs }, RESEND];
}

function terminated(state: ServerTransaction): ServerTransaction {
  return { ...state, phase: "terminated", resendMs: NEVER_MS, deadlineMs: NEVER_MS };
}

export function serverTickMs({ resendMs, deadlineMs }: ServerTransaction): number {
  return Math.min(resendMs, deadlineMs);
}
