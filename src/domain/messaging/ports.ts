// What messaging needs from outside.

import type { MaybePromise } from "../../base/maybe-promise.ts";
import type { Optional } from "../../base/optional.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import type { Result } from "../../base/result.ts";
import type { ScriptFault } from "../../base/script-xml.ts";
import type { ClaimRecords } from "../give-back.ts";
import type { Failure } from "./error-codes.ts";
import type { FurtherKeywords } from "./keywords.ts";
import type { InboundMessage, MediaRecord, MediaRef, NewMessage, OutboundMessage } from "./message.ts";
import type { CarrierReceipt } from "./receipt.ts";
import type { SendingTimes } from "./sending-times.ts";

/** The facts that decide whether a number of the account may send to the recipients. */
export interface SenderFacts {
  /** Undefined: not a number of this account. */
  readonly sender: SenderState | undefined;
  /** The recipients that have opted out of messages from the sender. */
  readonly optedOut: readonly string[];
}

export interface SenderState {
  readonly status:
    | "PendingPortIn"
    | "PendingMessagingConfigAdd"
    | "PendingTcrCampaignAdd"
    | "PendingTcrCampaignChange"
    | "Active";
  readonly messagingConfigSid: string | null;
  readonly tcrCampaignId: string | null;
  readonly campaignStatus: "Active" | "Suspended" | "Expired" | null;
  readonly defaultExpirySeconds: number | null;
  readonly sendingTimes: SendingTimes | null;
  /** From the number's features. */
  readonly sendsSms: boolean;
  readonly sendsMms: boolean;
}

export interface SenderDirectory {
  factsOf(question: {
    readonly accountSid: string;
    readonly from: string;
    readonly recipients: readonly string[];
  }): MaybePromise<SenderFacts>;
  /** Undefined when the account has no short code with these digits. */
  shortCodeOf(accountSid: string, digits: string): Promise<ReadNumber | undefined>;
  /** Two-letter countries of the account's numbers. */
  countriesOf(accountSid: string): Promise<readonly string[]>;
}

export interface MessageIntake {
  /** Resolves when the message is committed. */
  accept(message: NewMessage): Promise<void>;
  /** How many messages of the account wait to be sent, by a recent count. */
  waitingOf(accountSid: string): number;
}

export interface ReadNumber {
  /** Or the digits of a short code. */
  readonly e164: string;
  /** Without the plus; of a short code, its country's. */
  readonly callingCode: string;
  /** Undefined where the number belongs to no single country. */
  readonly country: string | undefined;
}

/** `country`: the account's, in which a number without a plus is read; null where it is E.164 anyway. */
export type NumberReader = (text: string, country: string | null) => Result<ReadNumber, { readonly reason: string }>;

/** Finds the recipient's carrier and line type by a lookup. */
export interface CarrierFinder {
  find(number: string): Promise<{ readonly carrierName: string | null; readonly type: string }>;
}

/** Limits the messages to one recipient; a refusal contains how long to wait. */
export interface RecipientGuard {
  take(
    accountSid: string,
    recipients: readonly string[],
  ): Promise<Result<undefined, { readonly retryAfterSeconds: number; readonly recipient: string }>>;
}

export type MessageFilters = Optional<
  Pick<OutboundMessage, "status" | "from" | "to" | "errorCode"> & {
    readonly createdFrom: Date;
    readonly createdTo: Date;
  }
>;

export interface OutboundMessageStore {
  find(accountSid: string, sid: string): Promise<OutboundMessage | undefined>;
  list(accountSid: string, page: PageRequest, filters: MessageFilters): Promise<Page<OutboundMessage>>;
  /** Undefined when the message no longer waits to be sent. */
  cancel(accountSid: string, sid: string, now: Date): Promise<OutboundMessage | undefined>;
  /** Empties the text and the list of media of a message that has left or never will; undefined where there is none. */
  redact(accountSid: string, sid: string): Promise<OutboundMessage | undefined>;
  /** Deletes a message that has left or never will, with its history. */
  remove(accountSid: string, sid: string): Promise<boolean>;
  /** The history of the message, oldest first. */
  trail(accountSid: string, sid: string): Promise<readonly TrailStep[]>;
}

