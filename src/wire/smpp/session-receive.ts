// What a session does with a PDU of its peer's. Any octets are borne: what cannot be read is answered with the status that says why.

import { commandName, isResponse } from "./commands.ts";
import { decodePdu, type PduRefusal } from "./decode.ts";
import type { BareResponse, BindRequest, BindResponse, Pdu } from "./pdu.ts";
import { mayReceive } from "./session-rights.ts";
import { isUp, type SessionRequest } from "./session-state.ts";
import { close, failureOf, notice, outcomeOf, refuse, report, send, settle, type Turn } from "./session-turn.ts";
import { STATUS } from "./statuses.ts";

export function receivePdu(turn: Turn, bytes: Uint8Array) {
  turn.state.heardMs = turn.nowMs;
  // Any PDU shows that the peer is there.
  turn.state.enquireDeadlineMs = Number.POSITIVE_INFINITY;
  const result = decodePdu(bytes);
  if (result.ok) dispatch(turn, result.value);
  else receiveUnreadable(turn, result.refusal);
}

function dispatch(turn: Turn, pdu: Pdu) {
  switch (pdu.command) {
    case "submit_sm":
    case "deliver_sm":
    case "data_sm":
    case "query_sm":
    case "cancel_sm":
    case "replace_sm":
      return receiveRequest(turn, pdu);
    case "submit_sm_resp":
    case "deliver_sm_resp":
    case "data_sm_resp":
    case "query_sm_resp":
    case "cancel_sm_resp":
    case "replace_sm_resp":
      if (!settle(turn, pdu.sequence, pdu.command, outcomeOf(pdu)))
        notice(turn, `${pdu.command} to nothing asked`, pdu.sequence);
      return;
    case "enquire_link":
      send(turn, { command: "enquire_link_resp", status: 0 }, pdu.sequence);
      return;
    case "enquire_link_resp":
      return;
    case "generic_nack":
      return receiveNack(turn, pdu);
    case "unbind":
      send(turn, { command: "unbind_resp", status: 0 }, pdu.sequence);
      return close(turn, "unbound by the peer");
    case "unbind_resp":
      if (turn.state.phase === "unbinding") close(turn, "unbound");
      else notice(turn, "unbind_resp to nothing asked", pdu.sequence);
      return;
    case "bind_transmitter":
    case "bind_receiver":
    case "bind_transceiver":
      return receiveBind(turn, pdu);
    case "bind_transmitter_resp":
    case "bind_receiver_resp":
    case "bind_transceiver_resp":
      return receiveBindResponse(turn, pdu);
    case "alert_notification":
      return report(turn, { kind: "alerted", pdu });
    case "submit_multi":
      return refuse(turn, undefined, STATUS.ESME_RINVCMDID, pdu.sequence);
    case "submit_multi_resp":
    case "outbind":
      return notice(turn, `${pdu.command} out of place`, pdu.sequence);
    default:
      pdu satisfies never;
  }
}

function receiveRequest(turn: Turn, pdu: SessionRequest) {
  const { state, unanswered } = turn;
  if (!isUp(state) || !mayReceive(state, pdu.command)) {
    return refuse(turn, pdu.command, STATUS.ESME_RINVBNDSTS, pdu.sequence);
  }
  // The answer that is on its way will do for both.
  if (unanswered.some(({ sequence }) => sequence === pdu.sequence)) {
    return notice(turn, `${pdu.command} under a number still unanswered`, pdu.sequence);
  }
  if (state.phase === "draining" || unanswered.length >= state.settings.unansweredMax) {
    const status = state.role === "esme" ? STATUS.ESME_RX_T_APPN : STATUS.ESME_RTHROTTLED;
    return refuse(turn, pdu.command, status, pdu.sequence);
  }
  unanswered.push({ sequence: pdu.sequence, command: pdu.command });
  report(turn, { kind: "requested", pdu });
}

function receiveNack(turn: Turn, { sequence, status }: BareResponse) {
  const { state } = turn;
  if (isBinding(turn) && sequence === state.bindSequence) return refuseBind(turn, status);
  // A nack that names no error is one all the same.
  const outcome = failureOf(status === 0 ? STATUS.ESME_RUNKNOWNERR : status);
  if (!settle(turn, sequence, "generic_nack", outcome))
    notice(turn, `generic_nack of ${status} to nothing asked`, sequence);
}

function isBinding({ state }: Turn): boolean {
  return state.role === "esme" && state.phase === "open";
}

function receiveBind(turn: Turn, request: BindRequest) {
  const { state } = turn;
  if (state.role === "esme") return refuse(turn, undefined, STATUS.ESME_RINVCMDID, request.sequence);
  if (state.bind) return refuse(turn, request.command, STATUS.ESME_RALYBND, request.sequence);
  state.bind = request;
  state.bindSequence = request.sequence;
  report(turn, { kind: "bindRequested", request });
}

function receiveBindResponse(turn: Turn, response: BindResponse) {
  const { state } = turn;
  const { bind } = state;
  const isExpected = isBinding(turn) && response.sequence === state.bindSequence;
  if (!bind || !isExpected || response.command !== `${bind.command}_resp`) {
    return notice(turn, `${response.command} to nothing asked`, response.sequence);
  }
  if (response.status !== 0) return refuseBind(turn, response.status);
  state.phase = "bound";
  state.phaseDeadlineMs = Number.POSITIVE_INFINITY;
  const interfaceVersion = response.tlvs.scInterfaceVersion;
  report(turn, { kind: "bound", as: bind.command, systemId: response.systemId, interfaceVersion });
}

function refuseBind(turn: Turn, status: number) {
  report(turn, { kind: "bindRefused", status });
  close(turn, "bind refused");
}

/** A response we cannot read still says by its header whether the request failed; if not, nobody knows what it said. */
function receiveUnreadable(turn: Turn, { status, reason, commandId, commandStatus, sequence }: PduRefusal) {
  const command = commandName(commandId);
  notice(turn, reason, sequence);
  if (!isResponse(commandId)) return refuse(turn, command, status, sequence);
  if (isBinding(turn) && sequence === turn.state.bindSequence) {
    return commandStatus === 0 ? close(turn, "bind answer unreadable") : refuseBind(turn, commandStatus);
  }
  const outcome =
    commandStatus === 0 ? ({ kind: "unknown", reason: "answer unreadable" } as const) : failureOf(commandStatus);
  if (command) settle(turn, sequence, command, outcome);
}
