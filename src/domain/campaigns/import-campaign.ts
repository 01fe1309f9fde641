// Imports a campaign into an account: stores it, links it to the config whose name has its id, and emits one event.
// Importing the same campaign again changes nothing. An imported campaign may be moved to another account.

import { ok, type Result, refused } from "../../base/result.ts";
import type { NewEvent } from "../events.ts";
import { settleNumbers } from "../numbers/index.ts";
import { type Problem, problem } from "../problems.ts";
import { type AutoLink, autoLink, otherCaseHint } from "./auto-link.ts";
import type { Campaign } from "./campaign.ts";
import type { Assignment } from "./followed-campaign.ts";
import { type LinkDeps, linkCampaign } from "./link.ts";

export type NewCampaign = Omit<Campaign, "messagingConfigSid">;

export async function importCampaign(deps: LinkDeps, order: NewCampaign): Promise<Result<Campaign, Problem>> {
  const { accountSid, tcrCampaignId } = order;
  await deps.phones.lockAccount(accountSid);
  if (!(await deps.campaigns.insert({ ...order, messagingConfigSid: null }))) {
    const known = await deps.campaigns.find(accountSid, tcrCampaignId);
    return known ? ok(known) : refused(problem("conflict", `${tcrCampaignId} belongs to another account.`));
  }
  return ok(await linkByName(deps, order));
}

/** Unlinks it in the account that has it, and imports it for the other. The caller holds the locks of both accounts. */
export async function moveCampaign(
  deps: LinkDeps,
  owner: string,
  { tcrCampaignId, accountSid }: Pick<Assignment, "tcrCampaignId" | "accountSid">,
  now: Date,
): Promise<Result<Campaign, Problem>> {
  const unlinked = await linkCampaign(deps, owner, tcrCampaignId, null, now);
  if (!unlinked.ok) return refused(problem("conflict", `${tcrCampaignId} has just been moved: look again.`));
  const change = { accountSid, importedOn: now };
  await deps.campaigns.update(tcrCampaignId, change);
  return ok(await linkByName(deps, { ...unlinked.value, ...change }));
}

async function linkByName(deps: LinkDeps, order: NewCampaign): Promise<Campaign> {
  const { accountSid, tcrCampaignId, importedOn: now } = order;
  const link = autoLink(tcrCampaignId, await deps.messagingConfigs.unlinkedNaming(accountSid, tcrCampaignId));
  const messagingConfigSid = link.outcome === "Linked" ? link.messagingConfigSid : null;
  await deps.outbox.emit([imported(order, link, messagingConfigSid)], now);
  if (messagingConfigSid !== null) {
    await deps.messagingConfigs.change(accountSid, messagingConfigSid, { tcrCampaignId });
    await settleNumbers(deps, accountSid, { messagingConfigSids: [messagingConfigSid] }, now);
  }
  return { ...order, messagingConfigSid };
}

function imported(
  { accountSid, tcrCampaignId, tcrBrandId }: NewCampaign,
  link: AutoLink,
  messagingConfigSid: string | null,
): NewEvent<"TcrCampaignImported"> {
  const isSlip = link.outcome === "NoMatch" && link.otherCase.length > 0;
  return {
    accountSid,
    type: "TcrCampaignImported",
    resourceSid: tcrCampaignId,
    ...(messagingConfigSid === null ? {} : { messagingConfigSid }),
    fields: {
      TcrCampaignId: tcrCampaignId,
      TcrBrandId: tcrBrandId,
      MessagingConfigSid: messagingConfigSid,
      LinkOutcome: link.outcome,
      ...(isSlip ? { LinkHint: otherCaseHint(tcrCampaignId, link.otherCase) } : {}),
    },
  };
}