export const MESSAGE_STEPS = [
  "accepted",
  "held",
  "scheduled",
  "submit",
  "sent",
  "receipt",
  "delivered",
  "failed",
  "expired",
  "canceled",
] as const;
export type MessageStep = (typeof MESSAGE_STEPS)[number];

export interface TrailStep {
  readonly at: Date;
  readonly step: MessageStep;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface InboundMessageStore {
  find(accountSid: string, sid: string): Promise<InboundMessage | undefined>;
  list(
    accountSid: string,
    page: PageRequest,
    filters: Omit<MessageFilters, "status" | "errorCode">,
  ): Promise<Page<InboundMessage>>;
  /** Empties its text. */
  redact(accountSid: string, sid: string): Promise<InboundMessage | undefined>;
  /** Deletes it with the records of its media. */
  remove(accountSid: string, sid: string): Promise<boolean>;
}

/** A message to be sent, with the data that sending and its events need. */
export interface Outgoing
  extends Pick<
    NewMessage,
    | "sid"
    | "accountSid"
    | "from"
    | "recipients"
    | "text"
    | "mediaUrls"
    | "segmentCount"
    | "carrier"
    | "isReply"
    | "expiresOn"
  > {
  /** 0 is the most urgent. */
  readonly priority: number;
  /** When it was last judged; after a while it must be judged again. */
  readonly checkedOn: Date;
  /** How often a carrier has deferred it. */
  readonly deferrals: number;
}

export type SubmitOutcome =
  /** One id for each part. */
  | { readonly kind: "accepted"; readonly carrierIds: readonly string[] }
  /** The carrier took nothing; it may be sent later, or over another link. */
  | { readonly kind: "throttled" }
  | { readonly kind: "notSent"; readonly reason: string }
  | {
      /** `deferred`: the carrier refused it for now; it is sent again after a pause, a few times. */
      readonly kind: "rejected" | "deferred";
      readonly failure: Failure;
      readonly reason: string;
      readonly carrierIds: readonly string[];
    }
  /** It may have arrived, so it must not be sent again. */
  | { readonly kind: "unknown"; readonly reason: string; readonly carrierIds: readonly string[] };

/** A connection to a carrier. */
export interface CarrierLink {
  readonly name: string;
  /** Message ids are unique within a carrier, over all its links. */
  readonly carrier: string;
  readonly kind: "sms" | "mms";
  /** How many messages it can take now; after 0, the listener's `freed` reports when there is capacity again. */
  capacity(): number;
  /** How many messages of this account it can take now, where an account may have only a part of the capacity. */
  roomFor?(accountSid: string): number | undefined;
  /** `done` is called once. */
  submit(message: Outgoing, done: (outcome: SubmitOutcome) => void): void;
}

/** A link of the sender. */
export interface SendingLink extends CarrierLink {
  /** Whether messages can be given to it, now or soon: otherwise they take another link if one is up. */
  readonly isUp: boolean;
}

/** A link that reconnects by itself. It does not retry messages: the sender decides on each outcome. */
export interface OpenLink extends CarrierLink {
  readonly state: LinkState;
  /** Asks for the outcome of a message without a receipt; absent where a carrier cannot be asked. */
  ask?(carrierId: string, from: string): Promise<CarrierReceipt | undefined>;
  /** Accepts nothing more, and waits a bounded time for submits under way. Idempotent. */
  close(): Promise<void>;
}

export interface LinkState {
  /**
   * `down` waits before it reconnects; `throttled` is bound and waits as the carrier asked; `stopped` waits for the
   * operator.
   */
  readonly kind: "down" | "connecting" | "bound" | "throttled" | "closed" | "stopped";
  readonly reason: string;
  /** When it last went up or down. */
  readonly since: Date;
}

/** Whether messages can be given to a link in this state, now or soon. */
export function isUp({ kind }: Pick<LinkState, "kind">): boolean {
  return kind === "bound" || kind === "throttled";
}

export type LinkName = Pick<CarrierLink, "name" | "carrier" | "kind">;

export interface LinkHealth extends LinkName {
  readonly state: LinkState["kind"];
  readonly reason: string;
  readonly since: Date;
  /** How many messages it can take now. */
  readonly room: number;
  /** How many messages may be unanswered at the same time; null: no limit. */
  readonly window: number | null;
  readonly inFlight: number;
  /** Messages that the carrier answered, averaged over the last ten seconds. */
  readonly perSecond: number;
  /** Time from submit to answer, over the answers of the last minute; null without any. */
  readonly p95Ms: number | null;
}

/** The health of a link, as last reported by the process that runs it. */
export interface ReportedLink extends LinkHealth {
  readonly asOf: Date;
}

export interface ReportedLinkStore {
  report(term: number, links: readonly LinkHealth[], now: Date): Promise<void>;
  /** As reported in the latest lease term. */
  list(): Promise<readonly ReportedLink[]>;
}

/** What a PDU is about: a message of ours, or what identifies its owner. */
export type PduSubject =
  | { readonly kind: "message"; readonly message: PduOwner }
  | { readonly kind: "receipt"; readonly carrierId: string }
  | { readonly kind: "inbound"; readonly to: string };

export interface PduOwner {
  readonly accountSid: string;
  /** Null for a message that is not stored yet. */
  readonly sid: string | null;
}

/** Finds the account of a carrier's PDU. */
export interface PduOwners {
  /** So many lookups are under way that no more should be requested. */
  readonly isBusy: boolean;
  /** A carrier has accepted a message, or a part of it, under this id. */
  answered(carrier: string, carrierId: string, owner: PduOwner): void;
  /** Its owner, if that is in memory. */
  known(carrier: string, subject: Exclude<PduSubject, { kind: "message" }>): PduOwner | undefined;
  of(carrier: string, subject: Exclude<PduSubject, { kind: "message" }>): Promise<PduOwner | undefined>;
}

/** Receives what a carrier sends. The carrier is answered when a promise resolves, and retries if it rejects. */
export interface LinkListener {
  receipt(receipt: CarrierReceipt): Promise<void>;
  part(part: InboundPart): Promise<void>;
  mms(mms: InboundMms): Promise<MmsVerdict>;
  /** The answer to a submit of unknown outcome arrived late. */
  late(answer: Omit<SettledMessage, "at" | "leftOn" | "submit">): void;
  /** A link has capacity again after it had none. */
  freed(): void;
}

/** The recipients of a message by its carrier id; empty when it is not ours, or has its receipts already. */
export type RecipientsFinder = (carrier: string, carrierId: string) => Promise<readonly string[]>;

/** A short message from a carrier, or one part of a long one. */
export interface InboundPart {
  readonly carrier: string;
  readonly link: string;
  /** The connection that it came over; reconnecting starts a new session. */
  readonly session: string;
  /** As the carrier writes it. */
  readonly from: string;
  readonly to: string;
  /** Parts are joined before they are decoded: a character may be split between two. */
  readonly octets: Uint8Array;
  /** SMPP's data_coding, for `PartDecoder`. */
  readonly dataCoding: number;
  /** Absent for a message in one part. `index` counts from 1. */
  readonly partOf?: { readonly reference: number; readonly total: number; readonly index: number };
  /** Equal for parts with equal content. */
  readonly repeatKey: string;
}

export type PartDecoder = (octets: Uint8Array, dataCoding: number) => string;

export interface Media {
  readonly contentType: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Fetches the media of an outgoing MMS. */
export interface MediaFetcher {
  /** Settles soon after the signal aborts. */
  fetch(url: string, signal?: AbortSignal): Promise<Result<Media, { readonly detail: string }>>;
}

export interface InboundMms {
  readonly carrier: string;
  readonly link: string;
  /** The carrier's id; a repeat has the same one. */
  readonly messageId: string;
  readonly from: string;
  /** The recipients that the carrier delivers to us. */
  readonly recipients: readonly string[];
  /** All recipients, including the other members of a group. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly media: readonly Media[];
}

export type MmsVerdict = "taken" | "unknownRecipient";

export interface MediaKeeper {
  /**
   * Resolves when the file is durable. One that no record names within an hour is removed; a record that comes in the
   * last half of it, or later, cannot be stored.
   */
  keep(bytes: Uint8Array): Promise<KeptMedia>;
}

export interface KeptMedia {
  /** The name of the file. */
  readonly file: string;
  readonly sha256: string;
}

/** Files of media that no record names any longer. */
export interface UnusedMedia {
  list(now: Date): Promise<readonly UnusedFile[]>;
  /** They are removed, unless they have come into use meanwhile. */
  forget(files: readonly UnusedFile[]): Promise<void>;
  /** They are listed after those that are due by now. */
  postpone(files: readonly UnusedFile[], now: Date): Promise<void>;
}

export interface UnusedFile {
  readonly file: string;
  /** Of its record when it was read. */
  readonly version: string;
  /** A record names it all the same: it shares the file by its content. */
  readonly isShared: boolean;
}

export interface SettledMessage {
  readonly message: Outgoing;
  /** The number of its submit. */
  readonly submit: number;
  readonly link: CarrierLink;
  readonly outcome: SubmitOutcome;
  /** When it was given to the link. */
  readonly leftOn: Date;
  readonly at: Date;
}

/** Messages that are given to a link together. Their start is one record, which is deleted when all are settled. */
export interface Submit {
  /** Unique within the term. */
  readonly number: number;
  readonly link: CarrierLink;
  readonly messages: readonly Outgoing[];
}

/** Which of the messages that wait to load. */
export interface LoadOrder {
  /** The key of a route. */
  readonly route: string;
  readonly shards: readonly number[];
  /** Only accounts after this one, in the order of their sids. */
  readonly after?: string;
  /** Only these accounts. */
  readonly accounts?: readonly string[];
}

export interface WaitingKey {
  readonly accountSid: string;
  readonly sid: string;
}

/** The first messages of each account, the most urgent first, in order within a priority. */
export interface LoadedKeys {
  readonly keys: readonly WaitingKey[];
  /** An account with this many keys may have more messages. */
  readonly perAccount: number;
  /** The last account that was looked at; undefined: there are no more. */
  readonly last: string | undefined;
}

/**
 * Messages to be sent. Each waits, or is named by the record of a submit, until it is settled. Only the process that
 * holds the sending lease sends; loading a message claims nothing, beginning it does.
 */
export interface SendQueue extends ClaimRecords {
  /**
   * Makes messages ready whose time has come, and places those without a route, a bounded number at a time. Returns the
   * routes with ready messages, and whether there are more to make ready or to place.
   */
  ready(now: Date): Promise<{ readonly routes: readonly string[]; readonly isMore: boolean }>;
  load(order: LoadOrder, now: Date): Promise<LoadedKeys>;
  /** Those that still wait, in the given order. */
  read(keys: readonly WaitingKey[]): Promise<readonly Outgoing[]>;
  /**
   * Commits, before the first octet leaves, that these are being sent. Returns those that may be sent, without those
   * that were canceled, have expired or whose recipient has opted out meanwhile.
   */
  begin(submit: Submit, now: Date): Promise<ReadonlySet<string>>;
  /** Those that no carrier took wait again. `finished`: numbers of submits whose messages are all settled by this. */
  settle(batch: readonly SettledMessage[], finished: readonly number[], now: Date): Promise<void>;
  /** No octet of these submits has left: their messages wait again. */
  giveBack(numbers: readonly number[]): Promise<void>;
}

export interface ReceiptStore {
  /** Resolves when the receipt is stored. */
  take(receipt: CarrierReceipt): Promise<void>;
  /** Claims messages that a carrier accepted long ago and for which no receipt has arrived: those to query now. */
  claimUnconfirmed(now: Date, limit: number): Promise<readonly UnconfirmedMessage[]>;
}

export interface UnconfirmedMessage {
  readonly link: string;
  readonly carrierId: string;
  readonly from: string;
}

/** The account of a number, and its settings for inbound messages. */
export interface NumberOwner {
  readonly accountSid: string;
  /** It is active and sends SMS. */
  readonly isActive: boolean;
  readonly messagingConfigSid: string | null;
  readonly tcrCampaignId: string | null;
  readonly handlesKeywords: boolean;
  readonly replies: { readonly optOut: string | null; readonly optIn: string | null; readonly help: string | null };
  readonly keywords: FurtherKeywords;
}

/** The store of inbound messages. */
export interface Inbox {
  ownerOf(number: string): Promise<NumberOwner | undefined>;
  /** Whether the key was seen over another connection: a carrier repeats what may not have been answered. Stores it. */
  isRepeat(arrival: Pick<Arrival, "carrier" | "repeatKey" | "session" | "receivedOn">): Promise<boolean>;
  isOptedOut(accountSid: string, number: string, from: string, tcrCampaignId: string | null): Promise<boolean>;
  /** The metadata of the newest message that it may answer. */
  metadataOf(accountSid: string, arrival: Pick<Arrival, "from" | "to" | "receivedOn">): Promise<string | null>;
  insert(message: InboundMessage, link: string): Promise<void>;
  insertMedia(records: readonly MediaRecord[]): Promise<void>;
  /** Whether the subscriber got no reply of this kind from the number since; if so, stores that one is sent now. */
  mayReply(
    reply: { readonly number: string; readonly subscriber: string; readonly kind: string },
    since: Date,
    now: Date,
  ): Promise<boolean>;
  /** Queues our reply. */
  reply(message: NewMessage): Promise<void>;
  /** Stores a part. If it completes the message, deletes its parts and returns them in order. */
  addPart(part: StoredPart): Promise<readonly StoredPart[] | undefined>;
  takeParts(of: PartsOf): Promise<readonly StoredPart[]>;
  /** Incomplete messages whose last part arrived before this. */
  incompleteBefore(before: Date): Promise<readonly PartsOf[]>;
  /** Deletes the keys: the same content is no longer a repeat. */
  forgetKeys(carrier: string, repeatKeys: readonly string[]): Promise<void>;
}

export interface StoredPart {
  readonly carrier: string;
  readonly link: string;
  readonly from: string;
  readonly to: string;
  readonly reference: number;
  readonly total: number;
  /** From 1. */
  readonly index: number;
  readonly octets: Uint8Array;
  readonly dataCoding: number;
  readonly receivedOn: Date;
}

/** Identifies the message of a part. */
export type PartsOf = Pick<StoredPart, "carrier" | "from" | "to" | "reference" | "total">;

/** A whole message from a carrier. */
export interface Arrival {
  readonly carrier: string;
  readonly link: string;
  /** The connection that it came over. */
  readonly session: string;
  readonly from: string;
  /** Our number. */
  readonly to: string;
  readonly additionalRecipients: readonly string[];
  readonly text: string;
  readonly media: readonly MediaRef[];
  readonly segmentCount: number;
  readonly repeatKey: string;
  readonly receivedOn: Date;
}

/** A message that a webhook's response to an inbound message asks for. */
export interface Reply {
  readonly text: string;
  readonly mediaUrls: readonly string[];
}

export type ReplyReader = (answer: Uint8Array) => Result<readonly Reply[], ScriptFault>;
