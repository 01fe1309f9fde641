// What calls need from outside: signalling (SIP), media (RTP) and the store. Signalling and media get commands that
// never wait, and report what happened as values; the call flow decides what follows from that.

import type { SipUri } from "../../../rules/sip-uri.ts";
import type { ByteStream } from "../../base/byte-stream.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import type { Result } from "../../base/result.ts";
import type { Account } from "../accounts/index.ts";
import type { EventFields, NewEvent, PayloadShape } from "../events.ts";
import type { ClaimRecords, OwnedRecord } from "../give-back.ts";
import type { Call, CallDirection, CallStatus, LegMedia, LegName, VoiceCodec } from "./call.ts";
import type { Conference, ConferenceOrder, ConferenceStatus, LeaveReason } from "./conference.ts";
import type { RecordingAction, RecordingSegment, RecordingSource, RecordingStatus } from "./recording.ts";
import type { OrderedProgram } from "./script.ts";
import type { StreamOrder } from "./stream.ts";

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
  /** Answers what was `offered`; without an SDP, with 488. */
  answerOffer(legSid: string, sdp: string | undefined): void;
  /** Re-INVITE with an offer of ours; `renegotiated` follows if the peer takes it. */
  reoffer(legSid: string, sdp: string): void;
  /** Sends a digit by INFO. */
  sendDigit(legSid: string, digit: string, ms: number): void;
  /** CANCEL, BYE or a final response (480), as the state of the leg demands; `ended` by us follows. */
  hangUp(legSid: string, reason?: string): void;
  /** BYE for a leg of a process that died, from the state that the process reported by `dialog`. */
  endLeft(legSid: string, dialog: string): void;
}

export interface Rejection {
  readonly sipCode: number;
  readonly retryAfterSeconds?: number | undefined;
}

export type DialTarget =
  /** E.164, or an emergency number as dialled; goes out over a trunk. */
  | { readonly kind: "number"; readonly number: string }
  /** As `readDestination` accepts it. */
  | { readonly kind: "sip"; readonly uri: SipUri };

/** A destination that has passed the rules for emergency and premium numbers and for countries. */
export interface JudgedTarget {
  readonly target: DialTarget;
  /** The only trunk that it may use: for emergency numbers. */
  readonly trunk: string | undefined;
}

export interface DialOrder extends JudgedTarget {
  readonly callSid: string;
  readonly legSid: string;
  /** E.164, `anonymous`, or, if the caller is not an E.164 number, as received. */
  readonly callerId: string;
  /** The caller is withheld: Privacy is passed on. */
  readonly isPrivate: boolean;
  /** The number of ours that was called and is forwarded: Diversion and History-Info. */
  readonly divertedFrom?: string | undefined;
  /** Earlier diversions, the newest first. */
  readonly diversions?: readonly string[] | undefined;
  /** Max-Forwards of the request to send. */
  readonly maxForwards: number;
  /** The Identity header of the incoming leg, passed through. */
  readonly identity?: string | undefined;
  /** Makes our offer for a peer; called once for each trunk that is tried. */
  readonly offer: (terms: MediaTerms) => string;
  /**
   * Judges what the target turns out to be: the number of a SIP URI that leads to a trunk, and whatever a redirection
   * (302) names. Never rejects; the refusal is a sentence.
   */
  readonly judge: (destination: string) => Promise<Result<JudgedTarget, string>>;
  /** Awaited before a number is dialled instead of a SIP URI. */
  readonly dialsNumber: (number: string) => Promise<void>;
}

/** What signalling knows of a peer and media must obey. */
export interface MediaTerms {
  readonly family: 4 | 6;
  /** SRTP is offered, and required of an offer. `preferred`: a peer without it is talked to nevertheless. */
  readonly secure: boolean | "preferred";
  /** In order of preference. */
  readonly codecs: readonly VoiceCodec[];
  /** The address of ours that the peer reaches (the public one behind a NAT); undefined: media decides. */
  readonly address?: string | undefined;
  /** The peer is a trunk of ours; the SDP addresses of others pass the address guard. */
  readonly isTrusted: boolean;
  /** Addresses and networks: audio is sent to where the peer's comes from, whatever its SDP says, if that is one. */
  readonly latch?: readonly string[] | undefined;
}

