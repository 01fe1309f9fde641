// A client of the campaign registry's public API (the CSP API of The Campaign Registry, v2) for a connectivity partner:
// lists, reads and accepts shared campaigns, and subscribes to notifications. Deadlines, rates: registry-exchange.ts.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type {
  CampaignFacts,
  CampaignRegistry,
  CampaignStanding,
  ListedPage,
  RegistryFault,
  StandingUpdate,
} from "../../domain/campaigns/index.ts";
import {
  type CampaignDocument,
  isCampaignId,
  type Operators,
  type RegistryFailure,
  readCampaign,
  readChain,
  readMigration,
  readMigrationSettings,
  readOperators,
  readRecordSet,
  readSubscription,
  type SharingChain,
} from "./registry-documents.ts";
import { type Ask, type ExchangeOptions, type RegistryAnswer, RegistryExchange } from "./registry-exchange.ts";
import { standingOf } from "./standing.ts";

export interface RegistryClientOptions extends ExchangeOptions {
  /** The partner above us. */
  readonly shareWithCnpId?: string | undefined;
}

/** The chain of connectivity partners that carries a campaign's traffic, and the one that a migration prepares. */
type Chain = "primary" | "provisional";

/** A list does not show how its records are shared, so each kind has its own list; those waiting for us come first. */
const VIEWS: readonly { readonly chain: Chain; readonly sharing: "Pending" | "Accepted" }[] = [
  { chain: "provisional", sharing: "Pending" },
  { chain: "primary", sharing: "Pending" },
  { chain: "provisional", sharing: "Accepted" },
  { chain: "primary", sharing: "Accepted" },
];
/** The registry's own limits: records of one page, and 10,000 records of one list. */
const RECORDS_PER_PAGE = 50;
const PAGES_MAX = 200;
const DAY_MS = 24 * 3600 * 1000;
const ENDPOINT_LENGTH_MAX = 255;
const CATEGORY = "CAMPAIGN";
const FIRST_PAGE: ListPosition = { view: 0, page: 1 };

interface ListPosition {
  readonly view: number;
  readonly page: number;
}

export class RegistryClient implements CampaignRegistry {
  readonly #exchange: RegistryExchange;
  readonly #shareWithCnpId: string | undefined;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(options: RegistryClientOptions, deps: { readonly clock: Clock; readonly log: Log }) {
    this.#exchange = new RegistryExchange(options);
    this.#shareWithCnpId = options.shareWithCnpId;
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  list(sharedSince: Date | undefined, position: unknown = FIRST_PAGE): Promise<Result<ListedPage, RegistryFault>> {
    return this.#withDeadline((ask) => this.#page(ask, sharedSince, position as ListPosition));
  }

