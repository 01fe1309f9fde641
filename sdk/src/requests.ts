// Refused requests of the last 7 days, by trace or request id.

import type { ListRequestsQuery, RefusedRequest } from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder } from "./exchange.ts";
import type { ListAnswer } from "./page.ts";

export type RequestListOptions = ListRequestsQuery & CallOptions;

export interface Requests {
  list(options?: RequestListOptions): Promise<Answer<ListAnswer<RefusedRequest>>>;
}

export function requestsOf(order: ClientOrder): Requests {
  return {
    list: ({ signal, ...query } = {}) => ask(order, "GET /v1/Requests", { signal, query }),
  };
}
