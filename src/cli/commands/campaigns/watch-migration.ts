// Polls a migration until it is over, and prints its changes.

import { setTimeout as delay } from "node:timers/promises";
import type { Migration, TandemClient } from "../../../../sdk/src/index.ts";
import type { RetryingCaller } from "../../bulk/retrying-caller.ts";
import { type Progress, STDERR, showProgress } from "../../progress.ts";
import { changesBetween } from "./migration-text.ts";

const POLL_MS_MIN = 500;
const POLL_MS_MAX = 5_000;
const CLEAR_LINE = "\r\u001b[K";

export interface WatchOrder {
  readonly client: TandemClient;
  readonly caller: RetryingCaller;
  readonly first: Migration;
  readonly isTerminal: boolean;
  readonly columns: () => number;
  readonly write: (text: string) => void;
}

/** Returns the migration in its final state. */
export async function watchMigration(order: WatchOrder): Promise<Migration> {
  const { client, caller, isTerminal, write } = order;
  const { tcrCampaignId } = order.first;
  let migration = order.first;
  let bar = barOf(order, migration);
  // Polls less often while nothing changes.
  for (let pollMs = POLL_MS_MIN; !isOver(migration); pollMs = Math.min(pollMs * 1.2, POLL_MS_MAX)) {
    await delay(pollMs, undefined, { signal: caller.signal });
    const { data } = await caller.call(() => client.migrations.get(tcrCampaignId, { signal: caller.signal }));
    const lines = changesBetween(migration, data);
    for (const line of lines) write(`${isTerminal ? CLEAR_LINE : ""}${line}\n`);
    if (lines.length > 0) pollMs = POLL_MS_MIN;
    if (totalOf(data) !== totalOf(migration)) bar = barOf(order, data);
    migration = data;
    bar?.advance(activeOf(data));
  }
  bar?.end();
  return migration;
}

export function isOver({ status }: Pick<Migration, "status">): boolean {
  return status === "Completed" || status === "PartiallyCompleted";
}

const countOf = ({ numberCounts }: Migration, isWanted: (status: string) => boolean) =>
  numberCounts.filter(({ status }) => isWanted(status)).reduce((sum, { count }) => sum + count, 0);
const totalOf = (migration: Migration) => countOf(migration, (status) => status !== "Removed");
const activeOf = (migration: Migration) => countOf(migration, (status) => status === "Active");

function barOf({ write, isTerminal, columns }: WatchOrder, migration: Migration): Progress | undefined {
  const total = totalOf(migration);
  if (total === 0) return undefined;
  const done = activeOf(migration);
  return showProgress({ write, isTerminal, columns, nowMs: STDERR.nowMs, total, done, unit: "numbers" });
}
