// The operator's view of the reconcile tasks.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import { ok } from "../../../../base/result.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import { listOf, timestamp } from "../../core/schemas.ts";

const reconcileSchema = z
  .strictObject({
    name: z.string(),
    startedOn: timestamp,
    finishedOn: timestamp,
    outcome: z.enum(["Done", "Failed"]),
    details: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .describe("What was counted; `reason` of a failure."),
  })
  .meta({ id: "Reconcile" });

export const operatorReconcileOperations = tagged("Operator", [
  operatorOperation({
    id: "listReconciles",
    sdk: "reconciles.list",
    command: {
      name: "operator reconciles list",
      about: "List the last run of each reconcile.",
      shows: [
        {
          table: members("name, Begun = startedOn, Ended = finishedOn, outcome, details"),
        },
      ],
    },
    summary: "The last run of each reconcile",
    description:
      "A reconcile brings what Tandem has to what is: campaigns to what the registry says, port orders to what the clearing house says. A run with nothing to do is entered once a minute at most.",
    route: "GET /Reconciles",
    answers: { 200: { description: "The last runs, by name.", body: listOf("ReconcileList", reconcileSchema) } },
    handle: async (_input, unit) => ok({ status: 200, body: { items: await unit.reconciles.list() } }),
  }),
]);
