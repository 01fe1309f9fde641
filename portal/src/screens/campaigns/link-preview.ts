// Predicts automatic linking from the names of configs: the exact id, anywhere in the name of an unlinked config; one
// match is linked, several matches are not. The server decides; this only shows it beforehand.

import type { MessagingConfig } from "@tandem/sdk";

export type NamedConfig = Pick<MessagingConfig, "sid" | "name" | "tcrCampaignId">;

export interface LinkLine {
  readonly config: NamedConfig;
  readonly verdict: "linked" | "match" | "several" | "otherCase" | "taken";
}

/** Configs that name the campaign, or nearly. */
export function linkLines(campaign: string, configs: readonly NamedConfig[]): readonly LinkLine[] {
  if (campaign === "") return [];
  const near = configs.filter(
    ({ name, tcrCampaignId }) => tcrCampaignId === campaign || name.toUpperCase().includes(campaign.toUpperCase()),
  );
  const isMatch = (config: NamedConfig) => config.tcrCampaignId === null && config.name.includes(campaign);
  const matches = near.filter(isMatch).length;
  const isLinked = near.some(({ tcrCampaignId }) => tcrCampaignId === campaign);
  return near.map((config) => {
    if (config.tcrCampaignId === campaign) return { config, verdict: "linked" };
    if (config.tcrCampaignId !== null) return { config, verdict: "taken" };
    if (!isMatch(config)) return { config, verdict: "otherCase" };
    return { config, verdict: matches > 1 || isLinked ? "several" : "match" };
  });
}
