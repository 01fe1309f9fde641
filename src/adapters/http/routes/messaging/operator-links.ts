// The operator's view of the links to carriers, and stopping and starting them.

import { z } from "zod";
import { ok, refused } from "../../../../base/result.ts";
import type { CarrierLink, LinkState, StoppedLink } from "../../../../domain/messaging/index.ts";
import { problem } from "../../../../domain/problems.ts";
import { type Operation, operatorOperation } from "../../core/operation.ts";
import type { Unit } from "../../core/ports.ts";
import { listOf, text, timestamp } from "../../core/schemas.ts";

export type LinkName = Pick<CarrierLink, "name" | "carrier" | "kind">;

export interface LinkHealth extends LinkName {
  readonly state: LinkState["kind"];
  readonly reason: string;
  readonly since: Date;
  /** How many messages it takes now. */
  readonly room: number;
}

export interface OperatorLinkDeps {
  /** The links of this process; another process may be the one that sends. */
  readonly links: () => readonly LinkHealth[];
  /** All links of the configuration, whichever process keeps them. */
  readonly configuredLinks: readonly LinkName[];
}

const TAG = "Operator: carriers";
const named = { name: z.string(), carrier: z.string(), kind: z.enum(["sms", "mms"]) };
const stoppedOn = timestamp.nullable().describe("Since when the operator wants it stopped; null: it is not.");

const linkSchema = z
  .strictObject({
    ...named,
    state: z.string().describe("`bound` is well."),
    reason: z.string(),
    since: timestamp.describe("Since when it is up (`bound` or `throttled`), or is not."),
    room: z.int().describe("Messages it takes just now."),
    stoppedOn,
  })
  .meta({ id: "CarrierLink" });

const switchSchema = z.strictObject({ ...named, stoppedOn }).meta({ id: "CarrierLinkSwitch" });

export function operatorLinkOperations(): readonly Operation<OperatorLinkDeps>[] {
  return [
    operatorOperation({
      id: "listLinks",
      tag: TAG,
      summary: "Links to carriers and how they fare",
      description: "One process at a time keeps the links; the others answer an empty list.",
      method: "GET",
      path: "/Links",
      writes: false,
      answers: { 200: { description: "The links.", body: listOf("CarrierLinkList", linkSchema) } },
      refusals: [],
      async handle(_input, unit, { links }) {
        const stopped = new Map((await unit.stoppedLinks.list()).map((link) => [link.name, link.stoppedOn]));
        const items = links().map((link) => ({ ...link, stoppedOn: stopped.get(link.name) ?? null }));
        return ok({ status: 200, body: { items } });
      },
    }),
    switchOperation({
      id: "stopLink",
      verb: "stop",
      summary: "Stop a link",
      description:
        "It lets submits under way finish, unbinds, and stays so, also after a restart and in whatever process, until it is started. Messages take other links, or wait. What the carrier has for us it keeps until then. Stopping it again changes nothing.",
      carryOut: ({ stoppedLinks }, name, now) => stoppedLinks.stop(name, now),
    }),
    switchOperation({
      id: "startLink",
      verb: "start",
      summary: "Start a link that was stopped",
      description: "Starting one that runs changes nothing.",
      async carryOut({ stoppedLinks }, name) {
        await stoppedLinks.start(name);
        return undefined;
      },
    }),
  ];
}

interface Switch {
  readonly id: string;
  readonly verb: string;
  readonly summary: string;
  readonly description: string;
  readonly carryOut: (unit: Unit, name: string, now: Date) => Promise<StoppedLink | undefined>;
}

function switchOperation({ verb, carryOut, ...described }: Switch): Operation<OperatorLinkDeps> {
  return operatorOperation({
    ...described,
    tag: TAG,
    method: "POST",
    path: `/Links/{name}/${verb}`,
    writes: true,
    params: z.strictObject({ name: text(64) }),
    answers: { 200: { description: "The link as it is to be.", body: switchSchema } },
    refusals: ["not-found"],
    async handle({ params, now }, unit, { configuredLinks }: OperatorLinkDeps) {
      const link = configuredLinks.find(({ name }) => name === params.name);
      if (!link) return refused(problem("not-found"));
      const stopped = await carryOut(unit, link.name, now);
      return ok({ status: 200, body: { ...link, stoppedOn: stopped?.stoppedOn ?? null } });
    },
  });
}
