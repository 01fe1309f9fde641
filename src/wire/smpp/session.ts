// An SMPP session as a pure machine, for both sides: `(state, input) → [state, commands]`. No sockets, no timers: the owner carries the
// commands out and calls `tick` by `nextTickMs`.
//
// Guarantees: never more than a window outstanding; every request gets exactly one `answered`, `unknown` when its answer is overdue or
// the connection dies, and nothing is ever sent twice; a peer's request is answered only when the owner says so; `ended` comes once, and
// after it only refusals of what is asked too late. Does not reconnect and does not pace: `throttled` tells the owner to.

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
  beginTurn,
  close,
  endTurn,
  finish,
  notice,
  RESPONSE_TO,
  report,
  send,
  type Turn,
  takeSequence,
} from "./session-turn.ts";
import { STATUS } from "./statuses.ts";

const INTERFACE_VERSION = 0x34;

export function step(before: SessionState, input: SessionInput): readonly [SessionState, readonly SessionCommand[]] {
  const turn = beginTurn(before, input.nowMs);
  switch (input.kind) {
    case "connected":
      if (before.phase === "idle") open(turn);
      break;
    case "received":
      for (const pdu of input.pdus) if (isListening(turn)) receivePdu(turn, pdu);
      drain(turn);
      break;
    case "garbled":
      if (isListening(turn)) {
        send(turn, { command: "generic_nack", status: STATUS.ESME_RINVCMDLEN }, 0);
        close(turn, input.reason);
      }
      break;
    case "request":
      for (const request of input.requests) ask(turn, request);
      break;
    case "answer":
      for (const response of input.answers) answer(turn, response);
      drain(turn);
      break;
    case "answerBind":
      answerBind(turn, input.status, input.systemId);
      break;
    case "unbind":
      unbind(turn);
      break;
    case "tick":
      if (isListening(turn)) tick(turn);
      break;
    case "closed":
      if (before.phase !== "closed") finish(turn, "connection closed");
      break;
    default:
      input satisfies never;
  }
  return endTurn(turn);
}

function isListening({ state }: Turn): boolean {
  return state.phase !== "idle" && state.phase !== "closed";
}

function open(turn: Turn): void {
  const { state, nowMs } = turn;
  state.phase = "open";
  state.heardMs = nowMs;
  state.phaseDeadlineMs = nowMs + state.settings.bindTimeoutMs;
  if (state.role === "smsc" || !state.bind) return;
  state.bindSequence = takeSequence(turn);
  const fault = send(turn, state.bind, state.bindSequence);
  if (fault !== undefined) close(turn, `cannot bind: ${fault}`);
}

function ask(turn: Turn, { ref, pdu }: OwnerRequest): void {
  const sequence = turn.state.nextSequence;
  const fault = whyNotAsk(turn, pdu) ?? send(turn, pdu, sequence);
  if (fault !== undefined) {
    report(turn, { kind: "answered", ref, outcome: { kind: "notSent", reason: fault } });
    return;
  }
  takeSequence(turn);
  turn.outstanding.push({ sequence, command: pdu.command, ref, sentMs: turn.nowMs });
}

function whyNotAsk({ state, outstanding }: Turn, { command }: OwnerRequest["pdu"]): string | undefined {
  if (state.phase !== "bound") return `session ${state.phase}`;
  if (!maySend(state, command)) return `${command} does not belong to ${state.bind?.command}`;
  return outstanding.length >= state.settings.windowMax ? "window full" : undefined;
}

function answer(turn: Turn, response: SessionResponse): void {
  const { unanswered } = turn;
  const index = unanswered.findIndex(({ sequence }) => sequence === response.sequence);
  const request = unanswered[index];
  if (!request || response.command !== RESPONSE_TO[request.command]) {
    notice(turn, `${response.command} answers nothing`, response.sequence);
    return;
  }
  unanswered.splice(index, 1);
  const fault = send(turn, response, response.sequence);
  if (fault === undefined) return;
  notice(turn, `answer cannot be written: ${fault}`, response.sequence);
  send(turn, { command: "generic_nack", status: STATUS.ESME_RSYSERR }, response.sequence);
}

function answerBind(turn: Turn, status: number, systemId: string): void {
  const { state } = turn;
  const { bind } = state;
  if (state.role !== "smsc" || state.phase !== "open" || !bind) return;
  const response = {
    command: `${bind.command}_resp`,
    status,
    systemId,
    tlvs: { scInterfaceVersion: INTERFACE_VERSION },
  } as const;
  const fault = send(turn, status === 0 ? response : { ...response, systemId: "", tlvs: {} }, state.bindSequence);
  if (fault !== undefined || status !== 0) {
    close(turn, fault ?? "bind refused");
    return;
  }
  state.phase = "bound";
  state.phaseDeadlineMs = Number.POSITIVE_INFINITY;
  report(turn, { kind: "bound", as: bind.command, systemId: bind.systemId, interfaceVersion: bind.interfaceVersion });
}

function unbind(turn: Turn): void {
  const { state, nowMs } = turn;
  if (state.phase === "bound") {
    state.phase = "draining";
    state.phaseDeadlineMs = nowMs + state.settings.responseTimeoutMs;
  } else if (state.phase === "idle" || state.phase === "open") close(turn, "unbound before bound");
  drain(turn);
}

/** Unbinds once nothing is open on either side, or it has been waited for long enough. */
function drain(turn: Turn): void {
  const { state, outstanding, unanswered, nowMs } = turn;
  if (state.phase !== "draining") return;
  if (outstanding.length + unanswered.length > 0 && nowMs < state.phaseDeadlineMs) return;
  state.phase = "unbinding";
  state.phaseDeadlineMs = nowMs + state.settings.bindTimeoutMs;
  send(turn, { command: "unbind" }, takeSequence(turn));
}

function tick(turn: Turn) {
  const { state, outstanding, nowMs } = turn;
  const { settings } = state;
  if (nowMs >= state.phaseDeadlineMs && state.phase !== "draining") {
    return close(turn, state.phase === "open" ? "bind timed out" : "unbind not answered");
  }
  if (nowMs >= state.enquireDeadlineMs) return close(turn, "enquire_link not answered");
  let overdue = 0;
  while (isOverdue(outstanding[overdue]?.sentMs, settings.responseTimeoutMs, nowMs)) overdue++;
  for (const entry of outstanding.splice(0, overdue)) {
    report(turn, { kind: "answered", ref: entry.ref, outcome: { kind: "unknown", reason: "not answered in time" } });
    turn.overdue.push(entry);
    if (turn.overdue.length > settings.windowMax) turn.overdue.shift();
  }
  drain(turn);
  if (!isUp(state) || state.enquireDeadlineMs !== Number.POSITIVE_INFINITY) return;
  if (nowMs < state.heardMs + settings.enquireIntervalMs) return;
  send(turn, { command: "enquire_link" }, takeSequence(turn));
  state.enquireDeadlineMs = nowMs + settings.enquireTimeoutMs;
}

function isOverdue(sentMs: number | undefined, timeoutMs: number, nowMs: number): boolean {
  return sentMs !== undefined && nowMs >= sentMs + timeoutMs;
}
