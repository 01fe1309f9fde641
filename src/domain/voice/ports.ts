// What calls need from outside: signalling (SIP), media (RTP) and the store. Signalling and media are told what to do
// by commands that never wait, and tell what happened as values; what a call makes of that the call flow decides.

import type { Page, PageRequest } from "../../base/page.ts";
import type { Result } from "../../base/result.ts";
import type { Account } from "../accounts/index.ts";
import type { NewEvent } from "../events.ts";
import type { Call, CallDirection, CallStatus, LegMedia, LegName, VoiceCodec } from "./call.ts";

/**
 * Sets up and ends legs. Every method may be called in any state of a leg, also after its end: what does not fit is
 * ignored. A leg that was reported as `incoming` or was dialled ends with exactly one of the inputs `refused`,
 * `canceled` and `ended`; nothing is reported of it afterwards.
 */
export interface CallSignalling {
  /** Dials a leg. It reports `ringing` and `answered`, and its end, also when it could not be dialled at all. */
  dial(order: DialOrder): void;
  /** 180 on an incoming leg. */
  ring(legSid: string): void;
  /** 200 on an incoming leg; `confirmed` follows. `sdp` is our answer, or our offer where the INVITE had none. */
  answer(legSid: string, sdp: string): void;
  /** A final response on an incoming leg that is not answered; `ended` by us follows. */
  reject(legSid: string, rejection: Rejection): void;
  /** Answers what was `offered`; without an SDP by 488. */
  answerOffer(legSid: string, sdp: string | undefined): void;
  /** Sends a digit by INFO. */
  sendDigit(legSid: string, digit: string, ms: number): void;
  /** CANCEL, BYE or a final response (480), as the state of the leg demands; `ended` by us follows. */
  hangUp(legSid: string, reason?: string): void;
  /** BYE for a leg of a process that died, from the state which that process told by `dialog`. */
  endLeft(legSid: string, dialog: string): void;
}

export interface Rejection {
  readonly sipCode: number;
  readonly retryAfterSeconds?: number | undefined;
}

export type DialTarget =
  /** E.164, or an emergency number as dialled; goes out by a trunk. */
  | { readonly kind: "number"; readonly number: string }
  /** As `readCallDestination` accepts it. */
  | { readonly kind: "sip"; readonly uri: string };

export interface DialOrder {
  readonly callSid: string;
  readonly legSid: string;
  readonly target: DialTarget;
  /** E.164, `anonymous`, or a caller that is no E.164 number as it was received. */
  readonly callerId: string;
  /** The caller is withheld: Privacy is passed on. */
  readonly isPrivate: boolean;
  /** The number of ours that was called and is forwarded: Diversion and History-Info. */
  readonly divertedFrom?: string | undefined;
  /** Earlier diversions, the newest first. */
  readonly diversions?: readonly string[] | undefined;
  /** Of the request to send. */
  readonly maxForwards: number;
  /** The Identity header of the incoming leg, passed through. */
  readonly identity?: string | undefined;
  /** The one trunk by which it may go out: emergency numbers. */
  readonly trunk?: string | undefined;
  /** Makes our offer for a peer; asked once for each trunk that is tried. */
  readonly offer: (terms: MediaTerms) => string;
  /** Whether a number or a SIP URI that a redirection (302) names may be dialled; asked for each. */
  readonly mayDial: (destination: string) => boolean;
}

/** What signalling knows of a peer and media must obey. */
export interface MediaTerms {
  readonly family: 4 | 6;
  /** SRTP is offered, or demanded of an offer. */
  readonly secure: boolean;
  /** In order of preference. */
  readonly codecs: readonly VoiceCodec[];
  /** The address of ours that the peer reaches (the public one behind a NAT); undefined: media decides. */
  readonly address?: string | undefined;
  /** The peer is a trunk of ours; the SDP addresses of others pass the address guard. */
  readonly isTrusted: boolean;
}

export interface IncomingLeg {
  readonly legSid: string;
  readonly trunk: string;
  /** E.164, `anonymous`, or as received where it is no E.164 number. */
  readonly from: string;
  readonly isPrivate: boolean;
  /** What may be the called number, the likeliest first: E.164 as the trunk's rules read them. */
  readonly called: readonly string[];
  /** The offer; absent where the answer is to be an offer of ours. */
  readonly sdp?: string | undefined;
  readonly terms: MediaTerms;
  readonly maxForwards: number;
  /** The numbers that Diversion and History-Info name, the newest first. */
  readonly diversions?: readonly string[] | undefined;
  readonly identity?: string | undefined;
  /** Address and port that sent the request. */
  readonly peer: string;
}

