// Migrations: the whole move of a campaign and its numbers.

import type { Migration, MigrationSummary } from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder } from "./exchange.ts";
import type { ListAnswer, PageOptions } from "./page.ts";

export interface MigrationOptions extends CallOptions {
  /** Numbers that you think of porting in: whether they look portable is among the findings then. */
  readonly numbers?: readonly string[];
}

export interface Migrations {
  /** By the campaigns' ids. */
  list(options?: PageOptions): Promise<Answer<ListAnswer<MigrationSummary>>>;
  /** Nothing is submitted by asking. */
  get(tcrCampaignId: string, options?: MigrationOptions): Promise<Answer<Migration>>;
}

export function migrationsOf(order: ClientOrder): Migrations {
  return {
    list: ({ signal, ...query } = {}) => ask(order, "GET /v1/Migrations", { signal, query }),
    get: (tcrCampaignId, { numbers = [], signal } = {}) =>
      ask(order, "GET /v1/Migrations/{tcrCampaignId}", {
        signal,
        params: { tcrCampaignId },
        query: numbers.length === 0 ? {} : { numbers: numbers.join(",") },
      }),
  };
}