  facts(tcrCampaignId: string): Promise<Result<CampaignFacts, RegistryFault>> {
    return this.#withDeadline(async (ask) => {
      const found = await findCampaign(ask, tcrCampaignId);
      if (!found.ok) return found;
      const operators = await askOperators(ask, tcrCampaignId);
      if (!operators.ok) return operators;
      const { tcrBrandId, name, status } = found.value;
      const { throughput, isSuspended } = operators.value;
      return ok({ tcrBrandId, name, status: status === "Active" && isSuspended ? "Suspended" : status, throughput });
    });
  }

  standing(tcrCampaignId: string): Promise<Result<StandingUpdate, RegistryFault>> {
    return this.#withDeadline((ask) => this.#standing(ask, tcrCampaignId));
  }

  /** A share is accepted by passing it on to the partner above us. */
  accept(tcrCampaignId: string): Promise<Result<StandingUpdate, RegistryFault>> {
    const upstream = this.#shareWithCnpId;
    if (upstream === undefined) return this.standing(tcrCampaignId);
    return this.#withDeadline(async (ask) => {
      if (!isCampaignId(tcrCampaignId)) return refused(NOT_FOUND);
      const path = `/partnerCampaign/${tcrCampaignId}/sharing/${encodeURIComponent(upstream)}`;
      const answer = await ask({ method: "PUT", path });
      const stands = await this.#standing(ask, tcrCampaignId);
      // The standing decides, not the answer: the request may have been done before, or its answer lost.
      return answer.ok || (stands.ok && ACCEPTED.includes(stands.value.standing)) ? stands : answer;
    });
  }

  ensureSubscription(endpoint: string): Promise<Result<"kept" | "made", RegistryFault>> {
    return this.#withDeadline(async (ask) => {
      if (endpoint.length > ENDPOINT_LENGTH_MAX) return refused(ENDPOINT_TOO_LONG);
      const listed = await ask({ method: "GET", path: "/webhook/subscription" });
      if (!listed.ok) return listed;
      if (readSubscription(listed.value, CATEGORY) === endpoint) return ok("kept");
      const body = { eventCategory: CATEGORY, webhookEndpoint: endpoint };
      const made = await ask({ method: "PUT", path: "/webhook/subscription", body });
      return made.ok ? ok("made") : made;
    });
  }

  ensureMigrationSupported(): Promise<Result<"kept" | "switchedOn", RegistryFault>> {
    return this.#withDeadline(async (ask) => {
      const path = "/settings/cnpMigration";
      const settings = readWith(await ask({ method: "GET", path }), readMigrationSettings);
      if (!settings.ok) return settings;
      if (settings.value.supported) return ok("kept");
      const body = { migrationSupported: true, migrationAutoComplete: settings.value.autoComplete };
      const switched = await ask({ method: "PUT", path, body });
      return switched.ok ? ok("switchedOn") : switched;
    });
  }

  close(): Promise<void> {
    return this.#exchange.close();
  }

  async #withDeadline<Value>(
    work: (ask: Ask) => Promise<RegistryAnswer<Value>>,
  ): Promise<Result<Value, RegistryFault>> {
    const answer = await this.#exchange.withDeadline(work);
    return answer.ok ? answer : refused(faultOf(answer.refusal));
  }

  async #page(ask: Ask, sharedSince: Date | undefined, position: ListPosition): Promise<RegistryAnswer<ListedPage>> {
    const view = VIEWS[position.view];
    if (!view) return ok({ items: [] });
    const answer = await ask({
      method: "GET",
      path: "/partnerCampaign/sharedWithMe/search",
      query: {
        cnpMigration: String(view.chain === "provisional"),
        sharingStatus: view.sharing.toUpperCase(),
        // The registry filters by no other date: one shared earlier and settled since is only in a full listing.
        ...(sharedSince && { sharingStartDate: dayBefore(sharedSince) }),
        page: String(position.page),
        recordsPerPage: String(RECORDS_PER_PAGE),
      },
    });
    const read = readWith(answer, readRecordSet);
    if (!read.ok) return read;
    const { campaigns, unreadable, total } = read.value;
    if (unreadable > 0) {
      this.#log.warn({ ...view, page: position.page, unreadable }, "registry listed records that are not campaigns");
    }
    const items = campaigns.map(({ tcrCampaignId, ...facts }) => ({
      tcrCampaignId,
      shownAs: `${view.chain} ${view.sharing} ${facts.status}`,
      facts: { ...facts, throughput: [] },
    }));
    const next = positionAfter(position, campaigns.length + unreadable, total);
    return ok({ items, ...(next && { next }) });
  }

  async #standing(ask: Ask, tcrCampaignId: string): Promise<RegistryAnswer<StandingUpdate>> {
    // In this order, a provisional chain that becomes primary meanwhile is seen at least once.
    const provisional = await askChain(ask, tcrCampaignId, "provisional");
    if (!provisional.ok) return provisional;
    const primary = await askChain(ask, tcrCampaignId, "primary");
    if (!primary.ok) return primary;
    const chains = { primary: primary.value, provisional: provisional.value };
    const now = this.#clock.now();
    // Most campaigns are ours; for those the migration need not be read.
    const settled = standingOf({ ...chains, migration: undefined }, now);
    if (settled.standing === "Ours") return ok(settled);
    const migration = await getCampaign(ask, tcrCampaignId, "/campaign", "/migrateCnp", readMigration);
    // The registry may show a migration to its owner only; then the chains alone decide.
    if (!migration.ok && migration.refusal.kind !== "refused") return migration;
    return ok(standingOf({ ...chains, migration: migration.ok ? migration.value : undefined }, now));
  }
}

