// A campaign registry for development and tests with the HTTP API of the real one. The other parties (the customer that
// migrates, the DCA at the top, the mobile operators) act on request and after `acceptanceMs`.

import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type Clock, systemClock } from "../../base/clock.ts";
import { canonicalJson } from "../../base/jcs.ts";
import type { Log } from "../../base/log.ts";
import type { Result } from "../../base/result.ts";
import { originOf } from "../http.ts";
import { Notifier } from "../notifier.ts";
import type { ApiError, CampaignRecord, MigrationOutcome, RejectionCategory } from "./records.ts";
import { type Notification, type Partners, RegistryState } from "./registry-state.ts";
import { type FaultyAnswer, registryRequestListener } from "./request-listener.ts";
import type { RouteDeps } from "./routes.ts";
import { type SavedState, StateFile } from "./state-file.ts";

export interface Credentials {
  readonly apiKey: string;
  /** Also signs the notifications. */
  readonly secret: string;
}

export interface SandboxRegistryOptions {
  readonly host?: string;
  readonly port: number;
  readonly ourCnpId: string;
  readonly ours: Credentials;
  /** The customer's, for calling migrateCnp over HTTP. */
  readonly customers?: Credentials;
  /** Subscribed to campaign events from the start. */
  readonly notifyUrl?: string;
  /** From our acceptance to the DCA's. */
  readonly acceptanceMs?: number;
  readonly notifyRetryMs?: number;
  /** Where the state is stored between two starts; nothing is stored without it. */
  readonly directory?: string;
  readonly clock?: Clock;
  readonly log: Log;
}

export interface RegistryFaults {
  readonly loseNotifications?: boolean;
  readonly duplicateNotifications?: boolean;
  /** Replaces every answer. */
  readonly answer?: FaultyAnswer;
}

type Answer<Value> = Result<Value, readonly ApiError[]>;

const ACCEPTANCE_MS = 5000;
const NOTIFY_RETRY_MS = 1000;
const CUSTOMERS: Credentials = { apiKey: "sandbox-customer", secret: "sandbox-customer-secret" };

export class SandboxRegistry {
  /** The URL to configure the product with. */
  readonly baseUrl: string;
  /** The partner above us, with which we share a campaign to accept it. */
  readonly dcaId: string;
  readonly #options: SandboxRegistryOptions;
  readonly #server: Server;
  readonly #partners: Partners;
  readonly #state: RegistryState;
  readonly #file: StateFile | undefined;
  readonly #notifier: Notifier;
  readonly #clock: Clock;
  readonly #subscriptions: SavedState["subscriptions"];
  readonly #settings: SavedState["migrationSettings"];
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #faults: RegistryFaults = {};
  #closing: Promise<void> | undefined;

