// Fills a store with messages of the last weeks, each with an event, its delivery and one attempt: many rows per
// statement, into the product's own tables, with all of their indexes and weekly partitions.

import type { Database } from "../../src/adapters/store/engine/database.ts";
import { makeNamedPartitions, RECORD_TABLES } from "../../src/adapters/store/engine/partitions.ts";
import { TEXT } from "../messages/send.ts";

export interface FillOrder {
  readonly rows: number;
  readonly accountSid: string;
  readonly subscriptionSid: string;
  readonly from: Date;
  readonly to: Date;
}

const ROWS_AT_ONCE = 50_000;
const SHOWN_EVERY_MS = 15_000;
const WEEK_MS = 7 * 24 * 3_600_000;
/** The oldest week of the rows, counted back from the current one: older weeks are not kept by default. */
export const WEEKS_BACK = 4;

/** Deliveries are stored by batches of this many. */
const BATCH = 64;

// Sids sort by time, like those of the product. One in a hundred messages has failed.
const ROWS = `
select n, at, $3::timestamptz + (n - n % ${BATCH}) * $4::double precision * interval '1 millisecond' + interval '1 second' as later, '+1415474' || lpad((n % 10000)::text, 4, '0') as recipient,
       case when n % 100 = 0 then 'Failed' else 'Delivered' end as status,
       'OM' || stamp || '7' || substr(md5(n::text), 1, 19) as sid, 'WH' || stamp || '7' || substr(md5('d' || n), 1, 19) as delivery_sid
  from generate_series($1::bigint, $2::bigint) as n
 cross join lateral (select $3::timestamptz + (n - 1) * $4::double precision * interval '1 millisecond' as at) as moment
 cross join lateral (select lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as stamp) as stamped`;

const MESSAGES = `
insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, carrier, priority, error_code,
       link, carrier_ids, parts_delivered, events_told, created_at, expires_at, sent_at, delivered_at)
select $5::text, sid, '+14155550150', recipient, $6::text, status, 1, 'GSM7', 'T-Mobile USA', 2, case status when 'Failed' then 3004 else 0 end,
       'bench', array['carrier-' || n], 1, 2, at, at + interval '1 day', at, later from (${ROWS}) as filled`;

const EVENTS = `
insert into events (id, account_sid, type, resource_sid, sequence, fields, created_at) overriding system value
select $6::bigint + n, $5::text, 'OutboundMessageStatusChanged', sid, 2,
       ('{"Sid":"' || sid || '","From":"+14155550150","To":"' || recipient || '","Status":"' || status || '","PreviousStatus":"Sent","ErrorCode":0,'
        || '"ErrorDescription":null,"SegmentCount":1,"Carrier":"T-Mobile USA"}')::json, later from (${ROWS}) as filled`;

const BATCHES = `(select min(delivery_sid) as sid, min(n) as first, max(later) as at, array_agg((n % ${BATCH})::smallint order by n) as places
  from (${ROWS}) as filled group by n / ${BATCH})`;

const DELIVERIES = `
insert into deliveries (sid, account_sid, subscription_sid, event_id, created_at, places)
select left(sid, -2) || '00', $5::text, $7::text, $6::bigint + first - first % ${BATCH}, at, places from ${BATCHES} as batches`;

const ATTEMPTS = `
insert into attempts (delivery_sid, at, places, began_ms, took_ms, statuses, details, texts)
select left(sid, -2) || '00', at, places, array_fill(0, array[cardinality(places)]), array_fill(3, array[cardinality(places)]),
       array_fill(200::smallint, array[cardinality(places)]), array_fill(0::smallint, array[cardinality(places)]),
       array['{"url":"http://127.0.0.1:8080/hook","answer":"ok"}'] from ${BATCHES} as batches`;

/** Two tables at a time: their work is about the same. */
export async function fill(db: Database, order: FillOrder): Promise<void> {
  const [row] = await db.query<{ before: string }>(
    "select setval('events_id_seq', nextval('events_id_seq') + $1::bigint) - $1::bigint as before",
    [order.rows],
  );
  const firstEvent = row?.before ?? "0";
  const { accountSid, subscriptionSid } = order;
  const advance = progressOf(order.rows * 4);
  await Promise.all([
    (async () => {
      await insertAll(db, order, MESSAGES, [accountSid, TEXT], advance);
      await insertAll(db, order, ATTEMPTS, [], advance);
    })(),
    (async () => {
      await insertAll(db, order, EVENTS, [accountSid, firstEvent], advance);
      await insertAll(db, order, DELIVERIES, [accountSid, firstEvent, subscriptionSid], advance);
    })(),
  ]);
  console.log("vacuuming, as PostgreSQL does by itself in time");
  for (const table of ["outbound_messages", ...RECORD_TABLES]) await db.query(`vacuum analyze ${table}`);
}

/**
 * Makes the partitions of the weeks since `oldest`, a Monday, as on a server that ran all the time. The server itself
 * has already made those of last week and of the weeks to come.
 */
export async function makePartitions(db: Database, oldest: Date): Promise<void> {
  const mondays = Array.from({ length: WEEKS_BACK - 1 }, (_, at) => new Date(oldest.getTime() + at * WEEK_MS));
  await db.transaction(async (unit) => {
    for (const table of RECORD_TABLES) {
      const names = mondays.map((monday) => `${table}_${monday.toISOString().slice(0, 10).replaceAll("-", "")}`);
      await makeNamedPartitions(unit, table, names);
    }
  });
}

async function insertAll(
  db: Database,
  { rows, from, to }: FillOrder,
  statement: string,
  values: readonly unknown[],
  advance: (rows: number) => void,
): Promise<void> {
  const stepMs = (to.getTime() - from.getTime()) / rows;
  for (let first = 1; first <= rows; first += ROWS_AT_ONCE) {
    const last = Math.min(rows, first + ROWS_AT_ONCE - 1);
    await db.query(statement, [first, last, from, stepMs, ...values]);
    advance(last - first + 1);
  }
}

/** Prints now and then how much is stored and how long the rest will take. */
function progressOf(all: number): (rows: number) => void {
  const startMs = performance.now();
  let [stored, saidMs] = [0, startMs];
  return (rows) => {
    stored += rows;
    const nowMs = performance.now();
    if (nowMs - saidMs < SHOWN_EVERY_MS && stored < all) return;
    saidMs = nowMs;
    const seconds = (nowMs - startMs) / 1000;
    const left = Math.round((seconds / stored) * (all - stored));
    console.log(`${stored} of ${all} rows in ${Math.round(seconds)} s, ${left} s to go`);
  };
}
