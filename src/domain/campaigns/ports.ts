// What configs and campaigns need from outside.

import type { Page, PageRequest } from "../../base/page.ts";
import type { Result } from "../../base/result.ts";
import type { NamedConfig } from "./auto-link.ts";
import type { Campaign } from "./campaign.ts";
import type {
  Assignment,
  CampaignClaim,
  CampaignFacts,
  FollowedCampaign,
  NamingConfig,
  StandingUpdate,
} from "./followed-campaign.ts";
import type { MessagingConfig } from "./messaging-config.ts";

type Changeable = Omit<MessagingConfig, "sid" | "accountSid" | "createdOn">;
export type ConfigChange = { readonly [Field in keyof Changeable]?: Changeable[Field] | undefined };

export interface MessagingConfigStore {
  insert(config: MessagingConfig): Promise<void>;
  find(accountSid: string, sid: string): Promise<MessagingConfig | undefined>;
  list(accountSid: string, page: PageRequest): Promise<Page<MessagingConfig>>;
  change(accountSid: string, sid: string, change: ConfigChange): Promise<void>;
  remove(accountSid: string, sid: string): Promise<void>;
  /** Configs without a campaign in whose names the id stands, in any case; perhaps inside a longer word. */
  unlinkedNaming(accountSid: string, tcrCampaignId: string): Promise<readonly NamedConfig[]>;
}

export interface CampaignStore {
  /** False when it is here already, whoever has it. */
  insert(campaign: Campaign): Promise<boolean>;
  find(accountSid: string, tcrCampaignId: string): Promise<Campaign | undefined>;
  list(accountSid: string, page: PageRequest): Promise<Page<Campaign>>;
  /** The account it was imported for. */
  ownerOf(tcrCampaignId: string): Promise<string | undefined>;
  /** False when it was so already. */
  update(tcrCampaignId: string, facts: Partial<CampaignFacts>): Promise<boolean>;
}

/** What asking the registry about a campaign came to. */
export interface SettledCampaign extends StandingUpdate {
  readonly standingSince: Date;
  readonly facts: CampaignFacts | null;
  readonly accountSid: string | null;
  /** When it is asked about next without being prompted; null: not any more. */
  readonly askOn: Date | null;
}

export interface FollowedCampaignStore {
  find(tcrCampaignId: string): Promise<FollowedCampaign | undefined>;
  /** Those under way, or ours, whose account nobody can tell. */
  listUnassigned(page: PageRequest): Promise<Page<FollowedCampaign & { readonly naming: readonly NamingConfig[] }>>;
  /** Undefined when it is unknown and there is no registry to ask about it. */
  assign(order: Assignment, now: Date): Promise<FollowedCampaign | undefined>;
  /** Ends the claim. An account that it was given meanwhile stays, and when it was made due meanwhile it is due. */
  settle(claim: CampaignClaim, outcome: SettledCampaign): Promise<FollowedCampaign>;
  /** Makes those due that are known, and whose account nobody could tell so far. */
  wake(tcrCampaignIds: readonly string[], now: Date): Promise<void>;
  /** Of all accounts; the id may stand inside a longer word. */
  configsNaming(tcrCampaignId: string): Promise<readonly NamingConfig[]>;
}

export interface ListedCampaign {
  readonly tcrCampaignId: string;
  /** Whatever tells one way of showing it from another. */
  readonly shownAs: string;
  /** As far as a list tells them. */
  readonly facts: CampaignFacts;
}

/** Campaigns of one registry that it is to be asked about. */
export interface CampaignQueue {
  /** Makes those due that are new or shown otherwise than before; answers how many. */
  noteListed(campaigns: readonly ListedCampaign[], now: Date): Promise<number>;
  /** Makes a campaign due, known or not. */
  noteUpdate(tcrCampaignId: string, now: Date): Promise<void>;
  /** Those due longest, for nobody else to ask about before `until`. */
  claimDue(now: Date, until: Date, countMax: number): Promise<readonly CampaignClaim[]>;
  /** Ends a claim that came to nothing. */
  giveBack(claim: CampaignClaim, next: { readonly askOn: Date; readonly failures: number }): Promise<void>;
}

export interface RegistryFault {
  readonly reason: string;
  /** Nothing can be had of the registry just now; otherwise this one campaign is the trouble. */
  readonly isWide: boolean;
}

export interface ListedPage {
  readonly items: readonly ListedCampaign[];
  /** Absent on the last page. */
  readonly next?: unknown;
}

/** The registry, as far as campaigns that come to us go. Nothing throws, and every verb may be run twice. */
export interface CampaignRegistry {
  /** A page of what is shared with us and not declined; `place` is the `next` of the page before. */
  list(sharedSince: Date | undefined, place: unknown): Promise<Result<ListedPage, RegistryFault>>;
  standing(tcrCampaignId: string): Promise<Result<StandingUpdate, RegistryFault>>;
  /** Answers how it stands then. */
  accept(tcrCampaignId: string): Promise<Result<StandingUpdate, RegistryFault>>;
  facts(tcrCampaignId: string): Promise<Result<CampaignFacts, RegistryFault>>;
  /** Has the events of campaigns sent to this URL. */
  ensureSubscription(endpoint: string): Promise<Result<unknown, RegistryFault>>;
  /** Without it no migration to us can be started, accepted or declined. */
  ensureMigrationSupported(): Promise<Result<unknown, RegistryFault>>;
}
