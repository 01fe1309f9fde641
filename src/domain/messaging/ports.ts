// What messaging needs from outside.

import type { Page, PageRequest } from "../../base/page.ts";
import type { Result } from "../../base/result.ts";
import type { Failure } from "./error-codes.ts";
import type { InboundMessage, MediaRecord, MediaRef, MessageStatus, NewMessage, OutboundMessage } from "./message.ts";
import type { CarrierReceipt } from "./receipt.ts";
import type { SendingTimes } from "./sending-times.ts";

/** What decides whether a number of the account may send to somebody. */
export interface SenderFacts {
  /** Undefined: not a number of this account. */
  readonly sender: SenderStanding | undefined;
  /** Those of the recipients who do not want to hear from it. */
  readonly optedOut: readonly string[];
}

export interface SenderStanding {
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
}

export interface SenderDirectory {
  factsOf(question: {
    readonly accountSid: string;
    readonly from: string;
    readonly recipients: readonly string[];
  }): Promise<SenderFacts>;
  /** Two-letter countries of the account's numbers. */
  countriesOf(accountSid: string): Promise<readonly string[]>;
}

export interface MessageIntake {
  /** Resolves when the message is stored for good. */
  accept(message: NewMessage): Promise<void>;
  /** Messages of the account that wait to be sent, as counted a moment ago. */
  waitingOf(accountSid: string): number;
}

export interface ReadNumber {
  readonly e164: string;
  /** Without the plus. */
  readonly callingCode: string;
  /** Undefined where the number belongs to no single country. */
  readonly country: string | undefined;
}

export type NumberReader = (text: string) => Result<ReadNumber, { readonly reason: string }>;

/** The recipient's carrier and line type, as a lookup tells them. */
export interface CarrierFinder {
  find(number: string): Promise<{ readonly carrierName: string | null; readonly type: string }>;
}

/** Counts what is sent to one recipient; the refusal says for how long. */
export interface RecipientGuard {
  take(
    accountSid: string,
    recipients: readonly string[],
  ): Promise<Result<undefined, { readonly retryAfterSeconds: number; readonly recipient: string }>>;
}

export interface MessageFilters {
  readonly status?: MessageStatus | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
  readonly errorCode?: number | undefined;
}

export interface OutboundMessageStore {
  find(accountSid: string, sid: string): Promise<OutboundMessage | undefined>;
  list(accountSid: string, page: PageRequest, filters: MessageFilters): Promise<Page<OutboundMessage>>;
  /** Only what is still waiting; undefined when it is not. */
  cancel(accountSid: string, sid: string, now: Date): Promise<OutboundMessage | undefined>;
  /** What happened to it, in order. */
  trail(accountSid: string, sid: string): Promise<readonly TrailStep[]>;
}

