// Records attempts and the outcomes of their deliveries, many in one statement. What is done leaves its row of the
// queue, and what is tried again gets a row of its own, or keeps one that it has to itself. A delivery that a replay
// has queued again meanwhile is not in its row any more: the attempt is only recorded.

import type { OwnedRecord } from "../../../domain/give-back.ts";
import type { SettledDelivery } from "../../../domain/webhooks/index.ts";
import { plainArray, textArray } from "../engine/array-text.ts";
import type { Database } from "../engine/database.ts";
import { named } from "../engine/named-statements.ts";
import { AS_READ, asRead } from "../engine/owned-records.ts";
import { AttemptBatch } from "./attempt-batch.ts";
import { type PlacedDelivery, placedOf } from "./batch-sids.ts";
import { SHARED } from "./claim-deliveries.ts";

/**
 * SQL: takes places out of rows of the queue. `touched` names locked rows; `gone` has the id of a row and places of it,
 * any number of times.
 */
export const leaveQueue = (touched: string, gone: string) => `rest as materialized (
  select touched.id, rest.places, case when touched.urls is not null then rest.urls end as urls
    from ${touched} as touched cross join lateral (
      select array_agg(place order by at) as places, array_agg(url order by at) as urls
        from unnest(touched.places, touched.urls) with ordinality as queued (place, url, at)
       where not exists (select from ${gone} as gone where gone.id = touched.id and place = any (gone.places))) as rest
), emptied as (
  delete from delivery_queue as queue using rest where queue.id = any (array[rest.id]) and rest.places is null
), shortened as (
  update delivery_queue as queue set places = rest.places, urls = rest.urls
    from rest where queue.id = any (array[rest.id]) and rest.places is not null
)`;

/** SQL: the URLs of some places of a row. */
const urlsOf = (row: string, places: string) =>
  `case when ${row}.urls is not null then array(select ${row}.urls[array_position(${row}.places, place)] from unnest(${places}) as place) end`;

// `= any (array[…])` means the same as `=`, but cannot be used by a merge join. With `=` the planner would read a whole
// table in the order of an index, which it finds cheaper than many lookups when the queue is, or was lately, empty.
// Times are given in ms, which both sides convert many times faster than dates.
const SETTLE = named(
  "settle-deliveries",
  `
with given as materialized (
  select id, places::smallint[] as places, status, to_timestamp(next_ms / 1000) as next_at, to_timestamp(tried_ms / 1000) as tried_at
    from unnest($2::bigint[], $3::text[], $4::text[], $5::float8[], $6::float8[]) as given (id, places, status, next_ms, tried_ms)
), touched as materialized (
  select queue.* from unnest($1::bigint[]) as named (id) cross join lateral (
    select * from delivery_queue where id = named.id for update offset 0) as queue
), settled as materialized (
  select touched.*, status, next_at, coalesce(first_tried_at, tried_at) as tried_at, found.places as chosen
    from given join touched on touched.id = given.id cross join lateral (
      select array_agg(place) as places from unnest(given.places) as place where place = any (touched.places)) as found
   where found.places is not null
), again as (
  update delivery_queue as queue set claimed_by = null, is_ready = false, due_at = next_at, first_tried_at = tried_at
    from settled where queue.id = any (array[settled.id]) and status = 'Pending' and cardinality(chosen) = cardinality(settled.places)
), apart as materialized (
  select * from settled where status <> 'Pending' or cardinality(chosen) < cardinality(places)
), leaving as materialized (
  select id, chosen as places from apart
), left_by as materialized (
  select * from touched where id in (select id from leaving)
), ${leaveQueue("left_by", "leaving")}, later as (
  insert into delivery_queue (attempt, is_ready, due_at, first_tried_at, ${SHARED}, places, urls)
  select attempt, false, next_at, tried_at, ${SHARED}, chosen, ${urlsOf("apart", "chosen")} from apart where status = 'Pending'
), undelivered as materialized (
  select delivery_sid, created_at, array_agg(place) filter (where status = 'Failed') as failed, array_agg(place) filter (where status = 'Canceled') as canceled
    from apart cross join lateral unnest(chosen) as place where status in ('Failed', 'Canceled') group by delivery_sid, created_at
), recorded as (
  update deliveries set failed = deliveries.failed || undelivered.failed, canceled = deliveries.canceled || undelivered.canceled
    from undelivered where deliveries.sid = any (array[undelivered.delivery_sid]) and deliveries.created_at = undelivered.created_at
)
insert into attempts (delivery_sid, at, places, began_ms, took_ms, statuses, details, texts)
select sid, to_timestamp(at_ms / 1000), places::smallint[], began_ms::integer[], took_ms::integer[], statuses::smallint[], details::smallint[], texts::text[]
  from unnest($7::text[], $8::float8[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[])
    as made (sid, at_ms, places, began_ms, took_ms, statuses, details, texts)`,
);

interface Settled {
  readonly entry: number;
  readonly status: SettledDelivery["status"];
  readonly nextMs: number | null;
  readonly triedMs: number | null;
  readonly places: number[];
}

