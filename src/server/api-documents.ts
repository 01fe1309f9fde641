// The operations of the whole API, and the three OpenAPI documents made of them. Nothing has to be open to describe them.

import { openApiDocument } from "../adapters/http/core/openapi.ts";
import type { OperationGroup } from "../adapters/http/core/operation.ts";
import { type AccountRouteDeps, accountOperations } from "../adapters/http/routes/accounts/account.ts";
import {
  type OperatorAccountDeps,
  operatorAccountOperations,
} from "../adapters/http/routes/accounts/operator-accounts.ts";
import { auditOperation, operatorTokenOperations } from "../adapters/http/routes/accounts/operator-tokens.ts";
import { campaignOperations } from "../adapters/http/routes/campaigns/campaigns.ts";
import {
  type MessagingConfigRouteDeps,
  messagingConfigOperations,
} from "../adapters/http/routes/campaigns/messaging-configs.ts";
import { type MigrationRouteDeps, migrationOperations } from "../adapters/http/routes/campaigns/migrations.ts";
import {
  type OperatorCampaignDeps,
  operatorCampaignOperations,
} from "../adapters/http/routes/campaigns/operator-campaigns.ts";
import { type Lookups, lookupOperations } from "../adapters/http/routes/lookup/lookup.ts";
import { overrideOperations } from "../adapters/http/routes/lookup/operator-overrides.ts";
import { type MessageRouteDeps, messageOperations } from "../adapters/http/routes/messaging/messages.ts";
import { type OperatorLinkDeps, operatorLinkOperations } from "../adapters/http/routes/messaging/operator-links.ts";
import { inventoryOperations } from "../adapters/http/routes/numbers/operator-inventory.ts";
import { optOutOperations } from "../adapters/http/routes/numbers/opt-outs.ts";
import { type PhoneVoiceRouteDeps, phoneVoiceOperations } from "../adapters/http/routes/numbers/phone-voice.ts";
import { phoneOperations } from "../adapters/http/routes/numbers/phones.ts";
import { operatorReconcileOperations } from "../adapters/http/routes/operations/operator-reconciles.ts";
import { type TestkitDeps, testkitOperations } from "../adapters/http/routes/operations/testkit.ts";
import { operatorPortOperations } from "../adapters/http/routes/porting/operator-ports.ts";
import { type PortInRouteDeps, portInOperations } from "../adapters/http/routes/porting/port-in.ts";
import { type DeliveryRouteDeps, deliveryOperations } from "../adapters/http/routes/webhooks/deliveries.ts";
import { type EventRouteDeps, eventOperations } from "../adapters/http/routes/webhooks/events.ts";
import { operatorWebhookOperations } from "../adapters/http/routes/webhooks/operator-webhooks.ts";
import { type WebhookRouteDeps, webhookOperations } from "../adapters/http/routes/webhooks/webhooks.ts";

export type ApiDeps = AccountRouteDeps &
  PhoneVoiceRouteDeps &
  PortInRouteDeps &
  MigrationRouteDeps &
  MessagingConfigRouteDeps &
  MessageRouteDeps &
  WebhookRouteDeps &
  DeliveryRouteDeps &
  EventRouteDeps &
  OperatorAccountDeps &
  OperatorLinkDeps &
  OperatorCampaignDeps & { readonly lookups: Lookups };

export const lookupApi: OperationGroup<ApiDeps> = {
  prefixes: ["/carrierLookup/v1"],
  operations: lookupOperations(),
};

export const accountApi: OperationGroup<ApiDeps> = {
  prefixes: ["/v1", "/messaging/v1"],
  operations: [
    ...accountOperations(),
    ...phoneOperations(),
    ...phoneVoiceOperations(),
    ...portInOperations(),
    ...messagingConfigOperations(),
    ...campaignOperations(),
    ...migrationOperations(),
    ...messageOperations(),
    ...optOutOperations(),
    ...webhookOperations(),
    ...deliveryOperations(),
    ...eventOperations(),
  ],
};

export const operatorApi: OperationGroup<ApiDeps> = {
  prefixes: ["/operator/v1"],
  operations: [
    ...operatorAccountOperations(),
    ...operatorTokenOperations(),
    ...inventoryOperations(),
    ...overrideOperations(),
    ...operatorLinkOperations(),
    ...operatorPortOperations(),
    ...operatorReconcileOperations(),
    ...operatorWebhookOperations(),
    ...operatorCampaignOperations(),
    auditOperation(),
  ],
};

/** Not documented: it is there in a sandbox alone. */
export const testkitApi: OperationGroup<TestkitDeps> = { prefixes: ["/testkit/v1"], operations: testkitOperations() };

const CONVENTIONS =
  "Every answer carries `X-Request-Id`; every refusal is a problem object with a stable `code` and a `traceId`. " +
  "Answers are JSON under `application/json`, `text/json` or `text/plain`, as `Accept` prefers. " +
  "Member names and enum values are matched without regard to case; unknown members are refused.";

export function apiDocuments() {
  const common = { version: "v1", description: CONVENTIONS };
  const lookup = { prefix: "/carrierLookup/v1", group: lookupApi };
  return {
    lookup: openApiDocument({ ...common, title: "Tandem carrier lookup", groups: [lookup] }),
    messaging: openApiDocument({
      ...common,
      title: "Tandem messaging",
      groups: [{ prefix: "/messaging/v1", group: accountApi }],
    }),
    everything: openApiDocument({
      ...common,
      title: "Tandem",
      groups: [lookup, { prefix: "/v1", group: accountApi }, { prefix: "/operator/v1", group: operatorApi }],
    }),
  };
}
