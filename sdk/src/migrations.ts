// Migrations: the whole move of a campaign and its numbers.

import { type Answer, ask, type CallOptions, type ClientOrder } from "./exchange.ts";
import { type PageOptions, pageQuery } from "./page.ts";
import type { Migration, MigrationSummary } from "./porting-types.ts";
import type { ListAnswer } from "./types.ts";

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

const PATH = "/v1/Migrations";

export function migrationsOf(order: ClientOrder): Migrations {
  return {
    list: ({ signal, ...page } = {}) =>
      ask(order, { ...(signal && { signal }), method: "GET", path: PATH, query: pageQuery(page) }),
    get: (id, { numbers, ...options } = {}) =>
      ask(order, {
        ...options,
        method: "GET",
        path: `${PATH}/${encodeURIComponent(id)}`,
        query: { Numbers: numbers?.join(",") || undefined },
      }),
  };
}
