// An SMPP session as a pure state machine, for both sides: `(state, input) → [state, commands]`. It has no sockets and
// no timers: the caller carries out the commands and sends `tick` at the time of `nextTickMs`.
//
// Guarantees: never more than a window of requests is outstanding. Every request gets exactly one `answered`, which is
// `unknown` when the response times out or the connection breaks. Nothing is sent twice. A peer's request is answered
// only when the caller answers it. `ended` is reported once; after it, new requests are only refused. The machine
// neither reconnects nor paces: `throttled` tells the caller to slow down.

import { receivePdu } from "./session-receive.ts";
import { maySend } from "./session-rights.ts";
import {
  isUp,
  type OwnerRequest,
  type SessionCommand,
  type SessionInput,
  type SessionResponse,
  type SessionState,
} from "./session-state.ts";
import {
  beginTransition,
  close,
  endTransition,
  finish,
  notice,
  RESPONSE_TO,
  report,
  send,
  type Transition,
  takeSequence,
} from "./session-transition.ts";
import { STATUS } from "./statuses.ts";

const INTERFACE_VERSION = 0x34;

export function step(before: SessionState, input: SessionInput): readonly [SessionState, readonly SessionCommand[]] {
  const transition = beginTransition(before, input.nowMs);
  switch (input.kind) {
    case "connected":
      if (before.phase === "idle") open(transition);
      break;
    case "received":
      for (const pdu of input.pdus) if (isListening(transition)) receivePdu(transition, pdu);
      drain(transition);
      break;
    case "garbled":
      if (isListening(transition)) {
        send(transition, { command: "generic_nack", status: STATUS.ESME_RINVCMDLEN }, 0);
        close(transition, input.reason);
      }
      break;
    case "request":
      for (const request of input.requests) sendRequest(transition, request);
      break;
    case "answer":
      for (const response of input.answers) answer(transition, response);
      drain(transition);
      break;
    case "answerBind":
      answerBind(transition, input.status, input.systemId);
      break;
    case "unbind":
      unbind(transition);
      break;
    case "tick":
      if (isListening(transition)) tick(transition);
      break;
    case "closed":
      if (before.phase !== "closed") finish(transition, "connection closed");
      break;
    default:
      input satisfies never;
  }
  return endTransition(transition);
}

function isListening({ state }: Transition): boolean {
  return state.phase !== "idle" && state.phase !== "closed";
}

function open(transition: Transition): void {
  const { state, nowMs } = transition;
  state.phase = "open";
  state.lastReceivedMs = nowMs;
  state.phaseDeadlineMs = nowMs + state.settings.bindTimeoutMs;
  if (state.role === "smsc" || !state.bind) return;
  state.bindSequence = takeSequence(transition);
  const fault = send(transition, state.bind, state.bindSequence);
  if (fault !== undefined) close(transition, `cannot bind: ${fault}`);
}

function sendRequest(transition: Transition, { ref, pdu }: OwnerRequest): void {
  const sequence = transition.state.nextSequence;
  const fault = whyNotSent(transition, pdu) ?? send(transition, pdu, sequence);
  if (fault !== undefined) {
    report(transition, { kind: "answered", ref, outcome: { kind: "notSent", reason: fault } });
    return;
  }
  takeSequence(transition);
  transition.outstanding.push({ sequence, command: pdu.command, ref, sentMs: transition.nowMs });
}

function whyNotSent({ state, outstanding }: Transition, { command }: OwnerRequest["pdu"]): string | undefined {
  if (state.phase !== "bound") return `session ${state.phase}`;
  if (!maySend(state, command)) return `${command} does not belong to ${state.bind?.command}`;
  return outstanding.length >= state.settings.windowMax ? "window full" : undefined;
}

function answer(transition: Transition, response: SessionResponse): void {
  const { unanswered } = transition;
  const index = unanswered.findIndex(({ sequence }) => sequence === response.sequence);
  const request = unanswered[index];
  if (!request || response.command !== RESPONSE_TO[request.command]) {
    notice(transition, `${response.command} answers nothing`, response.sequence);
    return;
  }
  unanswered.splice(index, 1);
  const fault = send(transition, response, response.sequence);
  if (fault === undefined) return;
  notice(transition, `answer cannot be written: ${fault}`, response.sequence);
  send(transition, { command: "generic_nack", status: STATUS.ESME_RSYSERR }, response.sequence);
}

function answerBind(transition: Transition, status: number, systemId: string): void {
  const { state } = transition;
  const { bind } = state;
  if (state.role !== "smsc" || state.phase !== "open" || !bind) return;
  const response = {
    command: `${bind.command}_resp`,
    status,
    systemId,
    tlvs: { scInterfaceVersion: INTERFACE_VERSION },
  } as const;
  const fault = send(transition, status === 0 ? response : { ...response, systemId: "", tlvs: {} }, state.bindSequence);
  if (fault !== undefined || status !== 0) {
    close(transition, fault ?? "bind refused");
    return;
  }
  state.phase = "bound";
  state.phaseDeadlineMs = Number.POSITIVE_INFINITY;
  report(transition, { kind: "bound", as: bind.command, systemId: bind.systemId });
}

function unbind(transition: Transition): void {
  const { state, nowMs } = transition;
  if (state.phase === "bound") {
    state.phase = "draining";
    state.phaseDeadlineMs = nowMs + state.settings.responseTimeoutMs;
  } else if (state.phase === "idle" || state.phase === "open") close(transition, "unbound before bound");
  drain(transition);
}

/** Unbinds when no request is open on either side, or when the deadline has passed. */
function drain(transition: Transition): void {
  const { state, outstanding, unanswered, nowMs } = transition;
  if (state.phase !== "draining") return;
  if (outstanding.length + unanswered.length > 0 && nowMs < state.phaseDeadlineMs) return;
  state.phase = "unbinding";
  state.phaseDeadlineMs = nowMs + state.settings.bindTimeoutMs;
  send(transition, { command: "unbind" }, takeSequence(transition));
}

function tick(transition: Transition) {
  const { state, outstanding, nowMs } = transition;
  const { settings } = state;
  if (nowMs >= state.phaseDeadlineMs && state.phase !== "draining") {
    return close(transition, state.phase === "open" ? "bind timed out" : "unbind not answered");
  }
  if (nowMs >= state.enquireDeadlineMs) return close(transition, "enquire_link not answered");
  let overdue = 0;
  while (isOverdue(outstanding[overdue]?.sentMs, settings.responseTimeoutMs, nowMs)) overdue++;
  for (const entry of outstanding.splice(0, overdue)) {
    report(transition, {
      kind: "answered",
      ref: entry.ref,
      outcome: { kind: "unknown", reason: "not answered in time" },
    });
    transition.overdue.push(entry);
    if (transition.overdue.length > settings.windowMax) transition.overdue.shift();
  }
  drain(transition);
  if (!isUp(state) || state.enquireDeadlineMs !== Number.POSITIVE_INFINITY) return;
  if (nowMs < state.lastReceivedMs + settings.enquireIntervalMs) return;
  send(transition, { command: "enquire_link" }, takeSequence(transition));
  state.enquireDeadlineMs = nowMs + settings.enquireTimeoutMs;
}

function isOverdue(sentMs: number | undefined, timeoutMs: number, nowMs: number): boolean {
  return sentMs !== undefined && nowMs >= sentMs + timeoutMs;
}
