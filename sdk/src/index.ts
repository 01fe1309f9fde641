// The public exports of the client.

export { type ParsedNumber, parseNumber } from "../../rules/numbers/parse-number.ts";
export { countSegments, type SegmentCount, type SegmentOptions } from "../../rules/sms/segment.ts";
export type { RateLimit } from "./answer-headers.ts";
export type {
  PhoneMessagingStatus as MessagingStatus,
  PortAnswerData as PortAnswer,
  PortInAnswer as OrderedPort,
  PortInData as PortInOrder,
  PortLetterData as PortLetterOrder,
} from "./api.generated.ts";
export * from "./api.generated.ts";
export { type CallScript, CallScriptError, callScript, type DialOptions } from "./call-script.ts";
export { createClient, type TandemClient } from "./client.ts";
export type { Deliveries } from "./deliveries.ts";
export { type NetworkFault, TandemError, TandemNetworkError } from "./errors.ts";
export type { StreamOptions, StreamState } from "./event-stream.ts";
export type { Events, OwnedEvents } from "./events.ts";
export type {
  Answer,
  CallOptions,
  ClientOrder,
  SessionClientOrder,
  TokenClientOrder,
  WriteOptions,
} from "./exchange.ts";
export type * from "./list-options.ts";
export type { ApiRequestEntry, LiveEntry, SipMessageEntry, SmppPduEntry } from "./live-entries.ts";
export type { LookupAnswer } from "./lookup.ts";
export type { MessageOrder, Messages } from "./messages.ts";
export type * from "./methods.generated.ts";
export type { MigrationOptions, Migrations } from "./migrations.ts";
export { createOperatorClient, type OperatorClient, type OperatorOrder } from "./operator.ts";
export type { ListAnswer, Listing, PageOptions } from "./page.ts";
export type { PortFile, PortIn } from "./port-in.ts";
export type { Sandbox, SandboxPhoneOrder, SandboxPhoneState } from "./sandbox.ts";
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
