// Which config an imported campaign belongs to, by the configs' names: the campaign's id must stand in the name as a word of its own,
// in any case, and in exactly one name.

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

/** The words of a name that could be campaigns' ids. */
export function campaignIdsIn(name: string): readonly string[] {
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter(isAscii);
  return words.map((word) => word.toUpperCase()).filter((word) => CAMPAIGN_ID.test(word));
}

/** Others have upper-case forms that look like an id without being one (ı, ſ). */
function isAscii(word: string): boolean {
  return /^[A-Za-z0-9]+$/.test(word);
}
