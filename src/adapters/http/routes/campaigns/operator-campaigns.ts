// Campaigns whose account is unknown, and their assignment by the operator.

import { z } from "zod";
import { ok } from "../../../../base/result.ts";
import {
  accountsNaming,
  assignCampaign,
  CAMPAIGN_STANDINGS,
  CAMPAIGN_STATUSES,
  type FollowedCampaign,
} from "../../../../domain/campaigns/index.ts";
import { type Operation, operatorOperation } from "../../core/operation.ts";
import { listBody, listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";
import { campaignId } from "./campaigns.ts";

export interface OperatorCampaignDeps {
  /** Our id at the campaign registry; null when there is none. */
  readonly upstreamCnpId: string | null;
}

const shown = {
  tcrCampaignId: z.string(),
  tcrBrandId: z.string().nullable(),
  name: z.string().nullable(),
  status: z.enum(CAMPAIGN_STATUSES).nullable().describe("As the registry told it last."),
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

export function operatorCampaignOperations(): readonly Operation<OperatorCampaignDeps>[] {
  return [
    operatorOperation({
      id: "listUnassignedCampaigns",
      tag: "Operator: campaigns",
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
      tag: "Operator: campaigns",
      summary: "Say whose a campaign is",
      description:
        "Also before it comes. A campaign that is ours already is imported at once; one that was imported for another account is moved: unlinked there, and imported here.",
      method: "POST",
      path: "/Campaigns/{tcrCampaignId}/assign",
      writes: true,
      params: z.strictObject({ tcrCampaignId: campaignId }),
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
