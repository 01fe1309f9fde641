// The account's deliveries with their attempts, and their replay. A delivery is a place in a batch.

import type { Page, PageRequest } from "../../../base/page.ts";
import type { EventType, PayloadShape, StoredEvent } from "../../../domain/events.ts";
import type {
  Attempt,
  Delivery,
  DeliveryFilters,
  DeliveryStatus,
  DeliveryStore,
  ReplayOrder,
} from "../../../domain/webhooks/index.ts";
import { EVENTS_STORED } from "../engine/channels.ts";
import type { Queryable } from "../engine/database.ts";
import { type Conditions, conditionsOf, fetchPage, type ListQuery, type Piece } from "../engine/pages.ts";
import { first } from "../engine/statements.ts";
import type { AttemptDetail } from "./attempt-batch.ts";
import { type PlacedDelivery, placedOf, sidOf } from "./batch-sids.ts";
import { piecesOfType, sidsBetween } from "./deliveries-of-type.ts";
import { piecesOfSids, waitingSids } from "./deliveries-waiting.ts";
import { BATCH_MAX, eventAt, eventsOf, FIELDS_COLUMNS, type FieldsRow, fieldsTextOf } from "./event-batches.ts";
import { leaveQueue } from "./settle-deliveries.ts";

interface AttemptRow {
  readonly atMs: number;
  readonly ms: number;
  readonly status: number | null;
  /** Null when the delivery was canceled without an attempt. */
  readonly text: string | null;
}

interface Row extends Pick<PlacedDelivery, "batchSid" | "place"> {
  readonly subscriptionSid: string;
  readonly type: EventType;
  readonly resourceSid: string;
  readonly sequence: number;
  readonly status: DeliveryStatus;
  readonly nextAttemptOn: Date | null;
  readonly createdOn: Date;
  readonly payloadShape: PayloadShape | null;
  /** The shape in which it is sent next. */
  readonly queuedShape: PayloadShape | null;
  readonly tried: readonly AttemptRow[] | null;
}

const BATCHES = "deliveries as batch";
const PLACED = `cross join lateral unnest(batch.places) as place
  cross join lateral ${eventAt("batch.event_id + place", "batch.created_at")} as event`;
const PLACES = `${BATCHES} ${PLACED}`;

/** SQL: the row of the queue that has the delivery. */
const QUEUED = `left join lateral (
    select due_at, payload_shape, claimed_by from delivery_queue as queue
     where queue.delivery_sid = batch.sid and place = any (queue.places) limit 1) as queued on true`;

// Rows are only ever added, so rows of the same time are stored in the order in which they were made.
const TRIED = `(
  select json_agg(json_build_object('atMs', date_part('epoch', at) * 1000 + began_ms[n], 'ms', took_ms[n], 'status', statuses[n], 'text', texts[details[n] + 1])
                  order by at + began_ms[n] * interval '1 ms', attempts.ctid, n)
    from attempts cross join lateral generate_subscripts(attempts.places, 1) as n
   where attempts.delivery_sid = batch.sid and attempts.at > batch.created_at - interval '1 minute' and attempts.places[n] = place)`;

const STATUS = `case when queued.due_at is not null then 'Pending' when place = any (batch.failed) then 'Failed'
       when place = any (batch.canceled) then 'Canceled' else 'Delivered' end`;

// Attempts are read in the same statement, so that a delivery shows the state of one moment.
const SHOWN = {
  columns: `batch.sid as "batchSid", place, batch.subscription_sid as "subscriptionSid", event.type, event.resource_sid as "resourceSid",
       event.sequence, ${STATUS} as status, queued.due_at as "nextAttemptOn", batch.created_at as "createdOn",
       batch.payload_shape as "payloadShape", queued.payload_shape as "queuedShape", ${TRIED} as tried`,
  from: BATCHES,
  joined: { tables: `${PLACED} ${QUEUED}`, placesMax: BATCH_MAX - 1 },
};
const EACH_SHOWN = `${PLACES} ${QUEUED}`;

const KEY = ["batch.sid", "place smallint"] as const;

