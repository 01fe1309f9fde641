// What operators look at when something is wrong: recordings, subscriptions and requests of all accounts, reconciles.

import type {
  ListAllEventsQuery,
  ListAllRequestsQuery,
  ListAllWebhooksQuery,
  OwnedRefusedRequest,
  OwnedRequestOutcome,
  OwnedWebhookSubscription,
  Reconcile,
  TroubledRecording,
} from "../api.generated.ts";
import { type StreamOptions, streamEvents } from "../event-stream.ts";
import { LOG_START } from "../events.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "../exchange.ts";
import { type Listing, listing, type PageOptions } from "../page.ts";
import type { OwnedAccountEvent } from "../webhook-events.ts";

export type OwnedWebhookListOptions = ListAllWebhooksQuery & CallOptions;
export type OwnedEventListOptions = ListAllEventsQuery & CallOptions;
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
  list(options?: OwnedEventListOptions): Listing<OwnedAccountEvent>;
  /** As they happen; a connection that breaks is resumed where it was cut. */
  stream(options?: StreamOptions): AsyncGenerator<OwnedAccountEvent, void, void>;
}

export function ownedEventsOf(order: ClientOrder): OwnedEvents {
  const findLastId = async (signal: AbortSignal | undefined) => {
    const { data } = await ask(order, "GET /operator/v1/Events", { signal, query: { pageSize: 1 } });
    return data.items[0]?.id ?? LOG_START;
  };
  return {
    list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Events", { signal, query }) as Listing<OwnedAccountEvent>,
    stream: (options = {}) =>
      streamEvents(order, options, {
        operation: "GET /operator/v1/Events/stream",
        findLastId,
      }) as AsyncGenerator<OwnedAccountEvent, void, void>,
  };
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
