// The simulated registry's API as a table of routes, as far as the product and a migrating customer use it. Paths,
// shapes, codes and bounds are those of the public CSP API, v2.

import { ok, type Result, refused } from "../../base/result.ts";
import { type ApiError, apiError, type CampaignRecord, campaignDocument, operatorTerms } from "./records.ts";
import type { RegistryState } from "./registry-state.ts";
import { partiesOf, shareBy, shareWith } from "./share-chain.ts";

export interface RequestContext {
  /** The partner that the API key belongs to. */
  readonly caller: string;
  /** The variable parts of the path, in order. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface RouteDeps {
  readonly state: RegistryState;
  subscriptionsOf(cnpId: string): Readonly<Record<string, string>>;
  subscribe(cnpId: string, category: string, endpoint: string): void;
  settingsOf(cnpId: string): MigrationSettings;
  set(cnpId: string, settings: MigrationSettings): void;
}

export interface MigrationSettings {
  readonly migrationSupported: boolean;
  readonly migrationAutoComplete: boolean;
}

/** Undefined is answered with 204. */
type Reply = Result<unknown, readonly ApiError[]>;

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly answer: (deps: RouteDeps, context: RequestContext) => Reply;
}

const CATEGORIES = ["CSP", "BRAND", "VETTING", "CAMPAIGN", "INCIDENCE"];
const ENDPOINT_LENGTH_MAX = 255;
const RECORDS_PER_PAGE_MAX = 50;
const RECORDS_MAX = 10_000;
const DATE = /^20\d\d-[01]\d-[0-3]\d$/;
const NOT_FOUND = apiError(502, ["campaignId"]);

const route = (method: string, path: string, answer: Route["answer"]): Route => ({
  method,
  path: new RegExp(`^/v2${path.replaceAll("{}", "([^/]+)")}$`),
  answer,
});

export const ROUTES: readonly Route[] = [
  route("GET", "/campaign/{}", (deps, context) => ownCampaign(deps, context, campaignDocument)),
  route("GET", "/campaign/{}/migrateCnp", readMigration),
  route("POST", "/campaign/{}/migrateCnp/{}", ({ state, settingsOf }, { caller, parts: [id = "", upstream = ""] }) =>
    settingsOf(caller).migrationSupported
      ? state.startMigration(caller, id, upstream, { outcome: "accept", rejectionCategory: "OTHER" })
      : refused(apiError(592, [], "CNP migration is not enabled for this account.")),
  ),
  route("DELETE", "/campaign/{}/migrateCnp", ({ state }, { caller, parts: [id = ""], query }) =>
    state.cancelMigration(caller, id, query.get("explanation") ?? ""),
  ),
  route("GET", "/campaign/{}/sharing", (deps, context) =>
    ownCampaign(deps, context, (it) => chainDocument(it, context)),
  ),

  route("GET", "/partnerCampaign/sharedWithMe/search", search),
  route("GET", "/partnerCampaign/{}", (deps, context) => sharedCampaign(deps, context, campaignDocument)),
  route("GET", "/partnerCampaign/{}/sharing", (deps, context) =>
    sharedCampaign(deps, context, (campaign) => chainDocument(campaign, context)),
  ),
  route("GET", "/partnerCampaign/{}/mnoMetadata", (deps, context) => anyChain(deps, context, operatorTerms)),
  route("GET", "/partnerCampaign/{}/operationStatus", (deps, context) => {
    const campaign = deps.state.find(context.parts[0] ?? "");
    if (campaign?.status === "EXPIRED") return refused(apiError(518));
    return anyChain(deps, context, ({ operations }) => operations);
  }),
  route(
    "PUT",
    "/partnerCampaign/{}/sharing/{}",
    ({ state, settingsOf }, { caller, parts: [id = "", upstream = ""] }) => {
      const isMigration = (state.find(id)?.provisional.length ?? 0) > 0;
      if (isMigration && !settingsOf(caller).migrationSupported) {
        return refused(apiError(592, [], "CNP migration is not enabled for this account."));
      }
      return state.shareFurther(caller, id, upstream);
    },
  ),
  route("DELETE", "/partnerCampaign/{}/sharing", ({ state }, { caller, parts: [id = ""], query }) =>
    state.declineShare(caller, id, {
      categories: query.getAll("rejectionCategory"),
      explanation: query.get("explanation") ?? "",
    }),
  ),

  route("GET", "/settings/cnpMigration", ({ settingsOf }, { caller }) => ok(settingsOf(caller))),
  route("PUT", "/settings/cnpMigration", changeSettings),

  route("GET", "/webhook/subscription", ({ subscriptionsOf }, { caller }) =>
    ok(
      Object.entries(subscriptionsOf(caller)).map(([eventCategory, webhookEndpoint]) => ({
        eventCategory,
        webhookEndpoint,
      })),
    ),
  ),
  route("PUT", "/webhook/subscription", subscribe),
];

