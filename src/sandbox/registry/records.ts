// The simulated registry's campaign records, their documents in the API and its errors, with the names and shapes of
// the public API. The state file is read with the same schemas.

import { z } from "zod";

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

/** How the DCA or the customer ends a migration. */
export const OUTCOMES = ["accept", "decline", "expire", "cancel"] as const;
export type MigrationOutcome = (typeof OUTCOMES)[number];

const share = z.object({
  downstreamCnpId: z.string(),
  upstreamCnpId: z.string(),
  sharingStatus: z.enum(["PENDING", "ACCEPTED", "DECLINED"]),
  rejectionCategory: z.array(z.string()),
  explanation: z.string(),
  sharedDate: z.string(),
  statusDate: z.string(),
  cnpMigration: z.boolean(),
});

const migration = z.object({
  status: z.enum(["ACTIVE", "COMPLETED", "CANCELLED"]),
  cancellationReason: z.string().nullable(),
  expirationDate: z.string(),
  createDate: z.string(),
  initiator: z.string(),
  upstreamCnpId: z.string(),
  outcome: z.enum(OUTCOMES),
  rejectionCategory: z.enum(REJECTION_CATEGORIES),
});

export const campaignRecord = z.object({
  campaignId: z.string(),
  cspId: z.string(),
  brandId: z.string(),
  status: z.enum(["ACTIVE", "EXPIRED"]),
  createDate: z.string(),
  /** By operator. */
  operations: z.record(z.string(), z.enum(["REGISTERED", "REVIEW", "REJECTED", "SUSPENDED"])),
  /** Shares from the campaign's owner upwards. */
  primary: z.array(share),
  provisional: z.array(share),
  migration: migration.nullable(),
  /** When the next simulated step is due, in milliseconds. */
  dueMs: z.number().nullable(),
});

export type Share = z.output<typeof share>;
export type CampaignRecord = z.output<typeof campaignRecord>;

export interface ApiError {
  readonly code: number;
  readonly description: string;
  readonly fields: readonly string[];
}

const DESCRIPTIONS = {
  500: "Authentication error. Requestor is not the owner.",
  501: "Invalid input parameter.",
  502: "Record not found.",
  518: "Campaign is expired.",
  523: "Loop has been detected in the campaign connectivity chain.",
  592: "Operation declined.",
} as const;

export function apiError(
  code: keyof typeof DESCRIPTIONS,
  fields: readonly string[] = [],
  why = "",
): readonly ApiError[] {
  return [{ code, description: `${DESCRIPTIONS[code]}${why && ` ${why}`}`, fields }];
}

export const AT_AND_T = "10017";
export const T_MOBILE = "10035";
export const OPERATORS = { [AT_AND_T]: "AT&T", [T_MOBILE]: "T-Mobile" };

/** GET /partnerCampaign/{campaignId} and the records of a search. */
export function campaignDocument(campaign: CampaignRecord): object {
  const { campaignId, brandId, status, createDate } = campaign;
  return {
    campaignId,
    status,
    createDate,
    brandId,
    usecase: "MIXED",
    subUsecases: ["ACCOUNT_NOTIFICATION", "CUSTOMER_CARE"],
    description: `Order updates and customer care of brand ${brandId}, sent to customers who asked for them.`,
    subscriberOptin: true,
    subscriberOptout: true,
    subscriberHelp: true,
    directLending: false,
    numberPool: false,
    embeddedLink: false,
    embeddedPhone: false,
    termsAndConditions: true,
    ageGated: false,
    sample1: "Your order has left the warehouse and arrives tomorrow. Reply STOP to opt out.",
    sample2: "An agent has answered your question, see your account. Reply HELP for help.",
    messageFlow: "Customers tick a box at checkout and confirm by text before the first message is sent.",
    helpMessage: "Call the number on your bill or reply STOP to opt out.",
    optinKeywords: "START",
    optoutKeywords: "STOP,END,QUIT",
    helpKeywords: "HELP,INFO",
    optinMessage: "You get order updates now. Reply STOP to opt out.",
    optoutMessage: "You get no more messages from us.",
  };
}

/** GET …/mnoMetadata: the terms of a mixed campaign of a brand without vetting. */
export function operatorTerms(): object {
  const terms = {
    minMsgSamples: 1,
    reqSubscriberOptout: true,
    reqSubscriberHelp: true,
    reqSubscriberOptin: true,
    noEmbeddedPhone: false,
    noEmbeddedLink: false,
    mnoReview: false,
    mnoSupport: true,
    qualify: true,
  };
  return {
    [AT_AND_T]: { ...terms, mno: OPERATORS[AT_AND_T], msgClass: "F", tpm: 240, mmsTpm: 150 },
    [T_MOBILE]: { ...terms, mno: OPERATORS[T_MOBILE], brandTier: "TOP" },
  };
}
