// Deliveries, what waits of them, and attempts are stored by the batch: a row stands for up to 256 that were made
// together for one subscription. A worker holds slots, so that one process at a time delivers to a subscription.

import type { SchemaStep } from "./schema-step.ts";

export const deliveryBatches: SchemaStep = {
  name: "0004-delivery-batches",
  rewrites: ["deliveries", "attempts"],
  sql: `
-- Events that are stored together get ids that follow one another: a batch has the first id, an event adds its place.
do $$
begin
  execute format('alter table events alter column id set increment by 256 restart with %s',
    (select (greatest(coalesce(max(id), 0), (select last_value from events_id_seq)) / 256 + 1) * 256 from events));
end
$$;

-- A delivery's own sid is that of its batch, with the place as the last two digits.
create or replace function delivery_sid(at timestamptz) returns text language sql volatile as $$
  select 'WH' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14, 17) || '00'
$$;
create function place_of(delivery_sid text) returns smallint language sql immutable strict parallel safe as $$
  select ('x' || right(delivery_sid, 2))::bit(8)::integer::smallint
$$;
create function batch_of(delivery_sid text) returns text language sql immutable strict parallel safe as $$
  select left(delivery_sid, -2) || '00'
$$;
create function sid_of(batch_sid text, place smallint) returns text language sql immutable strict parallel safe as $$
  select left(batch_sid, -2) || lpad(to_hex(place::integer), 2, '0')
$$;

-- Deliveries of events that were stored together to one subscription. A delivery is Pending while the queue has its place, Failed or
-- Canceled if it is listed as such, and otherwise Delivered.
alter table deliveries
  -- The event at a place has the id event_id + place.
  add column places smallint[],
  add column failed smallint[],
  add column canceled smallint[];

-- Attempts that ended together, of deliveries of one batch: the lists have an element for each. Where an element of
-- \`details\` is null, the delivery was canceled without an attempt.
alter table attempts
  add column places smallint[],
  -- From \`at\`, which is the beginning of the first.
  add column began_ms integer[],
  add column took_ms integer[],
  add column statuses smallint[],
  -- The number of its URL, failure, answer and exchange in \`texts\`, from 0.
  add column details smallint[],
  -- Those that differ, each as JSON.
  add column texts text[];
insert into attempts (delivery_sid, at, url, ms, places, began_ms, took_ms, statuses, details, texts)
select sid, coalesce(finished_at, created_at), '', 0, array[place_of(sid)], '{0}', '{0}', '{null}', '{null}', '{}'
  from deliveries where status = 'Canceled';
update attempts set places = array[place_of(delivery_sid)], began_ms = '{0}', took_ms = array[ms], statuses = array[status], details = '{0}',
       texts = array[json_build_object('url', url, 'failure', failure, 'answer', answer, 'exchange', exchange::json)::text]
 where places is null;
update attempts set delivery_sid = batch_of(delivery_sid);
alter table attempts
  drop column url, drop column status, drop column failure, drop column ms, drop column answer, drop column exchange,
  alter column places set not null, alter column began_ms set not null, alter column took_ms set not null,
  alter column statuses set not null, alter column details set not null, alter column texts set not null;

update deliveries set sid = batch_of(sid), places = array[place_of(sid)], event_id = event_id - place_of(sid),
       failed = case when status = 'Failed' then array[place_of(sid)] end,
       canceled = case when status = 'Canceled' then array[place_of(sid)] end;
alter table deliveries
  drop column type, drop column resource_sid, drop column sequence, drop column undelivered, drop column status, drop column attempt_count,
  drop column next_attempt_at, drop column finished_at,
  alter column places set not null;
-- Its rows are hardly changed any more.
alter table deliveries_default reset (fillfactor);
create index deliveries_by_event on deliveries (event_id);
create index deliveries_undelivered on deliveries (account_sid, sid) where failed is not null or canceled is not null;

-- What is still to be delivered, and nothing else. A row is claimed whole; what is settled leaves it, what is to be
-- tried again becomes a row of its own.
create temporary table waiting on commit drop as table delivery_queue;
drop table delivery_queue;
create table delivery_queue (
  -- Rows are claimed in this order. In it are the events of a resource, too. What a claim leaves of a row gets an id
  -- between it and the next.
  id               bigint generated always as identity (increment by 256) primary key,
  -- A worker; null: none. In no index, so that a claim is written in the row's page and nowhere else.
  claimed_by       integer,
  attempt          smallint not null default 0,
  -- Its time has come.
  is_ready         boolean not null,
  -- Asked for by its owner (a test, a replay): is sent even if the subscription is switched off.
  forced           boolean not null default false,
  due_at           timestamptz not null,
  -- The start of the first attempt of this round; null before. A round begins when an event is stored or replayed.
  first_tried_at   timestamptz,
  event_id         bigint not null,
  created_at       timestamptz not null,
  delivery_sid     text not null,
  subscription_sid text not null,
  -- Of a callback URL.
  payload_shape    text,
  places           smallint[] not null,
  -- Of each place; null: the subscription's own.
  urls             text[]
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
alter table delivery_queue alter urls set storage main;
create index delivery_queue_ready on delivery_queue (subscription_sid, id) where is_ready;
create index delivery_queue_due on delivery_queue (due_at) where not is_ready;
create index delivery_queue_waiting on delivery_queue (subscription_sid) where not is_ready;
create index delivery_queue_tried on delivery_queue (first_tried_at) where first_tried_at is not null;
create index delivery_queue_by_delivery on delivery_queue (delivery_sid);
insert into delivery_queue (attempt, is_ready, forced, due_at, first_tried_at, event_id, created_at, delivery_sid, subscription_sid, payload_shape, places, urls)
select attempt, due_at <= now(), forced, due_at, first_tried_at, event_id - place_of(delivery_sid), created_at, batch_of(delivery_sid),
       subscription_sid, payload_shape, array[place_of(delivery_sid)], case when url is not null then array[url] end
  from waiting order by event_id;

-- A subscription belongs to a slot by its sid, and a slot to a worker, or to none.
create table webhook_slots (
  slot   smallint primary key,
  worker integer
);
insert into webhook_slots (slot) select generate_series(0, 63);
-- False while its clock is wrong: then it has no slots.
alter table webhook_workers add column delivers boolean not null default true;
`,
};
