// Finds the account of a campaign that was shared with us. The registry does not know it: it knows partners, not their
// customers. The account is the one that has the campaign's id as a word in the name of a config or, where no account
// has that, inside a longer word; if no account or several have it, the operator assigns the campaign.

import { ok, type Result, refused } from "../../base/result.ts";
import type { AccountStore } from "../accounts/index.ts";
import { invalid, type Problem, problem } from "../problems.ts";
import { hasWord } from "./auto-link.ts";
import type { Campaign } from "./campaign.ts";
import type { Assignment, FollowedCampaign, NamingConfig } from "./followed-campaign.ts";
import { importCampaign, moveCampaign } from "./import-campaign.ts";
import type { LinkDeps } from "./link.ts";
import type { FollowedCampaignStore } from "./ports.ts";

/**
 * The configs whose names show the campaign's account. Ids have seven or eight characters, so one may lie inside
 * another: a name that merely contains the id counts only where no account has the whole word.
 */
export function configsTelling<Config extends NamingConfig>(
  tcrCampaignId: string,
  configs: readonly Config[],
): readonly Config[] {
  const words = configs.filter(({ name }) => hasWord(name, tcrCampaignId));
  return words.length > 0 ? words : configs.filter(({ name }) => name.includes(tcrCampaignId));
}

/** The distinct accounts with a config whose name shows the campaign's account. */
export function accountsNaming(tcrCampaignId: string, configs: readonly NamingConfig[]): readonly string[] {
  return [...new Set(configsTelling(tcrCampaignId, configs).map(({ accountSid }) => accountSid))];
}

/** The one account that names the campaign and may have it; undefined when there is none, or more than one. */
export function ownerByName(tcrCampaignId: string, configs: readonly NamingConfig[]): string | undefined {
  const telling = configsTelling(tcrCampaignId, configs).filter(({ mayMigrate }) => mayMigrate);
  const [owner, ...others] = new Set(telling.map(({ accountSid }) => accountSid));
  return others.length === 0 ? owner : undefined;
}

export interface AssignDeps extends LinkDeps {
  readonly accounts: Pick<AccountStore, "find">;
  readonly followedCampaigns: FollowedCampaignStore;
}

/**
 * Assigns a campaign to an account, also before the campaign is ours. One that is ours is imported immediately; one
 * that was imported for another account is moved.
 */
export async function assignCampaign(
  deps: AssignDeps,
  order: Assignment,
  now: Date,
): Promise<Result<FollowedCampaign, Problem>> {
  const { tcrCampaignId, accountSid } = order;
  if (!(await deps.accounts.find(accountSid))) {
    return refused(invalid({ accountSid: [`There is no account ${accountSid}.`] }));
  }
  const owner = await deps.campaigns.ownerOf(tcrCampaignId);
  // Sorted, so that two assignments of the same accounts cannot deadlock.
  for (const sid of [...new Set([owner ?? accountSid, accountSid])].sort()) await deps.phones.lockAccount(sid);
  const followed = await deps.followedCampaigns.assign(order, now);
  if (owner !== undefined && owner !== accountSid) {
    const moved = await moveCampaign(deps, owner, order, now);
    if (!moved.ok) return moved;
  } else if (owner === undefined && followed?.standing === "Ours" && followed.facts) {
    const facts = { ...followed.facts, source: "Registry" } as const;
    const imported = await importCampaign(deps, { ...facts, tcrCampaignId, accountSid, importedOn: now });
    if (!imported.ok) return imported;
  }
  if (followed) return ok(followed);
  const kept = await deps.campaigns.find(accountSid, tcrCampaignId);
  return kept ? ok(unfollowed(kept)) : refused(problem("not-found"));
}

/** A campaign that is kept by hand and that no registry has shown us. */
function unfollowed({ tcrCampaignId, accountSid, importedOn, ...facts }: Campaign): FollowedCampaign {
  const since = { standingSince: importedOn, seenOn: importedOn };
  return { tcrCampaignId, accountSid, standing: "Unknown", reason: null, facts, ...since };
}
