// A client for the operator of the service.

import { type OperatorOversight, operatorOversightOf } from "./attention.ts";
import type { ClientOrder, SessionClientOrder, TokenClientOrder } from "./exchange.ts";
import { type AccountView, accountViewOf } from "./operator/account-view.ts";
import { type Accounts, accountsOf, type FeatureRequests, featureRequestsOf } from "./operator/accounts.ts";
import { type OwnedCampaigns, ownedCampaignsOf } from "./operator/campaigns.ts";
import { type Links, linksOf, type Routes, routesOf, type Trunks, trunksOf } from "./operator/carriers.ts";
import { type Inventory, inventoryOf, type LookupOverrides, lookupOverridesOf } from "./operator/numbers.ts";
import {
  type OwnedEvents,
  type OwnedRequests,
  type OwnedWebhooks,
  ownedEventsOf,
  ownedRequestsOf,
  ownedWebhooksOf,
  type Reconciles,
  reconcilesOf,
  type TroubledRecordings,
  troubledRecordingsOf,
} from "./operator/operations.ts";
import { type AuditLog, auditLogOf, type OperatorTokens, operatorTokensOf } from "./operator/operators.ts";
import { type PortOrders, portOrdersOf } from "./operator/port-orders.ts";

/** `token`: one of the operator's. */
export type OperatorOrder = Omit<TokenClientOrder, "accountSid"> | SessionClientOrder;

export interface OperatorClient {
  readonly accounts: Accounts;
  /** An account as it sees itself. */
  account(sid: string): AccountView;
  readonly featureRequests: FeatureRequests;
  readonly tokens: OperatorTokens;
  readonly auditLog: AuditLog;
  readonly lookupOverrides: LookupOverrides;
  readonly numbers: Inventory;
  readonly portOrders: PortOrders;
  readonly campaigns: OwnedCampaigns;
  readonly links: Links;
  readonly trunks: Trunks;
  readonly routes: Routes;
  readonly recordings: TroubledRecordings;
  readonly webhooks: OwnedWebhooks;
  readonly requests: OwnedRequests;
  readonly reconciles: Reconciles;
  readonly events: OwnedEvents;
  readonly oversight: OperatorOversight;
}

export function createOperatorClient(operator: OperatorOrder): OperatorClient {
  const order: ClientOrder = operator.session ? operator : { ...operator, accountSid: "operator" };
  return {
    accounts: accountsOf(order),
    account: (sid) => accountViewOf(order, sid),
    featureRequests: featureRequestsOf(order),
    tokens: operatorTokensOf(order),
    auditLog: auditLogOf(order),
    lookupOverrides: lookupOverridesOf(order),
    numbers: inventoryOf(order),
    portOrders: portOrdersOf(order),
    campaigns: ownedCampaignsOf(order),
    links: linksOf(order),
    trunks: trunksOf(order),
    routes: routesOf(order),
    recordings: troubledRecordingsOf(order),
    webhooks: ownedWebhooksOf(order),
    requests: ownedRequestsOf(order),
    reconciles: reconcilesOf(order),
    events: ownedEventsOf(order),
    oversight: operatorOversightOf(order),
  };
}
