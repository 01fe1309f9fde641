// A campaign's chain of shares, from its owner up to the DCA: the registry's "campaign connectivity chain".

import type { CampaignRecord, Share } from "./records.ts";

export interface Decline {
  readonly categories: readonly string[];
  readonly explanation: string;
}

export function newShare(
  [downstreamCnpId, upstreamCnpId]: readonly [string, string],
  sharingStatus: "PENDING" | "ACCEPTED",
  { cnpMigration, now }: { readonly cnpMigration: boolean; readonly now: string },
): Share {
  return {
    downstreamCnpId,
    upstreamCnpId,
    sharingStatus,
    rejectionCategory: [],
    explanation: "",
    sharedDate: now,
    statusDate: now,
    cnpMigration,
  };
}

export function acceptShare(share: Share, now: string): void {
  share.sharingStatus = "ACCEPTED";
  share.statusDate = now;
}

export function declineShare(share: Share, { categories, explanation }: Decline, now: string): void {
  share.sharingStatus = "DECLINED";
  share.rejectionCategory = [...categories];
  share.explanation = explanation;
  share.statusDate = now;
}

/** The chain in which the campaign is shared with the partner. Prefers the provisional one, which awaits an action. */
export function chainWith({ primary, provisional }: CampaignRecord, cnpId: string): Share[] | undefined {
  return [provisional, primary].find((chain) => shareWith(chain, cnpId) !== undefined);
}

export function shareWith(chain: readonly Share[], cnpId: string): Share | undefined {
  return chain.find(({ upstreamCnpId }) => upstreamCnpId === cnpId);
}

export function shareBy(chain: readonly Share[], cnpId: string): Share | undefined {
  return chain.find(({ downstreamCnpId }) => downstreamCnpId === cnpId);
}

export function partiesOf(chain: readonly Share[]): ReadonlySet<string> {
  return new Set(chain.flatMap(({ downstreamCnpId, upstreamCnpId }) => [downstreamCnpId, upstreamCnpId]));
}
