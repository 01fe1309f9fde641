// What both sides may do in a dialog: re-INVITE and UPDATE with glare, INFO, BYE, session refresh.

import { requestInDialog, targetOf } from "./dialog.ts";
import { DIGIT_TYPE, digitOfInfo, infoBody } from "./info-digit.ts";
import { answerLines, INVITE_REF, receivePrack, unacknowledged } from "./leg-callee.ts";
import type { PeerOffer } from "./leg-state.ts";
import { ALLOWED, endByBye, finish, report, reportEnd, respond, SUPPORTED, type Transition } from "./leg-transition.ts";
import { headerOf, type SipMessage, sdpOf } from "./message.ts";
import { REFER_LINES } from "./request-check.ts";
import {
  isIntervalTooSmall,
  MIN_SE_SECONDS,
  minSeOf,
  refreshLines,
  timerOfRequest,
  timerOfResponse,
} from "./session-timer.ts";
import { SDP_TYPE } from "./write.ts";

export function receiveRequest(transition: Transition, ref: number, message: SipMessage): void {
  const { leg } = transition;
  if (leg.phase === "over") {
    respond(transition, ref, 481);
    return;
  }
  if (message.method === "PRACK" && leg.role === "callee") {
    receivePrack(transition, ref, message);
    return;
  }
  if (!takeCseq(transition, message)) {
    // RFC 3261 12.2.2: out of order.
    respond(transition, ref, 500, { lines: "Retry-After: 1\r\n" });
    return;
  }
  switch (message.method) {
    case "BYE":
      receiveBye(transition, ref, headerOf(message, "reason"));
      break;
    case "INVITE":
    case "UPDATE":
      receiveOffer(transition, { ref, message });
      break;
    case "INFO":
      receiveInfo(transition, ref, message);
      break;
    case "OPTIONS":
      respond(transition, ref, 200, {
        lines: `Allow: ${ALLOWED}\r\nSupported: ${SUPPORTED}\r\nAccept: ${SDP_TYPE}\r\n`,
      });
      break;
    case "REFER":
      respond(transition, ref, 603, { lines: REFER_LINES });
      break;
    default:
      respond(transition, ref, 405, { lines: `Allow: ${ALLOWED}\r\n` });
  }
}

/** Updates the CSeq of the peer's last request; false when this request is older. */
function takeCseq({ leg }: Transition, message: SipMessage): boolean {
  if (leg.dialog) {
    if (message.cseq <= leg.dialog.remoteCseq) return false;
    leg.dialog = { ...leg.dialog, remoteCseq: message.cseq };
    return true;
  }
  const early = leg.early.find(({ dialog }) => dialog.remoteTag === message.fromTag);
  if (!early) return true;
  if (message.cseq <= early.dialog.remoteCseq) return false;
  const next = { ...early, dialog: { ...early.dialog, remoteCseq: message.cseq } };
  leg.early = leg.early.map((one) => (one === early ? next : one));
  return true;
}

function receiveBye(transition: Transition, ref: number, said: string | undefined): void {
  const { leg } = transition;
  respond(transition, ref, 200);
  if (leg.phase === "inviting") {
    if (leg.role === "callee") {
      // RFC 3261 15.1.2: a pending INVITE is answered with 487.
      respond(transition, INVITE_REF, 487);
      report(transition, { kind: "canceled" });
      finish(transition);
    }
    // One of our forks gave up; the INVITE gets its own final response.
    return;
  }
  // While closing, both sides have sent BYE; ours still gets its response.
  if (leg.phase === "closing") return;
  reportEnd(transition, "peer", undefined, undefined, said);
  finish(transition);
}

