// Campaigns of all accounts, kept by the operator where no registry is connected; and those whose account is unknown.

import { z } from "zod";
import { ok, refused } from "../../../../base/result.ts";
import {
  accountsNaming,
  assignCampaign,
  CAMPAIGN_STANDINGS,
  changeCampaign,
  enterCampaign,
  type FollowedCampaign,
} from "../../../../domain/campaigns/index.ts";
import { problem } from "../../../../domain/problems.ts";
import { type Operation, operatorOperation } from "../../core/operation.ts";
import { listBody, listOf, listQuery, pageRequestOf, text, timestamp, words } from "../../core/schemas.ts";
import { campaignId, campaignSchema, campaignSource, campaignStatus } from "./campaigns.ts";

export interface OperatorCampaignDeps {
  /** Our id at the campaign registry; null when there is none. */
  readonly upstreamCnpId: string | null;
  /** Whether the registry is asked about campaigns. */
  readonly hasRegistry: boolean;
}

const TAG = "Operator: campaigns";

const shown = {
  tcrCampaignId: z.string(),
  tcrBrandId: z.string().nullable(),
  name: z.string().nullable(),
  status: campaignStatus.nullable().describe("As the registry told it last."),
  standing: z
    .enum(CAMPAIGN_STANDINGS)
    .meta({ id: "CampaignStanding" })
    .describe("Where it stands between its owner, us and the partner above us."),
  reason: z.string().nullable().describe("Why a migration came to nothing."),
  standingSince: timestamp,
  seenOn: timestamp,
};

const unassigned = z
  .strictObject({
    ...shown,
    namedBy: z.array(z.string()).describe("Accounts with a MessagingConfig in whose name the campaign's id stands."),
  })
  .meta({ id: "UnassignedCampaign" });

const assigned = z.strictObject({ ...shown, accountSid: z.string() }).meta({ id: "AssignedCampaign" });

function show({ tcrCampaignId, facts, standing, reason, standingSince, seenOn }: FollowedCampaign): object {
  const { tcrBrandId = null, name = null, status = null } = facts ?? {};
  return { tcrCampaignId, tcrBrandId, name, status, standing, reason, standingSince, seenOn };
}

const owned = z.strictObject({ ...campaignSchema.shape, accountSid: z.string() }).meta({ id: "OwnedTcrCampaign" });
const idParams = z.strictObject({ tcrCampaignId: campaignId });
const given = {
  tcrBrandId: words(64).describe("The brand that it is registered for."),
  name: words(64).describe("For people."),
};

export function operatorCampaignOperations(): readonly Operation<OperatorCampaignDeps>[] {
  return [...heldOperations(), ...handOperations(), ...assignmentOperations()];
}

function heldOperations(): readonly Operation<OperatorCampaignDeps>[] {
  return [
    operatorOperation({
      id: "listCampaigns",
      sdk: "campaigns.list",
      tag: TAG,
      summary: "List the campaigns of all accounts",
      method: "GET",
      path: "/Campaigns",
      writes: false,
      query: listQuery({
        AccountSid: text(64).optional(),
        Status: campaignStatus.optional(),
        Source: campaignSource.optional(),
      }),
      answers: { 200: { description: "A page of campaigns.", body: listOf("OwnedTcrCampaignList", owned) } },
      refusals: [],
      async handle({ query }, unit) {
        const filter = { accountSid: query.AccountSid, status: query.Status, source: query.Source };
        const page = await unit.campaigns.list(filter, pageRequestOf(query));
        return ok({ status: 200, body: listBody(page, (campaign) => campaign) });
      },
    }),
    operatorOperation({
      id: "getCampaign",
      sdk: "campaigns.get",
      tag: TAG,
      summary: "A campaign of any account",
      method: "GET",
      path: "/Campaigns/{tcrCampaignId}",
      writes: false,
      params: idParams,
      answers: { 200: { description: "The campaign.", body: owned } },
      refusals: ["not-found"],
      async handle({ params }, unit) {
        const owner = await unit.campaigns.ownerOf(params.tcrCampaignId);
        const campaign = owner === undefined ? undefined : await unit.campaigns.find(owner, params.tcrCampaignId);
        return campaign ? ok({ status: 200, body: campaign }) : refused(problem("not-found"));
      },
    }),
  ];
}

