// The campaign registry's public API (the CSP API of The Campaign Registry, v2), seen from a connectivity partner: what is shared with
// us, how it stands, accepting and declining it, and where notifications go.
//
// Every verb may be run twice. None throws for anything the registry does; see registry-exchange.ts for deadlines and rates.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type {
  CampaignRegistry,
  Chain,
  OperatorTerms,
  RegistryAnswer,
  RegistryCampaign,
  RegistryFailure,
  RejectionCategory,
  SharedCampaign,
  Standing,
  Sweep,
  SweepPage,
  SweepPosition,
} from "./campaign-registry.ts";
import {
  type CampaignDocument,
  isCampaignId,
  readCampaign,
  readChain,
  readMigration,
  readMigrationSettings,
  readOperators,
  readRecordSet,
  readSubscription,
  type SharingChain,
} from "./registry-documents.ts";
import { type Ask, type ExchangeOptions, RegistryExchange } from "./registry-exchange.ts";
import { standingOf } from "./standing.ts";

export interface RegistryClientOptions extends ExchangeOptions {
  /** The partner above us. */
  readonly shareWithCnpId?: string | undefined;
}

/** A list does not say how its records are shared, so each kind is a list of its own; what waits for us comes first. */
const VIEWS: readonly { readonly chain: Chain; readonly sharing: SharedCampaign["sharing"] }[] = [
  { chain: "provisional", sharing: "Pending" },
  { chain: "primary", sharing: "Pending" },
  { chain: "provisional", sharing: "Accepted" },
  { chain: "primary", sharing: "Accepted" },
];
/** The registry gives no more at once, and no more than 10,000 in all. */
const RECORDS_PER_PAGE = 50;
const PAGES_MAX = 200;
const DAY_MS = 24 * 3600 * 1000;
const EXPLANATION_LENGTH_MAX = 2048;
const ENDPOINT_LENGTH_MAX = 255;
const CATEGORY = "CAMPAIGN";

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

  campaignsForUs(sweep: Sweep = {}): Promise<RegistryAnswer<SweepPage>> {
    return this.#exchange.inTime((ask) => this.#page(ask, sweep));
  }

  campaign(tcrCampaignId: string): Promise<RegistryAnswer<RegistryCampaign>> {
    return this.#exchange.inTime(async (ask) => {
      const found = await findCampaign(ask, tcrCampaignId);
      if (!found.ok) return found;
      const operators = await askOperators(ask, tcrCampaignId);
      if (!operators.ok) return operators;
      const isSuspended = operators.value.some(({ operationStatus }) => operationStatus === "SUSPENDED");
      const status = found.value.status === "Active" && isSuspended ? "Suspended" : found.value.status;
      return ok({ ...found.value, status, operators: operators.value });
    });
  }

  standing(tcrCampaignId: string): Promise<RegistryAnswer<Standing>> {
    return this.#exchange.inTime((ask) => this.#standing(ask, tcrCampaignId));
  }

  accept(tcrCampaignId: string): Promise<RegistryAnswer<Standing>> {
    const upstream = this.#shareWithCnpId;
    if (upstream === undefined) return this.standing(tcrCampaignId);
    return this.#exchange.inTime(async (ask) => {
      if (!isCampaignId(tcrCampaignId)) return refused(NOT_FOUND);
      const path = `/partnerCampaign/${tcrCampaignId}/sharing/${encodeURIComponent(upstream)}`;
      const answer = await ask({ method: "PUT", path });
      const standing = await this.#standing(ask, tcrCampaignId);
      return verdict(answer, standing, ["awaitingUpstream", "ours"]);
    });
  }

  decline(
    tcrCampaignId: string,
    { categories, explanation }: { readonly categories: readonly RejectionCategory[]; readonly explanation: string },
  ): Promise<RegistryAnswer<Standing>> {
    return this.#exchange.inTime(async (ask) => {
      if (!isCampaignId(tcrCampaignId)) return refused(NOT_FOUND);
      const query = { explanation: explanation.slice(0, EXPLANATION_LENGTH_MAX), rejectionCategory: categories };
      const answer = await ask({ method: "DELETE", path: `/partnerCampaign/${tcrCampaignId}/sharing`, query });
      const standing = await this.#standing(ask, tcrCampaignId);
      return verdict(answer, standing, ["declined", "notOurs"]);
    });
  }

  ensureSubscription(endpoint: string): Promise<RegistryAnswer<"kept" | "made">> {
    return this.#exchange.inTime(async (ask) => {
      if (endpoint.length > ENDPOINT_LENGTH_MAX) return refused(ENDPOINT_TOO_LONG);
      const listed = await ask({ method: "GET", path: "/webhook/subscription" });
      if (!listed.ok) return listed;
      if (readSubscription(listed.value, CATEGORY) === endpoint) return ok("kept");
      const body = { eventCategory: CATEGORY, webhookEndpoint: endpoint };
      const made = await ask({ method: "PUT", path: "/webhook/subscription", body });
      return made.ok ? ok("made") : made;
    });
  }

  ensureMigrationSupported(): Promise<RegistryAnswer<"kept" | "switchedOn">> {
    return this.#exchange.inTime(async (ask) => {
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

  async #page(ask: Ask, { sharedSince, position = { view: 0, page: 1 } }: Sweep): Promise<RegistryAnswer<SweepPage>> {
    const view = VIEWS[position.view];
    if (!view) return ok({ items: [] });
    const answer = await ask({
      method: "GET",
      path: "/partnerCampaign/sharedWithMe/search",
      query: {
        cnpMigration: view.chain === "provisional",
        sharingStatus: view.sharing.toUpperCase(),
        ...(sharedSince && { sharingStartDate: dayBefore(sharedSince) }),
        page: position.page,
        recordsPerPage: RECORDS_PER_PAGE,
      },
    });
    const read = readWith(answer, readRecordSet);
    if (!read.ok) return read;
    const { campaigns, unreadable, total } = read.value;
    if (unreadable > 0) {
      this.#log.warn({ ...view, page: position.page, unreadable }, "registry listed what is no campaign");
    }
    const next = positionAfter(position, campaigns.length + unreadable, total);
    return ok({ items: campaigns.map((campaign) => ({ ...campaign, ...view })), ...(next && { next }) });
  }

  async #standing(ask: Ask, tcrCampaignId: string): Promise<RegistryAnswer<Standing>> {
    // In this order: a provisional chain that becomes primary meanwhile is seen at least once.
    const provisional = await askChain(ask, tcrCampaignId, "provisional");
    if (!provisional.ok) return provisional;
    const primary = await askChain(ask, tcrCampaignId, "primary");
    if (!primary.ok) return primary;
    const chains = { primary: primary.value, provisional: provisional.value };
    const now = this.#clock.now();
    // What is ours is so however it came to be; most that is asked about is.
    const settled = standingOf({ ...chains, migration: undefined }, now);
    if (settled.kind === "ours") return ok(settled);
    const migration = await tell(ask, tcrCampaignId, "/campaign", "/migrateCnp", readMigration);
    // It is the owner's to see; where it is not shown to us the chains have to do.
    if (!migration.ok && migration.refusal.kind !== "refused") return migration;
    return ok(standingOf({ ...chains, migration: migration.ok ? migration.value : undefined }, now));
  }
}

