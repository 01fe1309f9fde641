// The state of the simulated registry and all its rules: campaigns, the partners they are shared with, and migrations.
// HTTP, timers and the delivery of notifications are elsewhere: this file decides whom to notify, and when the caller
// has to run the next step (a campaign's `dueMs`).
//
// A migration works as at the real registry: it builds a provisional chain of shares beside the primary one. The new
// partner accepts by sharing the campaign further up. When the DCA at the top has accepted, the provisional chain
// replaces the primary one.

import type { Clock } from "../../base/clock.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import {
  type ApiError,
  AT_AND_T,
  apiError,
  type CampaignRecord,
  type MigrationOutcome,
  OPERATORS,
  REJECTION_CATEGORIES,
  type RejectionCategory,
  type Share,
  T_MOBILE,
} from "./records.ts";
import {
  acceptShare,
  chainWith,
  type Decline,
  declineShare,
  newShare,
  partiesOf,
  shareBy,
  shareWith,
} from "./share-chain.ts";

export interface Partners {
  /** The product. */
  readonly us: string;
  /** The owner of every campaign. */
  readonly customer: string;
  /** The customer's partner before us. */
  readonly previous: string;
  /** The top of every chain. */
  readonly dca: string;
}

export type Notification = Readonly<Record<string, string | number | boolean>> & { readonly eventType: string };

export interface RegistryStateOptions {
  readonly partners: Partners;
  readonly clock: Clock;
  readonly acceptanceMs: number;
  readonly onChange: (campaign: CampaignRecord) => void;
  readonly notify: (cnpId: string, notification: Notification) => void;
}

export interface MigrationPlan {
  readonly outcome: MigrationOutcome;
  /** For a decline. */
  readonly rejectionCategory: RejectionCategory;
}

type Answer<Value> = Result<Value, readonly ApiError[]>;

const CAMPAIGN_ID = /^C[A-Z0-9]{6,7}$/;
const CAMPAIGNS_MAX = 10_000;
const MIGRATION_MS_MAX = 30 * 24 * 3600 * 1000;
const EXPLANATION_LENGTH_MAX = 2048;

export class RegistryState {
  readonly #options: RegistryStateOptions;
  readonly #campaigns = new Map<string, CampaignRecord>();

  constructor(options: RegistryStateOptions, campaigns: readonly CampaignRecord[]) {
    this.#options = options;
    for (const campaign of campaigns) this.#campaigns.set(campaign.campaignId, campaign);
  }

