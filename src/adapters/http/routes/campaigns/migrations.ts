// Migrations: the state of the move of a campaign and its numbers, in one answer.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import type { ProposedNumber, ViewTerms } from "../../../../domain/migrations/index.ts";
import { PORT_PHONES_MAX, portabilityOf } from "../../../../domain/porting/index.ts";
import { problem } from "../../../../domain/problems.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import type { Unit } from "../../core/ports.ts";
import { anyText, listBody, listOf, listQuery, pageRequestOf, text } from "../../core/schemas.ts";
import type { Lookups } from "../lookup/lookup.ts";
import { migrationSchema, migrationSummarySchema, showMigration, showMigrationSummary } from "./migration-schemas.ts";

export interface MigrationRouteDeps {
  readonly lookups: Lookups;
  readonly upstreamCnpId: string | null;
  readonly supportContact: string;
}

const NUMBERS_TEXT_MAX = PORT_PHONES_MAX * 32;
const NUMBERS_TEXT = new RegExp(`^[^,\\p{Cc}\\p{Cs}]*(?:,[^,\\p{Cc}\\p{Cs}]*){0,${PORT_PHONES_MAX - 1}}$`, "u");

const termsOf = ({ upstreamCnpId, supportContact }: MigrationRouteDeps, account: Account, now: Date): ViewTerms => ({
  mayMigrate: account.features.includes("campaignMigration"),
  upstreamCnpId,
  supportContact,
  now,
});

export const migrationOperations = tagged<MigrationRouteDeps>("Migrations", [
  accountOperation({
    id: "listMigrations",
    sdk: "migrations.list",
    command: {
      name: "campaigns migrations",
      about: "List the migrations of campaigns, and what each waits for.",
      shows: [
        {
          table: {
            ...members("tcrCampaignId, status, messagingConfigSid"),
            Numbers: "{numberCounts|counts}",
            "In the way": "{blockers.code}",
          },
        },
      ],
    },
    summary: "List migrations of campaigns",
    description:
      "Campaigns that have come to you, are on their way, or are only named by one of your MessagingConfigs, by their ids.",
    route: "GET /Migrations",
    isSeenByOperators: true,
    query: listQuery({}),
    answers: { 200: { description: "A page of migrations.", body: listOf("MigrationList", migrationSummarySchema) } },
    async handle({ account, query, now }, unit, deps) {
      const page = await unit.migrations.list(account.sid, pageRequestOf(query));
      const terms = termsOf(deps, account, now);
      return ok({ status: 200, body: listBody(page, (facts) => showMigrationSummary(facts, terms)) });
    },
  }),
  accountOperation({
    id: "getMigration",
    sdk: "migrations.get(tcrCampaignId)",
    command: "campaigns migrate {tcrCampaignId} --dry-run",
    summary: "The migration of a campaign, with everything that is known of it",
    description:
      "What was found before, where the campaign stands at the registry, its MessagingConfig, the port orders, every number with its timeline, what blocks it, what to do next, and how long steps took. With `Numbers`, also whether these look portable; nothing is submitted by asking.",
    route: "GET /Migrations/{tcrCampaignId}",
    isSeenByOperators: true,
    params: z.strictObject({ tcrCampaignId: text(64) }),
    query: z.strictObject({
      Numbers: anyText(NUMBERS_TEXT_MAX, 1)
        .regex(NUMBERS_TEXT, {
          error: ({ input }) =>
            String(input).split(",").length > PORT_PHONES_MAX
              ? `${PORT_PHONES_MAX} numbers at most are looked at together.`
              : "Control characters are not allowed.",
        })
        .optional()
        .describe("Numbers that you think of porting in, separated by commas."),
    }),
    answers: { 200: { description: "The migration.", body: migrationSchema } },
    refusals: ["not-found"],
    async handle({ account, params, query, now }, unit, deps) {
      const facts = await unit.migrations.find(account.sid, params.tcrCampaignId.toUpperCase());
      if (!facts) return refused(problem("not-found"));
      const terms = termsOf(deps, account, now);
      const proposed = await proposedOf(unit, deps.lookups, account, query.Numbers);
      return ok({ status: 200, body: showMigration(facts, proposed, terms) });
    },
  }),
]);

async function proposedOf(
  unit: Unit,
  lookups: Lookups,
  { sid: accountSid, country }: Account,
  list: string | undefined,
): Promise<readonly ProposedNumber[]> {
  const given = (list ?? "")
    .split(",")
    .map((number) => number.trim())
    .filter((number) => number !== "");
  if (given.length === 0) return [];
  // An unescaped plus arrives as a space, and is trimmed.
  const answers = await lookups.many(given, country);
  const numbers = answers.flatMap((answer) => ("info" in answer ? [answer.info.number] : []));
  const holders = new Map((await unit.portOrders.holders(numbers)).map((holder) => [holder.number, holder]));
  return answers.map((answer) =>
    "info" in answer
      ? {
          number: answer.info.number,
          portability: portabilityOf(accountSid, answer.info, holders.get(answer.info.number)),
        }
      : { number: answer.number, portability: answer.error },
  );
}
