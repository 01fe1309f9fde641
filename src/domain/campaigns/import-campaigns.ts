// Brings campaigns to what the registry says of them: those shared with us are accepted, those that have become ours are imported, and
// what was imported follows in status and terms.
//
// Level-triggered: a notification only makes a campaign due; what is done follows from what the registry answers now. So notifications
// may be lost, come twice, late or before we know of the campaign, and a pass may stop anywhere. Several processes may run it: a campaign
// is claimed by one at a time, and what is written holds even if two should ask. The registry is never asked within a transaction.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result } from "../../base/result.ts";
import { ownerByName } from "./campaign-owner.ts";
import {
  type CampaignClaim,
  type CampaignFacts,
  nextAskMs,
  retryAskMs,
  type StandingUpdate,
} from "./followed-campaign.ts";
import { importCampaign } from "./import-campaign.ts";
import type { LinkDeps } from "./link.ts";
import type { CampaignQueue, CampaignRegistry, FollowedCampaignStore, RegistryFault } from "./ports.ts";

export interface ImportUnit extends LinkDeps {
  readonly followedCampaigns: FollowedCampaignStore;
}

export interface ImportDeps {
  readonly registry: CampaignRegistry;
  readonly queue: CampaignQueue;
  /** Where the registry may tell us of campaigns; undefined where it cannot. */
  readonly endpoint: () => string | undefined;
  readonly transaction: <Value>(work: (unit: ImportUnit) => Promise<Value>) => Promise<Value>;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly chance: () => number;
  readonly log: Log;
  /** How often the registry's lists are read, and campaigns under way asked about. */
  readonly everyMs: number;
  /** How long asking about one campaign may take. */
  readonly claimMs: number;
}

export interface ImportCounts {
  /** Campaigns read in the registry's lists. */
  listed: number;
  /** Of those, new or shown otherwise than before. */
  news: number;
  /** Campaigns the registry was asked about: the rows that a pass reads. */
  asked: number;
  accepted: number;
  imported: number;
  /** Imported before, and changed now. */
  changed: number;
  unreadable: number;
}

export interface ImportPass {
  readonly counts: Readonly<ImportCounts>;
  /** Why nothing more can be had of the registry just now. */
  readonly failure?: string;
}

const AT_ONCE = 8;
const FULL_SWEEP_MS = 24 * 3_600_000;
const PAGES_MAX = 1_000;
const PREPARE_MS = 3_600_000;

export class CampaignImport {
  readonly #deps: ImportDeps;
  #prepareMs = 0;
  #sweptOn: Date | undefined;
  #sweptFullyOn: Date | undefined;

  constructor(deps: ImportDeps) {
    this.#deps = deps;
  }

