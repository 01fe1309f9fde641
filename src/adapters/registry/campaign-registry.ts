// What is asked of the campaign registry, in our words. RegistryClient answers it; whoever needs a part of it names that part as a port
// of its own.

import type { Result } from "../../base/result.ts";

/** One operator's suspension suspends the campaign: what each of them says is among its `operators`. */
export type RegistryCampaignStatus = "Active" | "Suspended" | "Expired";

/** The chain of connectivity partners that carries a campaign's traffic, and the one that a migration prepares. */
export type Chain = "primary" | "provisional";

/** What a mobile operator lets through, as far as the registry states it. */
export interface OperatorTerms {
  /** The registry's id of the operator: 10017 is AT&T, 10035 is T-Mobile. */
  readonly operatorId: string;
  readonly operator: string;
  /** REGISTERED, REVIEW, REJECTED or SUSPENDED; operators need not report. */
  readonly operationStatus?: string;
  readonly messageClass?: string;
  readonly smsPerMinute?: number;
  readonly mmsPerMinute?: number;
  /** The daily allowance of a brand at T-Mobile. The registry publishes no list of the words. */
  readonly brandTier?: string;
  readonly qualifies?: boolean;
}

interface CampaignFacts {
  readonly tcrCampaignId: string;
  readonly tcrBrandId: string;
  /** The registry names no campaign: the beginning of its description, else its use case. */
  readonly name: string;
  readonly description: string;
  readonly usecase: string;
  readonly chain: Chain;
}

export interface RegistryCampaign extends CampaignFacts {
  readonly status: RegistryCampaignStatus;
  readonly operators: readonly OperatorTerms[];
}

/** As a list shows it: what the operators say takes asking for the one campaign. */
export interface SharedCampaign extends CampaignFacts {
  readonly status: "Active" | "Expired";
  /** Pending: it waits for us. */
  readonly sharing: "Pending" | "Accepted";
}

export interface Sweep {
  /** Of the registry's dates only this one can be asked for; what was shared earlier and settled later shows in a full sweep alone. */
  readonly sharedSince?: Date;
  readonly position?: SweepPosition;
}

export interface SweepPosition {
  readonly view: number;
  readonly page: number;
}

export interface SweepPage {
  readonly items: readonly SharedCampaign[];
  /** Absent on the last page. */
  readonly next?: SweepPosition;
}

/** Where a campaign stands between its owner and us. */
export type Standing =
  | { readonly kind: "notOurs" }
  | { readonly kind: "awaitingUs" }
  /** We accepted; the partner above us, or the operators' elections, are still to come. */
  | { readonly kind: "awaitingUpstream" }
  | { readonly kind: "ours" }
  | { readonly kind: "declined"; readonly by: "us" | "upstream"; readonly decline: Decline }
  | { readonly kind: "cancelled"; readonly reason: string }
  | { readonly kind: "expired"; readonly expiredOn: Date };

export const REJECTION_CATEGORIES = [
  "BRAND_INCONSISTENCIES",
  "CALL_TO_ACTION",
  "CAMPAIGN_DESCRIPTION_OR_ATTRIBUTES",
  "DISALLOWED_CONTENT",
  "MANDATORY_MESSAGE_TERMINOLOGY",
  "PRIVACY_POLICY",
  "SAMPLE_MESSAGE",
  "TERMS_AND_CONDITIONS",
  "OTHER",
] as const;

export type RejectionCategory = (typeof REJECTION_CATEGORIES)[number];

export interface Decline {
  /** Those the registry knows today are REJECTION_CATEGORIES. */
  readonly categories: readonly string[];
  readonly explanation: string;
}

export interface RegistryError {
  readonly code: number;
  readonly description: string;
  readonly fields: readonly string[];
}

export type RefusalReason =
  | "not-the-owner"
  | "invalid-parameter"
  | "not-found"
  | "account-inactive"
  | "campaign-expired"
  | "declined-upstream"
  | "loop-in-chain"
  | "not-for-mock"
  | "pending-in-original-chain"
  | "operation-declined"
  | "other";

export type RegistryFailure =
  /** The registry will not do this, now or later. */
  | { readonly kind: "refused"; readonly reason: RefusalReason; readonly errors: readonly RegistryError[] }
  /** Our key or secret is wrong. */
  | { readonly kind: "unauthorized"; readonly detail: string }
  /** Nothing is known of the outcome; asking again later may succeed. */
  | {
      readonly kind: "unavailable";
      readonly why: "unreachable" | "timeout" | "rate-limited" | "failing" | "unreadable" | "closed";
      readonly detail: string;
      readonly retryAfterMs?: number;
    };

export type RegistryAnswer<Value> = Result<Value, RegistryFailure>;

/** Every answer comes within the deadline that was set, and whatever the registry does is an answer: nothing throws. */
export interface CampaignRegistry {
  /** A page of the campaigns that were shared with us, by an ordinary share or by a migration, and that we did not decline. */
  campaignsForUs(sweep?: Sweep): Promise<RegistryAnswer<SweepPage>>;
  campaign(tcrCampaignId: string): Promise<RegistryAnswer<RegistryCampaign>>;
  standing(tcrCampaignId: string): Promise<RegistryAnswer<Standing>>;
  /** Accepts a share by passing it on to the partner above us. Doing it twice is doing it once. */
  accept(tcrCampaignId: string): Promise<RegistryAnswer<Standing>>;
  decline(
    tcrCampaignId: string,
    decline: { readonly categories: readonly RejectionCategory[]; readonly explanation: string },
  ): Promise<RegistryAnswer<Standing>>;
  /** Has the events of campaigns sent to this URL. */
  ensureSubscription(endpoint: string): Promise<RegistryAnswer<"kept" | "made">>;
  /** Without it no migration to us can be started, accepted or declined. */
  ensureMigrationSupported(): Promise<RegistryAnswer<"kept" | "switchedOn">>;
}
