// Links configs and campaigns one to one. The side that is changed may give up its present link; the other side must be
// unlinked.

import { ok, type Result, refused } from "../../base/result.ts";
import { type SettleDeps, settleNumbers } from "../numbers/index.ts";
import { invalid, type Problem, problem } from "../problems.ts";
import type { Campaign } from "./campaign.ts";
import type { MessagingConfig } from "./messaging-config.ts";
import type { CampaignStore, MessagingConfigStore } from "./ports.ts";

export interface LinkDeps extends SettleDeps {
  readonly messagingConfigs: MessagingConfigStore;
  readonly campaigns: CampaignStore;
}

/** Why the config may not be linked to the campaign; undefined when it may. The caller holds the account's lock. */
export async function linkFault(
  { campaigns }: Pick<LinkDeps, "campaigns">,
  config: Pick<MessagingConfig, "sid" | "accountSid">,
  tcrCampaignId: string | null | undefined,
): Promise<Problem | undefined> {
  if (typeof tcrCampaignId !== "string") return undefined;
  const campaign = await campaigns.find(config.accountSid, tcrCampaignId);
  if (!campaign) return invalid({ tcrCampaignId: [`There is no campaign ${tcrCampaignId}.`] });
  const { messagingConfigSid: holder } = campaign;
  if (holder === null || holder === config.sid) return undefined;
  return problem("conflict", `${tcrCampaignId} is linked to ${holder}: unlink it there first.`);
}

/** Changes the config of a campaign; null unlinks. */
export async function linkCampaign(
  deps: LinkDeps,
  accountSid: string,
  tcrCampaignId: string,
  messagingConfigSid: string | null | undefined,
  now: Date,
): Promise<Result<Campaign, Problem>> {
  await deps.phones.lockAccount(accountSid);
  const campaign = await deps.campaigns.find(accountSid, tcrCampaignId);
  if (!campaign) return refused(problem("not-found"));
  if (messagingConfigSid === undefined || messagingConfigSid === campaign.messagingConfigSid) return ok(campaign);
  if (messagingConfigSid !== null) {
    const config = await deps.messagingConfigs.find(accountSid, messagingConfigSid);
    if (!config) {
      return refused(invalid({ messagingConfigSid: [`There is no MessagingConfig ${messagingConfigSid}.`] }));
    }
    if (config.tcrCampaignId !== null) {
      const advice = `${messagingConfigSid} is linked to ${config.tcrCampaignId}: unlink it there first.`;
      return refused(problem("conflict", advice));
    }
  }
  const sids = [campaign.messagingConfigSid, messagingConfigSid].filter((sid) => sid !== null);
  for (const sid of sids) {
    await deps.messagingConfigs.change(accountSid, sid, {
      tcrCampaignId: sid === messagingConfigSid ? tcrCampaignId : null,
    });
  }
  await settleNumbers(deps, accountSid, { messagingConfigSids: sids }, now);
  return ok({ ...campaign, messagingConfigSid });
}
