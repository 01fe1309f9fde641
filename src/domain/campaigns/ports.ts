// What configs and campaigns need from outside.

import type { Optional } from "../../base/optional.ts";
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

export type ConfigChange = Optional<Omit<MessagingConfig, "sid" | "accountSid" | "createdOn">>;

export interface MessagingConfigStore {
  insert(config: MessagingConfig): Promise<void>;
  find(accountSid: string, sid: string): Promise<MessagingConfig | undefined>;
  list(accountSid: string, page: PageRequest): Promise<Page<MessagingConfig>>;
  change(accountSid: string, sid: string, change: ConfigChange): Promise<void>;
  remove(accountSid: string, sid: string): Promise<void>;
  /** Unlinked configs whose name contains the id, in any case, perhaps inside a longer word. */
  unlinkedNaming(accountSid: string, tcrCampaignId: string): Promise<readonly NamedConfig[]>;
}

/** Changed facts of a campaign, and their source. */
export type CampaignChange = Optional<CampaignFacts & Pick<Campaign, "source">>;

export type CampaignFilter = Optional<Pick<Campaign, "accountSid" | "status" | "source">>;

export interface CampaignStore {
  /** False when the campaign exists already, in any account. */
  insert(campaign: Campaign): Promise<boolean>;
  find(accountSid: string, tcrCampaignId: string): Promise<Campaign | undefined>;
  list(filter: CampaignFilter, page: PageRequest): Promise<Page<Campaign>>;
  /** The account it was imported for. */
  ownerOf(tcrCampaignId: string): Promise<string | undefined>;
  /** False when nothing changed. */
  update(
    tcrCampaignId: string,
    change: CampaignChange & Partial<Pick<Campaign, "accountSid" | "importedOn">>,
  ): Promise<boolean>;
}

/** The outcome of asking the registry about a campaign. */
export interface SettledCampaign extends StandingUpdate {
  readonly standingSince: Date;
  readonly facts: CampaignFacts | null;
  readonly accountSid: string | null;
  /** When it is polled next; null: never. */
  readonly askOn: Date | null;
}

export interface FollowedCampaignStore {
  find(tcrCampaignId: string): Promise<FollowedCampaign | undefined>;
  /** Campaigns under way, or ours, whose account is unknown. */
  listUnassigned(page: PageRequest): Promise<Page<FollowedCampaign & { readonly naming: readonly NamingConfig[] }>>;
  /** Undefined when the campaign is unknown and there is no registry to ask. */
  assign(order: Assignment, now: Date): Promise<FollowedCampaign | undefined>;
  /** Ends the claim. Keeps an account that was assigned meanwhile, and stays due if it became due meanwhile. */
  settle(claim: CampaignClaim, outcome: SettledCampaign): Promise<FollowedCampaign>;
  /** Makes those of the campaigns due that are known and whose account is unknown. */
  wake(tcrCampaignIds: readonly string[], now: Date): Promise<void>;
  /** Configs of all accounts; the id may be inside a longer word. */
  configsNaming(tcrCampaignId: string): Promise<readonly NamingConfig[]>;
}

export interface ListedCampaign {
  readonly tcrCampaignId: string;
  /** A fingerprint of the list entry: it changes when the entry changes. */
  readonly shownAs: string;
  /** As far as a list shows them. */
  readonly facts: CampaignFacts;
}

/** The campaigns to ask one registry about. */
export interface CampaignQueue {
  /** Makes new and changed campaigns due; returns how many. */
  noteListed(campaigns: readonly ListedCampaign[], now: Date): Promise<number>;
  /** Makes a campaign due, known or not. */
  noteUpdate(tcrCampaignId: string, now: Date): Promise<void>;
  /** Leases the campaigns due longest until `until`. */
  claimDue(now: Date, until: Date, countMax: number): Promise<readonly CampaignClaim[]>;
  /** Ends a claim without an outcome. */
  giveBack(claim: CampaignClaim, next: { readonly askOn: Date; readonly failures: number }): Promise<void>;
}

export interface RegistryFault {
  readonly reason: string;
  /** True: the registry cannot be used at present. False: only this campaign is affected. */
  readonly isWide: boolean;
}

export interface ListedPage {
  readonly items: readonly ListedCampaign[];
  /** Absent on the last page. */
  readonly next?: unknown;
}

/** The registry, for campaigns that are migrated to us. No method throws, and each may be repeated. */
export interface CampaignRegistry {
  /** A page of campaigns shared with us and not declined; `place` is `next` of the previous page. */
  list(sharedSince: Date | undefined, place: unknown): Promise<Result<ListedPage, RegistryFault>>;
  standing(tcrCampaignId: string): Promise<Result<StandingUpdate, RegistryFault>>;
  /** Returns the standing afterwards. */
  accept(tcrCampaignId: string): Promise<Result<StandingUpdate, RegistryFault>>;
  facts(tcrCampaignId: string): Promise<Result<CampaignFacts, RegistryFault>>;
  /** Subscribes this URL to the events of campaigns. */
  ensureSubscription(endpoint: string): Promise<Result<unknown, RegistryFault>>;
  /** Without it no migration to us can be started, accepted or declined. */
  ensureMigrationSupported(): Promise<Result<unknown, RegistryFault>>;
}
