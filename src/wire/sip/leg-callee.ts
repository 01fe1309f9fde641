// A leg as callee: 180, reliable if the peer requires it (RFC 3262), 200 until its ACK, refusals, CANCEL.

import { dialogOfRequest } from "./dialog.ts";
import {
  ALLOWED,
  beginClosing,
  endByBye,
  finish,
  report,
  reportEnd,
  respond,
  SUPPORTED,
  sendBye,
  type Transition,
} from "./leg-transition.ts";
import { hasToken, headerOf, type SipMessage, sdpOf } from "./message.ts";
import { timerOfRequest } from "./session-timer.ts";
import { transactionMs } from "./timers.ts";
import type { ResponseDraft } from "./write.ts";

/** The initial INVITE's server transaction. */
export const INVITE_REF = 0;
const RSEQ = 1;

export function ring(transition: Transition): void {
  const { leg } = transition;
  if (leg.phase !== "inviting" || leg.hasRung || !leg.request) return;
  const isReliable = hasToken(leg.request, "require", "100rel");
  // RFC 3262 5: without an offer in the INVITE a reliable 180 would have to carry ours, which comes with the 200.
  if (isReliable && sdpOf(leg.request) === undefined) return;
  leg.hasRung = true;
  const lines = `Contact: ${leg.settings.contact}\r\n${isReliable ? `Require: 100rel\r\nRSeq: ${RSEQ}\r\n` : ""}`;
  const draft = respond(transition, INVITE_REF, 180, { lines });
  if (isReliable) leg.unpracked = unacknowledged(transition, INVITE_REF, leg.request.cseq, draft, false);
}

export function answer(transition: Transition, sdp: string): void {
  const { leg, nowMs } = transition;
  if (leg.phase !== "inviting" || !leg.request) return;
  const { timer, lines } = timerOfRequest(leg.request, nowMs);
  const draft = respond(transition, INVITE_REF, 200, {
    lines: `${answerLines(leg.settings.contact)}${lines}`,
    body: sdp,
  });
  leg.phase = "answered";
  leg.unpracked = undefined;
  leg.localSdp = sdp;
  leg.session = timer;
  leg.mayUpdate = hasToken(leg.request, "allow", "update");
  leg.dialog ??= dialogOfRequest(leg.request, leg.localTag);
  const isOffer = sdpOf(leg.request) === undefined;
  leg.unacknowledged = unacknowledged(transition, INVITE_REF, leg.request.cseq, draft, isOffer);
  report(transition, { kind: "dialog", dialog: leg.dialog });
}

export function answerLines(contact: string): string {
  return `Contact: ${contact}\r\nAllow: ${ALLOWED}\r\nSupported: ${SUPPORTED}\r\n`;
}

/** RFC 3261 13.3.1.4: retransmitted after T1, with doubled intervals up to T2, for 64 T1, over every transport. */
export function unacknowledged(
  { leg, nowMs }: Transition,
  ref: number,
  cseq: number,
  draft: ResponseDraft,
  isOffer: boolean,
) {
  const { timers } = leg.settings;
  const deadlineMs = nowMs + transactionMs(timers);
  return { ref, cseq, draft, resendMs: nowMs + timers.t1Ms, resendAfterMs: timers.t1Ms, deadlineMs, isOffer };
}

export function reject(transition: Transition, status: number, lines: string): void {
  const { leg } = transition;
  if (leg.phase !== "inviting") return;
  respond(transition, INVITE_REF, status, { lines });
  reportEnd(transition, "us", status);
  finish(transition);
}

export function canceled(transition: Transition): void {
  const { leg } = transition;
  if (leg.phase === "up" && leg.peerOffer?.message.method === "INVITE") {
    respond(transition, leg.peerOffer.ref, 487);
    leg.peerOffer = undefined;
    return;
  }
  if (leg.role !== "callee" || leg.phase !== "inviting") return;
  respond(transition, INVITE_REF, 487);
  report(transition, { kind: "canceled" });
  finish(transition);
}

export function acknowledged(transition: Transition, message: SipMessage): void {
  const { leg } = transition;
  const waiting = leg.unacknowledged;
  if (!waiting || message.cseq !== waiting.cseq) return;
  leg.unacknowledged = undefined;
  const sdp = waiting.isOffer ? sdpOf(message) : undefined;
  if (leg.phase === "answered") {
    leg.phase = "up";
    report(transition, { kind: "confirmed", sdp });
  } else if (leg.phase === "up" && sdp !== undefined) report(transition, { kind: "renegotiated", sdp });
  if (leg.isByeWanted) sendBye(transition);
}

/** RFC 3261 15: no BYE before the ACK has arrived or was given up. */
export function endAnswered(transition: Transition, reason: string | undefined): void {
  const { leg } = transition;
  reportEnd(transition, "us", undefined, reason);
  const waiting = leg.unacknowledged;
  beginClosing(transition);
  leg.byeReason = reason ?? "";
  leg.isByeWanted = waiting !== undefined;
  if (waiting) leg.closeMs = waiting.deadlineMs + leg.closeMs - transition.nowMs;
  else sendBye(transition);
}

/** RFC 3262 3: PRACK identifies the response and the INVITE by their numbers. */
export function receivePrack(transition: Transition, ref: number, message: SipMessage): void {
  const { leg } = transition;
  const rack = /^(\d{1,10})[ \t]+(\d{1,10})[ \t]+INVITE$/i.exec(headerOf(message, "rack") ?? "");
  // It may arrive late, when the 200 is on its way or has arrived.
  const isOurs = leg.hasRung && leg.request !== undefined && hasToken(leg.request, "require", "100rel");
  if (!isOurs || Number(rack?.[1]) !== RSEQ || Number(rack?.[2]) !== leg.request?.cseq) {
    respond(transition, ref, 481);
    return;
  }
  leg.unpracked = undefined;
  respond(transition, ref, 200);
}

/** Retransmits what is not acknowledged, and gives the leg up after its deadline. */
export function tickAcknowledgements(transition: Transition): void {
  const { leg, nowMs, commands } = transition;
  const { unacknowledged: waiting, unpracked } = leg;
  if (unpracked && nowMs >= unpracked.deadlineMs) {
    // RFC 3262 3: without a PRACK the INVITE is refused.
    respond(transition, INVITE_REF, 504);
    reportEnd(transition, "timeout", 504, "no PRACK");
    finish(transition);
    return;
  }
  if (waiting && nowMs >= waiting.deadlineMs) {
    leg.unacknowledged = undefined;
    if (leg.phase !== "closing") endByBye(transition, "timeout", 408, "no ACK");
    else if (leg.isByeWanted) sendBye(transition);
    return;
  }
  for (const member of ["unacknowledged", "unpracked"] as const) {
    const one = leg[member];
    if (!one || nowMs < one.resendMs) continue;
    const resendAfterMs =
      member === "unpracked" ? 2 * one.resendAfterMs : Math.min(2 * one.resendAfterMs, leg.settings.timers.t2Ms);
    leg[member] = { ...one, resendAfterMs, resendMs: nowMs + resendAfterMs };
    commands.push({ kind: "respond", ref: one.ref, draft: one.draft });
  }
}
