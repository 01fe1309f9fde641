// The shapes of port orders and migrations, as api/tandem.json describes them (a test holds the two together).

import type { CampaignStatus, Phone, PhoneStatus } from "./messaging-types.ts";
import type { PhoneType } from "./types.ts";

export const PORT_ORDER_STATUSES = [
  "Submitted",
  "Exception",
  "FocConfirmed",
  "Completed",
  "PartiallyCompleted",
  "Cancelled",
  "Failed",
] as const;
export type PortOrderStatus = (typeof PORT_ORDER_STATUSES)[number];

export const PORT_NUMBER_STATUSES = [
  "Submitted",
  "Exception",
  "FocConfirmed",
  "Activating",
  "Completed",
  "PartiallyCompleted",
  "Cancelled",
  "Failed",
] as const;
export type PortNumberStatus = (typeof PORT_NUMBER_STATUSES)[number];

export const SUBSCRIBER_TYPES = ["Business", "Individual"] as const;

export interface PortPhone {
  readonly number: string;
  /** The transfer PIN. Never shown. */
  readonly pin?: string | null;
}

export interface PortSubscriber {
  readonly type: (typeof SUBSCRIBER_TYPES)[number];
  /** As on the losing carrier's record. */
  readonly name: string;
  readonly authorizedPerson: string;
}

export interface PortServiceAddress {
  readonly street: string;
  readonly street2?: string | null;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
  /** Two letters. */
  readonly country: string;
}

/** What the losing carrier compares with its records. Only the members given are changed, in an answer to an exception. */
export interface PortAnswer {
  readonly phones?: readonly PortPhone[];
  readonly losingCarrier?: string | null;
  readonly accountNumber?: string;
  readonly billingTelephoneNumber?: string | null;
  readonly subscriber?: PortSubscriber;
  readonly serviceAddress?: PortServiceAddress;
  /** A day, or a moment. */
  readonly requestedOn?: string | null;
  readonly customerReference?: string | null;
}

export interface PortInOrder extends PortAnswer {
  readonly messagingConfigSid: string;
  /** 1 to 100. */
  readonly phones: readonly PortPhone[];
  readonly accountNumber: string;
  readonly subscriber: PortSubscriber;
  readonly serviceAddress: PortServiceAddress;
}

/** The letter can be had before there is a MessagingConfig. */
export type PortLetterOrder = Omit<PortInOrder, "messagingConfigSid"> & { readonly messagingConfigSid?: string | null };

/** A letter of authorization: PDF, JPEG, PNG or TIFF, 10 MiB at most. */
export interface PortFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface OrderedPort {
  readonly sid: string;
  readonly status: PortOrderStatus;
  readonly phones: readonly Phone[];
}

export interface PortOrderNumber {
  readonly number: string;
  readonly status: PortNumberStatus;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  /** The date the losing carrier has agreed to. */
  readonly focOn: string | null;
  readonly voiceMovedOn: string | null;
  readonly messagingMovedOn: string | null;
}

export interface PortDocument {
  readonly place: number;
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly pageCount: number;
  readonly sha256: string;
  readonly createdOn: string;
}

export interface PortOrder {
  readonly sid: string;
  readonly status: PortOrderStatus;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  /** Of an exception: the members that may put it right. */
  readonly answerWith: readonly string[];
  readonly messagingConfigSid: string;
  readonly numbers: readonly PortOrderNumber[];
  readonly losingCarrier: string | null;
  readonly accountNumber: string;
  readonly billingTelephoneNumber: string | null;
  readonly subscriber: PortSubscriber;
  readonly serviceAddress: PortServiceAddress;
  readonly requestedOn: string | null;
  readonly customerReference: string | null;
  readonly documents: readonly PortDocument[];
  /** Whoever carries the order out has it. */
  readonly submitted: boolean;
  readonly cancelRequestedOn: string | null;
  /** What was asked for last and not granted. */
  readonly refused: {
    readonly what: "answer" | "cancel";
    readonly reasonCode: string | null;
    readonly reason: string | null;
  } | null;
  readonly createdOn: string;
  readonly updatedOn: string;
}

export interface Portability {
  readonly number: string;
  readonly portable: boolean;
  /** Why not. */
  readonly reason: string | null;
  readonly type: PhoneType;
  readonly losingCarrier: string | null;
  /** Members of the order that its carrier will look at. */
  readonly needs: readonly string[];
}

