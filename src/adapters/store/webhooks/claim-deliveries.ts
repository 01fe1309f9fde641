// Claims due deliveries of endpoints that have free capacity. A claim is a lease (`leased_until`), and touches no
// index: it is the first of the two writes that a delivery costs.
//
// Within an endpoint the events of one resource are delivered in order: a delivery that is due while the one before it
// is queued is `blocked`. It is released when that one is settled (settle-deliveries.ts), or a minute after the first
// attempt at that one (`first_tried_at`). While that one has not been tried, it is always waited for.

import type { EventType, PayloadShape } from "../../../domain/events.ts";
import type { EndpointLimit } from "../../../domain/webhooks/index.ts";
import { plainArray } from "../engine/array-text.ts";
import type { Database } from "../engine/database.ts";
import { named } from "../engine/named-statements.ts";
import { type EndpointRow, selectEndpoints } from "./subscriptions.ts";

const ORDER_WAIT = "interval '60 seconds'";
// A blocked delivery is released by the one before it. It is also checked again later: a process may die in between.
const BLOCKED_RECHECK = "interval '30 seconds'";

/**
 * SQL: until when the delivery `queued` waits, or is checked again; null if it need not wait. Only the one before it is
 * read: that was tried only when those before it were done or had been waited for. The search is ordered, so that it
 * uses the index of resources: planned for an empty queue, it would read all deliveries of the endpoint.
 */
export const heldUntil = (queued: string, now: string) => `(
  select case when earlier.first_tried_at is null or earlier.first_tried_at > ${now} - ${ORDER_WAIT}
              then least(earlier.first_tried_at + ${ORDER_WAIT}, ${now} + ${BLOCKED_RECHECK}) end
    from delivery_queue as earlier
   where earlier.subscription_sid = ${queued}.subscription_sid and earlier.resource_sid = ${queued}.resource_sid
     and earlier.sequence < ${queued}.sequence
   order by earlier.resource_sid desc, earlier.sequence desc limit 1)`;

// Materialized, or the search for an earlier event would run once for every column that depends on it.
// `= any (array[…])` instead of `=`: see settle-deliveries.ts.
const CLAIM = named(
  "claim-deliveries",
  `
with endpoint as (
  select * from unnest($1::text[], $2::int[]) with ordinality as endpoint (sid, count_max, number)
), picked as materialized (
  select endpoint.number as endpoint, taken.* from endpoint cross join lateral (
    select ctid as place, subscription_sid, resource_sid, sequence from delivery_queue
     where subscription_sid = endpoint.sid and due_at <= $3 and (leased_until is null or leased_until <= $3)
     order by due_at, sequence limit endpoint.count_max for update skip locked
  ) as taken
), judged as materialized (
  select endpoint, place, case when sequence > 1 then ${heldUntil("picked", "$3")} end as held_until from picked
), claimed as (
  update delivery_queue as queue
     set due_at = coalesce(held_until, due_at),
         leased_until = case when held_until is null then $4::timestamptz end,
         attempt = attempt + (held_until is null)::int,
         claimed_by = case when held_until is null then $5::int end,
         blocked = held_until is not null
    from judged where queue.ctid = judged.place
  returning judged.endpoint, queue.*
)
select concat_ws(',', endpoint, delivery_sid, claimed.sequence, attempt, forced, blocked, coalesce(event.type, ''), coalesce(payload_shape, ''),
                 ${msOf("claimed.created_at")}, ${msOf("nullif(queued_at, claimed.created_at)")}) as plain,
       claimed.resource_sid as "resourceSid", url, event.fields::text as fields
  from claimed
  left join events as event on event.id = any (array[claimed.event_id]) and event.created_at = claimed.created_at`,
);

/** A time in ms, which both sides convert many times faster than a date. */
function msOf(time: string): string {
  return `(date_part('epoch', ${time}) * 1000)::bigint`;
}

/** Columns that need no quotes are one text: the driver has less to parse. JSON would take PostgreSQL twice as long. */
interface AnsweredRow {
  readonly plain: string;
  readonly resourceSid: string;
  readonly url: string | null;
  readonly fields: string | null;
}

export interface ClaimedRow extends Omit<AnsweredRow, "plain"> {
  /** The position of the endpoint in the request, from 1. */
  readonly endpoint: number;
  readonly sid: string;
  readonly sequence: number;
  readonly attempt: number;
  readonly isForced: boolean;
  readonly isBlocked: boolean;
  /** Empty when the event has been deleted; then its fields are null. */
  readonly type: EventType | "";
  /** Empty: the subscription's own shape. */
  readonly payloadShape: PayloadShape | "";
  readonly createdMs: number;
  /** Undefined when it equals the time of the event. */
  readonly queuedMs: number | undefined;
}

function toClaimedRow({ plain, resourceSid, url, fields }: AnsweredRow): ClaimedRow {
  const [endpoint, sid, sequence, attempt, forced, blocked, type, payloadShape, createdMs, queuedMs] = plain.split(",");
  return {
    endpoint: Number(endpoint),
    sid: sid as string,
    sequence: Number(sequence),
    attempt: Number(attempt),
    isForced: forced === "t",
    isBlocked: blocked === "t",
    type: type as EventType | "",
    payloadShape: payloadShape as PayloadShape | "",
    createdMs: Number(createdMs),
    queuedMs: queuedMs === undefined ? undefined : Number(queuedMs),
    resourceSid,
    url,
    fields,
  };
}

export interface ClaimOrder {
  readonly endpoints: readonly EndpointLimit[];
  readonly now: Date;
  readonly leaseEnd: Date;
  readonly workerId: number;
}

export async function claimRows(
  db: Database,
  { endpoints, now, leaseEnd, workerId }: ClaimOrder,
): Promise<ClaimedRow[]> {
  const rows = await db.query<AnsweredRow>(CLAIM, [
    plainArray(endpoints.map((endpoint) => endpoint.subscriptionSid)),
    plainArray(endpoints.map((endpoint) => endpoint.countMax)),
    now,
    leaseEnd,
    workerId,
  ]);
  return rows.map(toClaimedRow);
}

/** What an endpoint's deliveries have in common; there is no row for a subscription that was removed. */
export function readEndpoints(db: Database, endpoints: readonly EndpointLimit[], now: Date): Promise<EndpointRow[]> {
  return db.query<EndpointRow>(READ_ENDPOINTS, [
    plainArray(endpoints.map((endpoint) => endpoint.subscriptionSid)),
    now,
  ]);
}

const READ_ENDPOINTS = named("read-endpoints", `${selectEndpoints("$2")} where sid = any($1::text[])`);

const DUE_ENDPOINTS = named(
  "due-endpoints",
  `
with recursive endpoint as (
  (select subscription_sid as sid from delivery_queue order by subscription_sid limit 1)
  union all
  select (select subscription_sid from delivery_queue where subscription_sid > endpoint.sid order by subscription_sid limit 1)
    from endpoint where endpoint.sid is not null
)
select sid from endpoint
 where (select true from delivery_queue
         where subscription_sid = endpoint.sid and due_at <= $1 and (leased_until is null or leased_until <= $1) limit 1)`,
);

/** Endpoints with due deliveries. The cost grows with the number of endpoints and claims, not of deliveries. */
export async function readDueEndpoints(db: Database, now: Date): Promise<readonly string[]> {
  const rows = await db.query<{ sid: string }>(DUE_ENDPOINTS, [now]);
  return rows.map((row) => row.sid);
}
