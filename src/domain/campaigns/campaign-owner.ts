// Finds the account of a campaign that was shared with us. The registry does not know it: it knows partners, not their
// customers. The account is the one that has the campaign's id in the name of a config; if no account or several have
// it, the operator assigns the campaign.

import { ok, type Result, refused } from "../../base/result.ts";
import type { AccountStore } from "../accounts/index.ts";
import { invalid, type Problem, problem } from "../problems.ts";
import { hasWord } from "./auto-link.ts";
import type { Assignment, FollowedCampaign, NamingConfig } from "./followed-campaign.ts";
import { importCampaign } from "./import-campaign.ts";
import type { LinkDeps } from "./link.ts";
import type { FollowedCampaignStore } from "./ports.ts";

/** The distinct accounts with a config that names the campaign. */
export function accountsNaming(tcrCampaignId: string, configs: readonly NamingConfig[]): readonly string[] {
  return [...new Set(configs.filter(({ name }) => hasWord(name, tcrCampaignId)).map(({ accountSid }) => accountSid))];
}

/** The one account that names the campaign and may have it; undefined when there is none, or more than one. */
export function ownerByName(tcrCampaignId: string, configs: readonly NamingConfig[]): string | undefined {
  const [owner, ...others] = accountsNaming(
    tcrCampaignId,
    configs.filter(({ mayMigrate }) => mayMigrate),
  );
  return others.length === 0 ? owner : undefined;
}

export interface AssignDeps extends LinkDeps {
  readonly accounts: Pick<AccountStore, "find">;
  readonly followedCampaigns: FollowedCampaignStore;
}

/** Assigns a campaign to an account, also before the campaign is ours. One that is ours is imported at once. */
export async function assignCampaign(
  deps: AssignDeps,
  order: Assignment,
  now: Date,
): Promise<Result<FollowedCampaign, Problem>> {
  const { tcrCampaignId, accountSid } = order;
  if (!(await deps.accounts.find(accountSid))) {
    return refused(invalid({ accountSid: [`There is no account ${accountSid}.`] }));
  }
  await deps.phones.lockAccount(accountSid);
  const owner = await deps.campaigns.ownerOf(tcrCampaignId);
  if (owner !== undefined && owner !== accountSid) {
    return refused(problem("conflict", `${tcrCampaignId} has been imported for ${owner}.`));
  }
  const campaign = await deps.followedCampaigns.assign(order, now);
  if (!campaign) return refused(problem("not-found"));
  if (campaign.standing === "Ours" && campaign.facts) {
    const imported = await importCampaign(deps, { ...campaign.facts, tcrCampaignId, accountSid, importedOn: now });
    if (!imported.ok) return imported;
  }
  return ok(campaign);
}
