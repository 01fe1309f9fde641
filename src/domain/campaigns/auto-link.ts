// Finds the config of an imported campaign by name: exactly one config must have the campaign's id anywhere in its
// name, also inside a longer word, in the same case.

import { CAMPAIGN_ID } from "./campaign.ts";

export type AutoLink =
  | { readonly outcome: "Linked"; readonly messagingConfigSid: string }
  | { readonly outcome: "SeveralMatches" }
  /** `otherCase`: configs whose names contain the id only in another case, probably a typing error. */
  | { readonly outcome: "NoMatch"; readonly otherCase: readonly string[] };

export interface NamedConfig {
  readonly sid: string;
  readonly name: string;
}

export function autoLink(tcrCampaignId: string, unlinked: readonly NamedConfig[]): AutoLink {
  const [match, ...others] = unlinked.filter(({ name }) => name.includes(tcrCampaignId));
  if (match) {
    return others.length > 0 ? { outcome: "SeveralMatches" } : { outcome: "Linked", messagingConfigSid: match.sid };
  }
  const slips = unlinked.filter(({ name }) => hasInOtherCase(name, tcrCampaignId));
  return { outcome: "NoMatch", otherCase: slips.map(({ sid }) => sid) };
}

/** Whether the id is in the name, but only in another case. */
export function hasInOtherCase(name: string, tcrCampaignId: string): boolean {
  return !name.includes(tcrCampaignId) && asciiUpperCase(name).includes(tcrCampaignId);
}

/** Only ASCII letters: some others (ı, ſ) have ASCII upper-case forms, which could turn a word into an id. */
function asciiUpperCase(name: string): string {
  return name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

export function otherCaseHint(tcrCampaignId: string, sids: readonly string[]): string {
  return `The name of ${sids.join(", ")} has ${tcrCampaignId} in another case, which is no match.`;
}

/** Whether the id is a word of its own in the name. */
export function hasWord(name: string, tcrCampaignId: string): boolean {
  return name.split(/[^\p{L}\p{M}\p{N}]+/u).includes(tcrCampaignId);
}

const ID_LENGTHS = [7, 8];

/** Everything in a name that has the form of a campaign's id, also inside longer words. */
export function campaignIdsIn(name: string): readonly string[] {
  const starts = [...name.matchAll(/C/g)].map(({ index }) => index);
  const parts = starts.flatMap((start) => ID_LENGTHS.map((length) => name.slice(start, start + length)));
  return [...new Set(parts)].filter((part) => CAMPAIGN_ID.test(part));
}
