// Campaigns as text, for accounts and for the operator, who also sees whose each is.

import type { OwnedTcrCampaign, TcrCampaign } from "../../../../sdk/src/index.ts";
import { print, printFields, printTable } from "../../output.ts";

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

export function printCampaign(campaign: TcrCampaign | OwnedTcrCampaign): void {
  printFields({
    Campaign: campaign.tcrCampaignId,
    Brand: campaign.tcrBrandId,
    Name: campaign.name,
    Status: campaign.status,
    Source: campaign.source,
    ...("accountSid" in campaign && { Account: campaign.accountSid }),
    Config: campaign.messagingConfigSid,
    Imported: campaign.importedOn,
  });
  if (campaign.throughput.length === 0) return;
  print("\n");
  printTable(
    ["Operator", "Class", "SMS a minute", "MMS a minute", "Tier"],
    campaign.throughput.map((each) =>
      [each.operator, each.messageClass, each.smsPerMinute, each.mmsPerMinute, each.brandTier].map((cell) =>
        String(cell ?? "-"),
      ),
    ),
  );
}
