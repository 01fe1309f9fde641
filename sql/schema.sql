-- The schema of a database after all steps, printed from PostgreSQL's catalogues by "npm run schema".
-- The steps, with comments on tables and columns, are in src/adapters/store/schema.

CREATE DOMAIN statement_deadline AS timestamptz CHECK (VALUE > clock_timestamp());

CREATE SEQUENCE call_process_ids AS integer CYCLE;

CREATE SEQUENCE webhook_worker_ids AS integer CYCLE;

CREATE OR REPLACE FUNCTION batch_of(delivery_sid text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select left(delivery_sid, -2) || '00'
$function$;

CREATE OR REPLACE FUNCTION campaign_ids_in(name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select array(
    select distinct part from generate_series(1, char_length(name)) as start, unnest(array[7, 8]) as length,
           substr(upper(name collate "C"), start, length) as part
     where part collate "C" ~ '^C[A-Z0-9]{6,7}$')
$function$;

CREATE OR REPLACE FUNCTION delivery_sid(at timestamptz)
 RETURNS text
 LANGUAGE sql
AS $function$
  select 'WH' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14, 17) || '00'
$function$;

CREATE OR REPLACE FUNCTION event_position(transaction xid8)
 RETURNS xid8
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select transaction $function$;

CREATE OR REPLACE FUNCTION note_removed_segment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into removed_segments (key, raw_file, raw_host) values (old.key, old.raw_file, old.raw_host);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_undelivered()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into undelivered_changes (account_sid, created_at, failed, canceled)
  values (new.account_sid, new.created_at,
          coalesce(cardinality(new.failed), 0) - coalesce(cardinality(old.failed), 0),
          coalesce(cardinality(new.canceled), 0) - coalesce(cardinality(old.canceled), 0));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION place_of(delivery_sid text)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select ('x' || right(delivery_sid, 2))::bit(8)::integer::smallint
$function$;

CREATE OR REPLACE FUNCTION release_media()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into stored_media (file, uses, due_at)
  select distinct sha256, 0, now() from gone where file is null order by sha256
  on conflict (file) do update set due_at = excluded.due_at;
  perform from stored_media where file in (select file from gone) order by file for update;
  update stored_media set uses = uses - released.count, due_at = now()
    from (select file, count(*)::integer as count from gone group by file) as released
   where stored_media.file = released.file;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION remove_conference_recording()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from call_recordings where sid = old.recording_sid;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sid_of(batch_sid text, place smallint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select left(batch_sid, -2) || lpad(to_hex(place::integer), 2, '0')
$function$;

CREATE TABLE account_changes (
  id          bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  created_at  timestamptz NOT NULL,
  account_sid text NOT NULL,
  token       smallint,
  is_person   boolean NOT NULL,
  operation   text NOT NULL,
  resource    text,
  request_id  text NOT NULL,
  CONSTRAINT account_changes_pkey PRIMARY KEY (id),
  CONSTRAINT account_changes_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE
);
CREATE INDEX account_changes_age ON account_changes USING btree (created_at);
CREATE INDEX account_changes_by_account ON account_changes USING btree (account_sid, id);

CREATE TABLE account_tokens (
  account_sid  text NOT NULL,
  n            smallint NOT NULL,
  digest       bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  sealed       bytea,
  is_promoted  boolean NOT NULL DEFAULT false,
  tool_writes  boolean NOT NULL DEFAULT false,
  last_used_at timestamptz,
  CONSTRAINT account_tokens_pkey PRIMARY KEY (account_sid, n),
  CONSTRAINT account_tokens_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE,
  CONSTRAINT account_tokens_n_check CHECK (n = ANY (ARRAY[1, 2]))
);

CREATE TABLE accounts (
  sid               text NOT NULL,
  name              text NOT NULL,
  status            text NOT NULL,
  features          text[] NOT NULL,
  limit_changes     jsonb NOT NULL,
  allowed_countries text[],
  default_caller_id text,
  created_at        timestamptz NOT NULL,
  handles_keywords  boolean NOT NULL DEFAULT true,
  suspended_reason  text,
  country           text,
  message_days      integer,
  call_days         integer,
  event_days        integer,
  CONSTRAINT accounts_pkey PRIMARY KEY (sid),
  CONSTRAINT accounts_check CHECK (suspended_reason IS NULL OR status = 'Suspended'::text),
  CONSTRAINT accounts_country_check CHECK (country ~ '^[A-Z]{2}$'::text),
  CONSTRAINT accounts_status_check CHECK (status = ANY (ARRAY['Active'::text, 'Suspended'::text]))
);
CREATE INDEX accounts_words ON accounts USING gin (to_tsvector('simple'::regconfig, translate(name, '-./@_'::text, '     '::text)));

CREATE TABLE attempts (
  delivery_sid text NOT NULL,
  at           timestamptz NOT NULL,
  places       smallint[] NOT NULL,
  began_ms     integer[] NOT NULL,
  took_ms      integer[] NOT NULL,
  statuses     smallint[] NOT NULL,
  details      smallint[] NOT NULL,
  texts        text[] NOT NULL
) PARTITION BY RANGE (at);
CREATE INDEX attempts_by_delivery ON ONLY attempts USING btree (delivery_sid);

CREATE TABLE attempts_default PARTITION OF attempts DEFAULT;

CREATE TABLE audit_log (
  id         bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at         timestamptz NOT NULL,
  operator   text NOT NULL,
  action     text NOT NULL,
  subject    text,
  details    jsonb,
  request_id text NOT NULL,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_subject ON audit_log USING btree (subject, id);

CREATE TABLE awaited_receipts (
  carrier     text NOT NULL,
  carrier_id  text NOT NULL,
  account_sid text NOT NULL,
  sid         text NOT NULL,
  link        text NOT NULL,
  sent_at     timestamptz NOT NULL,
  asked_at    timestamptz,
  CONSTRAINT awaited_receipts_pkey PRIMARY KEY (carrier, carrier_id, sid)
) WITH (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=2000);
CREATE INDEX awaited_receipts_age ON awaited_receipts USING brin (sent_at) WITH (pages_per_range='8');

CREATE TABLE call_legs (
  sid          text NOT NULL,
  call_sid     text NOT NULL,
  leg          text NOT NULL,
  direction    text NOT NULL,
  from_party   text NOT NULL,
  to_party     text NOT NULL,
  status       text NOT NULL,
  rang_at      timestamptz,
  answered_at  timestamptz,
  completed_at timestamptz,
  end_reason   text,
  sip_code     smallint,
  media        json,
  dialog       text,
  hangup       text,
  CONSTRAINT call_legs_pkey PRIMARY KEY (sid),
  CONSTRAINT call_legs_call_sid_fkey FOREIGN KEY (call_sid) REFERENCES calls(sid) ON DELETE CASCADE,
  CONSTRAINT call_legs_direction_check CHECK (direction = ANY (ARRAY['Inbound'::text, 'Outbound'::text])),
  CONSTRAINT call_legs_leg_check CHECK (leg = ANY (ARRAY['First'::text, 'Second'::text])),
  CONSTRAINT call_legs_status_check CHECK (status = ANY (ARRAY['Started'::text, 'Ringing'::text, 'Answered'::text, 'Completed'::text]))
) WITH (fillfactor=60);
CREATE INDEX call_legs_call ON call_legs USING btree (call_sid);

CREATE TABLE call_recordings (
  sid            text NOT NULL,
  call_sid       text NOT NULL,
  account_sid    text NOT NULL,
  status         text NOT NULL,
  switches_asked integer NOT NULL DEFAULT 0,
  switches_done  integer NOT NULL DEFAULT 0,
  fault          text,
  switches_taken integer NOT NULL DEFAULT 0,
  source         text,
  callback       json,
  conference_sid text,
  CONSTRAINT call_recordings_pkey PRIMARY KEY (sid),
  CONSTRAINT call_recordings_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE,
  CONSTRAINT call_recordings_call_sid_fkey FOREIGN KEY (call_sid) REFERENCES calls(sid) ON DELETE CASCADE,
  CONSTRAINT call_recordings_status_check CHECK (status = ANY (ARRAY['Recording'::text, 'Paused'::text, 'Processing'::text, 'Completed'::text, 'Failed'::text]))
) WITH (fillfactor=80);
CREATE INDEX call_recordings_asked ON call_recordings USING btree (call_sid) WHERE switches_asked <> switches_done;
CREATE INDEX call_recordings_by_account ON call_recordings USING btree (account_sid, sid);
CREATE INDEX call_recordings_failed ON call_recordings USING btree (account_sid, sid) WHERE fault IS NOT NULL AND status = 'Failed'::text;
CREATE INDEX call_recordings_faulty ON call_recordings USING btree (sid) WHERE fault IS NOT NULL;
CREATE INDEX call_recordings_of_call ON call_recordings USING btree (call_sid);
CREATE INDEX call_recordings_processing ON call_recordings USING btree (sid) WHERE status = 'Processing'::text;

CREATE TABLE call_steps (
  id       bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  call_sid text NOT NULL,
  at       timestamptz NOT NULL,
  step     text NOT NULL,
  details  json NOT NULL,
  CONSTRAINT call_steps_pkey PRIMARY KEY (id),
  CONSTRAINT call_steps_call_sid_fkey FOREIGN KEY (call_sid) REFERENCES calls(sid) ON DELETE CASCADE
);
CREATE INDEX call_steps_call ON call_steps USING btree (call_sid, id);

CREATE TABLE calls (
  sid                  text NOT NULL,
  account_sid          text NOT NULL,
  direction            text NOT NULL,
  from_party           text NOT NULL,
  to_party             text NOT NULL,
  caller_id            text NOT NULL,
  status               text NOT NULL,
  end_reason           text,
  ended_by             text,
  created_at           timestamptz NOT NULL,
  answered_at          timestamptz,
  completed_at         timestamptz,
  process              integer,
  phone                text NOT NULL,
  messaging_config_sid text,
  events_told          integer NOT NULL DEFAULT 0,
  ring_seconds         integer NOT NULL DEFAULT 30,
  max_seconds          integer NOT NULL DEFAULT 14400,
  hangup_asked         boolean NOT NULL DEFAULT false,
  key_prompt           text,
  request_id           text,
  is_taken_over        boolean NOT NULL DEFAULT false,
  forwarding_to        text,
  forwarding_chain     text[],
  callback             json,
  second_ring_seconds  integer,
  program              json,
  redirection          json,
  redirections_asked   integer NOT NULL DEFAULT 0,
  redirections_taken   integer NOT NULL DEFAULT 0,
  redirections_done    integer NOT NULL DEFAULT 0,
  forwarding_from      text,
  forwarding_others    text[],
  CONSTRAINT calls_pkey PRIMARY KEY (sid),
  CONSTRAINT calls_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE,
  CONSTRAINT calls_direction_check CHECK (direction = ANY (ARRAY['Inbound'::text, 'Outbound'::text])),
  CONSTRAINT calls_status_check CHECK (status = ANY (ARRAY['Started'::text, 'Ringing'::text, 'Answered'::text, 'Completed'::text]))
) WITH (fillfactor=60);
CREATE INDEX calls_account ON calls USING btree (account_sid, sid);
CREATE INDEX calls_active ON calls USING btree (account_sid, process) WHERE status <> 'Completed'::text;
CREATE INDEX calls_by_request_of ON calls USING btree (request_id, account_sid, sid) WHERE request_id IS NOT NULL;
CREATE INDEX calls_forwarding ON calls USING btree (forwarding_to, forwarding_from, cardinality(forwarding_chain)) WHERE forwarding_to IS NOT NULL AND status <> 'Completed'::text;
CREATE INDEX calls_forwarding_others ON calls USING gin (forwarding_others) WHERE forwarding_others IS NOT NULL AND status <> 'Completed'::text;
CREATE INDEX calls_from ON calls USING btree (from_party, sid);
CREATE INDEX calls_process ON calls USING btree (process) WHERE status <> 'Completed'::text;
CREATE INDEX calls_to ON calls USING btree (to_party, sid);
CREATE INDEX calls_waiting ON calls USING btree (sid) WHERE process IS NULL AND status <> 'Completed'::text;

CREATE UNLOGGED TABLE conference_tickets (
  id             text NOT NULL,
  conference_sid text NOT NULL,
  account_sid    text NOT NULL,
  call_sid       text NOT NULL,
  process        integer NOT NULL,
  entry          json NOT NULL,
  expires_at     timestamptz NOT NULL,
  CONSTRAINT conference_tickets_pkey PRIMARY KEY (id)
);
CREATE INDEX conference_tickets_age ON conference_tickets USING btree (expires_at);

CREATE TABLE conferences (
  sid           text NOT NULL,
  account_sid   text NOT NULL,
  name          text NOT NULL,
  status        text NOT NULL,
  process       integer NOT NULL,
  created_at    timestamptz NOT NULL,
  started_at    timestamptz,
  completed_at  timestamptz,
  end_reason    text,
  participants  json NOT NULL,
  callback      json,
  recording_sid text,
  place         text,
  CONSTRAINT conferences_pkey PRIMARY KEY (sid),
  CONSTRAINT conferences_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE
);
CREATE INDEX conferences_by_process ON conferences USING btree (process) WHERE status <> 'Completed'::text;
CREATE INDEX conferences_of_account ON conferences USING btree (account_sid, sid);
CREATE UNIQUE INDEX conferences_open ON conferences USING btree (account_sid, name) WHERE status <> 'Completed'::text;
CREATE TRIGGER remove_conference_recording AFTER DELETE ON conferences FOR EACH ROW WHEN (old.recording_sid IS NOT NULL) EXECUTE FUNCTION remove_conference_recording();

CREATE TABLE deliveries (
  sid              text NOT NULL,
  account_sid      text NOT NULL,
  subscription_sid text NOT NULL,
  event_id         bigint NOT NULL,
  created_at       timestamptz NOT NULL,
  payload_shape    text,
  places           smallint[] NOT NULL,
  failed           smallint[],
  canceled         smallint[],
  CONSTRAINT deliveries_pkey PRIMARY KEY (sid, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX deliveries_by_account ON ONLY deliveries USING btree (account_sid, sid);
CREATE INDEX deliveries_by_event ON ONLY deliveries USING btree (event_id);
CREATE INDEX deliveries_by_subscription ON ONLY deliveries USING btree (subscription_sid, sid);
CREATE INDEX deliveries_undelivered ON ONLY deliveries USING btree (account_sid, sid) WHERE failed IS NOT NULL OR canceled IS NOT NULL;
CREATE TRIGGER undelivered AFTER UPDATE OF failed, canceled ON deliveries FOR EACH ROW EXECUTE FUNCTION note_undelivered();

CREATE TABLE deliveries_default PARTITION OF deliveries DEFAULT;

CREATE TABLE delivery_queue (
  id               bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  claimed_by       integer,
  attempt          smallint NOT NULL DEFAULT 0,
  is_ready         boolean NOT NULL,
  forced           boolean NOT NULL DEFAULT false,
  due_at           timestamptz NOT NULL,
  first_tried_at   timestamptz,
  event_id         bigint NOT NULL,
  created_at       timestamptz NOT NULL,
  delivery_sid     text NOT NULL,
  subscription_sid text NOT NULL,
  payload_shape    text,
  places           smallint[] NOT NULL,
  urls             text[] STORAGE MAIN,
  CONSTRAINT delivery_queue_pkey PRIMARY KEY (id)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=2000);
CREATE INDEX delivery_queue_by_delivery ON delivery_queue USING btree (delivery_sid);
CREATE INDEX delivery_queue_due ON delivery_queue USING btree (due_at) WHERE NOT is_ready;
CREATE INDEX delivery_queue_ready ON delivery_queue USING btree (subscription_sid, id) WHERE is_ready;
CREATE INDEX delivery_queue_tried ON delivery_queue USING btree (first_tried_at) WHERE first_tried_at IS NOT NULL;
CREATE INDEX delivery_queue_waiting ON delivery_queue USING btree (subscription_sid) WHERE NOT is_ready;

CREATE TABLE early_receipts (
  carrier     text NOT NULL,
  carrier_id  text NOT NULL,
  receipt     json NOT NULL,
  received_at timestamptz NOT NULL,
  compare_at  timestamptz NOT NULL DEFAULT now(),
  compared    smallint NOT NULL DEFAULT 0
);
CREATE INDEX early_receipts_age ON early_receipts USING btree (received_at);
CREATE INDEX early_receipts_by_id ON early_receipts USING btree (carrier, carrier_id);
CREATE INDEX early_receipts_due ON early_receipts USING btree (compare_at);

CREATE TABLE events (
  id           bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  xid          xid8 NOT NULL DEFAULT event_position(pg_current_xact_id()),
  account_sid  text NOT NULL,
  type         text NOT NULL,
  resource_sid text NOT NULL,
  sequence     integer NOT NULL,
  fields       json NOT NULL,
  created_at   timestamptz NOT NULL,
  batch        text,
  CONSTRAINT events_pkey PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX events_by_type ON ONLY events USING btree (account_sid, type, created_at);
CREATE INDEX events_log ON ONLY events USING btree (account_sid, xid, id);
CREATE INDEX events_resource ON ONLY events USING btree (resource_sid, sequence);

CREATE TABLE events_default PARTITION OF events DEFAULT;

CREATE TABLE feature_requests (
  sid         text NOT NULL,
  account_sid text NOT NULL,
  feature     text NOT NULL,
  status      text NOT NULL,
  created_at  timestamptz NOT NULL,
  decided_at  timestamptz,
  CONSTRAINT feature_requests_pkey PRIMARY KEY (sid),
  CONSTRAINT feature_requests_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE,
  CONSTRAINT feature_requests_status_check CHECK (status = ANY (ARRAY['Open'::text, 'Granted'::text, 'Declined'::text]))
);
CREATE UNIQUE INDEX feature_requests_open ON feature_requests USING btree (account_sid, feature) WHERE status = 'Open'::text;

CREATE TABLE inbound_messages (
  account_sid           text NOT NULL,
  sid                   text NOT NULL,
  from_number           text NOT NULL,
  to_number             text NOT NULL,
  additional_recipients text[] NOT NULL,
  text                  text NOT NULL,
  media                 json NOT NULL,
  segment_count         smallint NOT NULL,
  conversation_metadata text,
  link                  text NOT NULL,
  created_at            timestamptz NOT NULL,
  CONSTRAINT inbound_messages_pkey PRIMARY KEY (account_sid, sid)
);
CREATE INDEX inbound_messages_from ON inbound_messages USING btree (account_sid, from_number, sid);

CREATE TABLE inbound_parts (
  carrier     text NOT NULL,
  from_number text NOT NULL,
  to_number   text NOT NULL,
  reference   integer NOT NULL,
  total       smallint NOT NULL,
  index       smallint NOT NULL,
  octets      bytea NOT NULL,
  data_coding smallint NOT NULL,
  link        text NOT NULL,
  received_at timestamptz NOT NULL,
  CONSTRAINT inbound_parts_pkey PRIMARY KEY (carrier, from_number, to_number, reference, total, index)
);
CREATE INDEX inbound_parts_age ON inbound_parts USING btree (received_at);

CREATE TABLE inventory_numbers (
  id         bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  number     text NOT NULL,
  features   text[] NOT NULL,
  created_at timestamptz NOT NULL,
  country    text,
  CONSTRAINT inventory_numbers_pkey PRIMARY KEY (number),
  CONSTRAINT inventory_numbers_id_key UNIQUE (id),
  CONSTRAINT inventory_numbers_country CHECK ((country IS NULL) = (number ~~ '+%'::text))
);

CREATE TABLE kept_answers (
  scope          text NOT NULL,
  key            text NOT NULL,
  claim_id       uuid NOT NULL,
  request_digest bytea NOT NULL,
  claimed_at     timestamptz NOT NULL,
  answer         bytea,
  CONSTRAINT kept_answers_pkey PRIMARY KEY (scope, key)
);
CREATE INDEX kept_answers_age ON kept_answers USING btree (claimed_at);

CREATE TABLE lease_holders (
  lock_class integer NOT NULL,
  id         integer NOT NULL,
  lease      text NOT NULL,
  place      text,
  pid        integer NOT NULL,
  started    text,
  CONSTRAINT lease_holders_pkey PRIMARY KEY (lock_class, id)
);

CREATE UNLOGGED TABLE live_entries (
  id          bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  process     text NOT NULL,
  kind        text NOT NULL,
  account_sid text NOT NULL,
  entries     text NOT NULL,
  created_at  timestamptz NOT NULL,
  CONSTRAINT live_entries_pkey PRIMARY KEY (id)
);
CREATE INDEX live_entries_age ON live_entries USING btree (created_at);

CREATE UNLOGGED TABLE live_watches (
  process     text NOT NULL,
  kind        text NOT NULL,
  account_sid text NOT NULL,
  until_at    timestamptz NOT NULL,
  CONSTRAINT live_watches_pkey PRIMARY KEY (process, kind, account_sid)
);

CREATE TABLE lookup_cache (
  number       text NOT NULL,
  source       text NOT NULL,
  status       text NOT NULL,
  type         text NOT NULL,
  carrier_name text,
  as_of        timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  ported       boolean,
  CONSTRAINT lookup_cache_pkey PRIMARY KEY (number)
);
CREATE INDEX lookup_cache_expiry ON lookup_cache USING btree (expires_at);

CREATE TABLE lookup_overrides (
  id           bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  number       text NOT NULL,
  status       text NOT NULL,
  type         text NOT NULL,
  carrier_name text,
  note         text,
  updated_at   timestamptz NOT NULL,
  CONSTRAINT lookup_overrides_pkey PRIMARY KEY (number),
  CONSTRAINT lookup_overrides_id_key UNIQUE (id)
);

CREATE TABLE media_files (
  sid          text NOT NULL,
  account_sid  text NOT NULL,
  content_type text NOT NULL,
  name         text,
  size_bytes   integer NOT NULL,
  sha256       text NOT NULL,
  created_at   timestamptz NOT NULL,
  file         text,
  CONSTRAINT media_files_pkey PRIMARY KEY (sid)
);
CREATE TRIGGER release_media AFTER DELETE ON media_files REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION release_media();

CREATE TABLE message_steps (
  id      bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  sid     text NOT NULL,
  at      timestamptz NOT NULL,
  step    text NOT NULL,
  details json NOT NULL,
  CONSTRAINT message_steps_pkey PRIMARY KEY (sid, id)
);

CREATE TABLE messaging_configs (
  sid                    text NOT NULL,
  account_sid            text NOT NULL,
  name                   text NOT NULL,
  tcr_campaign_id        text,
  sending_times          jsonb,
  default_expiry_seconds integer NOT NULL,
  opt_out_reply          text,
  opt_in_reply           text,
  help_reply             text,
  created_at             timestamptz NOT NULL,
  opt_out_keywords       text[] NOT NULL DEFAULT '{}'::text[],
  opt_in_keywords        text[] NOT NULL DEFAULT '{}'::text[],
  help_keywords          text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT messaging_configs_pkey PRIMARY KEY (sid),
  CONSTRAINT messaging_configs_tcr_campaign_id_key UNIQUE (tcr_campaign_id),
  CONSTRAINT messaging_configs_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE,
  CONSTRAINT messaging_configs_tcr_campaign_id_fkey FOREIGN KEY (tcr_campaign_id) REFERENCES tcr_campaigns(tcr_campaign_id)
);
CREATE INDEX messaging_configs_by_account ON messaging_configs USING btree (account_sid, sid);
CREATE INDEX messaging_configs_ids ON messaging_configs USING gin (campaign_ids_in(name));

CREATE UNLOGGED TABLE nodes (
  sid            text NOT NULL,
  host           text NOT NULL,
  place          text,
  pid            integer NOT NULL,
  started        text,
  version        text NOT NULL,
  roles          text[] NOT NULL,
  url            text NOT NULL,
  state          text NOT NULL,
  clock          text NOT NULL,
  links          text[] NOT NULL,
  started_at     timestamptz NOT NULL,
  seen_at        timestamptz NOT NULL,
  drain_asked_at timestamptz,
  trunks         jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT nodes_pkey PRIMARY KEY (sid),
  CONSTRAINT nodes_state_check CHECK (state = ANY (ARRAY['Starting'::text, 'Ready'::text, 'Draining'::text]))
) WITH (fillfactor=50);

CREATE TABLE operator_tokens (
  name       text NOT NULL,
  digest     bytea NOT NULL,
  created_at timestamptz NOT NULL,
  role       text NOT NULL,
  CONSTRAINT operator_tokens_pkey PRIMARY KEY (name),
  CONSTRAINT operator_tokens_role_check CHECK (role = ANY (ARRAY['admin'::text, 'support'::text]))
);

CREATE TABLE opt_outs (
  id          bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  account_sid text NOT NULL,
  number      text NOT NULL,
  scope_type  text NOT NULL,
  scope       text NOT NULL,
  keyword     text,
  created_at  timestamptz NOT NULL,
  CONSTRAINT opt_outs_pkey PRIMARY KEY (account_sid, number, scope_type, scope),
  CONSTRAINT opt_outs_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE,
  CONSTRAINT opt_outs_scope_type_check CHECK (scope_type = ANY (ARRAY['SenderPhoneNumber'::text, 'TcrCampaign'::text]))
);
CREATE INDEX opt_outs_by_account ON opt_outs USING btree (account_sid, id);

CREATE TABLE outbound_messages (
  account_sid           text NOT NULL,
  sid                   text NOT NULL,
  from_number           text NOT NULL,
  to_number             text NOT NULL,
  recipients            text[],
  text                  text NOT NULL,
  media_urls            text[],
  status                text NOT NULL,
  status_reason         text,
  segment_count         smallint NOT NULL,
  encoding              text NOT NULL,
  carrier               text,
  messaging_config_sid  text,
  tcr_campaign_id       text,
  priority              smallint NOT NULL,
  error_code            integer NOT NULL DEFAULT 0,
  error_description     text,
  conversation_metadata text,
  callback_url          text,
  is_reply              boolean NOT NULL DEFAULT false,
  created_at            timestamptz NOT NULL,
  send_at               timestamptz,
  expires_at            timestamptz NOT NULL,
  link                  text,
  carrier_ids           text[],
  parts_delivered       smallint NOT NULL DEFAULT 0,
  events_told           smallint NOT NULL DEFAULT 0,
  sent_at               timestamptz,
  delivered_at          timestamptz,
  unhappy               text GENERATED ALWAYS AS ( CASE WHEN status = ANY (ARRAY['Failed'::text, 'Expired'::text, 'Canceled'::text]) THEN status ELSE NULL::text END) STORED,
  request_id            text,
  callback_shape        text,
  callback_statuses     text,
  event_xids            xid8[],
  CONSTRAINT outbound_messages_pkey PRIMARY KEY (account_sid, sid)
) PARTITION BY RANGE (sid);
CREATE INDEX outbound_messages_by_request_of ON ONLY outbound_messages USING btree (request_id, account_sid, sid) WHERE request_id IS NOT NULL;
CREATE INDEX outbound_messages_lost ON ONLY outbound_messages USING btree (to_number, sid) WHERE error_code = 3100;
CREATE INDEX outbound_messages_members ON ONLY outbound_messages USING gin (recipients) WHERE recipients IS NOT NULL;
CREATE INDEX outbound_messages_to ON ONLY outbound_messages USING btree (to_number, sid);
CREATE INDEX outbound_messages_unhappy ON ONLY outbound_messages USING btree (account_sid, unhappy, sid) WHERE unhappy IS NOT NULL;

CREATE TABLE outbound_messages_later PARTITION OF outbound_messages FOR VALUES FROM ('OM…') TO (MAXVALUE) WITH (fillfactor=50);

CREATE TABLE outbound_messages_older PARTITION OF outbound_messages FOR VALUES FROM (MINVALUE) TO ('OM…') WITH (fillfactor=50);

CREATE TABLE outbound_queue (
  sid         text NOT NULL,
  account_sid text NOT NULL,
  from_number text NOT NULL,
  priority    smallint NOT NULL,
  due_at      timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  deferrals   smallint NOT NULL DEFAULT 0,
  route       text NOT NULL DEFAULT ''::text,
  shard       smallint NOT NULL DEFAULT 0,
  is_ready    boolean NOT NULL DEFAULT false,
  back_from   bigint,
  CONSTRAINT outbound_queue_pkey PRIMARY KEY (sid)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=2000);
CREATE INDEX outbound_queue_due ON outbound_queue USING btree (due_at) WHERE NOT is_ready;
CREATE INDEX outbound_queue_expiry ON outbound_queue USING btree (expires_at);
CREATE INDEX outbound_queue_held ON outbound_queue USING btree (from_number, sid) WHERE due_at = 'infinity'::timestamptz;
CREATE INDEX outbound_queue_ready ON outbound_queue USING btree (route, account_sid, priority, sid, shard) WHERE is_ready;

CREATE TABLE phones (
  id                     bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  number                 text NOT NULL,
  account_sid            text NOT NULL,
  name                   text,
  status                 text NOT NULL,
  status_reason          text,
  messaging_config_sid   text,
  port_order_sid         text,
  features               text[] NOT NULL,
  registered_campaign_id text,
  calls_forwarded_to     text,
  record_inbound_calls   boolean NOT NULL DEFAULT false,
  created_at             timestamptz NOT NULL,
  updated_at             timestamptz NOT NULL,
  activating_campaign_id text,
  activate_at            timestamptz,
  CONSTRAINT phones_pkey PRIMARY KEY (id),
  CONSTRAINT phones_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE,
  CONSTRAINT phones_messaging_config_sid_fkey FOREIGN KEY (messaging_config_sid) REFERENCES messaging_configs(sid),
  CONSTRAINT phones_status_check CHECK (status = ANY (ARRAY['PendingPortIn'::text, 'PendingMessagingConfigAdd'::text, 'PendingTcrCampaignAdd'::text, 'PendingTcrCampaignChange'::text, 'Active'::text, 'Removed'::text]))
);
CREATE INDEX phones_activating ON phones USING btree (activate_at) WHERE activate_at IS NOT NULL;
CREATE INDEX phones_by_account ON phones USING btree (account_sid, id);
CREATE INDEX phones_by_config ON phones USING btree (messaging_config_sid) WHERE messaging_config_sid IS NOT NULL;
CREATE INDEX phones_by_number ON phones USING btree (number, id);
CREATE INDEX phones_pending ON phones USING btree (account_sid, status) WHERE status <> ALL (ARRAY['Active'::text, 'Removed'::text]);
CREATE UNIQUE INDEX phones_served ON phones USING btree (number) WHERE status <> 'Removed'::text;

CREATE TABLE port_documents (
  order_sid    text NOT NULL,
  place        smallint NOT NULL,
  name         text NOT NULL,
  content_type text NOT NULL,
  sha256       text NOT NULL,
  page_count   integer NOT NULL,
  content      bytea STORAGE EXTERNAL NOT NULL,
  created_at   timestamptz NOT NULL,
  CONSTRAINT port_documents_pkey PRIMARY KEY (order_sid, place),
  CONSTRAINT port_documents_order_sid_sha256_key UNIQUE (order_sid, sha256),
  CONSTRAINT port_documents_order_sid_fkey FOREIGN KEY (order_sid) REFERENCES port_orders(sid) ON DELETE CASCADE
);

CREATE TABLE port_order_numbers (
  order_sid          text NOT NULL,
  place              smallint NOT NULL,
  number             text NOT NULL,
  status             text NOT NULL,
  phase              jsonb NOT NULL,
  voice_moved_at     timestamptz,
  messaging_moved_at timestamptz,
  refusal            jsonb,
  CONSTRAINT port_order_numbers_pkey PRIMARY KEY (order_sid, place),
  CONSTRAINT port_order_numbers_order_sid_fkey FOREIGN KEY (order_sid) REFERENCES port_orders(sid) ON DELETE CASCADE,
  CONSTRAINT port_order_numbers_status_check CHECK (status = ANY (ARRAY['Submitted'::text, 'Exception'::text, 'FocConfirmed'::text, 'Activating'::text, 'Completed'::text, 'PartiallyCompleted'::text, 'Cancelled'::text, 'Failed'::text]))
);
CREATE INDEX port_order_numbers_by_number ON port_order_numbers USING btree (number);

CREATE TABLE port_orders (
  sid                  text NOT NULL,
  account_sid          text NOT NULL,
  messaging_config_sid text NOT NULL,
  status               text NOT NULL,
  sequence             integer NOT NULL,
  details              jsonb NOT NULL,
  pins                 bytea,
  refused_request      jsonb,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  CONSTRAINT port_orders_pkey PRIMARY KEY (sid),
  CONSTRAINT port_orders_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE,
  CONSTRAINT port_orders_status_check CHECK (status = ANY (ARRAY['Submitted'::text, 'Exception'::text, 'FocConfirmed'::text, 'Completed'::text, 'PartiallyCompleted'::text, 'Cancelled'::text, 'Failed'::text]))
);
CREATE INDEX port_orders_by_account ON port_orders USING btree (account_sid, sid);
CREATE INDEX port_orders_by_config ON port_orders USING btree (messaging_config_sid, sid);
CREATE INDEX port_orders_by_status ON port_orders USING btree (status, sid);

CREATE TABLE port_requests (
  id        bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  order_sid text NOT NULL,
  kind      text NOT NULL,
  due_at    timestamptz NOT NULL,
  failures  integer NOT NULL DEFAULT 0,
  asked_at  timestamptz NOT NULL,
  CONSTRAINT port_requests_pkey PRIMARY KEY (id),
  CONSTRAINT port_requests_order_sid_fkey FOREIGN KEY (order_sid) REFERENCES port_orders(sid) ON DELETE CASCADE,
  CONSTRAINT port_requests_kind_check CHECK (kind = ANY (ARRAY['submit'::text, 'supplement'::text, 'cancel'::text]))
);
CREATE INDEX port_requests_by_order ON port_requests USING btree (order_sid, id);
CREATE INDEX port_requests_due ON port_requests USING btree (due_at);

CREATE TABLE port_updates (
  place  boolean NOT NULL DEFAULT true,
  cursor text,
  ask_at timestamptz NOT NULL,
  CONSTRAINT port_updates_pkey PRIMARY KEY (place),
  CONSTRAINT port_updates_place_check CHECK (place)
);

CREATE UNLOGGED TABLE rate_windows (
  subject      text NOT NULL,
  class        text NOT NULL,
  window_start bigint NOT NULL,
  used         bigint NOT NULL,
  leases       jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT rate_windows_pkey PRIMARY KEY (subject, class)
) WITH (fillfactor=50);

CREATE TABLE received_keys (
  carrier     text NOT NULL,
  key         text NOT NULL,
  session     text NOT NULL,
  received_at timestamptz NOT NULL,
  CONSTRAINT received_keys_pkey PRIMARY KEY (carrier, key)
);
CREATE INDEX received_keys_age ON received_keys USING btree (received_at);

CREATE TABLE reconciles (
  name             text NOT NULL,
  last_started_at  timestamptz NOT NULL,
  last_finished_at timestamptz NOT NULL,
  outcome          text NOT NULL,
  details          jsonb NOT NULL,
  CONSTRAINT reconciles_pkey PRIMARY KEY (name),
  CONSTRAINT reconciles_outcome_check CHECK (outcome = ANY (ARRAY['Done'::text, 'Failed'::text]))
);

CREATE TABLE recording_segments (
  recording_sid text NOT NULL,
  index         integer NOT NULL,
  started_at    timestamptz NOT NULL,
  raw_file      text,
  raw_host      text NOT NULL,
  samples       integer,
  state         text NOT NULL,
  attempts      integer NOT NULL DEFAULT 0,
  due_at        timestamptz,
  leased_by     text,
  fault         text,
  size_bytes    integer,
  sha256        text,
  key           text,
  account_sid   text NOT NULL,
  CONSTRAINT recording_segments_pkey PRIMARY KEY (recording_sid, index),
  CONSTRAINT recording_segments_recording_sid_fkey FOREIGN KEY (recording_sid) REFERENCES call_recordings(sid) ON DELETE CASCADE,
  CONSTRAINT recording_segments_state_check CHECK (state = ANY (ARRAY['Recording'::text, 'Waiting'::text, 'Encoding'::text, 'Done'::text, 'Failed'::text]))
) WITH (fillfactor=80);
CREATE INDEX recording_segments_needless ON recording_segments USING btree (raw_host) WHERE state = 'Done'::text AND raw_file IS NOT NULL;
CREATE INDEX recording_segments_open ON recording_segments USING btree (raw_host) WHERE state = 'Recording'::text;
CREATE INDEX recording_segments_queue ON recording_segments USING btree (raw_host, due_at) WHERE state = ANY (ARRAY['Waiting'::text, 'Encoding'::text]);
CREATE INDEX recording_segments_waiting ON recording_segments USING btree (raw_host, account_sid, due_at) WHERE state = 'Waiting'::text;
CREATE TRIGGER removed_segment AFTER DELETE ON recording_segments FOR EACH ROW EXECUTE FUNCTION note_removed_segment();

CREATE TABLE refused_requests (
  id          bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  created_at  timestamptz NOT NULL,
  account_sid text,
  operation   text,
  status      integer NOT NULL,
  code        text NOT NULL,
  fault       text,
  trace_id    text NOT NULL,
  request_id  text NOT NULL,
  CONSTRAINT refused_requests_pkey PRIMARY KEY (id)
);
CREATE INDEX refused_requests_age ON refused_requests USING btree (created_at);
CREATE INDEX refused_requests_by_account ON refused_requests USING btree (account_sid, id);
CREATE INDEX refused_requests_by_request ON refused_requests USING btree (request_id);
CREATE INDEX refused_requests_by_trace ON refused_requests USING btree (trace_id);

CREATE TABLE registrations (
  trunk      text NOT NULL,
  uri        text NOT NULL,
  place      text NOT NULL,
  process    integer,
  instance   text,
  q          double precision NOT NULL,
  call_id    text NOT NULL,
  cseq       integer NOT NULL,
  transport  text NOT NULL,
  address    text NOT NULL,
  port       integer NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT registrations_pkey PRIMARY KEY (trunk, uri, place),
  CONSTRAINT registrations_transport_check CHECK (transport = ANY (ARRAY['UDP'::text, 'TCP'::text, 'TLS'::text]))
) WITH (fillfactor=50);

CREATE TABLE registry_campaigns (
  tcr_campaign_id text NOT NULL,
  cnp_id          text NOT NULL,
  account_sid     text,
  standing        text NOT NULL,
  reason          text,
  standing_since  timestamptz NOT NULL,
  facts           jsonb,
  listed          text,
  seen_at         timestamptz NOT NULL,
  ask_at          timestamptz NOT NULL,
  failures        integer NOT NULL DEFAULT 0,
  CONSTRAINT registry_campaigns_pkey PRIMARY KEY (tcr_campaign_id),
  CONSTRAINT registry_campaigns_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE SET NULL,
  CONSTRAINT registry_campaigns_standing_check CHECK (standing = ANY (ARRAY['Unknown'::text, 'NotOurs'::text, 'AwaitingUs'::text, 'AwaitingUpstream'::text, 'Ours'::text, 'Declined'::text, 'Cancelled'::text, 'Expired'::text]))
);
CREATE INDEX registry_campaigns_by_account ON registry_campaigns USING btree (account_sid, tcr_campaign_id);
CREATE INDEX registry_campaigns_due ON registry_campaigns USING btree (cnp_id, ask_at);
CREATE INDEX registry_campaigns_nobodys ON registry_campaigns USING btree (seen_at, tcr_campaign_id) WHERE account_sid IS NULL;

CREATE TABLE removed_segments (
  id       bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  key      text,
  raw_file text,
  raw_host text NOT NULL,
  CONSTRAINT removed_segments_pkey PRIMARY KEY (id)
);

CREATE TABLE retention_turns (
  account_sid text NOT NULL,
  due_at      timestamptz NOT NULL,
  reached     jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT retention_turns_pkey PRIMARY KEY (account_sid),
  CONSTRAINT retention_turns_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE
);
CREATE INDEX retention_turns_due ON retention_turns USING btree (due_at);

CREATE TABLE retired_keys (
  id         text NOT NULL,
  sealed     bytea NOT NULL,
  retired_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT retired_keys_pkey PRIMARY KEY (id)
);

CREATE TABLE saved_views (
  sid         text NOT NULL,
  account_sid text,
  operator    text,
  name        text NOT NULL,
  address     text NOT NULL,
  created_at  timestamptz NOT NULL,
  CONSTRAINT saved_views_pkey PRIMARY KEY (sid),
  CONSTRAINT saved_views_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE,
  CONSTRAINT saved_views_operator_fkey FOREIGN KEY (operator) REFERENCES operator_tokens(name) ON DELETE CASCADE,
  CONSTRAINT saved_views_check CHECK (num_nonnulls(account_sid, operator) = 1)
);
CREATE UNIQUE INDEX saved_views_of_account ON saved_views USING btree (account_sid, name) WHERE account_sid IS NOT NULL;
CREATE UNIQUE INDEX saved_views_of_operator ON saved_views USING btree (operator, name) WHERE operator IS NOT NULL;

CREATE TABLE schema_steps (
  name        text NOT NULL,
  checksum    text NOT NULL,
  applied_at  timestamptz NOT NULL DEFAULT now(),
  is_additive boolean NOT NULL DEFAULT false,
  CONSTRAINT schema_steps_pkey PRIMARY KEY (name)
);

CREATE TABLE secret_key_check (
  is_the_row boolean NOT NULL DEFAULT true,
  sealed     bytea NOT NULL,
  CONSTRAINT secret_key_check_pkey PRIMARY KEY (is_the_row),
  CONSTRAINT secret_key_check_is_the_row_check CHECK (is_the_row)
);

CREATE TABLE sending_lease (
  term       integer NOT NULL,
  started_at timestamptz NOT NULL
);

CREATE TABLE sessions (
  digest      bytea NOT NULL,
  account_sid text,
  token_n     smallint,
  operator    text,
  created_at  timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (digest),
  CONSTRAINT sessions_account_sid_token_n_fkey FOREIGN KEY (account_sid, token_n) REFERENCES account_tokens(account_sid, n) ON DELETE CASCADE,
  CONSTRAINT sessions_operator_fkey FOREIGN KEY (operator) REFERENCES operator_tokens(name) ON DELETE CASCADE,
  CONSTRAINT sessions_check CHECK (num_nonnulls(account_sid, operator) = 1 AND num_nonnulls(account_sid, token_n) <> 1)
);
CREATE INDEX sessions_account ON sessions USING btree (account_sid, token_n) WHERE account_sid IS NOT NULL;
CREATE INDEX sessions_age ON sessions USING btree (expires_at);
CREATE INDEX sessions_operator ON sessions USING btree (operator) WHERE operator IS NOT NULL;

CREATE TABLE sign_in_tickets (
  digest      bytea NOT NULL,
  account_sid text NOT NULL,
  token_n     smallint NOT NULL,
  expires_at  timestamptz NOT NULL,
  CONSTRAINT sign_in_tickets_pkey PRIMARY KEY (digest),
  CONSTRAINT sign_in_tickets_account_sid_token_n_fkey FOREIGN KEY (account_sid, token_n) REFERENCES account_tokens(account_sid, n) ON DELETE CASCADE
);
CREATE INDEX sign_in_tickets_account ON sign_in_tickets USING btree (account_sid, token_n);

CREATE TABLE sip_messages (
  id        bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  call_sid  text NOT NULL,
  leg       text NOT NULL,
  at        timestamptz NOT NULL,
  direction text NOT NULL,
  peer      text NOT NULL,
  local     text NOT NULL,
  transport text NOT NULL,
  text      text NOT NULL,
  CONSTRAINT sip_messages_pkey PRIMARY KEY (id),
  CONSTRAINT sip_messages_call_sid_fkey FOREIGN KEY (call_sid) REFERENCES calls(sid) ON DELETE CASCADE,
  CONSTRAINT sip_messages_direction_check CHECK (direction = ANY (ARRAY['Sent'::text, 'Received'::text]))
);
CREATE INDEX sip_messages_age ON sip_messages USING btree (at);
CREATE INDEX sip_messages_call ON sip_messages USING btree (call_sid, id);

CREATE TABLE statistics_counts (
  account_sid text NOT NULL,
  kind        text NOT NULL,
  hour        timestamptz NOT NULL,
  outcome     text NOT NULL,
  carrier     text NOT NULL,
  count       bigint NOT NULL,
  CONSTRAINT statistics_counts_pkey PRIMARY KEY (account_sid, kind, hour, outcome, carrier)
);
CREATE INDEX statistics_counts_age ON statistics_counts USING btree (hour);

CREATE TABLE statistics_progress (
  is_the_row    boolean NOT NULL DEFAULT true,
  from_xid      xid8 NOT NULL DEFAULT '0'::xid8,
  to_xid        xid8 NOT NULL DEFAULT '0'::xid8,
  at_id         bigint NOT NULL DEFAULT 0,
  to_id         bigint NOT NULL DEFAULT 0,
  reaches       timestamptz NOT NULL DEFAULT '-infinity'::timestamptz,
  counted_until timestamptz NOT NULL DEFAULT '-infinity'::timestamptz,
  mark_xid      xid8 NOT NULL DEFAULT '0'::xid8,
  mark_id       bigint NOT NULL DEFAULT 0,
  marked_at     timestamptz NOT NULL DEFAULT '-infinity'::timestamptz,
  prior_id      bigint NOT NULL DEFAULT 0,
  floor_id      bigint NOT NULL DEFAULT 0,
  CONSTRAINT statistics_progress_pkey PRIMARY KEY (is_the_row),
  CONSTRAINT statistics_progress_is_the_row_check CHECK (is_the_row)
) WITH (fillfactor=50);

CREATE TABLE stopped_links (
  name       text NOT NULL,
  stopped_at timestamptz NOT NULL,
  CONSTRAINT stopped_links_pkey PRIMARY KEY (name)
);

CREATE TABLE stopped_trunks (
  name       text NOT NULL,
  stopped_at timestamptz NOT NULL,
  CONSTRAINT stopped_trunks_pkey PRIMARY KEY (name)
);

CREATE TABLE stored_media (
  file   text NOT NULL,
  host   text,
  uses   integer NOT NULL,
  due_at timestamptz NOT NULL,
  CONSTRAINT stored_media_pkey PRIMARY KEY (file)
);
CREATE INDEX stored_media_unused ON stored_media USING btree (due_at) WHERE uses = 0;

CREATE TABLE submits (
  term         integer NOT NULL,
  number       bigint NOT NULL,
  link         text NOT NULL,
  account_sids text[] STORAGE EXTERNAL NOT NULL,
  sids         text[] STORAGE EXTERNAL NOT NULL,
  CONSTRAINT submits_pkey PRIMARY KEY (term, number)
) WITH (toast_tuple_target=8160, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=2000);

CREATE TABLE support_links (
  sid         text NOT NULL,
  account_sid text NOT NULL,
  address     text NOT NULL,
  created_at  timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  CONSTRAINT support_links_pkey PRIMARY KEY (sid),
  CONSTRAINT support_links_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE
);
CREATE INDEX support_links_age ON support_links USING btree (expires_at);
CREATE INDEX support_links_of_account ON support_links USING btree (account_sid, sid);

CREATE TABLE tcr_campaigns (
  tcr_campaign_id text NOT NULL,
  account_sid     text NOT NULL,
  tcr_brand_id    text NOT NULL,
  name            text NOT NULL,
  status          text NOT NULL,
  throughput      jsonb NOT NULL,
  imported_at     timestamptz NOT NULL,
  source          text NOT NULL,
  CONSTRAINT tcr_campaigns_pkey PRIMARY KEY (tcr_campaign_id),
  CONSTRAINT tcr_campaigns_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE,
  CONSTRAINT tcr_campaigns_source_check CHECK (source = ANY (ARRAY['Registry'::text, 'Manual'::text])),
  CONSTRAINT tcr_campaigns_status_check CHECK (status = ANY (ARRAY['Active'::text, 'Suspended'::text, 'Expired'::text]))
);
CREATE INDEX tcr_campaigns_by_time ON tcr_campaigns USING btree (imported_at, tcr_campaign_id);
CREATE INDEX tcr_campaigns_inactive ON tcr_campaigns USING btree (account_sid, status) WHERE status <> 'Active'::text;
CREATE INDEX tcr_campaigns_of_account ON tcr_campaigns USING btree (account_sid, imported_at, tcr_campaign_id);

CREATE TABLE text_blocks (
  account_sid text NOT NULL,
  last_sid    text NOT NULL,
  words       text,
  CONSTRAINT text_blocks_pkey PRIMARY KEY (account_sid, last_sid),
  CONSTRAINT text_blocks_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE
);
CREATE INDEX text_blocks_to_make ON text_blocks USING btree (account_sid) WHERE words IS NULL;

CREATE TABLE told_links (
  name        text NOT NULL,
  carrier     text NOT NULL,
  kind        text NOT NULL,
  state       text NOT NULL,
  reason      text NOT NULL,
  since       timestamptz NOT NULL,
  room        integer NOT NULL,
  told_at     timestamptz NOT NULL,
  term        integer NOT NULL,
  window_size integer,
  in_flight   integer NOT NULL DEFAULT 0,
  per_second  real NOT NULL DEFAULT 0,
  p95_ms      integer,
  CONSTRAINT told_links_pkey PRIMARY KEY (name)
);

CREATE TABLE undelivered_changes (
  id          bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  account_sid text NOT NULL,
  created_at  timestamptz NOT NULL,
  failed      integer NOT NULL,
  canceled    integer NOT NULL,
  CONSTRAINT undelivered_changes_pkey PRIMARY KEY (id)
);

CREATE TABLE webhook_slots (
  slot   smallint NOT NULL,
  worker integer,
  CONSTRAINT webhook_slots_pkey PRIMARY KEY (slot)
);

CREATE TABLE webhook_subscriptions (
  sid                  text NOT NULL,
  account_sid          text NOT NULL,
  url                  text NOT NULL,
  backup_url           text,
  messaging_config_sid text,
  phone                text,
  payload_shape        text NOT NULL,
  enabled              boolean NOT NULL,
  disabled_reason      text,
  secret               bytea NOT NULL,
  secret_created_at    timestamptz NOT NULL,
  bearer               bytea,
  created_at           timestamptz NOT NULL,
  last_success_at      timestamptz,
  failing_since        timestamptz,
  is_callback          boolean NOT NULL DEFAULT false,
  replaced_secrets     bytea[] NOT NULL DEFAULT '{}'::bytea[],
  replaced_until       timestamptz[] NOT NULL DEFAULT '{}'::timestamptz[],
  types                text[] NOT NULL,
  method               text,
  backup_method        text,
  CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (sid),
  CONSTRAINT webhook_subscriptions_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES accounts(sid) ON DELETE CASCADE,
  CONSTRAINT webhook_subscriptions_check CHECK (messaging_config_sid IS NULL OR phone IS NULL)
);
CREATE INDEX webhook_subscriptions_by_account ON webhook_subscriptions USING btree (account_sid, sid);
CREATE INDEX webhook_subscriptions_failing ON webhook_subscriptions USING btree (account_sid, sid) WHERE enabled AND failing_since IS NOT NULL;
CREATE INDEX webhook_subscriptions_off ON webhook_subscriptions USING btree (account_sid, sid) WHERE NOT enabled AND disabled_reason IS NOT NULL;

CREATE TABLE webhook_workers (
  id         integer NOT NULL,
  started_at timestamptz NOT NULL,
  delivers   boolean NOT NULL DEFAULT true,
  CONSTRAINT webhook_workers_pkey PRIMARY KEY (id)
);
