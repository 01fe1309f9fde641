// Chooses the links of a message. The first rule that matches decides; without a match, every link may be used.

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

export type Router = (message: Outgoing) => Route;

export function makeRouter(rules: readonly RouteRule[], links: readonly CarrierLink[]): Router {
  const routes = rules.map(({ to }, index) => ({
    sms: routeOf(`route ${index + 1}, sms`, to, links, "sms"),
    mms: routeOf(`route ${index + 1}, mms`, to, links, "mms"),
  }));
  const all = allCarriers(links);
  const otherwise = {
    sms: routeOf("any, sms", all, links, "sms"),
    mms: routeOf("any, mms", all, links, "mms"),
  };
  return (message) => {
    const kind = isMms(message) ? "mms" : "sms";
    const index = rules.findIndex((rule) => fits(rule, message));
    return (index < 0 ? otherwise : (routes[index] ?? otherwise))[kind];
  };
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
  const kinds = (["sms", "mms"] as const).filter((kind) => links.some((link) => link.kind === kind));
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

function fits({ senders, destinations, carriers }: RouteRule, { from, recipients, carrier }: Outgoing): boolean {
  const to = recipients[0] ?? "";
  return (
    (senders.length === 0 || senders.some((prefix) => from.startsWith(prefix))) &&
    (destinations.length === 0 || destinations.some((prefix) => to.startsWith(prefix))) &&
    (carriers.length === 0 ||
      (carrier !== null && carriers.some((name) => name.toLowerCase() === carrier.toLowerCase())))
  );
}

/** Picks by weight among the links with capacity: the others take the share of a link that is down or busy. */
export function pickLink(
  route: Route,
  hasCapacity: (link: CarrierLink) => boolean,
  chance: () => number,
): CarrierLink | undefined {
  let total = 0;
  let last: CarrierLink | undefined;
  for (const { link, weight } of route.links) {
    if (!hasCapacity(link)) continue;
    total += weight;
    last = link;
  }
  if (last === undefined || route.links.length === 1) return last;
  let left = chance() * total;
  for (const { link, weight } of route.links) {
    if (!hasCapacity(link)) continue;
    left -= weight;
    if (left < 0) return link;
  }
  return last;
}
