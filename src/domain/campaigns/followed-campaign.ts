// A campaign that the registry has shown us, from the first word of it on: where it stands, whose it is, and when the registry is to be
// asked about it again. What happens to it there is told to us, but may be lost: so nothing is left unasked for good while it may change.

import { backoffMs } from "../../base/backoff.ts";
import type { Campaign } from "./campaign.ts";

/**
 * Unknown: not asked about yet. NotOurs: never came, or went elsewhere. AwaitingUs: shared with us. AwaitingUpstream: we accepted, the
 * partner above us or the operators did not yet. The last three are ends of a migration that came to nothing.
 */
export const CAMPAIGN_STANDINGS = [
  "Unknown",
  "NotOurs",
  "AwaitingUs",
  "AwaitingUpstream",
  "Ours",
  "Declined",
  "Cancelled",
  "Expired",
] as const;
export type CampaignStanding = (typeof CAMPAIGN_STANDINGS)[number];

export interface StandingUpdate {
  readonly standing: CampaignStanding;
  /** Of a migration that came to nothing. */
  readonly reason: string | null;
}

/** What the registry says of the campaign itself. */
export type CampaignFacts = Pick<Campaign, "tcrBrandId" | "name" | "status" | "throughput">;

export interface FollowedCampaign extends StandingUpdate {
  readonly tcrCampaignId: string;
  /** Whom it is imported for; null while nobody can tell. */
  readonly accountSid: string | null;
  readonly standingSince: Date;
  /** Null before the registry told them; of one that is not ours yet, as far as its lists do. */
  readonly facts: CampaignFacts | null;
  readonly seenOn: Date;
}

/** A campaign that the registry is asked about by one at a time, for a while. */
export interface CampaignClaim extends FollowedCampaign {
  readonly claimedUntil: Date;
  /** How often in a row it could not be told how it stands. */
  readonly failures: number;
}

/** A config in whose name the id stands, if perhaps inside a longer word. */
export interface NamingConfig {
  readonly accountSid: string;
  readonly name: string;
  /** Whether campaigns may be migrated to its account. */
  readonly mayMigrate: boolean;
}

/** The operator's word, or the test kit's. */
export interface Assignment {
  readonly tcrCampaignId: string;
  readonly accountSid: string;
  /** Our id at the registry; without one only a campaign that is known can be assigned. */
  readonly cnpId: string | null;
}

const SETTLED_TURNS = 60;
/** Six doublings: every minute becomes every 64 minutes. */
const RETRY_TURNS_MAX = 64;
const ENDED_MS_MAX = 30 * 24 * 3_600_000;

/**
 * How long until the registry is asked again without being prompted; undefined: not any more. What is under way is asked about every
 * `everyMs`, and the longer it lasts the more rarely; what came to nothing may be begun anew for a month.
 */
export function nextAskMs(
  { standing, accountSid, standingSince }: Pick<FollowedCampaign, "standing" | "accountSid" | "standingSince">,
  now: Date,
  everyMs: number,
): number | undefined {
  const settledMs = everyMs * SETTLED_TURNS;
  if (standing === "Ours" && accountSid !== null) return settledMs;
  const lastedMs = now.getTime() - standingSince.getTime();
  const isUnderWay = ["Unknown", "AwaitingUs", "AwaitingUpstream", "Ours"].includes(standing);
  if (!isUnderWay && lastedMs > ENDED_MS_MAX) return undefined;
  return Math.min(Math.max(everyMs, lastedMs / 10), settledMs);
}

/** How long until a campaign is asked about again of which nothing sensible was answered. */
export function retryAskMs(failures: number, everyMs: number): number {
  return backoffMs({ msMin: everyMs, msMax: everyMs * RETRY_TURNS_MAX }, failures + 1);
}
