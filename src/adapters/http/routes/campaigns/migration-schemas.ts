// The schemas of migrations, and how one is shown.

import { z } from "zod";
import { CAMPAIGN_STANDINGS, CAMPAIGN_STATUSES } from "../../../../domain/campaigns/index.ts";
import {
  BLOCKER_CODES,
  EXPECTED_SECONDS,
  MIGRATION_ACTORS,
  MIGRATION_STATUSES,
  MIGRATION_STEPS,
  type MigrationFacts,
  PREFLIGHT_CHECKS,
  type ProposedNumber,
  preflight,
  stepTimes,
  type ViewTerms,
  viewMigration,
} from "../../../../domain/migrations/index.ts";
import { PHONE_STATUSES } from "../../../../domain/numbers/index.ts";
import { focOf, reasonOfNumber, reasonOfOrder, reasonText } from "../../../../domain/porting/index.ts";
import { timestamp } from "../../core/schemas.ts";
import { phoneSchema } from "../numbers/phones.ts";
import { portOrderSchema, portOrderStatus } from "../porting/port-schemas.ts";

const phoneStatus = phoneSchema.shape.status;
const portNumberStatus = portOrderSchema.shape.numbers.element.shape.status;

const blocker = z
  .strictObject({
    code: z.enum(BLOCKER_CODES).meta({ id: "MigrationBlockerCode" }),
    says: z.string(),
    todo: z.string().describe("What to do about it."),
    numbers: z.array(z.string()).describe("Those it is about; none when it is about the whole."),
  })
  .meta({ id: "MigrationBlocker" });

const nextStep = z
  .strictObject({
    who: z.enum(MIGRATION_ACTORS).describe("Whose turn it is."),
    says: z.string(),
  })
  .meta({ id: "MigrationNextStep" });

const registry = z
  .strictObject({
    standing: z.enum(CAMPAIGN_STANDINGS).meta({ id: "CampaignStanding" }),
    reason: z.string().nullable().describe("Of a migration that came to nothing."),
    since: timestamp,
    seenOn: timestamp.describe("When it was first seen."),
  })
  .meta({ id: "MigrationRegistry" });

const summary = {
  tcrCampaignId: z.string(),
  status: z
    .enum(MIGRATION_STATUSES)
    .meta({ id: "MigrationStatus" })
    .describe(
      "`Planned`: nothing was asked of anybody yet. `Blocked`: it does not go on unless somebody does something. `PartiallyCompleted`: some numbers did not come, all others are Active.",
    ),
  dryRun: z.boolean().describe("Nothing was submitted yet: what is said is what would be found."),
  upstreamCnpId: z.string().nullable().describe("Our id at the registry, for its migrateCnp."),
  registry: registry
    .nullable()
    .describe("Where the campaign stands at the registry; null: it was not shown to us, or is not yours to see."),
  messagingConfigSid: z.string().nullable().describe("The config that it sends by, or will."),
  linked: z.boolean(),
  numberCounts: z
    .array(z.strictObject({ status: phoneStatus, count: z.int() }).meta({ id: "MigrationNumberCount" }))
    .describe("How many numbers are in which status; those that none is in are left out."),
  blockers: z.array(blocker),
  nextSteps: z.array(nextStep).describe("What can go on at the same time; none when all is done."),
};

export const migrationSummarySchema = z.strictObject(summary).meta({ id: "MigrationSummary" });

