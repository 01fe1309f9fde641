// Finds the config of an imported campaign by name: exactly one config must have the campaign's id in its name, as a
// word of its own, in any case.

import { CAMPAIGN_ID } from "./campaign.ts";

export type AutoLink =
  | { readonly outcome: "Linked"; readonly messagingConfigSid: string }
  | { readonly outcome: "NoMatch" | "SeveralMatches" };

export interface NamedConfig {
  readonly sid: string;
  readonly name: string;
}

export function autoLink(tcrCampaignId: string, unlinked: readonly NamedConfig[]): AutoLink {
  const [match, ...others] = unlinked.filter(({ name }) => hasWord(name, tcrCampaignId));
  if (!match) return { outcome: "NoMatch" };
  return others.length > 0 ? { outcome: "SeveralMatches" } : { outcome: "Linked", messagingConfigSid: match.sid };
}

export function hasWord(name: string, tcrCampaignId: string): boolean {
  return campaignIdsIn(name).includes(tcrCampaignId);
}

/** The words of a name that have the form of a campaign's id. */
export function campaignIdsIn(name: string): readonly string[] {
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter(isAscii);
  return words.map((word) => word.toUpperCase()).filter((word) => CAMPAIGN_ID.test(word));
}

/** Some other letters (ı, ſ) have ASCII upper-case forms, which would make an id of a word that is none. */
function isAscii(word: string): boolean {
  return /^[A-Za-z0-9]+$/.test(word);
}
