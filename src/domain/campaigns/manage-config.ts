// Makes, changes and deletes MessagingConfigs, and assigns numbers to them.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Assigned, addToConfig, type SettleDeps, settleNumbers, takeFromConfig } from "../numbers/index.ts";
import { type Problem, problem } from "../problems.ts";
import { campaignIdsIn } from "./auto-link.ts";
import { type LinkDeps, linkFault } from "./link.ts";
import type { MessagingConfig } from "./messaging-config.ts";
import type { ConfigChange, FollowedCampaignStore, MessagingConfigStore } from "./ports.ts";

export interface ConfigDeps extends LinkDeps {
  /** A new name may decide which account a campaign belongs to. */
  readonly followedCampaigns: Pick<FollowedCampaignStore, "wake">;
}

export async function makeConfig(deps: ConfigDeps, config: MessagingConfig): Promise<Result<MessagingConfig, Problem>> {
  await deps.phones.lockAccount(config.accountSid);
  const fault = await linkFault(deps, config, config.tcrCampaignId);
  if (fault) return refused(fault);
  await deps.messagingConfigs.insert(config);
  await deps.followedCampaigns.wake(campaignIdsIn(config.name), config.createdOn);
  return ok(config);
}

/** Changes only the given members; the status of its numbers follows. */
export async function changeConfig(
  deps: ConfigDeps,
  accountSid: string,
  sid: string,
  change: ConfigChange,
  now: Date,
): Promise<Result<MessagingConfig, Problem>> {
  await deps.phones.lockAccount(accountSid);
  const before = await deps.messagingConfigs.find(accountSid, sid);
  if (!before) return refused(problem("not-found"));
  const fault = await linkFault(deps, before, change.tcrCampaignId);
  if (fault) return refused(fault);
  await deps.messagingConfigs.change(accountSid, sid, change);
  if (change.name !== undefined) await deps.followedCampaigns.wake(campaignIdsIn(change.name), now);
  if (change.tcrCampaignId !== undefined) {
    await settleNumbers(deps, accountSid, { messagingConfigSids: [sid] }, now);
  }
  const after = await deps.messagingConfigs.find(accountSid, sid);
  return after ? ok(after) : refused(problem("not-found"));
}

export async function deleteConfig(
  deps: Pick<LinkDeps, "phones" | "messagingConfigs">,
  accountSid: string,
  sid: string,
): Promise<Result<undefined, Problem>> {
  await deps.phones.lockAccount(accountSid);
  if (!(await deps.messagingConfigs.find(accountSid, sid))) return refused(problem("not-found"));
  if (await deps.phones.isConfigUsed(sid)) {
    return refused(problem("conflict", "Numbers belong to it: take them out with PATCH …/deletePhones first."));
  }
  await deps.messagingConfigs.remove(accountSid, sid);
  return ok(undefined);
}

export interface PhonesOrder {
  readonly accountSid: string;
  readonly sid: string;
  readonly numbers: readonly string[];
  readonly change: "add" | "delete";
}

export async function assignPhones(
  deps: SettleDeps & { readonly messagingConfigs: MessagingConfigStore },
  { accountSid, sid, numbers, change }: PhonesOrder,
  now: Date,
): Promise<Result<Assigned, Problem>> {
  await deps.phones.lockAccount(accountSid);
  if (!(await deps.messagingConfigs.find(accountSid, sid))) return refused(problem("not-found"));
  const assign = change === "add" ? addToConfig : takeFromConfig;
  return ok(await assign(deps, accountSid, sid, numbers, now));
}
