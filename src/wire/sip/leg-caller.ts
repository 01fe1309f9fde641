// A leg as caller: INVITE, early dialogs of all forks, 100rel, the 2xx and its ACK, CANCEL.

import { type Dialog, dialogOfResponse, requestInDialog } from "./dialog.ts";
import type { EarlyDialog } from "./leg-state.ts";
import {
  ALLOWED,
  beginClosing,
  byeOf,
  finish,
  reasonLine,
  report,
  reportEnd,
  SUPPORTED,
  type Transition,
} from "./leg-transition.ts";
import { hasToken, numberOf, type SipMessage, sdpOf } from "./message.ts";
import { MIN_SE_SECONDS, minSeOf, timerOfResponse } from "./session-timer.ts";
import { transactionMs } from "./timers.ts";
import type { RequestDraft } from "./write.ts";

const FORKS_MAX = 20;
const RETRIES_MAX = 4;

/** Sends the INVITE; `cseq` increases each time it is sent anew. */
export function sendInvite(transition: Transition, sessionSeconds: number): void {
  const { leg, commands } = transition;
  if (!leg.invite) return;
  const { contact } = leg.settings;
  const lines =
    `Contact: ${contact}\r\nAllow: ${ALLOWED}\r\nSupported: ${SUPPORTED}\r\n` +
    `Session-Expires: ${sessionSeconds}\r\nMin-SE: ${MIN_SE_SECONDS}\r\n`;
  commands.push({ kind: "send", draft: { ...leg.invite, lines: `${lines}${leg.credentials}${leg.invite.lines}` } });
}

export function receiveInviteResponse(transition: Transition, message: SipMessage): void {
  const { leg } = transition;
  if (!leg.invite || message.cseq !== leg.invite.cseq) return;
  if (message.status < 200) receiveProvisional(transition, message);
  else if (message.status < 300) receiveAnswer(transition, message);
  else if (leg.phase === "inviting" || leg.phase === "closing") receiveRefusal(transition, message);
}

function receiveProvisional(transition: Transition, message: SipMessage): void {
  const { leg } = transition;
  if (leg.phase === "over") return;
  leg.hasProvisional = true;
  if (leg.cancel === "wanted") sendCancel(transition);
  if (leg.phase !== "inviting" || message.status === 100) return;
  const early = followEarly(transition, message);
  if (early === "repeated") return;
  const sdp = sdpOf(message);
  // Several forks may ring; the first is reported, and after it every one with early media.
  if (!leg.hasRung || sdp !== undefined) report(transition, { kind: "ringing", status: message.status, sdp });
  leg.hasRung = true;
}

/** Creates or updates the early dialog and acknowledges a reliable response (RFC 3262 4). */
function followEarly(transition: Transition, message: SipMessage): "new" | "repeated" {
  const { leg, commands } = transition;
  if (!leg.invite || message.toTag === "") return "new";
  const known = leg.early.find(({ dialog }) => dialog.remoteTag === message.toTag);
  const rseq = numberOf(message, "rseq");
  const isReliable = rseq !== undefined && rseq > 0 && hasToken(message, "require", "100rel");
  // RFC 3262 4: only the next number is acknowledged; the same number is a retransmission.
  if (isReliable && known && known.rseq > 0 && rseq !== known.rseq + 1) return "repeated";
  if (!known && leg.early.length >= FORKS_MAX) return "new";
  const made = dialogOfResponse(leg.invite, leg.localTag, message);
  if (!made) return "new";
  let dialog: Dialog = known
    ? { ...made, localCseq: known.dialog.localCseq, remoteCseq: known.dialog.remoteCseq }
    : made;
  if (isReliable) {
    dialog = { ...dialog, localCseq: dialog.localCseq + 1 };
    const lines = `RAck: ${rseq} ${message.cseq} INVITE\r\n`;
    commands.push({ kind: "send", draft: requestInDialog(dialog, { method: "PRACK", cseq: dialog.localCseq, lines }) });
  }
  const next: EarlyDialog = {
    dialog,
    rseq: isReliable ? rseq : (known?.rseq ?? 0),
    sdp: sdpOf(message) ?? known?.sdp ?? "",
  };
  leg.early = known ? leg.early.map((one) => (one === known ? next : one)) : [...leg.early, next];
  return "new";
}