export interface IncomingLeg {
  readonly legSid: string;
  readonly trunk: string;
  /** E.164, `anonymous`, or, if it is not an E.164 number, as received. */
  readonly from: string;
  readonly isPrivate: boolean;
  /** Candidates for the called number, the likeliest first: E.164 as the trunk's rules read them. */
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

/** A leg by which another node brings a party to a conference of this process. */
export interface BridgedLeg {
  readonly legSid: string;
  /** What it was let in with; it is genuine, and may have been used already. */
  readonly ticket: string;
  /** The offer; absent where the answer is to be an offer of ours. */
  readonly sdp?: string | undefined;
  readonly terms: MediaTerms;
}

/** A leg to the node that has a conference. */
export interface NodeDialOrder {
  readonly legSid: string;
  /** Address and port. */
  readonly place: string;
  /** The user that is called there. */
  readonly ticket: string;
  readonly offer: (terms: MediaTerms) => string;
}

/** The legs between nodes, as `CallSignalling` has them. */
export interface BridgeSignalling
  extends Pick<CallSignalling, "answer" | "reject" | "answerOffer" | "reoffer" | "hangUp"> {
  /** Reports `answered` and its end, also when the node could not be reached at all. */
  dialNode(order: NodeDialOrder): void;
}

export type BridgeSignal = Exclude<SignallingInput, { readonly kind: "incoming" | "bridged" }>;

export type SignallingInput = { readonly at: Date } & (
  | ({ readonly kind: "incoming" } & IncomingLeg)
  | ({ readonly kind: "bridged" } & BridgedLeg)
  /** 18x; with an SDP the far end sends early media. */
  | { readonly kind: "ringing"; readonly legSid: string; readonly sipCode: number; readonly sdp?: string | undefined }
  /** 200 on a dialled leg; signalling acknowledges it by itself. */
  | { readonly kind: "answered"; readonly legSid: string; readonly sdp?: string | undefined }
  /** The ACK of an incoming leg arrived. `sdp` is the peer's answer where the offer was ours. */
  | { readonly kind: "confirmed"; readonly legSid: string; readonly sdp?: string | undefined }
  /**
   * A dialled leg was refused: after failover, redirections and forks. `reason` is a sentence for the trail. `isOurs`:
   * the peer gave no answer, and the code only says what to make of that.
   */
  | {
      readonly kind: "refused";
      readonly legSid: string;
      readonly sipCode: number;
      readonly reason: string;
      readonly isOurs?: boolean | undefined;
    }
  /** A dialled leg has had no response at all for seconds; it is still tried. */
  | { readonly kind: "silent"; readonly legSid: string; readonly reason: string }
  /** CANCEL on an incoming leg before the answer. */
  | { readonly kind: "canceled"; readonly legSid: string }
  /** Re-INVITE or UPDATE; without an SDP the peer wants an offer of ours. Answered by `answerOffer`. */
  | { readonly kind: "offered"; readonly legSid: string; readonly sdp?: string | undefined }
  /** The peer's answer to an offer of ours in a re-INVITE without an SDP. */
  | { readonly kind: "renegotiated"; readonly legSid: string; readonly sdp: string }
  /** The leg leaves from another address of ours: `reoffer` is wanted. */
  | { readonly kind: "moved"; readonly legSid: string; readonly address: string | undefined }
  /** INFO. */
  | { readonly kind: "digit"; readonly legSid: string; readonly digit: string; readonly ms: number }
  /** What `endLeft` needs, reported whenever it changes: JSON text in signalling's own format. */
  | { readonly kind: "dialog"; readonly legSid: string; readonly dialog: string }
  /** `timeout`: no ACK, no answer to a session refresh, or the connection was lost. */
  | {
      readonly kind: "ended";
      readonly legSid: string;
      readonly by: "peer" | "timeout" | "us";
      readonly sipCode?: number | undefined;
      readonly reason?: string | undefined;
      /** What the peer's BYE says of it, as it stands there; only of legs that came in. */
      readonly said?: string | undefined;
    }
);

/** One SIP message of a leg, for the trail; reported through a callback given to signalling at its construction. */
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
  /** The caller of the leg, if it is withheld; masked as well. */
  readonly withheld?: string | undefined;
}

/** Media of legs. What happens in it is reported through a callback given at its construction. */
export interface MediaEngine {
  /** Reserves ports for a leg. */
  open(legSid: string): Promise<Result<MediaLeg, "full">>;
  /**
   * Writes the audio of the peers to a raw file from this moment on; without a second one, that of the first. Faults
   * are reported as `recordingFault`.
   */
  record(first: MediaLeg, second: MediaLeg | undefined, segment: RawSegmentOrder): Recorder;
  /** The audio of a conference. */
  mix(): Mix;
}