function ownCampaign(
  { state }: RouteDeps,
  { caller, parts }: RequestContext,
  show: (campaign: CampaignRecord) => object,
): Reply {
  const campaign = state.find(parts[0] ?? "");
  return campaign?.cspId === caller ? ok(show(campaign)) : refused(NOT_FOUND);
}

/** Looks only at the chain that `cnpMigration` selects. */
function sharedCampaign(
  { state }: RouteDeps,
  context: RequestContext,
  show: (campaign: CampaignRecord) => object,
): Reply {
  const campaign = state.find(context.parts[0] ?? "");
  return campaign && shareWith(chainOf(campaign, context), context.caller) ? ok(show(campaign)) : refused(NOT_FOUND);
}

function anyChain(
  { state }: RouteDeps,
  { caller, parts }: RequestContext,
  show: (campaign: CampaignRecord) => object,
): Reply {
  const campaign = state.find(parts[0] ?? "");
  const isShared = campaign && shareWith([...campaign.primary, ...campaign.provisional], caller);
  return isShared ? ok(show(campaign)) : refused(NOT_FOUND);
}

function chainOf(campaign: CampaignRecord, { query }: RequestContext): CampaignRecord["primary"] {
  return query.get("cnpMigration") === "true" ? campaign.provisional : campaign.primary;
}

function chainDocument(campaign: CampaignRecord, context: RequestContext): object {
  const chain = chainOf(campaign, context);
  return { sharedWithMe: shareWith(chain, context.caller), sharedByMe: shareBy(chain, context.caller) };
}

/** Visible to every party of the campaign, and to the partner it was migrated to. */
function readMigration({ state }: RouteDeps, { caller, parts: [id = ""] }: RequestContext): Reply {
  const campaign = state.find(id);
  const { migration } = campaign ?? {};
  if (!campaign || !migration) return refused(NOT_FOUND);
  const parties = partiesOf([...campaign.primary, ...campaign.provisional]);
  if (!parties.has(caller) && migration.upstreamCnpId !== caller) return refused(NOT_FOUND);
  const { status, cancellationReason, expirationDate, createDate } = migration;
  return ok({ campaignId: id, status, cancellationReason, expirationDate, createDate });
}

function search({ state }: RouteDeps, { caller, query }: RequestContext): Reply {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("recordsPerPage") ?? 10);
  if (!Number.isInteger(page) || page < 1) return refused(apiError(501, ["page"]));
  if (!Number.isInteger(size) || size < 1 || size > RECORDS_PER_PAGE_MAX)
    return refused(apiError(501, ["recordsPerPage"]));
  const dates = ["sharingStartDate", "sharingEndDate"].map((name) => query.get(name));
  if (dates.some((date) => date !== null && !DATE.test(date))) return refused(apiError(501, ["sharingStartDate"]));
  const [first = null, last = null] = dates;
  const statuses = query.getAll("sharingStatus");
  const found = state.campaigns.filter((campaign) => {
    const share = shareWith(query.get("cnpMigration") === "true" ? campaign.provisional : campaign.primary, caller);
    if (!share) return false;
    const day = share.sharedDate.slice(0, 10);
    return (
      (statuses.length === 0 || statuses.includes(share.sharingStatus)) &&
      (first === null || day >= first) &&
      (last === null || day <= last) &&
      [null, share.downstreamCnpId].includes(query.get("downstreamCnpId")) &&
      [null, campaign.brandId].includes(query.get("brandId")) &&
      [null, String(campaign.status)].includes(query.get("status"))
    );
  });
  const records = found.slice(0, RECORDS_MAX).slice((page - 1) * size, page * size);
  return ok({ records: records.map(campaignDocument), page, totalRecords: found.length });
}

function changeSettings({ settingsOf, set }: RouteDeps, { caller, body }: RequestContext): Reply {
  const given = membersOf(body);
  const settings = { ...settingsOf(caller) };
  for (const name of ["migrationSupported", "migrationAutoComplete"] as const) {
    const value = given[name] ?? settings[name];
    if (typeof value !== "boolean") return refused(apiError(501, [name]));
    settings[name] = value;
  }
  set(caller, settings);
  return ok(settings);
}

function subscribe({ subscribe }: RouteDeps, { caller, body }: RequestContext): Reply {
  const { eventCategory, webhookEndpoint } = membersOf(body);
  if (typeof eventCategory !== "string" || !CATEGORIES.includes(eventCategory)) {
    return refused(apiError(501, ["eventCategory"]));
  }
  const isUrl =
    typeof webhookEndpoint === "string" && /^https?:/.test(webhookEndpoint) && URL.canParse(webhookEndpoint);
  if (!isUrl || webhookEndpoint.length > ENDPOINT_LENGTH_MAX) return refused(apiError(501, ["webhookEndpoint"]));
  subscribe(caller, eventCategory, webhookEndpoint);
  return ok({ eventCategory, webhookEndpoint });
}

function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
}
