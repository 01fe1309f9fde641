// What happened in a move, the newest first: simultaneous changes of several numbers are one entry. Pure.

import type { Migration } from "@tandem/sdk";
import { markOf } from "../../components/status.tsx";

export interface Happening {
  readonly at: string;
  readonly what: string;
  readonly detail?: string | undefined;
  readonly kind: "number" | "migration";
  /** A status of its kind, for the shape. */
  readonly value: string;
}

const countOf = (many: number) => (many === 1 ? "1 number" : `${many} numbers`);

export function historyOf(migration: Migration): readonly Happening[] {
  const { registry, campaign, linkOutcome, portOrders } = migration;
  const orders = portOrders.map(({ createdOn, numberCount }) => ({
    at: createdOn,
    what: "Port order sent",
    detail: `${countOf(numberCount)}, with a letter of authorization`,
    kind: "migration" as const,
    value: "Completed",
  }));
  const happenings: Happening[] = [...orders, ...numberHappenings(migration)];
  if (registry) {
    const says = registry.standing === "Ours" ? "Registry: ours" : `Registry: ${registry.standing}`;
    const isBad = ["Declined", "Cancelled", "Expired"].includes(registry.standing);
    const value = isBad ? "Blocked" : "Completed";
    happenings.push({ at: registry.since, what: says, detail: registry.reason ?? undefined, kind: "migration", value });
  }
  if (campaign) {
    const what = linkOutcome === "Linked" ? "Came, and linked by itself" : "The campaign came";
    happenings.push({ at: campaign.importedOn, what, detail: campaign.name, kind: "migration", value: "Completed" });
  }
  return happenings.sort((one, other) => other.at.localeCompare(one.at));
}

/** Changes to the same status within one minute belong together. */
function numberHappenings({ numbers }: Migration): readonly Happening[] {
  const groups = new Map<string, { at: string; status: string; reason: string | null; count: number }>();
  for (const { at, status, reason } of numbers.flatMap(({ timeline }) => timeline)) {
    const key = `${status} ${at.slice(0, 16)} ${reason}`;
    const group = groups.get(key) ?? { at, status, reason, count: 0 };
    groups.set(key, { ...group, at: at > group.at ? at : group.at, count: group.count + 1 });
  }
  return [...groups.values()].map(({ at, status, reason, count }) => ({
    at,
    what: `${countOf(count)}: ${markOf("number", status).word}`,
    detail: reason ?? undefined,
    kind: "number",
    value: status,
  }));
}
