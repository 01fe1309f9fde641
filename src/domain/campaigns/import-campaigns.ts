// Reconciles campaigns with the registry: accepts those shared with us, imports those that have become ours, and
// updates the status and terms of those imported.
//
// Level-triggered: a notification only makes a campaign due; the registry's current answer decides what is done. So
// notifications may be lost, repeated, late or ahead of our knowing the campaign, and a pass may stop anywhere. Several
// processes may run it: one process at a time claims a campaign, and the writes stay correct even if two ask about it.
// The registry is never called within a transaction.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Campaign } from "./campaign.ts";
import { ownerByName } from "./campaign-owner.ts";
import {
  type CampaignClaim,
  type CampaignFacts,
  type CampaignStanding,
  nextAskMs,
  retryAskMs,
  type StandingUpdate,
} from "./followed-campaign.ts";
import { importCampaign } from "./import-campaign.ts";
import type { LinkDeps } from "./link.ts";
import type { CampaignChange, CampaignQueue, CampaignRegistry, FollowedCampaignStore, RegistryFault } from "./ports.ts";
import { updateCampaign } from "./update-campaign.ts";

export interface ImportUnit extends LinkDeps {
  readonly followedCampaigns: FollowedCampaignStore;
}

export interface ImportDeps {
  readonly registry: CampaignRegistry;
  readonly queue: CampaignQueue;
  /** The URL for notifications of the registry; undefined when it cannot reach us. */
  readonly endpoint: () => string | undefined;
  readonly transaction: <Value>(work: (unit: ImportUnit) => Promise<Value>) => Promise<Value>;
  readonly clock: Clock;
  /** 0 ≤ chance < 1. */
  readonly chance: () => number;
  readonly log: Log;
  /** How often the registry's lists are read and campaigns under way are polled. */
  readonly everyMs: number;
  /** The lease of a claim: how long asking about one campaign may take. */
  readonly claimMs: number;
}

export interface ImportCounts {
  /** Campaigns read in the registry's lists. */
  listed: number;
  /** Of those, new or changed. */
  news: number;
  /** Campaigns that the registry was asked about. */
  asked: number;
  accepted: number;
  imported: number;
  /** Imported earlier and changed by this pass. */
  changed: number;
  unreadable: number;
}

export interface ImportPass {
  readonly counts: Readonly<ImportCounts>;
  /** Why the registry cannot be used at present. */
  readonly failure?: string;
}

const CONCURRENCY_MAX = 8;
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
    const failure = unlisted?.isWide ? unlisted : ((await this.#followDue(counts)) ?? unlisted);
    return failure ? { counts, failure: failure.reason } : { counts };
  }

  /**
   * Checks our settings at the registry once an hour: that campaigns may be migrated to us, and where it sends
   * notifications. If it refuses them, campaigns are only found later, by its lists.
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

  /** Finds campaigns without a notification: in all lists once a day, otherwise among those shared since last time. */
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

  async #followDue(counts: ImportCounts): Promise<RegistryFault | undefined> {
    const { queue, clock, claimMs } = this.#deps;
    for (;;) {
      const now = clock.now();
      const claims = await queue.claimDue(now, new Date(now.getTime() + claimMs), CONCURRENCY_MAX);
      counts.asked += claims.length;
      const faults = await Promise.all(claims.map((claim) => this.#follow(claim, counts)));
      const fault = faults.find((found) => found !== undefined);
      if (fault || claims.length < CONCURRENCY_MAX) return fault;
    }
  }

  /** Returns a fault of the registry as a whole; a fault of this campaign only delays the campaign. */
  async #follow(claim: CampaignClaim, counts: ImportCounts): Promise<RegistryFault | undefined> {
    const { queue, clock, log, everyMs } = this.#deps;
    const answer = await this.#ask(claim, counts);
    if (answer.ok) {
      await this.#deps.transaction((unit) => this.#settle(unit, claim, answer.value, counts));
      return undefined;
    }
    const { tcrCampaignId, failures } = claim;
    if (answer.refusal.isWide) {
      await queue.giveBack(claim, { askOn: clock.now(), failures });
      return answer.refusal;
    }
    counts.unreadable += 1;
    log.warn(
      { tcrCampaignId, reason: answer.refusal.reason, failures },
      "registry did not report the standing of a campaign",
    );
    const askOn = new Date(clock.now().getTime() + retryAskMs(failures, everyMs));
    await queue.giveBack(claim, { askOn, failures: failures + 1 });
    return undefined;
  }

  async #ask(
    { tcrCampaignId, facts }: CampaignClaim,
    counts: ImportCounts,
  ): Promise<Result<RegistryAnswer, RegistryFault>> {
    const { registry } = this.#deps;
    let stands = await registry.standing(tcrCampaignId);
    if (stands.ok && stands.value.standing === "AwaitingUs") {
      stands = await registry.accept(tcrCampaignId);
      if (stands.ok) counts.accepted += 1;
    }
    if (!stands.ok) return stands;
    if (stands.value.standing !== "Ours") return ok({ ...stands.value, facts });
    const found = await registry.facts(tcrCampaignId);
    return found.ok ? ok({ ...stands.value, facts: found.value }) : found;
  }

  async #settle(unit: ImportUnit, claim: CampaignClaim, answer: RegistryAnswer, counts: ImportCounts): Promise<void> {
    const { log, everyMs, chance } = this.#deps;
    const now = this.#deps.clock.now();
    const { tcrCampaignId } = claim;
    const { standing, reason, facts } = answer;
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
    // An account was assigned in the meantime, which made the campaign due again.
    if (settled.accountSid !== owner || owner === null) return;
    if (standing === "Ours" && facts && importedFor === undefined) {
      await importCampaign(unit, { ...facts, tcrCampaignId, accountSid: owner, source: "Registry", importedOn: now });
      counts.imported += 1;
      log.info({ tcrCampaignId, accountSid: owner }, "campaign imported");
    } else if (importedFor !== undefined) {
      const campaign = await unit.campaigns.find(owner, tcrCampaignId);
      const change = campaign && changeBy(answer, campaign);
      if (change && (await updateCampaign(unit, campaign, change, now))) counts.changed += 1;
    }
  }

  async #ownerOf(unit: ImportUnit, claim: CampaignClaim, standing: CampaignStanding): Promise<string | null> {
    const { tcrCampaignId } = claim;
    const known = await unit.followedCampaigns.find(tcrCampaignId);
    if (known?.accountSid != null) return known.accountSid;
    if (standing !== "Ours") return null;
    return ownerByName(tcrCampaignId, await unit.followedCampaigns.configsNaming(tcrCampaignId)) ?? null;
  }
}

interface RegistryAnswer extends StandingUpdate {
  readonly facts: CampaignFacts | null;
}

/**
 * What the answer changes in an imported campaign. Once the registry reports it as ours, the registry maintains it,
 * even if it was kept by hand. One that moved to another partner expires, because nothing may be sent under it from
 * here. One that the registry never reported as ours stays as the operator keeps it.
 */
function changeBy({ standing, facts }: RegistryAnswer, { source }: Campaign): CampaignChange | undefined {
  if (standing === "Ours") return facts ? { ...facts, source: "Registry" } : undefined;
  return standing === "NotOurs" && source === "Registry" ? { status: "Expired" } : undefined;
}
