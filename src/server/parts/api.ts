// The operations of all parts, and the three OpenAPI documents made from them. Opens nothing.

import type { Operation } from "../../adapters/http/core/operation.ts";
import { openApiDocument } from "../../adapters/http/document/openapi.ts";
import { type SoftphoneDeps, softphoneOperations } from "../../adapters/http/routes/operations/softphone.ts";
import { type TestkitDeps, testkitOperations } from "../../adapters/http/routes/operations/testkit.ts";
import { eventDescriptions } from "../../adapters/http/routes/webhooks/payload-schemas.ts";
import { TWILIO_FORM } from "../../adapters/twilio/webhook-parameters.ts";
import { type Api, operationsAt, type Place, prefixOf } from "../running/part.ts";
import { accountsApi } from "./accounts.ts";
import { attentionApi } from "./attention.ts";
import { campaignsApi } from "./campaigns.ts";
import { lookupApi } from "./lookup.ts";
import { messagingApi } from "./messaging.ts";
import { nodesApi } from "./nodes.ts";
import { numbersApi } from "./numbers.ts";
import { portingApi } from "./porting.ts";
import { requestsApi } from "./requests.ts";
import { routesApi } from "./routes.ts";
import { statisticsApi } from "./statistics.ts";
import { systemApi } from "./system.ts";
import { voiceApi } from "./voice.ts";
import { webhooksApi } from "./webhooks.ts";

/** Served only by the sandbox. */
export const testkitApi: Api<TestkitDeps> = { testkit: testkitOperations };

/** Served only by the sandbox; in no document. */
export const softphoneApi: Api<SoftphoneDeps> = { testkit: softphoneOperations };

/** In the order of the documents. */
const APIS = [
  accountsApi,
  lookupApi,
  numbersApi,
  portingApi,
  campaignsApi,
  messagingApi,
  voiceApi,
  routesApi,
  webhooksApi,
  requestsApi,
  attentionApi,
  statisticsApi,
  nodesApi,
  systemApi,
  testkitApi,
];

/** The sections of the whole product, in the order of the document. */
const PLACES = ["lookup", "messaging", "account", "testkit", "operator"] as const satisfies readonly Place[];

export interface DocumentedOperation {
  /** Its method and path, as the document has them: `GET /v1/Phones/{phone}`. */
  readonly name: string;
  readonly operation: Operation<never>;
}

/** All operations of the whole document, in its order. */
export function everyOperation(): readonly DocumentedOperation[] {
  return PLACES.flatMap((place) =>
    documentedOperations(place).map((operation) => ({
      name: `${operation.method} ${prefixOf(place)}${operation.path}`,
      operation,
    })),
  );
}

export function documentedOperations(place: Place): readonly Operation<never>[] {
  return APIS.flatMap((api): readonly Operation<never>[] => operationsAt<never>(api, place));
}

const CONVENTIONS =
  "Every answer carries `X-Request-Id`; every refusal is a problem object with a stable `code` and a `traceId`. " +
  "Answers are JSON under `application/json`, `text/json` or `text/plain`, as `Accept` prefers. " +
  "Member names and enum values are matched without regard to case; unknown members are refused.";

/** With a sandbox, the whole document shows the test kit too. */
export function apiDocuments({ hasSandbox }: { readonly hasSandbox: boolean }) {
  const common = { version: "v1", description: CONVENTIONS };
  const events = eventDescriptions(TWILIO_FORM);
  const groupAt = (place: Place) => ({ prefix: prefixOf(place), operations: documentedOperations(place) });
  const account = [...documentedOperations("messaging"), ...documentedOperations("account")];
  return {
    lookup: openApiDocument({ ...common, title: "Tandem carrier lookup", groups: [groupAt("lookup")] }),
    messaging: openApiDocument({
      ...common,
      title: "Tandem messaging",
      groups: [{ prefix: "/messaging/v1", operations: account }],
      events,
    }),
    everything: openApiDocument({
      ...common,
      title: "Tandem",
      groups: PLACES.filter((place) => hasSandbox || place !== "testkit").map(groupAt),
      events,
    }),
  };
}