  async pass(): Promise<ImportPass> {
    const counts: ImportCounts = {
      listed: 0,
      news: 0,
      asked: 0,
      accepted: 0,
      imported: 0,
      changed: 0,
      unreadable: 0,
    };
    const unprepared = await this.#prepare();
    if (unprepared) return { counts, failure: unprepared.reason };
    const unlisted = await this.#sweepInTime(counts);
    const failure = unlisted?.isWide ? unlisted : ((await this.#tendDue(counts)) ?? unlisted);
    return failure ? { counts, failure: failure.reason } : { counts };
  }

  /**
   * What the registry must know of us, looked after once in an hour: that campaigns may be migrated to us, and where to tell us of them.
   * What it will not have costs only time, for its lists are read as well.
   */
  async #prepare(): Promise<RegistryFault | undefined> {
    const { registry, clock, log } = this.#deps;
    if (clock.now().getTime() < this.#prepareMs) return undefined;
    const endpoint = this.#deps.endpoint();
    const steps = [
      () => registry.ensureMigrationSupported(),
      ...(endpoint === undefined ? [] : [() => registry.ensureSubscription(endpoint)]),
    ];
    for (const step of steps) {
      const done = await step();
      if (done.ok) continue;
      if (done.refusal.isWide) return done.refusal;
      log.warn({ reason: done.refusal.reason, endpoint }, "registry would not have our settings");
    }
    this.#prepareMs = clock.now().getTime() + PREPARE_MS;
    return undefined;
  }

  /** The lists show what was never told; all of them once a day, else those of campaigns shared since the last time. */
  async #sweepInTime(counts: ImportCounts): Promise<RegistryFault | undefined> {
    const now = this.#deps.clock.now();
    const isOlder = (date: Date | undefined, ageMs: number) => !date || now.getTime() - date.getTime() >= ageMs;
    if (!isOlder(this.#sweptOn, this.#deps.everyMs)) return undefined;
    const isFull = isOlder(this.#sweptFullyOn, FULL_SWEEP_MS);
    const failure = await this.#sweep(isFull ? undefined : this.#sweptOn, counts);
    if (failure) return failure;
    this.#sweptOn = now;
    if (isFull) this.#sweptFullyOn = now;
    return undefined;
  }

  async #sweep(sharedSince: Date | undefined, counts: ImportCounts): Promise<RegistryFault | undefined> {
    const { registry, queue, clock } = this.#deps;
    let place: unknown;
    for (let page = 0; page < PAGES_MAX; page++) {
      const listed = await registry.list(sharedSince, place);
      if (!listed.ok) return listed.refusal;
      counts.listed += listed.value.items.length;
      counts.news += await queue.noteListed(listed.value.items, clock.now());
      place = listed.value.next;
      if (place === undefined) return undefined;
    }
    return undefined;
  }

  async #tendDue(counts: ImportCounts): Promise<RegistryFault | undefined> {
    const { queue, clock, claimMs } = this.#deps;
    for (;;) {
      const now = clock.now();
      const claims = await queue.claimDue(now, new Date(now.getTime() + claimMs), AT_ONCE);
      counts.asked += claims.length;
      const faults = await Promise.all(claims.map((claim) => this.#tend(claim, counts)));
      const fault = faults.find((found) => found !== undefined);
      if (fault || claims.length < AT_ONCE) return fault;
    }
  }

  /** Answers a fault that is the registry's, not the campaign's. */
  async #tend(claim: CampaignClaim, counts: ImportCounts): Promise<RegistryFault | undefined> {
    const { queue, clock, log, everyMs } = this.#deps;
    const heard = await this.#hear(claim, counts);
    if (heard.ok) {
      await this.#deps.transaction((unit) => this.#settle(unit, claim, heard.value, counts));
      return undefined;
    }
    const { tcrCampaignId, failures } = claim;
    if (heard.refusal.isWide) {
      await queue.giveBack(claim, { askOn: clock.now(), failures });
      return heard.refusal;
    }
    counts.unreadable += 1;
    log.warn({ tcrCampaignId, reason: heard.refusal.reason, failures }, "registry did not tell how a campaign stands");
    const askOn = new Date(clock.now().getTime() + retryAskMs(failures, everyMs));
    await queue.giveBack(claim, { askOn, failures: failures + 1 });
    return undefined;
  }

  async #hear({ tcrCampaignId, facts }: CampaignClaim, counts: ImportCounts): Promise<Result<Heard, RegistryFault>> {
    const { registry } = this.#deps;
    let stands = await registry.standing(tcrCampaignId);
    if (stands.ok && stands.value.standing === "AwaitingUs") {
      stands = await registry.accept(tcrCampaignId);
      if (stands.ok) counts.accepted += 1;
    }
    if (!stands.ok) return stands;
    if (stands.value.standing !== "Ours") return ok({ ...stands.value, facts });
    const told = await registry.facts(tcrCampaignId);
    return told.ok ? ok({ ...stands.value, facts: told.value }) : told;
  }

  async #settle(unit: ImportUnit, claim: CampaignClaim, heard: Heard, counts: ImportCounts): Promise<void> {
    const { log, everyMs, chance } = this.#deps;
    const now = this.#deps.clock.now();
    const { tcrCampaignId } = claim;
    const { standing, reason, facts } = heard;
    const importedFor = await unit.campaigns.ownerOf(tcrCampaignId);
    const owner = importedFor ?? (await this.#ownerOf(unit, claim, standing));
    if (owner !== null) await unit.phones.lockAccount(owner);
    const standingSince = standing === claim.standing ? claim.standingSince : now;
    const askMs = nextAskMs({ standing, accountSid: owner, standingSince }, now, everyMs);
    const settled = await unit.followedCampaigns.settle(claim, {
      standing,
      reason,
      standingSince,
      facts,
      accountSid: owner,
      askOn: askMs === undefined ? null : new Date(now.getTime() + askMs * (1 + chance() / 5)),
    });
    // Somebody was told to be its owner meanwhile: it is due again.
    if (settled.accountSid !== owner || owner === null) return;
    if (standing === "Ours" && facts && importedFor === undefined) {
      await importCampaign(unit, { ...facts, tcrCampaignId, accountSid: owner, importedOn: now });
      counts.imported += 1;
      log.info({ tcrCampaignId, accountSid: owner }, "campaign imported");
    } else if (importedFor !== undefined) {
      const told = standing === "Ours" ? facts : standing === "NotOurs" ? LEFT : null;
      if (told && (await unit.campaigns.update(tcrCampaignId, told))) counts.changed += 1;
    }
  }

  async #ownerOf(unit: ImportUnit, claim: CampaignClaim, standing: Heard["standing"]): Promise<string | null> {
    const { tcrCampaignId } = claim;
    const known = await unit.followedCampaigns.find(tcrCampaignId);
    if (known?.accountSid != null) return known.accountSid;
    if (standing !== "Ours") return null;
    return ownerByName(tcrCampaignId, await unit.followedCampaigns.configsNaming(tcrCampaignId)) ?? null;
  }
}

interface Heard extends StandingUpdate {
  readonly facts: CampaignFacts | null;
}

/** A campaign that went to another partner: nothing may be sent under it from here. */
const LEFT = { status: "Expired" } as const;