function receiveOffer(transition: Transition, offer: PeerOffer): void {
  const { leg, nowMs } = transition;
  const { ref, message } = offer;
  const sdp = sdpOf(message);
  const isInvite = message.method === "INVITE";
  if (leg.phase === "closing" || (isInvite && leg.phase === "inviting")) {
    respond(transition, ref, leg.phase === "closing" ? 481 : 491);
    return;
  }
  if (isIntervalTooSmall(message)) {
    respond(transition, ref, 422, { lines: `Min-SE: ${MIN_SE_SECONDS}\r\n` });
    return;
  }
  if (isInvite || sdp !== undefined) {
    // RFC 3261 14.2, RFC 3311 5.2: one offer at a time.
    if (leg.peerOffer || leg.unacknowledged) {
      respond(transition, ref, 500, { lines: "Retry-After: 1\r\n" });
      return;
    }
    if (leg.refresh?.method === "INVITE") {
      respond(transition, ref, 491);
      return;
    }
  }
  moveTarget(transition, message);
  if (!isInvite && sdp === undefined) {
    const { timer, lines } = timerOfRequest(message, nowMs);
    leg.session = timer ?? leg.session;
    respond(transition, ref, 200, { lines: `${answerLines(leg.settings.contact)}${lines}` });
    return;
  }
  leg.peerOffer = offer;
  report(transition, { kind: "offered", sdp });
}

/** RFC 3261 12.2.2: a target refresh changes where our requests go. */
function moveTarget(transition: Transition, message: SipMessage): void {
  const { leg } = transition;
  const target = targetOf(message);
  if (!leg.dialog || target === undefined || target === leg.dialog.target) return;
  leg.dialog = { ...leg.dialog, target };
  report(transition, { kind: "dialog", dialog: leg.dialog });
}

export function answerOffer(transition: Transition, sdp: string | undefined): void {
  const { leg, nowMs } = transition;
  const offer = leg.peerOffer;
  if (!offer) return;
  leg.peerOffer = undefined;
  if (sdp === undefined) {
    respond(transition, offer.ref, 488);
    return;
  }
  const { timer, lines } = timerOfRequest(offer.message, nowMs);
  leg.session = timer ?? leg.session;
  leg.localSdp = sdp;
  const draft = respond(transition, offer.ref, 200, {
    lines: `${answerLines(leg.settings.contact)}${lines}`,
    body: sdp,
  });
  if (offer.message.method !== "INVITE") return;
  const isOffer = sdpOf(offer.message) === undefined;
  leg.unacknowledged = unacknowledged(transition, offer.ref, offer.message.cseq, draft, isOffer);
}

function receiveInfo(transition: Transition, ref: number, message: SipMessage): void {
  const digit = digitOfInfo(message);
  if (!digit && message.body !== "") {
    respond(transition, ref, 415, { lines: `Accept: ${DIGIT_TYPE}, application/dtmf\r\n` });
    return;
  }
  respond(transition, ref, 200);
  if (digit && transition.leg.phase === "up") report(transition, { kind: "digit", ...digit });
}

export function sendDigit(transition: Transition, digit: string, ms: number): void {
  const { leg, commands } = transition;
  if (leg.phase !== "up" || !leg.dialog) return;
  leg.dialog = { ...leg.dialog, localCseq: leg.dialog.localCseq + 1 };
  const body = infoBody({ digit, ms });
  const order = { method: "INFO", cseq: leg.dialog.localCseq, lines: "", contentType: DIGIT_TYPE, body };
  commands.push({ kind: "send", draft: requestInDialog(leg.dialog, order) });
}

/** RFC 4028 7.4, 10: the refresher sends UPDATE, or a re-INVITE with the same SDP; the other side gives up. */
export function tickSession(transition: Transition): void {
  const { leg, nowMs } = transition;
  const { session } = leg;
  if (!session || nowMs < session.dueMs || leg.phase !== "up") return;
  if (!session.isRefresher) {
    endByBye(transition, "timeout", 408, "the session was not refreshed");
    return;
  }
  if (leg.refresh && !leg.refresh.isOffer) {
    // An INVITE may get provisional responses forever.
    refreshUnanswered(transition, 408);
    return;
  }
  // Another offer is pending: it refreshes the session, or the next tick does.
  if (leg.peerOffer || leg.unacknowledged || leg.refresh?.isOffer) {
    leg.session = { ...session, dueMs: nowMs + 2000 };
    return;
  }
  leg.session = { ...session, dueMs: nowMs + (session.seconds * 1000) / 2 };
  sendRefresh(transition, "");
}

function sendRefresh({ leg, commands }: Transition, credentials: string): void {
  if (!leg.dialog || !leg.session) return;
  const method = leg.mayUpdate ? "UPDATE" : "INVITE";
  leg.dialog = { ...leg.dialog, localCseq: leg.dialog.localCseq + 1 };
  leg.refresh = { method, cseq: leg.dialog.localCseq, isOffer: false };
  const lines = `${answerLines(leg.settings.contact)}${refreshLines(leg.session)}${credentials}`;
  const body = method === "INVITE" ? leg.localSdp : "";
  commands.push({ kind: "send", draft: requestInDialog(leg.dialog, { ...leg.refresh, lines, body }) });
}

