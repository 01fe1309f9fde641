// Fills a store with messages of the last weeks, each with two events, a delivery and an attempt, as the product stores
// them under load: 64 messages that are sent by one transaction and delivered by another, in the partitions of their
// weeks, their events, deliveries and attempts by the batch. Only the record of being submitted is left out.

import { type ConnectionSettings, Database } from "../../src/adapters/store/engine/database.ts";
import { layMessageWeeks, MESSAGES } from "../../src/adapters/store/engine/message-weeks.ts";
import { makeNamedPartitions, RECORD_TABLES } from "../../src/adapters/store/engine/partitions.ts";
import { mondayOf, partitionOf, WEEKS_AHEAD } from "../../src/adapters/store/engine/weeks.ts";
import { STATUS_FIELDS, TOLD } from "../../src/adapters/store/messaging/message-changes.ts";
import { insertBatches, STORING_XID } from "../../src/adapters/store/webhooks/event-batches.ts";
import { silent } from "../../test/fakes/silent-log.ts";
import { TEXT } from "../messages/send.ts";

export interface FillOrder {
  readonly rows: number;
  readonly accountSid: string;
  readonly subscriptionSid: string;
  readonly from: Date;
  readonly to: Date;
}

const SHOWN_EVERY_MS = 15_000;
/** The oldest week of the rows, counted back from the current one: older weeks are not kept by default. */
export const WEEKS_BACK = 4;
/** Messages of a transaction, as under load. */
const BATCH = 64;
const CONNECTIONS = 2;
/** Keys are looked up in tables that are empty when the statements are planned. */
const PARAMETERS = {
  synchronous_commit: "off",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};

const [FIRST, LAST, FROM, STEP_MS, ACCOUNT, NOW] = ["$1", "$2", "$3", "$4", "$5::text", "$6::timestamptz"];
const FURTHER = "$7::text";

// Sids sort by time, like those of the product. One in a hundred messages has failed: its event is in a row of its own.
const FILLED = `filled as materialized (
  select n, at, '+1415474' || lpad((n % 10000)::text, 4, '0') as recipient, case when n % 100 = 0 then 'Failed' else 'Delivered' end as status,
         'OM' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 19) as sid
    from generate_series(${FIRST}::bigint, ${LAST}::bigint) as n
   cross join lateral (select ${FROM}::timestamptz + (n - 1) * ${STEP_MS}::double precision * interval '1 millisecond' as at) as moment)`;

/** The events of the messages, by status. */
const events = (sequence: number, status: string, previous: string) => `ids as materialized (
  select status, nextval('events_id_seq') as event_id from (select distinct ${status} as status from filled) as statuses
), given_events as materialized (
  select event_id, (row_number() over (partition by ids.status order by n) - 1)::smallint as place, ${ACCOUNT} as account_sid,
         'OutboundMessageStatusChanged' as type, sid as resource_sid, ${sequence} as sequence, '+14155550150' as from_number, recipient as to_number,
         ids.status, '${previous}' as previous, case ids.status when 'Failed' then 3004 else 0 end as error_code,
         null::text as error_description, 1 as segment_count, 'T-Mobile USA' as carrier
    from filled join ids on ids.status = ${status}
)`;

const SENT = {
  name: "fill-sent",
  text: `
with ${FILLED}, ${events(1, "'Sent'", "Queued")}, accepted as (
  insert into ${MESSAGES} (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, carrier, priority, error_code,
         link, carrier_ids, parts_delivered, events_told, event_xids, created_at, expires_at, sent_at)
  select ${ACCOUNT}, sid, '+14155550150', recipient, ${FURTHER}, 'Sent', 1, 'GSM7', 'T-Mobile USA', 2, 0,
         'bench', array['carrier-' || n], 0, 1, array[${STORING_XID}], at, at + interval '1 day', ${NOW} from filled
)
${insertBatches("given_events", STATUS_FIELDS, NOW)}`,
};

const DELIVERED = {
  name: "fill-delivered",
  text: `
with ${FILLED}, ${events(2, "filled.status", "Sent")}, moved as (
  update ${MESSAGES} as message
     set status = filled.status, error_code = case filled.status when 'Failed' then 3004 else 0 end, parts_delivered = 1, delivered_at = ${NOW}, ${TOLD}
    from filled where message.account_sid = ${ACCOUNT} and message.sid = filled.sid
), stored as (
  ${insertBatches("given_events", STATUS_FIELDS, NOW)}
), recorded as (
  insert into deliveries (sid, account_sid, subscription_sid, event_id, created_at, places)
  select delivery_sid(${NOW}), ${ACCOUNT}, ${FURTHER}, event_id, ${NOW}, array_agg(place order by place) from given_events group by event_id
  returning sid, places
)
insert into attempts (delivery_sid, at, places, began_ms, took_ms, statuses, details, texts)
select sid, ${NOW}, places, array_fill(0, array[cardinality(places)]), array_fill(3, array[cardinality(places)]),
       array_fill(200::smallint, array[cardinality(places)]), array_fill(0::smallint, array[cardinality(places)]),
       array['{"url":"http://127.0.0.1:8080/hook","answer":"ok"}'] from recorded`,
};

export async function fill(settings: ConnectionSettings, order: FillOrder): Promise<void> {
  const db = new Database(settings, silent, { parameters: PARAMETERS, connectionsMax: CONNECTIONS });
  const advance = progressOf(order.rows);
  const batches = batchesOf(order);
  const work = async () => {
    for (const batch of batches) {
      await store(db, order, batch);
      advance(batch.last - batch.first + 1);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  console.log("vacuuming, as PostgreSQL does by itself in time");
  for (const table of [MESSAGES, ...RECORD_TABLES]) await db.query(`vacuum analyze ${table}`);
  await db.close();
}

interface Batch {
  readonly first: number;
  readonly last: number;
  readonly at: Date;
}

function* batchesOf({ rows, from, to }: FillOrder): Generator<Batch> {
  const stepMs = (to.getTime() - from.getTime()) / rows;
  const timeOf = (row: number) => new Date(from.getTime() + (row - 1) * stepMs);
  for (let first = 1; first <= rows; first += BATCH) {
    const last = Math.min(rows, first + BATCH - 1);
    yield { first, last, at: timeOf(last) };
  }
}

async function store(db: Database, order: FillOrder, { first, last, at }: Batch): Promise<void> {
  const stepMs = (order.to.getTime() - order.from.getTime()) / order.rows;
  const values = [first, last, order.from, stepMs, order.accountSid];
  const later = (ms: number) => new Date(at.getTime() + ms);
  await db.query(SENT, [...values, later(20), TEXT]);
  await db.query(DELIVERED, [...values, later(1_000), order.subscriptionSid]);
}

/**
 * Makes the partitions of the weeks since `oldest`, a Monday, as on a server that ran all the time. The server itself
 * has already made those of records from last week on; no message may be stored yet.
 */
export async function makePartitions(db: Database, oldest: Date): Promise<void> {
  const weeksOf = (table: string, count: number) =>
    Array.from({ length: count }, (_, at) => partitionOf(table, mondayOf(oldest, at)));
  await db.transaction(async (unit) => {
    for (const table of RECORD_TABLES) await makeNamedPartitions(unit, table, weeksOf(table, WEEKS_BACK - 1));
    await layMessageWeeks(unit, weeksOf(MESSAGES, WEEKS_BACK + WEEKS_AHEAD + 1));
  });
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
