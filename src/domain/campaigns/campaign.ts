// A campaign as it was imported from the registry, or entered by the operator.

export const CAMPAIGN_STATUSES = ["Active", "Suspended", "Expired"] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** The source of its status: the registry, or the operator where the registry does not report it. */
export const CAMPAIGN_SOURCES = ["Registry", "Manual"] as const;
export type CampaignSource = (typeof CAMPAIGN_SOURCES)[number];

export const CAMPAIGN_ID = /^C[A-Z0-9]{6,7}$/;
export const CAMPAIGN_ID_WANTED = "A campaign's id is C followed by 6 or 7 letters and digits.";

/** What a mobile operator lets through, as the registry reports it; null where it does not. Shown, not enforced. */
export interface OperatorThroughput {
  readonly operator: string;
  readonly messageClass: string | null;
  readonly smsPerMinute: number | null;
  readonly mmsPerMinute: number | null;
  readonly brandTier: string | null;
}

export interface Campaign {
  readonly tcrCampaignId: string;
  readonly accountSid: string;
  readonly tcrBrandId: string;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly source: CampaignSource;
  readonly throughput: readonly OperatorThroughput[];
  readonly messagingConfigSid: string | null;
  readonly importedOn: Date;
}