export type SignallingInput = { readonly at: Date } & (
  | ({ readonly kind: "incoming" } & IncomingLeg)
  /** 18x; with an SDP the far end sends early media. */
  | { readonly kind: "ringing"; readonly legSid: string; readonly sipCode: number; readonly sdp?: string | undefined }
  /** 200 on a dialled leg; signalling acknowledges it by itself. */
  | { readonly kind: "answered"; readonly legSid: string; readonly sdp?: string | undefined }
  /** The ACK of an incoming leg came. `sdp` is the peer's answer where the offer was ours. */
  | { readonly kind: "confirmed"; readonly legSid: string; readonly sdp?: string | undefined }
  /** A dialled leg was refused: after failover, redirections and forks. `reason` is a sentence for the trail. */
  | { readonly kind: "refused"; readonly legSid: string; readonly sipCode: number; readonly reason: string }
  /** CANCEL on an incoming leg before the answer. */
  | { readonly kind: "canceled"; readonly legSid: string }
  /** Re-INVITE or UPDATE; without an SDP the peer wants an offer of ours. Answered by `answerOffer`. */
  | { readonly kind: "offered"; readonly legSid: string; readonly sdp?: string | undefined }
  /** The peer's answer to an offer of ours in a re-INVITE without an SDP. */
  | { readonly kind: "renegotiated"; readonly legSid: string; readonly sdp: string }
  /** INFO. */
  | { readonly kind: "digit"; readonly legSid: string; readonly digit: string; readonly ms: number }
  /** What `endLeft` needs, whenever it has changed: JSON text of signalling's own. */
  | { readonly kind: "dialog"; readonly legSid: string; readonly dialog: string }
  /** `timeout`: no ACK, no answer to a session refresh, or the connection was lost. */
  | {
      readonly kind: "ended";
      readonly legSid: string;
      readonly by: "peer" | "timeout" | "us";
      readonly sipCode?: number | undefined;
      readonly reason?: string | undefined;
    }
);

/** One SIP message of a leg, for the trail; told by the signalling through a callback given at its construction. */
export interface SipMessageRecord {
  readonly at: Date;
  readonly legSid: string;
  readonly direction: "Sent" | "Received";
  /** Address and port. */
  readonly peer: string;
  readonly local: string;
  readonly transport: "UDP" | "TCP" | "TLS";
  /** As it was on the wire, each character an octet; secrets are masked where it is stored. */
  readonly text: string;
  /** The caller of the leg, where it does not want to be shown; masked as well. */
  readonly withheld?: string | undefined;
}

/** Media of legs. What happens in it is told through a callback given at its construction. */
export interface MediaEngine {
  /** Reserves ports for a leg. */
  open(legSid: string): Promise<Result<MediaLeg, "full">>;
}

/** Every method may be called in any state, also after `close`, and does nothing then. */
export interface MediaLeg {
  /** Our SDP for an INVITE that we send, or the answer to an INVITE without one. */
  offer(terms: MediaTerms): string;
  /** Our answer to an offer of the peer's, the first one or a later one. The refusal says why, for the trail (488). */
  answer(remote: string, terms: MediaTerms): Result<string, string>;
  /** The peer's answer to our offer; also that of an early dialog, which the final one replaces. */
  accept(remote: string): Result<void, string>;
  /** Relays both ways from now on, transcoding where needed; what is played stops. */
  joinWith(other: MediaLeg): void;
  /** The other leg's audio is sent to this one, but not the reverse: early media. `joinWith` replaces it. */
  listenTo(other: MediaLeg): void;
  play(sound: MediaSound): void;
  stopPlaying(): void;
  /** By telephone-event. False where the peer does not speak it: the digit goes by INFO then. */
  sendDigit(digit: string, ms: number): boolean;
  /** Frees the ports. Undefined where no media was ever negotiated. A second call answers the same. */
  close(): Promise<LegMedia | undefined>;
}

export type MediaSound = { readonly kind: "ringback"; readonly country?: string | undefined };