export const migrationSchema = z
  .strictObject({
    ...summary,
    preflight: z.array(
      z
        .strictObject({
          check: z.enum(PREFLIGHT_CHECKS),
          number: z.string().nullable().describe("Of those given by `Numbers`."),
          passed: z.boolean(),
          says: z.string(),
        })
        .meta({ id: "MigrationPreflightFinding" }),
    ),
    campaign: z
      .strictObject({
        tcrBrandId: z.string(),
        name: z.string(),
        status: z.enum(CAMPAIGN_STATUSES),
        messagingConfigSid: z.string().nullable(),
        importedOn: timestamp,
      })
      .meta({ id: "MigrationCampaign" })
      .nullable()
      .describe("Null before it is imported."),
    linkOutcome: z
      .enum(["Linked", "NoMatch", "SeveralMatches"])
      .nullable()
      .describe("What automatic linking came to; null before the campaign has come."),
    messagingConfigs: z
      .array(
        z
          .strictObject({ sid: z.string(), name: z.string(), tcrCampaignId: z.string().nullable() })
          .meta({ id: "MigrationConfig" }),
      )
      .describe("Those that name the campaign or are linked to it."),
    portOrders: z.array(
      z
        .strictObject({
          sid: z.string(),
          status: portOrderStatus,
          reason: z.string().nullable(),
          focOn: timestamp.nullable().describe("The latest date that the losing carrier has agreed to."),
          numberCount: z.int(),
          createdOn: timestamp,
        })
        .meta({ id: "MigrationPortOrder" }),
    ),
    numbers: z
      .array(
        z
          .strictObject({
            number: z.string(),
            status: phoneStatus,
            statusReason: z.string().nullable(),
            portOrderSid: z.string().nullable(),
            portStatus: portNumberStatus.nullable(),
            portReason: z.string().nullable(),
            messagingMovedOn: timestamp.nullable(),
            activatesOn: timestamp.nullable().describe("When it will have been added to its campaign."),
            timeline: z.array(
              z
                .strictObject({
                  at: timestamp,
                  status: phoneStatus,
                  previousStatus: phoneStatus.nullable(),
                  reason: z.string().nullable(),
                })
                .meta({ id: "MigrationTimelineEntry" }),
            ),
          })
          .meta({ id: "MigrationNumber" }),
      )
      .describe("Up to 1000, those first that are not Active. Timelines go back as far as events are kept."),
    times: z
      .array(
        z
          .strictObject({
            step: z.enum(MIGRATION_STEPS),
            expectedSeconds: z.strictObject({ from: z.int(), to: z.int() }).describe("What is typical; not a promise."),
            startedOn: timestamp,
            endedOn: timestamp.nullable(),
            seconds: z.int().describe("So far, while it lasts."),
            late: z.boolean(),
          })
          .meta({ id: "MigrationStepTime" }),
      )
      .describe("Steps that have begun, with how long they take as a rule."),
  })
  .meta({ id: "Migration" });

export function showMigrationSummary(facts: MigrationFacts, terms: ViewTerms) {
  const { tcrCampaignId, registry: standing, counts, configs } = facts;
  const view = viewMigration(facts, terms);
  return {
    tcrCampaignId,
    status: view.status,
    dryRun: view.isDryRun,
    upstreamCnpId: terms.upstreamCnpId,
    registry: standing && {
      standing: standing.standing,
      reason: standing.reason,
      since: standing.standingSince,
      seenOn: standing.seenOn,
    },
    messagingConfigSid: view.config?.sid ?? null,
    linked: configs.some((config) => config.tcrCampaignId === tcrCampaignId),
    numberCounts: PHONE_STATUSES.flatMap((status) => (counts[status] === 0 ? [] : [{ status, count: counts[status] }])),
    blockers: view.blockers.map(({ code, says, todo, numbers }) => ({ code, says, todo, numbers })),
    nextSteps: view.nextSteps,
  };
}

export function showMigration(facts: MigrationFacts, proposed: readonly ProposedNumber[], terms: ViewTerms): object {
  // The last order that contains a number is shown with it.
  const ported = new Map(
    facts.orders.flatMap(({ sid, numbers }) => numbers.map((number) => [`${sid} ${number.number}`, number] as const)),
  );
  return {
    ...showMigrationSummary(facts, terms),
    preflight: preflight(facts, proposed, terms),
    campaign: facts.campaign,
    linkOutcome: facts.linkOutcome,
    messagingConfigs: facts.configs,
    portOrders: facts.orders.map((order) => {
      const reason = reasonOfOrder(order);
      const focMs = order.numbers.flatMap((number) => focOf(number)?.getTime() ?? []);
      return {
        sid: order.sid,
        status: order.status,
        reason: reason && reasonText(reason),
        focOn: focMs.length === 0 ? null : new Date(Math.max(...focMs)),
        numberCount: order.numbers.length,
        createdOn: order.createdOn,
      };
    }),
    numbers: facts.numbers.map(({ number, status, statusReason, portOrderSid, activatesOn, timeline }) => {
      const port = ported.get(`${portOrderSid} ${number}`);
      const reason = port && reasonOfNumber(port);
      return {
        number,
        status,
        statusReason,
        portOrderSid,
        portStatus: port?.status ?? null,
        portReason: reason ? reasonText(reason) : null,
        messagingMovedOn: port?.messagingMovedOn ?? null,
        activatesOn,
        timeline,
      };
    }),
    times: stepTimes(facts, terms.now).map(({ step, startedOn, endedOn, seconds, isLate }) => ({
      step,
      expectedSeconds: EXPECTED_SECONDS[step],
      startedOn,
      endedOn,
      seconds,
      late: isLate,
    })),
  };
}
