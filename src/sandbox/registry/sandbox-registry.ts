// A campaign registry for development and tests, behind the same HTTP as the real one: the product does not know the difference. The
// world around it (the customer who migrates, the DCA at the top, the mobile operators) acts on request and after `acceptanceMs`.

import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Result } from "../../base/result.ts";
import { type Notification, type Partners, RegistryBook } from "./book.ts";
import { type FaultyAnswer, registryFront } from "./front.ts";
import { BookFile, type KeptBook } from "./kept-book.ts";
import { Notifier } from "./notifier.ts";
import type { ApiError, CampaignRecord, MigrationOutcome, RejectionCategory } from "./records.ts";
import type { World } from "./routes.ts";

export interface Credentials {
  readonly apiKey: string;
  /** Signs the notifications, too. */
  readonly secret: string;
}

export interface SandboxRegistryOptions {
  readonly host?: string;
  readonly port: number;
  readonly ourCnpId: string;
  readonly ours: Credentials;
  /** The customer's, for those who want to call migrateCnp over HTTP. */
  readonly customers?: Credentials;
  /** Subscribed to the events of campaigns from the start. */
  readonly notifyUrl?: string;
  /** From our acceptance to the DCA's. */
  readonly acceptanceMs?: number;
  readonly notifyRetryMs?: number;
  /** Where it is kept between two starts; not at all when absent. */
  readonly directory?: string;
  readonly clock?: Clock;
  readonly log: Log;
}

export interface RegistryFaults {
  readonly loseNotifications?: boolean;
  readonly duplicateNotifications?: boolean;
  /** Instead of every answer. */
  readonly answer?: FaultyAnswer;
}

type Answer<Value> = Result<Value, readonly ApiError[]>;

const ACCEPTANCE_MS = 5000;
const NOTIFY_RETRY_MS = 1000;
const CUSTOMERS: Credentials = { apiKey: "sandbox-customer", secret: "sandbox-customer-secret" };

export class SandboxRegistry {
  /** What the product is configured with. */
  readonly baseUrl: string;
  /** The partner above us: whom to share with in order to accept. */
  readonly dcaId: string;
  readonly #options: SandboxRegistryOptions;
  readonly #server: Server;
  readonly #partners: Partners;
  readonly #book: RegistryBook;
  readonly #file: BookFile | undefined;
  readonly #notifier: Notifier;
  readonly #clock: Clock;
  readonly #subscriptions: KeptBook["subscriptions"];
  readonly #settings: KeptBook["migrationSettings"];
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #faults: RegistryFaults = {};
  #closing: Promise<void> | undefined;

