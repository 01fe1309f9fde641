// The operator's view of the trunks, and stopping and starting them.

import { z } from "zod";
import { ok, refused } from "../../../../base/result.ts";
import { problem } from "../../../../domain/problems.ts";
import type { StoppedTrunk } from "../../../../domain/voice/index.ts";
import { type Operation, operatorOperation } from "../../core/operation.ts";
import type { Unit } from "../../core/ports.ts";
import { listOf, text, timestamp } from "../../core/schemas.ts";

export interface TrunkHealth {
  readonly name: string;
  readonly isUp: boolean;
  readonly reason: string;
  readonly calls: number;
  readonly registration: { readonly isUp: boolean; readonly reason: string } | null;
}

export interface OperatorTrunkDeps {
  /** The trunks as this process sees them; none where it has no calls. */
  readonly trunks: () => readonly TrunkHealth[];
  /** The names of all trunks of the configuration. */
  readonly configuredTrunks: readonly string[];
}

const TAG = "Operator: trunks";
const stoppedOn = timestamp.nullable().describe("Since when the operator wants it stopped; null: it is not.");

const trunkSchema = z
  .strictObject({
    name: z.string(),
    isUp: z.boolean().describe("Whether it answers."),
    reason: z.string(),
    calls: z.int().describe("Under way in this process."),
    registration: z
      .strictObject({ isUp: z.boolean(), reason: z.string() })
      .nullable()
      .describe("Null: it is not registered with."),
    stoppedOn,
  })
  .meta({ id: "Trunk" });

const switchSchema = z.strictObject({ name: z.string(), stoppedOn }).meta({ id: "TrunkSwitch" });

export function operatorTrunkOperations(): readonly Operation<OperatorTrunkDeps>[] {
  return [
    operatorOperation({
      id: "listTrunks",
      tag: TAG,
      summary: "SIP trunks and how they fare",
      description: "As this process sees them; one that has no calls answers an empty list.",
      method: "GET",
      path: "/Trunks",
      writes: false,
      answers: { 200: { description: "The trunks.", body: listOf("TrunkList", trunkSchema) } },
      refusals: [],
      async handle(_input, unit, { trunks }) {
        const stopped = new Map((await unit.stoppedTrunks.list()).map((trunk) => [trunk.name, trunk.stoppedOn]));
        const items = trunks().map((trunk) => ({ ...trunk, stoppedOn: stopped.get(trunk.name) ?? null }));
        return ok({ status: 200, body: { items } });
      },
    }),
    switchOperation({
      id: "stopTrunk",
      verb: "stop",
      summary: "Stop a trunk",
      description:
        "It takes and brings no new calls, also after a restart and in whatever process, until it is started; calls under way go on. Stopping it again changes nothing.",
      carryOut: ({ stoppedTrunks }, name, now) => stoppedTrunks.stop(name, now),
    }),
    switchOperation({
      id: "startTrunk",
      verb: "start",
      summary: "Start a trunk that was stopped",
      description: "Starting one that runs changes nothing.",
      async carryOut({ stoppedTrunks }, name) {
        await stoppedTrunks.start(name);
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
  readonly carryOut: (unit: Unit, name: string, now: Date) => Promise<StoppedTrunk | undefined>;
}

function switchOperation({ verb, carryOut, ...described }: Switch): Operation<OperatorTrunkDeps> {
  return operatorOperation({
    ...described,
    tag: TAG,
    method: "POST",
    path: `/Trunks/{name}/${verb}`,
    writes: true,
    params: z.strictObject({ name: text(64) }),
    answers: { 200: { description: "The trunk as it is to be.", body: switchSchema } },
    refusals: ["not-found"],
    async handle({ params: { name }, now }, unit, { configuredTrunks }: OperatorTrunkDeps) {
      if (!configuredTrunks.includes(name)) return refused(problem("not-found"));
      const stopped = await carryOut(unit, name, now);
      return ok({ status: 200, body: { name, stoppedOn: stopped?.stoppedOn ?? null } });
    },
  });
}
