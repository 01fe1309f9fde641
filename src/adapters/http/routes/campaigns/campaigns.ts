// The campaigns of an account, imported or entered by the operator.

import { z } from "zod";
import { members, type Part } from "../../../../base/plain-command.ts";
import {
  CAMPAIGN_ID,
  CAMPAIGN_ID_WANTED,
  CAMPAIGN_SOURCES,
  CAMPAIGN_STATUSES,
  type Campaign,
  linkCampaign,
} from "../../../../domain/campaigns/index.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import { answerFound, answerPage, answerWith } from "../../core/outcomes.ts";
import { listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";
import { configSid } from "../numbers/phones.ts";

/** Accepted in any case. */
export const campaignId = z.string().toUpperCase().regex(CAMPAIGN_ID, CAMPAIGN_ID_WANTED);

const throughput = z
  .strictObject({
    operator: z.string(),
    messageClass: z.string().nullable(),
    smsPerMinute: z.number().nullable(),
    mmsPerMinute: z.number().nullable(),
    brandTier: z.string().nullable(),
  })
  .meta({ id: "OperatorThroughput" });

export const campaignStatus = z.enum(CAMPAIGN_STATUSES).meta({ id: "CampaignStatus" });
export const campaignSource = z.enum(CAMPAIGN_SOURCES).meta({ id: "CampaignSource" });

export const campaignSchema = z
  .strictObject({
    tcrCampaignId: z.string(),
    tcrBrandId: z.string(),
    name: z.string(),
    status: campaignStatus,
    source: campaignSource.describe("Who says how it stands: the registry, or the operator by hand."),
    throughput: z
      .array(throughput)
      .describe("What the registry says each mobile operator lets through. Not enforced here."),
    messagingConfigSid: z.string().nullable(),
    importedOn: timestamp,
  })
  .meta({ id: "TcrCampaign" });

const idParams = z.strictObject({ tcrCampaignId: text(64) });

function show({ accountSid: _, ...rest }: Campaign): object {
  return rest;
}

/** For accounts and for the operator, who also sees the account of each. */
export const CAMPAIGNS: readonly Part[] = [
  {
    table: members(
      "tcrCampaignId, tcrBrandId, name, status, source, Account? = accountSid, messagingConfigSid, importedOn",
    ),
  },
];
export const CAMPAIGN: readonly Part[] = [
  {
    fields: members(
      "tcrCampaignId, tcrBrandId, name, status, source, Account? = accountSid, messagingConfigSid, importedOn",
    ),
  },
  {
    table: members(
      "operator, Class = messageClass, SMS a minute = smsPerMinute, MMS a minute = mmsPerMinute, Tier = brandTier",
    ),
    of: "throughput?",
  },
];

export const campaignOperations = tagged("TcrCampaigns", [
  accountOperation({
    id: "listTcrCampaigns",
    sdk: "campaigns.list",
    command: { name: "campaigns list", about: "List the campaigns.", shows: CAMPAIGNS },
    summary: "List campaigns",
    route: "GET /TcrCampaigns",
    query: listQuery({}),
    answers: { 200: { description: "A page of campaigns.", body: listOf("TcrCampaignList", campaignSchema) } },
    handle: async ({ account, query }, unit) =>
      answerPage(await unit.campaigns.list({ accountSid: account.sid }, pageRequestOf(query)), show),
  }),
  accountOperation({
    id: "getTcrCampaign",
    sdk: "campaigns.get",
    command: {
      name: "campaigns show",
      about: "Show a campaign, with what each mobile operator lets through.",
      arguments: { "<id>": ["tcrCampaignId", "the campaign"] },
      shows: CAMPAIGN,
    },
    summary: "A campaign",
    route: "GET /TcrCampaigns/{tcrCampaignId}",
    params: idParams,
    answers: { 200: { description: "The campaign.", body: campaignSchema } },
    refusals: ["not-found"],
    handle: async ({ account, params }, unit) =>
      answerFound(await unit.campaigns.find(account.sid, params.tcrCampaignId.toUpperCase()), show),
  }),
  accountOperation({
    id: "changeTcrCampaign",
    sdk: "campaigns.change",
    command: [
      {
        name: "campaigns link",
        about: "Link a campaign to a MessagingConfig.",
        arguments: {
          "<id>": ["tcrCampaignId", "the campaign"],
          "<config>": ["messagingConfigSid", "sid of the config", { kind: "text" }],
        },
        shows: CAMPAIGNS,
      },
      {
        name: "campaigns unlink",
        about: "Unlink a campaign from its MessagingConfig.",
        arguments: { "<id>": ["tcrCampaignId", "the campaign"] },
        sets: { messagingConfigSid: null },
        shows: CAMPAIGNS,
      },
    ],
    summary: "Link a campaign to a MessagingConfig",
    description:
      "Null unlinks it. The numbers of the config it leaves and of the one it comes to follow. 409 when the config is linked to another campaign.",
    route: "PATCH /TcrCampaigns/{tcrCampaignId}",
    params: idParams,
    body: z
      .strictObject({ messagingConfigSid: configSid.nullable().optional().describe("Null unlinks it.") })
      .meta({ id: "TcrCampaignChange" }),
    answers: { 200: { description: "The campaign as it is now.", body: campaignSchema } },
    refusals: ["not-found", "conflict"],
    async handle({ account, params, body, now }, unit) {
      const id = params.tcrCampaignId.toUpperCase();
      return answerWith(await linkCampaign(unit, account.sid, id, body.messagingConfigSid, now), show);
    },
  }),
]);