function handOperations(): readonly Operation<OperatorCampaignDeps>[] {
  return [
    operatorOperation({
      id: "enterCampaign",
      sdk: "campaigns.enter",
      tag: TAG,
      summary: "Enter a campaign by hand",
      description:
        "Where no registry is connected; 409 where one is. It is `Active`, and linked to the MessagingConfig of its account whose name has its id, as an imported one is; `TcrCampaignImported` tells. A registry that is connected later takes it over when it calls it ours.",
      method: "POST",
      path: "/Campaigns",
      writes: true,
      body: z
        .strictObject({
          tcrCampaignId: campaignId,
          ...given,
          accountSid: text(64)
            .optional()
            .describe("Whose it is; by default the one account that would get it from the registry."),
        })
        .meta({ id: "CampaignOrder" }),
      answers: { 201: { description: "The campaign.", body: owned } },
      refusals: ["conflict"],
      async handle({ body: { accountSid, ...campaign }, now }, unit, { hasRegistry, upstreamCnpId: cnpId }) {
        const entered = await enterCampaign(unit, { ...campaign, accountSid }, { hasRegistry, cnpId }, now);
        return entered.ok ? ok({ status: 201, body: entered.value }) : entered;
      },
    }),
    operatorOperation({
      id: "changeCampaign",
      sdk: "campaigns.change",
      tag: TAG,
      summary: "Suspend, expire, reactivate or move a campaign",
      description:
        "What it is called and how it stands can be changed of campaigns that are kept by hand; 409 for those of a connected registry. Changes are told by `TcrCampaignStatusChanged`, and the numbers of its config follow. Another `accountSid` moves any campaign: it is unlinked there, and imported here.",
      method: "PATCH",
      path: "/Campaigns/{tcrCampaignId}",
      writes: true,
      params: idParams,
      body: z
        .strictObject({
          status: campaignStatus.optional(),
          tcrBrandId: given.tcrBrandId.optional(),
          name: given.name.optional(),
          accountSid: text(64).optional().describe("The account to move it to."),
        })
        .meta({ id: "CampaignChange" }),
      answers: { 200: { description: "The campaign as it is now.", body: owned } },
      refusals: ["not-found", "conflict"],
      async handle({ params, body, now }, unit, { hasRegistry, upstreamCnpId: cnpId }) {
        const changed = await changeCampaign(unit, params.tcrCampaignId, body, { hasRegistry, cnpId }, now);
        return changed.ok ? ok({ status: 200, body: changed.value }) : changed;
      },
    }),
  ];
}

function assignmentOperations(): readonly Operation<OperatorCampaignDeps>[] {
  return [
    operatorOperation({
      id: "listUnassignedCampaigns",
      sdk: "campaigns.unassigned",
      tag: TAG,
      summary: "Campaigns that wait for somebody to say whose they are",
      description:
        "The registry does not tell which account a campaign is for. It is the one with a MessagingConfig in whose name the campaign's id stands as a word (or, where no account has that, inside a longer word), if `campaignMigration` is on for it; where there is none, or more than one, the campaign waits here until there is one or it is assigned.",
      method: "GET",
      path: "/Campaigns/unassigned",
      writes: false,
      query: listQuery({}),
      answers: {
        200: { description: "A page of campaigns.", body: listOf("UnassignedCampaignList", unassigned) },
      },
      refusals: [],
      handle: async ({ query }, unit) =>
        ok({
          status: 200,
          body: listBody(await unit.followedCampaigns.listUnassigned(pageRequestOf(query)), (campaign) => ({
            ...show(campaign),
            namedBy: accountsNaming(campaign.tcrCampaignId, campaign.naming),
          })),
        }),
    }),
    operatorOperation({
      id: "assignCampaign",
      sdk: "campaigns.assign",
      tag: TAG,
      summary: "Say whose a campaign is",
      description:
        "Also before it comes. A campaign that is ours already is imported at once; one that was imported for another account is moved: unlinked there, and imported here.",
      method: "POST",
      path: "/Campaigns/{tcrCampaignId}/assign",
      writes: true,
      params: idParams,
      body: z.strictObject({ accountSid: text(64) }).meta({ id: "CampaignAssignment" }),
      answers: { 200: { description: "The campaign as it is known here.", body: assigned } },
      refusals: ["not-found", "conflict"],
      async handle({ params, body, now }, unit, { upstreamCnpId }) {
        const { tcrCampaignId } = params;
        const { accountSid } = body;
        const campaign = await assignCampaign(unit, { tcrCampaignId, accountSid, cnpId: upstreamCnpId }, now);
        return campaign.ok ? ok({ status: 200, body: { ...show(campaign.value), accountSid } }) : campaign;
      },
    }),
  ];
}
