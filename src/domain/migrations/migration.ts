// The facts of a migration (the move of a campaign and its numbers to us): the registry's standing, the config, the
// port orders, and every number with its history. `viewMigration` interprets them.

import type { Page, PageRequest } from "../../base/page.ts";
import type { Campaign, FollowedCampaign } from "../campaigns/index.ts";
import type { EventFields } from "../events.ts";
import type { Phone, PhoneStatus } from "../numbers/index.ts";
import { isOpen, type PortOrder } from "../porting/index.ts";

/** A config with the campaign's id in its name, or linked to the campaign. */
export interface MigrationConfig {
  readonly sid: string;
  readonly name: string;
  readonly tcrCampaignId: string | null;
}

export type MigrationOrder = Pick<PortOrder, "sid" | "status" | "messagingConfigSid" | "numbers" | "createdOn">;

export interface StatusEntry {
  readonly at: Date;
  readonly status: PhoneStatus;
  readonly previousStatus: PhoneStatus | null;
  readonly reason: string | null;
}

export interface MigrationNumber
  extends Pick<Phone, "number" | "status" | "statusReason" | "messagingConfigSid" | "portOrderSid" | "createdOn"> {
  /** When its addition to its campaign completes; null unless it waits for that. */
  readonly activatesOn: Date | null;
  /** Its status changes, oldest first, as far back as events are kept. */
  readonly timeline: readonly StatusEntry[];
}

export type LinkOutcome = EventFields["TcrCampaignImported"]["LinkOutcome"];

export interface MigrationFacts {
  readonly tcrCampaignId: string;
  /** Null: the registry has not listed it for us, or this account may not see it. */
  readonly registry: Pick<FollowedCampaign, "standing" | "reason" | "standingSince" | "seenOn"> | null;
  /** Another account owns or names the campaign too. */
  readonly isDisputed: boolean;
  readonly campaign: Pick<Campaign, "tcrBrandId" | "name" | "status" | "messagingConfigSid" | "importedOn"> | null;
  /** The outcome of automatic linking at the import; null before, and when the event is no longer kept. */
  readonly linkOutcome: LinkOutcome | null;
  readonly configs: readonly MigrationConfig[];
  /** Unlinked configs whose names contain the id only in another case: probably typing errors. */
  readonly otherCase: readonly string[];
  /** The orders of its configs, oldest first; only the latest if there are very many. */
  readonly orders: readonly MigrationOrder[];
  /** How many numbers there are in each status. */
  readonly counts: Readonly<Record<PhoneStatus, number>>;
  /** Numbers that are not Active come first; limited if there are very many. */
  readonly numbers: readonly MigrationNumber[];
}

export interface MigrationStore {
  /** With all numbers and their timelines. Undefined when the account has nothing related to the campaign. */
  find(accountSid: string, tcrCampaignId: string): Promise<MigrationFacts | undefined>;
  /** Without timelines, and with only the first numbers that are not Active. */
  list(accountSid: string, page: PageRequest): Promise<Page<MigrationFacts>>;
}

/** The config linked to the campaign, or else the only one that automatic linking would choose. */
export function configOf({ configs, tcrCampaignId }: MigrationFacts): MigrationConfig | undefined {
  const linked = configs.find((config) => config.tcrCampaignId === tcrCampaignId);
  const unlinked = configs.filter((config) => config.tcrCampaignId === null);
  return linked ?? (unlinked.length === 1 ? unlinked[0] : undefined);
}

export function isLinked({ configs, tcrCampaignId }: MigrationFacts): boolean {
  return configs.some((config) => config.tcrCampaignId === tcrCampaignId);
}

/** Neither a migration nor a port order was started yet. */
export function isDryRun({ campaign, registry, orders }: MigrationFacts): boolean {
  const isShown = registry !== null && !["Unknown", "NotOurs"].includes(registry.standing);
  return campaign === null && !isShown && orders.length === 0;
}

/** How many numbers serve the account, or will. */
export function liveCount({ counts }: MigrationFacts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.Removed;
}

export function openOrders({ orders }: MigrationFacts): readonly MigrationOrder[] {
  return orders.filter(isOpen);
}
