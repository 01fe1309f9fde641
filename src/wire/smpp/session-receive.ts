// What a session does with a PDU from its peer. Any octets are tolerated: an unreadable request is answered with the
// status for its fault.

import { commandName, isResponse } from "./commands.ts";
import { decodePdu, type PduRefusal } from "./decode.ts";
import type { BareResponse, BindRequest, BindResponse, Pdu } from "./pdu.ts";
import { mayReceive } from "./session-rights.ts";
import { isUp, type SessionRequest } from "./session-state.ts";
import {
  close,
  failureOf,
  notice,
  outcomeOf,
  refuse,
  report,
  send,
  settle,
  type Transition,
} from "./session-transition.ts";
import { STATUS } from "./statuses.ts";

export function receivePdu(transition: Transition, bytes: Uint8Array) {
  transition.state.lastReceivedMs = transition.nowMs;
  // Any PDU shows that the peer is alive.
  transition.state.enquireDeadlineMs = Number.POSITIVE_INFINITY;
  const result = decodePdu(bytes);
  if (result.ok) dispatch(transition, result.value);
  else receiveUnreadable(transition, result.refusal);
}

function dispatch(transition: Transition, pdu: Pdu) {
  switch (pdu.command) {
    case "submit_sm":
    case "deliver_sm":
    case "data_sm":
    case "query_sm":
    case "cancel_sm":
      return receiveRequest(transition, pdu);
    case "submit_sm_resp":
    case "deliver_sm_resp":
    case "data_sm_resp":
    case "query_sm_resp":
    case "cancel_sm_resp":
    case "replace_sm_resp":
      if (!settle(transition, pdu.sequence, pdu.command, outcomeOf(pdu)))
        notice(transition, `${pdu.command} to nothing asked`, pdu.sequence);
      return;
    case "enquire_link":
      send(transition, { command: "enquire_link_resp", status: 0 }, pdu.sequence);
      return;
    case "enquire_link_resp":
      return;
    case "generic_nack":
      return receiveNack(transition, pdu);
    case "unbind":
      send(transition, { command: "unbind_resp", status: 0 }, pdu.sequence);
      return close(transition, "unbound by the peer");
    case "unbind_resp":
      if (transition.state.phase === "unbinding") close(transition, "unbound");
      else notice(transition, "unbind_resp to nothing asked", pdu.sequence);
      return;
    case "bind_transmitter":
    case "bind_receiver":
    case "bind_transceiver":
      return receiveBind(transition, pdu);
    case "bind_transmitter_resp":
    case "bind_receiver_resp":
    case "bind_transceiver_resp":
      return receiveBindResponse(transition, pdu);
    default:
      pdu satisfies never;
  }
}

function receiveRequest(transition: Transition, pdu: SessionRequest) {
  const { state, unanswered } = transition;
  if (!isUp(state) || !mayReceive(state, pdu.command)) {
    return refuse(transition, pdu.command, STATUS.ESME_RINVBNDSTS, pdu.sequence);
  }
  // A repeat of a request that is still being handled: one response answers both.
  if (unanswered.some(({ sequence }) => sequence === pdu.sequence)) {
    return notice(transition, `${pdu.command} under a number still unanswered`, pdu.sequence);
  }
  if (state.phase === "draining" || unanswered.length >= state.settings.unansweredMax) {
    const status = state.role === "esme" ? STATUS.ESME_RX_T_APPN : STATUS.ESME_RTHROTTLED;
    return refuse(transition, pdu.command, status, pdu.sequence);
  }
  unanswered.push({ sequence: pdu.sequence, command: pdu.command });
  report(transition, { kind: "requested", pdu });
}

function receiveNack(transition: Transition, { sequence, status }: BareResponse) {
  const { state } = transition;
  if (isBinding(transition) && sequence === state.bindSequence) return refuseBind(transition, status);
  // A generic_nack with status 0 is still an error.
  const outcome = failureOf(status === 0 ? STATUS.ESME_RUNKNOWNERR : status);
  if (!settle(transition, sequence, "generic_nack", outcome))
    notice(transition, `generic_nack of ${status} to nothing asked`, sequence);
}

function isBinding({ state }: Transition): boolean {
  return state.role === "esme" && state.phase === "open";
}

function receiveBind(transition: Transition, request: BindRequest) {
  const { state } = transition;
  if (state.role === "esme") return refuse(transition, undefined, STATUS.ESME_RINVCMDID, request.sequence);
  if (state.bind) return refuse(transition, request.command, STATUS.ESME_RALYBND, request.sequence);
  state.bind = request;
  state.bindSequence = request.sequence;
  report(transition, { kind: "bindRequested", request });
}

function receiveBindResponse(transition: Transition, response: BindResponse) {
  const { state } = transition;
  const { bind } = state;
  const isExpected = isBinding(transition) && response.sequence === state.bindSequence;
  if (!bind || !isExpected || response.command !== `${bind.command}_resp`) {
    return notice(transition, `${response.command} to nothing asked`, response.sequence);
  }
  if (response.status !== 0) return refuseBind(transition, response.status);
  state.phase = "bound";
  state.phaseDeadlineMs = Number.POSITIVE_INFINITY;
  report(transition, { kind: "bound", as: bind.command, systemId: response.systemId });
}

function refuseBind(transition: Transition, status: number) {
  report(transition, { kind: "bindRefused", status });
  close(transition, "bind refused");
}

/**
 * The header of an unreadable response still shows whether the request failed. If it did not fail, the outcome is
 * unknown.
 */
function receiveUnreadable(transition: Transition, { status, reason, commandId, commandStatus, sequence }: PduRefusal) {
  const command = commandName(commandId);
  notice(transition, reason, sequence);
  if (!isResponse(commandId)) return refuse(transition, command, status, sequence);
  if (isBinding(transition) && sequence === transition.state.bindSequence) {
    return commandStatus === 0 ? close(transition, "bind answer unreadable") : refuseBind(transition, commandStatus);
  }
  const outcome =
    commandStatus === 0 ? ({ kind: "unknown", reason: "answer unreadable" } as const) : failureOf(commandStatus);
  if (command) settle(transition, sequence, command, outcome);
}