/** Each leg of it hears the others, and never itself. */
export interface Mix {
  /** Adds a leg, or changes its part. Where it hears the mix, that replaces what is played to it. */
  set(leg: MediaLeg, part: MixPart): void;
  remove(leg: MediaLeg): void;
  /** All who hear the mix hear the tone. */
  play(tone: "enter" | "exit"): void;
  /** Writes what all legs say together to a raw file from this moment on. `fault` is called at most once. */
  record(segment: RawSegmentOrder, fault: (reason: string) => void): Recorder;
}

export interface MixPart {
  readonly speaks: boolean;
  readonly hears: boolean;
}

/**
 * A raw segment is a file of mu-law octets without a header, 8,000 samples a second for each of two interleaved
 * channels: the first leg, the second leg, which is silent where there is none. It is appended to at least every
 * 500 ms, and valid wherever it is cut; an odd last octet is dropped.
 */
export interface RawSegmentOrder {
  /** Its name in the directory of raw files. */
  readonly file: string;
  readonly startedOn: Date;
}

export interface Recorder {
  /** Ends the segment at this moment. Resolves when everything is written, with the samples of each channel. */
  stop(at: Date): Promise<number>;
}

/** Every method may be called in any state; after `close` it does nothing. */
export interface MediaLeg {
  /** Our SDP for an INVITE that we send, or the answer to an INVITE without one. */
  offer(terms: MediaTerms): string;
  /** Our answer to an offer of the peer's, the first one or a later one. The refusal is the reason, for the trail. */
  answer(remote: string, terms: MediaTerms): Result<string, string>;
  /** The peer's answer to our offer; also that of an early dialog, which the final one replaces. */
  accept(remote: string): Result<void, string>;
  /** Relays both ways from now on, transcoding where needed; what is played stops. */
  joinWith(other: MediaLeg): void;
  /** The other leg's audio is sent to this one, but not the reverse: early media. `joinWith` replaces it. */
  listenTo(other: MediaLeg): void;
  play(sound: MediaSound): void;
  stopPlaying(): void;
  /** Whether each key is reported when it goes down, also one that is heard as a tone; off at first. */
  listenForKeys(on: boolean): void;
  /** `silence` is reported once, when the peer was silent for so long; undefined: no more. Missing audio is none. */
  listenForSilence(ms: number | undefined): void;
  /** Audio between the peer and a program from now on, instead of what is played, until it is stopped. */
  stream(ear: StreamEar): StreamAudio;
  /** A program hears what comes from the peer and what is sent to it, until it is stopped. What it plays is not. */
  tap(ear: StreamEar): StreamAudio;
  /** By telephone-event. False where the peer does not support it: the digit is then sent by INFO. */
  sendDigit(digit: string, ms: number): boolean;
  /** The figures until now. Undefined where no media was ever negotiated. */
  measure(): Promise<LegMedia | undefined>;
  /** Frees the ports. Undefined where no media was ever negotiated. A second call returns the same. */
  close(): Promise<LegMedia | undefined>;
}

/** What a program sends to a peer: octets of µ-law, and marks between them, whose numbers go up. */
export interface StreamAudio {
  play(octets: Uint8Array): void;
  mark(mark: number): void;
  /** Forgets what was not played yet. Its marks count as reached. */
  clear(): void;
  stop(): void;
}

/** Hears what comes back. */
export interface StreamEar {
  /** Each 20 ms of audio. */
  hear(frame: StreamFrame): void;
  /** The audio before this mark has been played. */
  marked(mark: number): void;
}

/** 20 ms of what came from the peer and was sent to it, each 160 octets of µ-law. What is missing is silence. */
export interface StreamFrame {
  readonly inbound: Uint8Array;
  /** Empty where a program speaks to the peer: it hears the peer alone. */
  readonly outbound: Uint8Array;
  /** How many octets of what the program played were sent or cleared. */
  readonly gone: number;
}

export type MediaSound =
  | { readonly kind: "ringback" | "busy"; readonly country?: string | undefined }
  /** 8 kHz mono, played as it arrives, then `tailMs` of silence; `played` follows unless another sound replaced it. */
  | { readonly kind: "speech"; readonly audio: AsyncIterable<Int16Array>; readonly tailMs: number };