async function findCampaign(
  ask: Ask,
  tcrCampaignId: string,
): Promise<RegistryAnswer<CampaignDocument & { readonly chain: Chain }>> {
  for (const chain of ["primary", "provisional"] as const) {
    const cnpMigration = chain === "provisional";
    const answer = await tell(ask, tcrCampaignId, "/partnerCampaign", "", readCampaign, { cnpMigration });
    if (answer.ok) return ok({ ...answer.value, chain });
    if (!isNotFound(answer.refusal)) return answer;
  }
  return refused(NOT_FOUND);
}

async function askOperators(ask: Ask, tcrCampaignId: string): Promise<RegistryAnswer<readonly OperatorTerms[]>> {
  const statuses = await tell(ask, tcrCampaignId, "/partnerCampaign", "/operationStatus", anything);
  if (!statuses.ok && statuses.refusal.kind !== "refused") return statuses;
  const terms = await tell(ask, tcrCampaignId, "/partnerCampaign", "/mnoMetadata", anything);
  if (!terms.ok && terms.refusal.kind !== "refused") return terms;
  // A campaign that expired, or that is not on our chain yet, has neither.
  return ok(readOperators(terms.ok ? terms.value.document : {}, statuses.ok ? statuses.value.document : {}));
}

async function askChain(
  ask: Ask,
  tcrCampaignId: string,
  chain: Chain,
): Promise<RegistryAnswer<SharingChain | undefined>> {
  const cnpMigration = chain === "provisional";
  const answer = await tell(ask, tcrCampaignId, "/partnerCampaign", "/sharing", readChain, { cnpMigration });
  return !answer.ok && isNotFound(answer.refusal) ? ok(undefined) : answer;
}

async function tell<Value>(
  ask: Ask,
  tcrCampaignId: string,
  collection: "/campaign" | "/partnerCampaign",
  part: string,
  read: (document: unknown) => Value | undefined,
  query: { readonly cnpMigration?: boolean } = {},
): Promise<RegistryAnswer<Value>> {
  if (!isCampaignId(tcrCampaignId)) return refused(NOT_FOUND);
  return readWith(await ask({ method: "GET", path: `${collection}/${tcrCampaignId}${part}`, query }), read);
}

/** How things stand decides, whatever was answered: the request may have been done before, or its answer lost. */
function verdict(
  answer: RegistryAnswer<unknown>,
  standing: RegistryAnswer<Standing>,
  done: readonly Standing["kind"][],
): RegistryAnswer<Standing> {
  return answer.ok || (standing.ok && done.includes(standing.value.kind)) ? standing : answer;
}

const NOT_FOUND: RegistryFailure = {
  kind: "refused",
  reason: "not-found",
  errors: [{ code: 502, description: "Campaign record not found.", fields: ["campaignId"] }],
};

const ENDPOINT_TOO_LONG: RegistryFailure = {
  kind: "refused",
  reason: "invalid-parameter",
  errors: [
    {
      code: 501,
      description: `A webhook's URL has ${ENDPOINT_LENGTH_MAX} characters at most.`,
      fields: ["webhookEndpoint"],
    },
  ],
};

const anything = (document: unknown) => ({ document });

const isNotFound = (failure: RegistryFailure) => failure.kind === "refused" && failure.reason === "not-found";

function readWith<Value>(
  answer: RegistryAnswer<unknown>,
  read: (document: unknown) => Value | undefined,
): Result<Value, RegistryFailure> {
  if (!answer.ok) return answer;
  const value = read(answer.value);
  if (value !== undefined) return ok(value);
  return refused({ kind: "unavailable", why: "unreadable", detail: "the document is not what was asked for" });
}

function positionAfter({ view, page }: SweepPosition, records: number, total: number): SweepPosition | undefined {
  if (records > 0 && page * RECORDS_PER_PAGE < total && page < PAGES_MAX) return { view, page: page + 1 };
  return view + 1 < VIEWS.length ? { view: view + 1, page: 1 } : undefined;
}

/** The registry's days may begin at another hour than ours. */
function dayBefore(date: Date): string {
  return new Date(date.getTime() - DAY_MS).toISOString().slice(0, 10);
}
