// The operator's view of the trunks, and stopping and starting them.

import { z } from "zod";
import { ok } from "../../../../base/result.ts";
import { type TrunkView, trunksOver, type WholeTrunk } from "../../../../domain/voice/index.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import type { Unit } from "../../core/ports.ts";
import { listOf, timestamp } from "../../core/schemas.ts";
import { stopAndStartOperations, stoppedOn, withStops } from "../operations/stop-and-start.ts";

export interface OperatorTrunkDeps {
  /** As this process sees them; no trunks where it handles no calls. */
  readonly trunks: () => TrunkView;
  /** All trunks of the configuration. */
  readonly configuredTrunks: readonly { readonly name: string }[];
}

const registration = z.strictObject({ isUp: z.boolean(), reason: z.string() }).nullable();

const trunkSchema = z
  .strictObject({
    name: z.string(),
    isUp: z.boolean().describe("Whether it answers at least one node."),
    reason: z.string(),
    calls: z.int().describe("Under way, over all nodes."),
    window: z.int().nullable().describe("Calls it may have at once; null where nothing limits them."),
    inFlight: z.int().describe("Calls under way, over all nodes."),
    perSecond: z.number().describe("Calls begun on it each second, either way, over the last ten."),
    p95Ms: z
      .int()
      .nullable()
      .describe("19 of 20 of our calls of the last minute were told of, ringing or over, within this time."),
    since: timestamp.nullable().describe("Since when it answers, or does not; null before it was looked at."),
    registration: registration.describe(
      "Ours with the trunk, or the trunk's with us, with its contacts in the reason. Null: there is neither.",
    ),
    nodes: z
      .array(
        z.strictObject({
          host: z.string().describe("The name of its machine."),
          isUp: z.boolean(),
          reason: z.string(),
          calls: z.int(),
          registration,
        }),
      )
      .describe("The same for each node that handles calls; others than the one that answers as of their last report."),
    stoppedOn,
  })
  .meta({ id: "Trunk" });

export const operatorTrunkOperations = tagged<OperatorTrunkDeps>("Operator: trunks", [
  operatorOperation({
    id: "listTrunks",
    sdk: "trunks.list",
    command: {
      name: "operator trunks list",
      about: "List the trunks and how they fare, over all nodes.",
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
    description: "Over all nodes that handle calls. Each reports every five seconds.",
    route: "GET /Trunks",
    answers: { 200: { description: "The trunks.", body: listOf("TrunkList", trunkSchema) } },
    async handle({ now }, unit, { trunks }: OperatorTrunkDeps) {
      const items = await withStops(await knownTrunks(unit, trunks, now), unit.stoppedTrunks);
      return ok({ status: 200, body: { items } });
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

/** The trunks as this process sees them, and as others reported them. */
export async function knownTrunks(
  { nodes }: Pick<Unit, "nodes">,
  trunks: OperatorTrunkDeps["trunks"],
  now: Date,
): Promise<readonly WholeTrunk[]> {
  return trunksOver([trunks(), ...(await nodes.trunksOfOthers(now))]);
}
