// The numbers that accounts can have, and what lookups of a number answer by the operator's word.

import type {
  InventoryAdded,
  InventoryNumber,
  InventoryOrder,
  ListInventoryQuery,
  LookupOverride,
  LookupOverrideOrder,
  NumberAssignment,
  Phone,
} from "../api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "../exchange.ts";
import { type Listing, listing, type PageOptions } from "../page.ts";

export type InventoryListOptions = ListInventoryQuery & CallOptions;

/** The numbers that accounts can have. */
export interface Inventory {
  list(options?: InventoryListOptions): Listing<InventoryNumber>;
  /** All or none. */
  add(order: InventoryOrder, options?: WriteOptions): Promise<Answer<InventoryAdded>>;
  /** Gives a number to an account, as if the account had taken it. */
  assign(number: string, assignment: NumberAssignment, options?: WriteOptions): Promise<Answer<Phone>>;
  remove(number: string, options?: CallOptions): Promise<Answer<undefined>>;
}

export function inventoryOf(order: ClientOrder): Inventory {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /operator/v1/Numbers", { signal, query }),
    add: (body, options) => ask(order, "POST /operator/v1/Numbers", { ...options, body }),
    assign: (number, body, options) =>
      ask(order, "POST /operator/v1/Numbers/{number}/assign", { ...options, params: { number }, body }),
    remove: (number, options) => ask(order, "DELETE /operator/v1/Numbers/{number}", { ...options, params: { number } }),
  };
}

/** What lookups of a number answer, whatever else is known of it. */
export interface LookupOverrides {
  list(options?: PageOptions): Listing<LookupOverride>;
  get(number: string, options?: CallOptions): Promise<Answer<LookupOverride>>;
  put(number: string, override: LookupOverrideOrder, options?: CallOptions): Promise<Answer<LookupOverride>>;
  remove(number: string, options?: CallOptions): Promise<Answer<undefined>>;
}

export function lookupOverridesOf(order: ClientOrder): LookupOverrides {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /operator/v1/LookupOverrides", { signal, query }),
    get: (number, options) =>
      ask(order, "GET /operator/v1/LookupOverrides/{number}", { ...options, params: { number } }),
    put: (number, body, options) =>
      ask(order, "PUT /operator/v1/LookupOverrides/{number}", { ...options, params: { number }, body }),
    remove: (number, options) =>
      ask(order, "DELETE /operator/v1/LookupOverrides/{number}", { ...options, params: { number } }),
  };
}
