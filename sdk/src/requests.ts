// Refused requests of the last 7 days, by trace or request id.

import type { ListRequestsQuery, RefusedRequest } from "./api.generated.ts";
import type { CallOptions, ClientOrder } from "./exchange.ts";
import { type Listing, listing } from "./page.ts";

export type RequestListOptions = ListRequestsQuery & CallOptions;

export interface Requests {
  list(options?: RequestListOptions): Listing<RefusedRequest>;
}

export function requestsOf(order: ClientOrder): Requests {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /v1/Requests", { signal, query }),
  };
}
