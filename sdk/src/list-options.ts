// The options of each list, as named types.

import type * as Api from "./api.generated.ts";
import type { CallOptions } from "./exchange.ts";

export type AuditListOptions = Api.ListAuditLogQuery & CallOptions;
export type AvailablePhoneOptions = Api.ListAvailablePhonesQuery & CallOptions;
export type CallListOptions = Api.ListCallsQuery & CallOptions;
export type DeliveryListOptions = Api.ListDeliveriesQuery & CallOptions;
export type EventListOptions = Api.ListEventsQuery & CallOptions;
export type FeatureRequestListOptions = Api.ListFeatureRequestsQuery & CallOptions;
export type InboundMessageListOptions = Api.ListInboundMessagesQuery & CallOptions;
export type InventoryListOptions = Api.ListInventoryQuery & CallOptions;
export type MessageListOptions = Api.ListOutboundMessagesQuery & CallOptions;
export type OptOutListOptions = Api.ListOptOutsQuery & CallOptions;
export type OwnedCampaignListOptions = Api.ListCampaignsQuery & CallOptions;
export type OwnedEventListOptions = Api.ListAllEventsQuery & CallOptions;
export type OwnedPortOrderListOptions = Api.ListAllPortOrdersQuery & CallOptions;
export type OwnedRequestListOptions = Api.ListAllRequestsQuery & CallOptions;
export type OwnedWebhookListOptions = Api.ListAllWebhooksQuery & CallOptions;
export type PhoneListOptions = Api.ListPhonesQuery & CallOptions;
export type PortOrderListOptions = Api.ListPortOrdersQuery & CallOptions;
export type RequestListOptions = Api.ListRequestsQuery & CallOptions;
export type TrafficOptions = Api.GetTrafficQuery & CallOptions;
