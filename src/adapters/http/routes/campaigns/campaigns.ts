// The campaigns of an account, imported or entered by the operator.

import { z } from "zod";
import { members, type Part } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import {
  CAMPAIGN_ID,
  CAMPAIGN_ID_WANTED,
  CAMPAIGN_SOURCES,
  CAMPAIGN_STATUSES,
  type Campaign,
  linkCampaign,
} from "../../../../domain/campaigns/index.ts";
import { problem } from "../../../../domain/problems.ts";
import { accountOperation, type Operation } from "../../core/operation.ts";
import { listBody, listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";
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

export function campaignOperations(): readonly Operation[] {
  return [
    accountOperation({
      id: "listTcrCampaigns",
      sdk: "campaigns.list",
      command: { name: "campaigns list", about: "List the campaigns.", shows: CAMPAIGNS },
      tag: "TcrCampaigns",
      summary: "List campaigns",
      method: "GET",
      path: "/TcrCampaigns",
      limit: "read",
      writes: false,
      query: listQuery({}),
      answers: { 200: { description: "A page of campaigns.", body: listOf("TcrCampaignList", campaignSchema) } },
      refusals: [],
      handle: async ({ account, query }, unit) =>
        ok({
          status: 200,
          body: listBody(await unit.campaigns.list({ accountSid: account.sid }, pageRequestOf(query)), show),
        }),
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
      tag: "TcrCampaigns",
      summary: "A campaign",
      method: "GET",
      path: "/TcrCampaigns/{tcrCampaignId}",
      limit: "read",
      writes: false,
      params: idParams,
      answers: { 200: { description: "The campaign.", body: campaignSchema } },
      refusals: ["not-found"],
      async handle({ account, params }, unit) {
        const found = await unit.campaigns.find(account.sid, params.tcrCampaignId.toUpperCase());
        return found ? ok({ status: 200, body: show(found) }) : refused(problem("not-found"));
      },
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
      tag: "TcrCampaigns",
      summary: "Link a campaign to a MessagingConfig",
      description:
        "Null unlinks it. The numbers of the config it leaves and of the one it comes to follow. 409 when the config is linked to another campaign.",
      method: "PATCH",
      path: "/TcrCampaigns/{tcrCampaignId}",
      limit: "write",
      writes: true,
      params: idParams,
      body: z
        .strictObject({ messagingConfigSid: configSid.nullable().optional().describe("Null unlinks it.") })
        .meta({ id: "TcrCampaignChange" }),
      answers: { 200: { description: "The campaign as it is now.", body: campaignSchema } },
      refusals: ["not-found", "conflict"],
      async handle({ account, params, body, now }, unit) {
        const id = params.tcrCampaignId.toUpperCase();
        const linked = await linkCampaign(unit, account.sid, id, body.messagingConfigSid, now);
        return linked.ok ? ok({ status: 200, body: show(linked.value) }) : linked;
      },
    }),
  ];
}
