// Accounts as the operator sees them: making and changing them, their tokens, and the features they ask for.

import type {
  Account,
  AccountChange,
  AccountOrder,
  FeatureDecision,
  FeatureRequest,
  ListFeatureRequestsQuery,
  NewAccount,
  NewToken,
  TokenOrder,
} from "../api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "../exchange.ts";
import { type Listing, listing, type PageOptions } from "../page.ts";

export type FeatureRequestListOptions = ListFeatureRequestsQuery & CallOptions;

export interface Accounts {
  list(options?: PageOptions): Listing<Account>;
  get(sid: string, options?: CallOptions): Promise<Answer<Account>>;
  /** With its first token, which is shown once. */
  create(order: AccountOrder, options?: WriteOptions): Promise<Answer<NewAccount>>;
  /** Name, status, features, limits, countries: only the members given. */
  change(sid: string, change: AccountChange, options?: CallOptions): Promise<Answer<Account>>;
  /** Makes a second token, which is shown once; refused when there are two already. `signs`: a signing token. */
  createToken(sid: string, order?: TokenOrder, options?: WriteOptions): Promise<Answer<NewToken>>;
  /** `n`: the token's place, 1 or 2. */
  deleteToken(sid: string, n: number, options?: CallOptions): Promise<Answer<undefined>>;
  /** From now on this signing token signs, and not the older one. */
  promoteToken(sid: string, n: number, options?: WriteOptions): Promise<Answer<undefined>>;
}

export function accountsOf(order: ClientOrder): Accounts {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /operator/v1/Accounts", { signal, query }),
    get: (sid, options) => ask(order, "GET /operator/v1/Accounts/{sid}", { ...options, params: { sid } }),
    create: (body, options) => ask(order, "POST /operator/v1/Accounts", { ...options, body }),
    change: (sid, body, options) =>
      ask(order, "PATCH /operator/v1/Accounts/{sid}", { ...options, params: { sid }, body }),
    createToken: (sid, body = {}, options = {}) =>
      ask(order, "POST /operator/v1/Accounts/{sid}/tokens", { ...options, params: { sid }, body }),
    deleteToken: (sid, n, options) =>
      ask(order, "DELETE /operator/v1/Accounts/{sid}/tokens/{n}", { ...options, params: { sid, n: String(n) } }),
    promoteToken: (sid, n, options) =>
      ask(order, "POST /operator/v1/Accounts/{sid}/tokens/{n}/promote", { ...options, params: { sid, n: String(n) } }),
  };
}

/** What accounts have asked for. */
export interface FeatureRequests {
  list(options?: FeatureRequestListOptions): Listing<FeatureRequest>;
  decide(sid: string, status: FeatureDecision["status"], options?: CallOptions): Promise<Answer<FeatureRequest>>;
}

export function featureRequestsOf(order: ClientOrder): FeatureRequests {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /operator/v1/FeatureRequests", { signal, query }),
    decide: (sid, status, options) =>
      ask(order, "PATCH /operator/v1/FeatureRequests/{sid}", { ...options, params: { sid }, body: { status } }),
  };
}