export async function recordSettled(db: Database, settled: readonly SettledDelivery[], now: Date): Promise<void> {
  const groups = new Map<number, Settled[]>();
  const batches = new Map<string, AttemptBatch>();
  for (const one of settled) {
    const { batchSid, place } = placedOf(one.sid) as PlacedDelivery;
    const nextMs = one.nextAttemptOn?.getTime() ?? null;
    const triedMs = one.status === "Pending" ? (one.attempts[0]?.at.getTime() ?? null) : null;
    const ofEntry = groups.get(one.entry) ?? [];
    groups.set(one.entry, ofEntry);
    const group = ofEntry.find(
      (other) => other.status === one.status && other.nextMs === nextMs && other.triedMs === triedMs,
    );
    if (group) group.places.push(place);
    else ofEntry.push({ entry: one.entry, status: one.status, nextMs, triedMs, places: [place] });
    addAttempts(batches, batchSid, place, one, now);
  }
  const outcomes = [...groups.values()].flat();
  const attempts = [...batches.values()].map((batch) => [batch.batchSid, ...batch.values] as const);
  const column = (at: number) => attempts.map((values) => values[at] as string);
  await db.query(SETTLE, [
    plainArray([...new Set(outcomes.map(({ entry }) => entry))].sort((one, other) => one - other)),
    plainArray(outcomes.map(({ entry }) => entry)),
    textArray(outcomes.map(({ places }) => plainArray(places))),
    plainArray(outcomes.map(({ status }) => status)),
    plainArray(outcomes.map(({ nextMs }) => nextMs)),
    plainArray(outcomes.map(({ triedMs }) => triedMs)),
    plainArray(column(0)),
    plainArray(column(1)),
    ...[2, 3, 4, 5, 6, 7].map((at) => textArray(column(at))),
  ]);
}

function addAttempts(
  batches: Map<string, AttemptBatch>,
  batchSid: string,
  place: number,
  { status, attempts, payloadShape }: SettledDelivery,
  now: Date,
): void {
  if (attempts.length === 0 && status !== "Canceled") return;
  const batch = batches.get(batchSid) ?? new AttemptBatch(batchSid, (attempts[0]?.at ?? now).getTime());
  batches.set(batchSid, batch);
  for (const attempt of attempts) batch.add(place, attempt, payloadShape);
  if (attempts.length === 0) batch.addCanceled(place, now.getTime());
}

// A row of which others are held here is divided. What is given back of it gets an id between it and the next, as in a
// claim, so that it stays before later events of its resources. It was not tried, or no attempt was recorded. If what
// follows the row is the rest that a claim left of it, or what was given back before, both become one row, in order.
const GIVE_BACK = `
with given as materialized (
  select batch_of(id) as delivery_sid, version, array_agg(place_of(id)) as places from ${AS_READ} group by 1, 2
), touched as materialized (
  select queue.*, found.places as returned from given cross join lateral (
    select * from delivery_queue
     where delivery_sid = given.delivery_sid and xmin::text = given.version and claimed_by = $3 for update offset 0) as queue
   cross join lateral (
    select array_agg(place order by at) as places from unnest(queue.places) with ordinality as queued (place, at)
     where place = any (given.places)) as found
   where found.places is not null
), following as materialized (
  select touched.id as row_id, queue.id, queue.places, queue.urls from touched cross join lateral (
    select * from delivery_queue
     where id = touched.id + cardinality(touched.places) and delivery_sid = touched.delivery_sid
       and claimed_by is null and is_ready and attempt = touched.attempt - 1 for update offset 0) as queue
), joined as (
  delete from delivery_queue using following where delivery_queue.id = following.id
), back as materialized (
  select touched.*, united.places as back_places, case when touched.urls is not null then united.urls end as back_urls
    from touched left join following on following.row_id = touched.id cross join lateral (
      select array_agg(place order by place) as places, array_agg(url order by place) as urls from (
        select place, url from unnest(touched.places, touched.urls) as own (place, url) where place = any (returned)
        union all select * from unnest(following.places, following.urls)) as each (place, url)) as united
), whole as (
  update delivery_queue as queue set claimed_by = null, attempt = queue.attempt - 1, places = back_places, urls = back_urls
    from back where queue.id = back.id and back.places <@ returned
), divided as materialized (
  select * from back where not places <@ returned
), leaving as materialized (
  select id, returned as places from divided
), ${leaveQueue("divided", "leaving")}
insert into delivery_queue (id, attempt, is_ready, due_at, first_tried_at, ${SHARED}, places, urls) overriding system value
select id + cardinality(places) - cardinality(returned), attempt - 1, true, due_at, first_tried_at, ${SHARED}, back_places, back_urls from divided`;

/** Gives back deliveries whose rows are as they were read. */
export async function giveBack(db: Database, strays: readonly OwnedRecord[], workerId: number): Promise<void> {
  await db.query(GIVE_BACK, [...asRead(strays), workerId]);
}
