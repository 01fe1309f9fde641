// Subscriptions, events and their deliveries.

export const webhooksSchema = {
  name: "0007-webhooks",
  sql: `
create table webhook_subscriptions (
  sid                  text primary key,
  account_sid          text not null references accounts on delete cascade,
  type                 text not null,
  url                  text not null,
  backup_url           text,
  messaging_config_sid text,
  phone                text,
  payload_shape        text not null,
  enabled              boolean not null,
  disabled_reason      text,
  secret               bytea not null,
  secret_created_at    timestamptz not null,
  previous_secret      bytea,
  previous_until       timestamptz,
  bearer               bytea,
  created_at           timestamptz not null,
  last_success_at      timestamptz,
  failing_since        timestamptz,
  -- Stands for the callback URLs that messages bring along: it signs with the account's own secret.
  is_callback          boolean not null default false,
  check (messaging_config_sid is null or phone is null)
);
create index webhook_subscriptions_by_event on webhook_subscriptions (account_sid, type) where enabled;
create index webhook_subscriptions_by_account on webhook_subscriptions (account_sid, sid);

-- Events, deliveries and attempts are records: partitioned by week, dropped whole when they are old. See partitions.ts.
create table events (
  id                   bigint generated always as identity,
  -- The transaction that stored it: what a reader may have missed was stored by one that is not older.
  xid                  xid8 not null default pg_current_xact_id(),
  account_sid          text not null,
  type                 text not null,
  resource_sid         text not null,
  sequence             integer not null,
  -- Not jsonb, which would put the fields in an order of its own.
  fields               json not null,
  created_at           timestamptz not null,
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
  answer       text
) partition by range (at);
create index attempts_by_delivery on attempts (delivery_sid);

-- What is still to be delivered, and nothing else, so that claiming costs the same however much was delivered before. Whole pages are
-- claimed at once: they have room for the second version of every row.
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
  -- Asked for by its owner (a test, a replay): goes out even if the subscription is switched off.
  forced           boolean not null default false,
  -- When it may be tried.
  due_at           timestamptz not null,
  claimed_by       integer,
  -- Until when nobody else takes it; null when nobody has it. In no index, so that a claim is written in the row's page and nowhere else.
  leased_until     timestamptz,
  -- Was due, but an earlier event of its resource is still queued. Whoever is done with that one lets it go.
  blocked          boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
create index delivery_queue_due on delivery_queue (subscription_sid, due_at);
create index delivery_queue_order on delivery_queue (subscription_sid, resource_sid, sequence);
create index delivery_queue_blocked on delivery_queue (subscription_sid, resource_sid) where blocked;

-- Who delivers. Each holds an advisory lock on its id for as long as it lives, so that the others see it die.
create sequence webhook_worker_ids as integer cycle;
create table webhook_workers (
  id         integer primary key,
  started_at timestamptz not null
);

-- A sid that sorts by time, like those the program makes.
create function delivery_sid(at timestamptz) returns text language sql volatile as $$
  select 'WH' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14, 19)
$$;
`,
};
