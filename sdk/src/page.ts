// Pages of a list: ask for the next one with the `searchId` of the one before.

import type { ListWebhooksQuery } from "./api.generated.ts";
import type { CallOptions } from "./exchange.ts";

/** The options of every list. */
export type PageOptions = Pick<ListWebhooksQuery, "pageSize" | "searchId" | "orderByDirection"> & CallOptions;

/** The answer of every list. */
export interface ListAnswer<Item> {
  readonly items: readonly Item[];
  /** Ask for the next page with it; absent on the last. */
  readonly searchId?: string;
}
