// The move of a campaign and its numbers to us, as far as anything is known of it here: what the registry says, the config that it will
// send by, the port orders, and every number with what became of it. Facts only; `viewMigration` says what they amount to.

import type { Page, PageRequest } from "../../base/page.ts";
import type { Campaign, FollowedCampaign } from "../campaigns/index.ts";
import type { EventFields } from "../events.ts";
import type { Phone, PhoneStatus } from "../numbers/index.ts";
import { isOpen, type PortOrder } from "../porting/index.ts";

/** One whose name has the campaign's id as a word of its own, or that is linked to the campaign. */
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
  /** When it will have been added to its campaign; null unless it waits for that. */
  readonly activatesOn: Date | null;
  /** What was told of it since it came, oldest first. Nothing older than events are kept. */
  readonly timeline: readonly StatusEntry[];
}

export type LinkOutcome = EventFields["TcrCampaignImported"]["LinkOutcome"];

export interface MigrationFacts {
  readonly tcrCampaignId: string;
  /** Null: the registry has not shown it to us, or it is not for this account to see. */
  readonly registry: Pick<FollowedCampaign, "standing" | "reason" | "standingSince" | "seenOn"> | null;
  /** Another account has it, or wants it, too. */
  readonly isDisputed: boolean;
  readonly campaign: Pick<Campaign, "tcrBrandId" | "name" | "status" | "messagingConfigSid" | "importedOn"> | null;
  /** What automatic linking came to when it was imported; null before, and when nobody remembers. */
  readonly linkOutcome: LinkOutcome | null;
  readonly configs: readonly MigrationConfig[];
  /** Of its configs, oldest first; of very many the latest. */
  readonly orders: readonly MigrationOrder[];
  /** How many numbers there are in each status. */
  readonly counts: Readonly<Record<PhoneStatus, number>>;
  /** Those that are not Active first; of very many not all. */
  readonly numbers: readonly MigrationNumber[];
}

export interface MigrationStore {
  /** With all its numbers and their timelines. Undefined when nothing of the account's has to do with the campaign. */
  find(accountSid: string, tcrCampaignId: string): Promise<MigrationFacts | undefined>;
  /** Without timelines, and of numbers the first that are not Active. */
  list(accountSid: string, page: PageRequest): Promise<Page<MigrationFacts>>;
}

/** The config that it sends by, or will: linked to it, or the only one that automatic linking would take. */
export function configOf({ configs, tcrCampaignId }: MigrationFacts): MigrationConfig | undefined {
  const linked = configs.find((config) => config.tcrCampaignId === tcrCampaignId);
  const unlinked = configs.filter((config) => config.tcrCampaignId === null);
  return linked ?? (unlinked.length === 1 ? unlinked[0] : undefined);
}

export function isLinked({ configs, tcrCampaignId }: MigrationFacts): boolean {
  return configs.some((config) => config.tcrCampaignId === tcrCampaignId);
}

/** Nothing has been asked of anybody yet. */
export function isDryRun({ campaign, registry, orders }: MigrationFacts): boolean {
  const isShown = registry !== null && !["Unknown", "NotOurs"].includes(registry.standing);
  return campaign === null && !isShown && orders.length === 0;
}

/** How many serve the account, or will. */
export function liveCount({ counts }: MigrationFacts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.Removed;
}

export function openOrders({ orders }: MigrationFacts): readonly MigrationOrder[] {
  return orders.filter(isOpen);
}