/** Waits while another offer is pending. */
export function tickReoffer(transition: Transition): void {
  const { leg, nowMs } = transition;
  const { reoffer } = leg;
  if (!reoffer || nowMs < reoffer.dueMs || leg.phase !== "up") return;
  if (leg.refresh || leg.peerOffer || leg.unacknowledged) {
    leg.reoffer = { ...reoffer, dueMs: nowMs + 1000 };
    return;
  }
  leg.reoffer = undefined;
  leg.localSdp = reoffer.sdp;
  sendOffer(transition, "");
}

function sendOffer({ leg, commands }: Transition, credentials: string): void {
  if (!leg.dialog) return;
  leg.dialog = { ...leg.dialog, localCseq: leg.dialog.localCseq + 1 };
  leg.refresh = { method: "INVITE", cseq: leg.dialog.localCseq, isOffer: true };
  const timer = leg.session ? refreshLines(leg.session) : "";
  const lines = `${answerLines(leg.settings.contact)}${timer}${credentials}`;
  const { method, cseq } = leg.refresh;
  commands.push({ kind: "send", draft: requestInDialog(leg.dialog, { method, cseq, lines, body: leg.localSdp }) });
}

/** Sends the refresh again with credentials. */
export function authorizeRefresh(transition: Transition, line: string): void {
  const { phase, refresh } = transition.leg;
  if (phase !== "up") return;
  if (refresh?.isOffer) sendOffer(transition, line);
  else sendRefresh(transition, line);
}

export function receiveRefreshResponse(transition: Transition, message: SipMessage): void {
  const { leg, commands, nowMs } = transition;
  const { refresh } = leg;
  const isOurs = refresh?.cseq === message.cseq && refresh.method === message.method;
  if (message.status < 200) return;
  if (message.method === "INVITE" && message.status < 300 && leg.dialog) {
    commands.push({
      kind: "acknowledge",
      draft: requestInDialog(leg.dialog, { method: "ACK", cseq: message.cseq, lines: "" }),
    });
  }
  if (!isOurs) return;
  leg.refresh = undefined;
  if (refresh.isOffer) {
    offerAnswered(transition, message);
    return;
  }
  if (!leg.session) return;
  if (message.status < 300) {
    moveTarget(transition, message);
    leg.session = timerOfResponse(message, nowMs) ?? leg.session;
  } else if (message.status === 422) {
    leg.session = { ...leg.session, seconds: minSeOf(message) ?? leg.session.seconds, dueMs: nowMs };
  } else if (message.status === 491) {
    leg.session = { ...leg.session, dueMs: nowMs + glareMs(leg) };
  } else if (message.status === 481 || message.status === 408) {
    endByBye(transition, "timeout", message.status, "the session is gone at the other end");
  } else if (message.method === "UPDATE") leg.mayUpdate = false;
}

function offerAnswered(transition: Transition, message: SipMessage): void {
  const { leg, nowMs } = transition;
  const sdp = sdpOf(message);
  if (message.status < 300) {
    moveTarget(transition, message);
    leg.session = timerOfResponse(message, nowMs) ?? leg.session;
    if (sdp !== undefined) report(transition, { kind: "renegotiated", sdp });
  } else if (message.status === 491) {
    leg.reoffer = { sdp: leg.localSdp, dueMs: nowMs + glareMs(leg) };
  } else if (message.status === 422 && leg.session) {
    leg.session = { ...leg.session, seconds: minSeOf(message) ?? leg.session.seconds };
    leg.reoffer = { sdp: leg.localSdp, dueMs: nowMs };
  } else if (message.status === 481 || message.status === 408) {
    endByBye(transition, "timeout", message.status, "the session is gone at the other end");
  }
}

/** RFC 3261 14.1: the owner of the Call-ID waits longer. */
function glareMs({ role }: Transition["leg"]): number {
  return role === "caller" ? 3000 : 1000;
}

export function refreshUnanswered(transition: Transition, status: number): void {
  if (transition.leg.phase === "up") endByBye(transition, "timeout", status, "the session refresh was not answered");
}
