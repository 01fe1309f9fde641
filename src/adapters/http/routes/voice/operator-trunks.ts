// The operator's view of the trunks, and stopping and starting them.

import { z } from "zod";
import { ok } from "../../../../base/result.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import { listOf, timestamp } from "../../core/schemas.ts";
import { stopAndStartOperations, stoppedOn, withStops } from "../operations/stop-and-start.ts";

export interface TrunkHealth {
  readonly name: string;
  readonly isUp: boolean;
  readonly reason: string;
  readonly calls: number;
  readonly window: number | null;
  readonly inFlight: number;
  readonly perSecond: number;
  readonly p95Ms: number | null;
  readonly since: Date | null;
  readonly registration: { readonly isUp: boolean; readonly reason: string } | null;
}

export interface OperatorTrunkDeps {
  /** The trunks as this process sees them; none where it handles no calls. */
  readonly trunks: () => readonly TrunkHealth[];
  /** All trunks of the configuration. */
  readonly configuredTrunks: readonly { readonly name: string }[];
}

const trunkSchema = z
  .strictObject({
    name: z.string(),
    isUp: z.boolean().describe("Whether it answers."),
    reason: z.string(),
    calls: z.int().describe("Under way in this process."),
    window: z.int().nullable().describe("Calls it may have at once; null where nothing limits them."),
    inFlight: z.int().describe("Calls under way in this process."),
    perSecond: z.number().describe("Calls begun on it each second, either way, over the last ten."),
    p95Ms: z
      .int()
      .nullable()
      .describe("19 of 20 of our calls of the last minute were told of, ringing or over, within this time."),
    since: timestamp.nullable().describe("Since when it answers, or does not; null before it was looked at."),
    registration: z
      .strictObject({ isUp: z.boolean(), reason: z.string() })
      .nullable()
      .describe(
        "Ours with the trunk, or the trunk's with us, with its contacts in the reason. Null: there is neither.",
      ),
    stoppedOn,
  })
  .meta({ id: "Trunk" });

export const operatorTrunkOperations = tagged<OperatorTrunkDeps>("Operator: trunks", [
  operatorOperation({
    id: "listTrunks",
    sdk: "trunks.list",
    command: {
      name: "operator trunks list",
      about: "List the trunks and how they fare, as the process that answers sees them.",
      shows: [
        {
          table: {
            Trunk: "{name}",
            State: ["stopped by the operator since {stoppedOn}", "{isUp?up}", "down"],
            Calls: "{calls}",
            Registration: [
              "{registration.isUp?registered}: {registration.reason}",
              "not registered: {registration.reason}",
            ],
            Reason: "{reason!}",
          },
        },
      ],
    },
    summary: "SIP trunks and how they fare",
    description: "As this process sees them; one that has no calls answers an empty list.",
    route: "GET /Trunks",
    answers: { 200: { description: "The trunks.", body: listOf("TrunkList", trunkSchema) } },
    async handle(_input, { stoppedTrunks }, { trunks }: OperatorTrunkDeps) {
      return ok({ status: 200, body: { items: await withStops(trunks(), stoppedTrunks) } });
    },
  }),
  ...stopAndStartOperations<OperatorTrunkDeps>({
    noun: "Trunk",
    onStop:
      "It takes and brings no new calls, also after a restart and in whatever process, until it is started; calls under way go on.",
    meanwhile: "Calls that are under way go on.",
    schema: z.strictObject({ name: z.string(), stoppedOn }).meta({ id: "TrunkSwitch" }),
    stopped: ({ stoppedTrunks }) => stoppedTrunks,
    configured: ({ configuredTrunks }) => configuredTrunks,
  }),
]);
