// Pages of a list: ask for the next one with the `searchId` of the one before.

import type { Call, CallOptions } from "./exchange.ts";

export interface PageOptions extends CallOptions {
  /** 1 to 1000; 50 unless told. */
  readonly pageSize?: number;
  readonly searchId?: string;
  /** Newest first unless told. */
  readonly orderByDirection?: "Ascending" | "Descending";
}

export function pageQuery({ orderByDirection, pageSize, searchId }: PageOptions): NonNullable<Call["query"]> {
  return { PageSize: pageSize, SearchId: searchId, OrderByDirection: orderByDirection };
}