// The same conditions on what has an index: most deliveries are none of these, and their events are not read.
const UNDELIVERED = "(batch.failed is not null or batch.canceled is not null)";
const IS_QUEUED = "exists (select from delivery_queue as queue where queue.delivery_sid = batch.sid)";

const STATUS_TESTS: Readonly<Record<DeliveryStatus, readonly string[]>> = {
  Pending: [IS_QUEUED, "queued.due_at is not null"],
  Failed: [UNDELIVERED, "place = any (batch.failed)"],
  Canceled: [UNDELIVERED, "place = any (batch.canceled)"],
  Delivered: [`${STATUS} = 'Delivered'`],
};

const IS_SUBSCRIBED = "exists (select from webhook_subscriptions as known where known.sid = batch.subscription_sid)";

// The callback URL that was given with a message, a call or a recording; it is not the subscription's own.
const CALLBACK_URL = `(select url from (
    select account_sid, sid, callback_url as url from outbound_messages
    union all select account_sid, sid, callback ->> 'url' from calls
    union all select account_sid, sid, callback ->> 'url' from call_recordings) as made
    where made.account_sid = meant.account_sid and made.sid = meant.resource_sid
      and meant.subscription_sid = 'WS' || substr(meant.account_sid, 3))`;

const OF_RESOURCE = `
select array_agg(distinct batch.sid) as sids
  from ${eventsOf("$1", "$2")} as event cross join lateral (
    select sid, places, event_id from deliveries
     where event_id between event.id - ${BATCH_MAX - 1} and event.id and account_sid = event.account_sid offset 0) as batch
 where event.id - batch.event_id = any (batch.places)`;

export function deliveryStore(db: Queryable): DeliveryStore {
  return {
    async find(accountSid, sid) {
      const placed = placedOf(sid);
      if (!placed) return undefined;
      const rows = await db.query<Row>(
        `select ${SHOWN.columns} from ${EACH_SHOWN} where batch.account_sid = $1 and batch.sid = $2 and place = $3`,
        [accountSid, placed.batchSid, placed.place],
      );
      return rows.map(toDelivery)[0];
    },
    async eventOf(accountSid, sid) {
      const placed = placedOf(sid);
      if (!placed) return undefined;
      const row = await first<Omit<StoredEvent, "fields" | "fieldsText"> & FieldsRow>(
        db,
        `select event.account_sid as "accountSid", event.type, event.resource_sid as "resourceSid",
                event.sequence, event.created_at as "createdOn", ${FIELDS_COLUMNS}
           from ${PLACES} where batch.account_sid = $1 and batch.sid = $2 and place = $3`,
        [accountSid, placed.batchSid, placed.place],
      );
      if (!row) return undefined;
      const { firstSid, firstFields, line, ...event } = row;
      const fieldsText = fieldsTextOf({ firstSid, firstFields, line });
      return { ...event, fields: JSON.parse(fieldsText), fieldsText };
    },
    async list(accountSid, page, filters) {
      return listPage(db, page, await narrowedList(db, accountSid, filters, page));
    },
    async replay(accountSid, order) {
      const { where, pieces } = await narrowing(db, accountSid, order.filters, { direction: "Ascending" });
      let count = 0;
      for await (const piece of pieces ?? [{ where: {} }]) {
        if ("end" in piece) break;
        count += await replay(db, [where, piece.where], { ...order, limit: order.limit - count });
        if (count >= order.limit) break;
      }
      return count;
    },
  };
}

interface Narrowing {
  readonly where: Conditions;
  readonly pieces?: AsyncIterable<Piece>;
}

type NarrowedList = Pick<ListQuery, "sources" | "where" | "filter" | "pieces">;