  static async listen(options: SandboxRegistryOptions): Promise<SandboxRegistry> {
    const { directory, log } = options;
    const kept = directory === undefined ? undefined : await BookFile.read(directory, log);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(options.port, options.host ?? "127.0.0.1", resolve);
    });
    return new SandboxRegistry(options, server, kept);
  }

  private constructor(options: SandboxRegistryOptions, server: Server, kept: KeptBook | undefined) {
    const { address, family, port } = server.address() as AddressInfo;
    this.baseUrl = `http://${family === "IPv6" ? `[${address}]` : address}:${port}/v2`;
    this.#options = options;
    this.#server = server;
    this.#clock = options.clock ?? systemClock;
    this.#partners = { us: options.ourCnpId, customer: "SCUSTMR", previous: "SPREVUS", dca: "DSANDBX" };
    this.dcaId = this.#partners.dca;
    this.#subscriptions = { ...kept?.subscriptions };
    this.#settings = { ...kept?.migrationSettings };
    this.#notifier = new Notifier(options.notifyRetryMs ?? NOTIFY_RETRY_MS, options.log);
    this.#book = new RegistryBook(
      {
        partners: this.#partners,
        clock: this.#clock,
        acceptanceMs: options.acceptanceMs ?? ACCEPTANCE_MS,
        onChange: (campaign) => this.#changed(campaign),
        tell: (cnpId, notification) => this.#tell(cnpId, notification),
      },
      kept?.campaigns ?? [],
    );
    this.#file =
      options.directory === undefined
        ? undefined
        : new BookFile(options.directory, () => this.#snapshot(), options.log);
    if (options.notifyUrl !== undefined) this.#subscribe(options.ourCnpId, "CAMPAIGN", options.notifyUrl);
    for (const campaign of this.#book.campaigns) this.#arm(campaign);
    server.on(
      "request",
      registryFront({
        faultyAnswer: () => this.#faults.answer,
        callerOf: (request) => this.#callerOf(request),
        clock: this.#clock,
        world: this.#world(),
      }),
    );
  }

  /** The customer migrates a campaign to us; it is made where it is unknown. A migration that came to nothing is cancelled before. */
  migrate(
    campaignId: string,
    outcome: MigrationOutcome = "accept",
    rejectionCategory: RejectionCategory = "OTHER",
  ): Answer<undefined> {
    const { customer, us } = this.#partners;
    const campaign = this.#book.add(campaignId, "previous");
    if (!campaign.ok) return campaign;
    const isStuck = campaign.value.provisional.some(({ sharingStatus }) => sharingStatus === "DECLINED");
    if (isStuck) this.#book.cancelMigration(customer, campaignId, "Started again.");
    return this.#book.startMigration(customer, campaignId, us, { outcome, rejectionCategory });
  }

  /** The customer migrates a campaign away from us. */
  migrateAway(campaignId: string): Answer<undefined> {
    const { customer, previous } = this.#partners;
    return this.#book.startMigration(customer, campaignId, previous, { outcome: "accept", rejectionCategory: "OTHER" });
  }

  /** A campaign that has been ours all along; one that is there already stays as it is. */
  addOurs(campaignId: string): Answer<CampaignRecord> {
    return this.#book.add(campaignId, "us");
  }

  /** By one mobile operator. */
  suspend(campaignId: string): Answer<undefined> {
    return this.#book.setStatus(campaignId, "SUSPENDED");
  }

  unsuspend(campaignId: string): Answer<undefined> {
    return this.#book.setStatus(campaignId, "UNSUSPENDED");
  }

  expire(campaignId: string): Answer<undefined> {
    return this.#book.setStatus(campaignId, "EXPIRED");
  }

  /** From now on, in place of those before. */
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
    const timer = setTimeout(() => this.#book.act(campaign), waitMs);
    this.#timers.set(campaign.campaignId, timer);
  }

  #tell(cnpId: string, notification: Notification): void {
    const endpoint = this.#subscriptions[cnpId]?.CAMPAIGN;
    const secret = this.#credentialsOf(cnpId)?.secret;
    if (endpoint === undefined || secret === undefined || this.#faults.loseNotifications) return;
    this.#notifier.queue(cnpId, { endpoint, secret }, notification);
    if (this.#faults.duplicateNotifications) this.#notifier.queue(cnpId, { endpoint, secret }, notification);
  }

  #credentialsOf(cnpId: string): Credentials | undefined {
    if (cnpId === this.#partners.us) return this.#options.ours;
    return cnpId === this.#partners.customer ? (this.#options.customers ?? CUSTOMERS) : undefined;
  }

  #subscribe(cnpId: string, category: string, endpoint: string | undefined): void {
    const { [category]: _, ...others } = this.#subscriptions[cnpId] ?? {};
    this.#subscriptions[cnpId] = endpoint === undefined ? others : { ...others, [category]: endpoint };
    this.#file?.changed();
  }

  #snapshot(): KeptBook {
    return {
      campaigns: [...this.#book.campaigns],
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

  #world(): World {
    const { us, customer, previous, dca } = this.#partners;
    return {
      book: this.#book,
      partners: { [us]: "Us", [customer]: "Sandbox customer", [previous]: "Previous partner", [dca]: "Sandbox DCA" },
      subscriptionsOf: (cnpId) => this.#subscriptions[cnpId] ?? {},
      subscribe: (cnpId, category, endpoint) => this.#subscribe(cnpId, category, endpoint),
      settingsOf: (cnpId) =>
        this.#settings[cnpId] ?? { migrationSupported: cnpId !== us, migrationAutoComplete: false },
      set: (cnpId, settings) => {
        this.#settings[cnpId] = settings;
        this.#file?.changed();
      },
      sendMock: (cnpId, eventType) => this.#sendMock(cnpId, eventType),
    };
  }

  async #sendMock(cnpId: string, eventType: string): Promise<object | undefined> {
    const endpoint = this.#subscriptions[cnpId]?.CAMPAIGN;
    const secret = this.#credentialsOf(cnpId)?.secret;
    if (endpoint === undefined || secret === undefined) return undefined;
    const notification = { eventType, campaignId: "C123ABC", mock: true };
    return { endpoint, ...(await this.#notifier.sendOnce({ endpoint, secret }, notification)) };
  }
}
