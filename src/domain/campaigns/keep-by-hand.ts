// Campaigns kept by the operator, where no registry reports their status. Entering one is an import, and a change has
// the same effects and events as a change by the registry. While a registry is connected, no campaign can be entered,
// and only the registry changes those that it has reported as ours.

import { ok, type Result, refused } from "../../base/result.ts";
import { invalid, type Problem, problem } from "../problems.ts";
import type { Campaign } from "./campaign.ts";
import { type AssignDeps, assignCampaign, ownerByName } from "./campaign-owner.ts";
import type { Assignment, CampaignFacts } from "./followed-campaign.ts";
import { importCampaign } from "./import-campaign.ts";
import { updateCampaign } from "./update-campaign.ts";

export interface RegistryTerms {
  /** Whether the registry is asked about campaigns. */
  readonly hasRegistry: boolean;
  /** Our id at the registry; null without one. */
  readonly cnpId: string | null;
}

export interface EnteredCampaign extends Pick<Campaign, "tcrCampaignId" | "tcrBrandId" | "name"> {
  /** By default the account that was assigned, or else the one whose config names it, as for an import. */
  readonly accountSid: string | undefined;
}

export async function enterCampaign(
  deps: AssignDeps,
  { tcrCampaignId, tcrBrandId, name, accountSid: given }: EnteredCampaign,
  { hasRegistry }: RegistryTerms,
  now: Date,
): Promise<Result<Campaign, Problem>> {
  if (hasRegistry) {
    const advice = `A campaign registry is connected: ${tcrCampaignId} comes from there, and can be assigned.`;
    return refused(problem("conflict", advice));
  }
  const accountSid = given ?? (await accountNaming(deps, tcrCampaignId));
  if (accountSid === undefined) {
    return refused(invalid({ accountSid: [`Say whose it is: not one account alone names ${tcrCampaignId}.`] }));
  }
  if (!(await deps.accounts.find(accountSid))) {
    return refused(invalid({ accountSid: [`There is no account ${accountSid}.`] }));
  }
  await deps.phones.lockAccount(accountSid);
  const owner = await deps.campaigns.ownerOf(tcrCampaignId);
  if (owner !== undefined) return refused(problem("conflict", `${tcrCampaignId} is here already, for ${owner}.`));
  const facts = { tcrBrandId, name, status: "Active", throughput: [] } as const;
  return importCampaign(deps, { ...facts, tcrCampaignId, accountSid, source: "Manual", importedOn: now });
}

async function accountNaming(
  { followedCampaigns }: Pick<AssignDeps, "followedCampaigns">,
  tcrCampaignId: string,
): Promise<string | undefined> {
  const followed = await followedCampaigns.find(tcrCampaignId);
  return followed?.accountSid ?? ownerByName(tcrCampaignId, await followedCampaigns.configsNaming(tcrCampaignId));
}

export interface CampaignOrder {
  /** The account to move it to. */
  readonly accountSid?: string | undefined;
  readonly status?: CampaignFacts["status"] | undefined;
  readonly tcrBrandId?: string | undefined;
  readonly name?: string | undefined;
}

export async function changeCampaign(
  deps: AssignDeps,
  tcrCampaignId: string,
  { accountSid, ...change }: CampaignOrder,
  { hasRegistry, cnpId }: RegistryTerms,
  now: Date,
): Promise<Result<Campaign, Problem>> {
  const owner = await deps.campaigns.ownerOf(tcrCampaignId);
  if (owner === undefined) return refused(problem("not-found"));
  const order: Assignment = { tcrCampaignId, accountSid: accountSid ?? owner, cnpId };
  if (accountSid !== undefined) {
    const assigned = await assignCampaign(deps, order, now);
    if (!assigned.ok) return assigned;
  }
  await deps.phones.lockAccount(order.accountSid);
  const campaign = await deps.campaigns.find(order.accountSid, tcrCampaignId);
  if (!campaign) return refused(problem("conflict", `${tcrCampaignId} has just been moved: look again.`));
  if (Object.values(change).every((value) => value === undefined)) return ok(campaign);
  if (hasRegistry && campaign.source === "Registry") {
    return refused(problem("conflict", `The campaign registry says how ${tcrCampaignId} stands: change it there.`));
  }
  await updateCampaign(deps, campaign, { ...change, source: "Manual" }, now);
  const changed = await deps.campaigns.find(order.accountSid, tcrCampaignId);
  return ok(changed ?? campaign);
}