export interface TrailStep {
  readonly at: Date;
  readonly step: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface InboundMessageStore {
  find(accountSid: string, sid: string): Promise<InboundMessage | undefined>;
  list(
    accountSid: string,
    page: PageRequest,
    filters: Omit<MessageFilters, "status" | "errorCode">,
  ): Promise<Page<InboundMessage>>;
}

/** A message on its way out, with what its sending and its events need. */
export interface Outgoing
  extends Pick<
    NewMessage,
    "sid" | "accountSid" | "from" | "recipients" | "text" | "mediaUrls" | "carrier" | "isReply" | "expiresOn"
  > {
  /** 0 is the most urgent. */
  readonly priority: number;
  /** When it was checked; after a while that may no longer hold. */
  readonly checkedOn: Date;
}

export type SubmitOutcome =
  /** One id for every part. */
  | { readonly kind: "accepted"; readonly carrierIds: readonly string[] }
  /** Nothing was taken; later, or by another link, it may be. */
  | { readonly kind: "throttled" }
  | { readonly kind: "notSent"; readonly reason: string }
  | {
      readonly kind: "rejected";
      readonly failure: Failure;
      readonly reason: string;
      readonly carrierIds: readonly string[];
    }
  /** It may have arrived: never to be sent again as if it had not. */
  | { readonly kind: "unknown"; readonly reason: string; readonly carrierIds: readonly string[] };

/** A way to a carrier. */
export interface CarrierLink {
  readonly name: string;
  /** Ids of messages are the carrier's, whichever link they were given over. */
  readonly carrier: string;
  readonly kind: "sms" | "mms";
  /** How many messages it takes just now; who is told 0 hears of `room` when it is more again. */
  room(): number;
  /** `done` is called once. */
  submit(message: Outgoing, done: (outcome: SubmitOutcome) => void): void;
}

/** A link while it is kept up. What it could not send, or does not know the outcome of, is the sender's to decide. */
export interface OpenLink extends CarrierLink {
  readonly state: LinkState;
  /** What became of a message that the carrier took and has not told of since; absent where a carrier cannot be asked. */
  ask?(carrierId: string, from: string): Promise<CarrierReceipt | undefined>;
  /** Takes nothing more, waits for what is on its way, but not for ever. Idempotent. */
  close(): Promise<void>;
}

export interface LinkState {
  /** `down` waits before it connects again; `throttled` is bound and told to wait. */
  readonly kind: "down" | "connecting" | "bound" | "throttled" | "closed";
  readonly reason: string;
}

/** Hears what a carrier brings. The carrier is answered when a promise resolves; when it rejects the carrier keeps what it brought. */
export interface LinkListener {
  receipt(receipt: CarrierReceipt): Promise<void>;
  part(part: InboundPart): Promise<void>;
  mms(mms: InboundMms): Promise<MmsVerdict>;
  /** The answer to a submit of unknown outcome has come after all. */
  late(answer: Omit<SettledMessage, "at">): void;
  /** A link has room again after it had none. */
  room(): void;
}

/** To whom a message went that the carrier tells of; nobody when it is not ours, or has been told of already. */
export type RecipientsFinder = (carrier: string, carrierId: string) => Promise<readonly string[]>;

/** A short message as a carrier brought it, or one part of a long one. */
export interface InboundPart {
  readonly carrier: string;
  readonly link: string;
  /** The connection it came over: another one after every reconnection. */
  readonly session: string;
  /** As the carrier spells it. */
  readonly from: string;
  readonly to: string;
  /** Parts are joined as octets and decoded then: a sender may tear a character. */
  readonly octets: Uint8Array;
  /** The alphabet, as `PartDecoder` knows it. */
  readonly dataCoding: number;
  /** Absent for a message in one part. `index` counts from 1. */
  readonly partOf?: { readonly reference: number; readonly total: number; readonly index: number };
  /** The same for whatever says the same. */
  readonly repeatKey: string;
}

export type PartDecoder = (octets: Uint8Array, dataCoding: number) => string;

export interface Media {
  readonly contentType: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Fetches what an outgoing MMS shows. */
export interface MediaFetcher {
  fetch(url: string): Promise<Result<Media, { readonly detail: string }>>;
}

export interface InboundMms {
  readonly carrier: string;
  readonly link: string;
  /** The carrier's; the same when it brings the message again. */
  readonly messageId: string;
  readonly from: string;
  /** Those whom the message is for here. */
  readonly recipients: readonly string[];
  /** Everybody it was sent to, a group's other members among them. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly media: readonly Media[];
}

export type MmsVerdict = "taken" | "unknownRecipient";

export interface MediaKeeper {
  /** Resolves when it is kept for good, with the digest by which it is found. */
  keep(bytes: Uint8Array): Promise<string>;
}

export interface SettledMessage {
  readonly message: Outgoing;
  readonly link: CarrierLink;
  readonly outcome: SubmitOutcome;
  readonly at: Date;
}

/** What has still to leave. The process that holds the sending lease takes from it. */
export interface SendQueue {
  /** Takes what is due, the most urgent first. */
  claim(limit: number, now: Date): Promise<readonly Outgoing[]>;
  /**
   * Writes down, before the first octet leaves, that these are being sent. Answers those that may: one that was canceled, has expired
   * or whose recipient has opted out meanwhile is not among them.
   */
  begin(
    batch: readonly { readonly message: Outgoing; readonly link: string }[],
    now: Date,
  ): Promise<ReadonlySet<string>>;
  settle(batch: readonly SettledMessage[], now: Date): Promise<void>;
  /** Not begun after all: anybody may take them. */
  giveBack(sids: readonly string[]): Promise<void>;
  /** Claims whose answer was lost: whatever was taken for us, is not being sent and is not among these. */
  giveBackAllBut(sids: readonly string[]): Promise<void>;
}

/** Whose number it is, and what its owner has decided about inbound messages. */
export interface NumberOwner {
  readonly accountSid: string;
  readonly isActive: boolean;
  readonly messagingConfigSid: string | null;
  readonly tcrCampaignId: string | null;
  readonly handlesKeywords: boolean;
  readonly replies: { readonly optOut: string | null; readonly optIn: string | null; readonly help: string | null };
}

/** Whom messages come for, and what came. */
export interface Inbox {
  ownerOf(number: string): Promise<NumberOwner | undefined>;
  /** Whether the same came before, over another connection: the carrier repeats what it was not surely answered. Remembers it. */
  isRepeat(arrival: Pick<Arrival, "carrier" | "repeatKey" | "session" | "receivedOn">): Promise<boolean>;
  isOptedOut(accountSid: string, number: string, from: string, tcrCampaignId: string | null): Promise<boolean>;
  /** Of the newest message that the number sent to them. */
  metadataOf(accountSid: string, from: string, to: string): Promise<string | null>;
  insert(message: InboundMessage, link: string): Promise<void>;
  insertMedia(records: readonly MediaRecord[]): Promise<void>;
  /** A message of our own in answer. */
  reply(message: NewMessage): Promise<void>;
  /** Keeps a part; answers all parts of its message when it was the last one, in order, and forgets them. */
  keepPart(part: StoredPart): Promise<readonly StoredPart[] | undefined>;
  takeParts(of: PartsOf): Promise<readonly StoredPart[]>;
  /** Messages of which no part has come since. */
  incompleteBefore(before: Date): Promise<readonly PartsOf[]>;
  /** From here on the same keys are no repeats. */
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

/** The message that a part is of. */
export type PartsOf = Pick<StoredPart, "carrier" | "from" | "to" | "reference" | "total">;

/** A whole message, as a carrier brought it. */
export interface Arrival {
  readonly carrier: string;
  readonly link: string;
  /** The connection it came over. */
  readonly session: string;
  readonly from: string;
  /** Ours. */
  readonly to: string;
  readonly additionalRecipients: readonly string[];
  readonly text: string;
  readonly media: readonly MediaRef[];
  readonly segmentCount: number;
  readonly repeatKey: string;
  readonly receivedOn: Date;
}
