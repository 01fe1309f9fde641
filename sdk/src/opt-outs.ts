// Opt-outs: people who do not want messages from a number or a campaign.

import type { ListOptOutsQuery, OptOut, OptOutOrder } from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type Listing, listing } from "./page.ts";

export type OptOutListOptions = ListOptOutsQuery & CallOptions;

export interface OptOuts {
  list(options?: OptOutListOptions): Listing<OptOut>;
  /** Status 201 when it is new, 200 when it was there already. */
  create(optOut: OptOutOrder, options?: WriteOptions): Promise<Answer<OptOut>>;
  /** Opts a number in again. */
  remove(optOut: OptOutOrder, options?: CallOptions): Promise<Answer<undefined>>;
}

export function optOutsOf(order: ClientOrder): OptOuts {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /v1/OptOuts", { signal, query }),
    create: (body, options) => ask(order, "POST /v1/OptOuts", { ...options, body }),
    // Picks the members, because an OptOut from a list has more of them.
    remove: ({ number, scopeType, scope }, options) =>
      ask(order, "DELETE /v1/OptOuts", { ...options, query: { number, scopeType, scope } }),
  };
}
