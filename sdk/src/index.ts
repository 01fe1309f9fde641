// The front door of the client.

export type { RateLimit } from "./answer-headers.ts";
export type { Campaigns } from "./campaigns.ts";
export { createClient, type LookupAnswer, type TandemClient } from "./client.ts";
export type { Deliveries, DeliveryListOptions } from "./deliveries.ts";
export { type NetworkFault, TandemError, TandemNetworkError } from "./errors.ts";
export type { StreamOptions, StreamState } from "./event-stream.ts";
export type { EventListOptions, Events } from "./events.ts";
export type { Answer, CallOptions, ClientOrder, WriteOptions } from "./exchange.ts";
export type { InboundMessageListOptions, MessageListOptions, Messages } from "./messages.ts";
export type { MessagingConfigs } from "./messaging-configs.ts";
export {
  type AvailablePhone,
  CAMPAIGN_STATUSES,
  type CampaignStatus,
  type Emulated,
  type EmulatedInboundMessage,
  type EmulatedMessageStatus,
  type Encoding,
  type InboundMessage,
  MESSAGE_STATUSES,
  type MessageDryRun,
  type MessageOrder,
  type MessageStatus,
  type MessageTrail,
  type MessagingConfig,
  type MessagingConfigChange,
  type MessagingConfigOrder,
  type NumberFeature,
  type OperatorThroughput,
  type OptOut,
  type OptOutOrder,
  type OutboundMessage,
  PHONE_STATUSES,
  type Phone,
  type PhoneChange,
  type PhoneOrder,
  type PhoneStatus,
  type PhonesAssigned,
  PRIORITIES,
  type Priority,
  SCOPE_TYPES,
  type ScopeType,
  type SendingTimes,
  type TcrCampaign,
  type TcrCampaignChange,
  WEEKDAYS,
  type Weekday,
} from "./messaging-types.ts";
export type { MigrationOptions, Migrations } from "./migrations.ts";
export type { OptOutListOptions, OptOuts } from "./opt-outs.ts";
export type { PageOptions } from "./page.ts";
export type { AvailablePhoneOptions, PhoneListOptions, Phones } from "./phones.ts";
export type { PortIn, PortOrderListOptions } from "./port-in.ts";
export {
  CAMPAIGN_STANDINGS,
  type CampaignStanding,
  type EmulatedCampaignMigration,
  type EmulatedPort,
  MIGRATION_OUTCOMES,
  MIGRATION_STATUSES,
  type Migration,
  type MigrationBlocker,
  type MigrationCampaign,
  type MigrationConfig,
  type MigrationNextStep,
  type MigrationNumber,
  type MigrationNumberCount,
  type MigrationPortOrder,
  type MigrationPreflightFinding,
  type MigrationRegistry,
  type MigrationStatus,
  type MigrationStepTime,
  type MigrationSummary,
  type MigrationTimelineEntry,
  type OrderedPort,
  PORT_NUMBER_STATUSES,
  PORT_ORDER_STATUSES,
  PORT_OUTCOMES,
  type PortAnswer,
  type Portability,
  type PortDocument,
  type PortFile,
  type PortInOrder,
  type PortLetterOrder,
  type PortNumberStatus,
  type PortOrder,
  type PortOrderNumber,
  type PortOrderStatus,
  type PortPhone,
  type PortServiceAddress,
  type PortSubscriber,
  SUBSCRIBER_TYPES,
} from "./porting-types.ts";
export type { Sandbox } from "./sandbox.ts";
export {
  newWebhookSecret,
  type SignWebhookOrder,
  signWebhook,
  type WebhookHeaders,
  WebhookSecretError,
} from "./sign-webhook.ts";
export {
  type AccountEvent,
  DELIVERY_STATUSES,
  type DeliveryAttempt,
  type DeliveryStatus,
  EVENT_TYPES,
  type EventType,
  type FailedLookup,
  type Limit,
  type Limits,
  type ListAnswer,
  type LookupBatchAnswer,
  type MessagingStatus,
  type NumberInformation,
  type OwnAccount,
  PAYLOAD_SHAPES,
  type PayloadShape,
  type PhoneType,
  type ReplayAnswer,
  type ReplayOrder,
  type ValidationProblem,
  type WebhookChange,
  type WebhookDelivery,
  type WebhookOrder,
  type WebhookSubscription,
  type WebhookSubscriptionWithSecret,
} from "./types.ts";
export {
  type ReceivedHeaders,
  type VerifiedWebhook,
  type VerifyWebhookOrder,
  verifyWebhook,
  type WebhookFault,
  WebhookVerificationError,
} from "./verify-webhook.ts";
export type { Webhooks } from "./webhooks.ts";
