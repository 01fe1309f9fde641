// Campaigns of all accounts, kept by the operator where no registry is connected; and those whose account is unknown.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
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
import { operatorOperation, tagged } from "../../core/operation.ts";
import { answerCreated, answerPage, answerWith } from "../../core/outcomes.ts";
import { listBody, listOf, listQuery, pageRequestOf, text, timestamp, words } from "../../core/schemas.ts";
import { CAMPAIGN, CAMPAIGNS, campaignId, campaignSchema, campaignSource, campaignStatus } from "./campaigns.ts";

export interface OperatorCampaignDeps {
  /** Our id at the campaign registry; null when there is none. */
  readonly upstreamCnpId: string | null;
  /** Whether the registry is asked about campaigns. */
  readonly hasRegistry: boolean;
}

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

export const operatorCampaignOperations = tagged<OperatorCampaignDeps>("Operator: campaigns", [
  operatorOperation({
    id: "listCampaigns",
    sdk: "campaigns.list",
    command: {
      name: "operator campaigns list",
      about: "List the campaigns.",
      options: {
        "--account <sid>": ["AccountSid", "of this account"],
        "--status <status>": ["Status"],
        "--source <source>": ["Source", "Registry, or Manual: kept by hand"],
      },
      shows: CAMPAIGNS,
    },
    summary: "List the campaigns of all accounts",
    route: "GET /Campaigns",
    query: listQuery({
      AccountSid: text(64).optional(),
      Status: campaignStatus.optional(),
      Source: campaignSource.optional(),
    }),
    answers: { 200: { description: "A page of campaigns.", body: listOf("OwnedTcrCampaignList", owned) } },
    async handle({ query }, unit) {
      const filter = { accountSid: query.AccountSid, status: query.Status, source: query.Source };
      return answerPage(await unit.campaigns.list(filter, pageRequestOf(query)));
    },
  }),
  operatorOperation({
    id: "getCampaign",
    sdk: "campaigns.get",
    command: {
      name: "operator campaigns show",
      about: "Show a campaign of any account, with what each mobile operator lets through.",
      arguments: { "<id>": ["tcrCampaignId", "the campaign"] },
      shows: CAMPAIGN,
    },
    summary: "A campaign of any account",
    route: "GET /Campaigns/{tcrCampaignId}",
    params: idParams,
    answers: { 200: { description: "The campaign.", body: owned } },
    refusals: ["not-found"],
    async handle({ params }, unit) {
      const owner = await unit.campaigns.ownerOf(params.tcrCampaignId);
      const campaign = owner === undefined ? undefined : await unit.campaigns.find(owner, params.tcrCampaignId);
      return campaign ? ok({ status: 200, body: campaign }) : refused(problem("not-found"));
    },
  }),
  operatorOperation({
    id: "enterCampaign",
    sdk: "campaigns.enter",
    command: {
      name: "operator campaigns enter",
      about: "Enter a campaign by hand, where no registry is connected. It is Active.",
      arguments: { "<id>": ["tcrCampaignId", "the campaign"] },
      options: {
        "--brand <id>": ["tcrBrandId", "the brand that it is registered for", { isRequired: true }],
        "--name <name>": ["name", "for people", { isRequired: true }],
        "--account <sid>": ["accountSid", "whose it is; by default the one account's with a config that names it"],
      },
      shows: CAMPAIGNS,
    },
    summary: "Enter a campaign by hand",
    description:
      "Where no registry is connected; 409 where one is. It is `Active`, and linked to the MessagingConfig of its account whose name has its id, as an imported one is; `TcrCampaignImported` tells. A registry that is connected later takes it over when it calls it ours.",
    route: "POST /Campaigns",
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
    handle: async ({ body: { accountSid, ...campaign }, now }, unit, { hasRegistry, upstreamCnpId: cnpId }) =>
      answerCreated(await enterCampaign(unit, { ...campaign, accountSid }, { hasRegistry, cnpId }, now)),
  }),
  operatorOperation({
    id: "changeCampaign",
    sdk: "campaigns.change",
    command: [
      {
        name: "operator campaigns suspend",
        about: "Suspend a campaign that is kept by hand: its numbers do not send.",
        arguments: { "<id>": ["tcrCampaignId", "the campaign"] },
        sets: { status: "Suspended" },
        shows: CAMPAIGNS,
      },
      {
        name: "operator campaigns expire",
        about: "Say that a campaign that is kept by hand has ended.",
        arguments: { "<id>": ["tcrCampaignId", "the campaign"] },
        sets: { status: "Expired" },
        shows: CAMPAIGNS,
      },
      {
        name: "operator campaigns activate",
        about: "Say that a campaign that is kept by hand is active again.",
        arguments: { "<id>": ["tcrCampaignId", "the campaign"] },
        sets: { status: "Active" },
        shows: CAMPAIGNS,
      },
      {
        name: "operator campaigns change",
        about: "Change the name or brand of a campaign that is kept by hand.",
        arguments: { "<id>": ["tcrCampaignId", "the campaign"] },
        options: {
          "--brand <id>": ["tcrBrandId", "the brand that it is registered for"],
          "--name <name>": ["name", "for people"],
        },
        needs: "Say what to change: --name or --brand.",
        shows: CAMPAIGNS,
      },
    ],
    summary: "Suspend, expire, reactivate or move a campaign",
    description:
      "What it is called and how it stands can be changed of campaigns that are kept by hand; 409 for those of a connected registry. Changes are told by `TcrCampaignStatusChanged`, and the numbers of its config follow. Another `accountSid` moves any campaign: it is unlinked there, and imported here.",
    route: "PATCH /Campaigns/{tcrCampaignId}",
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
    handle: async ({ params, body, now }, unit, { hasRegistry, upstreamCnpId: cnpId }) =>
      answerWith(await changeCampaign(unit, params.tcrCampaignId, body, { hasRegistry, cnpId }, now)),
  }),
  operatorOperation({
    id: "listUnassignedCampaigns",
    sdk: "campaigns.unassigned",
    command: {
      name: "operator campaigns unassigned",
      about: "List campaigns of the registry that wait for somebody to say whose they are.",
      shows: [
        {
          table: members("tcrCampaignId, tcrBrandId, name, standing, Named by = namedBy"),
        },
      ],
    },
    summary: "Campaigns that wait for somebody to say whose they are",
    description:
      "The registry does not tell which account a campaign is for. It is the one with a MessagingConfig in whose name the campaign's id stands as a word (or, where no account has that, inside a longer word), if `campaignMigration` is on for it; where there is none, or more than one, the campaign waits here until there is one or it is assigned.",
    route: "GET /Campaigns/unassigned",
    query: listQuery({}),
    answers: {
      200: { description: "A page of campaigns.", body: listOf("UnassignedCampaignList", unassigned) },
    },
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
    command: {
      name: "operator campaigns assign",
      about: "Say whose a campaign is: one that is here is moved, one of the registry may still be to come.",
      arguments: { "<id>": ["tcrCampaignId", "the campaign"], "<account>": ["accountSid", "sid of the account"] },
      shows: [{ table: { ...members("tcrCampaignId, name, standing"), Account: "{<account>}" } }],
    },
    summary: "Say whose a campaign is",
    description:
      "Also before it comes. A campaign that is ours already is imported at once; one that was imported for another account is moved: unlinked there, and imported here.",
    route: "POST /Campaigns/{tcrCampaignId}/assign",
    params: idParams,
    body: z.strictObject({ accountSid: text(64) }).meta({ id: "CampaignAssignment" }),
    answers: { 200: { description: "The campaign as it is known here.", body: assigned } },
    refusals: ["not-found", "conflict"],
    async handle({ params, body, now }, unit, { upstreamCnpId }) {
      const { tcrCampaignId } = params;
      const { accountSid } = body;
      return answerWith(
        await assignCampaign(unit, { tcrCampaignId, accountSid, cnpId: upstreamCnpId }, now),
        (value) => ({ ...show(value), accountSid }),
      );
    },
  }),
]);
