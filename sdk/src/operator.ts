// A client for the operator of the service.

import type {
  InventoryAdded,
  InventoryNumber,
  InventoryOrder,
  ListInventoryQuery,
  NumberAssignment,
  Phone,
} from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import type { ListAnswer } from "./page.ts";

/** `token`: one of the operator's. */
export type OperatorOrder = Omit<ClientOrder, "accountSid">;
export type InventoryListOptions = ListInventoryQuery & CallOptions;

/** The numbers that accounts can have. */
export interface Inventory {
  list(options?: InventoryListOptions): Promise<Answer<ListAnswer<InventoryNumber>>>;
  /** All or none. */
  add(order: InventoryOrder, options?: WriteOptions): Promise<Answer<InventoryAdded>>;
  /** Gives a number to an account, as if the account had taken it. */
  assign(number: string, assignment: NumberAssignment, options?: WriteOptions): Promise<Answer<Phone>>;
  remove(number: string, options?: CallOptions): Promise<Answer<undefined>>;
}

export interface OperatorClient {
  readonly numbers: Inventory;
}

export function createOperatorClient(operator: OperatorOrder): OperatorClient {
  const order = { ...operator, accountSid: "operator" };
  return {
    numbers: {
      list: ({ signal, ...query } = {}) => ask(order, "GET /operator/v1/Numbers", { signal, query }),
      add: (body, options) => ask(order, "POST /operator/v1/Numbers", { ...options, body }),
      assign: (number, body, options) =>
        ask(order, "POST /operator/v1/Numbers/{number}/assign", { ...options, params: { number }, body }),
      remove: (number, options) =>
        ask(order, "DELETE /operator/v1/Numbers/{number}", { ...options, params: { number } }),
    },
  };
}
