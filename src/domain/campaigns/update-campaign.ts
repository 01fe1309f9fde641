// Updates an imported campaign with what the registry or the operator reports. A change of its status emits an event
// and updates the numbers of its config.

import type { NewEvent } from "../events.ts";
import { settleNumbers } from "../numbers/index.ts";
import type { Campaign, CampaignStatus } from "./campaign.ts";
import type { LinkDeps } from "./link.ts";
import type { CampaignChange } from "./ports.ts";

/** False when nothing changed. The caller holds the account's lock. */
export async function updateCampaign(
  deps: LinkDeps,
  { accountSid, tcrCampaignId }: Pick<Campaign, "accountSid" | "tcrCampaignId">,
  change: CampaignChange,
  now: Date,
): Promise<boolean> {
  const before = await deps.campaigns.find(accountSid, tcrCampaignId);
  if (!before || !(await deps.campaigns.update(tcrCampaignId, change))) return false;
  const { status = before.status } = change;
  if (status === before.status) return true;
  await deps.outbox.emit([statusChanged(before, status)], now);
  if (before.messagingConfigSid !== null) {
    await settleNumbers(deps, accountSid, { messagingConfigSids: [before.messagingConfigSid] }, now);
  }
  return true;
}

function statusChanged(
  { accountSid, tcrCampaignId, status: previous, messagingConfigSid }: Campaign,
  status: CampaignStatus,
): NewEvent<"TcrCampaignStatusChanged"> {
  return {
    accountSid,
    type: "TcrCampaignStatusChanged",
    resourceSid: tcrCampaignId,
    ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
    fields: {
      TcrCampaignId: tcrCampaignId,
      Status: status,
      PreviousStatus: previous,
      MessagingConfigSid: messagingConfigSid,
    },
  };
}