function receiveAnswer(transition: Transition, message: SipMessage): void {
  const { leg, commands } = transition;
  const made = leg.invite && dialogOfResponse(leg.invite, leg.localTag, message);
  if (!made || !leg.invite) return;
  const early = leg.early.find(({ dialog }) => dialog.remoteTag === made.remoteTag);
  const dialog = early ? { ...made, localCseq: Math.max(made.localCseq, early.dialog.localCseq) } : made;
  if (leg.phase !== "inviting") {
    if (leg.dialog?.remoteTag === dialog.remoteTag && leg.ack) commands.push({ kind: "acknowledge", draft: leg.ack });
    else endFork(transition, dialog);
    return;
  }
  leg.phase = "up";
  leg.dialog = dialog;
  leg.ack = ackOf(transition, dialog);
  leg.early = [];
  leg.session = timerOfResponse(message, transition.nowMs);
  leg.mayUpdate = hasToken(message, "allow", "update");
  commands.push({ kind: "acknowledge", draft: leg.ack });
  report(transition, { kind: "answered", sdp: sdpOf(message) ?? (early?.sdp || undefined) });
  report(transition, { kind: "dialog", dialog });
}

/** RFC 3261 13.2.2.4: the ACK has the CSeq of the INVITE and its credentials. */
function ackOf({ leg }: Transition, dialog: Dialog): RequestDraft {
  const cseq = leg.invite?.cseq ?? 1;
  return requestInDialog(dialog, { method: "ACK", cseq, lines: leg.credentials });
}

/** Another fork answered, or the CANCEL came too late: acknowledged and ended immediately (RFC 3261 13.2.2.4, 15). */
function endFork(transition: Transition, dialog: Dialog): void {
  const { leg, commands } = transition;
  commands.push({ kind: "acknowledge", draft: ackOf(transition, dialog) });
  if (leg.endedForks.includes(dialog.remoteTag) || leg.endedForks.length >= FORKS_MAX) return;
  leg.endedForks = [...leg.endedForks, dialog.remoteTag];
  const next = { ...dialog, localCseq: dialog.localCseq + 1 };
  // While closing, this is the dialog whose BYE is awaited.
  if (leg.phase === "closing" && !leg.dialog) {
    leg.dialog = next;
    leg.ack = ackOf(transition, dialog);
  }
  commands.push({ kind: "send", draft: byeOf(next, leg.byeReason) });
}

function receiveRefusal(transition: Transition, message: SipMessage): void {
  const { leg } = transition;
  if (leg.phase === "closing") {
    if (!leg.dialog) finish(transition);
    return;
  }
  const minSe = message.status === 422 ? minSeOf(message) : undefined;
  if (minSe !== undefined && inviteAnew(transition, Math.max(minSe, leg.settings.sessionSeconds))) return;
  report(transition, { kind: "failed", status: message.status, response: message });
  finish(transition);
}

function inviteAnew(transition: Transition, sessionSeconds: number): boolean {
  const { leg } = transition;
  if (!leg.invite || leg.retries >= RETRIES_MAX) return false;
  leg.retries++;
  leg.invite = { ...leg.invite, cseq: leg.invite.cseq + 1 };
  leg.hasProvisional = false;
  leg.early = [];
  sendInvite(transition, sessionSeconds);
  return true;
}

/** Sends the INVITE again with credentials. */
export function authorizeInvite(transition: Transition, line: string): void {
  const { leg } = transition;
  if (leg.phase !== "inviting") return;
  leg.credentials = line;
  if (inviteAnew(transition, leg.settings.sessionSeconds)) return;
  report(transition, { kind: "failed", status: 403, response: undefined });
  finish(transition);
}

export function inviteUnanswered(transition: Transition, status: 408 | 503): void {
  const { leg } = transition;
  if (leg.phase === "inviting") report(transition, { kind: "failed", status, response: undefined });
  else if (leg.phase !== "closing" || leg.dialog) return;
  finish(transition);
}

/** RFC 3261 9.1: CANCEL waits for the first provisional response; a 2xx that arrives nevertheless is ended by BYE. */
export function giveUpInvite(transition: Transition, reason: string | undefined): void {
  const { leg, nowMs } = transition;
  reportEnd(transition, "us", undefined, reason);
  beginClosing(transition);
  leg.cancel = "wanted";
  leg.byeReason = reason ?? "";
  if (leg.hasProvisional) sendCancel(transition);
  else leg.closeMs = nowMs + 2 * transactionMs(leg.settings.timers);
}

function sendCancel({ leg, commands, nowMs }: Transition): void {
  leg.cancel = "sent";
  leg.closeMs = nowMs + transactionMs(leg.settings.timers);
  commands.push({ kind: "cancel", lines: reasonLine(leg.byeReason) });
}
