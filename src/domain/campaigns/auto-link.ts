// Which config an imported campaign belongs to, by the configs' names: the campaign's id must stand in the name as a word of its own,
// in any case, and in exactly one name.

export type AutoLink =
  | { readonly outcome: "Linked"; readonly messagingConfigSid: string }
  | { readonly outcome: "NoMatch" | "SeveralMatches" };

export interface NamedConfig {
  readonly sid: string;
  readonly name: string;
}

export function autoLink(tcrCampaignId: string, unlinked: readonly NamedConfig[]): AutoLink {
  const [match, ...others] = unlinked.filter(({ name }) => hasToken(name, tcrCampaignId));
  if (!match) return { outcome: "NoMatch" };
  return others.length > 0 ? { outcome: "SeveralMatches" } : { outcome: "Linked", messagingConfigSid: match.sid };
}

function hasToken(name: string, id: string): boolean {
  return name.split(/[^\p{L}\p{M}\p{N}]+/u).some((token) => isAscii(token) && token.toUpperCase() === id);
}

/** Others have upper-case forms that look like an id without being one (ı, ſ). */
function isAscii(token: string): boolean {
  return /^[A-Za-z0-9]+$/.test(token);
}
