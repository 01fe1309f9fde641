// The public exports of the client.

export { type ParsedNumber, parseNumber } from "../../rules/numbers/parse-number.ts";
export { countSegments, type SegmentCount, type SegmentOptions } from "../../rules/sms/segment.ts";
export type { AccountItself } from "./account.ts";
export type { RateLimit } from "./answer-headers.ts";
export type {
  PhoneMessagingStatus as MessagingStatus,
  PortAnswerData as PortAnswer,
  PortInAnswer as OrderedPort,
  PortInData as PortInOrder,
  PortLetterData as PortLetterOrder,
} from "./api.generated.ts";
export * from "./api.generated.ts";
export type { OperatorOversight, Oversight, TrafficOptions } from "./attention.ts";
export { type CallScript, CallScriptError, callScript, type DialOptions } from "./call-script.ts";
export type { CallListOptions, Calls } from "./calls.ts";
export type { Campaigns } from "./campaigns.ts";
export { createClient, type LookupAnswer, type TandemClient } from "./client.ts";
export type { Deliveries, DeliveryListOptions } from "./deliveries.ts";
export { type NetworkFault, TandemError, TandemNetworkError } from "./errors.ts";
export type { StreamOptions, StreamState } from "./event-stream.ts";
export type { EventListOptions, Events } from "./events.ts";
export type {
  Answer,
  CallOptions,
  ClientOrder,
  SessionClientOrder,
  TokenClientOrder,
  WriteOptions,
} from "./exchange.ts";
export type { ApiRequestEntry, LiveEntry, SipMessageEntry, SmppPduEntry } from "./live-entries.ts";
export type { InboundMessageListOptions, MessageListOptions, MessageOrder, Messages } from "./messages.ts";
export type { MessagingConfigs } from "./messaging-configs.ts";
export type { MigrationOptions, Migrations } from "./migrations.ts";
export type { AccountView } from "./operator/account-view.ts";
export type { Accounts, FeatureRequestListOptions, FeatureRequests } from "./operator/accounts.ts";
export type { OwnedCampaignListOptions, OwnedCampaigns } from "./operator/campaigns.ts";
export type { Links, Routes, Trunks } from "./operator/carriers.ts";
export type { Inventory, InventoryListOptions, LookupOverrides } from "./operator/numbers.ts";
export type {
  OwnedEventListOptions,
  OwnedEvents,
  OwnedRequestListOptions,
  OwnedRequests,
  OwnedWebhookListOptions,
  OwnedWebhooks,
  Reconciles,
  TroubledRecordings,
} from "./operator/operations.ts";
export type { AuditListOptions, AuditLog, OperatorTokens } from "./operator/operators.ts";
export type { OwnedPortOrderListOptions, PortOrders } from "./operator/port-orders.ts";
export { createOperatorClient, type OperatorClient, type OperatorOrder } from "./operator.ts";
export type { OptOutListOptions, OptOuts } from "./opt-outs.ts";
export type { ListAnswer, Listing, PageOptions } from "./page.ts";
export type { AvailablePhoneOptions, PhoneListOptions, Phones } from "./phones.ts";
export type { PortFile, PortIn, PortOrderListOptions } from "./port-in.ts";
export type { RequestListOptions, Requests } from "./requests.ts";
export type { Sandbox, SandboxPhoneOrder, SandboxPhoneState } from "./sandbox.ts";
export type { Sessions } from "./session.ts";
export {
  newWebhookSecret,
  type SignWebhookOrder,
  signWebhook,
  type WebhookHeaders,
  WebhookSecretError,
} from "./sign-webhook.ts";
export {
  type ReceivedHeaders,
  type ReceivedWebhook,
  type VerifiedWebhook,
  type VerifyWebhookOrder,
  verifyWebhook,
  type WebhookFault,
  WebhookVerificationError,
} from "./verify-webhook.ts";
export type { AccountEvent, EventPayloadsB, OwnedAccountEvent, WebhookEvent } from "./webhook-events.ts";
export type { Webhooks } from "./webhooks.ts";