async function findCampaign(ask: Ask, tcrCampaignId: string): Promise<RegistryAnswer<CampaignDocument>> {
  for (const cnpMigration of ["false", "true"]) {
    const answer = await getCampaign(ask, tcrCampaignId, "/partnerCampaign", "", readCampaign, { cnpMigration });
    if (answer.ok || !isNotFound(answer.refusal)) return answer;
  }
  return refused(NOT_FOUND);
}

async function askOperators(ask: Ask, tcrCampaignId: string): Promise<RegistryAnswer<Operators>> {
  const statuses = await getCampaign(ask, tcrCampaignId, "/partnerCampaign", "/operationStatus", anything);
  if (!statuses.ok && statuses.refusal.kind !== "refused") return statuses;
  const terms = await getCampaign(ask, tcrCampaignId, "/partnerCampaign", "/mnoMetadata", anything);
  if (!terms.ok && terms.refusal.kind !== "refused") return terms;
  // An expired campaign, or one that is not on our chain yet, has neither statuses nor terms.
  return ok(readOperators(terms.ok ? terms.value.document : {}, statuses.ok ? statuses.value.document : {}));
}

async function askChain(
  ask: Ask,
  tcrCampaignId: string,
  chain: Chain,
): Promise<RegistryAnswer<SharingChain | undefined>> {
  const cnpMigration = String(chain === "provisional");
  const answer = await getCampaign(ask, tcrCampaignId, "/partnerCampaign", "/sharing", readChain, { cnpMigration });
  return !answer.ok && isNotFound(answer.refusal) ? ok(undefined) : answer;
}

async function getCampaign<Value>(
  ask: Ask,
  tcrCampaignId: string,
  collection: "/campaign" | "/partnerCampaign",
  part: string,
  read: (document: unknown) => Value | undefined,
  query: { readonly cnpMigration?: string } = {},
): Promise<RegistryAnswer<Value>> {
  if (!isCampaignId(tcrCampaignId)) return refused(NOT_FOUND);
  return readWith(await ask({ method: "GET", path: `${collection}/${tcrCampaignId}${part}`, query }), read);
}

const ACCEPTED: readonly CampaignStanding[] = ["AwaitingUpstream", "Ours"];

const NOT_FOUND: RegistryFailure = { kind: "refused", isNotFound: true, detail: "502 Campaign record not found." };

const ENDPOINT_TOO_LONG: RegistryFailure = {
  kind: "refused",
  isNotFound: false,
  detail: `501 A webhook's URL has ${ENDPOINT_LENGTH_MAX} characters at most.`,
};

function faultOf(failure: RegistryFailure): RegistryFault {
  switch (failure.kind) {
    case "refused":
      return { reason: `refused: ${failure.detail}`, isWide: false };
    case "unauthorized":
      return { reason: `our key or secret is wrong: ${failure.detail}`, isWide: true };
    case "unavailable":
      return { reason: `${failure.why}: ${failure.detail}`, isWide: failure.why !== "unreadable" };
  }
}

const anything = (document: unknown) => ({ document });

const isNotFound = (failure: RegistryFailure) => failure.kind === "refused" && failure.isNotFound;

function readWith<Value>(
  answer: RegistryAnswer<unknown>,
  read: (document: unknown) => Value | undefined,
): RegistryAnswer<Value> {
  if (!answer.ok) return answer;
  const value = read(answer.value);
  if (value !== undefined) return ok(value);
  return refused({ kind: "unavailable", why: "unreadable", detail: "the document is not what was asked for" });
}

function positionAfter({ view, page }: ListPosition, records: number, total: number): ListPosition | undefined {
  if (records > 0 && page * RECORDS_PER_PAGE < total && page < PAGES_MAX) return { view, page: page + 1 };
  return view + 1 < VIEWS.length ? { view: view + 1, page: 1 } : undefined;
}

/** A day earlier, because the registry's days may begin at another hour than ours. */
function dayBefore(date: Date): string {
  return new Date(date.getTime() - DAY_MS).toISOString().slice(0, 10);
}
