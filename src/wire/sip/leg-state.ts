// The state, the inputs and the commands of a leg: one INVITE and the dialogs that it creates. See leg.ts for the
// rules.

import type { Dialog } from "./dialog.ts";
import type { SipMessage } from "./message.ts";
import type { SessionTimer } from "./session-timer.ts";
import { NEVER_MS, type SipTimers } from "./timers.ts";
import type { RequestDraft, ResponseDraft } from "./write.ts";

export interface LegSettings {
  readonly timers: SipTimers;
  /** The value of our Contact. */
  readonly contact: string;
  /** Session-Expires of our INVITE (RFC 4028). */
  readonly sessionSeconds: number;
}

/** A response that is retransmitted until the peer has acknowledged it: a 2xx by ACK, a reliable 18x by PRACK. */
export interface Unacknowledged {
  /** The request that it answers. */
  readonly ref: number;
  readonly cseq: number;
  readonly draft: ResponseDraft;
  readonly resendMs: number;
  readonly resendAfterMs: number;
  readonly deadlineMs: number;
  /** The response carried our offer, so the acknowledgement carries the answer. */
  readonly isOffer: boolean;
}

/** The peer's re-INVITE or UPDATE that waits for our answer. */
export interface PeerOffer {
  readonly ref: number;
  readonly message: SipMessage;
}

export interface EarlyDialog {
  readonly dialog: Dialog;
  /** RSeq of the last reliable 18x (RFC 3262 4). */
  readonly rseq: number;
  /** The last SDP received in it. */
  readonly sdp: string;
}

export interface LegState {
  readonly role: "caller" | "callee";
  readonly settings: LegSettings;
  readonly localTag: string;
  /** `answered`: we sent 200 and wait for the ACK. `closing`: ended and reported, but a transaction is still open. */
  readonly phase: "inviting" | "answered" | "up" | "closing" | "over";
  /** The INVITE that we sent. */
  readonly invite: RequestDraft | undefined;
  /** The INVITE that we received. */
  readonly request: SipMessage | undefined;
  readonly hasProvisional: boolean;
  readonly cancel: "no" | "wanted" | "sent";
  /** How often the INVITE was sent anew: credentials, a longer session interval. */
  readonly retries: number;
  readonly early: readonly EarlyDialog[];
  /** Tags of forks that answered too late and were ended. */
  readonly endedForks: readonly string[];
  readonly hasRung: boolean;
  readonly dialog: Dialog | undefined;
  readonly ack: RequestDraft | undefined;
  /** Credentials for the INVITE and its ACK. */
  readonly credentials: string;
  readonly unacknowledged: Unacknowledged | undefined;
  readonly unpracked: Unacknowledged | undefined;
  /** Send BYE as soon as the ACK arrives (RFC 3261 15). */
  readonly isByeWanted: boolean;
  readonly byeReason: string;
  readonly peerOffer: PeerOffer | undefined;
  /** Our own re-INVITE or UPDATE. */
  readonly refresh: Refresh | undefined;
  /** An offer of ours that is to be sent in a re-INVITE, as soon as no other is pending. */
  readonly reoffer: { readonly sdp: string; readonly dueMs: number } | undefined;
  readonly session: SessionTimer | undefined;
  readonly mayUpdate: boolean;
  readonly localSdp: string;
  /** When a closing leg is given up. */
  readonly closeMs: number;
}

export interface Refresh {
  readonly method: "INVITE" | "UPDATE";
  readonly cseq: number;
  /** It carries a new offer. */
  readonly isOffer: boolean;
}

export type LegInput = { readonly nowMs: number } /** The caller's first step: sends the INVITE. */ & (
  | { readonly kind: "dial" }
  | { readonly kind: "response"; readonly message: SipMessage }
  /** No final response came, or the request could not be sent. */
  | { readonly kind: "unanswered"; readonly method: string; readonly cseq: number; readonly status: 408 | 503 }
  /** Send the challenged request again with this line. */
  | { readonly kind: "authorize"; readonly method: string; readonly cseq: number; readonly line: string }
  /** A request inside the dialog, including BYE; ACK and CANCEL have their own inputs. */
  | { readonly kind: "request"; readonly ref: number; readonly message: SipMessage }
  | { readonly kind: "ack"; readonly message: SipMessage }
  | { readonly kind: "cancel" }
  | { readonly kind: "ring" }
  | { readonly kind: "answer"; readonly sdp: string }
  | { readonly kind: "reject"; readonly status: number; readonly lines: string }
  | { readonly kind: "answerOffer"; readonly sdp: string | undefined }
  /** We are reached at another Contact from now on; the offer goes out in a re-INVITE. */
  | { readonly kind: "reoffer"; readonly sdp: string; readonly contact: string }
  | { readonly kind: "sendDigit"; readonly digit: string; readonly ms: number }
  | { readonly kind: "hangUp"; readonly reason: string | undefined }
  | { readonly kind: "tick" }
);