export type MediaInput = {
  readonly at: Date;
  readonly legSid: string;
} /** By telephone-event. `isRelayed`: the joined leg speaks it too and has got it already. */ & (
  | { readonly kind: "digit"; readonly digit: string; readonly ms: number; readonly isRelayed: boolean }
  /** Nothing was received for the inactivity time, though the peer is not on hold. */
  | { readonly kind: "inactive" }
);

/** What a call did, for its `why`. */
export interface CallTrailStep {
  readonly at: Date;
  readonly step: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What is known of a number of ours when it is called. */
export interface CalledNumber {
  readonly number: string;
  readonly accountSid: string;
  readonly messagingConfigSid: string | null;
  readonly hasVoice: boolean;
  readonly callsForwardedTo: string | null;
  readonly account: Pick<Account, "status" | "features" | "allowedCountries" | "limitChanges">;
  /** Calls of the account that are not Completed. */
  readonly activeCalls: number;
}

export interface CallDirectory {
  /** The first of these that serves an account. */
  findCalled(numbers: readonly string[]): Promise<CalledNumber | undefined>;
  /** Two-letter codes of the countries of the account's numbers. */
  countriesOf(accountSid: string): Promise<readonly string[]>;
}

/** Beside the record: whose events these are, and how far they were told. */
export interface CallScope {
  /** The number of the account that the call is about: the called one, or the caller id. */
  readonly phone: string;
  readonly messagingConfigSid: string | null;
  readonly eventsTold: number;
}

export interface CallChange {
  readonly call: Call;
  readonly scope: CallScope;
  readonly events: readonly NewEvent[];
  readonly steps: readonly CallTrailStep[];
  /** What signalling needs to end a leg after a crash, by the leg's sid. */
  readonly dialogs: ReadonlyMap<string, string>;
}

/** An outbound call that waits for a process to dial it, with the wishes of its order. */
export interface WaitingCall {
  readonly call: Call;
  readonly scope: CallScope;
  readonly ringSeconds: number;
  readonly maxSeconds: number;
  readonly allowedCountries: readonly string[] | null;
  /** Somebody asked to hang it up before it was dialled. */
  readonly isHungUp: boolean;
}

/** A call of a process that died. */
export interface AbandonedCall {
  readonly call: Call;
  readonly scope: CallScope;
  readonly dialogs: ReadonlyMap<string, string>;
}

/** The calls of this process. */
export interface CallLedger {
  /**
   * Stores the record with its events. False when the call belongs to this process no longer: another one took it for
   * dead and has ended it.
   */
  save(change: CallChange): Promise<boolean>;
  /** Takes calls that wait to be dialled. */
  claim(): Promise<readonly WaitingCall[]>;
  /** Calls of this process that somebody asked to hang up. */
  askedToHangUp(): Promise<readonly string[]>;
  /** Takes the calls of processes that died. */
  takeOver(): Promise<readonly AbandonedCall[]>;
}

export interface CallFilters {
  readonly status?: CallStatus | undefined;
  readonly direction?: CallDirection | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

/** Calls as accounts make, read and delete them. */
export interface CallStore {
  /** Stores a call for whichever process dials it, which is told when this commits. */
  insert(call: Omit<WaitingCall, "isHungUp" | "allowedCountries">): Promise<void>;
  find(accountSid: string, sid: string): Promise<Call | undefined>;
  list(accountSid: string, page: PageRequest, filters: CallFilters): Promise<Page<Call>>;
  remove(accountSid: string, sid: string): Promise<"removed" | "unknown" | "active">;
  countActive(accountSid: string): Promise<number>;
  trail(accountSid: string, sid: string): Promise<readonly CallTrailStep[]>;
  sipMessages(accountSid: string, sid: string): Promise<readonly StoredSipMessage[]>;
  /** Tells the process that has the call. */
  askToHangUp(accountSid: string, sid: string): Promise<void>;
  /** The wanted number, if it is one of the account's with VOICE; without a wish the oldest such number. */
  findCallerId(accountSid: string, wanted: string | null): Promise<CallerIdFacts | undefined>;
}

export interface CallerIdFacts {
  readonly number: string;
  readonly messagingConfigSid: string | null;
}

export interface StoredSipMessage extends Omit<SipMessageRecord, "legSid" | "withheld"> {
  readonly leg: LegName;
}
