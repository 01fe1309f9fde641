// Operations with which the operator stops and starts something in the configuration: a link, a trunk.

import { z } from "zod";
import type { CommandDescription } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import { problem } from "../../../../domain/problems.ts";
import type { Stopped, StoppedStore } from "../../../../domain/stopped.ts";
import { operatorOperation, type Untagged } from "../../core/operation.ts";
import type { Unit } from "../../core/ports.ts";
import { text, timestamp } from "../../core/schemas.ts";

export const stoppedOn = timestamp.nullable().describe("Since when the operator wants it stopped; null: it is not.");

export interface Stoppable<Deps> {
  /** In ids, paths and texts: `Link` makes `stopLink`, `/Links/{name}/stop` and "Stop a link". */
  readonly noun: string;
  /** What a stop does. */
  readonly onStop: string;
  /** The same, for the help of the command that stops it. */
  readonly meanwhile: string;
  /** Its name in the configuration, its other settings, and `stoppedOn`. */
  readonly schema: z.ZodType;
  readonly stopped: (unit: Unit) => StoppedStore;
  readonly configured: (deps: Deps) => readonly { readonly name: string }[];
}

export function stopAndStartOperations<Deps>(stoppable: Stoppable<Deps>): readonly Untagged<Deps>[] {
  const { noun, onStop, meanwhile, schema, stopped, configured } = stoppable;
  const named = noun.toLowerCase();
  type CarryOut = (store: StoppedStore, name: string, now: Date) => Promise<Stopped | undefined>;
  type Words = Pick<CommandDescription, "about" | "shows">;
  const operation = (
    verb: string,
    summary: string,
    description: string,
    command: Words,
    carryOut: CarryOut,
  ): Untagged<Deps> =>
    operatorOperation({
      id: `${verb}${noun}`,
      sdk: `${named}s.${verb}`,
      command: { name: `operator ${named}s ${verb}`, arguments: { "<name>": `the ${named}` }, ...command },
      summary,
      description,
      route: `POST /${noun}s/{name}/${verb}`,
      params: z.strictObject({ name: text(64) }),
      answers: { 200: { description: `The ${named} as it is to be.`, body: schema } },
      refusals: ["not-found"],
      async handle({ params, now }, unit, deps: Deps) {
        const found = configured(deps).find(({ name }) => name === params.name);
        if (!found) return refused(problem("not-found"));
        const stop = await carryOut(stopped(unit), found.name, now);
        return ok({ status: 200, body: { ...found, stoppedOn: stop?.stoppedOn ?? null } });
      },
    });
  return [
    operation(
      "stop",
      `Stop a ${named}`,
      `${onStop} Stopping it again changes nothing.`,
      {
        about: `Stop a ${named} until it is started, also over a restart. ${meanwhile}`,
        shows: [{ say: "{<name>} is stopped since {stoppedOn}." }],
      },
      (store, name, now) => store.stop(name, now),
    ),
    operation(
      "start",
      `Start a ${named} that was stopped`,
      "Starting one that runs changes nothing.",
      { about: `Start a ${named} that was stopped.`, shows: [{ say: "{<name>} is started." }] },
      async (store, name) => {
        await store.start(name);
        return undefined;
      },
    ),
  ];
}

/** Each with the time since when it is stopped. */
export async function withStops<Item extends { readonly name: string }>(
  items: readonly Item[],
  store: StoppedStore,
): Promise<readonly (Item & { readonly stoppedOn: Date | null })[]> {
  const stops = new Map((await store.list()).map(({ name, stoppedOn }) => [name, stoppedOn]));
  return items.map((item) => ({ ...item, stoppedOn: stops.get(item.name) ?? null }));
}
