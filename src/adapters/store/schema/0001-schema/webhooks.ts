// Subscriptions, events and their deliveries.

export const WEBHOOKS = `
create table webhook_subscriptions (
  sid                  text primary key,
  account_sid          text not null references accounts on delete cascade,
  url                  text not null,
  backup_url           text,
  messaging_config_sid text,
  phone                text,
  payload_shape        text not null,
  enabled              boolean not null,
  disabled_reason      text,
  secret               bytea not null,
  secret_created_at    timestamptz not null,
  bearer               bytea,
  created_at           timestamptz not null,
  last_success_at      timestamptz,
  failing_since        timestamptz,
  -- Represents the callback URLs of messages and calls: it signs with the account's own secret.
  is_callback          boolean not null default false,
  -- The newest first, as many as may sign at once; each signs until the time at its place.
  replaced_secrets     bytea[] not null default '{}',
  replaced_until       timestamptz[] not null default '{}',
  -- One or several, or '*' for all but the one whose answer is awaited.
  types                text[] not null,
  -- Of the URLs; null is POST.
  method               text,
  backup_method        text,
  check (messaging_config_sid is null or phone is null)
);
create index webhook_subscriptions_by_account on webhook_subscriptions (account_sid, sid);
create index webhook_subscriptions_off on webhook_subscriptions (account_sid, sid) where not enabled and disabled_reason is not null;
create index webhook_subscriptions_failing on webhook_subscriptions (account_sid, sid) where enabled and failing_since is not null;

-- Positions in the event log that outlive the cluster: where a backup is restored, transactions are counted anew, and
-- the function is replaced (backup/event-positions.ts). It is planned as if its body stood in its place.
create function event_position(transaction xid8) returns xid8 language sql immutable parallel safe as $$ select transaction $$;

-- Events, deliveries and attempts are records: partitioned by week, dropped whole when they are old. See partitions.ts.
create table events (
  id           bigint generated always as identity,
  -- The transaction that stored it: what a reader may have missed was stored by one that is not older.
  xid          xid8 not null default event_position(pg_current_xact_id()),
  account_sid  text not null,
  type         text not null,
  resource_sid text not null,
  sequence     integer not null,
  -- Not jsonb, which would put the fields in an order of its own.
  fields       json not null,
  created_at   timestamptz not null,
  primary key (id, created_at)
) partition by range (created_at);
create index events_log on events (account_sid, xid, id);
create index events_resource on events (resource_sid, sequence);

create table deliveries (
  sid              text not null,
  account_sid      text not null,
  subscription_sid text not null,
  event_id         bigint not null,
  type             text not null,
  resource_sid     text not null,
  sequence         integer not null,
  status           text not null,
  attempt_count    integer not null default 0,
  next_attempt_at  timestamptz,
  created_at       timestamptz not null,
  finished_at      timestamptz,
  -- Indexed in place of the status, which changes with every delivery: so a success touches no index.
  undelivered      text generated always as (case when status in ('Failed', 'Canceled') then status end) stored,
  -- Of a callback URL.
  payload_shape    text,
  primary key (sid, created_at)
) partition by range (created_at);
create index deliveries_by_account on deliveries (account_sid, sid);
create index deliveries_by_resource on deliveries (resource_sid);
create index deliveries_by_subscription on deliveries (subscription_sid, sid);
create index deliveries_undelivered on deliveries (account_sid, undelivered, sid) where undelivered is not null;

create table attempts (
  delivery_sid text not null,
  at           timestamptz not null,
  url          text not null,
  status       integer,
  failure      text,
  ms           integer not null,
  answer       text,
  -- Headers and times, in JSON; null where they were not stored.
  exchange     text
) partition by range (at);
create index attempts_by_delivery on attempts (delivery_sid);

-- For records of weeks that have no partition yet, because the clock jumped.
create table events_default partition of events default;
create table deliveries_default partition of deliveries default with (fillfactor = 50);
create table attempts_default partition of attempts default;

-- What is still to be delivered, and nothing else, so that claiming costs the same however much was delivered before.
-- Whole pages are claimed at once: they have space for the second version of every row.
create table delivery_queue (
  delivery_sid     text primary key,
  subscription_sid text not null,
  resource_sid     text not null,
  sequence         integer not null,
  event_id         bigint not null,
  created_at       timestamptz not null,
  queued_at        timestamptz not null,
  attempt          integer not null default 0,
  url              text,
  -- Asked for by its owner (a test, a replay): is sent even if the subscription is switched off.
  forced           boolean not null default false,
  -- When it may be tried.
  due_at           timestamptz not null,
  claimed_by       integer,
  -- Until when no other process takes it; null when none has it. In no index, so that a claim is written in the row's
  -- page and nowhere else.
  leased_until     timestamptz,
  -- Was due, but an earlier event of its resource is still queued. The process that is done with that one unblocks it.
  blocked          boolean not null default false,
  -- The start of the first attempt of this round that was recorded; null before. A round begins when an event is stored
  -- or replayed.
  first_tried_at   timestamptz,
  -- Of a callback URL.
  payload_shape    text
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
-- In the order in which they are claimed, so that a claim stops at its limit however much is due.
create index delivery_queue_due_order on delivery_queue (subscription_sid, due_at, sequence);
create index delivery_queue_order on delivery_queue (subscription_sid, resource_sid, sequence);
create index delivery_queue_blocked on delivery_queue (subscription_sid, resource_sid) where blocked;

-- The processes that deliver. Each holds an advisory lock on its id while it lives, so that the others notice its death.
create sequence webhook_worker_ids as integer cycle;
create table webhook_workers (
  id         integer primary key,
  started_at timestamptz not null
);

-- A sid that sorts by time, like those that the program makes.
create function delivery_sid(at timestamptz) returns text language sql volatile as $$
  select 'WH' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14, 19)
$$;
`;