/** Converts text to speech. */
export interface Speech {
  /**
   * 8 kHz mono, in parts as they are made. Accounts take turns, part by part. Throws if the text cannot be spoken, with
   * the reason as its message, and when `stop` aborts.
   */
  say(spoken: SpokenText, stop: AbortSignal): AsyncIterable<Int16Array>;
}

/** Sounds that programs play from URLs. */
export interface Sounds {
  /** 8 kHz mono, in parts. Throws if there is no sound that can be played, with the reason as its message. */
  play(sound: FetchedSound, stop: AbortSignal): AsyncIterable<Int16Array>;
}

export interface FetchedSound {
  readonly accountSid: string;
  readonly url: string;
}

export interface SpokenText {
  readonly accountSid: string;
  readonly text: string;
}

/** How a stream went. */
export interface StreamSummary {
  readonly streamSid: string;
  readonly url: string;
  readonly name?: string;
  /** Packets of 20 ms that the program was sent, and that it sent. */
  readonly packetsSent: number;
  readonly packetsReceived: number;
  /** What was lost because the program did not read it, and what was dropped because too much of its sound waited. */
  readonly lostMs?: number;
  readonly droppedMs?: number;
  /** Messages of the program's that were ignored, and why the first of them was. */
  readonly ignored?: number;
  readonly ignoredReason?: string;
  /** Why it could not be opened or broke off. */
  readonly fault?: string;
}

export interface StreamOpening {
  readonly accountSid: string;
  readonly callSid: string;
  /** The language of the script, and the signature that its author expects. */
  readonly shape: PayloadShape;
  readonly order: StreamOrder;
  /** The program speaks to the party; otherwise it only hears the call. */
  readonly isTwoWay: boolean;
  readonly media: MediaLeg;
  /** The program has answered. */
  readonly opened: (details: { readonly streamSid: string; readonly ms: number }) => void;
  /** Called exactly once, after `open` has returned, also for a stream that could not be opened. */
  readonly ended: (summary: StreamSummary) => void;
}

/** The conferences that calls of this process are in. */
export interface Conferences {
  enter(entry: ConferenceEntry): ConferenceVisit;
}

export interface ConferenceEntry {
  readonly accountSid: string;
  readonly callSid: string;
  readonly order: ConferenceOrder;
  /** Of the script that it is from. */
  readonly shape: PayloadShape;
  readonly media: MediaLeg;
  readonly entered: (conferenceSid: string) => void;
  /** The sound that it is to wait with cannot be played: it hears our music instead. */
  readonly waitFailed: (url: string, reason: string) => void;
  /** Called once, unless the call has left by itself. With a fault it has not entered. */
  readonly left: (how: { readonly conferenceSid: string | null; readonly fault: string | null }) => void;
}

export interface ConferenceVisit {
  /** May be called in any state. */
  leave(reason: LeaveReason): void;
}

/** The records of conferences. */
export interface ConferenceLedger {
  /**
   * Stores a new one. `elsewhere`: another process has one of this name; `full`: the account has no more. `held`: the
   * sids of those that this process has, here and below.
   */
  open(conference: Conference, held: readonly string[]): Promise<"opened" | "elsewhere" | "full">;
  /** Stores it with its events. False when it does not belong to this process any more. */
  save(conference: Conference, events: readonly NewEvent[]): Promise<boolean>;
  /** Ends those of processes that died, and those of this process that it did not have at this moment. */
  endAbandoned(now: Date, held: readonly string[]): Promise<void>;
}

/** What conferences of other nodes, and of parties of other nodes, need of the store. */
export interface BridgeLedger {
  /**
   * Lets the call into the conference of this name of another process, once and for seconds. Undefined: there is none.
   * `place` is where SIP reaches that process; null: it takes no calls of others.
   */
  invite(entry: Pick<ConferenceEntry, "accountSid" | "callSid" | "order" | "shape">): Promise<Invitation | undefined>;
  /** Uses up a ticket for a conference of this process; undefined where it is not valid any more. */
  admit(ticket: string): Promise<AdmittedParty | undefined>;
  /** Which of these conferences and calls are over. */
  over(watched: {
    readonly conferenceSids: readonly string[];
    readonly callSids: readonly string[];
  }): Promise<ReadonlySet<string>>;
}

export interface Invitation {
  readonly conferenceSid: string;
  readonly place: string | null;
  readonly ticket: string;
}

export interface AdmittedParty extends Pick<ConferenceEntry, "accountSid" | "callSid" | "order" | "shape"> {
  readonly conferenceSid: string;
}

