// Campaigns with everything they need: MessagingConfigs, migrations, and the registry that campaigns come from, where
// there is one.

import { campaignOperations } from "../../adapters/http/routes/campaigns/campaigns.ts";
import {
  type MessagingConfigRouteDeps,
  messagingConfigOperations,
} from "../../adapters/http/routes/campaigns/messaging-configs.ts";
import { type MigrationRouteDeps, migrationOperations } from "../../adapters/http/routes/campaigns/migrations.ts";
import { operatorCampaignOperations } from "../../adapters/http/routes/campaigns/operator-campaigns.ts";
import type { Lookups } from "../../adapters/http/routes/lookup/lookup.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import { openRegistry } from "./registry.ts";

export const campaignsApi: Api<MessagingConfigRouteDeps & MigrationRouteDeps> = {
  account: [...messagingConfigOperations(), ...campaignOperations(), ...migrationOperations()],
  operator: operatorCampaignOperations(),
};

export function openCampaigns(context: Context, lookups: Lookups): Part {
  const { config, outside, ids } = context;
  const { TANDEM_SUPPORT_CONTACT: supportContact } = config.settings;
  const upstreamCnpId = outside.registry?.upstreamCnpId ?? null;
  const operations = servedApi(campaignsApi, { ids, lookups, upstreamCnpId, supportContact });
  return { operations, ...openRegistry(context) };
}
