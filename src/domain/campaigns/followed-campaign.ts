// A campaign of the registry that we follow from the first time it is listed or notified: its standing, its account,
// and when to ask the registry about it again. Notifications may be lost, so every campaign that may still change is
// polled.

import { backoffMs } from "../../base/backoff.ts";
import type { Campaign } from "./campaign.ts";

/**
 * Unknown: not asked about yet. NotOurs: never shared with us, or moved to another partner. AwaitingUs: shared with us.
 * AwaitingUpstream: we accepted it, our upstream partner or the operators have not yet. The last three are failed
 * migrations.
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
  /** Why a migration failed. */
  readonly reason: string | null;
}

/** What the registry reports about the campaign itself. */
export type CampaignFacts = Pick<Campaign, "tcrBrandId" | "name" | "status" | "throughput">;

export interface FollowedCampaign extends StandingUpdate {
  readonly tcrCampaignId: string;
  /** The account it is imported for; null while that is unknown. */
  readonly accountSid: string | null;
  readonly standingSince: Date;
  /** Null until the registry reports them; before the campaign is ours, only as much as the lists show. */
  readonly facts: CampaignFacts | null;
  readonly seenOn: Date;
}

/** A campaign leased to one process, which asks the registry about it. */
export interface CampaignClaim extends FollowedCampaign {
  readonly claimedUntil: Date;
  /** How many times in a row the registry gave no usable answer. */
  readonly failures: number;
}

/** A config whose name contains the id, perhaps inside a longer word. */
export interface NamingConfig {
  readonly accountSid: string;
  readonly name: string;
  /** Whether its account has the campaignMigration feature. */
  readonly mayMigrate: boolean;
}

/** The assignment of a campaign to an account, by the operator or the test kit. */
export interface Assignment {
  readonly tcrCampaignId: string;
  readonly accountSid: string;
  /** Our id at the registry; null allows only campaigns that are known already. */
  readonly cnpId: string | null;
}

const SETTLED_INTERVALS = 60;
/** Six doublings: every minute becomes every 64 minutes. */
const RETRY_INTERVALS_MAX = 64;
const ENDED_MS_MAX = 30 * 24 * 3_600_000;

/**
 * The time until the next poll of the registry; undefined: no more polls. A campaign under way is polled every
 * `everyMs` at first, and less often the longer it takes; a failed migration is polled for a month, as it may be
 * started again.
 */
export function nextAskMs(
  { standing, accountSid, standingSince }: Pick<FollowedCampaign, "standing" | "accountSid" | "standingSince">,
  now: Date,
  everyMs: number,
): number | undefined {
  const settledMs = everyMs * SETTLED_INTERVALS;
  if (standing === "Ours" && accountSid !== null) return settledMs;
  const lastedMs = now.getTime() - standingSince.getTime();
  const isUnderWay = ["Unknown", "AwaitingUs", "AwaitingUpstream", "Ours"].includes(standing);
  if (!isUnderWay && lastedMs > ENDED_MS_MAX) return undefined;
  return Math.min(Math.max(everyMs, lastedMs / 10), settledMs);
}

/** The time until the next poll after the registry gave no usable answer. */
export function retryAskMs(failures: number, everyMs: number): number {
  return backoffMs({ msMin: everyMs, msMax: everyMs * RETRY_INTERVALS_MAX }, failures + 1);
}
