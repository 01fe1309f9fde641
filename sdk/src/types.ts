// The shapes of the API that this client speaks, as api/tandem.json describes them (a test holds the two together).

export type MessagingStatus = "Active" | "Inactive";

export type PhoneType = "Unknown" | "Wireless" | "Landline" | "VoIP";

export interface NumberInformation {
  /** In international format with a leading plus. */
  readonly number: string;
  /** Whether it can send and receive messages. */
  readonly status: MessagingStatus;
  readonly type: PhoneType;
  readonly carrierName: string | null;
}

export interface FailedLookup {
  /** As it was asked for. */
  readonly number: string;
  /** Why this is no number. */
  readonly error: string;
}

export interface LookupBatchAnswer {
  readonly items: readonly (NumberInformation | FailedLookup)[];
}

export interface Limit {
  readonly requests: number;
  readonly windowSeconds: number;
}

export interface Limits {
  readonly lookup: Limit;
  readonly lookupBatch: Limit;
  readonly send: Limit;
  /** Messages to one and the same recipient. */
  readonly sendToRecipient: Limit;
  readonly read: Limit;
  readonly write: Limit;
}

export interface OwnAccount {
  readonly sid: string;
  readonly name: string;
  readonly status: "Active" | "Suspended";
  readonly features: readonly ("voice" | "campaignMigration")[];
  readonly limits: Limits;
  readonly defaultCallerId: string | null;
  readonly upstreamCnpId: string | null;
  readonly sipSourceAddresses: readonly string[];
  readonly supportContact: string;
  /** Since when the oldest secret signs that an enabled webhook has. */
  readonly webhookSecretCreatedOn: string | null;
  readonly createdOn: string;
}

export interface ValidationProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string | null;
  readonly instance: string | null;
  /** Stable, in kebab case. */
  readonly code: string;
  readonly traceId: string;
  /** Field name to messages; `$` is the request as a whole. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

export const EVENT_TYPES = [
  "InboundMessageReceived",
  "OutboundMessageStatusChanged",
  "OptOutChanged",
  "InboundCallReceivedWebhook",
  "CallStatusChangedWebhook",
  "CallRecordingCompleted",
  "PhoneNumberStatusChanged",
  "TcrCampaignImported",
  "PortOrderStatusChanged",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const DELIVERY_STATUSES = ["Pending", "Delivered", "Failed", "Canceled"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const PAYLOAD_SHAPES = ["A", "B", "Twilio"] as const;
/** A: capitalised names. B: lower camel case. Twilio: that provider's form parameters. */
export type PayloadShape = (typeof PAYLOAD_SHAPES)[number];

export interface ListAnswer<Item> {
  readonly items: readonly Item[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}

export interface WebhookOrder {
  readonly type: EventType;
  readonly url: string;
  /** Tried at once when `url` fails. */
  readonly backupUrl?: string | null;
  /** Narrows it to a config or to a number; one of the two. */
  readonly messagingConfigSid?: string | null;
  readonly phone?: string | null;
  /** Sent as `Authorization: Bearer …`; never shown again. */
  readonly authorizationBearer?: string | null;
  readonly payloadShape?: PayloadShape;
  readonly enabled?: boolean;
}

export interface WebhookChange {
  readonly url?: string;
  readonly backupUrl?: string | null;
  readonly authorizationBearer?: string | null;
  readonly payloadShape?: PayloadShape;
  readonly enabled?: boolean;
}

export interface WebhookSubscription {
  readonly sid: string;
  readonly type: EventType;
  readonly url: string;
  readonly backupUrl: string | null;
  readonly messagingConfigSid: string | null;
  readonly phone: string | null;
  readonly payloadShape: PayloadShape;
  readonly enabled: boolean;
  /** Why it was switched off, unless its owner did it. */
  readonly disabledReason: string | null;
  readonly createdOn: string;
  readonly lastSuccessOn: string | null;
}

export interface WebhookSubscriptionWithSecret extends WebhookSubscription {
  /** `whsec_…`, shown once. */
  readonly secret: string;
}

export interface DeliveryAttempt {
  readonly at: string;
  readonly url: string;
  /** The receiver's HTTP status; null when none came. */
  readonly status: number | null;
  /** Why there was none. */
  readonly failure: string | null;
  readonly ms: number;
  /** The first 4 KiB of the answer. */
  readonly answer: string | null;
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
  readonly nextAttemptOn: string | null;
  readonly createdOn: string;
  readonly finishedOn: string | null;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface ReplayOrder {
  readonly type?: EventType;
  readonly status?: DeliveryStatus;
  /** ISO 8601. */
  readonly from?: string;
  readonly to?: string;
  /** Instead of the subscription's own, and then without its bearer. */
  readonly url?: string;
}

export interface ReplayAnswer {
  readonly replayed: number;
  /** False when there may be more. */
  readonly complete: boolean;
}

export interface AccountEvent {
  /** Its place in the log; a stream goes on after it. */
  readonly id: string;
  readonly type: EventType;
  readonly resourceSid: string;
  readonly createdOn: string;
  /** Shape A, without WebhookSid. */
  readonly payload: Readonly<Record<string, unknown>>;
}
