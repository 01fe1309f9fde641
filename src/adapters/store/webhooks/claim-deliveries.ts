// Claims ready deliveries of endpoints that have free capacity, row by row, in the order in which they were stored. A
// claim touches no index. A row that has more than the limit allows is divided: the rest gets an id between it and the
// next. Only the worker that holds the slots of the endpoints claims: the claim locks them, so that none changes hands
// meanwhile.

import type { EventType, PayloadShape } from "../../../domain/events.ts";
import { type EndpointLimit, slotOf, type TriedBefore } from "../../../domain/webhooks/index.ts";
import { plainArray } from "../engine/array-text.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { named } from "../engine/named-statements.ts";
import { sidOf } from "./batch-sids.ts";
import { eventAt, IN_ROW_MAX, readRows, rowText } from "./event-batches.ts";
import { type EndpointRow, selectEndpoints } from "./subscriptions.ts";

/** The columns of the queue besides the claim, that every row of a batch shares. */
export const SHARED = "forced, event_id, created_at, delivery_sid, subscription_sid, payload_shape";

// `= any (array[…])` instead of `=`: see settle-deliveries.ts.
const CLAIM = named(
  "claim-deliveries",
  `
with endpoint as (
  select * from unnest($1::text[], $2::int[], $3::smallint[]) as endpoint (sid, count_max, slot)
), held as materialized (
  select slot from webhook_slots where slot = any ($3) and worker = $4 for share
), picked as materialized (
  select taken.id, least(taken.count, endpoint.count_max - taken.before) as take
    from endpoint cross join lateral (
      select id, cardinality(places) as count, sum(cardinality(places)) over (order by id) - cardinality(places) as before
        from (select id, places from delivery_queue
               where subscription_sid = endpoint.sid and is_ready and claimed_by is null
               order by id limit endpoint.count_max) as oldest
    ) as taken
   where taken.before < endpoint.count_max and endpoint.slot in (select slot from held)
), locked as materialized (
  select picked.take, queue.* from picked cross join lateral (
    select * from delivery_queue where id = picked.id and claimed_by is null for update offset 0) as queue
), rest as (
  insert into delivery_queue (id, attempt, is_ready, due_at, first_tried_at, ${SHARED}, places, urls) overriding system value
  select id + take, attempt, true, due_at, first_tried_at, ${SHARED}, places[take + 1:], urls[take + 1:]
    from locked where take < cardinality(places)
), claimed as (
  update delivery_queue as queue set claimed_by = $4, attempt = queue.attempt + 1, places = locked.places[:take], urls = locked.urls[:take]
    from locked where queue.id = any (array[locked.id])
  returning queue.*
)
select concat_ws(',', claimed.id, subscription_sid, delivery_sid, attempt, forced, coalesce(payload_shape, ''),
                 ${msOf("claimed.created_at")}, ${msOf("first_tried_at")}) as plain,
       array_to_string(places, ',') as places, array_to_string(urls, E'\\n') as urls, told.events
  from claimed
 cross join lateral (select min(place) as first, max(place) as last from unnest(places) as place) as place
 cross join lateral (
    select ${rowText("claimed.event_id")} as events from events
     where id between claimed.event_id + place.first - ${IN_ROW_MAX} and claimed.event_id + place.last and id >= claimed.event_id
       and created_at = claimed.created_at and (batch is not null or id - claimed.event_id = any (claimed.places)) offset 0) as told`,
);

/** A time in ms, which both sides convert many times faster than a date. */
function msOf(time: string): string {
  return `(date_part('epoch', ${time}) * 1000)::bigint`;
}

/** Columns that need no quotes are one text: the driver has less to parse. JSON would take PostgreSQL twice as long. */
interface AnsweredRow {
  readonly plain: string;
  readonly places: string;
  /** Null: the subscription's own. */
  readonly urls: string | null;
  /** Null when they have been deleted. */
  readonly events: string | null;
}

export interface ClaimedRow {
  readonly entry: number;
  readonly place: number;
  readonly subscriptionSid: string;
  readonly sid: string;
  readonly sequence: number;
  readonly attempt: number;
  readonly isForced: boolean;
  /** Empty when the event has been deleted; then its fields are null. */
  readonly type: EventType | "";
  /** Empty: the subscription's own shape. */
  readonly payloadShape: PayloadShape | "";
  readonly createdMs: number;
  readonly firstTriedMs: number | undefined;
  readonly resourceSid: string;
  readonly url: string | null;
  readonly fields: string | null;
}

