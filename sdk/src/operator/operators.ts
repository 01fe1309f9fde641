// The operators' own tokens, and the log of what was done with them.

import type {
  AuditEntry,
  ListAuditLogQuery,
  NewOperatorToken,
  OperatorToken,
  OperatorTokenOrder,
} from "../api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "../exchange.ts";
import { type Listing, listing } from "../page.ts";

export type AuditListOptions = ListAuditLogQuery & CallOptions;

export interface OperatorTokens {
  /** Names and roles; a token is shown once, when it is made. */
  list(options?: CallOptions): Listing<OperatorToken>;
  /** `support` reads, `admin` does everything. */
  create(token: OperatorTokenOrder, options?: WriteOptions): Promise<Answer<NewOperatorToken>>;
  remove(name: string, options?: CallOptions): Promise<Answer<undefined>>;
}

export function operatorTokensOf(order: ClientOrder): OperatorTokens {
  return {
    list: (options) => listing(order, "GET /operator/v1/Tokens", { ...options }),
    create: (body, options) => ask(order, "POST /operator/v1/Tokens", { ...options, body }),
    remove: (name, options) => ask(order, "DELETE /operator/v1/Tokens/{name}", { ...options, params: { name } }),
  };
}

/** What operators did. */
export interface AuditLog {
  list(options?: AuditListOptions): Listing<AuditEntry>;
}

export function auditLogOf(order: ClientOrder): AuditLog {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /operator/v1/AuditLog", { signal, query }),
  };
}
