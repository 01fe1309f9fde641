// The operations of all parts, and the three OpenAPI documents made of them. Opens nothing.

import { openApiDocument } from "../../adapters/http/core/openapi.ts";
import type { Operation } from "../../adapters/http/core/operation.ts";
import { operationsAt } from "../running/part.ts";
import { accountsApi } from "./accounts.ts";
import { campaignsApi } from "./campaigns.ts";
import { lookupApi } from "./lookup.ts";
import { messagingApi } from "./messaging.ts";
import { numbersApi } from "./numbers.ts";
import { portingApi } from "./porting.ts";
import { requestsApi } from "./requests.ts";
import { systemApi } from "./system.ts";
import { voiceApi } from "./voice.ts";
import { webhooksApi } from "./webhooks.ts";

/** In the order of the documents. */
const APIS = [
  accountsApi,
  lookupApi,
  numbersApi,
  portingApi,
  campaignsApi,
  messagingApi,
  voiceApi,
  webhooksApi,
  requestsApi,
  systemApi,
];

export function documentedOperations(place: "lookup" | "account" | "operator"): readonly Operation<never>[] {
  return APIS.flatMap((api): readonly Operation<never>[] => operationsAt<never>(api, place));
}

const CONVENTIONS =
  "Every answer carries `X-Request-Id`; every refusal is a problem object with a stable `code` and a `traceId`. " +
  "Answers are JSON under `application/json`, `text/json` or `text/plain`, as `Accept` prefers. " +
  "Member names and enum values are matched without regard to case; unknown members are refused.";

export function apiDocuments() {
  const common = { version: "v1", description: CONVENTIONS };
  const lookup = { prefix: "/carrierLookup/v1", operations: documentedOperations("lookup") };
  const account = documentedOperations("account");
  const operator = { prefix: "/operator/v1", operations: documentedOperations("operator") };
  return {
    lookup: openApiDocument({ ...common, title: "Tandem carrier lookup", groups: [lookup] }),
    messaging: openApiDocument({
      ...common,
      title: "Tandem messaging",
      groups: [{ prefix: "/messaging/v1", operations: account }],
    }),
    everything: openApiDocument({
      ...common,
      title: "Tandem",
      groups: [lookup, { prefix: "/v1", operations: account }, operator],
    }),
  };
}