/** Deliveries of a resource or a type are found by its events, those that wait by the queue. */
async function narrowedList(
  db: Queryable,
  accountSid: string,
  filters: DeliveryFilters,
  page: PageRequest,
): Promise<NarrowedList> {
  const { type, status, subscriptionSid, resourceSid, from, to } = filters;
  const [indexed, ...tests] = status ? STATUS_TESTS[status] : [];
  const own = { "batch.account_sid": accountSid };
  const bySubscription = subscriptionSid === undefined ? own : { "batch.subscription_sid": subscriptionSid };
  const source = indexed === UNDELIVERED ? { ...own, [UNDELIVERED]: true } : bySubscription;
  const list = {
    sources: [{ where: source }],
    where: { ...sidsBetween(from, to), "batch.created_at >=": from, "batch.created_at <": to },
    filter: {
      ...own,
      "event.type": type,
      "batch.subscription_sid": subscriptionSid,
      "event.resource_sid": resourceSid,
      ...Object.fromEntries((indexed === undefined ? [] : [indexed, ...tests]).map((test) => [test, true])),
    },
  };
  const byPieces = { ...list, sources: [{ few: {}, isFew: true }] };
  if (resourceSid !== undefined) {
    const [found] = await db.query<{ sids: readonly string[] | null }>(OF_RESOURCE, [accountSid, resourceSid]);
    return { ...list, sources: [{ where: own, few: { "batch.sid": found?.sids ?? [] } }] };
  }
  const waiting = status === "Pending" ? await waitingSids(db, accountSid, subscriptionSid, page) : undefined;
  if (waiting) return { ...byPieces, pieces: piecesOfSids(waiting, page) };
  if (type === undefined) return list;
  const order = { accountSid, type, source, filter: { "batch.subscription_sid": subscriptionSid }, from, to };
  return { ...byPieces, pieces: piecesOfType(db, order, page) };
}

/** For a replay, which is of all of them. */
async function narrowing(
  db: Queryable,
  accountSid: string,
  filters: DeliveryFilters,
  page: Pick<PageRequest, "after" | "direction">,
): Promise<Narrowing> {
  const { type, status, subscriptionSid, resourceSid, from, to } = filters;
  const tests = status ? STATUS_TESTS[status] : [];
  const where = {
    "batch.account_sid": accountSid,
    "event.type": type,
    "batch.subscription_sid": subscriptionSid,
    "event.resource_sid": resourceSid,
    "batch.created_at >=": from,
    "batch.created_at <": to,
    ...Object.fromEntries(tests.map((test) => [test, true])),
  };
  if (resourceSid !== undefined) {
    const [found] = await db.query<{ sids: readonly string[] | null }>(OF_RESOURCE, [accountSid, resourceSid]);
    return { where: { ...where, "batch.sid": found?.sids ?? [] } };
  }
  if (type === undefined) return { where };
  const ofBatches = tests.filter((test) => test === UNDELIVERED || test === IS_QUEUED).map((test) => [test, true]);
  const batches = { "batch.subscription_sid": subscriptionSid, ...Object.fromEntries(ofBatches) };
  const source = { "batch.account_sid": accountSid };
  return { where, pieces: piecesOfType(db, { accountSid, type, source, filter: batches, from, to }, page, "all") };
}

