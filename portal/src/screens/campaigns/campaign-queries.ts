// The queries of the campaign screens.

import type { Migration, PortOrder } from "@tandem/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { dataQuery, itemsQuery } from "../../api/queries.ts";

const ITEMS_MAX = 1000;
/** The newest orders of a migration, whose details are fetched. */
const ORDERS_MAX = 10;

export const campaignsQuery = itemsQuery(["campaigns", "all"], (options) =>
  client.campaigns.list({ pageSize: ITEMS_MAX, ...options }),
);

export const migrationsQuery = itemsQuery(["migrations", "all"], (options) =>
  client.migrations.list({ pageSize: ITEMS_MAX, ...options }),
);

export const phonesQuery = itemsQuery(["phones", "of-configs"], (options) =>
  client.phones.list({ pageSize: ITEMS_MAX, ...options }),
);

export const migrationQuery = (campaign: string) =>
  dataQuery(["migrations", "one", campaign], (options) => client.migrations.get(campaign, options));

/** Their dates, voice halves, and what the losing carrier asks. */
export const ordersQuery = (migration: Migration) => {
  const sids = migration.portOrders.map(({ sid }) => sid).slice(-ORDERS_MAX);
  return queryOptions({
    queryKey: ["ports", "of-migration", ...sids],
    queryFn: async ({ signal }): Promise<readonly PortOrder[]> =>
      Promise.all(sids.map(async (sid) => (await client.portIn.get(sid, { signal })).data)),
    placeholderData: keepPreviousData,
  });
};

/** What changes with a move: an event of it arrives later, or there is none. */
export const CAMPAIGN_NOUNS = ["campaigns", "migrations", "configs", "phones", "ports"];
