// The shapes of messages, numbers, configs, campaigns and opt-outs, as api/tandem.json describes them (a test holds the two together).

export const MESSAGE_STATUSES = ["Queued", "Sent", "Delivered", "Failed", "Expired", "Canceled"] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export const PRIORITIES = ["Urgent", "High", "Normal", "Low"] as const;
export type Priority = (typeof PRIORITIES)[number];

export type Encoding = "GSM7" | "UCS2";

export interface MessageOrder {
  /** One of your numbers. */
  readonly from: string;
  readonly to?: string;
  /** Instead of `to`, 2 to 20: a group MMS. */
  readonly recipients?: readonly string[];
  /** Up to 1600 characters. */
  readonly text?: string;
  /** Up to 10. */
  readonly mediaUrls?: readonly string[];
  readonly priority?: Priority;
  /** ISO 8601: not sent later. */
  readonly expiresOn?: string;
  /** ISO 8601: not sent earlier. */
  readonly sendAt?: string;
  /** Status changes go here instead of to subscriptions. */
  readonly callbackUrlOverride?: string;
  /** Up to 512 characters, given back with replies. */
  readonly conversationMetadata?: string;
  /** Accepted while the number is not active, sent when it is. */
  readonly holdUntilActive?: boolean;
  /** Replaces typographic characters where that spares segments. */
  readonly smartEncoding?: boolean;
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
  readonly createdOn: string;
  readonly sentOn: string | null;
  readonly deliveredOn: string | null;
  readonly expiresOn: string;
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

export interface MessageTrail {
  readonly sid: string;
  readonly status: MessageStatus;
  readonly errorCode: number;
  readonly errorDescription: string | null;
  readonly steps: readonly { readonly at: string; readonly step: string; readonly details: unknown }[];
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
  readonly createdOn: string;
}

export const PHONE_STATUSES = [
  "PendingPortIn",
  "PendingMessagingConfigAdd",
  "PendingTcrCampaignAdd",
  "PendingTcrCampaignChange",
  "Active",
  "Removed",
] as const;
export type PhoneStatus = (typeof PHONE_STATUSES)[number];

export type NumberFeature = "SMS" | "MMS" | "VOICE";

export interface Phone {
  readonly number: string;
  readonly name: string | null;
  readonly status: PhoneStatus;
  /** Why it is not `Active`. */
  readonly statusReason: string | null;
  readonly messagingConfigSid: string | null;
  readonly portOrderSid: string | null;
  readonly features: readonly NumberFeature[];
  readonly createdOn: string;
  readonly updatedOn: string;
}

export interface AvailablePhone {
  readonly number: string;
  readonly features: readonly NumberFeature[];
}

export interface PhoneOrder {
  readonly phone: string;
  readonly name?: string | null;
  readonly messagingConfigSid?: string | null;
}

export interface PhoneChange {
  readonly name?: string | null;
  readonly messagingConfigSid?: string | null;
}

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface SendingTimes {
  /** IANA, such as `America/New_York`. */
  readonly timeZone: string;
  readonly days: readonly Weekday[];
  /** `09:00`. */
  readonly from: string;
  /** Exclusive. Not later than `from`: on the next day. */
  readonly to: string;
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
  readonly createdOn: string;
}

/** Only the members given are changed. */
export interface MessagingConfigChange {
  readonly name?: string;
  /** Links a campaign; null unlinks it. */
  readonly tcrCampaignId?: string | null;
  readonly sendingTimes?: SendingTimes | null;
  readonly defaultExpirySeconds?: number;
  readonly optOutReply?: string | null;
  readonly optInReply?: string | null;
  readonly helpReply?: string | null;
}

export interface MessagingConfigOrder extends MessagingConfigChange {
  readonly name: string;
}

export interface PhonesAssigned {
  readonly success: readonly string[];
  readonly failed: readonly { readonly number: string; readonly reason: string }[];
}

export const CAMPAIGN_STATUSES = ["Active", "Suspended", "Expired"] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

export interface OperatorThroughput {
  readonly operator: string;
  readonly messageClass: string | null;
  readonly smsPerMinute: number | null;
  readonly mmsPerMinute: number | null;
  readonly brandTier: string | null;
}

export interface TcrCampaign {
  readonly tcrCampaignId: string;
  readonly tcrBrandId: string;
  readonly name: string;
  readonly status: CampaignStatus;
  /** What the registry says each mobile operator lets through. */
  readonly throughput: readonly OperatorThroughput[];
  readonly messagingConfigSid: string | null;
  readonly importedOn: string;
}

export interface TcrCampaignChange {
  /** Null unlinks it. */
  readonly messagingConfigSid?: string | null;
}

export const SCOPE_TYPES = ["SenderPhoneNumber", "TcrCampaign"] as const;
export type ScopeType = (typeof SCOPE_TYPES)[number];

export interface OptOutOrder {
  /** Who opted out. */
  readonly number: string;
  readonly scopeType: ScopeType;
  /** The sender's number, or the campaign's id. */
  readonly scope: string;
}

export interface OptOut extends OptOutOrder {
  /** What they wrote; null when it was entered by you. */
  readonly keyword: string | null;
  readonly createdOn: string;
}

export interface EmulatedInboundMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly text?: string;
  readonly mediaUrls?: readonly string[];
}

export interface EmulatedMessageStatus {
  readonly sid: string;
  readonly deliveredSuccessfully: boolean;
}

export interface Emulated {
  readonly done: true;
}
