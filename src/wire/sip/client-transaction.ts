// The two client transactions of RFC 3261 17.1, with the accepted state of RFC 6026, as one pure machine:
// `(state, input) → [state, commands]`.
//
//   INVITE:  calling → proceeding → completed → terminated        (300 to 699: acknowledged here)
//                 ╰──────┴────────→ accepted ↗                     (2xx: acknowledged above, every fork's is delivered)
//   others:  calling → proceeding → completed → terminated
//
// Guarantees: the request is retransmitted only over unreliable transports; every 1xx and the first final response is
// delivered once; `timedOut` or `unreachable` comes at most once and never after a final response; `terminated` is the
// last command.

import { NEVER_MS, type SipTimers, transactionMs } from "./timers.ts";

export interface ClientTransaction {
  readonly isInvite: boolean;
  readonly isReliable: boolean;
  readonly timers: SipTimers;
  readonly phase: "calling" | "proceeding" | "accepted" | "completed" | "terminated";
  /** Timers A and E. */
  readonly resendMs: number;
  readonly resendAfterMs: number;
  /** Timers B, D, F, K and M. */
  readonly deadlineMs: number;
}

export type ClientInput =
  | { readonly kind: "response"; readonly status: number; readonly nowMs: number }
  | { readonly kind: "tick"; readonly nowMs: number }
  | { readonly kind: "transportFault"; readonly nowMs: number }
  /** The final response is no longer awaited (RFC 3261 9.1); its retransmissions are still absorbed. */
  | { readonly kind: "abandon"; readonly nowMs: number };

export type ClientCommand =
  /** Retransmits the request. */
  | "resend"
  /** Passes the input response to the transaction user. */
  | "deliver"
  /** ACK of a final response other than 2xx (RFC 3261 17.1.1.3). */
  | "acknowledge"
  | "timedOut"
  | "unreachable"
  | "terminated";

type Step = readonly [ClientTransaction, readonly ClientCommand[]];

const NOTHING: readonly ClientCommand[] = [];

export function newClientTransaction(
  isInvite: boolean,
  isReliable: boolean,
  nowMs: number,
  timers: SipTimers,
): ClientTransaction {
  return {
    isInvite,
    isReliable,
    timers,
    phase: "calling",
    resendMs: isReliable ? NEVER_MS : nowMs + timers.t1Ms,
    resendAfterMs: timers.t1Ms,
    deadlineMs: nowMs + transactionMs(timers),
  };
}

export function stepClient(state: ClientTransaction, input: ClientInput): Step {
  if (state.phase === "terminated") return [state, NOTHING];
  switch (input.kind) {
    case "response":
      return receive(state, input.status, input.nowMs);
    case "tick":
      return tick(state, input.nowMs);
    case "transportFault":
      return [terminated(state), isOpen(state) ? ["unreachable", "terminated"] : ["terminated"]];
    case "abandon":
      return isOpen(state) ? [terminated(state), ["terminated"]] : [state, NOTHING];
  }
}

function isOpen({ phase }: ClientTransaction): boolean {
  return phase === "calling" || phase === "proceeding";
}

function receive(state: ClientTransaction, status: number, nowMs: number): Step {
  const { phase, isInvite } = state;
  if (phase === "calling" || phase === "proceeding") {
    if (status < 200) return [proceeding(state, nowMs), ["deliver"]];
    if (isInvite && status < 300) return [ended(state, "accepted", transactionMs(state.timers), nowMs), ["deliver"]];
    return complete(state, nowMs);
  }
  // RFC 6026 7.2: 2xx responses of other forks, and retransmissions, are passed to the transaction user, which
  // acknowledges each.
  if (phase === "accepted") return [state, status >= 200 && status < 300 ? ["deliver"] : NOTHING];
  return [state, isInvite && status >= 300 ? ["acknowledge"] : NOTHING];
}

function proceeding(state: ClientTransaction, nowMs: number): ClientTransaction {
  // RFC 3261 17.1.1.2: an INVITE that got a 1xx is not retransmitted and has no time limit.
  if (state.isInvite) return { ...state, phase: "proceeding", resendMs: NEVER_MS, deadlineMs: NEVER_MS };
  if (state.phase === "proceeding" || state.isReliable) return { ...state, phase: "proceeding" };
  // 17.1.2.2: in proceeding, timer E runs at T2.
  const { t2Ms } = state.timers;
  return { ...state, phase: "proceeding", resendAfterMs: t2Ms, resendMs: nowMs + t2Ms };
}

function complete(state: ClientTransaction, nowMs: number): Step {
  const { isInvite, isReliable, timers } = state;
  const commands: readonly ClientCommand[] = isInvite ? ["acknowledge", "deliver"] : ["deliver"];
  if (isReliable) return [terminated(state), [...commands, "terminated"]];
  // Timer D is at least 32 s, timer K is T4.
  const lingerMs = isInvite ? Math.max(32_000, transactionMs(timers)) : timers.t4Ms;
  return [ended(state, "completed", lingerMs, nowMs), commands];
}

function ended(
  state: ClientTransaction,
  phase: ClientTransaction["phase"],
  lingerMs: number,
  nowMs: number,
): ClientTransaction {
  return { ...state, phase, resendMs: NEVER_MS, deadlineMs: nowMs + lingerMs };
}

function terminated(state: ClientTransaction): ClientTransaction {
  return { ...state, phase: "terminated", resendMs: NEVER_MS, deadlineMs: NEVER_MS };
}

function tick(state: ClientTransaction, nowMs: number): Step {
  if (nowMs >= state.deadlineMs) {
    return [terminated(state), isOpen(state) ? ["timedOut", "terminated"] : ["terminated"]];
  }
  if (nowMs < state.resendMs) return [state, NOTHING];
  const doubled = 2 * state.resendAfterMs;
  // 17.1.1.2: timer A doubles without bound; 17.1.2.2: timer E up to T2.
  const resendAfterMs = state.isInvite ? doubled : Math.min(doubled, state.timers.t2Ms);
  return [{ ...state, resendAfterMs, resendMs: nowMs + resendAfterMs }, ["resend"]];
}

export function clientTickMs({ resendMs, deadlineMs }: ClientTransaction): number {
  return Math.min(resendMs, deadlineMs);
}
