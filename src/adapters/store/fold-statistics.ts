// Counts what events tell, behind the transactions that store them: messages by status and carrier, calls by how they
// ended, deliveries that were made. Any number of processes may call this: one does it at a time.
//
// Guarantees that each event is counted exactly once, whatever order transactions commit in and whichever process dies:
// the counts and the progress are one transaction. Events are counted in portions: those of transactions that are older
// than every one that runs now, and were not in a portion before. Within a portion they are read by their ids, a chunk
// at a time. The transactions have no index, so a portion begins at an id below which none of its events can be: the
// last one that was taken when a mark was made, all of whose transactions are in portions before. It goes back one mark
// more, because a statement takes ids a moment before its transaction gets its number.
//
// A status that changes later moves its count to where the message was made. What waits has no event yet: it is
// counted when asked for (statistics.ts). What is deleted stays counted as it was.

import type { Database, Queryable } from "./engine/database.ts";
import { sweep } from "./engine/sweeps.ts";
import { BATCH_MAX, EACH_EVENT } from "./webhooks/event-batches.ts";

/** Rows of events in a chunk; each has up to 16 events. */
const ROWS_MAX = 500;
/** Of a run, so that a process that catches up leaves the database to others in between. */
const ROUNDS_MAX = 20;
const CHANGES_MAX = 5_000;
/** When nothing happens, the progress is written this rarely. */
const IDLE_S = 5;

interface Portion {
  readonly fromXid: string;
  readonly toXid: string;
  readonly atId: string;
  readonly toId: string;
}

const LOCKED = `
select from_xid::text as "fromXid", to_xid::text as "toXid", at_id::text as "atId", to_id::text as "toId"
  from statistics_progress where at_id < to_id or counted_until < reaches for update skip locked`;
const CHUNK = `
select max(id)::text as last, count(*) = ${ROWS_MAX} as "isFull"
  from (select id from events where id > $1 and id <= $2 order by id limit ${ROWS_MAX}) as chunk`;
const COUNTED = "update statistics_progress set at_id = $1, counted_until = reaches";

// A portion begins when the one before is counted. The time comes first: what ended before it is in the snapshot. Two
// processes may do this at once: the later one sees by the mark that its snapshot is too old.
const BEGIN = `
with now as materialized (
  select event_position(pg_snapshot_xmin(pg_current_snapshot())) as settled,
         event_position(pg_snapshot_xmax(pg_current_snapshot())) as next, last_value + ${BATCH_MAX - 1} as last_id
    from events_id_seq
)
update statistics_progress
   set from_xid = to_xid, to_xid = greatest(to_xid, settled), to_id = last_id,
       ${[
         ["at_id", "prior_id", "floor_id"],
         ["floor_id", "prior_id", "floor_id"],
         ["prior_id", "mark_id", "prior_id"],
         ["mark_id", "last_id", "mark_id"],
         ["mark_xid", "next", "mark_xid"],
         ["marked_at", "statement_timestamp()", "marked_at"],
       ]
         .map(([column, passed, other]) => `${column} = case when mark_xid <= to_xid then ${passed} else ${other} end`)
         .join(",\n       ")},
       reaches = case when settled >= next then statement_timestamp() when settled >= mark_xid then marked_at else reaches end
  from now
 where at_id >= to_id and next >= mark_xid and last_id >= mark_id
   and (last_id > mark_id or mark_id > prior_id or counted_until < statement_timestamp() - interval '${IDLE_S} s')`;

const ADD = (deltas: string) => `
insert into statistics_counts as known (account_sid, kind, hour, outcome, carrier, count)
select account_sid, kind, date_trunc('hour', created_at, 'UTC') as hour, outcome, carrier, sum(change)
  from ${deltas} as delta group by 1, 2, 3, 4, 5 having sum(change) <> 0 order by 1, 2, 3, 4, 5
on conflict (account_sid, kind, hour, outcome, carrier) do update set count = known.count + excluded.count`;

