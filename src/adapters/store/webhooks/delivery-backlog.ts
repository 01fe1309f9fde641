// The number and age of due deliveries, for metrics.

import type { Backlog } from "../../../domain/webhooks/index.ts";
import type { Database } from "../engine/database.ts";

// One index lookup per endpoint for the oldest, and no more rows counted than this.
const BACKLOG_COUNT_MAX = 10_000;
const BACKLOG = `
with recursive endpoint as (
  (select subscription_sid as sid from delivery_queue where is_ready order by subscription_sid limit 1)
  union all
  select (select subscription_sid from delivery_queue where is_ready and subscription_sid > endpoint.sid order by subscription_sid limit 1)
    from endpoint where endpoint.sid is not null
), oldest as (
  select sid, (select due_at from delivery_queue
                where subscription_sid = endpoint.sid and is_ready and claimed_by is null and due_at <= $1
                order by id limit 1) as due_at
    from endpoint where sid is not null
)
select (select min(due_at) from oldest) as oldest_due_at,
       (select least(coalesce(sum(count), 0), ${BACKLOG_COUNT_MAX})::int from (
          select due.count from oldest cross join lateral (
            select cardinality(places) as count from delivery_queue
             where subscription_sid = oldest.sid and is_ready and claimed_by is null and due_at <= $1
             limit ${BACKLOG_COUNT_MAX}
          ) as due where oldest.due_at is not null limit ${BACKLOG_COUNT_MAX}) as counted) as count`;

/** Gives up after a short timeout, to spare a database that is already slow. */
export function backlogOf(db: Database, now: Date): Promise<Backlog> {
  return db.transaction(async (unit) => {
    // Without statistics the planner would choose a sequential scan.
    await unit.query("set local enable_seqscan = off");
    await unit.query("set local statement_timeout = '2s'");
    const [row] = await unit.query<{ oldest_due_at: Date | null; count: number }>(BACKLOG, [now]);
    const oldest = row?.oldest_due_at ?? now;
    return { count: row?.count ?? 0, oldestMs: now.getTime() - oldest.getTime() };
  });
}
