// Migrations: the progress of moving a campaign and its numbers to us.

import type { Migration, MigrationSummary } from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder } from "./exchange.ts";
import { type Listing, listing, type PageOptions } from "./page.ts";

export interface MigrationOptions extends CallOptions {
  /** Numbers that you may port in: the findings then say whether they look portable. */
  readonly numbers?: readonly string[];
}

export interface Migrations {
  /** In the order of the campaigns' ids. */
  list(options?: PageOptions): Listing<MigrationSummary>;
  /** Only reads: nothing is submitted to the registry. */
  get(tcrCampaignId: string, options?: MigrationOptions): Promise<Answer<Migration>>;
}

export function migrationsOf(order: ClientOrder): Migrations {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /v1/Migrations", { signal, query }),
    get: (tcrCampaignId, { numbers = [], signal } = {}) =>
      ask(order, "GET /v1/Migrations/{tcrCampaignId}", {
        signal,
        params: { tcrCampaignId },
        query: numbers.length === 0 ? {} : { numbers: numbers.join(",") },
      }),
  };
}
