// Imports a campaign into an account: stores it, links it to the config that its id names, and emits one event.
// Importing the same campaign again changes nothing.

import { ok, type Result, refused } from "../../base/result.ts";
import type { NewEvent } from "../events.ts";
import { settleNumbers } from "../numbers/index.ts";
import { type Problem, problem } from "../problems.ts";
import { type AutoLink, autoLink } from "./auto-link.ts";
import type { Campaign } from "./campaign.ts";
import type { LinkDeps } from "./link.ts";

export type NewCampaign = Omit<Campaign, "messagingConfigSid">;

export async function importCampaign(deps: LinkDeps, order: NewCampaign): Promise<Result<Campaign, Problem>> {
  const { accountSid, tcrCampaignId, importedOn: now } = order;
  await deps.phones.lockAccount(accountSid);
  if (!(await deps.campaigns.insert({ ...order, messagingConfigSid: null }))) {
    const known = await deps.campaigns.find(accountSid, tcrCampaignId);
    return known ? ok(known) : refused(problem("conflict", `${tcrCampaignId} belongs to another account.`));
  }
  const link = autoLink(tcrCampaignId, await deps.messagingConfigs.unlinkedNaming(accountSid, tcrCampaignId));
  const messagingConfigSid = link.outcome === "Linked" ? link.messagingConfigSid : null;
  await deps.outbox.emit([imported(order, messagingConfigSid, link.outcome)], now);
  if (messagingConfigSid !== null) {
    await deps.messagingConfigs.change(accountSid, messagingConfigSid, { tcrCampaignId });
    await settleNumbers(deps, accountSid, { messagingConfigSids: [messagingConfigSid] }, now);
  }
  return ok({ ...order, messagingConfigSid });
}

function imported(
  { accountSid, tcrCampaignId, tcrBrandId }: NewCampaign,
  messagingConfigSid: string | null,
  outcome: AutoLink["outcome"],
): NewEvent<"TcrCampaignImported"> {
  return {
    accountSid,
    type: "TcrCampaignImported",
    resourceSid: tcrCampaignId,
    ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
    fields: {
      TcrCampaignId: tcrCampaignId,
      TcrBrandId: tcrBrandId,
      MessagingConfigSid: messagingConfigSid,
      LinkOutcome: outcome,
    },
  };
}
