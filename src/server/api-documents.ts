// The operations of the whole API, and the three OpenAPI documents made of them.

import { openApiDocument } from "../adapters/http/core/openapi.ts";
import type { OperationGroup } from "../adapters/http/core/operation.ts";
import { type AccountRouteDeps, accountOperations } from "../adapters/http/routes/accounts/account.ts";
import { campaignOperations } from "../adapters/http/routes/campaigns/campaigns.ts";
import {
  type MessagingConfigRouteDeps,
  messagingConfigOperations,
} from "../adapters/http/routes/campaigns/messaging-configs.ts";
import { type MigrationRouteDeps, migrationOperations } from "../adapters/http/routes/campaigns/migrations.ts";
import { type Lookups, lookupRoutes } from "../adapters/http/routes/lookup/lookup.ts";
import { type MessageRouteDeps, messageOperations } from "../adapters/http/routes/messaging/messages.ts";
import { optOutOperations } from "../adapters/http/routes/numbers/opt-outs.ts";
import { type PhoneVoiceRouteDeps, phoneVoiceOperations } from "../adapters/http/routes/numbers/phone-voice.ts";
import { phoneOperations } from "../adapters/http/routes/numbers/phones.ts";
import { type OperatorRouteDeps, operatorRoutes } from "../adapters/http/routes/operations/operator.ts";
import { type PortInRouteDeps, portInOperations } from "../adapters/http/routes/porting/port-in.ts";
import { type DeliveryRouteDeps, deliveryOperations } from "../adapters/http/routes/webhooks/deliveries.ts";
import { type EventRouteDeps, eventOperations } from "../adapters/http/routes/webhooks/events.ts";
import { type WebhookRouteDeps, webhookOperations } from "../adapters/http/routes/webhooks/webhooks.ts";

export interface ApiParts {
  readonly lookup: OperationGroup;
  readonly account: OperationGroup;
  readonly operator: OperationGroup;
}

type ApiDeps = AccountRouteDeps &
  OperatorRouteDeps &
  PhoneVoiceRouteDeps &
  PortInRouteDeps &
  MigrationRouteDeps &
  MessagingConfigRouteDeps &
  MessageRouteDeps &
  WebhookRouteDeps &
  DeliveryRouteDeps &
  EventRouteDeps & { readonly lookups: Lookups };

export function apiParts(deps: ApiDeps): ApiParts {
  return {
    lookup: lookupRoutes(deps.lookups),
    account: {
      prefixes: ["/v1", "/messaging/v1"],
      operations: [
        ...accountOperations(deps),
        ...phoneOperations(deps),
        ...phoneVoiceOperations(deps),
        ...portInOperations(deps),
        ...messagingConfigOperations(deps),
        ...campaignOperations(),
        ...migrationOperations(deps),
        ...messageOperations(deps),
        ...optOutOperations(deps),
        ...webhookOperations(deps),
        ...deliveryOperations(deps),
        ...eventOperations(deps),
      ],
    },
    operator: operatorRoutes(deps),
  };
}

const CONVENTIONS =
  "Every answer carries `X-Request-Id`; every refusal is a problem object with a stable `code` and a `traceId`. " +
  "Answers are JSON under `application/json`, `text/json` or `text/plain`, as `Accept` prefers. " +
  "Member names and enum values are matched without regard to case; unknown members are refused.";

export function apiDocuments(parts: ApiParts) {
  const common = { version: "v1", description: CONVENTIONS };
  const lookup = { prefix: "/carrierLookup/v1", group: parts.lookup };
  return {
    lookup: openApiDocument({ ...common, title: "Tandem carrier lookup", groups: [lookup] }),
    messaging: openApiDocument({
      ...common,
      title: "Tandem messaging",
      groups: [{ prefix: "/messaging/v1", group: parts.account }],
    }),
    everything: openApiDocument({
      ...common,
      title: "Tandem",
      groups: [lookup, { prefix: "/v1", group: parts.account }, { prefix: "/operator/v1", group: parts.operator }],
    }),
  };
}

/** Documents need the shape of the operations, not anything behind them. */
export function apiShape(): ApiParts {
  const unreachable = () => {
    throw new Error("an operation was called without a server");
  };
  return apiParts({
    lookups: { one: unreachable, many: unreachable },
    ids: { sid: unreachable },
    tokens: { make: unreachable },
    parseNumber: unreachable,
    newSecret: unreachable,
    senders: { factsOf: unreachable, countriesOf: unreachable },
    carriers: { find: unreachable },
    recipientGuard: unreachable,
    readNumber: unreachable,
    readyCallbacks: unreachable,
    mediaUrl: unreachable,
    links: unreachable,
    checkDocument: unreachable,
    makeLetter: unreachable,
    checkUrl: unreachable,
    notifier: { waitForEvents: unreachable, isClosed: true },
    mayGoOn: unreachable,
    oldestSecretOn: unreachable,
    eventLog: { after: unreachable, list: unreachable, end: unreachable },
    upstreamCnpId: null,
    sipSourceAddresses: [],
    supportContact: "",
  });
}