/** Each is written out: spreading what they share takes ten times as long. */
function toClaimedRows({ plain, ...row }: AnsweredRow): readonly ClaimedRow[] {
  const [entry, subscriptionSid = "", batchSid = "", attempt, forced, payloadShape, createdMs, triedMs] =
    plain.split(",");
  const places = row.places.split(",").map(Number);
  const urls = row.urls?.split("\n");
  const events = row.events === null ? undefined : readRows(row.events, new Set(places));
  return places.map((place, at) => {
    const event = events?.get(place);
    return {
      entry: Number(entry),
      place,
      subscriptionSid,
      sid: sidOf({ batchSid, place }),
      sequence: event?.sequence ?? 0,
      attempt: Number(attempt),
      isForced: forced === "t",
      type: event?.type ?? "",
      payloadShape: payloadShape as PayloadShape | "",
      createdMs: Number(createdMs),
      firstTriedMs: triedMs === undefined ? undefined : Number(triedMs),
      resourceSid: event?.resourceSid ?? "",
      url: urls?.[at] ?? null,
      fields: event?.fields ?? null,
    };
  });
}

/** In the order in which they were stored. */
export async function claimRows(
  db: Queryable,
  endpoints: readonly EndpointLimit[],
  workerId: number,
): Promise<ClaimedRow[]> {
  if (endpoints.length === 0) return [];
  const sids = endpoints.map((endpoint) => endpoint.subscriptionSid);
  const rows = await db.query<AnsweredRow>(CLAIM, [
    plainArray(sids),
    plainArray(endpoints.map((endpoint) => endpoint.countMax)),
    plainArray(sids.map(slotOf)),
    workerId,
  ]);
  return rows.flatMap(toClaimedRows).sort((one, other) => one.entry - other.entry || one.place - other.place);
}

/** What an endpoint's deliveries have in common; there is no row for a subscription that was removed. */
export function readEndpoints(db: Database, endpoints: readonly EndpointLimit[], now: Date): Promise<EndpointRow[]> {
  return db.query<EndpointRow>(READ_ENDPOINTS, [
    plainArray(endpoints.map((endpoint) => endpoint.subscriptionSid)),
    now,
  ]);
}

const READ_ENDPOINTS = named("read-endpoints", `${selectEndpoints("$2")} where sid = any($1::text[])`);

const MAKE_READY = named(
  "make-deliveries-ready",
  `
update delivery_queue set is_ready = true where id = any (array(
  select id from delivery_queue where not is_ready and due_at <= $1 order by due_at limit $2 for update skip locked))`,
);
const READY_AT_ONCE = 10_000;

/** SQL: the first endpoint after another one that has something due. Claims are few, and are read past. */
const dueAfter = (sid: string) =>
  `select subscription_sid from delivery_queue
      where is_ready and claimed_by is null and subscription_sid > ${sid} order by subscription_sid limit 1`;

const READY_ENDPOINTS = named(
  "ready-endpoints",
  `
with recursive endpoint as (
  select (${dueAfter("$1::text")}) as sid, 1 as number
  union all
  select (${dueAfter("endpoint.sid")}), number + 1 from endpoint where endpoint.sid is not null and number < $2::int
)
select sid from endpoint where sid is not null`,
);

/** Endpoints with due deliveries that follow `after`. The cost grows with their number, not that of deliveries. */
export async function readDueEndpoints(db: Database, after: string, limit: number): Promise<readonly string[]> {
  const rows = await db.query<{ sid: string }>(READY_ENDPOINTS, [after, limit]);
  return rows.map((row) => row.sid);
}

/** Marks what has come due meanwhile. */
export async function makeReady(db: Database, now: Date): Promise<void> {
  await db.query(MAKE_READY, [now, READY_AT_ONCE]);
}

const RECENTLY_TRIED = `
select subscription_sid as "subscriptionSid", event.resource_sid as "resourceSid", event.sequence, first_tried_at as "triedOn"
  from delivery_queue as queue cross join lateral unnest(places) as place
 cross join lateral ${eventAt("queue.event_id + place", "queue.created_at")} as event
 where first_tried_at > $1 order by first_tried_at`;

/** Deliveries that were first tried since then and are tried again. */
export function readRecentlyTried(db: Database, since: Date): Promise<readonly TriedBefore[]> {
  return db.query<TriedBefore>(RECENTLY_TRIED, [since]);
}
