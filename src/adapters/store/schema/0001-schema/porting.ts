// Port orders with their numbers and documents, and the queue of requests to the gateway.

export const PORTING = `
create table port_orders (
  sid                  text primary key,
  account_sid          text not null references accounts on delete cascade,
  messaging_config_sid text not null,
  status               text not null check (status in ('Submitted', 'Exception', 'FocConfirmed', 'Completed', 'PartiallyCompleted',
                         'Cancelled', 'Failed')),
  -- Of the latest update.
  sequence             integer not null,
  details              jsonb not null,
  -- Encrypted, by number; deleted when they are not needed any more.
  pins                 bytea,
  -- What was last asked for and not granted: a cancellation, an answer to an exception.
  refused_request      jsonb,
  created_at           timestamptz not null,
  updated_at           timestamptz not null
);
create index port_orders_by_account on port_orders (account_sid, sid);
create index port_orders_by_status on port_orders (status, sid);
-- A migration is found by its configs.
create index port_orders_by_config on port_orders (messaging_config_sid, sid);

create table port_order_numbers (
  order_sid          text not null references port_orders on delete cascade,
  place              smallint not null,
  number             text not null,
  status             text not null check (status in ('Submitted', 'Exception', 'FocConfirmed', 'Activating', 'Completed',
                       'PartiallyCompleted', 'Cancelled', 'Failed')),
  phase              jsonb not null,
  voice_moved_at     timestamptz,
  messaging_moved_at timestamptz,
  refusal            jsonb,
  primary key (order_sid, place)
);
create index port_order_numbers_by_number on port_order_numbers (number);

-- Letters of authorization and supporting documents. In the database, so that any process can send them on.
create table port_documents (
  order_sid    text not null references port_orders on delete cascade,
  place        smallint not null,
  name         text not null,
  content_type text not null,
  sha256       text not null,
  page_count   integer not null,
  content      bytea not null,
  created_at   timestamptz not null,
  primary key (order_sid, place),
  unique (order_sid, sha256)
);
-- They are compressed already.
alter table port_documents alter column content set storage external;

-- Requests that the gateway has still to get, those of an order one after the other, and nothing else.
create table port_requests (
  id        bigint generated always as identity primary key,
  order_sid text not null references port_orders on delete cascade,
  kind      text not null check (kind in ('submit', 'supplement', 'cancel')),
  -- Moved somewhat later while a process makes the request: if it dies, the request becomes due by itself.
  due_at    timestamptz not null,
  failures  integer not null default 0,
  asked_at  timestamptz not null
);
create index port_requests_due on port_requests (due_at);
create index port_requests_by_order on port_requests (order_sid, id);

-- How far updates were read, and when they are read next.
create table port_updates (
  place  boolean primary key default true check (place),
  cursor text,
  ask_at timestamptz not null
);
insert into port_updates (ask_at) values ('-infinity');
`;
