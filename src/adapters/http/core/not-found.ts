// Names what was not found: the resource that the path of an operation identifies.

import type { Operation } from "./operation.ts";

/** By the path segment before a parameter. */
export const NOUNS: ReadonlyMap<string, string> = new Map([
  ["Accounts", "account"],
  ["Calls", "call"],
  ["Campaigns", "campaign"],
  ["Conferences", "conference"],
  ["FeatureRequests", "feature request"],
  ["InboundMessages", "inbound message"],
  ["Links", "carrier link"],
  ["LookupOverrides", "lookup override of"],
  ["MessagingConfigs", "MessagingConfig"],
  ["Migrations", "migration of campaign"],
  ["Nodes", "node"],
  ["Numbers", "inventory number"],
  ["OutboundMessages", "outbound message"],
  ["Phones", "number"],
  ["PortOrders", "port order"],
  ["Recordings", "recording"],
  ["Requests", "request"],
  ["SupportLinks", "link for support"],
  ["TcrCampaigns", "campaign"],
  ["Tokens", "operator token"],
  ["Trunks", "trunk"],
  ["Views", "view"],
  ["Webhooks", "subscription"],
  ["deliveries", "delivery"],
  ["documents", "document"],
  ["participants", "participant"],
  ["recordings", "recording"],
  ["port-in", "port order"],
  ["tokens", "token"],
]);

/** The pairs of such a segment and the name of its parameter, the innermost first. */
export function resourcesOf(path: string): readonly (readonly [part: string, parameter: string])[] {
  return [...path.matchAll(/([^/]+)\/\{(\w+)\}/g)].map(([, part = "", name = ""]) => [part, name] as const).reverse();
}

export function describeMissing({ path, who }: Pick<Operation, "path" | "who">, params: unknown): string | undefined {
  const given = (params ?? {}) as Readonly<Record<string, unknown>>;
  const missing = resourcesOf(path).map(([part, name]) => `${NOUNS.get(part) ?? part} ${given[name]}`);
  if (missing.length === 0) return undefined;
  return `${who === "account" ? "The account has" : "There is"} no ${missing.join(" of ")}.`;
}
