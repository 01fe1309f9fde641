// Campaigns as a table, for accounts and for the operator, who also sees whose each is.

import type { OwnedTcrCampaign, TcrCampaign } from "../../../../sdk/src/index.ts";
import { printTable } from "../../output.ts";

export function printCampaigns(items: readonly (TcrCampaign | OwnedTcrCampaign)[]): void {
  const isOwned = items.some((campaign) => "accountSid" in campaign);
  printTable(
    ["Campaign", "Brand", "Name", "Status", "Source", ...(isOwned ? ["Account"] : []), "Config", "Imported"],
    items.map((campaign) => [
      campaign.tcrCampaignId,
      campaign.tcrBrandId,
      campaign.name,
      campaign.status,
      campaign.source,
      ...("accountSid" in campaign ? [campaign.accountSid] : []),
      campaign.messagingConfigSid ?? "-",
      campaign.importedOn,
    ]),
  );
}
