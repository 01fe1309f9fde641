// A leg as a pure state machine, for both sides: `(state, input) → [state, commands]`. It has no sockets, transactions
// or timers: the caller of `stepLeg` carries out the commands and sends `tick` at the time of `legTickMs`.
//
//   we call:     inviting ──────────→ up → closing → over
//   we are called: inviting → answered → up → closing → over
//
// Guarantees: the end of a leg is reported exactly once, as `failed`, `canceled` or `ended`; after `over` only the ACK
// of a retransmitted 2xx is sent. Every 2xx of every fork is acknowledged and all but the first are ended. A CANCEL
// waits for a provisional response; a 2xx that crosses it is ended by BYE. When both sides send BYE, the peer's is
// answered and the response to ours is awaited. Input that does not fit the state is ignored or refused.

import { acknowledged, answer, canceled, endAnswered, reject, ring, tickAcknowledgements } from "./leg-callee.ts";
import { authorizeInvite, giveUpInvite, inviteUnanswered, receiveInviteResponse, sendInvite } from "./leg-caller.ts";
import {
  answerOffer,
  authorizeRefresh,
  receiveRefreshResponse,
  receiveRequest,
  refreshUnanswered,
  sendDigit,
  tickReoffer,
  tickSession,
} from "./leg-dialog.ts";
import type { LegCommand, LegInput, LegState } from "./leg-state.ts";
import { byeOf, endByBye, finish, type Transition } from "./leg-transition.ts";
import type { SipMessage } from "./message.ts";

export function stepLeg(before: LegState, input: LegInput): readonly [LegState, readonly LegCommand[]] {
  const transition: Transition = { leg: { ...before }, commands: [], nowMs: input.nowMs };
  switch (input.kind) {
    case "dial":
      sendInvite(transition, before.settings.sessionSeconds);
      break;
    case "response":
      receiveResponse(transition, input.message);
      break;
    case "unanswered":
      receiveSilence(transition, input.method, input.cseq, input.status);
      break;
    case "authorize":
      authorize(transition, input.method, input.cseq, input.line);
      break;
    case "request":
      receiveRequest(transition, input.ref, input.message);
      break;
    case "ack":
      acknowledged(transition, input.message);
      break;
    case "cancel":
      canceled(transition);
      break;
    case "ring":
      if (before.role === "callee") ring(transition);
      break;
    case "answer":
      if (before.role === "callee") answer(transition, input.sdp);
      break;
    case "reject":
      if (before.role === "callee") reject(transition, input.status, input.lines);
      break;
    case "answerOffer":
      answerOffer(transition, input.sdp);
      break;
    case "reoffer":
      transition.leg.settings = { ...before.settings, contact: input.contact };
      transition.leg.reoffer = { sdp: input.sdp, dueMs: input.nowMs };
      tickReoffer(transition);
      break;
    case "sendDigit":
      sendDigit(transition, input.digit, input.ms);
      break;
    case "hangUp":
      hangUp(transition, input.reason);
      break;
    case "tick":
      tick(transition);
      break;
    default:
      input satisfies never;
  }
  return [transition.leg, transition.commands];
}

function receiveResponse(transition: Transition, message: SipMessage): void {
  const { leg } = transition;
  if (message.method === "INVITE" && message.cseq === leg.invite?.cseq) receiveInviteResponse(transition, message);
  else if (message.method === "INVITE" || message.method === "UPDATE") receiveRefreshResponse(transition, message);
  else if (message.method === "BYE" && message.status >= 200) byeDone(transition, message.cseq);
}

/** The dialog is gone, whatever the peer answers to BYE (RFC 3261 15.1.1). */
function byeDone(transition: Transition, cseq: number): void {
  const { leg } = transition;
  if (leg.phase === "closing" && leg.dialog?.localCseq === cseq) finish(transition);
}

function receiveSilence(transition: Transition, method: string, cseq: number, status: 408 | 503): void {
  const { leg } = transition;
  if (method === "INVITE" && cseq === leg.invite?.cseq) inviteUnanswered(transition, status);
  else if (method === "BYE") byeDone(transition, cseq);
  else if (leg.refresh?.cseq === cseq && leg.refresh.method === method) refreshUnanswered(transition, status);
}

function authorize(transition: Transition, method: string, cseq: number, line: string): void {
  const { leg, commands } = transition;
  if (method === "INVITE" && cseq === leg.invite?.cseq) authorizeInvite(transition, line);
  else if (leg.refresh?.cseq === cseq && leg.refresh.method === method) authorizeRefresh(transition, line);
  else if (method === "BYE" && leg.phase === "closing" && leg.dialog?.localCseq === cseq) {
    leg.dialog = { ...leg.dialog, localCseq: cseq + 1 };
    const draft = byeOf(leg.dialog, leg.byeReason);
    commands.push({ kind: "send", draft: { ...draft, lines: `${draft.lines}${line}` } });
  }
}

function hangUp(transition: Transition, reason: string | undefined): void {
  const { leg } = transition;
  leg.byeReason = reason ?? "";
  switch (leg.phase) {
    case "inviting":
      if (leg.role === "caller") giveUpInvite(transition, reason);
      else reject(transition, 480, "");
      break;
    case "answered":
      endAnswered(transition, reason);
      break;
    case "up":
      endByBye(transition, "us", undefined, reason);
      break;
    default:
  }
}

function tick(transition: Transition): void {
  const { leg, nowMs } = transition;
  if (leg.phase === "over") return;
  if (nowMs >= leg.closeMs) {
    finish(transition);
    return;
  }
  tickAcknowledgements(transition);
  tickReoffer(transition);
  tickSession(transition);
}
