// The front door of the client.

export type { RateLimit } from "./answer-headers.ts";
export { createClient, type LookupAnswer, type TandemClient } from "./client.ts";
export type { Deliveries, DeliveryListOptions } from "./deliveries.ts";
export { type NetworkFault, TandemError, TandemNetworkError } from "./errors.ts";
export type { StreamOptions, StreamState } from "./event-stream.ts";
export type { EventListOptions, Events } from "./events.ts";
export type { Answer, CallOptions, ClientOrder, WriteOptions } from "./exchange.ts";
export type { PageOptions } from "./page.ts";
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
