// Who does not want to hear from a number or a campaign.

import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import type { OptOut, OptOutOrder, ScopeType } from "./messaging-types.ts";
import { type PageOptions, pageQuery } from "./page.ts";
import type { ListAnswer } from "./types.ts";

export interface OptOutListOptions extends PageOptions {
  readonly number?: string;
  readonly scopeType?: ScopeType;
  readonly scope?: string;
}

export interface OptOuts {
  list(options?: OptOutListOptions): Promise<Answer<ListAnswer<OptOut>>>;
  /** Status 201 when it is new, 200 when it was there already. */
  create(optOut: OptOutOrder, options?: WriteOptions): Promise<Answer<OptOut>>;
  /** Opts a number in again. */
  remove(optOut: OptOutOrder, options?: CallOptions): Promise<Answer<undefined>>;
}

const PATH = "/v1/OptOuts";

export function optOutsOf(order: ClientOrder): OptOuts {
  return {
    list: ({ signal, ...options } = {}) =>
      ask(order, {
        ...(signal && { signal }),
        method: "GET",
        path: PATH,
        query: {
          ...pageQuery(options),
          Number: options.number,
          ScopeType: options.scopeType,
          Scope: options.scope,
        },
      }),
    create: (body, options) => ask(order, { ...options, method: "POST", path: PATH, body }),
    remove: ({ number, scope, scopeType }, options) =>
      ask(order, {
        ...options,
        method: "DELETE",
        path: PATH,
        query: { Number: number, ScopeType: scopeType, Scope: scope },
      }),
  };
}
