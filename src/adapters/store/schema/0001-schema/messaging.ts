// Outbound and inbound messages, the send queue, links to carriers, receipts, and parts of long messages.

export const MESSAGING = `
create table outbound_messages (
  account_sid           text not null,
  sid                   text not null,
  from_number           text not null,
  to_number             text not null,
  -- All of them, when there are several.
  recipients            text[],
  text                  text not null,
  media_urls            text[],
  status                text not null,
  status_reason         text,
  segment_count         smallint not null,
  encoding              text not null,
  carrier               text,
  messaging_config_sid  text,
  tcr_campaign_id       text,
  priority              smallint not null,
  error_code            integer not null default 0,
  error_description     text,
  conversation_metadata text,
  callback_url          text,
  -- Answers a keyword: is sent even to a number that has just opted out.
  is_reply              boolean not null default false,
  created_at            timestamptz not null,
  send_at               timestamptz,
  expires_at            timestamptz not null,
  link                  text,
  -- One for every part that the carrier accepted.
  carrier_ids           text[],
  parts_delivered       smallint not null default 0,
  -- How many of its changes have an event: numbers its events without reading them.
  events_told           smallint not null default 0,
  sent_at               timestamptz,
  delivered_at          timestamptz,
  -- Indexed in place of the status, which changes with every message: so the ordinary way of a message touches no index.
  unhappy               text generated always as (case when status in ('Failed', 'Expired', 'Canceled') then status end) stored,
  -- The id that the caller gave its request. A request with an id of ours has the digits of the sid.
  request_id            text,
  callback_shape        text,
  callback_statuses     text,
  primary key (account_sid, sid)
) with (fillfactor = 50);
-- Without the account, with which only the primary key begins: so a plan made while the table is empty cannot take the wrong one.
create index outbound_messages_to on outbound_messages (to_number, sid);
create index outbound_messages_unhappy on outbound_messages (account_sid, unhappy, sid) where unhappy is not null;
-- The code of an unknown outcome alone: the status changes with every message, and an index on it would be touched each time.
create index outbound_messages_lost on outbound_messages (to_number, sid) where error_code = 3100;
create index outbound_messages_members on outbound_messages using gin (recipients) where recipients is not null;
-- With the account and the sid: an id that is used repeatedly, or by many accounts, costs each only its own first rows.
create index outbound_messages_by_request_of on outbound_messages (request_id, account_sid, sid) where request_id is not null;

-- What has still to be sent, and nothing else.
create table outbound_queue (
  sid         text primary key,
  account_sid text not null,
  from_number text not null,
  priority    smallint not null,
  -- When it may be sent; 'infinity' while its number is not active.
  due_at      timestamptz not null,
  expires_at  timestamptz not null,
  -- The term of the sender that has claimed it; see sending-lease.ts.
  claimed_by  integer,
  -- The link, set before the first octet leaves: if its sender dies, the message may have arrived.
  submitting  text,
  -- How often a carrier has refused it temporarily.
  deferrals   smallint not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
create index outbound_queue_due on outbound_queue (priority, due_at) where claimed_by is null;
create index outbound_queue_held on outbound_queue (from_number, sid) where due_at = 'infinity';

-- The sender. One process at a time holds the lock on the row; each one that takes over begins a new term.
create table sending_lease (
  term       integer not null,
  started_at timestamptz not null
);
insert into sending_lease values (0, now());

-- Links to carriers that the operator has stopped, by the names that the configuration gives them.
create table stopped_links (
  name       text primary key,
  stopped_at timestamptz not null
);

-- The state and traffic of links to carriers, as last reported by the process that keeps them. Earlier terms are ignored.
create table told_links (
  name        text primary key,
  carrier     text not null,
  kind        text not null,
  state       text not null,
  reason      text not null,
  since       timestamptz not null,
  room        integer not null,
  told_at     timestamptz not null,
  term        integer not null,
  window_size integer,
  in_flight   integer not null default 0,
  per_second  real not null default 0,
  p95_ms      integer
);

-- By the carrier's id of a message: for its receipts. A row is deleted when its receipt has arrived.
create table awaited_receipts (
  carrier     text not null,
  carrier_id  text not null,
  account_sid text not null,
  sid         text not null,
  link        text not null,
  sent_at     timestamptz not null,
  asked_at    timestamptz,
  primary key (carrier, carrier_id, sid)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000);
create index awaited_receipts_age on awaited_receipts using brin (sent_at) with (pages_per_range = 8);

-- Receipts that arrived before the answer that names the message, or for messages that are not ours.
create table early_receipts (
  carrier     text not null,
  carrier_id  text not null,
  receipt     json not null,
  received_at timestamptz not null,
  -- When it is next compared with messages of unknown outcome, and how often it was.
  compare_at  timestamptz not null default now(),
  compared    smallint not null default 0
);
create index early_receipts_by_id on early_receipts (carrier, carrier_id);
create index early_receipts_age on early_receipts (received_at);
create index early_receipts_due on early_receipts (compare_at);

-- What happened to a message on its way, as far as its own row does not say.
create table message_steps (
  id          bigint generated always as identity,
  sid         text not null,
  at          timestamptz not null,
  step        text not null,
  details     json not null,
  primary key (sid, id)
);

create table inbound_messages (
  account_sid           text not null,
  sid                   text not null,
  from_number           text not null,
  to_number             text not null,
  additional_recipients text[] not null,
  text                  text not null,
  media                 json not null,
  segment_count         smallint not null,
  conversation_metadata text,
  link                  text not null,
  created_at            timestamptz not null,
  primary key (account_sid, sid)
);
create index inbound_messages_from on inbound_messages (account_sid, from_number, sid);

-- Messages and parts lately received, to recognise a repeat: by the carrier's id, or by their contents.
create table received_keys (
  carrier     text not null,
  key         text not null,
  -- The connection over which it arrived: a repeat arrives over another one.
  session     text not null,
  received_at timestamptz not null,
  primary key (carrier, key)
);
create index received_keys_age on received_keys (received_at);

-- Parts of long messages that are not complete yet.
create table inbound_parts (
  carrier     text not null,
  from_number text not null,
  to_number   text not null,
  reference   integer not null,
  total       smallint not null,
  index       smallint not null,
  octets      bytea not null,
  data_coding smallint not null,
  link        text not null,
  received_at timestamptz not null,
  primary key (carrier, from_number, to_number, reference, total, index)
);
create index inbound_parts_age on inbound_parts (received_at);

create table media_files (
  sid          text primary key,
  account_sid  text not null,
  content_type text not null,
  name         text,
  size_bytes   integer not null,
  sha256       text not null,
  created_at   timestamptz not null
);
`;
