// Campaigns: MessagingConfigs, migrations, and the registry that campaigns are imported from, where there is one.

import { campaignOperations } from "../../adapters/http/routes/campaigns/campaigns.ts";
import {
  type MessagingConfigRouteDeps,
  messagingConfigOperations,
} from "../../adapters/http/routes/campaigns/messaging-configs.ts";
import { type MigrationRouteDeps, migrationOperations } from "../../adapters/http/routes/campaigns/migrations.ts";
import {
  type OperatorCampaignDeps,
  operatorCampaignOperations,
} from "../../adapters/http/routes/campaigns/operator-campaigns.ts";
import type { Lookups } from "../../adapters/http/routes/lookup/lookup.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import { followRegistry } from "./registry.ts";

export const campaignsApi: Api<MessagingConfigRouteDeps & MigrationRouteDeps & OperatorCampaignDeps> = {
  account: [...messagingConfigOperations, ...campaignOperations, ...migrationOperations],
  operator: operatorCampaignOperations,
};

export function openCampaigns(context: Context, lookups: Lookups): Part {
  const { ids, config, outside, upstreamCnpId, supportContact } = context;
  // A sandbox always has a registry; a process without the role `worker` does not open the simulated one itself.
  const hasRegistry = config.sandbox || outside.registry?.apiKey !== undefined;
  const operations = servedApi(campaignsApi, { ids, lookups, upstreamCnpId, hasRegistry, supportContact });
  return { name: "campaigns", operations, ...followRegistry(context) };
}