export type LegCommand =
  /** Sent in a client transaction; its result comes back as `response` or `unanswered`. */
  | { readonly kind: "send"; readonly draft: RequestDraft }
  /** CANCEL of the last INVITE sent. */
  | { readonly kind: "cancel"; readonly lines: string }
  /** Sent outside of transactions. */
  | { readonly kind: "acknowledge"; readonly draft: RequestDraft }
  | { readonly kind: "respond"; readonly ref: number; readonly draft: ResponseDraft }
  | { readonly kind: "report"; readonly event: LegEvent }
  /** The last command: the leg has no state left. */
  | { readonly kind: "over" };

export type LegEvent =
  | { readonly kind: "ringing"; readonly status: number; readonly sdp: string | undefined }
  | { readonly kind: "answered"; readonly sdp: string | undefined }
  | { readonly kind: "confirmed"; readonly sdp: string | undefined }
  /** The INVITE failed; `response` is the final one. The leg is over. */
  | { readonly kind: "failed"; readonly status: number; readonly response: SipMessage | undefined }
  | { readonly kind: "canceled" }
  | { readonly kind: "offered"; readonly sdp: string | undefined }
  | { readonly kind: "renegotiated"; readonly sdp: string }
  | { readonly kind: "digit"; readonly digit: string; readonly ms: number }
  /** The dialog was created, or its target has changed. */
  | { readonly kind: "dialog"; readonly dialog: Dialog }
  | {
      readonly kind: "ended";
      readonly by: "peer" | "timeout" | "us";
      readonly status: number | undefined;
      readonly reason: string | undefined;
      /** What the peer's BYE says of it (RFC 3326), as it stands there. */
      readonly said?: string | undefined;
    };

/** `invite` lacks Contact and the header fields that the leg adds. */
export function newCaller(settings: LegSettings, invite: RequestDraft, localTag: string): LegState {
  return newLeg({ role: "caller", settings, localTag, invite, localSdp: invite.body });
}

export function newCallee(settings: LegSettings, request: SipMessage, localTag: string): LegState {
  return newLeg({ role: "callee", settings, localTag, request, localSdp: "" });
}

/** A leg of another process of which only the dialog is known: established, to be ended. */
export function newLeft(settings: LegSettings, dialog: Dialog): LegState {
  const leg = newLeg({ role: "caller", settings, localTag: dialog.localTag, localSdp: "" });
  // The other process may have sent requests since; a gap in the CSeq numbers is allowed (RFC 3261 12.2.1.1).
  return { ...leg, phase: "up", dialog: { ...dialog, localCseq: dialog.localCseq + 100 } };
}

type Begun = Pick<LegState, "role" | "settings" | "localTag" | "localSdp"> &
  Partial<Pick<LegState, "invite" | "request">>;

/** Written out: V8 makes an object of a spread and more fields a hundred times as slowly, and copies it slowly. */
function newLeg({ role, settings, localTag, localSdp, invite, request }: Begun): LegState {
  return {
    role,
    settings,
    localTag,
    phase: "inviting",
    invite,
    request,
    hasProvisional: false,
    cancel: "no",
    retries: 0,
    early: [],
    endedForks: [],
    hasRung: false,
    dialog: undefined,
    ack: undefined,
    credentials: "",
    unacknowledged: undefined,
    unpracked: undefined,
    isByeWanted: false,
    byeReason: "",
    peerOffer: undefined,
    refresh: undefined,
    reoffer: undefined,
    session: undefined,
    mayUpdate: false,
    localSdp,
    closeMs: NEVER_MS,
  };
}

/** When the next `tick` is due; infinite when no timer runs. */
export function legTickMs({ phase, unacknowledged, unpracked, session, reoffer, closeMs }: LegState): number {
  if (phase === "over") return NEVER_MS;
  let dueMs = closeMs;
  if (unacknowledged) dueMs = Math.min(dueMs, unacknowledged.resendMs, unacknowledged.deadlineMs);
  if (unpracked) dueMs = Math.min(dueMs, unpracked.resendMs, unpracked.deadlineMs);
  if (reoffer && phase === "up") dueMs = Math.min(dueMs, reoffer.dueMs);
  return session && phase === "up" ? Math.min(dueMs, session.dueMs) : dueMs;
}
