// The API's types, printed from its OpenAPI documents: npm run generate. Not written by hand.

export interface Account {
  readonly sid: string;
  readonly name: string;
  readonly status: AccountStatus;
  /** Shown in the account's refusals. */
  readonly suspendedReason: string | null;
  readonly features: readonly Feature[];
  readonly limits: Limits;
  /** Null: the countries of its own numbers. */
  readonly allowedCountries: readonly string[] | null;
  /** Two letters. Numbers without a plus are read in this country where they are valid there, and as E.164 digits otherwise. Null: there is neither a setting nor a number. */
  readonly country: string | null;
  readonly defaultCallerId: string | null;
  /** Whether STOP, START and HELP are answered for it. */
  readonly handlesKeywords: boolean;
  /**
   * For how many days messages are kept that have left, failed or were received. Null: for ever.
   * @minimum 1
   * @maximum 36500
   */
  readonly messageDays: number | null;
  /**
   * For how many days calls are kept, with their recordings, and conferences. Null: for ever, or what `TANDEM_CALL_DAYS` says.
   * @minimum 1
   * @maximum 36500
   */
  readonly callDays: number | null;
  /**
   * For how many days events, deliveries, attempts and requests are kept, where that is less than for all accounts (`TANDEM_RECORD_DAYS`; requests seven days). Null: as for all.
   * @minimum 1
   * @maximum 36500
   */
  readonly eventDays: number | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface AccountChange {
  /**
   * For people.
   * @maxLength 64
   */
  readonly name?: string;
  readonly status?: AccountStatus;
  /**
   * Of a suspension: the account's refusals show it. Goes when the account is resumed.
   * @maxLength 256
   */
  readonly suspendedReason?: string | null;
  /**
   * Those that are switched on.
   * @maxItems 16
   */
  readonly features?: readonly Feature[];
  /** Only the classes to change. */
  readonly limits?: {
    readonly lookup?: Limit;
    readonly lookupBatch?: Limit;
    readonly send?: Limit;
    /** Messages to one and the same recipient. */
    readonly sendToRecipient?: Limit;
    readonly read?: Limit;
    /** Reads by people who have signed in by a page; they do not count as `read`. */
    readonly session?: Limit;
    readonly write?: Limit;
    /** Calls that the account places. */
    readonly call?: Limit;
    /** `requests` is how many calls may be under way; its window is not used. */
    readonly concurrentCalls?: Limit;
    /** `requests` is how many webhooks the account may have; its window is not used. */
    readonly webhooks?: Limit;
    /** `requests` is its weight: where accounts take turns at a link or at webhook workers, it gets so many times the share of an account of weight 1; its window is not used. */
    readonly weight?: Weight;
  };
  /** @maxItems 250 */
  readonly allowedCountries?: readonly string[] | null;
  /** In which its numbers without a plus are read. Null: that of its oldest number. */
  readonly country?: string | null;
  readonly defaultCallerId?: string | null;
  readonly handlesKeywords?: boolean;
  /**
   * For how many days messages are kept that have left, failed or were received. Null: for ever.
   * @minimum 1
   * @maximum 36500
   */
  readonly messageDays?: number | null;
  /**
   * For how many days calls are kept, with their recordings, and conferences. Null: for ever, or what `TANDEM_CALL_DAYS` says.
   * @minimum 1
   * @maximum 36500
   */
  readonly callDays?: number | null;
  /**
   * For how many days events, deliveries, attempts and requests are kept, where that is less than for all accounts (`TANDEM_RECORD_DAYS`; requests seven days). Null: as for all.
   * @minimum 1
   * @maximum 36500
   */
  readonly eventDays?: number | null;
}

export interface AccountList {
  readonly items: readonly Account[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface AccountOrder {
  /**
   * For people.
   * @maxLength 64
   */
  readonly name: string;
  /**
   * Those that are switched on.
   * @maxItems 16
   */
  readonly features?: readonly Feature[];
  /** Only the classes to change. */
  readonly limits?: {
    readonly lookup?: Limit;
    readonly lookupBatch?: Limit;
    readonly send?: Limit;
    /** Messages to one and the same recipient. */
    readonly sendToRecipient?: Limit;
    readonly read?: Limit;
    /** Reads by people who have signed in by a page; they do not count as `read`. */
    readonly session?: Limit;
    readonly write?: Limit;
    /** Calls that the account places. */
    readonly call?: Limit;
    /** `requests` is how many calls may be under way; its window is not used. */
    readonly concurrentCalls?: Limit;
    /** `requests` is how many webhooks the account may have; its window is not used. */
    readonly webhooks?: Limit;
    /** `requests` is its weight: where accounts take turns at a link or at webhook workers, it gets so many times the share of an account of weight 1; its window is not used. */
    readonly weight?: Weight;
  };
  /** @maxItems 250 */
  readonly allowedCountries?: readonly string[] | null;
  /** In which its numbers without a plus are read. Null: that of its oldest number. */
  readonly country?: string | null;
  /** What its first token is for. */
  readonly token?: TokenOrder;
}

export interface AccountSearchResult {
  /** The numbers that the query may mean, the likeliest first. */
  readonly numbers: readonly string[];
  /** The account's, by number or by words of their names. */
  readonly phones: readonly FoundPhone[];
  /** MessagingConfigs with such words in their names. */
  readonly configs: readonly FoundConfig[];
  /** Sent to such a number, or received from it. */
  readonly messages: readonly FoundText[];
  /** From such a number, or to it. */
  readonly calls: readonly FoundOwnCall[];
  /** With such a sid, or made by a request with such an id. */
  readonly records: readonly FoundOwnRecord[];
  /** Refused requests with such an id, of the last 7 days. */
  readonly refused: readonly RefusedRequest[];
  /** Messages sent and received with all words of the query, the newest first. */
  readonly texts: readonly FoundText[];
  /** All texts since then were searched, or since the page before. */
  readonly textsFrom: string;
  /** Ask with it for older texts; absent when all were searched. A page may have few or none before that: one search reads so much and no more. */
  readonly searchId?: string;
}

export const ACCOUNT_STATUSES = ["Active", "Suspended"] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export interface AccountToken {
  /**
   * Its place, to delete it by.
   * @minimum 1
   * @maximum 2
   */
  readonly n: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** A signing token: `X-Twilio-Signature` of what the account gets in Twilio's shape is keyed by it. It is stored encrypted, besides its digest. */
  readonly signs: boolean;
  /** Whether tools of language models may write with it; without it they only read. */
  readonly toolWrites: boolean;
  /** To the minute, noted a moment later; null: never, as far as is known. */
  readonly lastUsedOn: string | null;
}

export interface AccountWebhookSecret {
  /** Shown here and never again. */
  readonly secret: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface AssignedCampaign {
  readonly tcrCampaignId: string;
  readonly tcrBrandId: string | null;
  readonly name: string | null;
  /** As the registry told it last. */
  readonly status: CampaignStatus | null;
  /** Where it stands between its owner, us and the partner above us. */
  readonly standing: CampaignStanding;
  /** Why a migration came to nothing. */
  readonly reason: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly standingSince: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly seenOn: string;
  readonly accountSid: string;
}

export interface AttemptHeader {
  readonly name: string;
  readonly value: string;
}

export interface AttemptTiming {
  /** Null on a connection that was there already. */
  readonly dnsMs: number | null;
  /** TCP and TLS; null on a connection that was there already. */
  readonly connectMs: number | null;
  /** From the beginning to the first byte of the answer. */
  readonly firstByteMs: number | null;
  readonly totalMs: number;
}

export interface Attention {
  readonly items: readonly Finding[];
}

export interface AuditEntry {
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string;
  readonly operator: string;
  /** The operation's id. */
  readonly action: string;
  readonly subject: string | null;
  readonly details: unknown;
  readonly requestId: string;
}

export interface AuditList {
  readonly items: readonly AuditEntry[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface AvailablePhone {
  readonly number: string;
  readonly features: readonly NumberFeature[];
}

export interface AvailablePhoneList {
  readonly items: readonly AvailablePhone[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface Call {
  readonly sid: string;
  readonly direction: CallDirection;
  readonly from: string;
  readonly to: string;
  readonly callerId: string;
  /** Answered when both parties are connected. */
  readonly status: CallStatus;
  readonly endReason: CallEndReason | null;
  readonly endedBy: CallEndedBy | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly answeredOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly completedOn: string | null;
  /** For how long the parties were connected; null before the end. */
  readonly durationSeconds: number | null;
  readonly legs: readonly CallLeg[];
  /** Only where recording was asked for. */
  readonly recordings?: CallRecording;
  /** Only where instructions of its program have recorded. */
  readonly programRecordings?: readonly ProgramRecording[];
}

export const CALL_DIRECTIONS = ["Inbound", "Outbound"] as const;
export type CallDirection = (typeof CALL_DIRECTIONS)[number];

export const CALL_END_REASONS = ["Completed", "NoAnswer", "Busy", "Rejected", "Canceled", "Failed", "HungUp", "ScriptUnavailable", "ScriptInvalid", "ScriptHangup", "NotAcknowledged", "MediaTimeout", "MaxDuration"] as const;
export type CallEndReason = (typeof CALL_END_REASONS)[number];

export const CALL_ENDED_BIES = ["First", "Second", "Api", "Service"] as const;
export type CallEndedBy = (typeof CALL_ENDED_BIES)[number];

export interface CallLeg {
  readonly sid: string;
  readonly leg: LegName;
  readonly direction: CallDirection;
  readonly from: string;
  readonly to: string;
  readonly status: CallStatus;
  /** ISO 8601, UTC, with milliseconds. */
  readonly rangOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly answeredOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly completedOn: string | null;
  /** From its answer to its end; null before that. */
  readonly durationSeconds: number | null;
  readonly endReason: CallEndReason | null;
  /** The response that refused it. */
  readonly sipCode: number | null;
  readonly media: {
    readonly codec: string;
    /** Whether it was SRTP. */
    readonly secure: boolean;
    readonly packetsReceived: number;
    readonly packetsLost: number;
    readonly jitterMs: number;
    /** Estimated quality, 1 to 4.5. */
    readonly mos: number;
  } | null;
}

export interface CallList {
  readonly items: readonly Call[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface CallOrder {
  /**
   * The internal party, called first: a number or a SIP URI.
   * @maxLength 512
   */
  readonly from?: string;
  /**
   * The external party, called when the first has answered: a number or a SIP URI. With a program the only one.
   * @maxLength 512
   */
  readonly to: string;
  /**
   * A call script that is run for the party. URLs in it are whole ones.
   * @maxLength 16384
   */
  readonly script?: string;
  /**
   * Asked for a call script, by POST, when the party is there; signed with the account's secret.
   * @maxLength 2048
   */
  readonly scriptUrl?: string;
  /**
   * What both parties see: a number of the account. By default the account's, else its oldest.
   * @maxLength 64
   */
  readonly callerId?: string;
  /** Whether the call is recorded; not by default. */
  readonly record?: boolean;
  /** `to` is called only when the first party, asked for it, has pressed any key within 20 seconds. */
  readonly requireKeyPress?: boolean;
  /**
   * What the first party hears, three times at most; “You have a call. Press any key to be connected.” by default. No markup.
   * @maxLength 500
   */
  readonly keyPressPrompt?: string;
  /**
   * How long each party is rung; 30 by default.
   * @minimum 5
   * @maximum 600
   */
  readonly ringSeconds?: number;
  /**
   * The most that the call may last.
   * @minimum 1
   * @maximum 14400
   */
  readonly maxSeconds?: number;
}

export interface CallRecording {
  readonly sid: string;
  readonly status: RecordingStatus;
  /** Of the segments that have ended, without pauses. */
  readonly durationSeconds: number;
  /** The first party on the left, the second on the right. */
  readonly channels: 2;
  readonly segments: readonly RecordingSegment[];
}

export interface CallRedirection {
  /**
   * A call script that is run for the party. URLs in it are whole ones.
   * @maxLength 16384
   */
  readonly script?: string;
  /**
   * Asked for a call script, by POST, when the party is there; signed with the account's secret.
   * @maxLength 2048
   */
  readonly scriptUrl?: string;
}

export const CALL_STATUSES = ["Started", "Ringing", "Answered", "Completed"] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export const CALL_STEPS = ["created", "received", "refused", "script", "voice", "instruction", "speech", "dialled", "gathered", "stream", "conference", "recorded", "redirected", "silent", "rang", "answered", "keyPressed", "joined", "moved", "media", "busy", "recording", "loop", "ending", "ended", "webhook"] as const;
export type CallStep = (typeof CALL_STEPS)[number];

export interface CallTrail {
  /** `advice` is null when nothing is to be done. */
  readonly summary: {
    readonly what: string;
    readonly why: string;
    readonly advice: string | null;
  };
  readonly sid: string;
  readonly status: CallStatus;
  readonly endReason: string | null;
  readonly steps: readonly {
    /** ISO 8601, UTC, with milliseconds. */
    readonly at: string;
    readonly step: CallStep;
    readonly details: unknown;
  }[];
}

export interface CampaignAssignment {
  /** @maxLength 64 */
  readonly accountSid: string;
}

export interface CampaignChange {
  readonly status?: CampaignStatus;
  /**
   * The brand that it is registered for.
   * @maxLength 64
   */
  readonly tcrBrandId?: string;
  /**
   * For people.
   * @maxLength 64
   */
  readonly name?: string;
  /**
   * The account to move it to.
   * @maxLength 64
   */
  readonly accountSid?: string;
}

export interface CampaignOrder {
  readonly tcrCampaignId: string;
  /**
   * The brand that it is registered for.
   * @maxLength 64
   */
  readonly tcrBrandId: string;
  /**
   * For people.
   * @maxLength 64
   */
  readonly name: string;
  /**
   * Whose it is; by default the one account that would get it from the registry.
   * @maxLength 64
   */
  readonly accountSid?: string;
}

export const CAMPAIGN_SOURCES = ["Registry", "Manual"] as const;
export type CampaignSource = (typeof CAMPAIGN_SOURCES)[number];

export const CAMPAIGN_STANDINGS = ["Unknown", "NotOurs", "AwaitingUs", "AwaitingUpstream", "Ours", "Declined", "Cancelled", "Expired"] as const;
export type CampaignStanding = (typeof CAMPAIGN_STANDINGS)[number];

export const CAMPAIGN_STATUSES = ["Active", "Suspended", "Expired"] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

export interface CarrierLink {
  readonly name: string;
  readonly carrier: string;
  readonly kind: "sms" | "mms";
  /** `bound` is well; `unknown`: no process has told of it for half a minute. */
  readonly state: string;
  readonly reason: string;
  /** Since when it is up (`bound` or `throttled`), or is not. */
  readonly since: string;
  /** Messages it takes just now. */
  readonly room: number;
  /** Messages that may be unanswered at once; of MMS, connections. */
  readonly window: number | null;
  /** Messages handed to it and not answered yet. */
  readonly inFlight: number;
  /** Messages the carrier answered each second, over the last ten. */
  readonly perSecond: number;
  /** 19 of 20 answers of the last minute came within this time; null without any. */
  readonly p95Ms: number | null;
  /** When the process that keeps it told so. */
  readonly asOf: string;
  /** Since when the operator wants it stopped; null: it is not. */
  readonly stoppedOn: string | null;
}

export interface CarrierLinkList {
  readonly items: readonly CarrierLink[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface CarrierLinkSwitch {
  readonly name: string;
  readonly carrier: string;
  readonly kind: "sms" | "mms";
  /** Since when the operator wants it stopped; null: it is not. */
  readonly stoppedOn: string | null;
}

export interface ChangeEntry {
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** A program by its token, or a person who had signed in on a page. */
  readonly by: "Token" | "Person";
  /** The place of the token, also of the one by which the person signed in. */
  readonly token: number | null;
  /** The operation's id, such as `deleteWebhook`. */
  readonly operation: string;
  /** What it made, changed or deleted. */
  readonly resource: string | null;
  readonly requestId: string;
}

export interface ChangeEntryList {
  readonly items: readonly ChangeEntry[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface Conference {
  readonly sid: string;
  readonly name: string;
  /** Waiting until there are two participants, one of whom may start it. */
  readonly status: ConferenceStatus;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly completedOn: string | null;
  readonly endReason: ConferenceEndReason | null;
  /** Those who are in it, in the order in which they entered. */
  readonly participants: readonly ConferenceParticipant[];
  /** One where a script asked for that: it belongs to the call that did so first. */
  readonly recordings: readonly ConferenceRecording[];
}

export const CONFERENCE_END_REASONS = ["LastParticipantLeft", "LastParticipantRemoved", "EndOnExit", "EndOnRemoval", "Api", "Failed"] as const;
export type ConferenceEndReason = (typeof CONFERENCE_END_REASONS)[number];

export interface ConferenceList {
  readonly items: readonly Conference[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface ConferenceParticipant {
  /** The call that is in the conference. */
  readonly callSid: string;
  /** As the script names it. */
  readonly label: string | null;
  readonly muted: boolean;
  /** It hears music, and the others do not hear it. */
  readonly hold: boolean;
  /** ISO 8601, UTC, with milliseconds. */
  readonly joinedOn: string;
}

export interface ConferenceRecording {
  readonly sid: string;
  readonly status: RecordingStatus;
  /** Of the segments that have ended, without pauses. */
  readonly durationSeconds: number;
  /** The first party alone; of a conference, all who spoke in it, mixed. */
  readonly channels: 1;
  /** The instruction that made it. */
  readonly source: RecordingSource;
  /** One; its `url` answers 404 with `Retry-After` until the file is ready. */
  readonly segments: readonly RecordingSegment[];
  /** The call that has it among its `programRecordings`. */
  readonly callSid: string;
}

export const CONFERENCE_STATUSES = ["Waiting", "InProgress", "Completed"] as const;
export type ConferenceStatus = (typeof CONFERENCE_STATUSES)[number];

export interface DeliveryAttempt {
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string;
  readonly url: string;
  /** The receiver's HTTP status; null when none came. */
  readonly status: number | null;
  /** Why there was none. */
  readonly failure: string | null;
  readonly ms: number;
  /** The first 4 KiB of the answer. */
  readonly answer: string | null;
  /** What authorises is hidden. Null where not kept: of attempts that succeeded, 50 a second are. */
  readonly requestHeaders: readonly AttemptHeader[] | null;
  /** Null where none came, or where not kept. */
  readonly answerHeaders: readonly AttemptHeader[] | null;
  readonly timing: AttemptTiming;
}

export interface DeliveryList {
  readonly items: readonly WebhookDelivery[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export const DELIVERY_STATUSES = ["Pending", "Delivered", "Failed", "Canceled"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface DeliveryWithBody {
  /** The `webhook-id` of every attempt. */
  readonly sid: string;
  readonly subscriptionSid: string;
  readonly type: EventType;
  readonly resourceSid: string;
  /** Counts the events of the resource from 1. */
  readonly sequence: number;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly nextAttemptOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly finishedOn: string | null;
  readonly attempts: readonly DeliveryAttempt[];
  /** What is sent, octet for octet, in the subscription's present shape. Null when the event is gone. */
  readonly body: string | null;
}

export interface Emulated {
  readonly done: true;
}

export interface EmulatedCampaignMigration {
  readonly tcrCampaignId: string;
  /** @default "accept" */
  readonly outcome?: MigrationOutcome;
}

export interface EmulatedInboundCall {
  /** @maxLength 64 */
  readonly from: string;
  /** @maxLength 64 */
  readonly to: string;
  /**
   * @default 10
   * @minimum 1
   * @maximum 600
   */
  readonly durationSeconds?: number;
  /** @default true */
  readonly answer?: boolean;
  /**
   * Keys that the caller presses, half a second apart, from a second after the answer; `w` waits.
   * @default ""
   */
  readonly digits?: string;
  /**
   * A WAV or MP3 file that the caller speaks once, instead of a tone.
   * @maxLength 2048
   */
  readonly audioUrl?: string;
}

export interface EmulatedInboundMessage {
  /** @maxLength 64 */
  readonly from: string;
  readonly to: readonly string[] | string;
  /**
   * @default ""
   * @maxLength 10000
   */
  readonly text?: string;
  /**
   * @default []
   * @maxItems 10
   */
  readonly mediaUrls?: readonly string[];
}

export interface EmulatedMessageStatus {
  /** @maxLength 64 */
  readonly sid: string;
  readonly deliveredSuccessfully: boolean;
}

export interface EmulatedPort {
  /** @maxLength 64 */
  readonly sid: string;
  /** @default "complete" */
  readonly outcome?: PortOutcome;
  /**
   * The code of a reason, such as `ENTITY_NAME_MISMATCH`.
   * @maxLength 100
   */
  readonly reason?: string;
}

export const ENCODINGS = ["GSM7", "UCS2"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface Event {
  /** Its place in the log. */
  readonly id: string;
  readonly type: EventType;
  readonly resourceSid: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** Shape A, without WebhookSid. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface EventList {
  readonly items: readonly Event[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export const EVENT_TYPES = ["InboundMessageReceived", "OutboundMessageStatusChanged", "OptOutChanged", "InboundCallReceivedWebhook", "CallStatusChangedWebhook", "CallRecordingCompleted", "CallStreamStatusChanged", "ConferenceChanged", "PhoneNumberStatusChanged", "TcrCampaignImported", "TcrCampaignStatusChanged", "PortOrderStatusChanged"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface FailedLookup {
  /** As it was asked for. */
  readonly number: string;
  /** Why this is no number. */
  readonly error: string;
}

export const FEATURES = ["voice", "campaignMigration"] as const;
export type Feature = (typeof FEATURES)[number];

export interface FeatureDecision {
  readonly status: "Granted" | "Declined";
}

export interface FeatureRequest {
  readonly sid: string;
  readonly accountSid: string;
  readonly feature: Feature;
  readonly status: FeatureRequestStatus;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly decidedOn: string | null;
}

export interface FeatureRequestList {
  readonly items: readonly FeatureRequest[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface FeatureRequestOrder {
  readonly feature: Feature;
}

export const FEATURE_REQUEST_STATUSES = ["Open", "Granted", "Declined"] as const;
export type FeatureRequestStatus = (typeof FEATURE_REQUEST_STATUSES)[number];

export interface Finding {
  /** The same as long as the finding is. */
  readonly id: string;
  readonly cause: "SubscriptionOff" | "DeliveriesFailing" | "DeliveriesFailed" | "NumbersNotActive" | "PortException" | "PortsWaiting" | "CampaignNotActive" | "CampaignsUnassigned" | "RecordingsFailed" | "MessagesFailed" | "FeaturesRequested" | "LinkDown" | "LinkStopped" | "TrunkDown" | "TrunkStopped" | "ReconcileFailed";
  readonly severity: "Error" | "Warning";
  /** What is the matter. */
  readonly what: string;
  readonly why: string;
  /** What to do. */
  readonly advice: string;
  /** How many it concerns; not counted beyond 1,000. */
  readonly count: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly firstOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly lastOn: string | null;
  /** What clears it, or shows more. */
  readonly operation: {
    readonly method: "GET" | "POST" | "PATCH";
    readonly path: string;
  } | null;
  /** One of those it concerns. */
  readonly resource: {
    readonly kind: "Subscription" | "Number" | "PortOrder" | "Campaign" | "Call" | "Message" | "FeatureRequest" | "Link" | "Trunk" | "Reconcile";
    readonly id: string;
  } | null;
}

export interface FoundAccount {
  readonly sid: string;
  readonly name: string;
  readonly status: AccountStatus;
}

export interface FoundCall {
  readonly sid: string;
  readonly accountSid: string;
  readonly accountName: string;
  readonly direction: CallDirection;
  readonly from: string;
  readonly to: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  readonly status: CallStatus;
  readonly endReason: CallEndReason | null;
}

export interface FoundConfig {
  readonly sid: string;
  readonly name: string;
}

export interface FoundMessage {
  readonly sid: string;
  readonly accountSid: string;
  readonly accountName: string;
  readonly direction: CallDirection;
  readonly from: string;
  readonly to: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** Null for a received one. */
  readonly status: MessageStatus | null;
}

export interface FoundOwnCall {
  readonly sid: string;
  readonly direction: CallDirection;
  readonly from: string;
  readonly to: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  readonly status: CallStatus;
  readonly endReason: CallEndReason | null;
}

export interface FoundOwnRecord {
  readonly kind: "Message" | "Call" | "PortOrder" | "MessagingConfig" | "Subscription" | "InboundMessage" | "Delivery" | "Recording" | "Campaign";
  readonly sid: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface FoundPhone {
  /** `+15551234567`, or the digits of a short code. */
  readonly number: string;
  readonly name: string | null;
  readonly status: PhoneStatus;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface FoundRecord {
  readonly kind: "Message" | "Call" | "PortOrder" | "MessagingConfig" | "Subscription" | "InboundMessage" | "Delivery" | "Recording" | "Campaign";
  readonly sid: string;
  readonly accountSid: string;
  readonly accountName: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface FoundText {
  readonly sid: string;
  readonly direction: CallDirection;
  readonly from: string;
  readonly to: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** Null for a received one. */
  readonly status: MessageStatus | null;
  readonly text: string;
}

export interface InboundMessage {
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  readonly additionalRecipients: readonly string[];
  readonly text: string;
  readonly mediaUrls: readonly string[];
  readonly segmentCount: number;
  readonly conversationMetadata: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface InboundMessageList {
  readonly items: readonly InboundMessage[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface InventoryAdded {
  readonly added: readonly string[];
  readonly alreadyHere: readonly string[];
}

export interface InventoryList {
  readonly items: readonly InventoryNumber[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface InventoryNumber {
  readonly number: string;
  /** Of a short code. */
  readonly country: string | null;
  /** @maxItems 8 */
  readonly features: readonly NumberFeature[];
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface InventoryOrder {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  readonly numbers: readonly string[];
  /** Of short codes. */
  readonly country?: string;
  /**
   * By default all, of short codes all but VOICE.
   * @maxItems 8
   */
  readonly features?: readonly NumberFeature[];
}

export const LEG_NAMES = ["First", "Second"] as const;
export type LegName = (typeof LEG_NAMES)[number];

export interface Limit {
  /**
   * @minimum 1
   * @maximum 1000000000
   */
  readonly requests: number;
  /**
   * @minimum 1
   * @maximum 86400
   */
  readonly windowSeconds: number;
}

export interface Limits {
  readonly lookup: Limit;
  readonly lookupBatch: Limit;
  readonly send: Limit;
  /** Messages to one and the same recipient. */
  readonly sendToRecipient: Limit;
  readonly read: Limit;
  /** Reads by people who have signed in by a page; they do not count as `read`. */
  readonly session: Limit;
  readonly write: Limit;
  /** Calls that the account places. */
  readonly call: Limit;
  /** `requests` is how many calls may be under way; its window is not used. */
  readonly concurrentCalls: Limit;
  /** `requests` is how many webhooks the account may have; its window is not used. */
  readonly webhooks: Limit;
  /** `requests` is its weight: where accounts take turns at a link or at webhook workers, it gets so many times the share of an account of weight 1; its window is not used. */
  readonly weight: Weight;
}

export interface LookupBatch {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  readonly numbers: readonly string[];
}

export interface LookupBatchAnswer {
  readonly items: readonly (NumberInformation | FailedLookup)[];
}

export const LOOKUP_CONFIDENCES = ["High", "Medium", "Low"] as const;
export type LookupConfidence = (typeof LOOKUP_CONFIDENCES)[number];

export interface LookupOverride {
  readonly number: string;
  readonly type: PhoneType;
  readonly status: PhoneMessagingStatus;
  /** @maxLength 128 */
  readonly carrierName: string | null;
  readonly note: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly updatedOn: string;
}

export interface LookupOverrideList {
  readonly items: readonly LookupOverride[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface LookupOverrideOrder {
  readonly type: PhoneType;
  readonly status: PhoneMessagingStatus;
  /** @maxLength 128 */
  readonly carrierName?: string | null;
  /** @maxLength 256 */
  readonly note?: string | null;
}

export const LOOKUP_SOURCES = ["override", "own", "enum", "http", "sip", "table"] as const;
export type LookupSource = (typeof LOOKUP_SOURCES)[number];

export interface MadeByRequest {
  readonly kind: "Message" | "Call" | "PortOrder" | "MessagingConfig" | "Subscription";
  readonly sid: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface MessageDryRun {
  readonly wouldSend: boolean;
  readonly segmentCount: number;
  readonly encoding: Encoding;
  readonly recipients: readonly {
    readonly number: string;
    readonly type: string;
    readonly carrier: string | null;
  }[];
  readonly refusals: readonly {
    readonly errorCode: number;
    readonly field: string;
    readonly message: string;
  }[];
}

export interface MessageOrder {
  /**
   * One of your numbers, such as +15551234567, or a short code of yours.
   * @maxLength 256
   */
  readonly from: string;
  /**
   * The recipient's number.
   * @maxLength 256
   */
  readonly to?: string | null;
  /**
   * Instead of To, 2 to 20: a group MMS, with or without media.
   * @minItems 2
   * @maxItems 20
   */
  readonly recipients?: readonly string[] | null;
  /**
   * Required, unless there are MediaUrls.
   * @maxLength 1600
   */
  readonly text?: string | null;
  /**
   * In a form as `[a,b]`, `a,b`, as a JSON array, or repeated. Makes it an MMS.
   * @maxItems 10
   */
  readonly mediaUrls?: readonly string[] | null;
  readonly priority?: Priority | null;
  /** Not sent later than this. By default the config's expiry. */
  readonly expiresOn?: string | null;
  /** Not sent earlier than this; not in the past, and 35 days ahead at most. */
  readonly sendAt?: string | null;
  /**
   * Status changes go here instead of to subscriptions, signed with the account's secret. `#shape=B`, `#statuses=final` or `#shape=B&statuses=final` at its end say the same as `CallbackShape` and `CallbackStatuses`, and are not sent.
   * @maxLength 2048
   */
  readonly callbackUrlOverride?: string | null;
  /**
   * Another name of `CallbackUrlOverride`; give one of the two.
   * @maxLength 2048
   */
  readonly statusCallback?: string | null;
  /** The payload shape of what is sent to the callback URL; A by default. */
  readonly callbackShape?: PayloadShape | null;
  /** `Final`: the callback URL is told how the message ended, and not that a carrier took it. */
  readonly callbackStatuses?: "All" | "Final" | null;
  /**
   * Given back with replies.
   * @maxLength 512
   */
  readonly conversationMetadata?: string | null;
  /** Accepted while the number is not active, sent when it is. */
  readonly holdUntilActive?: boolean | null;
  /** With `true` nothing is sent, and the answer is that of the operation `dryRunMessage`, which clients with types should ask instead: this one is documented for what is sent. */
  readonly dryRun?: false | null;
  /** Replaces typographic characters where that spares segments. */
  readonly smartEncoding?: boolean | null;
}

export interface MessageProblem {
  /** A URI that names the kind of problem. */
  readonly type: string;
  readonly title: string;
  /**
   * @minimum -2147483648
   * @maximum 2147483647
   */
  readonly status: number;
  readonly detail: string | null;
  readonly instance: string | null;
  /** Stable, in kebab case: what programs should look at. */
  readonly code: string;
  /** W3C trace context, to be given to support. */
  readonly traceId: string;
  /** When several apply, the first in this order. 1: sender-invalid, 2: sender-not-yours, 3: sender-without-config, 4: sender-not-active, 5: sender-changing-campaign, 6: sender-lacks-feature, 3015: campaign-suspended, 3016: campaign-not-approved, 3017: campaign-expired, 1001: recipient-invalid, 1002: recipient-opted-out, 1005: country-not-allowed, 2001: text-empty, 2002: text-too-long, 2003: callback-url-refused, 2004: expiry-in-the-past, 2005: bad-date, 2006: bad-media, 3007: bad-priority, 3005: queue-full, 3019: account-suspended, 2147483647: validation. */
  readonly errorCode: number;
  /** What `errorCode` means. */
  readonly errorMessage: string;
  /** Field name to messages; `$` is the request as a whole. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

export const MESSAGE_STATUSES = ["Queued", "Sent", "Delivered", "Failed", "Expired", "Canceled"] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export const MESSAGE_STEPS = ["accepted", "held", "scheduled", "submit", "sent", "receipt", "delivered", "failed", "expired", "canceled", "webhook"] as const;
export type MessageStep = (typeof MESSAGE_STEPS)[number];

export interface MessageTrail {
  readonly summary: WhySummary;
  readonly sid: string;
  readonly status: MessageStatus;
  readonly errorCode: number;
  readonly errorDescription: string | null;
  readonly steps: readonly {
    /** ISO 8601, UTC, with milliseconds. */
    readonly at: string;
    readonly step: MessageStep;
    readonly details: unknown;
  }[];
}

export interface MessagingConfig {
  readonly sid: string;
  readonly name: string;
  readonly tcrCampaignId: string | null;
  /** Null: at any time. */
  readonly sendingTimes: SendingTimes | null;
  readonly defaultExpirySeconds: number;
  /** Null: the usual words. */
  readonly optOutReply: string | null;
  readonly optInReply: string | null;
  readonly helpReply: string | null;
  /** Beside the usual ones, in capitals and without punctuation. */
  readonly optOutKeywords: readonly string[];
  readonly optInKeywords: readonly string[];
  readonly helpKeywords: readonly string[];
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface MessagingConfigChange {
  /**
   * With a campaign's id anywhere in it, in capitals, that campaign is linked when it is imported.
   * @maxLength 64
   */
  readonly name?: string;
  /** Links a campaign; null unlinks it. */
  readonly tcrCampaignId?: string | null;
  readonly sendingTimes?: SendingTimes | null;
  /**
   * How long a message waits to be sent, unless it says so itself.
   * @minimum 60
   * @maximum 172800
   */
  readonly defaultExpirySeconds?: number;
  /** @maxLength 320 */
  readonly optOutReply?: string | null;
  /** @maxLength 320 */
  readonly optInReply?: string | null;
  /** @maxLength 320 */
  readonly helpReply?: string | null;
  /**
   * Further ones, beside those that count everywhere. The whole message must be the keyword.
   * @maxItems 20
   */
  readonly optOutKeywords?: readonly string[];
  /**
   * Further ones, beside those that count everywhere. The whole message must be the keyword.
   * @maxItems 20
   */
  readonly optInKeywords?: readonly string[];
  /**
   * Further ones, beside those that count everywhere. The whole message must be the keyword.
   * @maxItems 20
   */
  readonly helpKeywords?: readonly string[];
}

export interface MessagingConfigList {
  readonly items: readonly MessagingConfig[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface MessagingConfigOrder {
  /**
   * With a campaign's id anywhere in it, in capitals, that campaign is linked when it is imported.
   * @maxLength 64
   */
  readonly name: string;
  /** @default null */
  readonly tcrCampaignId?: string | null;
  /** @default null */
  readonly sendingTimes?: SendingTimes | null;
  /**
   * How long a message waits to be sent, unless it says so itself.
   * @default 14400
   * @minimum 60
   * @maximum 172800
   */
  readonly defaultExpirySeconds?: number;
  /**
   * @default null
   * @maxLength 320
   */
  readonly optOutReply?: string | null;
  /**
   * @default null
   * @maxLength 320
   */
  readonly optInReply?: string | null;
  /**
   * @default null
   * @maxLength 320
   */
  readonly helpReply?: string | null;
  /**
   * Further ones, beside those that count everywhere. The whole message must be the keyword.
   * @default []
   * @maxItems 20
   */
  readonly optOutKeywords?: readonly string[];
  /**
   * Further ones, beside those that count everywhere. The whole message must be the keyword.
   * @default []
   * @maxItems 20
   */
  readonly optInKeywords?: readonly string[];
  /**
   * Further ones, beside those that count everywhere. The whole message must be the keyword.
   * @default []
   * @maxItems 20
   */
  readonly helpKeywords?: readonly string[];
}

export interface MessagingConfigPhoneList {
  readonly items: readonly Phone[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface MessagingConfigReplacement {
  /**
   * With a campaign's id anywhere in it, in capitals, that campaign is linked when it is imported.
   * @maxLength 64
   */
  readonly name: string;
  /** Links a campaign; null unlinks it; absent, the link stays. */
  readonly tcrCampaignId?: string | null;
  /** @default null */
  readonly sendingTimes?: SendingTimes | null;
  /**
   * How long a message waits to be sent, unless it says so itself.
   * @default 14400
   * @minimum 60
   * @maximum 172800
   */
  readonly defaultExpirySeconds?: number;
  /**
   * @default null
   * @maxLength 320
   */
  readonly optOutReply?: string | null;
  /**
   * @default null
   * @maxLength 320
   */
  readonly optInReply?: string | null;
  /**
   * @default null
   * @maxLength 320
   */
  readonly helpReply?: string | null;
  /**
   * Further ones, beside those that count everywhere. The whole message must be the keyword.
   * @default []
   * @maxItems 20
   */
  readonly optOutKeywords?: readonly string[];
  /**
   * Further ones, beside those that count everywhere. The whole message must be the keyword.
   * @default []
   * @maxItems 20
   */
  readonly optInKeywords?: readonly string[];
  /**
   * Further ones, beside those that count everywhere. The whole message must be the keyword.
   * @default []
   * @maxItems 20
   */
  readonly helpKeywords?: readonly string[];
}

export interface Migration {
  readonly tcrCampaignId: string;
  /** `Planned`: nothing was asked of anybody yet. `Blocked`: it does not go on unless somebody does something. `PartiallyCompleted`: some numbers did not come, all others are Active. */
  readonly status: MigrationStatus;
  /** Nothing was submitted yet: what is said is what would be found. */
  readonly dryRun: boolean;
  /** Our id at the registry, for its migrateCnp. */
  readonly upstreamCnpId: string | null;
  /** Where the campaign stands at the registry; null: it was not shown to us, or is not yours to see. */
  readonly registry: MigrationRegistry | null;
  /** The config that it sends by, or will. */
  readonly messagingConfigSid: string | null;
  readonly linked: boolean;
  /** How many numbers are in which status; those that none is in are left out. */
  readonly numberCounts: readonly MigrationNumberCount[];
  readonly blockers: readonly MigrationBlocker[];
  /** What can go on at the same time; none when all is done. */
  readonly nextSteps: readonly MigrationNextStep[];
  readonly preflight: readonly MigrationPreflightFinding[];
  /** Null before it is imported. */
  readonly campaign: MigrationCampaign | null;
  /** What automatic linking came to; null before the campaign has come. */
  readonly linkOutcome: "Linked" | "NoMatch" | "SeveralMatches" | null;
  /** Those that name the campaign or are linked to it. */
  readonly messagingConfigs: readonly MigrationConfig[];
  readonly portOrders: readonly MigrationPortOrder[];
  /** Up to 1000, those first that are not Active. Timelines go back as far as events are kept. */
  readonly numbers: readonly MigrationNumber[];
  /** Steps that have begun, with how long they take as a rule. */
  readonly times: readonly MigrationStepTime[];
}

export interface MigrationBlocker {
  readonly code: MigrationBlockerCode;
  readonly says: string;
  /** What to do about it. */
  readonly todo: string;
  /** Those it is about; none when it is about the whole. */
  readonly numbers: readonly string[];
}

export const MIGRATION_BLOCKER_CODES = ["FeatureOff", "NoRegistry", "Disputed", "NoConfig", "SeveralConfigs", "NotLinked", "Declined", "Cancelled", "Expired", "CampaignLeft", "CampaignSuspended", "CampaignExpired", "PortException", "PortFailed", "MessagingNotPorted", "NumbersWithoutConfig"] as const;
export type MigrationBlockerCode = (typeof MIGRATION_BLOCKER_CODES)[number];

export interface MigrationCampaign {
  readonly tcrBrandId: string;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly messagingConfigSid: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly importedOn: string;
}

export interface MigrationConfig {
  readonly sid: string;
  readonly name: string;
  readonly tcrCampaignId: string | null;
}

export interface MigrationList {
  readonly items: readonly MigrationSummary[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface MigrationNextStep {
  /** Whose turn it is. */
  readonly who: "You" | "Support" | "Us" | "Registry" | "LosingCarrier";
  readonly says: string;
}

export interface MigrationNumber {
  readonly number: string;
  readonly status: PhoneStatus;
  readonly statusReason: string | null;
  readonly portOrderSid: string | null;
  readonly portStatus: PortNumberStatus | null;
  readonly portReason: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly messagingMovedOn: string | null;
  /** When it will have been added to its campaign. */
  readonly activatesOn: string | null;
  readonly timeline: readonly MigrationTimelineEntry[];
}

export interface MigrationNumberCount {
  readonly status: PhoneStatus;
  readonly count: number;
}

export const MIGRATION_OUTCOMES = ["accept", "decline", "expire", "cancel"] as const;
export type MigrationOutcome = (typeof MIGRATION_OUTCOMES)[number];

export interface MigrationPortOrder {
  readonly sid: string;
  readonly status: PortOrderStatus;
  readonly reason: string | null;
  /** The latest date that the losing carrier has agreed to. */
  readonly focOn: string | null;
  readonly numberCount: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface MigrationPreflightFinding {
  readonly check: "Feature" | "Registry" | "Owner" | "Config" | "Number";
  /** Of those given by `Numbers`. */
  readonly number: string | null;
  readonly passed: boolean;
  readonly says: string;
}

export interface MigrationRegistry {
  readonly standing: CampaignStanding;
  /** Of a migration that came to nothing. */
  readonly reason: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly since: string;
  /** When it was first seen. */
  readonly seenOn: string;
}

export const MIGRATION_STATUSES = ["Planned", "UnderWay", "Blocked", "Completed", "PartiallyCompleted"] as const;
export type MigrationStatus = (typeof MIGRATION_STATUSES)[number];

export interface MigrationStepTime {
  readonly step: "PortIn" | "Acceptance" | "Activation" | "OutboundOutage";
  /** What is typical; not a promise. */
  readonly expectedSeconds: {
    readonly from: number;
    readonly to: number;
  };
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly endedOn: string | null;
  /** So far, while it lasts. */
  readonly seconds: number;
  readonly late: boolean;
}

export interface MigrationSummary {
  readonly tcrCampaignId: string;
  /** `Planned`: nothing was asked of anybody yet. `Blocked`: it does not go on unless somebody does something. `PartiallyCompleted`: some numbers did not come, all others are Active. */
  readonly status: MigrationStatus;
  /** Nothing was submitted yet: what is said is what would be found. */
  readonly dryRun: boolean;
  /** Our id at the registry, for its migrateCnp. */
  readonly upstreamCnpId: string | null;
  /** Where the campaign stands at the registry; null: it was not shown to us, or is not yours to see. */
  readonly registry: MigrationRegistry | null;
  /** The config that it sends by, or will. */
  readonly messagingConfigSid: string | null;
  readonly linked: boolean;
  /** How many numbers are in which status; those that none is in are left out. */
  readonly numberCounts: readonly MigrationNumberCount[];
  readonly blockers: readonly MigrationBlocker[];
  /** What can go on at the same time; none when all is done. */
  readonly nextSteps: readonly MigrationNextStep[];
}

export interface MigrationTimelineEntry {
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string;
  readonly status: PhoneStatus;
  readonly previousStatus: PhoneStatus | null;
  readonly reason: string | null;
}

export interface NewAccount {
  readonly sid: string;
  readonly name: string;
  readonly status: AccountStatus;
  /** Shown in the account's refusals. */
  readonly suspendedReason: string | null;
  readonly features: readonly Feature[];
  readonly limits: Limits;
  /** Null: the countries of its own numbers. */
  readonly allowedCountries: readonly string[] | null;
  /** Two letters. Numbers without a plus are read in this country where they are valid there, and as E.164 digits otherwise. Null: there is neither a setting nor a number. */
  readonly country: string | null;
  readonly defaultCallerId: string | null;
  /** Whether STOP, START and HELP are answered for it. */
  readonly handlesKeywords: boolean;
  /**
   * For how many days messages are kept that have left, failed or were received. Null: for ever.
   * @minimum 1
   * @maximum 36500
   */
  readonly messageDays: number | null;
  /**
   * For how many days calls are kept, with their recordings, and conferences. Null: for ever, or what `TANDEM_CALL_DAYS` says.
   * @minimum 1
   * @maximum 36500
   */
  readonly callDays: number | null;
  /**
   * For how many days events, deliveries, attempts and requests are kept, where that is less than for all accounts (`TANDEM_RECORD_DAYS`; requests seven days). Null: as for all.
   * @minimum 1
   * @maximum 36500
   */
  readonly eventDays: number | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  readonly token: string;
}

export interface NewOperatorToken {
  readonly name: string;
  readonly role: OperatorRole;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  readonly token: string;
}

export interface NewToken {
  /**
   * Its place, to delete it by.
   * @minimum 1
   * @maximum 2
   */
  readonly n: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** A signing token: `X-Twilio-Signature` of what the account gets in Twilio's shape is keyed by it. It is stored encrypted, besides its digest. */
  readonly signs: boolean;
  /** Whether tools of language models may write with it; without it they only read. */
  readonly toolWrites: boolean;
  /** Shown here and never again. */
  readonly token: string;
}

export interface Node {
  /** Names this run of the process. */
  readonly sid: string;
  /** The name of its machine. */
  readonly host: string;
  readonly version: string;
  /** `api`, `worker`. */
  readonly roles: readonly string[];
  /** Where it is reached. */
  readonly url: string;
  /** `Silent`: it has not reported for 15 seconds, because it hangs, is cut off from the database, or has ended. */
  readonly state: "Starting" | "Ready" | "Draining" | "Silent";
  /** What it alone does: sending messages, delivering the webhooks of its slots, its calls. */
  readonly leases: readonly ("Sending" | "Webhooks" | "Calls")[];
  /** How many slots of webhooks it has. */
  readonly webhookSlots: number;
  /** Calls that it has. */
  readonly calls: number;
  /** The links to carriers that it has open. */
  readonly links: readonly string[];
  /** `ok`, or how far the clock of its machine is off: then it leaves work to others. */
  readonly clock: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedOn: string;
  /** When it last reported. */
  readonly seenOn: string;
  /** Since when an operator wants it to drain. */
  readonly drainAskedOn: string | null;
}

export interface NodeList {
  readonly items: readonly Node[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface NumberAssignment {
  /** @maxLength 64 */
  readonly accountSid: string;
  /**
   * For people.
   * @maxLength 64
   */
  readonly name?: string | null;
  /** One of the account's. */
  readonly messagingConfigSid?: string | null;
}

export interface NumberDetails {
  /** In international format with a leading plus. */
  readonly number: string;
  /** Whether it can send and receive messages. */
  readonly status: PhoneMessagingStatus;
  readonly type: PhoneType;
  readonly carrierName: string | null;
  /** Two letters (ISO 3166); null: of no single country. */
  readonly country: string | null;
  /** Without the plus. */
  readonly callingCode: string;
  /** As it is written in its country. */
  readonly nationalFormat: string;
  readonly internationalFormat: string;
  /** The area in which the number was given out, where that is public. */
  readonly location: string | null;
  /** MCC of the carrier's network, where it is known. */
  readonly mobileCountryCode: string | null;
  /** MNC, likewise. */
  readonly mobileNetworkCode: string | null;
  /** Whether it has left the carrier that was given its block; null: not known. */
  readonly ported: boolean | null;
  /** Where status, type and carrier come from. */
  readonly source: LookupSource;
  /** When that source last knew it. */
  readonly asOf: string;
  readonly ageSeconds: number;
  /** High: an override, a number of ours, or a live answer of the last day. Medium: an older live answer, or the table of public assignments, which does not know ported numbers. Low: that table where it is older than two years or knows no type. */
  readonly confidence: LookupConfidence;
}

export const NUMBER_FEATURES = ["SMS", "MMS", "VOICE"] as const;
export type NumberFeature = (typeof NUMBER_FEATURES)[number];

export interface NumberInformation {
  /** In international format with a leading plus. */
  readonly number: string;
  /** Whether it can send and receive messages. */
  readonly status: PhoneMessagingStatus;
  readonly type: PhoneType;
  readonly carrierName: string | null;
}

export interface OpenedSupportLink {
  readonly sid: string;
  readonly accountSid: string;
  /** Path and query of the page, as the account sees it. */
  readonly address: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly expiresOn: string;
}

export interface OperatorAttention {
  readonly items: readonly OperatorFinding[];
}

export interface OperatorFinding {
  /** The same as long as the finding is. */
  readonly id: string;
  readonly cause: "SubscriptionOff" | "DeliveriesFailing" | "DeliveriesFailed" | "NumbersNotActive" | "PortException" | "PortsWaiting" | "CampaignNotActive" | "CampaignsUnassigned" | "RecordingsFailed" | "MessagesFailed" | "FeaturesRequested" | "LinkDown" | "LinkStopped" | "TrunkDown" | "TrunkStopped" | "ReconcileFailed";
  readonly severity: "Error" | "Warning";
  /** What is the matter. */
  readonly what: string;
  readonly why: string;
  /** What to do. */
  readonly advice: string;
  /** How many it concerns; not counted beyond 1,000. */
  readonly count: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly firstOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly lastOn: string | null;
  /** What clears it, or shows more. */
  readonly operation: {
    readonly method: "GET" | "POST" | "PATCH";
    readonly path: string;
  } | null;
  /** One of those it concerns. */
  readonly resource: {
    readonly kind: "Subscription" | "Number" | "PortOrder" | "Campaign" | "Call" | "Message" | "FeatureRequest" | "Link" | "Trunk" | "Reconcile";
    readonly id: string;
  } | null;
  /** Null where it is no account's, or several accounts'. */
  readonly accountSid: string | null;
}

export const OPERATOR_ROLES = ["admin", "support"] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export interface OperatorThroughput {
  readonly operator: string;
  readonly messageClass: string | null;
  readonly smsPerMinute: number | null;
  readonly mmsPerMinute: number | null;
  readonly brandTier: string | null;
}

export interface OperatorToken {
  readonly name: string;
  readonly role: OperatorRole;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface OperatorTokenList {
  readonly items: readonly OperatorToken[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface OperatorTokenOrder {
  readonly name: string;
  /** @default "admin" */
  readonly role?: OperatorRole;
}

export interface OptOut {
  /** Who opted out. */
  readonly number: string;
  readonly scopeType: ScopeType;
  readonly scope: string;
  /** What they wrote; null when it was entered here. */
  readonly keyword: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface OptOutList {
  readonly items: readonly OptOut[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface OptOutOrder {
  /**
   * `+15551234567`.
   * @maxLength 256
   */
  readonly number: string;
  readonly scopeType: ScopeType;
  /**
   * The sender's number, or the campaign's id.
   * @maxLength 64
   */
  readonly scope: string;
}

export interface OutboundMessage {
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  /** Of a group message all of them, otherwise `to` alone. */
  readonly recipients: readonly string[];
  readonly text: string;
  readonly mediaUrls: readonly string[];
  readonly status: MessageStatus;
  readonly statusReason: string | null;
  readonly segmentCount: number;
  readonly encoding: Encoding;
  /** Of the recipient, as looked up. */
  readonly carrier: string | null;
  readonly messagingConfigSid: string | null;
  readonly tcrCampaignId: string | null;
  readonly priority: Priority;
  /** 0 is none. */
  readonly errorCode: number;
  readonly errorDescription: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** When it may leave; null: at once. */
  readonly sendAt: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly sentOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly deliveredOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly expiresOn: string;
}

export interface OutboundMessageList {
  readonly items: readonly OutboundMessage[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface OwnAccount {
  readonly sid: string;
  readonly name: string;
  readonly status: AccountStatus;
  /** Why it is suspended, where the operator has said so. */
  readonly suspendedReason: string | null;
  readonly features: readonly Feature[];
  readonly limits: Limits;
  /** Two letters. Numbers without a plus are read in this country where they are valid there, and as E.164 digits otherwise. Null: there is neither a setting nor a number. */
  readonly country: string | null;
  readonly defaultCallerId: string | null;
  /** The CNP to name in the campaign registry's migrateCnp. */
  readonly upstreamCnpId: string | null;
  /** Let SIP in from these. */
  readonly sipSourceAddresses: readonly string[];
  readonly supportContact: string;
  /** Since when the oldest secret signs that an enabled webhook or the account itself has. */
  readonly webhookSecretCreatedOn: string | null;
  readonly tokens: readonly AccountToken[];
  /**
   * The token that signs `X-Twilio-Signature`. Null: the account has no signing token, and its own secret signs.
   * @minimum 1
   * @maximum 2
   */
  readonly signingToken: number | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface OwnedEvent {
  /** Its place in the log. */
  readonly id: string;
  readonly type: EventType;
  readonly resourceSid: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** Shape A, without WebhookSid. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly accountSid: string;
}

export interface OwnedEventList {
  readonly items: readonly OwnedEvent[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface OwnedMadeByRequest {
  readonly kind: "Message" | "Call" | "PortOrder" | "MessagingConfig" | "Subscription";
  readonly sid: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  readonly accountSid: string;
}

export interface OwnedPhone {
  /** `+15551234567`, or the digits of a short code. */
  readonly number: string;
  readonly accountSid: string;
  readonly accountName: string;
  readonly name: string | null;
  readonly status: PhoneStatus;
  /** Why it is not `Active`. */
  readonly statusReason: string | null;
  readonly features: readonly NumberFeature[];
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly updatedOn: string;
}

export interface OwnedPhones {
  readonly items: readonly OwnedPhone[];
}

export interface OwnedPortOrder {
  readonly sid: string;
  readonly status: PortOrderStatus;
  /** A `PortReasonCode`; null while all goes well. */
  readonly reasonCode: string | null;
  /** The same in words. */
  readonly reason: string | null;
  /** Of an exception: the members that may put it right. */
  readonly answerWith: readonly string[];
  readonly messagingConfigSid: string;
  readonly numbers: readonly PortOrderNumber[];
  readonly losingCarrier: string | null;
  readonly accountNumber: string;
  readonly billingTelephoneNumber: string | null;
  readonly subscriber: {
    readonly type: SubscriberType;
    readonly name: string;
    readonly authorizedPerson: string;
  };
  readonly serviceAddress: {
    readonly street: string;
    readonly street2: string | null;
    readonly city: string;
    readonly state: string;
    readonly postalCode: string;
    readonly country: string;
  };
  /** ISO 8601, UTC, with milliseconds. */
  readonly requestedOn: string | null;
  readonly customerReference: string | null;
  readonly documents: readonly PortDocument[];
  /** Whoever carries the order out has it. */
  readonly submitted: boolean;
  /** A cancellation is on its way. */
  readonly cancelRequestedOn: string | null;
  /** What was asked for last and not granted. */
  readonly refused: {
    readonly what: "answer" | "cancel";
    /** A `PortReasonCode`; null while all goes well. */
    readonly reasonCode: string | null;
    /** The same in words. */
    readonly reason: string | null;
  } | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly updatedOn: string;
  readonly accountSid: string;
}

export interface OwnedPortOrderList {
  readonly items: readonly OwnedPortOrder[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface OwnedRefusedRequest {
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** The operation's id; null where the address is of none. */
  readonly operation: string | null;
  readonly status: number;
  readonly code: string;
  /** The fields at fault, or what the refusal said. */
  readonly fault: string | null;
  readonly traceId: string;
  readonly requestId: string;
  /** Null where the credentials were wrong or none of an account. */
  readonly accountSid: string | null;
}

export interface OwnedRefusedRequestList {
  readonly items: readonly OwnedRefusedRequest[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface OwnedRequestOutcome {
  /** The id that was asked for. */
  readonly requestId: string;
  readonly made: readonly OwnedMadeByRequest[];
  readonly refused: readonly OwnedRefusedRequest[];
}

export interface OwnedTcrCampaign {
  readonly tcrCampaignId: string;
  readonly tcrBrandId: string;
  readonly name: string;
  readonly status: CampaignStatus;
  /** Who says how it stands: the registry, or the operator by hand. */
  readonly source: CampaignSource;
  /** What the registry says each mobile operator lets through. Not enforced here. */
  readonly throughput: readonly OperatorThroughput[];
  readonly messagingConfigSid: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly importedOn: string;
  readonly accountSid: string;
}

export interface OwnedTcrCampaignList {
  readonly items: readonly OwnedTcrCampaign[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface OwnedWebhookList {
  readonly items: readonly OwnedWebhookSubscription[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface OwnedWebhookSubscription {
  readonly sid: string;
  /** When there is one alone. */
  readonly type?: EventType;
  readonly types: readonly SubscribedType[];
  readonly url: string;
  readonly backupUrl: string | null;
  readonly messagingConfigSid: string | null;
  readonly phone: string | null;
  readonly payloadShape: PayloadShape;
  readonly enabled: boolean;
  /** Why it was switched off, unless its owner did it. */
  readonly disabledReason: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly lastSuccessOn: string | null;
  readonly accountSid: string;
}

export interface ParticipantChange {
  readonly muted?: boolean;
  readonly hold?: boolean;
}

export const PAYLOAD_SHAPES = ["A", "B", "Twilio"] as const;
export type PayloadShape = (typeof PAYLOAD_SHAPES)[number];

export interface Phone {
  /** `+15551234567`, or the digits of a short code. */
  readonly number: string;
  readonly name: string | null;
  readonly status: PhoneStatus;
  /** Why it is not `Active`. */
  readonly statusReason: string | null;
  readonly messagingConfigSid: string | null;
  readonly portOrderSid: string | null;
  readonly features: readonly NumberFeature[];
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly updatedOn: string;
}

export interface PhoneChange {
  /**
   * For people.
   * @maxLength 64
   */
  readonly name?: string | null;
  readonly messagingConfigSid?: string | null;
}

export interface PhoneList {
  readonly items: readonly Phone[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export const PHONE_MESSAGING_STATUSES = ["Active", "Inactive"] as const;
export type PhoneMessagingStatus = (typeof PHONE_MESSAGING_STATUSES)[number];

export interface PhoneOrder {
  /**
   * `+15551234567`, or a short code.
   * @maxLength 256
   */
  readonly phone: string;
  /**
   * For people.
   * @maxLength 64
   */
  readonly name?: string | null;
  readonly messagingConfigSid?: string | null;
}

export const PHONE_STATUSES = ["PendingPortIn", "PendingMessagingConfigAdd", "PendingTcrCampaignAdd", "PendingTcrCampaignChange", "Active", "Removed"] as const;
export type PhoneStatus = (typeof PHONE_STATUSES)[number];

export const PHONE_TYPES = ["Unknown", "Wireless", "Landline", "VoIP"] as const;
export type PhoneType = (typeof PHONE_TYPES)[number];

export interface PhonesAssigned {
  readonly success: readonly string[];
  readonly failed: readonly {
    readonly number: string;
    readonly reason: string;
  }[];
}

export interface PhonesToAdd {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  readonly phones: readonly string[];
}

export interface PhonesToDelete {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  readonly phones: readonly string[];
}

export interface PortAnswerData {
  /** @maxLength 128 */
  readonly losingCarrier?: string | null;
  /**
   * At the losing carrier.
   * @maxLength 64
   */
  readonly accountNumber?: string | null;
  /**
   * `+15551234567`.
   * @maxLength 256
   */
  readonly billingTelephoneNumber?: string | null;
  readonly subscriber?: PortSubscriber | null;
  readonly serviceAddress?: PortServiceAddress | null;
  /** A day, or a moment: `2026-01-31`. */
  readonly requestedOn?: string | null;
  /**
   * Yours; shown and not interpreted.
   * @maxLength 128
   */
  readonly customerReference?: string | null;
  /**
   * @minItems 1
   * @maxItems 100
   */
  readonly phones?: readonly PortPhone[] | null;
}

export interface PortCompletion {
  /**
   * @minItems 1
   * @maxItems 2
   */
  readonly halves?: readonly ("voice" | "messaging")[];
  /**
   * Of the order; without it, all that can take it.
   * @minItems 1
   * @maxItems 100
   */
  readonly numbers?: readonly string[];
}

export interface PortDate {
  /** When the losing carrier lets go. */
  readonly on: string;
  /**
   * Of the order; without it, all that can take it.
   * @minItems 1
   * @maxItems 100
   */
  readonly numbers?: readonly string[];
}

export interface PortDocument {
  readonly place: number;
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly pageCount: number;
  readonly sha256: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface PortException {
  readonly reason: PortReasonCode;
  /**
   * In words.
   * @maxLength 500
   */
  readonly detail?: string;
  /**
   * Of the order; without it, all that can take it.
   * @minItems 1
   * @maxItems 100
   */
  readonly numbers?: readonly string[];
}

export interface PortInAnswer {
  readonly sid: string;
  readonly status: PortOrderStatus;
  readonly phones: readonly Phone[];
}

export interface PortInData {
  readonly messagingConfigSid: string;
  /**
   * @minItems 1
   * @maxItems 100
   */
  readonly phones: readonly PortPhone[];
  /** @maxLength 128 */
  readonly losingCarrier?: string | null;
  /**
   * At the losing carrier.
   * @maxLength 64
   */
  readonly accountNumber: string;
  /**
   * `+15551234567`.
   * @maxLength 256
   */
  readonly billingTelephoneNumber?: string | null;
  readonly subscriber: PortSubscriber;
  readonly serviceAddress: PortServiceAddress;
  /** A day, or a moment: `2026-01-31`. */
  readonly requestedOn?: string | null;
  /**
   * Yours; shown and not interpreted.
   * @maxLength 128
   */
  readonly customerReference?: string | null;
}

export interface PortLetterData {
  readonly messagingConfigSid?: string | null;
  /**
   * @minItems 1
   * @maxItems 100
   */
  readonly phones: readonly PortPhone[];
  /** @maxLength 128 */
  readonly losingCarrier?: string | null;
  /**
   * At the losing carrier.
   * @maxLength 64
   */
  readonly accountNumber: string;
  /**
   * `+15551234567`.
   * @maxLength 256
   */
  readonly billingTelephoneNumber?: string | null;
  readonly subscriber: PortSubscriber;
  readonly serviceAddress: PortServiceAddress;
  /** A day, or a moment: `2026-01-31`. */
  readonly requestedOn?: string | null;
  /**
   * Yours; shown and not interpreted.
   * @maxLength 128
   */
  readonly customerReference?: string | null;
}

export const PORT_NUMBER_STATUSES = ["Submitted", "Exception", "FocConfirmed", "Activating", "Completed", "PartiallyCompleted", "Cancelled", "Failed"] as const;
export type PortNumberStatus = (typeof PORT_NUMBER_STATUSES)[number];

export interface PortOrder {
  readonly sid: string;
  readonly status: PortOrderStatus;
  /** A `PortReasonCode`; null while all goes well. */
  readonly reasonCode: string | null;
  /** The same in words. */
  readonly reason: string | null;
  /** Of an exception: the members that may put it right. */
  readonly answerWith: readonly string[];
  readonly messagingConfigSid: string;
  readonly numbers: readonly PortOrderNumber[];
  readonly losingCarrier: string | null;
  readonly accountNumber: string;
  readonly billingTelephoneNumber: string | null;
  readonly subscriber: {
    readonly type: SubscriberType;
    readonly name: string;
    readonly authorizedPerson: string;
  };
  readonly serviceAddress: {
    readonly street: string;
    readonly street2: string | null;
    readonly city: string;
    readonly state: string;
    readonly postalCode: string;
    readonly country: string;
  };
  /** ISO 8601, UTC, with milliseconds. */
  readonly requestedOn: string | null;
  readonly customerReference: string | null;
  readonly documents: readonly PortDocument[];
  /** Whoever carries the order out has it. */
  readonly submitted: boolean;
  /** A cancellation is on its way. */
  readonly cancelRequestedOn: string | null;
  /** What was asked for last and not granted. */
  readonly refused: {
    readonly what: "answer" | "cancel";
    /** A `PortReasonCode`; null while all goes well. */
    readonly reasonCode: string | null;
    /** The same in words. */
    readonly reason: string | null;
  } | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly updatedOn: string;
}

export interface PortOrderList {
  readonly items: readonly PortOrder[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface PortOrderNumber {
  readonly number: string;
  readonly status: PortNumberStatus;
  /** A `PortReasonCode`; null while all goes well. */
  readonly reasonCode: string | null;
  /** The same in words. */
  readonly reason: string | null;
  /** The date the losing carrier has agreed to. */
  readonly focOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly voiceMovedOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly messagingMovedOn: string | null;
}

export const PORT_ORDER_STATUSES = ["Submitted", "Exception", "FocConfirmed", "Completed", "PartiallyCompleted", "Cancelled", "Failed"] as const;
export type PortOrderStatus = (typeof PORT_ORDER_STATUSES)[number];

export const PORT_OUTCOMES = ["complete", "partial", "reject", "exception", "delay", "focChange", "messagingLate", "silent"] as const;
export type PortOutcome = (typeof PORT_OUTCOMES)[number];

export interface PortPhone {
  /**
   * `+15551234567`.
   * @maxLength 256
   */
  readonly number: string;
  /** The transfer PIN. Kept encrypted, never shown. */
  readonly pin?: string | null;
}

export interface PortPins {
  /**
   * PO and 32 hex digits.
   * @maxLength 64
   */
  readonly sid: string;
  readonly pins: readonly {
    readonly number: string;
    readonly pin: string;
  }[];
}

export const PORT_REASON_CODES = ["ACCOUNT_NUMBER_MISMATCH", "AUTH_PERSON_MISMATCH", "BTN_ATN_MISMATCH", "CANCELLED", "ENTITY_NAME_MISMATCH", "FOC_EXPIRED", "FOC_REJECTED", "LOCATION_MISMATCH", "LSR_PENDING", "MAIN_BTN_PORTING", "OSP_IRRESPONSIVE", "OTHER", "PASSCODE_PIN_INVALID", "PHONE_NUMBER_HAS_SPECIAL_FEATURE", "PHONE_NUMBER_MISMATCH", "PHONE_NUMBER_NOT_PORTABLE", "PORT_TYPE_INCORRECT", "PORTING_ORDER_SPLIT_REQUIRED", "POSTAL_CODE_MISMATCH", "RATE_CENTER_NOT_PORTABLE", "SV_CONFLICT", "SV_UNKNOWN_FAILURE"] as const;
export type PortReasonCode = (typeof PORT_REASON_CODES)[number];

export interface PortRejection {
  readonly reason: PortReasonCode;
  /**
   * In words.
   * @maxLength 500
   */
  readonly detail?: string;
  /**
   * Of the order; without it, all that can take it.
   * @minItems 1
   * @maxItems 100
   */
  readonly numbers?: readonly string[];
}

export interface PortServiceAddress {
  /**
   * Where the line is: no post box.
   * @maxLength 128
   */
  readonly street: string;
  /** @maxLength 128 */
  readonly street2?: string | null;
  /** @maxLength 64 */
  readonly city: string;
  /**
   * In the US and Canada, its two letters.
   * @maxLength 64
   */
  readonly state: string;
  /** @maxLength 16 */
  readonly postalCode: string;
  /** Two letters. */
  readonly country: string;
}

export interface PortSubscriber {
  readonly type: SubscriberType;
  /**
   * As on the losing carrier's record.
   * @maxLength 128
   */
  readonly name: string;
  /** @maxLength 128 */
  readonly authorizedPerson: string;
}

export interface Portability {
  readonly number: string;
  readonly portable: boolean;
  /** Why not. */
  readonly reason: string | null;
  readonly type: PhoneType;
  readonly losingCarrier: string | null;
  /** Members of the order that its carrier will look at. */
  readonly needs: readonly string[];
}

export const PRIORITIES = ["Urgent", "High", "Normal", "Low"] as const;
export type Priority = (typeof PRIORITIES)[number];

export interface Problem {
  /** A URI that names the kind of problem. */
  readonly type: string;
  readonly title: string;
  /**
   * @minimum -2147483648
   * @maximum 2147483647
   */
  readonly status: number;
  readonly detail: string | null;
  readonly instance: string | null;
  /** Stable, in kebab case: what programs should look at. */
  readonly code: string;
  /** W3C trace context, to be given to support. */
  readonly traceId: string;
  /** Only of a message that is refused. 1: sender-invalid, 2: sender-not-yours, 3: sender-without-config, 4: sender-not-active, 5: sender-changing-campaign, 6: sender-lacks-feature, 3015: campaign-suspended, 3016: campaign-not-approved, 3017: campaign-expired, 1001: recipient-invalid, 1002: recipient-opted-out, 1005: country-not-allowed, 2001: text-empty, 2002: text-too-long, 2003: callback-url-refused, 2004: expiry-in-the-past, 2005: bad-date, 2006: bad-media, 3007: bad-priority, 3005: queue-full, 3019: account-suspended, 2147483647: validation. */
  readonly errorCode?: number;
  /** What `errorCode` means. */
  readonly errorMessage?: string;
}

export interface ProgramRecording {
  readonly sid: string;
  readonly status: RecordingStatus;
  /** Of the segments that have ended, without pauses. */
  readonly durationSeconds: number;
  /** The first party alone; of a conference, all who spoke in it, mixed. */
  readonly channels: 1;
  /** The instruction that made it. */
  readonly source: RecordingSource;
  /** One; its `url` answers 404 with `Retry-After` until the file is ready. */
  readonly segments: readonly RecordingSegment[];
}

export interface Reconcile {
  readonly name: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly finishedOn: string;
  readonly outcome: "Done" | "Failed";
  /** What was counted; `reason` of a failure. */
  readonly details: Readonly<Record<string, string | number>>;
}

export interface ReconcileList {
  readonly items: readonly Reconcile[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface RecordingControl {
  readonly action: "Pause" | "Resume";
}

export interface RecordingSegment {
  /** From 1; each resume begins a new one. */
  readonly index: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedOn: string;
  /** Null while it is being recorded. */
  readonly durationSeconds: number | null;
  /** Null until the file is ready, as are the next two. */
  readonly sizeBytes: number | null;
  /** Of the file, in hexadecimal digits. */
  readonly sha256: string | null;
  /** Where the MP3 is fetched. */
  readonly url: string | null;
}

export const RECORDING_SOURCES = ["Record", "Conference"] as const;
export type RecordingSource = (typeof RECORDING_SOURCES)[number];

export const RECORDING_STATUSES = ["Recording", "Paused", "Processing", "Completed", "Failed"] as const;
export type RecordingStatus = (typeof RECORDING_STATUSES)[number];

export interface RefusedRequest {
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** The operation's id; null where the address is of none. */
  readonly operation: string | null;
  readonly status: number;
  readonly code: string;
  /** The fields at fault, or what the refusal said. */
  readonly fault: string | null;
  readonly traceId: string;
  readonly requestId: string;
}

export interface RefusedRequestList {
  readonly items: readonly RefusedRequest[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface ReplayAnswer {
  readonly replayed: number;
  /** False when there may be more. */
  readonly complete: boolean;
}

export interface ReplayOneOrder {
  /**
   * Instead of the subscription's own, and then without its bearer.
   * @maxLength 2048
   */
  readonly url?: string;
}

export interface ReplayOrder {
  readonly type?: EventType;
  readonly status?: DeliveryStatus;
  /** @maxLength 64 */
  readonly subscriptionSid?: string;
  /** ISO 8601. */
  readonly from?: string;
  /** ISO 8601. */
  readonly to?: string;
  /**
   * Instead of the subscription's own, and then without its bearer.
   * @maxLength 2048
   */
  readonly url?: string;
}

export interface RequestOutcome {
  /** The id that was asked for. */
  readonly requestId: string;
  readonly made: readonly MadeByRequest[];
  readonly refused: readonly RefusedRequest[];
}

export interface Route {
  /** Its place in the config file; `any`: what fits none; `emergency`: emergency calls. */
  readonly name: string;
  readonly kind: "sms" | "mms" | "voice";
  /** Beginnings of senders' numbers; empty: any. */
  readonly senders: readonly string[];
  /** Beginnings of recipients' numbers; empty: any. */
  readonly destinations: readonly string[];
  /** Recipients' carriers as looked up; empty: any. */
  readonly carriers: readonly string[];
  /** Empty: the carriers of the route have no link of the kind, so messages wait. */
  readonly ways: readonly RouteWay[];
}

export interface RouteList {
  readonly items: readonly Route[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface RouteWay {
  /** The link's, or the trunk's. */
  readonly name: string;
  /** The link's carrier; null of a trunk. */
  readonly carrier: string | null;
  /** Of a trunk: the lowest is tried first. Null of a link. */
  readonly priority: number | null;
  /**
   * Of the route's traffic, while all are up; 0: it stands in.
   * @minimum 0
   * @maximum 1
   */
  readonly share: number;
  /**
   * What it takes while others are down, or it is itself.
   * @minimum 0
   * @maximum 1
   */
  readonly shareNow: number;
  /** As in the lists of links and trunks; `stopped` by an operator; `unknown`: nobody tells. */
  readonly state: string;
  /** Whether it takes traffic; null where nobody tells. */
  readonly isUp: boolean | null;
}

export interface SavedView {
  readonly sid: string;
  readonly name: string;
  /** Path and query of the page. */
  readonly address: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
}

export interface SavedViewList {
  readonly items: readonly SavedView[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface SavedViewName {
  /** @maxLength 80 */
  readonly name: string;
}

export interface SavedViewOrder {
  /** @maxLength 80 */
  readonly name: string;
  /** @maxLength 2000 */
  readonly address: string;
}

export const SCOPE_TYPES = ["SenderPhoneNumber", "TcrCampaign"] as const;
/** Of messages from one of your numbers, or of a campaign's. */
export type ScopeType = (typeof SCOPE_TYPES)[number];

export interface SearchResult {
  /** The numbers that the text may mean, the likeliest first. */
  readonly numbers: readonly string[];
  /** The accounts that have such a number, or had it. */
  readonly phones: readonly OwnedPhone[];
  /** With such words in their names. */
  readonly accounts: readonly FoundAccount[];
  /** Sent to such a number, or received from it. */
  readonly messages: readonly FoundMessage[];
  /** From such a number, or to it. */
  readonly calls: readonly FoundCall[];
  /** With such a sid, or made by a request with such an id. */
  readonly records: readonly FoundRecord[];
  /** Refused requests with such an id, of the last 7 days. */
  readonly refused: readonly OwnedRefusedRequest[];
}

export interface SendingTimes {
  /**
   * IANA, such as `America/New_York`.
   * @maxLength 64
   */
  readonly timeZone: string;
  /**
   * @minItems 1
   * @maxItems 7
   */
  readonly days: readonly Weekday[];
  /** As in `09:00`. */
  readonly from: string;
  /** Exclusive. Not later than `from`: on the next day, `00:00` being midnight. */
  readonly to: string;
}

export interface Session {
  readonly kind: "Account" | "Operator";
  /** Null for operators. */
  readonly accountSid: string | null;
  /** Of the account or the operator's token. */
  readonly name: string;
  /** Null for accounts. */
  readonly role: OperatorRole | null;
  /** The place of the account's token by which it was opened; null for operators. */
  readonly token: number | null;
  /** Whether the world outside is simulated. */
  readonly sandbox: boolean;
  /** The file with the account's credentials, for shells in the server's folder: a sandbox's demo account. */
  readonly demoEnv: string | null;
  /** Every use puts it off, up to 7 days after it was opened; an open stream does not. */
  readonly expiresOn: string;
}

/** `accountSid` and `token`, or `operatorToken`, or `ticket`. */
export interface SessionOrder {
  /**
   * Together with `token`.
   * @maxLength 64
   */
  readonly accountSid?: string;
  /** @maxLength 256 */
  readonly token?: string;
  /** @maxLength 256 */
  readonly operatorToken?: string;
  /**
   * Of a link that signs in once.
   * @maxLength 256
   */
  readonly ticket?: string;
}

export interface SipMessage {
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string;
  readonly leg: LegName;
  readonly direction: "Sent" | "Received";
  readonly peer: string;
  readonly transport: "UDP" | "TCP" | "TLS";
  readonly startLine: string;
  /** Credentials and keys are masked. */
  readonly text: string;
}

export interface SipMessageList {
  readonly items: readonly SipMessage[];
}

export interface StatisticsCount {
  /** When the hour or the day begins; a day is one of UTC. */
  readonly from: string;
  /** Of messages and deliveries the status that they have now; of calls the `endReason`, or the status of those that have not ended. */
  readonly outcome: string;
  /** Of messages, the recipient's carrier, where it is known. */
  readonly carrier: string | null;
  readonly count: number;
}

export interface StatisticsReport {
  readonly kind: "Messages" | "Calls" | "Deliveries";
  /** ISO 8601, UTC, with milliseconds. */
  readonly from: string;
  /** The whole hours or days that were asked for end here. */
  readonly to: string;
  readonly step: "Hour" | "Day";
  /** What happened before is counted: usually a second or two ago. Null until something was counted. */
  readonly countedUntil: string | null;
  /** Sorted by time, outcome and carrier, without zeros. */
  readonly items: readonly StatisticsCount[];
}

export const SUBSCRIBED_TYPES = ["InboundMessageReceived", "OutboundMessageStatusChanged", "OptOutChanged", "InboundCallReceivedWebhook", "CallStatusChangedWebhook", "CallRecordingCompleted", "CallStreamStatusChanged", "ConferenceChanged", "PhoneNumberStatusChanged", "TcrCampaignImported", "TcrCampaignStatusChanged", "PortOrderStatusChanged", "*"] as const;
export type SubscribedType = (typeof SUBSCRIBED_TYPES)[number];

export const SUBSCRIBER_TYPES = ["Business", "Individual"] as const;
export type SubscriberType = (typeof SUBSCRIBER_TYPES)[number];

export interface SupportLink {
  readonly sid: string;
  /** What support opens in the portal. It names the link, and nothing of the page. */
  readonly url: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** 30 days after it was made. */
  readonly expiresOn: string;
}

export interface SupportLinkOrder {
  /** @maxLength 2000 */
  readonly address: string;
}

export interface TcrCampaign {
  readonly tcrCampaignId: string;
  readonly tcrBrandId: string;
  readonly name: string;
  readonly status: CampaignStatus;
  /** Who says how it stands: the registry, or the operator by hand. */
  readonly source: CampaignSource;
  /** What the registry says each mobile operator lets through. Not enforced here. */
  readonly throughput: readonly OperatorThroughput[];
  readonly messagingConfigSid: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly importedOn: string;
}

export interface TcrCampaignChange {
  /** Null unlinks it. */
  readonly messagingConfigSid?: string | null;
}

export interface TcrCampaignList {
  readonly items: readonly TcrCampaign[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface TokenOrder {
  /** A signing token: `X-Twilio-Signature` of what the account gets in Twilio's shape is keyed by it. It is stored encrypted, besides its digest. */
  readonly signs?: boolean;
  /** Whether tools of language models may write with it; without it they only read. */
  readonly toolWrites?: boolean;
}

export interface Traffic {
  readonly items: readonly TrafficMinute[];
}

export interface TrafficMinute {
  /** When the minute began. */
  readonly at: string;
  /** Messages accepted in it. */
  readonly sent: number;
  /** How many of those are Delivered by now. */
  readonly delivered: number;
  /** How many of those are Failed or Expired by now. */
  readonly failed: number;
  /** Messages received in it. */
  readonly received: number;
  /** Calls begun in it. */
  readonly calls: number;
}

export interface TroubledRecording {
  readonly sid: string;
  readonly callSid: string;
  readonly accountSid: string;
  /** `Failed` when it was given up. */
  readonly status: string;
  /** What went wrong. */
  readonly fault: string;
  readonly segments: readonly {
    readonly index: number;
    /** `Recording`, `Waiting`, `Encoding`, `Done` or `Failed`. */
    readonly state: string;
    /** How often its encoding failed. */
    readonly attempts: number;
    readonly fault: string | null;
    /** In `recordings/raw` of the data directory, kept until its MP3 is verified; null: removed. */
    readonly rawFile: string | null;
  }[];
}

export interface TroubledRecordingList {
  readonly items: readonly TroubledRecording[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface Trunk {
  readonly name: string;
  /** Whether it answers at least one node. */
  readonly isUp: boolean;
  readonly reason: string;
  /** Under way, over all nodes. */
  readonly calls: number;
  /** Calls it may have at once; null where nothing limits them. */
  readonly window: number | null;
  /** Calls under way, over all nodes. */
  readonly inFlight: number;
  /** Calls begun on it each second, either way, over the last ten. */
  readonly perSecond: number;
  /** 19 of 20 of our calls of the last minute were told of, ringing or over, within this time. */
  readonly p95Ms: number | null;
  /** Since when it answers, or does not; null before it was looked at. */
  readonly since: string | null;
  /** Ours with the trunk, or the trunk's with us, with its contacts in the reason. Null: there is neither. */
  readonly registration: {
    readonly isUp: boolean;
    readonly reason: string;
  } | null;
  /** The same for each node that handles calls; others than the one that answers as of their last report. */
  readonly nodes: readonly {
    /** The name of its machine. */
    readonly host: string;
    readonly isUp: boolean;
    readonly reason: string;
    readonly calls: number;
    readonly registration: {
      readonly isUp: boolean;
      readonly reason: string;
    } | null;
  }[];
  /** Since when the operator wants it stopped; null: it is not. */
  readonly stoppedOn: string | null;
}

export interface TrunkList {
  readonly items: readonly Trunk[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface TrunkSwitch {
  readonly name: string;
  /** Since when the operator wants it stopped; null: it is not. */
  readonly stoppedOn: string | null;
}

export interface UnassignedCampaign {
  readonly tcrCampaignId: string;
  readonly tcrBrandId: string | null;
  readonly name: string | null;
  /** As the registry told it last. */
  readonly status: CampaignStatus | null;
  /** Where it stands between its owner, us and the partner above us. */
  readonly standing: CampaignStanding;
  /** Why a migration came to nothing. */
  readonly reason: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly standingSince: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly seenOn: string;
  /** Accounts with a MessagingConfig in whose name the campaign's id stands. */
  readonly namedBy: readonly string[];
}

export interface UnassignedCampaignList {
  readonly items: readonly UnassignedCampaign[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface ValidationProblem {
  /** A URI that names the kind of problem. */
  readonly type: string;
  readonly title: string;
  /**
   * @minimum -2147483648
   * @maximum 2147483647
   */
  readonly status: number;
  readonly detail: string | null;
  readonly instance: string | null;
  /** Stable, in kebab case: what programs should look at. */
  readonly code: string;
  /** W3C trace context, to be given to support. */
  readonly traceId: string;
  /** Only of a message that is refused. 1: sender-invalid, 2: sender-not-yours, 3: sender-without-config, 4: sender-not-active, 5: sender-changing-campaign, 6: sender-lacks-feature, 3015: campaign-suspended, 3016: campaign-not-approved, 3017: campaign-expired, 1001: recipient-invalid, 1002: recipient-opted-out, 1005: country-not-allowed, 2001: text-empty, 2002: text-too-long, 2003: callback-url-refused, 2004: expiry-in-the-past, 2005: bad-date, 2006: bad-media, 3007: bad-priority, 3005: queue-full, 3019: account-suspended, 2147483647: validation. */
  readonly errorCode?: number;
  /** What `errorCode` means. */
  readonly errorMessage?: string;
  /** Field name to messages; `$` is the request as a whole. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

export interface VoiceSettings {
  /**
   * A number, or a SIP URI such as `sip:alice@example.com:5060;transport=TLS?X-Tenant=7`. Null: the inbound-call webhook decides.
   * @maxLength 512
   */
  readonly callsForwardedTo: string | null;
  /** Unless a call script says otherwise. */
  readonly recordInboundCalls: boolean;
}

export interface VoiceSettingsChange {
  /**
   * A number, or a SIP URI such as `sip:alice@example.com:5060;transport=TLS?X-Tenant=7`. Null: the inbound-call webhook decides.
   * @maxLength 512
   */
  readonly callsForwardedTo?: string | null;
  /** Unless a call script says otherwise. */
  readonly recordInboundCalls?: boolean;
}

export interface VoiceSettingsOrder {
  /**
   * A number, or a SIP URI such as `sip:alice@example.com:5060;transport=TLS?X-Tenant=7`. Null: the inbound-call webhook decides.
   * @default null
   * @maxLength 512
   */
  readonly callsForwardedTo?: string | null;
  /**
   * Unless a call script says otherwise.
   * @default false
   */
  readonly recordInboundCalls?: boolean;
}

export interface WebhookChange {
  /** @maxLength 2048 */
  readonly url?: string;
  /** @maxLength 2048 */
  readonly backupUrl?: string | null;
  /** Sent as `Authorization: Bearer …`; never shown again. */
  readonly authorizationBearer?: string | null;
  /** A: capitalised names. B: lower camel case. Twilio: that provider's form parameters. */
  readonly payloadShape?: PayloadShape;
  readonly enabled?: boolean;
}

export interface WebhookDelivery {
  /** The `webhook-id` of every attempt. */
  readonly sid: string;
  readonly subscriptionSid: string;
  readonly type: EventType;
  readonly resourceSid: string;
  /** Counts the events of the resource from 1. */
  readonly sequence: number;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly nextAttemptOn: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly finishedOn: string | null;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface WebhookList {
  readonly items: readonly WebhookSubscription[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface WebhookOrder {
  readonly type?: EventType;
  /**
   * Instead of `type`: several, or `*` for all but InboundCallReceivedWebhook, which must be named.
   * @minItems 1
   * @maxItems 13
   */
  readonly types?: readonly SubscribedType[];
  /** @maxLength 2048 */
  readonly url: string;
  /**
   * Tried at once when `url` fails.
   * @maxLength 2048
   */
  readonly backupUrl?: string | null;
  /** Narrows it to a config or to a number; one of the two. */
  readonly messagingConfigSid?: string | null;
  /** @maxLength 64 */
  readonly phone?: string | null;
  /** Sent as `Authorization: Bearer …`; never shown again. */
  readonly authorizationBearer?: string | null;
  /**
   * A: capitalised names. B: lower camel case. Twilio: that provider's form parameters.
   * @default "A"
   */
  readonly payloadShape?: PayloadShape;
  /** @default true */
  readonly enabled?: boolean;
}

export interface WebhookSubscription {
  readonly sid: string;
  /** When there is one alone. */
  readonly type?: EventType;
  readonly types: readonly SubscribedType[];
  readonly url: string;
  readonly backupUrl: string | null;
  readonly messagingConfigSid: string | null;
  readonly phone: string | null;
  readonly payloadShape: PayloadShape;
  readonly enabled: boolean;
  /** Why it was switched off, unless its owner did it. */
  readonly disabledReason: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly lastSuccessOn: string | null;
}

export interface WebhookSubscriptionWithSecret {
  readonly sid: string;
  /** When there is one alone. */
  readonly type?: EventType;
  readonly types: readonly SubscribedType[];
  readonly url: string;
  readonly backupUrl: string | null;
  readonly messagingConfigSid: string | null;
  readonly phone: string | null;
  readonly payloadShape: PayloadShape;
  readonly enabled: boolean;
  /** Why it was switched off, unless its owner did it. */
  readonly disabledReason: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdOn: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly lastSuccessOn: string | null;
  /** `whsec_…`, shown here and never again. */
  readonly secret: string;
}

export interface WebhookTypeList {
  readonly items: readonly {
    readonly type: EventType;
    readonly sample: unknown;
  }[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface Weight {
  /**
   * @minimum 1
   * @maximum 100
   */
  readonly requests: number;
  /**
   * @minimum 1
   * @maximum 86400
   */
  readonly windowSeconds: number;
}

export interface WhySummary {
  readonly what: string;
  readonly why: string;
  /** Null: nothing is to be done. */
  readonly advice: string | null;
}

export interface ListOutboundMessagesQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: MessageStatus;
  /** @maxLength 64 */
  readonly from?: string;
  /** @maxLength 64 */
  readonly to?: string;
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
  /**
   * @minimum 0
   * @maximum 2147483647
   */
  readonly errorCode?: number;
}

export interface ListInboundMessagesQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /** @maxLength 64 */
  readonly from?: string;
  /** @maxLength 64 */
  readonly to?: string;
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

export interface ListChangesQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /** @maxLength 64 */
  readonly operation?: string;
  /** @maxLength 64 */
  readonly resource?: string;
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

export interface EndSessionQuery {
  /** Ends all sessions of the account or the operator's token. */
  readonly everywhere?: boolean;
}

export interface ListPhonesQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: PhoneStatus;
  readonly messagingConfigSid?: string;
}

export interface ListAvailablePhonesQuery {
  /** The three digits after +1. */
  readonly areaCode?: string;
  /** Digits that stand somewhere in it. */
  readonly contains?: string;
  /**
   * @default 10
   * @minimum 1
   * @maximum 100
   */
  readonly quantity?: number;
}

export interface ListPortOrdersQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: PortOrderStatus;
}

export interface CheckPortabilityQuery {
  /**
   * `+15551234567`.
   * @maxLength 256
   */
  readonly number: string;
}

export interface ListMessagingConfigsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface ListMessagingConfigPhonesQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface ListTcrCampaignsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface ListMigrationsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface GetMigrationQuery {
  /**
   * Numbers that you think of porting in, separated by commas.
   * @maxLength 3200
   */
  readonly numbers?: string;
}

export interface ListOptOutsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /**
   * `+15551234567`.
   * @maxLength 256
   */
  readonly number?: string;
  readonly scopeType?: ScopeType;
  /**
   * The sender's number, or the campaign's id.
   * @maxLength 64
   */
  readonly scope?: string;
}

export interface DeleteOptOutQuery {
  /**
   * `+15551234567`.
   * @maxLength 256
   */
  readonly number: string;
  readonly scopeType: ScopeType;
  /**
   * The sender's number, or the campaign's id.
   * @maxLength 64
   */
  readonly scope: string;
}

export interface ListCallsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: CallStatus;
  readonly direction?: CallDirection;
  /** @maxLength 512 */
  readonly from?: string;
  /** @maxLength 512 */
  readonly to?: string;
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

export interface GetRecordingQuery {
  /**
   * Of a signed link.
   * @maxLength 16
   */
  readonly expires?: string;
  /**
   * Of a signed link.
   * @maxLength 64
   */
  readonly signature?: string;
}

export interface ListConferencesQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: ConferenceStatus;
  /** @maxLength 128 */
  readonly name?: string;
}

export interface ListWebhooksQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface ListDeliveriesQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly type?: EventType;
  readonly status?: DeliveryStatus;
  /** @maxLength 64 */
  readonly subscriptionSid?: string;
  /** @maxLength 64 */
  readonly resourceSid?: string;
  /** ISO 8601. */
  readonly createdOnFrom?: string;
  /** ISO 8601. */
  readonly createdOnTo?: string;
}

export interface ListEventsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly type?: EventType;
  /** The `id` of an event: the list goes on from there, the oldest first, whatever the direction. */
  readonly after?: string;
}

export interface StreamEventsQuery {
  readonly lastEventId?: string;
  /** What to show besides events: `requests`, `protocol`, or both with a comma. */
  readonly include?: string;
}

export interface ListRequestsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /**
   * `X-Request-Id` of the answer.
   * @maxLength 128
   */
  readonly requestId?: string;
  /**
   * `traceId` of the refusal.
   * @maxLength 64
   */
  readonly traceId?: string;
  /**
   * @minimum 400
   * @maximum 599
   */
  readonly status?: number;
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

export interface SearchAccountQuery {
  /** @maxLength 200 */
  readonly query: string;
  /** Of texts; 30 days ago by default. */
  readonly createdOnFrom?: string;
  /** Of texts. */
  readonly createdOnTo?: string;
  /**
   * Of texts.
   * @default 20
   * @minimum 1
   * @maximum 100
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before: then only texts are searched.
   * @maxLength 512
   */
  readonly searchId?: string;
}

export interface GetTrafficQuery {
  /**
   * How many; 60 by default.
   * @minimum 1
   * @maximum 1440
   */
  readonly minutes?: number;
}

export interface GetStatisticsQuery {
  readonly kind: "Messages" | "Calls" | "Deliveries";
  readonly from?: string;
  readonly to?: string;
  /** @default "Hour" */
  readonly step?: "Hour" | "Day";
}

export interface ListAccountsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface ListFeatureRequestsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: FeatureRequestStatus;
}

export interface ListAuditLogQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /** @maxLength 64 */
  readonly operator?: string;
  /** @maxLength 256 */
  readonly subject?: string;
}

export interface ListChangesOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /** @maxLength 64 */
  readonly operation?: string;
  /** @maxLength 64 */
  readonly resource?: string;
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

export interface ListLookupOverridesQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface ListInventoryQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface ListPhonesOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: PhoneStatus;
  readonly messagingConfigSid?: string;
}

export interface ListAllPortOrdersQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: PortOrderStatus;
  /** @maxLength 64 */
  readonly accountSid?: string;
}

export interface ListPortOrdersOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: PortOrderStatus;
}

export interface ListCampaignsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /** @maxLength 64 */
  readonly accountSid?: string;
  readonly status?: CampaignStatus;
  readonly source?: CampaignSource;
}

export interface ListUnassignedCampaignsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface ListMessagingConfigsOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface ListMessagingConfigPhonesOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface ListMigrationsOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface GetMigrationOfAccountQuery {
  /**
   * Numbers that you think of porting in, separated by commas.
   * @maxLength 3200
   */
  readonly numbers?: string;
}

export interface ListOptOutsOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /**
   * `+15551234567`.
   * @maxLength 256
   */
  readonly number?: string;
  readonly scopeType?: ScopeType;
  /**
   * The sender's number, or the campaign's id.
   * @maxLength 64
   */
  readonly scope?: string;
}

export interface ListOutboundMessagesOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: MessageStatus;
  /** @maxLength 64 */
  readonly from?: string;
  /** @maxLength 64 */
  readonly to?: string;
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
  /**
   * @minimum 0
   * @maximum 2147483647
   */
  readonly errorCode?: number;
}

export interface ListInboundMessagesOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /** @maxLength 64 */
  readonly from?: string;
  /** @maxLength 64 */
  readonly to?: string;
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

export interface ListTroubledRecordingsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export interface ListCallsOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: CallStatus;
  readonly direction?: CallDirection;
  /** @maxLength 512 */
  readonly from?: string;
  /** @maxLength 512 */
  readonly to?: string;
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

export interface ListConferencesOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly status?: ConferenceStatus;
  /** @maxLength 128 */
  readonly name?: string;
}

export interface ListAllWebhooksQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /** @maxLength 64 */
  readonly accountSid?: string;
  readonly enabled?: boolean;
}

export interface ListAllEventsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly type?: EventType;
}

export interface StreamAllEventsQuery {
  readonly lastEventId?: string;
  /** What to show besides events: `requests`, `protocol`, or both with a comma. */
  readonly include?: string;
}

export interface ListDeliveriesOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly type?: EventType;
  readonly status?: DeliveryStatus;
  /** @maxLength 64 */
  readonly subscriptionSid?: string;
  /** @maxLength 64 */
  readonly resourceSid?: string;
  /** ISO 8601. */
  readonly createdOnFrom?: string;
  /** ISO 8601. */
  readonly createdOnTo?: string;
}

export interface ListEventsOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  readonly type?: EventType;
  /** The `id` of an event: the list goes on from there, the oldest first, whatever the direction. */
  readonly after?: string;
}

export interface ListAllRequestsQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /**
   * `X-Request-Id` of the answer.
   * @maxLength 128
   */
  readonly requestId?: string;
  /**
   * `traceId` of the refusal.
   * @maxLength 64
   */
  readonly traceId?: string;
  /**
   * @minimum 400
   * @maximum 599
   */
  readonly status?: number;
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

export interface SearchQuery {
  /** @maxLength 200 */
  readonly query: string;
}

export interface FindPhoneQuery {
  /** @maxLength 64 */
  readonly number: string;
}

export interface ListRequestsOfAccountQuery {
  /**
   * @default 50
   * @minimum 1
   * @maximum 1000
   */
  readonly pageSize?: number;
  /**
   * The `searchId` of the page before.
   * @maxLength 512
   */
  readonly searchId?: string;
  /** @default "Descending" */
  readonly orderByDirection?: "Ascending" | "Descending";
  /**
   * `X-Request-Id` of the answer.
   * @maxLength 128
   */
  readonly requestId?: string;
  /**
   * `traceId` of the refusal.
   * @maxLength 64
   */
  readonly traceId?: string;
  /**
   * @minimum 400
   * @maximum 599
   */
  readonly status?: number;
  readonly createdOnFrom?: string;
  readonly createdOnTo?: string;
}

export interface GetTrafficOfAccountQuery {
  /**
   * How many; 60 by default.
   * @minimum 1
   * @maximum 1440
   */
  readonly minutes?: number;
}

export interface GetStatisticsOfAccountQuery {
  readonly kind: "Messages" | "Calls" | "Deliveries";
  readonly from?: string;
  readonly to?: string;
  /** @default "Hour" */
  readonly step?: "Hour" | "Day";
}

/** Every operation by its method and path. */
export interface Operations {
  /** Lookup a number */
  readonly "GET /carrierLookup/v1/Numbers/{Number}": {
    readonly params: { readonly Number: string };
    readonly answer: NumberInformation;
  };
  /** Lookup a number, with all that is known of it */
  readonly "GET /carrierLookup/v1/Numbers/{Number}/details": {
    readonly params: { readonly Number: string };
    readonly answer: NumberDetails;
  };
  /** Lookup many numbers */
  readonly "POST /carrierLookup/v1/Numbers": {
    readonly body: LookupBatch;
    readonly answer: LookupBatchAnswer;
  };
  /** Send a message */
  readonly "POST /messaging/v1/OutboundMessages": {
    readonly body: MessageOrder;
    readonly answer: OutboundMessage;
  };
  /** List sent messages */
  readonly "GET /messaging/v1/OutboundMessages": {
    readonly query?: ListOutboundMessagesQuery;
    readonly answer: OutboundMessageList;
  };
  /** What would become of a message */
  readonly "POST /messaging/v1/OutboundMessages/dryRun": {
    readonly body: MessageOrder;
    readonly answer: MessageDryRun;
  };
  /** A sent message */
  readonly "GET /messaging/v1/OutboundMessages/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: OutboundMessage;
  };
  /** Cancel a message that has not left yet */
  readonly "POST /messaging/v1/OutboundMessages/{sid}/cancel": {
    readonly params: { readonly sid: string };
    readonly answer: OutboundMessage;
  };
  /** Why a message did or did not arrive */
  readonly "GET /messaging/v1/OutboundMessages/{sid}/why": {
    readonly params: { readonly sid: string };
    readonly answer: MessageTrail;
  };
  /** List received messages */
  readonly "GET /messaging/v1/InboundMessages": {
    readonly query?: ListInboundMessagesQuery;
    readonly answer: InboundMessageList;
  };
  /** A received message */
  readonly "GET /messaging/v1/InboundMessages/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: InboundMessage;
  };
  /** Your account */
  readonly "GET /v1/Account": {
    readonly answer: OwnAccount;
  };
  /** Make a second token */
  readonly "POST /v1/Account/tokens": {
    readonly body?: TokenOrder;
    readonly answer: NewToken;
  };
  /** Let a token sign */
  readonly "POST /v1/Account/tokens/{n}/promote": {
    readonly params: { readonly n: string };
    readonly answer: undefined;
  };
  /** Delete a token */
  readonly "DELETE /v1/Account/tokens/{n}": {
    readonly params: { readonly n: string };
    readonly answer: undefined;
  };
  /** Make a new secret for callbacks */
  readonly "POST /v1/Account/webhookSecret": {
    readonly answer: AccountWebhookSecret;
  };
  /** Ask for a feature */
  readonly "POST /v1/Account/featureRequests": {
    readonly body: FeatureRequestOrder;
    readonly answer: FeatureRequest;
  };
  /** Who changed what */
  readonly "GET /v1/Changes": {
    readonly query?: ListChangesQuery;
    readonly answer: ChangeEntryList;
  };
  /** Sign in by a page */
  readonly "POST /v1/Session": {
    readonly body: SessionOrder;
    readonly answer: Session;
  };
  /** Who has signed in */
  readonly "GET /v1/Session": {
    readonly answer: Session | null;
  };
  /** Sign out */
  readonly "DELETE /v1/Session": {
    readonly query?: EndSessionQuery;
    readonly answer: undefined;
  };
  /** Views that people have named */
  readonly "GET /v1/Session/Views": {
    readonly answer: SavedViewList;
  };
  /** Save a view */
  readonly "POST /v1/Session/Views": {
    readonly body: SavedViewOrder;
    readonly answer: SavedView;
  };
  /** Rename a view */
  readonly "PATCH /v1/Session/Views/{sid}": {
    readonly params: { readonly sid: string };
    readonly body: SavedViewName;
    readonly answer: SavedView;
  };
  /** Delete a view */
  readonly "DELETE /v1/Session/Views/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: undefined;
  };
  /** Make a link for support */
  readonly "POST /v1/Account/supportLinks": {
    readonly body: SupportLinkOrder;
    readonly answer: SupportLink;
  };
  /** List your numbers */
  readonly "GET /v1/Phones": {
    readonly query?: ListPhonesQuery;
    readonly answer: PhoneList;
  };
  /** Take a number */
  readonly "POST /v1/Phones": {
    readonly body: PhoneOrder;
    readonly answer: Phone;
  };
  /** Numbers that can be had */
  readonly "GET /v1/Phones/Available": {
    readonly query?: ListAvailablePhonesQuery;
    readonly answer: AvailablePhoneList;
  };
  /** A number */
  readonly "GET /v1/Phones/{phone}": {
    readonly params: { readonly phone: string };
    readonly answer: Phone;
  };
  /** Change a number */
  readonly "PATCH /v1/Phones/{phone}": {
    readonly params: { readonly phone: string };
    readonly body: PhoneChange;
    readonly answer: Phone;
  };
  /** Give a number back */
  readonly "DELETE /v1/Phones/{phone}": {
    readonly params: { readonly phone: string };
    readonly answer: undefined;
  };
  /** Where a number's calls go */
  readonly "GET /v1/Phones/{phone}/voice": {
    readonly params: { readonly phone: string };
    readonly answer: VoiceSettings;
  };
  /** Say where a number's calls go */
  readonly "PUT /v1/Phones/{phone}/voice": {
    readonly params: { readonly phone: string };
    readonly body: VoiceSettingsOrder;
    readonly answer: VoiceSettings;
  };
  /** Change where a number's calls go */
  readonly "PATCH /v1/Phones/{phone}/voice": {
    readonly params: { readonly phone: string };
    readonly body: VoiceSettingsChange;
    readonly answer: VoiceSettings;
  };
  /** Port numbers in */
  readonly "POST /v1/Phones/port-in": {
    readonly form: {
      readonly data: PortInData;
      readonly files: readonly Blob[];
    };
    readonly answer: PortInAnswer;
  };
  /** List your port orders */
  readonly "GET /v1/Phones/port-in": {
    readonly query?: ListPortOrdersQuery;
    readonly answer: PortOrderList;
  };
  /** A port order */
  readonly "GET /v1/Phones/port-in/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: PortOrder;
  };
  /** Answer an exception of a port order */
  readonly "PATCH /v1/Phones/port-in/{sid}": {
    readonly params: { readonly sid: string };
    readonly body?: PortAnswerData;
    readonly form?: {
      readonly data?: PortAnswerData;
      readonly files?: readonly Blob[];
    };
    readonly answer: PortOrder;
  };
  /** Cancel a port order */
  readonly "POST /v1/Phones/port-in/{sid}/cancel": {
    readonly params: { readonly sid: string };
    readonly answer: PortOrder;
  };
  /** Can a number be ported in? */
  readonly "GET /v1/Phones/port-in/check": {
    readonly query: CheckPortabilityQuery;
    readonly answer: Portability;
  };
  /** A letter of authorization, filled in */
  readonly "POST /v1/Phones/port-in/loa": {
    readonly body: PortLetterData;
    readonly answer: Uint8Array;
  };
  /** A letter of authorization for a port order */
  readonly "GET /v1/Phones/port-in/{sid}/loa": {
    readonly params: { readonly sid: string };
    readonly answer: Uint8Array;
  };
  /** Make a MessagingConfig */
  readonly "POST /v1/MessagingConfigs": {
    readonly body: MessagingConfigOrder;
    readonly answer: MessagingConfig;
  };
  /** List MessagingConfigs */
  readonly "GET /v1/MessagingConfigs": {
    readonly query?: ListMessagingConfigsQuery;
    readonly answer: MessagingConfigList;
  };
  /** A MessagingConfig */
  readonly "GET /v1/MessagingConfigs/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: MessagingConfig;
  };
  /** Replace a MessagingConfig */
  readonly "PUT /v1/MessagingConfigs/{sid}": {
    readonly params: { readonly sid: string };
    readonly body: MessagingConfigReplacement;
    readonly answer: MessagingConfig;
  };
  /** Change a MessagingConfig */
  readonly "PATCH /v1/MessagingConfigs/{sid}": {
    readonly params: { readonly sid: string };
    readonly body: MessagingConfigChange;
    readonly answer: MessagingConfig;
  };
  /** Delete a MessagingConfig */
  readonly "DELETE /v1/MessagingConfigs/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: undefined;
  };
  /** The numbers of a MessagingConfig */
  readonly "GET /v1/MessagingConfigs/{sid}/phones": {
    readonly params: { readonly sid: string };
    readonly query?: ListMessagingConfigPhonesQuery;
    readonly answer: MessagingConfigPhoneList;
  };
  /** Add numbers to a MessagingConfig */
  readonly "PATCH /v1/MessagingConfigs/{sid}/addPhones": {
    readonly params: { readonly sid: string };
    readonly body: PhonesToAdd;
    readonly answer: PhonesAssigned;
  };
  /** Take numbers out of a MessagingConfig */
  readonly "PATCH /v1/MessagingConfigs/{sid}/deletePhones": {
    readonly params: { readonly sid: string };
    readonly body: PhonesToDelete;
    readonly answer: PhonesAssigned;
  };
  /** List campaigns */
  readonly "GET /v1/TcrCampaigns": {
    readonly query?: ListTcrCampaignsQuery;
    readonly answer: TcrCampaignList;
  };
  /** A campaign */
  readonly "GET /v1/TcrCampaigns/{tcrCampaignId}": {
    readonly params: { readonly tcrCampaignId: string };
    readonly answer: TcrCampaign;
  };
  /** Link a campaign to a MessagingConfig */
  readonly "PATCH /v1/TcrCampaigns/{tcrCampaignId}": {
    readonly params: { readonly tcrCampaignId: string };
    readonly body: TcrCampaignChange;
    readonly answer: TcrCampaign;
  };
  /** List migrations of campaigns */
  readonly "GET /v1/Migrations": {
    readonly query?: ListMigrationsQuery;
    readonly answer: MigrationList;
  };
  /** The migration of a campaign, with everything that is known of it */
  readonly "GET /v1/Migrations/{tcrCampaignId}": {
    readonly params: { readonly tcrCampaignId: string };
    readonly query?: GetMigrationQuery;
    readonly answer: Migration;
  };
  /** List opt-outs */
  readonly "GET /v1/OptOuts": {
    readonly query?: ListOptOutsQuery;
    readonly answer: OptOutList;
  };
  /** Opt a number out */
  readonly "POST /v1/OptOuts": {
    readonly body: OptOutOrder;
    readonly answer: OptOut;
  };
  /** Opt a number in again */
  readonly "DELETE /v1/OptOuts": {
    readonly query: DeleteOptOutQuery;
    readonly answer: undefined;
  };
  /** Place a call */
  readonly "POST /v1/Voice/Calls": {
    readonly body: CallOrder;
    readonly answer: Call;
  };
  /** List calls */
  readonly "GET /v1/Voice/Calls": {
    readonly query?: ListCallsQuery;
    readonly answer: CallList;
  };
  /** A call */
  readonly "GET /v1/Voice/Calls/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: Call;
  };
  /** Delete a call with everything that belongs to it */
  readonly "DELETE /v1/Voice/Calls/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: undefined;
  };
  /** Hang up a call */
  readonly "POST /v1/Voice/Calls/{sid}/hangup": {
    readonly params: { readonly sid: string };
    readonly answer: Call;
  };
  /** Make a call go on with another program */
  readonly "POST /v1/Voice/Calls/{sid}/redirect": {
    readonly params: { readonly sid: string };
    readonly body: CallRedirection;
    readonly answer: Call;
  };
  /** Pause or resume the recording of a call */
  readonly "POST /v1/Voice/Calls/{sid}/recording-control": {
    readonly params: { readonly sid: string };
    readonly body: RecordingControl;
    readonly answer: CallRecording;
  };
  /** Why a call went as it did */
  readonly "GET /v1/Voice/Calls/{sid}/why": {
    readonly params: { readonly sid: string };
    readonly answer: CallTrail;
  };
  /** The SIP messages of a call */
  readonly "GET /v1/Voice/Calls/{sid}/sip": {
    readonly params: { readonly sid: string };
    readonly answer: SipMessageList;
  };
  /** The SIP messages of a call as packets */
  readonly "GET /v1/Voice/Calls/{sid}/sip.pcap": {
    readonly params: { readonly sid: string };
    readonly answer: Uint8Array;
  };
  /** The audio of a recording */
  readonly "GET /v1/Voice/Calls/{sid}/recordings/{index}": {
    readonly params: { readonly sid: string; readonly index: string };
    readonly query?: GetRecordingQuery;
    readonly answer: Uint8Array;
  };
  /** List conferences */
  readonly "GET /v1/Voice/Conferences": {
    readonly query?: ListConferencesQuery;
    readonly answer: ConferenceList;
  };
  /** A conference with its participants */
  readonly "GET /v1/Voice/Conferences/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: Conference;
  };
  /** End a conference */
  readonly "POST /v1/Voice/Conferences/{sid}/end": {
    readonly params: { readonly sid: string };
    readonly answer: Conference;
  };
  /** Mute a participant, or put it on hold */
  readonly "PATCH /v1/Voice/Conferences/{sid}/participants/{callSid}": {
    readonly params: { readonly sid: string; readonly callSid: string };
    readonly body: ParticipantChange;
    readonly answer: ConferenceParticipant;
  };
  /** Remove a participant */
  readonly "DELETE /v1/Voice/Conferences/{sid}/participants/{callSid}": {
    readonly params: { readonly sid: string; readonly callSid: string };
    readonly answer: undefined;
  };
  /** Subscribe to event types */
  readonly "POST /v1/Webhooks": {
    readonly body: WebhookOrder;
    readonly answer: WebhookSubscriptionWithSecret;
  };
  /** List subscriptions */
  readonly "GET /v1/Webhooks": {
    readonly query?: ListWebhooksQuery;
    readonly answer: WebhookList;
  };
  /** Event types, each with a sample of its fields */
  readonly "GET /v1/Webhooks/types": {
    readonly answer: WebhookTypeList;
  };
  /** A subscription */
  readonly "GET /v1/Webhooks/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: WebhookSubscription;
  };
  /** Change a subscription */
  readonly "PATCH /v1/Webhooks/{sid}": {
    readonly params: { readonly sid: string };
    readonly body: WebhookChange;
    readonly answer: WebhookSubscription;
  };
  /** Delete a subscription */
  readonly "DELETE /v1/Webhooks/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: undefined;
  };
  /** Make a new signing secret */
  readonly "POST /v1/Webhooks/{sid}/rotateSecret": {
    readonly params: { readonly sid: string };
    readonly answer: WebhookSubscriptionWithSecret;
  };
  /** Send a sample event to a subscription */
  readonly "POST /v1/Webhooks/{sid}/test": {
    readonly params: { readonly sid: string };
    readonly answer: WebhookDelivery;
  };
  /** List deliveries with every attempt */
  readonly "GET /v1/Webhooks/deliveries": {
    readonly query?: ListDeliveriesQuery;
    readonly answer: DeliveryList;
  };
  /** A delivery with its body and every attempt */
  readonly "GET /v1/Webhooks/deliveries/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: DeliveryWithBody;
  };
  /** Deliver once more */
  readonly "POST /v1/Webhooks/deliveries/{sid}/replay": {
    readonly params: { readonly sid: string };
    readonly body?: ReplayOneOrder;
    readonly answer: WebhookDelivery;
  };
  /** Deliver many once more */
  readonly "POST /v1/Webhooks/deliveries/replay": {
    readonly body: ReplayOrder;
    readonly answer: ReplayAnswer;
  };
  /** List events */
  readonly "GET /v1/Events": {
    readonly query?: ListEventsQuery;
    readonly answer: EventList;
  };
  /** Events as they happen */
  readonly "GET /v1/Events/stream": {
    readonly query?: StreamEventsQuery;
    readonly answer: string;
  };
  /** List refused requests */
  readonly "GET /v1/Requests": {
    readonly query?: ListRequestsQuery;
    readonly answer: RefusedRequestList;
  };
  /** What became of a request */
  readonly "GET /v1/Requests/{requestId}": {
    readonly params: { readonly requestId: string };
    readonly answer: RequestOutcome;
  };
  /** Find a number, an id, a name or words of texts */
  readonly "GET /v1/Search": {
    readonly query: SearchAccountQuery;
    readonly answer: AccountSearchResult;
  };
  /** What needs your attention */
  readonly "GET /v1/Attention": {
    readonly answer: Attention;
  };
  /** Messages and calls by the minute */
  readonly "GET /v1/Traffic": {
    readonly query?: GetTrafficQuery;
    readonly answer: Traffic;
  };
  /** How many ended how */
  readonly "GET /v1/Statistics": {
    readonly query: GetStatisticsQuery;
    readonly answer: StatisticsReport;
  };
  /** A subscriber sends a message to your numbers */
  readonly "POST /testkit/v1/Emulate/inbound-message": {
    readonly body: EmulatedInboundMessage;
    readonly answer: Emulated;
  };
  /** The carrier tells what became of a message */
  readonly "POST /testkit/v1/Emulate/outbound-message-status": {
    readonly body: EmulatedMessageStatus;
    readonly answer: Emulated;
  };
  /** Somebody calls your number */
  readonly "POST /testkit/v1/Emulate/inbound-call": {
    readonly body: EmulatedInboundCall;
    readonly answer: Emulated;
  };
  /** The owner of a campaign migrates it to us */
  readonly "POST /testkit/v1/Emulate/campaign-migration": {
    readonly body: EmulatedCampaignMigration;
    readonly answer: Emulated;
  };
  /** The losing carrier makes up its mind about a port order */
  readonly "POST /testkit/v1/Emulate/port": {
    readonly body: EmulatedPort;
    readonly answer: Emulated;
  };
  /** List accounts */
  readonly "GET /operator/v1/Accounts": {
    readonly query?: ListAccountsQuery;
    readonly answer: AccountList;
  };
  /** Make an account */
  readonly "POST /operator/v1/Accounts": {
    readonly body: AccountOrder;
    readonly answer: NewAccount;
  };
  /** An account */
  readonly "GET /operator/v1/Accounts/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: Account;
  };
  /** Change, suspend or resume an account */
  readonly "PATCH /operator/v1/Accounts/{sid}": {
    readonly params: { readonly sid: string };
    readonly body: AccountChange;
    readonly answer: Account;
  };
  /** Make a second token for an account */
  readonly "POST /operator/v1/Accounts/{sid}/tokens": {
    readonly params: { readonly sid: string };
    readonly body?: TokenOrder;
    readonly answer: NewToken;
  };
  /** Let an account's token sign */
  readonly "POST /operator/v1/Accounts/{sid}/tokens/{n}/promote": {
    readonly params: { readonly sid: string; readonly n: string };
    readonly answer: undefined;
  };
  /** Delete an account's token */
  readonly "DELETE /operator/v1/Accounts/{sid}/tokens/{n}": {
    readonly params: { readonly sid: string; readonly n: string };
    readonly answer: undefined;
  };
  /** List feature requests */
  readonly "GET /operator/v1/FeatureRequests": {
    readonly query?: ListFeatureRequestsQuery;
    readonly answer: FeatureRequestList;
  };
  /** Grant or decline a feature request */
  readonly "PATCH /operator/v1/FeatureRequests/{sid}": {
    readonly params: { readonly sid: string };
    readonly body: FeatureDecision;
    readonly answer: FeatureRequest;
  };
  /** List operator tokens */
  readonly "GET /operator/v1/Tokens": {
    readonly answer: OperatorTokenList;
  };
  /** Make an operator token */
  readonly "POST /operator/v1/Tokens": {
    readonly body: OperatorTokenOrder;
    readonly answer: NewOperatorToken;
  };
  /** Delete an operator token */
  readonly "DELETE /operator/v1/Tokens/{name}": {
    readonly params: { readonly name: string };
    readonly answer: undefined;
  };
  /** What operators did */
  readonly "GET /operator/v1/AuditLog": {
    readonly query?: ListAuditLogQuery;
    readonly answer: AuditList;
  };
  /** What a link for support names */
  readonly "GET /operator/v1/SupportLinks/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: OpenedSupportLink;
  };
  /** As an account sees it: who changed what */
  readonly "GET /operator/v1/Accounts/{accountSid}/Changes": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListChangesOfAccountQuery;
    readonly answer: ChangeEntryList;
  };
  /** List lookup overrides */
  readonly "GET /operator/v1/LookupOverrides": {
    readonly query?: ListLookupOverridesQuery;
    readonly answer: LookupOverrideList;
  };
  /** A number's lookup override */
  readonly "GET /operator/v1/LookupOverrides/{number}": {
    readonly params: { readonly number: string };
    readonly answer: LookupOverride;
  };
  /** Say what lookups of a number answer */
  readonly "PUT /operator/v1/LookupOverrides/{number}": {
    readonly params: { readonly number: string };
    readonly body: LookupOverrideOrder;
    readonly answer: LookupOverride;
  };
  /** Take a lookup override away */
  readonly "DELETE /operator/v1/LookupOverrides/{number}": {
    readonly params: { readonly number: string };
    readonly answer: undefined;
  };
  /** List the number inventory */
  readonly "GET /operator/v1/Numbers": {
    readonly query?: ListInventoryQuery;
    readonly answer: InventoryList;
  };
  /** Add numbers to the inventory */
  readonly "POST /operator/v1/Numbers": {
    readonly body: InventoryOrder;
    readonly answer: InventoryAdded;
  };
  /** Give a number of the inventory to an account */
  readonly "POST /operator/v1/Numbers/{number}/assign": {
    readonly params: { readonly number: string };
    readonly body: NumberAssignment;
    readonly answer: Phone;
  };
  /** Take a number out of the inventory */
  readonly "DELETE /operator/v1/Numbers/{number}": {
    readonly params: { readonly number: string };
    readonly answer: undefined;
  };
  /** As an account sees it: list your numbers */
  readonly "GET /operator/v1/Accounts/{accountSid}/Phones": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListPhonesOfAccountQuery;
    readonly answer: PhoneList;
  };
  /** As an account sees it: a number */
  readonly "GET /operator/v1/Accounts/{accountSid}/Phones/{phone}": {
    readonly params: { readonly accountSid: string; readonly phone: string };
    readonly answer: Phone;
  };
  /** As an account sees it: where a number's calls go */
  readonly "GET /operator/v1/Accounts/{accountSid}/Phones/{phone}/voice": {
    readonly params: { readonly accountSid: string; readonly phone: string };
    readonly answer: VoiceSettings;
  };
  /** List port orders */
  readonly "GET /operator/v1/PortOrders": {
    readonly query?: ListAllPortOrdersQuery;
    readonly answer: OwnedPortOrderList;
  };
  /** A port order */
  readonly "GET /operator/v1/PortOrders/{sid}": {
    readonly params: { readonly sid: string };
    readonly answer: OwnedPortOrder;
  };
  /** A document of a port order */
  readonly "GET /operator/v1/PortOrders/{sid}/documents/{place}": {
    readonly params: { readonly sid: string; readonly place: string };
    readonly answer: Uint8Array;
  };
  /** Reveal the PINs of a port order */
  readonly "POST /operator/v1/PortOrders/{sid}/revealPins": {
    readonly params: { readonly sid: string };
    readonly answer: PortPins;
  };
  /** Confirm the date of a port */
  readonly "POST /operator/v1/PortOrders/{sid}/foc": {
    readonly params: { readonly sid: string };
    readonly body: PortDate;
    readonly answer: OwnedPortOrder;
  };
  /** Say that numbers have moved */
  readonly "POST /operator/v1/PortOrders/{sid}/complete": {
    readonly params: { readonly sid: string };
    readonly body: PortCompletion;
    readonly answer: OwnedPortOrder;
  };
  /** Say that numbers will not come */
  readonly "POST /operator/v1/PortOrders/{sid}/reject": {
    readonly params: { readonly sid: string };
    readonly body: PortRejection;
    readonly answer: OwnedPortOrder;
  };
  /** Ask the account to put something right */
  readonly "POST /operator/v1/PortOrders/{sid}/exception": {
    readonly params: { readonly sid: string };
    readonly body: PortException;
    readonly answer: OwnedPortOrder;
  };
  /** As an account sees it: list your port orders */
  readonly "GET /operator/v1/Accounts/{accountSid}/Phones/port-in": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListPortOrdersOfAccountQuery;
    readonly answer: PortOrderList;
  };
  /** As an account sees it: a port order */
  readonly "GET /operator/v1/Accounts/{accountSid}/Phones/port-in/{sid}": {
    readonly params: { readonly accountSid: string; readonly sid: string };
    readonly answer: PortOrder;
  };
  /** List the campaigns of all accounts */
  readonly "GET /operator/v1/Campaigns": {
    readonly query?: ListCampaignsQuery;
    readonly answer: OwnedTcrCampaignList;
  };
  /** Enter a campaign by hand */
  readonly "POST /operator/v1/Campaigns": {
    readonly body: CampaignOrder;
    readonly answer: OwnedTcrCampaign;
  };
  /** A campaign of any account */
  readonly "GET /operator/v1/Campaigns/{tcrCampaignId}": {
    readonly params: { readonly tcrCampaignId: string };
    readonly answer: OwnedTcrCampaign;
  };
  /** Suspend, expire, reactivate or move a campaign */
  readonly "PATCH /operator/v1/Campaigns/{tcrCampaignId}": {
    readonly params: { readonly tcrCampaignId: string };
    readonly body: CampaignChange;
    readonly answer: OwnedTcrCampaign;
  };
  /** Campaigns that wait for somebody to say whose they are */
  readonly "GET /operator/v1/Campaigns/unassigned": {
    readonly query?: ListUnassignedCampaignsQuery;
    readonly answer: UnassignedCampaignList;
  };
  /** Say whose a campaign is */
  readonly "POST /operator/v1/Campaigns/{tcrCampaignId}/assign": {
    readonly params: { readonly tcrCampaignId: string };
    readonly body: CampaignAssignment;
    readonly answer: AssignedCampaign;
  };
  /** As an account sees it: list MessagingConfigs */
  readonly "GET /operator/v1/Accounts/{accountSid}/MessagingConfigs": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListMessagingConfigsOfAccountQuery;
    readonly answer: MessagingConfigList;
  };
  /** As an account sees it: a MessagingConfig */
  readonly "GET /operator/v1/Accounts/{accountSid}/MessagingConfigs/{sid}": {
    readonly params: { readonly accountSid: string; readonly sid: string };
    readonly answer: MessagingConfig;
  };
  /** As an account sees it: the numbers of a MessagingConfig */
  readonly "GET /operator/v1/Accounts/{accountSid}/MessagingConfigs/{sid}/phones": {
    readonly params: { readonly accountSid: string; readonly sid: string };
    readonly query?: ListMessagingConfigPhonesOfAccountQuery;
    readonly answer: MessagingConfigPhoneList;
  };
  /** As an account sees it: list migrations of campaigns */
  readonly "GET /operator/v1/Accounts/{accountSid}/Migrations": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListMigrationsOfAccountQuery;
    readonly answer: MigrationList;
  };
  /** As an account sees it: the migration of a campaign, with everything that is known of it */
  readonly "GET /operator/v1/Accounts/{accountSid}/Migrations/{tcrCampaignId}": {
    readonly params: { readonly accountSid: string; readonly tcrCampaignId: string };
    readonly query?: GetMigrationOfAccountQuery;
    readonly answer: Migration;
  };
  /** Links to carriers and how they fare */
  readonly "GET /operator/v1/Links": {
    readonly answer: CarrierLinkList;
  };
  /** Stop a link */
  readonly "POST /operator/v1/Links/{name}/stop": {
    readonly params: { readonly name: string };
    readonly answer: CarrierLinkSwitch;
  };
  /** Start a link that was stopped */
  readonly "POST /operator/v1/Links/{name}/start": {
    readonly params: { readonly name: string };
    readonly answer: CarrierLinkSwitch;
  };
  /** As an account sees it: list opt-outs */
  readonly "GET /operator/v1/Accounts/{accountSid}/OptOuts": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListOptOutsOfAccountQuery;
    readonly answer: OptOutList;
  };
  /** As an account sees it: list sent messages */
  readonly "GET /operator/v1/Accounts/{accountSid}/OutboundMessages": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListOutboundMessagesOfAccountQuery;
    readonly answer: OutboundMessageList;
  };
  /** As an account sees it: a sent message */
  readonly "GET /operator/v1/Accounts/{accountSid}/OutboundMessages/{sid}": {
    readonly params: { readonly accountSid: string; readonly sid: string };
    readonly answer: OutboundMessage;
  };
  /** As an account sees it: why a message did or did not arrive */
  readonly "GET /operator/v1/Accounts/{accountSid}/OutboundMessages/{sid}/why": {
    readonly params: { readonly accountSid: string; readonly sid: string };
    readonly answer: MessageTrail;
  };
  /** As an account sees it: list received messages */
  readonly "GET /operator/v1/Accounts/{accountSid}/InboundMessages": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListInboundMessagesOfAccountQuery;
    readonly answer: InboundMessageList;
  };
  /** As an account sees it: a received message */
  readonly "GET /operator/v1/Accounts/{accountSid}/InboundMessages/{sid}": {
    readonly params: { readonly accountSid: string; readonly sid: string };
    readonly answer: InboundMessage;
  };
  /** SIP trunks and how they fare */
  readonly "GET /operator/v1/Trunks": {
    readonly answer: TrunkList;
  };
  /** Stop a trunk */
  readonly "POST /operator/v1/Trunks/{name}/stop": {
    readonly params: { readonly name: string };
    readonly answer: TrunkSwitch;
  };
  /** Start a trunk that was stopped */
  readonly "POST /operator/v1/Trunks/{name}/start": {
    readonly params: { readonly name: string };
    readonly answer: TrunkSwitch;
  };
  /** Recordings with which something went wrong */
  readonly "GET /operator/v1/Recordings": {
    readonly query?: ListTroubledRecordingsQuery;
    readonly answer: TroubledRecordingList;
  };
  /** Make the files of a failed recording after all */
  readonly "POST /operator/v1/Recordings/{sid}/retry": {
    readonly params: { readonly sid: string };
    readonly answer: undefined;
  };
  /** As an account sees it: list calls */
  readonly "GET /operator/v1/Accounts/{accountSid}/Voice/Calls": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListCallsOfAccountQuery;
    readonly answer: CallList;
  };
  /** As an account sees it: a call */
  readonly "GET /operator/v1/Accounts/{accountSid}/Voice/Calls/{sid}": {
    readonly params: { readonly accountSid: string; readonly sid: string };
    readonly answer: Call;
  };
  /** As an account sees it: why a call went as it did */
  readonly "GET /operator/v1/Accounts/{accountSid}/Voice/Calls/{sid}/why": {
    readonly params: { readonly accountSid: string; readonly sid: string };
    readonly answer: CallTrail;
  };
  /** As an account sees it: the SIP messages of a call */
  readonly "GET /operator/v1/Accounts/{accountSid}/Voice/Calls/{sid}/sip": {
    readonly params: { readonly accountSid: string; readonly sid: string };
    readonly answer: SipMessageList;
  };
  /** As an account sees it: list conferences */
  readonly "GET /operator/v1/Accounts/{accountSid}/Voice/Conferences": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListConferencesOfAccountQuery;
    readonly answer: ConferenceList;
  };
  /** As an account sees it: a conference with its participants */
  readonly "GET /operator/v1/Accounts/{accountSid}/Voice/Conferences/{sid}": {
    readonly params: { readonly accountSid: string; readonly sid: string };
    readonly answer: Conference;
  };
  /** Routes, and what each link and trunk takes of them */
  readonly "GET /operator/v1/Routes": {
    readonly answer: RouteList;
  };
  /** List subscriptions of all accounts */
  readonly "GET /operator/v1/Webhooks": {
    readonly query?: ListAllWebhooksQuery;
    readonly answer: OwnedWebhookList;
  };
  /** List events of all accounts */
  readonly "GET /operator/v1/Events": {
    readonly query?: ListAllEventsQuery;
    readonly answer: OwnedEventList;
  };
  /** Events of all accounts as they happen */
  readonly "GET /operator/v1/Events/stream": {
    readonly query?: StreamAllEventsQuery;
    readonly answer: string;
  };
  /** As an account sees it: list deliveries with every attempt */
  readonly "GET /operator/v1/Accounts/{accountSid}/Webhooks/deliveries": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListDeliveriesOfAccountQuery;
    readonly answer: DeliveryList;
  };
  /** As an account sees it: a delivery with its body and every attempt */
  readonly "GET /operator/v1/Accounts/{accountSid}/Webhooks/deliveries/{sid}": {
    readonly params: { readonly accountSid: string; readonly sid: string };
    readonly answer: DeliveryWithBody;
  };
  /** As an account sees it: list events */
  readonly "GET /operator/v1/Accounts/{accountSid}/Events": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListEventsOfAccountQuery;
    readonly answer: EventList;
  };
  /** List refused requests of all callers */
  readonly "GET /operator/v1/Requests": {
    readonly query?: ListAllRequestsQuery;
    readonly answer: OwnedRefusedRequestList;
  };
  /** What became of a request of any caller */
  readonly "GET /operator/v1/Requests/{requestId}": {
    readonly params: { readonly requestId: string };
    readonly answer: OwnedRequestOutcome;
  };
  /** Find a number, a sid, a request id or an account's name */
  readonly "GET /operator/v1/Search": {
    readonly query: SearchQuery;
    readonly answer: SearchResult;
  };
  /** Whose a number is */
  readonly "GET /operator/v1/Phones": {
    readonly query: FindPhoneQuery;
    readonly answer: OwnedPhones;
  };
  /** As an account sees it: list refused requests */
  readonly "GET /operator/v1/Accounts/{accountSid}/Requests": {
    readonly params: { readonly accountSid: string };
    readonly query?: ListRequestsOfAccountQuery;
    readonly answer: RefusedRequestList;
  };
  /** As an account sees it: what became of a request */
  readonly "GET /operator/v1/Accounts/{accountSid}/Requests/{requestId}": {
    readonly params: { readonly accountSid: string; readonly requestId: string };
    readonly answer: RequestOutcome;
  };
  /** What needs the operators' attention */
  readonly "GET /operator/v1/Attention": {
    readonly answer: OperatorAttention;
  };
  /** As an account sees it: what needs your attention */
  readonly "GET /operator/v1/Accounts/{accountSid}/Attention": {
    readonly params: { readonly accountSid: string };
    readonly answer: Attention;
  };
  /** As an account sees it: messages and calls by the minute */
  readonly "GET /operator/v1/Accounts/{accountSid}/Traffic": {
    readonly params: { readonly accountSid: string };
    readonly query?: GetTrafficOfAccountQuery;
    readonly answer: Traffic;
  };
  /** As an account sees it: how many ended how */
  readonly "GET /operator/v1/Accounts/{accountSid}/Statistics": {
    readonly params: { readonly accountSid: string };
    readonly query: GetStatisticsOfAccountQuery;
    readonly answer: StatisticsReport;
  };
  /** The processes that serve the database */
  readonly "GET /operator/v1/Nodes": {
    readonly answer: NodeList;
  };
  /** Drain a node */
  readonly "POST /operator/v1/Nodes/{sid}/drain": {
    readonly params: { readonly sid: string };
    readonly answer: Node;
  };
  /** The last run of each reconcile */
  readonly "GET /operator/v1/Reconciles": {
    readonly answer: ReconcileList;
  };
}

/** What each event tells. */
export interface EventFields {
  readonly InboundMessageReceived: {
    readonly Sid: string;
    readonly From: string;
    readonly To: string;
    readonly AdditionalRecipients: readonly string[];
    readonly Text: string;
    readonly MediaUrls: readonly string[];
    readonly SegmentCount: number;
    /** Only when the conversation has one. */
    readonly ConversationMetadata?: string;
  };
  readonly OutboundMessageStatusChanged: {
    readonly Sid: string;
    readonly From: string;
    readonly To: string;
    readonly Status: string;
    readonly PreviousStatus: string | null;
    readonly ErrorCode: number;
    readonly ErrorDescription: string | null;
    readonly SegmentCount: number;
    readonly Carrier: string | null;
  };
  readonly OptOutChanged: {
    readonly Number: string;
    readonly ScopeType: string;
    readonly Scope: string;
    readonly Change: "OptedOut" | "OptedIn";
    readonly Keyword: string | null;
  };
  readonly InboundCallReceivedWebhook: {
    readonly CallSid: string;
    readonly LegSid: string;
    readonly From: string;
    readonly To: string;
  };
  readonly CallStatusChangedWebhook: {
    readonly CallSid: string;
    readonly LegSid: string;
    readonly Leg: "First" | "Second";
    readonly Direction: "Inbound" | "Outbound";
    readonly From: string;
    readonly To: string;
    readonly Status: string;
    readonly DurationSeconds: number | null;
    readonly EndReason: string | null;
  };
  readonly CallRecordingCompleted: {
    readonly CallSid: string;
    readonly RecordingSid: string;
    readonly DurationSeconds: number;
    /** Only for a recording that an instruction of a program has made. */
    readonly Source?: "Record" | "Conference";
    readonly ConferenceSid?: string;
    readonly Segments: readonly {
      readonly Index: number;
      readonly DurationSeconds: number;
      readonly SizeBytes: number;
      readonly Sha256: string;
      readonly Url: string;
    }[];
  };
  readonly CallStreamStatusChanged: {
    readonly CallSid: string;
    readonly StreamSid: string;
    /** Empty when the script names none. */
    readonly StreamName: string;
    readonly Status: "Started" | "Stopped" | "Failed";
    /** What went wrong; only of `Failed`. */
    readonly Error: string | null;
  };
  readonly ConferenceChanged: {
    readonly ConferenceSid: string;
    readonly Name: string;
    readonly Event: string;
    /** The participant, where it is about one. */
    readonly CallSid: string | null;
    readonly Label: string | null;
    readonly Muted: boolean | null;
    readonly Hold: boolean | null;
    readonly StartsOnEnter: boolean | null;
    readonly EndsOnExit: boolean | null;
    /** Why it has ended, or the participant has left. */
    readonly Reason: string | null;
    /** The participant whose leaving has ended it. */
    readonly EndedBy: string | null;
    readonly EndedByLabel: string | null;
  };
  readonly PhoneNumberStatusChanged: {
    readonly Number: string;
    readonly Status: string;
    readonly PreviousStatus: string | null;
    readonly Reason: string | null;
    readonly MessagingConfigSid: string | null;
    readonly PortOrderSid: string | null;
  };
  readonly TcrCampaignImported: {
    readonly TcrCampaignId: string;
    readonly TcrBrandId: string;
    readonly MessagingConfigSid: string | null;
    readonly LinkOutcome: "Linked" | "NoMatch" | "SeveralMatches";
    /** Only when the name of a config contains the id in another case. */
    readonly LinkHint?: string;
  };
  readonly TcrCampaignStatusChanged: {
    readonly TcrCampaignId: string;
    readonly Status: string;
    readonly PreviousStatus: string;
    readonly MessagingConfigSid: string | null;
  };
  readonly PortOrderStatusChanged: {
    readonly PortOrderSid: string;
    readonly Status: string;
    readonly PreviousStatus: string | null;
    readonly Reason: string | null;
    readonly Numbers: readonly string[];
  };
}

/** What a webhook of payload shape A holds; in the event log it is without WebhookSid. */
export interface EventPayloads {
  readonly InboundMessageReceived: EventFields["InboundMessageReceived"] & { readonly WebhookSid: string; readonly EventDate: string };
  readonly OutboundMessageStatusChanged: EventFields["OutboundMessageStatusChanged"] & { readonly WebhookSid: string; readonly EventDate: string; readonly Sequence: number };
  readonly OptOutChanged: EventFields["OptOutChanged"] & { readonly WebhookSid: string; readonly EventDate: string; readonly Sequence: number };
  readonly InboundCallReceivedWebhook: EventFields["InboundCallReceivedWebhook"] & { readonly WebhookSid: string; readonly EventDate: string; readonly Sequence: number };
  readonly CallStatusChangedWebhook: EventFields["CallStatusChangedWebhook"] & { readonly WebhookSid: string; readonly EventDate: string; readonly Sequence: number };
  readonly CallRecordingCompleted: EventFields["CallRecordingCompleted"] & { readonly WebhookSid: string; readonly EventDate: string; readonly Sequence: number };
  readonly CallStreamStatusChanged: EventFields["CallStreamStatusChanged"] & { readonly WebhookSid: string; readonly EventDate: string; readonly Sequence: number };
  readonly ConferenceChanged: EventFields["ConferenceChanged"] & { readonly WebhookSid: string; readonly EventDate: string; readonly Sequence: number };
  readonly PhoneNumberStatusChanged: EventFields["PhoneNumberStatusChanged"] & { readonly WebhookSid: string; readonly EventDate: string; readonly Sequence: number };
  readonly TcrCampaignImported: EventFields["TcrCampaignImported"] & { readonly WebhookSid: string; readonly EventDate: string; readonly Sequence: number };
  readonly TcrCampaignStatusChanged: EventFields["TcrCampaignStatusChanged"] & { readonly WebhookSid: string; readonly EventDate: string; readonly Sequence: number };
  readonly PortOrderStatusChanged: EventFields["PortOrderStatusChanged"] & { readonly WebhookSid: string; readonly EventDate: string; readonly Sequence: number };
}

/** The fields that a webhook of each shape always has. */
export const EVENT_FIELD_NAMES = {
  A: {
    InboundMessageReceived: "WebhookSid Sid From To AdditionalRecipients EventDate Text MediaUrls SegmentCount",
    OutboundMessageStatusChanged: "WebhookSid EventDate Sequence Sid From To Status PreviousStatus ErrorCode ErrorDescription SegmentCount Carrier",
    OptOutChanged: "WebhookSid EventDate Sequence Number ScopeType Scope Change Keyword",
    InboundCallReceivedWebhook: "WebhookSid EventDate Sequence CallSid LegSid From To",
    CallStatusChangedWebhook: "WebhookSid EventDate Sequence CallSid LegSid Leg Direction From To Status DurationSeconds EndReason",
    CallRecordingCompleted: "WebhookSid EventDate Sequence CallSid RecordingSid DurationSeconds Segments",
    CallStreamStatusChanged: "WebhookSid EventDate Sequence CallSid StreamSid StreamName Status Error",
    ConferenceChanged: "WebhookSid EventDate Sequence ConferenceSid Name Event CallSid Label Muted Hold StartsOnEnter EndsOnExit Reason EndedBy EndedByLabel",
    PhoneNumberStatusChanged: "WebhookSid EventDate Sequence Number Status PreviousStatus Reason MessagingConfigSid PortOrderSid",
    TcrCampaignImported: "WebhookSid EventDate Sequence TcrCampaignId TcrBrandId MessagingConfigSid LinkOutcome",
    TcrCampaignStatusChanged: "WebhookSid EventDate Sequence TcrCampaignId Status PreviousStatus MessagingConfigSid",
    PortOrderStatusChanged: "WebhookSid EventDate Sequence PortOrderSid Status PreviousStatus Reason Numbers",
  },
  B: {
    InboundMessageReceived: "sid from to eventDate text segmentCount",
    OutboundMessageStatusChanged: "eventDate sequence sid from to status previousStatus errorCode errorDescription segmentCount carrier",
    OptOutChanged: "eventDate sequence number scopeType scope change keyword",
    InboundCallReceivedWebhook: "eventDate sequence callSid legSid from to",
    CallStatusChangedWebhook: "eventDate sequence callSid legSid leg direction from to status durationSeconds endReason",
    CallRecordingCompleted: "eventDate sequence callSid recordingSid durationSeconds segments",
    CallStreamStatusChanged: "eventDate sequence callSid streamSid streamName status error",
    ConferenceChanged: "eventDate sequence conferenceSid name event callSid label muted hold startsOnEnter endsOnExit reason endedBy endedByLabel",
    PhoneNumberStatusChanged: "eventDate sequence number status previousStatus reason messagingConfigSid portOrderSid",
    TcrCampaignImported: "eventDate sequence tcrCampaignId tcrBrandId messagingConfigSid linkOutcome",
    TcrCampaignStatusChanged: "eventDate sequence tcrCampaignId status previousStatus messagingConfigSid",
    PortOrderStatusChanged: "eventDate sequence portOrderSid status previousStatus reason numbers",
  },
} as const;

/** The codes of refusals. */
export const PROBLEM_CODES = [
  /** One or more validation errors occurred. */
  "validation",
  /** The credentials are missing or wrong. */
  "unauthorized",
  /** This feature is not switched on for the account. */
  "feature-off",
  /** The account is suspended. */
  "account-suspended",
  /** Only operators with the role admin may do this. */
  "admin-only",
  /** A page of another site may not do this. */
  "cross-site",
  /** There is nothing here. */
  "not-found",
  /** This address does not take that method. */
  "method-not-allowed",
  /** The request did not arrive in time. */
  "request-timeout",
  /** This browser is signed in to another account. */
  "other-account",
  /** The request does not fit the present state. */
  "conflict",
  /** The call is not in progress. */
  "call-not-in-progress",
  /** The account has as many webhooks as it may have. */
  "too-many-webhooks",
  /** The first request with this Idempotency-Key is still running. */
  "idempotency-running",
  /** The body is too large. */
  "body-too-large",
  /** The address is too long. */
  "uri-too-long",
  /** The file has no such part. */
  "range-not-satisfiable",
  /** The body's media type is not one that is read here. */
  "unsupported-media-type",
  /** This Idempotency-Key was used for another request. */
  "idempotency-key-reused",
  /** Too many requests. */
  "rate-limited",
  /** The headers are too large. */
  "headers-too-large",
  /** The sender is not a phone number. */
  "sender-invalid",
  /** The sender is not a number of this account. */
  "sender-not-yours",
  /** The sender has no MessagingConfig. */
  "sender-without-config",
  /** The sender is not active yet. */
  "sender-not-active",
  /** The sender is changing its campaign. */
  "sender-changing-campaign",
  /** The sender cannot send such messages. */
  "sender-lacks-feature",
  /** The sender's campaign is suspended. */
  "campaign-suspended",
  /** The sender's campaign is not approved. */
  "campaign-not-approved",
  /** The sender's campaign has expired. */
  "campaign-expired",
  /** The recipient is not a phone number. */
  "recipient-invalid",
  /** The recipient has opted out. */
  "recipient-opted-out",
  /** The recipient's country is not allowed. */
  "country-not-allowed",
  /** There is neither text nor media. */
  "text-empty",
  /** The text is too long. */
  "text-too-long",
  /** The callback URL is too long or cannot be used. */
  "callback-url-refused",
  /** The message would expire before it is sent. */
  "expiry-in-the-past",
  /** A date cannot be read, lies in the past or too far ahead. */
  "bad-date",
  /** The media cannot be sent. */
  "bad-media",
  /** There is no such priority. */
  "bad-priority",
  /** The account's queue is full. */
  "queue-full",
  /** The MessagingConfig is not linked to an active campaign. */
  "campaign-not-linked",
  /** This is an emergency number. */
  "emergency-number",
  /** This is a premium-rate number. */
  "premium-number",
  /** This is not available. */
  "not-available",
  /** The process that has the call does not answer just now. */
  "call-not-reached",
  /** The server failed to answer. */
  "internal",
  /** The server cannot answer just now. */
  "unavailable",
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];