  get campaigns(): readonly CampaignRecord[] {
    return [...this.#campaigns.values()];
  }

  find(campaignId: string): CampaignRecord | undefined {
    return this.#campaigns.get(campaignId);
  }

  /** Adds a campaign of the customer, shared with its previous partner or with us. Returns a known one unchanged. */
  add(campaignId: string, carrier: "previous" | "us"): Answer<CampaignRecord> {
    const known = this.#campaigns.get(campaignId);
    if (known) return ok(known);
    if (!CAMPAIGN_ID.test(campaignId)) return refused(apiError(501, ["campaignId"]));
    if (this.#campaigns.size >= CAMPAIGNS_MAX) return refused(apiError(592, [], "The sandbox is full."));
    const { customer, [carrier]: partner, dca } = this.#options.partners;
    const terms = { cnpMigration: false, now: this.#now() };
    const campaign: CampaignRecord = {
      campaignId,
      cspId: customer,
      brandId: `B${campaignId.slice(1)}`,
      status: "ACTIVE",
      createDate: terms.now,
      operations: { [AT_AND_T]: "REGISTERED", [T_MOBILE]: "REGISTERED" },
      primary: [newShare([customer, partner], "ACCEPTED", terms), newShare([partner, dca], "ACCEPTED", terms)],
      provisional: [],
      migration: null,
      dueMs: null,
    };
    this.#campaigns.set(campaignId, campaign);
    this.#options.onChange(campaign);
    return ok(campaign);
  }

  /** POST …/migrateCnp/{upstreamCnpId}. */
  startMigration(caller: string, campaignId: string, upstreamCnpId: string, plan: MigrationPlan): Answer<undefined> {
    const campaign = this.#campaigns.get(campaignId);
    if (campaign?.cspId !== caller) return refused(apiError(502, ["campaignId"]));
    if (upstreamCnpId === caller || !this.#isPartner(upstreamCnpId)) return refused(apiError(501, ["upstreamCnpId"]));
    if (campaign.status === "EXPIRED") return refused(apiError(518));
    const isSuspended = Object.values(campaign.operations).includes("SUSPENDED");
    if (isSuspended) return refused(apiError(592, [], "The campaign is suspended."));
    if (this.#isMigrating(campaign)) return refused(apiError(592, [], "A migration is in progress."));
    if (shareWith(campaign.primary, upstreamCnpId)) {
      return refused(apiError(592, [], "The campaign is with this partner already."));
    }
    const nowMs = this.#options.clock.now().getTime();
    const terms = { cnpMigration: true, now: this.#now() };
    campaign.provisional = [newShare([caller, upstreamCnpId], "PENDING", terms)];
    campaign.migration = {
      status: "ACTIVE",
      cancellationReason: null,
      createDate: terms.now,
      expirationDate: new Date(nowMs + MIGRATION_MS_MAX).toISOString(),
      initiator: caller,
      upstreamCnpId,
      ...plan,
    };
    // The DCA decides after our acceptance. Every other step, and every step of other partners, is taken by a timer.
    const waitsForUs =
      upstreamCnpId === this.#options.partners.us && (plan.outcome === "accept" || plan.outcome === "decline");
    campaign.dueMs = waitsForUs ? null : nowMs + this.#options.acceptanceMs;
    this.#options.onChange(campaign);
    this.#notify(campaign, upstreamCnpId, "CAMPAIGN_SHARE_ADD");
    return ok(undefined);
  }

  /** DELETE …/migrateCnp. */
  cancelMigration(caller: string, campaignId: string, explanation: string): Answer<undefined> {
    const campaign = this.#campaigns.get(campaignId);
    if (campaign?.migration?.status !== "ACTIVE") return refused(apiError(502, ["campaignId"]));
    if (campaign.migration.initiator !== caller) return refused(apiError(500));
    if (explanation.length > EXPLANATION_LENGTH_MAX) return refused(apiError(501, ["explanation"]));
    this.#cancel(campaign, explanation || "Cancelled by the party that started it.");
    this.#options.onChange(campaign);
    return ok(undefined);
  }

  /** PUT /partnerCampaign/{campaignId}/sharing/{upstreamCnpId}: a partner accepts by sharing further. */
  shareFurther(caller: string, campaignId: string, upstreamCnpId: string): Answer<Share> {
    const campaign = this.#campaigns.get(campaignId);
    const chain = campaign && chainWith(campaign, caller);
    const taken = chain && shareWith(chain, caller);
    if (!campaign || !taken || taken.sharingStatus === "DECLINED") return refused(apiError(502, ["campaignId"]));
    if (campaign.status === "EXPIRED") return refused(apiError(518));
    const isOver = chain === campaign.provisional && !this.#isMigrating(campaign);
    if (isOver) return refused(apiError(592, [], "The migration is over."));
    if (!this.#isPartner(upstreamCnpId)) return refused(apiError(501, ["upstreamCnpId"]));
    if (caller === upstreamCnpId || shareBy(chain, upstreamCnpId)) return refused(apiError(523));
    const given = shareBy(chain, caller);
    if (given && given.sharingStatus !== "DECLINED") {
      return refused(apiError(592, [], "Rescinding a pending or accepted sharing request is not allowed."));
    }
    if (given) chain.splice(chain.indexOf(given), 1);
    acceptShare(taken, this.#now());
    const terms = { cnpMigration: taken.cnpMigration, now: this.#now() };
    const share = newShare([caller, upstreamCnpId], "PENDING", terms);
    chain.push(share);
    campaign.dueMs ??= this.#options.clock.now().getTime() + this.#options.acceptanceMs;
    this.#options.onChange(campaign);
    this.#notify(campaign, taken.downstreamCnpId, "CAMPAIGN_SHARE_ACCEPT");
    return ok(share);
  }

  /** DELETE /partnerCampaign/{campaignId}/sharing. */
  declineShare(caller: string, campaignId: string, decline: Decline): Answer<Share> {
    const campaign = this.#campaigns.get(campaignId);
    const chain = campaign && chainWith(campaign, caller);
    const share = chain && shareWith(chain, caller);
    if (!campaign || share?.sharingStatus !== "PENDING") return refused(apiError(502, ["campaignId"]));
    if (campaign.status === "EXPIRED") return refused(apiError(518));
    const known: readonly string[] = REJECTION_CATEGORIES;
    const areKnown = decline.categories.every((category) => known.includes(category));
    if (decline.categories.length === 0 || !areKnown) return refused(apiError(501, ["rejectionCategory"]));
    const { length } = decline.explanation;
    if (length === 0 || length > EXPLANATION_LENGTH_MAX) return refused(apiError(501, ["explanation"]));
    this.#decline(campaign, share, decline);
    campaign.dueMs = null;
    this.#options.onChange(campaign);
    return ok(share);
  }

  setStatus(campaignId: string, status: "SUSPENDED" | "UNSUSPENDED" | "EXPIRED"): Answer<undefined> {
    const campaign = this.#campaigns.get(campaignId);
    if (!campaign) return refused(apiError(502, ["campaignId"]));
    if (status === "EXPIRED") {
      campaign.status = status;
      this.#notifyAll(campaign, "CAMPAIGN_EXPIRED");
    } else {
      campaign.operations[AT_AND_T] = status === "SUSPENDED" ? status : "REGISTERED";
      const operator = { mnoId: Number(AT_AND_T), mnoName: OPERATORS[AT_AND_T] ?? "" };
      this.#notifyAll(campaign, `MNO_CAMPAIGN_OPERATION_${status}`, operator);
    }
    this.#options.onChange(campaign);
    return ok(undefined);
  }

  /** Takes the next step of a campaign that is due. */
  advance(campaign: CampaignRecord): void {
    campaign.dueMs = null;
    if (this.#isMigrating(campaign)) this.#endMigration(campaign, campaign.migration);
    else this.#acceptUpToDca(campaign);
    this.#options.onChange(campaign);
  }

  #endMigration(campaign: CampaignRecord, migration: NonNullable<CampaignRecord["migration"]>): void {
    switch (migration.outcome) {
      case "accept":
        this.#completeMigration(campaign);
        migration.status = "COMPLETED";
        break;
      case "decline": {
        const share = campaign.provisional.at(-1);
        const decline = { categories: [migration.rejectionCategory], explanation: "Declined in the sandbox." };
        if (share) this.#decline(campaign, share, decline);
        break;
      }
      case "expire":
        // The real registry leaves an expired migration open.
        migration.expirationDate = this.#now();
        this.#notifyAll(campaign, "CAMPAIGN_SHARE_DELETE", { description: "The migration expired." });
        break;
      case "cancel":
        this.#cancel(campaign, "Cancelled by the campaign's owner.");
        break;
    }
  }

  #completeMigration(campaign: CampaignRecord): void {
    const losing = partiesOf(campaign.primary);
    campaign.primary = campaign.provisional.map((share) => ({ ...share, cnpMigration: false }));
    campaign.provisional = [];
    this.#acceptUpToDca(campaign);
    const remaining = partiesOf(campaign.primary);
    for (const party of losing) {
      if (!remaining.has(party)) this.#notify(campaign, party, "CAMPAIGN_SHARE_DELETE");
    }
  }

  /** Partners other than us accept immediately and share with the DCA, which accepts as well. */
  #acceptUpToDca(campaign: CampaignRecord): void {
    const { dca } = this.#options.partners;
    const now = this.#now();
    const last = campaign.primary.at(-1);
    if (last && last.upstreamCnpId !== dca) {
      campaign.primary.push(newShare([last.upstreamCnpId, dca], "PENDING", { cnpMigration: false, now }));
    }
    for (const share of campaign.primary.filter(({ sharingStatus }) => sharingStatus === "PENDING")) {
      acceptShare(share, now);
      this.#notify(campaign, share.downstreamCnpId, "CAMPAIGN_SHARE_ACCEPT");
    }
    this.#notifyAll(campaign, "CAMPAIGN_DCA_COMPLETE", { dcaId: dca, dcaName: dca });
  }

  #decline(campaign: CampaignRecord, share: Share, decline: Decline): void {
    declineShare(share, decline, this.#now());
    this.#notify(campaign, share.downstreamCnpId, "CAMPAIGN_SHARE_DELETE", { description: decline.explanation });
  }

  #cancel(campaign: CampaignRecord, reason: string): void {
    this.#notifyAll(campaign, "CAMPAIGN_SHARE_DELETE", { description: reason });
    campaign.provisional = [];
    campaign.dueMs = null;
    if (campaign.migration) Object.assign(campaign.migration, { status: "CANCELLED", cancellationReason: reason });
  }

  #isMigrating(campaign: CampaignRecord): campaign is CampaignRecord & { migration: object } {
    const { migration } = campaign;
    return migration?.status === "ACTIVE" && Date.parse(migration.expirationDate) > this.#options.clock.now().getTime();
  }

  #isPartner(cnpId: string): boolean {
    return Object.values(this.#options.partners).includes(cnpId);
  }

  #notifyAll(campaign: CampaignRecord, eventType: string, more: Readonly<Record<string, string | number>> = {}): void {
    const parties = partiesOf([...campaign.primary, ...campaign.provisional]);
    for (const party of parties) this.#notify(campaign, party, eventType, more);
  }

  #notify(
    { campaignId, brandId, cspId }: CampaignRecord,
    cnpId: string,
    eventType: string,
    more: Readonly<Record<string, string | number>> = {},
  ): void {
    const names = { cspId, cspName: cspId, cnpId, brandId, brandName: brandId, campaignId };
    this.#options.notify(cnpId, { eventType, ...names, ...more });
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }
}
