// Refused requests of the last 7 days, by trace or request id, and what became of any request.

import type { ListRequestsQuery, RefusedRequest, RequestOutcome } from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder } from "./exchange.ts";
import { type Listing, listing } from "./page.ts";

export type RequestListOptions = ListRequestsQuery & CallOptions;

export interface Requests {
  list(options?: RequestListOptions): Listing<RefusedRequest>;
  /** What it made, and how it was refused, by `X-Request-Id`, the `traceId` of a refusal or a sid. */
  get(requestId: string, options?: CallOptions): Promise<Answer<RequestOutcome>>;
}

export function requestsOf(order: ClientOrder): Requests {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /v1/Requests", { signal, query }),
    get: (requestId, options) => ask(order, "GET /v1/Requests/{requestId}", { ...options, params: { requestId } }),
  };
}