async function replay(db: Queryable, where: readonly Conditions[], order: ReplayOrder): Promise<number> {
  const values: unknown[] = [];
  const conditions = where.flatMap((each) => conditionsOf(each, values));
  if (order.sids) {
    const placed = order.sids.flatMap((sid) => placedOf(sid) ?? []);
    const batches = values.push(placed.map(({ batchSid }) => batchSid));
    const places = values.push(placed.map(({ place }) => place));
    conditions.push(
      `batch.sid = any ($${batches}) and (batch.sid, place) in (select * from unnest($${batches}::text[], $${places}::smallint[]))`,
    );
  }
  const limit = values.push(order.limit);
  const now = values.push(order.now);
  const url = values.push(order.url);
  const shape = values.push(order.payloadShape ?? null);
  if (order.url === null) conditions.push(IS_SUBSCRIBED);
  // A delivery that is named by its sid is replayed even while it is under way; a replay of many leaves those out.
  if (!order.sids) conditions.push("queued.claimed_by is null");
  const [row] = await db.query<{ count: number }>(
    `with meant as materialized (
       select batch.sid, place, batch.account_sid, batch.created_at, batch.subscription_sid, batch.event_id, batch.payload_shape, event.resource_sid,
              case when ${IS_SUBSCRIBED} then batch.subscription_sid else 'WS' || substr(batch.account_sid, 3) end as endpoint
         from ${EACH_SHOWN} where ${conditions.join(" and ")} order by batch.sid, place limit $${limit}
     ), touched as materialized (
       select * from delivery_queue where delivery_sid in (select sid from meant) order by id for update
     ), replayed as materialized (
       select *, coalesce($${url}, ${CALLBACK_URL}) as url from meant
        where not exists (select from touched where delivery_sid = meant.sid and meant.place = any (places) and claimed_by is not null and ${order.sids ? "false" : "true"})
     ), leaving as materialized (
       select touched.id, array_agg(replayed.place) as places
         from touched join replayed on replayed.sid = touched.delivery_sid and replayed.place = any (touched.places) group by touched.id
     ), ${leaveQueue("(select * from touched where id in (select id from leaving))", "leaving")}, queued as (
       insert into delivery_queue (is_ready, due_at, forced, event_id, created_at, delivery_sid, subscription_sid, payload_shape, places, urls)
       select true, $${now}, true, event_id, created_at, sid, endpoint, coalesce($${shape}, payload_shape), array_agg(place order by place),
              case when count(url) > 0 then array_agg(url order by place) end
         from replayed group by sid, created_at, endpoint, event_id, payload_shape, url is null order by event_id
     ), told as (
       select pg_notify('${EVENTS_STORED}', '') from replayed limit 1
     ), undone as (
       update deliveries as batch set failed = ${without("batch.failed")}, canceled = ${without("batch.canceled")}
         from (select sid, created_at, array_agg(place) as places from replayed group by sid, created_at) as again
        where batch.sid = again.sid and batch.created_at = again.created_at and ${UNDELIVERED}
     )
     select count(*)::int as count from replayed, (select count(*) from told) as notified`,
    values,
  );
  return row?.count ?? 0;
}

/** SQL: the list without the places that are replayed; null when none is left. */
function without(list: string): string {
  return `(select array_agg(place) from unnest(${list}) as place where place <> all (again.places))`;
}

/** A page's position is the sid of a delivery. */
async function listPage(
  db: Queryable,
  { after, ...page }: PageRequest,
  narrowed: NarrowedList,
): Promise<Page<Delivery>> {
  const placed = after === undefined ? undefined : placedOf(after);
  if (after !== undefined && !placed) return { items: [] };
  const found = await fetchPage<Row>(
    db,
    { ...page, ...(placed && { after: `${placed.batchSid}-${placed.place}` }) },
    { of: SHOWN, ...narrowed, key: KEY },
  );
  return {
    items: found.items.map(toDelivery),
    ...(found.first !== undefined && { first: sidOfKey(found.first) }),
    ...(found.next !== undefined && { next: sidOfKey(found.next) }),
  };
}

function sidOfKey(key: string): string {
  const [batchSid = "", place] = key.split("-");
  return sidOf({ batchSid, place: Number(place) });
}

function toDelivery({ batchSid, place, tried, queuedShape, ...row }: Row): Delivery {
  const ended = tried?.at(-1);
  const details = (tried ?? []).flatMap((attempt) => (attempt.text === null ? [] : [detailOf(attempt, attempt.text)]));
  return {
    sid: sidOf({ batchSid, place }),
    ...row,
    payloadShape: row.nextAttemptOn ? queuedShape : (details.at(-1)?.shape ?? row.payloadShape),
    attemptCount: details.length,
    finishedOn: row.nextAttemptOn || !ended ? null : new Date(ended.atMs + ended.ms),
    attempts: details.map(({ attempt }) => attempt),
  };
}

function detailOf(
  { atMs, ms, status }: AttemptRow,
  text: string,
): { readonly attempt: Attempt; readonly shape: PayloadShape | undefined } {
  const { url, failure = null, answer = null, exchange, shape } = JSON.parse(text) as AttemptDetail;
  return { attempt: { at: new Date(atMs), url, status, failure, ms, answer, exchange: exchange ?? undefined }, shape };
}
