// The queries of the campaign screens.

import type { MessagingConfig, Migration, Phone, PortOrder } from "@tandem/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";

const ITEMS_MAX = 1000;
/** The newest orders of a migration, whose details are fetched. */
const ORDERS_MAX = 10;

export const campaignsQuery = queryOptions({
  queryKey: ["campaigns", "all"],
  queryFn: async ({ signal }) => (await client.campaigns.list({ pageSize: ITEMS_MAX, signal })).data.items,
});

export const migrationsQuery = queryOptions({
  queryKey: ["migrations", "all"],
  queryFn: async ({ signal }) => (await client.migrations.list({ pageSize: ITEMS_MAX, signal })).data.items,
});

export const configsQuery = queryOptions({
  queryKey: ["configs", "all"],
  queryFn: async ({ signal }): Promise<readonly MessagingConfig[]> =>
    (await client.messagingConfigs.list({ pageSize: ITEMS_MAX, signal })).data.items,
});

export const phonesQuery = queryOptions({
  queryKey: ["phones", "of-configs"],
  queryFn: async ({ signal }): Promise<readonly Phone[]> =>
    (await client.phones.list({ pageSize: ITEMS_MAX, signal })).data.items,
});

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: async ({ signal }) => (await client.account.get({ signal })).data,
});

export const migrationQuery = (campaign: string) =>
  queryOptions({
    queryKey: ["migrations", "one", campaign],
    queryFn: async ({ signal }): Promise<Migration> => (await client.migrations.get(campaign, { signal })).data,
  });

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

/** Called after this page changed something: its event arrives later, or there is none. */
export function refreshCampaigns(): void {
  for (const noun of ["campaigns", "migrations", "configs", "phones", "ports", "attention"]) {
    void queries.invalidateQueries({ queryKey: [noun] });
  }
}
