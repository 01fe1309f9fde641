// Chooses the links of a message. The first rule that matches decides; without a match, every link may be used.

import { hash32 } from "../../base/hash.ts";
import { isMms } from "./message.ts";
import type { CarrierLink, LinkName, Outgoing } from "./ports.ts";

export interface RouteRule {
  /** Prefixes of the sender's number; an empty list matches every number. */
  readonly senders: readonly string[];
  /** Prefixes of the recipient's number. */
  readonly destinations: readonly string[];
  /** Names of the recipient's carrier, as in lookups, in any case. */
  readonly carriers: readonly string[];
  readonly to: readonly { readonly carrier: string; readonly weight: number }[];
}

export interface WeightedLink<Link = CarrierLink> {
  readonly link: Link;
  readonly weight: number;
}

/** Messages of one route may take the same links. */
export interface Route<Link = CarrierLink> {
  readonly name: string;
  readonly links: readonly WeightedLink<Link>[];
}

/** Where a message waits: the key of its route, and its share of the route's messages. */
export interface Place {
  readonly route: string;
  readonly shard: number;
}

/** Messages with the same sender and recipient have the same shard, and a shard has one link: they stay in order. */
export const SHARDS = 64;

export interface Placer {
  readonly routes: readonly string[];
  placeOf(message: Routed): Place;
}

type Routed = Pick<Outgoing, "from" | "recipients" | "mediaUrls" | "carrier">;

const KINDS = ["sms", "mms"] as const;
const OTHERWISE = "any";

/**
 * Keys of routes are stored with messages. They differ after every change of the rules, so that what waited under other
 * rules is found and placed anew.
 */
function keyOf(rules: readonly RouteRule[], index: number, kind: LinkName["kind"]): string {
  const digest = hash32(JSON.stringify(rules)).toString(16).padStart(8, "0");
  return `${index < 0 ? OTHERWISE : index + 1}-${kind}-${digest}`;
}

export function makePlacer(rules: readonly RouteRule[]): Placer {
  const indexes = [...rules.keys(), -1];
  const keys = indexes.map((index) => ({ sms: keyOf(rules, index, "sms"), mms: keyOf(rules, index, "mms") }));
  return {
    routes: keys.flatMap(({ sms, mms }) => [sms, mms]),
    placeOf(message) {
      const key = keys.at(rules.findIndex((rule) => fits(rule, message))) as (typeof keys)[number];
      const shard = hash32(`${message.from} ${message.recipients[0]}`) % SHARDS;
      return { route: key[isMms(message) ? "mms" : "sms"], shard };
    },
  };
}

/** All routes, by their keys. */
export function makeRoutes<Link extends LinkName>(
  rules: readonly RouteRule[],
  links: readonly Link[],
): ReadonlyMap<string, Route<Link>> {
  const lists = [...rules.map(({ to }) => to), allCarriers(links)];
  return new Map(
    lists.flatMap((to, at) => {
      const index = at < rules.length ? at : -1;
      const name = index < 0 ? OTHERWISE : `route ${index + 1}`;
      return KINDS.map((kind) => [keyOf(rules, index, kind), routeOf(`${name}, ${kind}`, to, links, kind)] as const);
    }),
  );
}

/**
 * The link of each shard, by weight. When a link is added or removed, only its own shards move (rendezvous hashing).
 * Undefined where there are no links.
 */
export function linksOfShards<Link extends Pick<LinkName, "name">>(
  links: readonly WeightedLink<Link>[],
): readonly (Link | undefined)[] {
  return Array.from({ length: SHARDS }, (_, shard) => {
    let best: WeightedLink<Link> | undefined;
    let bestScore = -1;
    for (const candidate of links) {
      const chance = (hash32(`${candidate.link.name} ${shard}`) + 1) / (2 ** 32 + 1);
      const score = -candidate.weight / Math.log(chance);
      if (score > bestScore) [best, bestScore] = [candidate, score];
    }
    return best?.link;
  });
}

/** A route with the messages it is for, as operators see it. */
export interface DescribedRoute extends Route<LinkName>, Pick<RouteRule, "senders" | "destinations" | "carriers"> {
  readonly kind: LinkName["kind"];
}

const ANY = { senders: [], destinations: [], carriers: [] };

/** All routes in the order in which they are tried, for each kind of link that exists. */
export function describeRoutes(rules: readonly RouteRule[], links: readonly LinkName[]): readonly DescribedRoute[] {
  const isForAll = ({ senders, destinations, carriers }: RouteRule) =>
    senders.length + destinations.length + carriers.length === 0;
  const reached = rules.slice(0, rules.findIndex(isForAll) + 1 || undefined);
  const rest = reached.some(isForAll) ? [] : [{ ...ANY, name: "any", to: allCarriers(links) }];
  const named = [...reached.map((rule, index) => ({ ...rule, name: `route ${index + 1}` })), ...rest];
  const kinds = KINDS.filter((kind) => links.some((link) => link.kind === kind));
  return named.flatMap(({ to, senders, destinations, carriers, name }) =>
    kinds.map((kind) => ({ ...routeOf(name, to, links, kind), kind, senders, destinations, carriers })),
  );
}

function allCarriers(links: readonly LinkName[]): RouteRule["to"] {
  return [...new Set(links.map(({ carrier }) => carrier))].map((carrier) => ({ carrier, weight: 1 }));
}

function routeOf<Link extends LinkName>(
  name: string,
  to: RouteRule["to"],
  links: readonly Link[],
  kind: LinkName["kind"],
): Route<Link> {
  return {
    name,
    links: to.flatMap(({ carrier, weight }) => {
      const own = links.filter((link) => link.carrier === carrier && link.kind === kind);
      return own.map((link) => ({ link, weight: weight / own.length }));
    }),
  };
}

function fits({ senders, destinations, carriers }: RouteRule, { from, recipients, carrier }: Routed): boolean {
  const to = recipients[0] ?? "";
  return (
    (senders.length === 0 || senders.some((prefix) => from.startsWith(prefix))) &&
    (destinations.length === 0 || destinations.some((prefix) => to.startsWith(prefix))) &&
    (carriers.length === 0 ||
      (carrier !== null && carriers.some((name) => name.toLowerCase() === carrier.toLowerCase())))
  );
}