// Each table is read by its key, whatever the planner assumes of it. Of a call's events only the last one counts.
const COUNT_EVENTS = `
with told as materialized (
  select event.*, first_fields::json ->> 'Status' as status, first_fields::json ->> 'PreviousStatus' as previous
    from ${EACH_EVENT} as event
   where row_id > $3::bigint and row_id <= $4::bigint and xid >= $1::xid8 and xid < $2::xid8
), message as materialized (
  select told.account_sid, told.status, told.previous, message.created_at, coalesce(message.carrier, '') as carrier
    from told cross join lateral (
      select created_at, carrier from outbound_messages where account_sid = told.account_sid and sid = told.resource_sid offset 0) as message
   where told.type = 'OutboundMessageStatusChanged'
), call as materialized (
  select told.account_sid, call.created_at, call.end_reason
    from told cross join lateral (
      select created_at, end_reason from calls where sid = told.resource_sid and status = 'Completed' and end_reason is not null offset 0) as call
   where told.type = 'CallStatusChangedWebhook' and told.status = 'Completed' and not exists (
     select from events as later where later.resource_sid = told.resource_sid and later.sequence > told.sequence
        and later.account_sid = told.account_sid and later.type = told.type)
), stored as materialized (
  select row_id, min(created_at) as created_at, max(id) as last_id from told group by row_id
), made as materialized (
  select batch.account_sid, batch.created_at, cardinality(batch.places) as count
    from stored cross join lateral (
      select account_sid, created_at, places, event_id from deliveries
       where event_id > stored.row_id - ${BATCH_MAX} and event_id <= stored.last_id and created_at = stored.created_at offset 0) as batch
   where batch.event_id + batch.places[1] between stored.row_id and stored.last_id
), delta as (
  select account_sid, 'Messages' as kind, created_at, status as outcome, carrier, 1 as change from message
  union all
  select account_sid, 'Messages', created_at, previous, carrier, -1 from message where previous <> 'Queued'
  union all
  select account_sid, 'Calls', created_at, end_reason, '', 1 from call
  union all
  select account_sid, 'Deliveries', created_at, 'Made', '', count from made
)${ADD("delta")}`;

const COUNT_UNDELIVERED = `
with change as (
  delete from undelivered_changes where id = any (array(select id from undelivered_changes order by id limit ${CHANGES_MAX} for update skip locked))
  returning account_sid, created_at, failed, canceled
), delta as (
  select account_sid, 'Deliveries' as kind, created_at, 'Failed' as outcome, '' as carrier, failed as change from change
  union all
  select account_sid, 'Deliveries', created_at, 'Canceled', '', canceled from change
), added as (${ADD("delta")}
)
select count(*)::int as count from change`;

/** Counts what has happened since the last time, or a bounded part of it. */
export async function foldStatistics(db: Pick<Database, "query" | "transaction">): Promise<void> {
  await db.query(BEGIN);
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) {
    const [{ count = 0 } = {}] = await db.query<{ count: number }>(COUNT_UNDELIVERED);
    const isBehind = await db.transaction(countChunk);
    if (count < CHANGES_MAX && !isBehind) return;
  }
}

/** True when more of the portion is to be counted. */
async function countChunk(unit: Queryable): Promise<boolean> {
  const [portion] = await unit.query<Portion>(LOCKED);
  if (!portion) return false;
  const { fromXid, toXid, atId, toId } = portion;
  const [chunk] = await unit.query<{ last: string | null; isFull: boolean }>(CHUNK, [atId, toId]);
  const isFull = chunk?.isFull === true;
  const until = (isFull && chunk.last) || toId;
  if (chunk?.last) await unit.query(COUNT_EVENTS, [fromXid, toXid, atId, until]);
  await unit.query(isFull ? "update statistics_progress set at_id = $1" : COUNTED, [until]);
  return isFull;
}

export function sweepStatistics(db: Queryable, before: Date): Promise<number> {
  return sweep(db, "statistics_counts", "hour < $1", [before]);
}