export const MIGRATION_STATUSES = ["Planned", "UnderWay", "Blocked", "Completed", "PartiallyCompleted"] as const;
export type MigrationStatus = (typeof MIGRATION_STATUSES)[number];

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

export interface MigrationRegistry {
  readonly standing: CampaignStanding;
  /** Of a migration that came to nothing. */
  readonly reason: string | null;
  readonly since: string;
  readonly seenOn: string;
}

export interface MigrationBlocker {
  readonly code: string;
  readonly says: string;
  readonly todo: string;
  /** Those it is about; none when it is about the whole. */
  readonly numbers: readonly string[];
}

export interface MigrationNextStep {
  readonly who: "You" | "Support" | "Us" | "Registry" | "LosingCarrier";
  readonly says: string;
}

export interface MigrationNumberCount {
  readonly status: PhoneStatus;
  readonly count: number;
}

export interface MigrationSummary {
  readonly tcrCampaignId: string;
  readonly status: MigrationStatus;
  /** Nothing was submitted yet. */
  readonly dryRun: boolean;
  /** Our id at the registry, for its migrateCnp. */
  readonly upstreamCnpId: string | null;
  readonly registry: MigrationRegistry | null;
  /** The config that it sends by, or will. */
  readonly messagingConfigSid: string | null;
  readonly linked: boolean;
  readonly numberCounts: readonly MigrationNumberCount[];
  readonly blockers: readonly MigrationBlocker[];
  /** What can go on at the same time; none when all is done. */
  readonly nextSteps: readonly MigrationNextStep[];
}

export interface MigrationPreflightFinding {
  readonly check: "Feature" | "Registry" | "Owner" | "Config" | "Number";
  readonly number: string | null;
  readonly passed: boolean;
  readonly says: string;
}

export interface MigrationCampaign {
  readonly tcrBrandId: string;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly messagingConfigSid: string | null;
  readonly importedOn: string;
}

export interface MigrationConfig {
  readonly sid: string;
  readonly name: string;
  readonly tcrCampaignId: string | null;
}

export interface MigrationPortOrder {
  readonly sid: string;
  readonly status: PortOrderStatus;
  readonly reason: string | null;
  readonly focOn: string | null;
  readonly numberCount: number;
  readonly createdOn: string;
}

export interface MigrationTimelineEntry {
  readonly at: string;
  readonly status: PhoneStatus;
  readonly previousStatus: PhoneStatus | null;
  readonly reason: string | null;
}

export interface MigrationNumber {
  readonly number: string;
  readonly status: PhoneStatus;
  readonly statusReason: string | null;
  readonly portOrderSid: string | null;
  readonly portStatus: PortNumberStatus | null;
  readonly portReason: string | null;
  readonly messagingMovedOn: string | null;
  readonly activatesOn: string | null;
  readonly timeline: readonly MigrationTimelineEntry[];
}

export interface MigrationStepTime {
  readonly step: "PortIn" | "Acceptance" | "Activation" | "OutboundOutage";
  /** What is typical; not a promise. */
  readonly expectedSeconds: { readonly from: number; readonly to: number };
  readonly startedOn: string;
  readonly endedOn: string | null;
  /** So far, while it lasts. */
  readonly seconds: number;
  readonly late: boolean;
}

export interface Migration extends MigrationSummary {
  readonly preflight: readonly MigrationPreflightFinding[];
  /** Null before it is imported. */
  readonly campaign: MigrationCampaign | null;
  readonly linkOutcome: "Linked" | "NoMatch" | "SeveralMatches" | null;
  /** Those that name the campaign or are linked to it. */
  readonly messagingConfigs: readonly MigrationConfig[];
  readonly portOrders: readonly MigrationPortOrder[];
  /** Those first that are not Active. */
  readonly numbers: readonly MigrationNumber[];
  readonly times: readonly MigrationStepTime[];
}

export const PORT_OUTCOMES = [
  "complete",
  "partial",
  "reject",
  "exception",
  "delay",
  "focChange",
  "messagingLate",
  "silent",
] as const;

export interface EmulatedPort {
  readonly sid: string;
  readonly outcome?: (typeof PORT_OUTCOMES)[number];
  /** The code of a reason. */
  readonly reason?: string;
}

export const MIGRATION_OUTCOMES = ["accept", "decline", "expire", "cancel"] as const;

export interface EmulatedCampaignMigration {
  readonly tcrCampaignId: string;
  readonly outcome?: (typeof MIGRATION_OUTCOMES)[number];
}
