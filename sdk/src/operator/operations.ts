// What operators look at when something is wrong: recordings, subscriptions and requests of all accounts, reconciles.

import type {
  ListAllRequestsQuery,
  ListAllWebhooksQuery,
  OwnedRefusedRequest,
  OwnedRequestOutcome,
  OwnedWebhookSubscription,
  Reconcile,
  TroubledRecording,
} from "../api.generated.ts";
import { type StreamOptions, streamEvents } from "../event-stream.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "../exchange.ts";
import { type Listing, listing, type PageOptions } from "../page.ts";
import type { AccountEvent } from "../webhook-events.ts";

export type OwnedWebhookListOptions = ListAllWebhooksQuery & CallOptions;
export type OwnedRequestListOptions = ListAllRequestsQuery & CallOptions;

/** Recordings with which something went wrong. */
export interface TroubledRecordings {
  list(options?: PageOptions): Listing<TroubledRecording>;
  /** Makes the files of a failed one after all. */
  retry(sid: string, options?: WriteOptions): Promise<Answer<undefined>>;
}

export function troubledRecordingsOf(order: ClientOrder): TroubledRecordings {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /operator/v1/Recordings", { signal, query }),
    retry: (sid, options) => ask(order, "POST /operator/v1/Recordings/{sid}/retry", { ...options, params: { sid } }),
  };
}

/** The subscriptions of all accounts. */
export interface OwnedWebhooks {
  list(options?: OwnedWebhookListOptions): Listing<OwnedWebhookSubscription>;
}

export function ownedWebhooksOf(order: ClientOrder): OwnedWebhooks {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /operator/v1/Webhooks", { signal, query }),
  };
}

/** Refused requests of all callers, those without credentials included, and what became of any request. */
export interface OwnedRequests {
  list(options?: OwnedRequestListOptions): Listing<OwnedRefusedRequest>;
  /** What it made, and how it was refused, by `X-Request-Id`, the `traceId` of a refusal or a sid. */
  get(requestId: string, options?: CallOptions): Promise<Answer<OwnedRequestOutcome>>;
}

export function ownedRequestsOf(order: ClientOrder): OwnedRequests {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /operator/v1/Requests", { signal, query }),
    get: (requestId, options) =>
      ask(order, "GET /operator/v1/Requests/{requestId}", { ...options, params: { requestId } }),
  };
}

/** The events of all accounts. */
export interface OwnedEvents {
  /** As they happen; what happens while the connection is lost is not made up for. */
  stream(options?: Omit<StreamOptions, "lastEventId">): AsyncGenerator<AccountEvent, void, void>;
}

export function ownedEventsOf(order: ClientOrder): OwnedEvents {
  return { stream: (options = {}) => streamEvents(order, options, { operation: "GET /operator/v1/Events/stream" }) };
}

/** Work that brings what is here to what is. */
export interface Reconciles {
  /** The last run of each. */
  list(options?: CallOptions): Listing<Reconcile>;
}

export function reconcilesOf(order: ClientOrder): Reconciles {
  return {
    list: (options) => listing(order, "GET /operator/v1/Reconciles", { ...options }),
  };
}