  static async listen(options: SandboxRegistryOptions): Promise<SandboxRegistry> {
    const { directory, log } = options;
    const kept = directory === undefined ? undefined : await StateFile.read(directory, log);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(options.port, options.host ?? "127.0.0.1", resolve);
    });
    return new SandboxRegistry(options, server, kept);
  }

  private constructor(options: SandboxRegistryOptions, server: Server, kept: SavedState | undefined) {
    this.baseUrl = `${originOf(server)}/v2`;
    this.#options = options;
    this.#server = server;
    this.#clock = options.clock ?? systemClock;
    this.#partners = { us: options.ourCnpId, customer: "SCUSTMR", previous: "SPREVUS", dca: "DSANDBX" };
    this.dcaId = this.#partners.dca;
    this.#subscriptions = Object.assign(Object.create(null), kept?.subscriptions);
    this.#settings = Object.assign(Object.create(null), kept?.migrationSettings);
    this.#notifier = new Notifier(options.notifyRetryMs ?? NOTIFY_RETRY_MS, options.log);
    this.#state = new RegistryState(
      {
        partners: this.#partners,
        clock: this.#clock,
        acceptanceMs: options.acceptanceMs ?? ACCEPTANCE_MS,
        onChange: (campaign) => this.#changed(campaign),
        notify: (cnpId, notification) => this.#notify(cnpId, notification),
      },
      kept?.campaigns ?? [],
    );
    this.#file =
      options.directory === undefined
        ? undefined
        : new StateFile(options.directory, () => this.#snapshot(), options.log);
    if (options.notifyUrl !== undefined) this.#subscribe(options.ourCnpId, "CAMPAIGN", options.notifyUrl);
    for (const campaign of this.#state.campaigns) this.#arm(campaign);
    server.on(
      "request",
      registryRequestListener({
        faultyAnswer: () => this.#faults.answer,
        callerOf: (request) => this.#callerOf(request),
        clock: this.#clock,
        deps: this.#routeDeps(),
      }),
    );
  }

  /** The customer migrates a campaign to us; creates an unknown campaign, and first cancels a declined migration. */
  migrate(
    campaignId: string,
    outcome: MigrationOutcome = "accept",
    rejectionCategory: RejectionCategory = "OTHER",
  ): Answer<undefined> {
    const { customer, us } = this.#partners;
    const campaign = this.#state.add(campaignId, "previous");
    if (!campaign.ok) return campaign;
    const isStuck = campaign.value.provisional.some(({ sharingStatus }) => sharingStatus === "DECLINED");
    if (isStuck) this.#state.cancelMigration(customer, campaignId, "Started again.");
    return this.#state.startMigration(customer, campaignId, us, { outcome, rejectionCategory });
  }

  /** The customer migrates a campaign away from us. */
  migrateAway(campaignId: string): Answer<undefined> {
    const { customer, previous } = this.#partners;
    return this.#state.startMigration(customer, campaignId, previous, {
      outcome: "accept",
      rejectionCategory: "OTHER",
    });
  }

  /** Adds a campaign that is shared with us without a migration; a known one stays unchanged. */
  addOurs(campaignId: string): Answer<CampaignRecord> {
    return this.#state.add(campaignId, "us");
  }

  /** One mobile operator suspends the campaign. */
  suspend(campaignId: string): Answer<undefined> {
    return this.#state.setStatus(campaignId, "SUSPENDED");
  }

  unsuspend(campaignId: string): Answer<undefined> {
    return this.#state.setStatus(campaignId, "UNSUSPENDED");
  }

  expire(campaignId: string): Answer<undefined> {
    return this.#state.setStatus(campaignId, "EXPIRED");
  }

  /** Replaces the faults set before. */
  setFaults(faults: RegistryFaults): void {
    this.#faults = faults;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#server.closeAllConnections();
    await Promise.all([
      new Promise<void>((resolve) => {
        this.#server.close(() => resolve());
      }),
      this.#notifier.close(),
      this.#file?.close(),
    ]);
  }

  #changed(campaign: CampaignRecord): void {
    this.#arm(campaign);
    this.#file?.changed();
  }

  #arm(campaign: CampaignRecord): void {
    clearTimeout(this.#timers.get(campaign.campaignId));
    this.#timers.delete(campaign.campaignId);
    if (campaign.dueMs === null || this.#closing) return;
    const waitMs = Math.max(0, campaign.dueMs - this.#clock.now().getTime());
    const timer = setTimeout(() => this.#state.advance(campaign), waitMs);
    this.#timers.set(campaign.campaignId, timer);
  }

  #notify(cnpId: string, notification: Notification): void {
    const url = this.#subscriptions[cnpId]?.CAMPAIGN;
    const secret = this.#credentialsOf(cnpId)?.secret;
    if (url === undefined || secret === undefined || this.#faults.loseNotifications) return;
    const signature = createHmac("sha1", secret)
      .update(`${url}${canonicalJson(notification)}`)
      .digest("base64");
    const signed = { url, headers: { "x-registry-signature": signature }, body: JSON.stringify(notification) };
    for (let time = 0; time < (this.#faults.duplicateNotifications ? 2 : 1); time++)
      this.#notifier.queue(cnpId, () => signed);
  }

  #credentialsOf(cnpId: string): Credentials | undefined {
    if (cnpId === this.#partners.us) return this.#options.ours;
    return cnpId === this.#partners.customer ? (this.#options.customers ?? CUSTOMERS) : undefined;
  }

  #subscribe(cnpId: string, category: string, endpoint: string): void {
    this.#subscriptions[cnpId] = { ...this.#subscriptions[cnpId], [category]: endpoint };
    this.#file?.changed();
  }

  #snapshot(): SavedState {
    return {
      campaigns: [...this.#state.campaigns],
      subscriptions: this.#subscriptions,
      migrationSettings: this.#settings,
    };
  }

  #callerOf(request: IncomingMessage): string | undefined {
    const { authorization } = request.headers;
    const isKeyOf = (cnpId: string) => {
      const credentials = this.#credentialsOf(cnpId);
      if (!credentials) return false;
      const pair = Buffer.from(`${credentials.apiKey}:${credentials.secret}`).toString("base64");
      return authorization === `Basic ${pair}`;
    };
    return [this.#partners.us, this.#partners.customer].find(isKeyOf);
  }

  #routeDeps(): RouteDeps {
    const { us } = this.#partners;
    return {
      state: this.#state,
      subscriptionsOf: (cnpId) => this.#subscriptions[cnpId] ?? {},
      subscribe: (cnpId, category, endpoint) => this.#subscribe(cnpId, category, endpoint),
      settingsOf: (cnpId) =>
        this.#settings[cnpId] ?? { migrationSupported: cnpId !== us, migrationAutoComplete: false },
      set: (cnpId, settings) => {
        this.#settings[cnpId] = settings;
        this.#file?.changed();
      },
    };
  }
}
