// How many messages, calls and deliveries ended how, for the account and for operators.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import { invalid } from "../../../../domain/problems.ts";
import {
  COUNTS_MAX,
  SPAN_MS_MAX,
  STATISTICS_KINDS,
  STATISTICS_STEPS,
  STEP_MS,
  wholeSteps,
} from "../../../../domain/statistics.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import { dateOf, timestamp } from "../../core/schemas.ts";

/** Of the commands and the API, where no span is given. */
const STEPS_BY_DEFAULT = { Hour: 24, Day: 30 };

const countSchema = z
  .strictObject({
    from: timestamp.describe("When the hour or the day begins; a day is one of UTC."),
    outcome: z
      .string()
      .describe(
        "Of messages and deliveries the status that they have now; of calls the `endReason`, or the status of those that have not ended.",
      ),
    carrier: z.string().nullable().describe("Of messages, the recipient's carrier, where it is known."),
    count: z.int(),
  })
  .meta({ id: "StatisticsCount" });

const statisticsSchema = z
  .strictObject({
    kind: z.enum(STATISTICS_KINDS),
    from: timestamp,
    to: timestamp.describe("The whole hours or days that were asked for end here."),
    step: z.enum(STATISTICS_STEPS),
    countedUntil: timestamp
      .nullable()
      .describe("What happened before is counted: usually a second or two ago. Null until something was counted."),
    items: z.array(countSchema).describe("Sorted by time, outcome and carrier, without zeros."),
  })
  .meta({ id: "StatisticsReport" });

const moment = z.iso.datetime({ offset: true }).optional();
const days = (ms: number) => `${ms / STEP_MS.Day} days`;

export interface StatisticsDeps {
  readonly now: () => Date;
}

export const statisticsOperations = tagged<StatisticsDeps>("Account", [
  accountOperation({
    id: "getStatistics",
    sdk: "statistics.get(query)",
    command: {
      name: "statistics",
      about: "Show how many messages, calls or webhook deliveries ended how, by the hour or the day.",
      summary: "how many messages, calls and deliveries ended how",
      example: "tandem statistics messages --step day",
      arguments: { "<kind>": ["Kind"] },
      options: {
        "--since <time>": ["From", "from the hour or the day of then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z"],
        "--until <time>": ["To", "to the end of the hour or the day of then"],
        "--step <step>": ["Step"],
      },
      shows: [{ table: members("from, outcome, carrier, count"), empty: "Nothing in this time." }],
    },
    summary: "How many ended how",
    description: `What was sent, called and delivered to webhooks, by the hour or the day (of UTC) in which it was made. A status that changes later moves its count. Without a span: the last ${STEPS_BY_DEFAULT.Hour} hours or ${STEPS_BY_DEFAULT.Day} days; at most ${days(SPAN_MS_MAX.Hour)} by the hour, and ${days(SPAN_MS_MAX.Day)} by the day. What was deleted stays counted.`,
    route: "GET /Statistics",
    isSeenByOperators: true,
    query: z.strictObject({
      Kind: z.enum(STATISTICS_KINDS),
      From: moment,
      To: moment,
      Step: z.enum(STATISTICS_STEPS).default("Hour"),
    }),
    answers: { 200: { description: "The counts.", body: statisticsSchema } },
    async handle({ account, query: { Kind: kind, Step: step, From, To } }, unit, { now }: StatisticsDeps) {
      const end = dateOf(To) ?? now();
      const start = dateOf(From) ?? new Date(end.getTime() - (STEPS_BY_DEFAULT[step] - 1) * STEP_MS[step]);
      if (start > end) return refused(invalid({ From: ["This is after `To`."] }));
      const span = wholeSteps(step, start, end);
      if (span.to.getTime() - span.from.getTime() > SPAN_MS_MAX[step] + STEP_MS[step])
        return refused(
          invalid({ From: [`By the ${step.toLowerCase()}, ask for at most ${days(SPAN_MS_MAX[step])}.`] }),
        );
      const { countedUntil, counts } = await unit.statistics.of(account.sid, { kind, step, ...span });
      if (counts.length > COUNTS_MAX)
        return refused(invalid({ From: [`These are more than ${COUNTS_MAX} counts: ask for a shorter span.`] }));
      return ok({ status: 200, body: { kind, ...span, step, countedUntil, items: counts } });
    },
  }),
]);
