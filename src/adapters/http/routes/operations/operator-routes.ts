// The operator's view of the routes: which links carry which messages and which trunks carry calls, in the order in
// which they are tried, and the share of each given which are down now. Read from the configuration; nothing is
// changed.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import { ok } from "../../../../base/result.ts";
import { type DescribedRoute, isUp, type LinkHealth } from "../../../../domain/messaging/index.ts";
import type { StoppedStore } from "../../../../domain/stopped.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import type { Unit } from "../../core/ports.ts";
import { listOf } from "../../core/schemas.ts";
import { knownLinks } from "../messaging/operator-links.ts";
import { knownTrunks, type OperatorTrunkDeps } from "../voice/operator-trunks.ts";

export interface RoutedTrunk {
  readonly name: string;
  /** The lowest is tried first. */
  readonly priority: number;
}

export interface OperatorRouteDeps {
  /** The links and trunks of this process. */
  readonly links: () => readonly LinkHealth[];
  readonly trunks: OperatorTrunkDeps["trunks"];
  readonly messageRoutes: readonly DescribedRoute[];
  /** Trunks for outbound calls, in the order of the configuration. */
  readonly callTrunks: readonly RoutedTrunk[];
  /** The trunk for emergency calls, which use no other. */
  readonly emergencyTrunk: RoutedTrunk | undefined;
}

const share = z.number().min(0).max(1);

const waySchema = z
  .strictObject({
    name: z.string().describe("The link's, or the trunk's."),
    carrier: z.string().nullable().describe("The link's carrier; null of a trunk."),
    priority: z.int().nullable().describe("Of a trunk: the lowest is tried first. Null of a link."),
    share: share.describe("Of the route's traffic, while all are up; 0: it stands in."),
    shareNow: share.describe("What it takes while others are down, or it is itself."),
    state: z
      .string()
      .describe("As in the lists of links and trunks; `stopped` by an operator; `unknown`: nobody tells."),
    isUp: z.boolean().nullable().describe("Whether it takes traffic; null where nobody tells."),
  })
  .meta({ id: "RouteWay" });

const prefixes = z.array(z.string());

const routeSchema = z
  .strictObject({
    name: z.string().describe("Its place in the config file; `any`: what fits none; `emergency`: emergency calls."),
    kind: z.enum(["sms", "mms", "voice"]),
    senders: prefixes.describe("Beginnings of senders' numbers; empty: any."),
    destinations: prefixes.describe("Beginnings of recipients' numbers; empty: any."),
    carriers: z.array(z.string()).describe("Recipients' carriers as looked up; empty: any."),
    ways: z.array(waySchema).describe("Empty: the carriers of the route have no link of the kind, so messages wait."),
  })
  .meta({ id: "Route" });

export const operatorRouteOperations = tagged<OperatorRouteDeps>("Operator: carriers", [
  operatorOperation({
    id: "listRoutes",
    sdk: "routes.list",
    command: {
      name: "operator routes list",
      about: "List the routes in the order in which they are tried: the first that fits decides.",
      isDefault: true,
      shows: [
        {
          table: {
            ...members("Route = name, kind"),
            From: ["{senders|spaced}", "any"],
            To: ["{destinations|spaced}", "any"],
            "Recipient's carrier": ["{carriers}", "any"],
            "Goes by": ["{ways|ways}", "no link: messages wait"],
          },
        },
      ],
    },
    summary: "Routes, and what each link and trunk takes of them",
    description:
      "As the config file has them, in the order in which they are tried: the first that fits decides. Calls take the first trunk that answers, by priority.",
    route: "GET /Routes",
    answers: { 200: { description: "The routes.", body: listOf("RouteList", routeSchema) } },
    async handle({ now }, unit, deps: OperatorRouteDeps) {
      const links = await linkStates(unit, deps, now);
      const trunks = await trunkStates(unit, deps, now);
      const items = [...deps.messageRoutes.map((route) => messageRoute(route, links)), ...callRoutes(deps, trunks)];
      return ok({ status: 200, body: { items } });
    },
  }),
]);

interface WayState {
  readonly state: string;
  readonly isUp: boolean | null;
}

type States = ReadonlyMap<string, WayState>;

const UNKNOWN: WayState = { state: "unknown", isUp: null };
const STOPPED: WayState = { state: "stopped", isUp: false };

async function linkStates(unit: Unit, { links }: OperatorRouteDeps, now: Date): Promise<States> {
  const known = await knownLinks(unit, links, now);
  const states = known.map(({ name, state }): [string, WayState] => [
    name,
    state === "unknown" ? UNKNOWN : { state, isUp: isUp({ kind: state }) },
  ]);
  return withStops(states, unit.stoppedLinks);
}

async function trunkStates(unit: Unit, { trunks }: OperatorRouteDeps, now: Date): Promise<States> {
  const states = (await knownTrunks(unit, trunks, now)).map(({ name, isUp: answers }): [string, WayState] => [
    name,
    { state: answers ? "up" : "down", isUp: answers },
  ]);
  return withStops(states, unit.stoppedTrunks);
}

/** Also for those whose state no process reports. */
async function withStops(states: readonly [string, WayState][], stopped: StoppedStore): Promise<States> {
  return new Map([...states, ...(await stopped.list()).map(({ name }) => [name, STOPPED] as const)]);
}

interface Weighed {
  readonly name: string;
  readonly carrier: string | null;
  readonly priority: number | null;
  readonly weight: number;
}

function messageRoute({ name, kind, senders, destinations, carriers, links }: DescribedRoute, states: States) {
  const weighed = links.map(({ link, weight }) => ({ name: link.name, carrier: link.carrier, priority: null, weight }));
  return { name, kind, senders, destinations, carriers, ways: waysOf(weighed, states, takesItsWeight) };
}

const VOICE = { kind: "voice", senders: [], destinations: [], carriers: [] } as const;

function callRoutes({ callTrunks, emergencyTrunk }: OperatorRouteDeps, states: States) {
  const ordered = [...callTrunks].sort((one, other) => one.priority - other.priority);
  const weighed = (trunks: readonly RoutedTrunk[]) => trunks.map((trunk) => ({ ...trunk, carrier: null, weight: 1 }));
  const route = (name: string, trunks: readonly RoutedTrunk[]) =>
    trunks.length === 0 ? [] : [{ name, ...VOICE, ways: waysOf(weighed(trunks), states, takesAll) }];
  return [...route("any", ordered), ...route("emergency", emergencyTrunk ? [emergencyTrunk] : [])];
}

type Shares = (ways: readonly Weighed[]) => ReadonlyMap<string, number>;

/** Each takes its share by weight. */
const takesItsWeight: Shares = (ways) => {
  const total = ways.reduce((sum, { weight }) => sum + weight, 0);
  return new Map(ways.map(({ name, weight }) => [name, weight / total]));
};

/** The first takes all traffic. */
const takesAll: Shares = ([first]) => new Map(first ? [[first.name, 1]] : []);

function waysOf(ways: readonly Weighed[], states: States, sharesOf: Shares) {
  const stateOf = (name: string) => states.get(name) ?? UNKNOWN;
  const usual = sharesOf(ways);
  const now = sharesOf(ways.filter(({ name }) => stateOf(name).isUp !== false));
  return ways.map(({ name, carrier, priority }) => ({
    ...{ name, carrier, priority },
    share: rounded(usual.get(name)),
    shareNow: rounded(now.get(name)),
    ...stateOf(name),
  }));
}

const rounded = (value = 0) => Math.round(value * 1e4) / 1e4;