export interface ConferenceFilters {
  readonly status?: ConferenceStatus | undefined;
  readonly name?: string | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

/** Conferences as accounts read and change them. */
export interface ConferenceStore {
  find(accountSid: string, sid: string): Promise<Conference | undefined>;
  list(accountSid: string, page: PageRequest, filters: ConferenceFilters): Promise<Page<Conference>>;
  /** Notifies the process that has it. */
  ask(asked: AskedOfConference): Promise<void>;
}

/** What the API requests of a conference; without a call, that it ends. */
export interface AskedOfConference {
  readonly conferenceSid: string;
  readonly callSid?: string | undefined;
  readonly muted?: boolean | undefined;
  readonly hold?: boolean | undefined;
  readonly isRemoved?: boolean | undefined;
}

/** Opens streams to programs. */
export interface Streams {
  open(opening: StreamOpening): OpenStream;
}

/** What an event reports of a stream. */
export interface ToldStream {
  readonly streamSid: string;
  readonly order: StreamOrder;
  readonly shape: PayloadShape;
  readonly status: EventFields["CallStreamStatusChanged"]["Status"];
  readonly fault: string | null;
  /** Counts the events of the stream from 1. */
  readonly sequence: number;
}

/** Every method may be called in any state. */
export interface OpenStream {
  /** A key of the party's. */
  press(digit: string): void;
  /** Tells the program and ends it, with `ended` before this returns. */
  stop(): void;
}

export type MediaInput = {
  readonly at: Date;
  readonly legSid: string;
} /** By telephone-event, when it has ended. `isRelayed`: the joined leg already has it. */ & (
  | { readonly kind: "digit"; readonly digit: string; readonly ms: number; readonly isRelayed: boolean }
  /** A key went down. */
  | { readonly kind: "key"; readonly digit: string }
  /** It was silent for as long as that was listened for. */
  | { readonly kind: "silence" }
  /** Nothing was received for the inactivity time, though the peer is not on hold. `isLost`: nothing ever will be. */
  | { readonly kind: "inactive"; readonly isLost?: boolean | undefined }
  /** No audio came from the agreed address, but some from this one, which was not accepted; once. */
  | { readonly kind: "elsewhere"; readonly agreed: string; readonly address: string }
  /** Audio of a recording that this leg is the first of could not be written; once for each recorder. */
  | { readonly kind: "recordingFault"; readonly reason: string }
  /** Speech and the silence after it are over. */
  | { readonly kind: "played" }
);

export const CALL_STEPS = [
  "created",
  "received",
  "refused",
  "script",
  "voice",
  "instruction",
  "speech",
  "dialled",
  "gathered",
  "stream",
  "conference",
  "recorded",
  "redirected",
  "silent",
  "rang",
  "answered",
  "keyPressed",
  "joined",
  "moved",
  "media",
  "busy",
  "recording",
  "loop",
  "omitted",
  "ending",
  "ended",
] as const;
export type CallStepKind = (typeof CALL_STEPS)[number];

/** What a call did, for its `why`. */
export interface CallTrailStep {
  readonly at: Date;
  readonly step: CallStepKind;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What is known of a number of ours when it is called. */
export interface CalledNumber {
  readonly number: string;
  readonly accountSid: string;
  readonly messagingConfigSid: string | null;
  readonly hasVoice: boolean;
  readonly callsForwardedTo: string | null;
  readonly recordInboundCalls: boolean;
  readonly account: Pick<Account, "status" | "features" | "allowedCountries" | "limitChanges" | "country">;
  /** Calls of the account that are not Completed and that this process does not conduct. */
  readonly callsElsewhere: number;
  /** The call of this caller that is being forwarded to this number, if any. */
  readonly continued: ContinuedCall | null;
}

/** A call that an inbound one seems to continue. */
export interface ContinuedCall {
  readonly callSid: string;
  /** The numbers that have forwarded it, oldest first. */
  readonly chain: readonly string[];
}

export interface CallDirectory {
  /** The first of these that serves an account. Of several calls that are being forwarded, the longest chain counts. */
  findCalled(numbers: readonly string[], caller: string): Promise<CalledNumber | undefined>;
  /** Two-letter codes of the countries of the account's numbers. */
  countriesOf(accountSid: string): Promise<readonly string[]>;
  /** Calls of the account that other processes conduct, and each further party that one of them calls. */
  callsElsewhere(accountSid: string): Promise<number>;
  /** Whether this number is one of the account's with VOICE. */
  mayShow(accountSid: string, number: string): Promise<boolean>;
}

/** Stored beside the record: the scope of its events, and how many were emitted. */
export interface CallScope {
  /** The number of the account that the call is about: the called one, or the caller id. */
  readonly phone: string;
  readonly messagingConfigSid: string | null;
  readonly eventsTold: number;
  /** Where the statuses of the first leg go instead of to subscriptions; without it, they go to subscriptions. */
  readonly callback?: CallCallback | null | undefined;
}

export interface CallCallback {
  readonly url: string;
  readonly shape: PayloadShape;
  /** The statuses that are sent. */
  readonly statuses: readonly CallStatus[];
}

/** An inbound call that is being connected with a number. */
export interface Forwarding {
  /** The caller that it is shown. */
  readonly from: string;
  /** E.164. */
  readonly to: string;
  /** Further numbers that are called at the same time. */
  readonly others?: readonly string[] | undefined;
  /** The numbers that have forwarded it, the current one last. */
  readonly chain: readonly string[];
}

export interface CallChange {
  readonly call: Call;
  readonly scope: CallScope;
  /** Null where none is being set up. */
  readonly forwarding: Forwarding | null;
  readonly events: readonly NewEvent[];
  readonly steps: readonly CallTrailStep[];
  /** What signalling needs to end a leg after a crash, by the leg's sid. */
  readonly dialogs: ReadonlyMap<string, string>;
}

/** An outbound call that waits for a process to dial it, with the options of its order. */
export interface WaitingCall {
  readonly call: Call;
  readonly scope: CallScope;
  readonly ringSeconds: number;
  readonly maxSeconds: number;
  /** For the second party; null: as for the first. */
  readonly secondRingSeconds?: number | null | undefined;
  /** Null: no key is asked for. */
  readonly keyPrompt: string | null;
  /** Run instead of calling a second party; null: there is a second one. */
  readonly program: OrderedProgram | null;
  readonly allowedCountries: readonly string[] | null;
  /** A hang-up was requested before it was dialled. */
  readonly isHungUp: boolean;
  /** How many pauses and resumes of its recording were requested before it was dialled; they are taken up. */
  readonly switchesAsked: number;
}

/** A call that no process conducts. */
export interface AbandonedCall {
  readonly call: Call;
  readonly scope: CallScope;
  readonly dialogs: ReadonlyMap<string, string>;
  /** It was taken over from a process that died; otherwise the answer to the statement that stored it was lost. */
  readonly isTakenOver: boolean;
}

/** The calls of this process. */
export interface CallLedger extends Pick<ClaimRecords, "owned"> {
  /**
   * Stores the record with its events. `take` is called when the statement begins: whatever has changed until then is
   * stored with it, and undefined stores nothing. False when the call no longer belongs to this process: another one
   * took it over as dead and has ended it.
   */
  save(take: () => CallChange | undefined): Promise<boolean>;
  /** Adds a step to the trail of a call, whichever process has it. */
  note(callSid: string, step: CallTrailStep): Promise<void>;
  /** Takes calls that wait to be dialled. */
  claim(): Promise<readonly WaitingCall[]>;
  /** Calls of this process for which a hang-up was requested. */
  askedToHangUp(): Promise<readonly string[]>;
  /**
   * Takes up the requested pauses and resumes of these calls of this process; from then on they cannot be withdrawn.
   * Returns the total number of pauses and resumes that each recording must have had when they are done.
   */
  takeSwitches(sids: readonly string[]): Promise<readonly { readonly sid: string; readonly switches: number }[]>;
  /** Takes up the requested redirections of these calls of this process, again until they are done. */
  takeRedirections(sids: readonly string[]): Promise<readonly AskedRedirection[]>;
  /**
   * Takes up the requests to hang up these parties of calls of this process; from then on they cannot be withdrawn.
   * Returns the legs, again until they have ended.
   */
  takePartyHangUps(legSids: readonly string[]): Promise<readonly string[]>;
  /** The redirection with this number is done, and so are all earlier ones. */
  redirected(asked: Pick<AskedRedirection, "sid" | "number">): Promise<void>;
  /** Makes the calls of processes that died ours: they are to be ended. */
  takeOver(): Promise<void>;
  /** Gives back calls that were never dialled, to be dialled. Returns the others, which must be ended. */
  giveBackStrays(strays: readonly OwnedRecord[]): Promise<readonly AbandonedCall[]>;
}

export interface AskedRedirection {
  /** Of the call. */
  readonly sid: string;
  /** Which redirection of the call it is. */
  readonly number: number;
  readonly program: OrderedProgram;
}

export interface CallFilters {
  readonly status?: CallStatus | undefined;
  readonly direction?: CallDirection | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly callerId?: string | undefined;
  /** The party that is called first. */
  readonly called?: string | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

export interface SegmentFilters {
  readonly callSid?: string | undefined;
  readonly conferenceSid?: string | undefined;
  readonly startedFrom?: Date | undefined;
  readonly startedTo?: Date | undefined;
}

/** A segment with its recording and its call. */
export interface RecordedSegment extends RecordingSegment {
  readonly recordingSid: string;
  readonly callSid: string;
  readonly recordingStatus: RecordingStatus;
  /** Of a conference's recording. */
  readonly conferenceSid: string | null;
  /** The instruction that made it; null where parties that were connected were recorded. */
  readonly source: RecordingSource | null;
}

/** A call to be stored for dialling. */
export interface OrderedCall extends Omit<WaitingCall, "isHungUp" | "allowedCountries" | "switchesAsked"> {
  /** The client's id of the request, for finding the call; null if we made the id: the sid contains it. */
  readonly requestId: string | null;
}

/** Calls as accounts make, read and delete them. */
export interface CallStore {
  /** Stores a call, and first steps of its trail, for any process to dial; processes are notified when this commits. */
  insert(call: OrderedCall, steps?: readonly CallTrailStep[]): Promise<void>;
  find(accountSid: string, sid: string): Promise<Call | undefined>;
  /** The call that has dialled the party with this leg. */
  findByParty(accountSid: string, legSid: string): Promise<Call | undefined>;
  list(accountSid: string, page: PageRequest, filters: CallFilters): Promise<Page<Call>>;
  remove(accountSid: string, sid: string): Promise<"removed" | "unknown" | "active">;
  countActive(accountSid: string): Promise<number>;
  /** The segments of all recordings of the account. */
  segments(accountSid: string, page: PageRequest, filters: SegmentFilters): Promise<Page<RecordedSegment>>;
  segment(accountSid: string, recordingSid: string, index: number): Promise<RecordedSegment | undefined>;
  trail(accountSid: string, sid: string): Promise<readonly CallTrailStep[]>;
  sipMessages(accountSid: string, sid: string): Promise<readonly StoredSipMessage[]>;
  /** Notifies the process that has the call. */
  askToHangUp(accountSid: string, sid: string): Promise<void>;
  /** Notifies the process that has the call of this party, which a call has dialled. */
  askToHangUpParty(legSid: string): Promise<void>;
  /** Withdraws the request to hang up this party. False: it is taken up. */
  withdrawPartyHangUp(legSid: string): Promise<boolean>;
  /**
   * Notifies the process that has the call to pause or resume its recording, unless that is so or requested already.
   * Returns the number of pauses and resumes that must then have been done; undefined when there is no recording under
   * way.
   */
  askToSwitch(accountSid: string, sid: string, action: RecordingAction): Promise<number | undefined>;
  /** Withdraws the pause or resume with this number and all later ones. False: it is taken up, or the call is gone. */
  withdrawSwitch(accountSid: string, sid: string, switches: number): Promise<boolean>;
  /**
   * Notifies the process that has the call to go on with this program. Returns the number of the redirection; undefined
   * when the call has ended.
   */
  askToRedirect(accountSid: string, sid: string, program: OrderedProgram): Promise<number | undefined>;
  /** How many redirections were done; undefined when the call has ended without the one with this number. */
  redirectionsOf(accountSid: string, sid: string, number: number): Promise<number | undefined>;
  /** Withdraws the redirection with this number, unless it is taken up. */
  withdrawRedirection(accountSid: string, sid: string, number: number): Promise<boolean>;
  /** All numbers that serve the account. */
  numbersOf(accountSid: string): Promise<readonly string[]>;
  /** The wanted number, if it is one of the account's with VOICE; if none is wanted, the oldest such number. */
  findCallerId(accountSid: string, wanted: string | null): Promise<CallerIdFacts | undefined>;
}

/** A closed segment whose file is to be made. */
export interface WaitingSegment {
  readonly accountSid: string;
  readonly callSid: string;
  readonly recordingSid: string;
  readonly index: number;
  /** Its name in the directory of raw files. */
  readonly rawFile: string;
  /** Its file has both channels, or the first alone. */
  readonly channels: 1 | 2;
  /** Recorded samples of each channel. */
  readonly samples: number;
  /** How often its encoding failed. */
  readonly attempts: number;
  /** The key of its future file, among the files of recordings. */
  readonly key: string;
}

/** What is known of the file of a segment. */
export interface SegmentFacts {
  readonly samples: number;
  readonly sizeBytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** A verified MP3 on this machine. */
export interface SegmentFile extends SegmentFacts {
  readonly path: string;
}

/** Encodes raw files as MP3. */
export interface SegmentEncoder {
  /** How many it encodes at the same time; more wait, and accounts take turns, a minute of audio at a time. */
  readonly places: number;
  /** Refuses with the reason. `isPassing`: not caused by the segment but, for example, by a full disk. */
  encode(
    segment: WaitingSegment,
  ): Promise<Result<SegmentFile, { readonly reason: string; readonly isPassing: boolean }>>;
  /** Deletes the file that it made, if it is still there. */
  discard(rawFile: string): Promise<void>;
  discardRaw(rawFile: string): Promise<void>;
  /** Refuses what is under way. */
  close(): Promise<void>;
}

/** The segments of this machine that wait for their files, shared by all its processes. */
export interface SegmentQueue extends ClaimRecords {
  /** Frees the claims of processes that died. */
  release(): Promise<void>;
  /** One segment of each account that is not left out, the oldest, at most so many. Accounts take turns. */
  claim(order: SegmentClaim): Promise<readonly WaitingSegment[]>;
  /** `lost`: another process has it by now. */
  done(segment: WaitingSegment, file: SegmentFacts): Promise<"done" | "lost" | "deleted">;
  /** With a reason it counts as a failure of its encoding. */
  putOff(segment: WaitingSegment, order: { readonly until: Date; readonly reason: string | null }): Promise<void>;
  giveUp(segment: WaitingSegment, reason: string): Promise<void>;
  /** Ends recordings of ended calls whose segments are all Done or given up, with the event of those that are Done. */
  complete(now: Date): Promise<void>;
  /** The raw files of segments that are Done. */
  needlessRawFiles(): Promise<readonly string[]>;
  rawRemoved(rawFiles: readonly string[]): Promise<void>;
}

export interface SegmentClaim {
  readonly countMax: number;
  readonly now: Date;
  /** The sids of accounts that are left out. */
  readonly notOf: readonly string[];
}

/** The files of segments that were deleted with their calls, until they are removed. */
export interface RemovedSegments {
  /** As far as this process can reach them. */
  list(): Promise<readonly RemovedSegment[]>;
  forget(ids: readonly string[]): Promise<void>;
}

export interface RemovedSegment {
  readonly id: string;
  readonly key: string | null;
  readonly rawFile: string | null;
}

/** A recording with which something went wrong, for operators. */
export interface TroubledRecording {
  readonly sid: string;
  readonly callSid: string;
  readonly accountSid: string;
  readonly status: string;
  readonly fault: string;
  readonly segments: readonly TroubledSegment[];
}

export interface TroubledSegment {
  readonly index: number;
  readonly state: string;
  readonly attempts: number;
  readonly fault: string | null;
  readonly rawFile: string | null;
}

export interface TroubledRecordings {
  list(page: PageRequest): Promise<Page<TroubledRecording>>;
  find(sid: string): Promise<TroubledRecording | undefined>;
  /** Lets segments that were given up be encoded again; false when there are none. */
  retry(sid: string, now: Date): Promise<boolean>;
}

/** Where the file of a segment is. */
export interface StoredSegment extends SegmentFacts {
  readonly accountSid: string;
  readonly key: string;
}

/** The finished files of recordings. */
export interface RecordingFiles {
  /** Stored durably and checked when it resolves. May remove the file at `path`. */
  put(key: string, file: Omit<SegmentFile, "samples">): Promise<void>;
  /** The whole file, or octets `first` to `last`; undefined where there is no such file. */
  read(key: string, range?: { readonly first: number; readonly last: number }): Promise<ByteStream | undefined>;
  /** One that does not exist counts as removed. */
  remove(keys: readonly string[]): Promise<void>;
}

export interface CallerIdFacts {
  readonly number: string;
  readonly messagingConfigSid: string | null;
}

export interface StoredSipMessage extends Omit<SipMessageRecord, "legSid" | "withheld"> {
  readonly leg: LegName;
}
