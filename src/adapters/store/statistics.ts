// The counts of an account: those that were folded from events (fold-statistics.ts), and what waits or is under way,
// which is counted where it waits. Everything is read in one statement, so that nothing is counted twice.

import {
  COUNTS_MAX,
  type Statistics,
  type StatisticsKind,
  type StatisticsQuestion,
  type StatisticsStep,
  type StatisticsStore,
} from "../../domain/statistics.ts";
import type { Queryable } from "./engine/database.ts";

const IN_SPAN = "created_at >= $2 and created_at < $3";

// Messages are in the queue, or named by a submit; one that came back is in both. Of a queue that others fill only the
// account's part is read, except for what is not due yet, which has no index by account.
const QUEUED = `
with recursive route as (
  (select route from outbound_queue where is_ready order by route limit 1)
  union all
  select (select route from outbound_queue where is_ready and route > found.route order by route limit 1)
    from route as found where found.route is not null
), waiting as (
  select ready.sid from route cross join lateral (
    select sid from outbound_queue where is_ready and route = route.route and account_sid = $1 offset 0) as ready
  union select sid from outbound_queue where not is_ready and account_sid = $1
  union select named.sid from submits cross join lateral unnest(account_sids, sids) as named (account_sid, sid) where named.account_sid = $1
)
select message.created_at, 'Queued' as outcome, coalesce(message.carrier, '') as carrier, 1 as count
  from waiting cross join lateral (
    select created_at, carrier from outbound_messages
     where account_sid = $1 and sid = waiting.sid and status = 'Queued' offset 0) as message
 where ${IN_SPAN}`;

const ACTIVE = `
select created_at, status as outcome, '' as carrier, 1 as count from calls where account_sid = $1 and status <> 'Completed' and ${IN_SPAN}`;

// What is not Delivered, Failed or Canceled waits; so what was made and is none of these was delivered.
const PENDING = `
with endpoint as (
  select sid from webhook_subscriptions where account_sid = $1 union select 'WS' || substr($1, 3)
), waiting as materialized (
  select queued.created_at, cardinality(queued.places) as count from endpoint cross join lateral (
    select created_at, places from delivery_queue where subscription_sid = endpoint.sid and is_ready and ${IN_SPAN}
    union all
    select created_at, places from delivery_queue where subscription_sid = endpoint.sid and not is_ready and ${IN_SPAN}) as queued
)
select created_at, outcome, '' as carrier, count * sign as count
  from waiting cross join (values ('Pending', 1), ('Delivered', -1)) as counted (outcome, sign)`;

const WAITING: Readonly<Record<StatisticsKind, string>> = { Messages: QUEUED, Calls: ACTIVE, Deliveries: PENDING };

// A delivery that was made counts as Delivered until it is counted as something else.
const COUNTED: Readonly<Record<StatisticsKind, string>> = {
  Messages: "select outcome, count",
  Calls: "select outcome, count",
  Deliveries: `
select case when counted.outcome = 'Made' then 'Delivered' else counted.outcome end as outcome, counted.count
union all select 'Delivered', -counted.count where counted.outcome <> 'Made'`,
};

const STEP_SQL: Readonly<Record<StatisticsStep, string>> = { Hour: "hour", Day: "day" };

const read = (kind: StatisticsKind, step: StatisticsStep) => `
with waits as materialized (
  ${WAITING[kind]}
), each as (
  select counted.hour as at, told.outcome, counted.carrier, told.count
    from statistics_counts as counted cross join lateral (${COUNTED[kind]}) as told (outcome, count)
   where account_sid = $1 and kind = '${kind}' and hour >= $2 and hour < $3
  union all
  select created_at, outcome, carrier, count from waits
)
select date_trunc('${STEP_SQL[step]}', at, 'UTC') as "from", outcome, nullif(carrier, '') as carrier, sum(count)::float8 as count
  from each group by 1, 2, each.carrier having sum(count) > 0 order by 1, 2, each.carrier limit ${COUNTS_MAX + 1}`;

const COUNTED_UNTIL = `
select counted_until as "countedUntil" from statistics_progress where counted_until > '-infinity'`;

export function statisticsStore(db: Queryable): StatisticsStore {
  return {
    async of(accountSid: string, { kind, from, to, step }: StatisticsQuestion): Promise<Statistics> {
      // The time comes first: the counts are of then or later.
      const [progress] = await db.query<{ countedUntil: Date }>(COUNTED_UNTIL);
      const counts = await db.query<Statistics["counts"][number]>(read(kind, step), [accountSid, from, to]);
      return { countedUntil: progress?.countedUntil ?? null, counts };
    },
  };
}
