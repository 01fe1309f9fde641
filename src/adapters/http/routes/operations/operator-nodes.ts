// The operator's view of the processes that serve the database, and draining one of them.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import { problem } from "../../../../domain/problems.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import { listOf, sidParams, timestamp } from "../../core/schemas.ts";

const nodeSchema = z
  .strictObject({
    sid: z.string().describe("Names this run of the process."),
    host: z.string().describe("The name of its machine."),
    version: z.string(),
    roles: z.array(z.string()).describe("`api`, `worker`."),
    url: z.string().describe("Where it is reached."),
    state: z
      .enum(["Starting", "Ready", "Draining", "Silent"])
      .describe(
        "`Silent`: it has not reported for 15 seconds, because it hangs, is cut off from the database, or has ended.",
      ),
    leases: z
      .array(z.enum(["Sending", "Webhooks", "Calls"]))
      .describe("What it alone does: sending messages, delivering the webhooks of its slots, its calls."),
    webhookSlots: z.int().describe("How many slots of webhooks it has."),
    calls: z.int().describe("Calls that it has."),
    links: z.array(z.string()).describe("The links to carriers that it has open."),
    clock: z.string().describe("`ok`, or how far the clock of its machine is off: then it leaves work to others."),
    startedOn: timestamp,
    seenOn: timestamp.describe("When it last reported."),
    drainAskedOn: timestamp.nullable().describe("Since when an operator wants it to drain."),
  })
  .meta({ id: "Node" });

export const operatorNodeOperations = tagged("Operator", [
  operatorOperation({
    id: "listNodes",
    sdk: "nodes.list",
    command: {
      name: "operator nodes list",
      about: "List the processes that serve the database, and what each holds.",
      shows: [{ table: members("sid, host, version, roles, state, leases, calls, Since = startedOn, clock") }],
    },
    summary: "The processes that serve the database",
    description:
      "Each reports every five seconds. One that ended without saying so is listed as `Silent` for a day, or until a process takes its place.",
    route: "GET /Nodes",
    answers: { 200: { description: "The nodes, the oldest first.", body: listOf("NodeList", nodeSchema) } },
    handle: async ({ now }, unit) => ok({ status: 200, body: { items: await unit.nodes.list(now) } }),
  }),
  operatorOperation({
    id: "drainNode",
    sdk: "nodes.drain",
    command: {
      name: "operator nodes drain",
      about: "Drain a process: it lets its calls and requests end, hands over the rest, and ends.",
      arguments: { "<sid>": "the node" },
      shows: [{ say: "{<sid>} is to drain since {drainAskedOn}." }],
    },
    summary: "Drain a node",
    description:
      "Within five seconds the process does what SIGTERM makes it do: it is no longer ready, serves on for `TANDEM_LAME_DUCK_SECONDS`, takes no new calls, lets calls and requests end for `TANDEM_DRAIN_SECONDS`, leaves sending and webhooks to other nodes, and ends with code 0. One that is silent does so when it reports again. Asking again changes nothing.",
    route: "POST /Nodes/{sid}/drain",
    params: sidParams,
    answers: { 200: { description: "The node as it is now.", body: nodeSchema } },
    refusals: ["not-found"],
    async handle({ params, now }, unit) {
      const node = await unit.nodes.drain(params.sid, now);
      return node ? ok({ status: 200, body: node }) : refused(problem("not-found"));
    },
  }),
]);
