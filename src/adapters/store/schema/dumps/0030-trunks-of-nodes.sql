-- A database at step 0030-trunks-of-nodes with rows in every table, which upgrade.test.ts restores to apply the later
-- steps to it. It is the one of 0007-active-calls-by-process with the steps applied; made in the same way, with rows in
-- the tables and columns that the steps added.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE DOMAIN public.statement_deadline AS timestamp with time zone
	CONSTRAINT statement_deadline_check CHECK ((VALUE > clock_timestamp()));
CREATE FUNCTION public.batch_of(delivery_sid text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select left(delivery_sid, -2) || '00'
$$;
CREATE FUNCTION public.campaign_ids_in(name text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
  select array(
    select distinct part from generate_series(1, char_length(name)) as start, unnest(array[7, 8]) as length,
           substr(upper(name collate "C"), start, length) as part
     where part collate "C" ~ '^C[A-Z0-9]{6,7}$')
$_$;
CREATE FUNCTION public.delivery_sid(at timestamp with time zone) RETURNS text
    LANGUAGE sql
    AS $$
  select 'WH' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14, 17) || '00'
$$;
CREATE FUNCTION public.event_position(transaction xid8) RETURNS xid8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ select transaction $$;
CREATE FUNCTION public.note_removed_segment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into removed_segments (key, raw_file, raw_host) values (old.key, old.raw_file, old.raw_host);
  return null;
end $$;
CREATE FUNCTION public.note_undelivered() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into undelivered_changes (account_sid, created_at, failed, canceled)
  values (new.account_sid, new.created_at,
          coalesce(cardinality(new.failed), 0) - coalesce(cardinality(old.failed), 0),
          coalesce(cardinality(new.canceled), 0) - coalesce(cardinality(old.canceled), 0));
  return null;
end $$;
CREATE FUNCTION public.place_of(delivery_sid text) RETURNS smallint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select ('x' || right(delivery_sid, 2))::bit(8)::integer::smallint
$$;
CREATE FUNCTION public.release_media() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if old.file is null then
    insert into stored_media (file, uses, due_at) values (old.sha256, 0, now())
    on conflict (file) do update set due_at = excluded.due_at;
  else
    update stored_media set uses = uses - 1, due_at = now() where file = old.file;
  end if;
  return null;
end $$;
CREATE FUNCTION public.sid_of(batch_sid text, place smallint) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select left(batch_sid, -2) || lpad(to_hex(place::integer), 2, '0')
$$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.account_changes (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    account_sid text NOT NULL,
    token smallint,
    is_person boolean NOT NULL,
    operation text NOT NULL,
    resource text,
    request_id text NOT NULL
);
ALTER TABLE public.account_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.account_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.account_tokens (
    account_sid text NOT NULL,
    n smallint NOT NULL,
    digest bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sealed bytea,
    is_promoted boolean DEFAULT false NOT NULL,
    tool_writes boolean DEFAULT false NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT account_tokens_n_check CHECK ((n = ANY (ARRAY[1, 2])))
);
CREATE TABLE public.accounts (
    sid text NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    features text[] NOT NULL,
    limit_changes jsonb NOT NULL,
    allowed_countries text[],
    default_caller_id text,
    created_at timestamp with time zone NOT NULL,
    handles_keywords boolean DEFAULT true NOT NULL,
    suspended_reason text,
    country text,
    message_days integer,
    call_days integer,
    event_days integer,
    CONSTRAINT accounts_check CHECK (((suspended_reason IS NULL) OR (status = 'Suspended'::text))),
    CONSTRAINT accounts_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT accounts_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Suspended'::text])))
);
CREATE TABLE public.attempts (
    delivery_sid text NOT NULL,
    at timestamp with time zone NOT NULL,
    places smallint[] NOT NULL,
    began_ms integer[] NOT NULL,
    took_ms integer[] NOT NULL,
    statuses smallint[] NOT NULL,
    details smallint[] NOT NULL,
    texts text[] NOT NULL
)
PARTITION BY RANGE (at);
CREATE TABLE public.attempts_default (
    delivery_sid text NOT NULL,
    at timestamp with time zone NOT NULL,
    places smallint[] NOT NULL,
    began_ms integer[] NOT NULL,
    took_ms integer[] NOT NULL,
    statuses smallint[] NOT NULL,
    details smallint[] NOT NULL,
    texts text[] NOT NULL
);
CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    operator text NOT NULL,
    action text NOT NULL,
    subject text,
    details jsonb,
    request_id text NOT NULL
);
ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.awaited_receipts (
    carrier text NOT NULL,
    carrier_id text NOT NULL,
    account_sid text NOT NULL,
    sid text NOT NULL,
    link text NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    asked_at timestamp with time zone
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_threshold='2000');
CREATE TABLE public.call_legs (
    sid text NOT NULL,
    call_sid text NOT NULL,
    leg text NOT NULL,
    direction text NOT NULL,
    from_party text NOT NULL,
    to_party text NOT NULL,
    status text NOT NULL,
    rang_at timestamp with time zone,
    answered_at timestamp with time zone,
    completed_at timestamp with time zone,
    end_reason text,
    sip_code smallint,
    media json,
    dialog text,
    hangup text,
    CONSTRAINT call_legs_direction_check CHECK ((direction = ANY (ARRAY['Inbound'::text, 'Outbound'::text]))),
    CONSTRAINT call_legs_leg_check CHECK ((leg = ANY (ARRAY['First'::text, 'Second'::text]))),
    CONSTRAINT call_legs_status_check CHECK ((status = ANY (ARRAY['Started'::text, 'Ringing'::text, 'Answered'::text, 'Completed'::text])))
)
WITH (fillfactor='60');
CREATE SEQUENCE public.call_process_ids
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
    CYCLE;
CREATE TABLE public.call_recordings (
    sid text NOT NULL,
    call_sid text NOT NULL,
    account_sid text NOT NULL,
    status text NOT NULL,
    switches_asked integer DEFAULT 0 NOT NULL,
    switches_done integer DEFAULT 0 NOT NULL,
    fault text,
    switches_taken integer DEFAULT 0 NOT NULL,
    source text,
    callback json,
    CONSTRAINT call_recordings_status_check CHECK ((status = ANY (ARRAY['Recording'::text, 'Paused'::text, 'Processing'::text, 'Completed'::text, 'Failed'::text])))
)
WITH (fillfactor='80');
CREATE TABLE public.call_steps (
    id bigint NOT NULL,
    call_sid text NOT NULL,
    at timestamp with time zone NOT NULL,
    step text NOT NULL,
    details json NOT NULL
);
ALTER TABLE public.call_steps ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.call_steps_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.calls (
    sid text NOT NULL,
    account_sid text NOT NULL,
    direction text NOT NULL,
    from_party text NOT NULL,
    to_party text NOT NULL,
    caller_id text NOT NULL,
    status text NOT NULL,
    end_reason text,
    ended_by text,
    created_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone,
    completed_at timestamp with time zone,
    process integer,
    phone text NOT NULL,
    messaging_config_sid text,
    events_told integer DEFAULT 0 NOT NULL,
    ring_seconds integer DEFAULT 30 NOT NULL,
    max_seconds integer DEFAULT 14400 NOT NULL,
    hangup_asked boolean DEFAULT false NOT NULL,
    key_prompt text,
    request_id text,
    is_taken_over boolean DEFAULT false NOT NULL,
    forwarding_to text,
    forwarding_chain text[],
    callback json,
    second_ring_seconds integer,
    program json,
    redirection json,
    redirections_asked integer DEFAULT 0 NOT NULL,
    redirections_taken integer DEFAULT 0 NOT NULL,
    redirections_done integer DEFAULT 0 NOT NULL,
    forwarding_from text,
    forwarding_others text[],
    CONSTRAINT calls_direction_check CHECK ((direction = ANY (ARRAY['Inbound'::text, 'Outbound'::text]))),
    CONSTRAINT calls_status_check CHECK ((status = ANY (ARRAY['Started'::text, 'Ringing'::text, 'Answered'::text, 'Completed'::text])))
)
WITH (fillfactor='60');
CREATE TABLE public.conferences (
    sid text NOT NULL,
    account_sid text NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    process integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    end_reason text,
    participants json NOT NULL,
    callback json
);
CREATE TABLE public.deliveries (
    sid text NOT NULL,
    account_sid text NOT NULL,
    subscription_sid text NOT NULL,
    event_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    payload_shape text,
    places smallint[] NOT NULL,
    failed smallint[],
    canceled smallint[]
)
PARTITION BY RANGE (created_at);
CREATE TABLE public.deliveries_default (
    sid text NOT NULL,
    account_sid text NOT NULL,
    subscription_sid text NOT NULL,
    event_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    payload_shape text,
    places smallint[] NOT NULL,
    failed smallint[],
    canceled smallint[]
);
CREATE TABLE public.delivery_queue (
    id bigint NOT NULL,
    claimed_by integer,
    attempt smallint DEFAULT 0 NOT NULL,
    is_ready boolean NOT NULL,
    forced boolean DEFAULT false NOT NULL,
    due_at timestamp with time zone NOT NULL,
    first_tried_at timestamp with time zone,
    event_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    delivery_sid text NOT NULL,
    subscription_sid text NOT NULL,
    payload_shape text,
    places smallint[] NOT NULL,
    urls text[]
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='2000');
ALTER TABLE ONLY public.delivery_queue ALTER COLUMN urls SET STORAGE MAIN;
ALTER TABLE public.delivery_queue ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.delivery_queue_id_seq
    START WITH 1
    INCREMENT BY 256
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.early_receipts (
    carrier text NOT NULL,
    carrier_id text NOT NULL,
    receipt json NOT NULL,
    received_at timestamp with time zone NOT NULL,
    compare_at timestamp with time zone DEFAULT now() NOT NULL,
    compared smallint DEFAULT 0 NOT NULL
);
CREATE TABLE public.events (
    id bigint NOT NULL,
    xid xid8 DEFAULT public.event_position(pg_current_xact_id()) NOT NULL,
    account_sid text NOT NULL,
    type text NOT NULL,
    resource_sid text NOT NULL,
    sequence integer NOT NULL,
    fields json NOT NULL,
    created_at timestamp with time zone NOT NULL,
    batch text
)
PARTITION BY RANGE (created_at);
CREATE TABLE public.events_default (
    id bigint NOT NULL,
    xid xid8 DEFAULT public.event_position(pg_current_xact_id()) NOT NULL,
    account_sid text NOT NULL,
    type text NOT NULL,
    resource_sid text NOT NULL,
    sequence integer NOT NULL,
    fields json NOT NULL,
    created_at timestamp with time zone NOT NULL,
    batch text
);
ALTER TABLE public.events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_id_seq
    START WITH 1
    INCREMENT BY 256
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.feature_requests (
    sid text NOT NULL,
    account_sid text NOT NULL,
    feature text NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    CONSTRAINT feature_requests_status_check CHECK ((status = ANY (ARRAY['Open'::text, 'Granted'::text, 'Declined'::text])))
);
CREATE TABLE public.inbound_messages (
    account_sid text NOT NULL,
    sid text NOT NULL,
    from_number text NOT NULL,
    to_number text NOT NULL,
    additional_recipients text[] NOT NULL,
    text text NOT NULL,
    media json NOT NULL,
    segment_count smallint NOT NULL,
    conversation_metadata text,
    link text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.inbound_parts (
    carrier text NOT NULL,
    from_number text NOT NULL,
    to_number text NOT NULL,
    reference integer NOT NULL,
    total smallint NOT NULL,
    index smallint NOT NULL,
    octets bytea NOT NULL,
    data_coding smallint NOT NULL,
    link text NOT NULL,
    received_at timestamp with time zone NOT NULL
);
CREATE TABLE public.inventory_numbers (
    id bigint NOT NULL,
    number text NOT NULL,
    features text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    country text,
    CONSTRAINT inventory_numbers_country CHECK (((country IS NULL) = (number ~~ '+%'::text)))
);
ALTER TABLE public.inventory_numbers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.inventory_numbers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.kept_answers (
    scope text NOT NULL,
    key text NOT NULL,
    claim_id uuid NOT NULL,
    request_digest bytea NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    answer bytea
);
CREATE TABLE public.lease_holders (
    lock_class integer NOT NULL,
    id integer NOT NULL,
    lease text NOT NULL,
    place text,
    pid integer NOT NULL,
    started text
);
CREATE UNLOGGED TABLE public.live_entries (
    id bigint NOT NULL,
    process text NOT NULL,
    kind text NOT NULL,
    account_sid text NOT NULL,
    entries text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE public.live_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.live_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE UNLOGGED TABLE public.live_watches (
    process text NOT NULL,
    kind text NOT NULL,
    account_sid text NOT NULL,
    until_at timestamp with time zone NOT NULL
);
CREATE TABLE public.lookup_cache (
    number text NOT NULL,
    source text NOT NULL,
    status text NOT NULL,
    type text NOT NULL,
    carrier_name text,
    as_of timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ported boolean
);
CREATE TABLE public.lookup_overrides (
    id bigint NOT NULL,
    number text NOT NULL,
    status text NOT NULL,
    type text NOT NULL,
    carrier_name text,
    note text,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE public.lookup_overrides ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lookup_overrides_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.media_files (
    sid text NOT NULL,
    account_sid text NOT NULL,
    content_type text NOT NULL,
    name text,
    size_bytes integer NOT NULL,
    sha256 text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    file text
);
CREATE TABLE public.message_steps (
    id bigint NOT NULL,
    sid text NOT NULL,
    at timestamp with time zone NOT NULL,
    step text NOT NULL,
    details json NOT NULL
);
ALTER TABLE public.message_steps ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.message_steps_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messaging_configs (
    sid text NOT NULL,
    account_sid text NOT NULL,
    name text NOT NULL,
    tcr_campaign_id text,
    sending_times jsonb,
    default_expiry_seconds integer NOT NULL,
    opt_out_reply text,
    opt_in_reply text,
    help_reply text,
    created_at timestamp with time zone NOT NULL,
    opt_out_keywords text[] DEFAULT '{}'::text[] NOT NULL,
    opt_in_keywords text[] DEFAULT '{}'::text[] NOT NULL,
    help_keywords text[] DEFAULT '{}'::text[] NOT NULL
);
CREATE UNLOGGED TABLE public.nodes (
    sid text NOT NULL,
    host text NOT NULL,
    place text,
    pid integer NOT NULL,
    started text,
    version text NOT NULL,
    roles text[] NOT NULL,
    url text NOT NULL,
    state text NOT NULL,
    clock text NOT NULL,
    links text[] NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    drain_asked_at timestamp with time zone,
    trunks jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT nodes_state_check CHECK ((state = ANY (ARRAY['Starting'::text, 'Ready'::text, 'Draining'::text])))
)
WITH (fillfactor='50');
CREATE TABLE public.operator_tokens (
    name text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    role text NOT NULL,
    CONSTRAINT operator_tokens_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'support'::text])))
);
CREATE TABLE public.opt_outs (
    id bigint NOT NULL,
    account_sid text NOT NULL,
    number text NOT NULL,
    scope_type text NOT NULL,
    scope text NOT NULL,
    keyword text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT opt_outs_scope_type_check CHECK ((scope_type = ANY (ARRAY['SenderPhoneNumber'::text, 'TcrCampaign'::text])))
);
ALTER TABLE public.opt_outs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.opt_outs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.outbound_messages (
    account_sid text NOT NULL,
    sid text NOT NULL,
    from_number text NOT NULL,
    to_number text NOT NULL,
    recipients text[],
    text text NOT NULL,
    media_urls text[],
    status text NOT NULL,
    status_reason text,
    segment_count smallint NOT NULL,
    encoding text NOT NULL,
    carrier text,
    messaging_config_sid text,
    tcr_campaign_id text,
    priority smallint NOT NULL,
    error_code integer DEFAULT 0 NOT NULL,
    error_description text,
    conversation_metadata text,
    callback_url text,
    is_reply boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    send_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    link text,
    carrier_ids text[],
    parts_delivered smallint DEFAULT 0 NOT NULL,
    events_told smallint DEFAULT 0 NOT NULL,
    sent_at timestamp with time zone,
    delivered_at timestamp with time zone,
    unhappy text GENERATED ALWAYS AS (
CASE
    WHEN (status = ANY (ARRAY['Failed'::text, 'Expired'::text, 'Canceled'::text])) THEN status
    ELSE NULL::text
END) STORED,
    request_id text,
    callback_shape text,
    callback_statuses text,
    event_xids xid8[]
)
PARTITION BY RANGE (sid);
CREATE TABLE public.outbound_messages_later (
    account_sid text NOT NULL,
    sid text NOT NULL,
    from_number text NOT NULL,
    to_number text NOT NULL,
    recipients text[],
    text text NOT NULL,
    media_urls text[],
    status text NOT NULL,
    status_reason text,
    segment_count smallint NOT NULL,
    encoding text NOT NULL,
    carrier text,
    messaging_config_sid text,
    tcr_campaign_id text,
    priority smallint NOT NULL,
    error_code integer DEFAULT 0 NOT NULL,
    error_description text,
    conversation_metadata text,
    callback_url text,
    is_reply boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    send_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    link text,
    carrier_ids text[],
    parts_delivered smallint DEFAULT 0 NOT NULL,
    events_told smallint DEFAULT 0 NOT NULL,
    sent_at timestamp with time zone,
    delivered_at timestamp with time zone,
    unhappy text GENERATED ALWAYS AS (
CASE
    WHEN (status = ANY (ARRAY['Failed'::text, 'Expired'::text, 'Canceled'::text])) THEN status
    ELSE NULL::text
END) STORED,
    request_id text,
    callback_shape text,
    callback_statuses text,
    event_xids xid8[]
)
WITH (fillfactor='50');
CREATE TABLE public.outbound_messages_older (
    account_sid text NOT NULL,
    sid text NOT NULL,
    from_number text NOT NULL,
    to_number text NOT NULL,
    recipients text[],
    text text NOT NULL,
    media_urls text[],
    status text NOT NULL,
    status_reason text,
    segment_count smallint NOT NULL,
    encoding text NOT NULL,
    carrier text,
    messaging_config_sid text,
    tcr_campaign_id text,
    priority smallint NOT NULL,
    error_code integer DEFAULT 0 NOT NULL,
    error_description text,
    conversation_metadata text,
    callback_url text,
    is_reply boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    send_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    link text,
    carrier_ids text[],
    parts_delivered smallint DEFAULT 0 NOT NULL,
    events_told smallint DEFAULT 0 NOT NULL,
    sent_at timestamp with time zone,
    delivered_at timestamp with time zone,
    unhappy text GENERATED ALWAYS AS (
CASE
    WHEN (status = ANY (ARRAY['Failed'::text, 'Expired'::text, 'Canceled'::text])) THEN status
    ELSE NULL::text
END) STORED,
    request_id text,
    callback_shape text,
    callback_statuses text,
    event_xids xid8[]
)
WITH (fillfactor='50');
CREATE TABLE public.outbound_queue (
    sid text NOT NULL,
    account_sid text NOT NULL,
    from_number text NOT NULL,
    priority smallint NOT NULL,
    due_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    deferrals smallint DEFAULT 0 NOT NULL,
    route text DEFAULT ''::text NOT NULL,
    shard smallint DEFAULT 0 NOT NULL,
    is_ready boolean DEFAULT false NOT NULL,
    back_from bigint
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='2000');
CREATE TABLE public.phones (
    id bigint NOT NULL,
    number text NOT NULL,
    account_sid text NOT NULL,
    name text,
    status text NOT NULL,
    status_reason text,
    messaging_config_sid text,
    port_order_sid text,
    features text[] NOT NULL,
    registered_campaign_id text,
    calls_forwarded_to text,
    record_inbound_calls boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    activating_campaign_id text,
    activate_at timestamp with time zone,
    CONSTRAINT phones_status_check CHECK ((status = ANY (ARRAY['PendingPortIn'::text, 'PendingMessagingConfigAdd'::text, 'PendingTcrCampaignAdd'::text, 'PendingTcrCampaignChange'::text, 'Active'::text, 'Removed'::text])))
);
ALTER TABLE public.phones ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.phones_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.port_documents (
    order_sid text NOT NULL,
    place smallint NOT NULL,
    name text NOT NULL,
    content_type text NOT NULL,
    sha256 text NOT NULL,
    page_count integer NOT NULL,
    content bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.port_documents ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE TABLE public.port_order_numbers (
    order_sid text NOT NULL,
    place smallint NOT NULL,
    number text NOT NULL,
    status text NOT NULL,
    phase jsonb NOT NULL,
    voice_moved_at timestamp with time zone,
    messaging_moved_at timestamp with time zone,
    refusal jsonb,
    CONSTRAINT port_order_numbers_status_check CHECK ((status = ANY (ARRAY['Submitted'::text, 'Exception'::text, 'FocConfirmed'::text, 'Activating'::text, 'Completed'::text, 'PartiallyCompleted'::text, 'Cancelled'::text, 'Failed'::text])))
);
CREATE TABLE public.port_orders (
    sid text NOT NULL,
    account_sid text NOT NULL,
    messaging_config_sid text NOT NULL,
    status text NOT NULL,
    sequence integer NOT NULL,
    details jsonb NOT NULL,
    pins bytea,
    refused_request jsonb,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT port_orders_status_check CHECK ((status = ANY (ARRAY['Submitted'::text, 'Exception'::text, 'FocConfirmed'::text, 'Completed'::text, 'PartiallyCompleted'::text, 'Cancelled'::text, 'Failed'::text])))
);
CREATE TABLE public.port_requests (
    id bigint NOT NULL,
    order_sid text NOT NULL,
    kind text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    CONSTRAINT port_requests_kind_check CHECK ((kind = ANY (ARRAY['submit'::text, 'supplement'::text, 'cancel'::text])))
);
ALTER TABLE public.port_requests ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.port_requests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.port_updates (
    place boolean DEFAULT true NOT NULL,
    cursor text,
    ask_at timestamp with time zone NOT NULL,
    CONSTRAINT port_updates_place_check CHECK (place)
);
CREATE UNLOGGED TABLE public.rate_windows (
    subject text NOT NULL,
    class text NOT NULL,
    window_start bigint NOT NULL,
    used bigint NOT NULL,
    leases jsonb DEFAULT '{}'::jsonb NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.received_keys (
    carrier text NOT NULL,
    key text NOT NULL,
    session text NOT NULL,
    received_at timestamp with time zone NOT NULL
);
CREATE TABLE public.reconciles (
    name text NOT NULL,
    last_started_at timestamp with time zone NOT NULL,
    last_finished_at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    details jsonb NOT NULL,
    CONSTRAINT reconciles_outcome_check CHECK ((outcome = ANY (ARRAY['Done'::text, 'Failed'::text])))
);
CREATE TABLE public.recording_segments (
    recording_sid text NOT NULL,
    index integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    raw_file text,
    raw_host text NOT NULL,
    samples integer,
    state text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    leased_by text,
    fault text,
    size_bytes integer,
    sha256 text,
    key text,
    account_sid text NOT NULL,
    CONSTRAINT recording_segments_state_check CHECK ((state = ANY (ARRAY['Recording'::text, 'Waiting'::text, 'Encoding'::text, 'Done'::text, 'Failed'::text])))
)
WITH (fillfactor='80');
CREATE TABLE public.refused_requests (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    account_sid text,
    operation text,
    status integer NOT NULL,
    code text NOT NULL,
    fault text,
    trace_id text NOT NULL,
    request_id text NOT NULL
);
ALTER TABLE public.refused_requests ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.refused_requests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.registrations (
    trunk text NOT NULL,
    uri text NOT NULL,
    place text NOT NULL,
    process integer,
    instance text,
    q double precision NOT NULL,
    call_id text NOT NULL,
    cseq integer NOT NULL,
    transport text NOT NULL,
    address text NOT NULL,
    port integer NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT registrations_transport_check CHECK ((transport = ANY (ARRAY['UDP'::text, 'TCP'::text, 'TLS'::text])))
)
WITH (fillfactor='50');
CREATE TABLE public.registry_campaigns (
    tcr_campaign_id text NOT NULL,
    cnp_id text NOT NULL,
    account_sid text,
    standing text NOT NULL,
    reason text,
    standing_since timestamp with time zone NOT NULL,
    facts jsonb,
    listed text,
    seen_at timestamp with time zone NOT NULL,
    ask_at timestamp with time zone NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    CONSTRAINT registry_campaigns_standing_check CHECK ((standing = ANY (ARRAY['Unknown'::text, 'NotOurs'::text, 'AwaitingUs'::text, 'AwaitingUpstream'::text, 'Ours'::text, 'Declined'::text, 'Cancelled'::text, 'Expired'::text])))
);
CREATE TABLE public.removed_segments (
    id bigint NOT NULL,
    key text,
    raw_file text,
    raw_host text NOT NULL
);
ALTER TABLE public.removed_segments ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.removed_segments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.retention_turns (
    account_sid text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    reached jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE public.retired_keys (
    id text NOT NULL,
    sealed bytea NOT NULL,
    retired_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.saved_views (
    sid text NOT NULL,
    account_sid text,
    operator text,
    name text NOT NULL,
    address text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT saved_views_check CHECK ((num_nonnulls(account_sid, operator) = 1))
);
CREATE TABLE public.schema_steps (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    is_additive boolean DEFAULT false NOT NULL
);
CREATE TABLE public.secret_key_check (
    is_the_row boolean DEFAULT true NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT secret_key_check_is_the_row_check CHECK (is_the_row)
);
CREATE TABLE public.sending_lease (
    term integer NOT NULL,
    started_at timestamp with time zone NOT NULL
);
CREATE TABLE public.sessions (
    digest bytea NOT NULL,
    account_sid text,
    token_n smallint,
    operator text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT sessions_check CHECK (((num_nonnulls(account_sid, operator) = 1) AND (num_nonnulls(account_sid, token_n) <> 1)))
);
CREATE TABLE public.sign_in_tickets (
    digest bytea NOT NULL,
    account_sid text NOT NULL,
    token_n smallint NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.sip_messages (
    id bigint NOT NULL,
    call_sid text NOT NULL,
    leg text NOT NULL,
    at timestamp with time zone NOT NULL,
    direction text NOT NULL,
    peer text NOT NULL,
    local text NOT NULL,
    transport text NOT NULL,
    text text NOT NULL,
    CONSTRAINT sip_messages_direction_check CHECK ((direction = ANY (ARRAY['Sent'::text, 'Received'::text])))
);
ALTER TABLE public.sip_messages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sip_messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.statistics_counts (
    account_sid text NOT NULL,
    kind text NOT NULL,
    hour timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    carrier text NOT NULL,
    count bigint NOT NULL
);
CREATE TABLE public.statistics_progress (
    is_the_row boolean DEFAULT true NOT NULL,
    from_xid xid8 DEFAULT '0'::xid8 NOT NULL,
    to_xid xid8 DEFAULT '0'::xid8 NOT NULL,
    at_id bigint DEFAULT 0 NOT NULL,
    to_id bigint DEFAULT 0 NOT NULL,
    reaches timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    counted_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    mark_xid xid8 DEFAULT '0'::xid8 NOT NULL,
    mark_id bigint DEFAULT 0 NOT NULL,
    marked_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    prior_id bigint DEFAULT 0 NOT NULL,
    floor_id bigint DEFAULT 0 NOT NULL,
    CONSTRAINT statistics_progress_is_the_row_check CHECK (is_the_row)
)
WITH (fillfactor='50');
CREATE TABLE public.stopped_links (
    name text NOT NULL,
    stopped_at timestamp with time zone NOT NULL
);
CREATE TABLE public.stopped_trunks (
    name text NOT NULL,
    stopped_at timestamp with time zone NOT NULL
);
CREATE TABLE public.stored_media (
    file text NOT NULL,
    host text,
    uses integer NOT NULL,
    due_at timestamp with time zone NOT NULL
);
CREATE TABLE public.submits (
    term integer NOT NULL,
    number bigint NOT NULL,
    link text NOT NULL,
    account_sids text[] NOT NULL,
    sids text[] NOT NULL
)
WITH (toast_tuple_target='8160', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='2000', toast.autovacuum_vacuum_scale_factor='0.02', toast.autovacuum_vacuum_threshold='2000');
ALTER TABLE ONLY public.submits ALTER COLUMN account_sids SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.submits ALTER COLUMN sids SET STORAGE EXTERNAL;
CREATE TABLE public.support_links (
    sid text NOT NULL,
    account_sid text NOT NULL,
    address text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.tcr_campaigns (
    tcr_campaign_id text NOT NULL,
    account_sid text NOT NULL,
    tcr_brand_id text NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    throughput jsonb NOT NULL,
    imported_at timestamp with time zone NOT NULL,
    source text NOT NULL,
    CONSTRAINT tcr_campaigns_source_check CHECK ((source = ANY (ARRAY['Registry'::text, 'Manual'::text]))),
    CONSTRAINT tcr_campaigns_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Suspended'::text, 'Expired'::text])))
);
CREATE TABLE public.text_blocks (
    account_sid text NOT NULL,
    last_sid text NOT NULL,
    words text
);
CREATE TABLE public.told_links (
    name text NOT NULL,
    carrier text NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    reason text NOT NULL,
    since timestamp with time zone NOT NULL,
    room integer NOT NULL,
    told_at timestamp with time zone NOT NULL,
    term integer NOT NULL,
    window_size integer,
    in_flight integer DEFAULT 0 NOT NULL,
    per_second real DEFAULT 0 NOT NULL,
    p95_ms integer
);
CREATE TABLE public.undelivered_changes (
    id bigint NOT NULL,
    account_sid text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    failed integer NOT NULL,
    canceled integer NOT NULL
);
ALTER TABLE public.undelivered_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.undelivered_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.webhook_slots (
    slot smallint NOT NULL,
    worker integer
);
CREATE TABLE public.webhook_subscriptions (
    sid text NOT NULL,
    account_sid text NOT NULL,
    url text NOT NULL,
    backup_url text,
    messaging_config_sid text,
    phone text,
    payload_shape text NOT NULL,
    enabled boolean NOT NULL,
    disabled_reason text,
    secret bytea NOT NULL,
    secret_created_at timestamp with time zone NOT NULL,
    bearer bytea,
    created_at timestamp with time zone NOT NULL,
    last_success_at timestamp with time zone,
    failing_since timestamp with time zone,
    is_callback boolean DEFAULT false NOT NULL,
    replaced_secrets bytea[] DEFAULT '{}'::bytea[] NOT NULL,
    replaced_until timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    types text[] NOT NULL,
    method text,
    backup_method text,
    CONSTRAINT webhook_subscriptions_check CHECK (((messaging_config_sid IS NULL) OR (phone IS NULL)))
);
CREATE SEQUENCE public.webhook_worker_ids
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
    CYCLE;
CREATE TABLE public.webhook_workers (
    id integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    delivers boolean DEFAULT true NOT NULL
);
ALTER TABLE ONLY public.attempts ATTACH PARTITION public.attempts_default DEFAULT;
ALTER TABLE ONLY public.deliveries ATTACH PARTITION public.deliveries_default DEFAULT;
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_default DEFAULT;
ALTER TABLE ONLY public.outbound_messages ATTACH PARTITION public.outbound_messages_later FOR VALUES FROM ('OM01a205b3d000') TO (MAXVALUE);
ALTER TABLE ONLY public.outbound_messages ATTACH PARTITION public.outbound_messages_older FOR VALUES FROM (MINVALUE) TO ('OM01a205b3d000');
INSERT INTO public.account_changes OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-19 06:00:00+00', 'AC01', 1, false, 'webhooks.remove', 'WS02', 'RQ02');
INSERT INTO public.account_changes OVERRIDING SYSTEM VALUE VALUES (2, '2026-11-19 06:01:00+00', 'AC01', NULL, true, 'phones.update', '+15005550001', 'RQ03');
INSERT INTO public.account_tokens VALUES ('AC01', 2, '\x02', '2026-11-03 08:00:00+00', NULL, false, false, NULL);
INSERT INTO public.account_tokens VALUES ('AC01', 1, '\x01', '2026-11-01 08:00:00+00', '\x0a0b', true, true, '2026-11-19 07:59:00+00');
INSERT INTO public.accounts VALUES ('AC01', 'Corner Bakery', 'Active', '{Messaging,Voice}', '{"messages": 50}', NULL, '+15005550001', '2026-11-01 08:00:00+00', true, NULL, 'US', NULL, NULL, NULL);
INSERT INTO public.accounts VALUES ('AC02', 'Closed Shop', 'Suspended', '{}', '{}', '{US,CA}', NULL, '2026-11-02 08:00:00+00', true, 'unpaid', NULL, 90, NULL, 30);
INSERT INTO public.attempts_default VALUES ('WH00', '2026-11-17 09:00:02+00', '{1}', '{0}', '{12}', '{500}', '{0}', '{"{\"url\" : \"https://example.com/hook\", \"failure\" : null, \"answer\" : \"no\", \"exchange\" : {\"ms\": 12}}"}');
INSERT INTO public.attempts_default VALUES ('WH00', '2026-11-17 09:00:04+00', '{2}', '{0}', '{10000}', '{NULL}', '{0}', '{"{\"url\" : \"https://example.com/status\", \"failure\" : \"timeout\", \"answer\" : null, \"exchange\" : null}"}');
INSERT INTO public.audit_log OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-02 09:00:00+00', 'first', 'features.grant', 'AC01', '{"feature": "Voice"}', 'RQ01');
INSERT INTO public.awaited_receipts VALUES ('north', 'n3', 'AC01', 'SM04', 'north-1', '2026-11-18 06:00:00+00', NULL);
INSERT INTO public.call_legs VALUES ('CL01', 'CA01', 'First', 'Outbound', '+15005550001', '+15005551009', 'Completed', '2026-11-17 11:00:02+00', '2026-11-17 11:00:05+00', '2026-11-17 11:01:00+00', 'Completed', 200, '{"codec": "PCMU"}', 'dialog-1', 'Asked');
INSERT INTO public.call_recordings VALUES ('RE01', 'CA01', 'AC01', 'Completed', 2, 2, NULL, 2, NULL, NULL);
INSERT INTO public.call_recordings VALUES ('RE02', 'CA02', 'AC01', 'Recording', 1, 0, 'ENOSPC', 1, 'Program', '{"url": "https://example.com/recorded"}');
INSERT INTO public.call_steps OVERRIDING SYSTEM VALUE VALUES (1, 'CA01', '2026-11-17 11:00:00+00', 'dial', '{"trunk": "east"}');
INSERT INTO public.calls VALUES ('CA01', 'AC01', 'Outbound', '+15005550001', '+15005551009', '+15005550001', 'Completed', 'Completed', 'First', '2026-11-17 11:00:00+00', '2026-11-17 11:00:05+00', '2026-11-17 11:01:00+00', 1, '+15005550001', 'MC01', 6, 30, 14400, false, 'Press 1', 'call-7', false, NULL, NULL, '{"url": "https://example.com/calls"}', 20, NULL, NULL, 0, 0, 0, NULL, NULL);
INSERT INTO public.calls VALUES ('CA02', 'AC01', 'Inbound', '+15005551009', '+15005550001', '+15005551009', 'Ringing', NULL, NULL, '2026-11-18 07:00:00+00', NULL, NULL, 1, '+15005550001', NULL, 2, 30, 14400, true, NULL, NULL, true, '+15005551010', '{+15005550001}', NULL, NULL, '{"script": [{"kind": "say", "text": "One moment"}], "source": {"document": {"url": "https://example.com/script", "method": "POST"}, "shape": "Tandem"}}', '{"url": "https://example.com/next", "method": "POST"}', 2, 1, 1, '+15005551009', '{+15005551011}');
INSERT INTO public.conferences VALUES ('CF01', 'AC01', 'bakers', 'InProgress', 1, '2026-11-19 07:00:00+00', '2026-11-19 07:00:05+00', NULL, NULL, '[{"callSid": "CA02", "isMuted": false}]', '{"url": "https://example.com/conference", "method": "POST"}');
INSERT INTO public.conferences VALUES ('CF02', 'AC01', 'bakers', 'Completed', 1, '2026-11-18 07:00:00+00', '2026-11-18 07:00:05+00', '2026-11-18 07:30:00+00', 'LastParticipantLeft', '[]', NULL);
INSERT INTO public.deliveries_default VALUES ('WH00', 'AC01', 'WS01', 0, '2026-11-17 09:00:01+00', NULL, '{1}', '{1}', NULL);
INSERT INTO public.deliveries_default VALUES ('WH00', 'AC01', 'WS03', 0, '2026-11-17 09:00:03+00', 'Twilio', '{2}', NULL, NULL);
INSERT INTO public.delivery_queue OVERRIDING SYSTEM VALUE VALUES (1, NULL, 1, true, false, '2026-11-18 08:00:00+00', '2026-11-17 09:00:04+00', 0, '2026-11-17 09:00:03+00', 'WH00', 'WS03', 'Twilio', '{2}', '{https://example.com/status}');
INSERT INTO public.early_receipts VALUES ('north', 'n9', '{"state": "DELIVRD"}', '2026-11-18 06:00:00+00', '2026-11-18 06:10:00+00', 1);
INSERT INTO public.events_default OVERRIDING SYSTEM VALUE VALUES (1, '700', 'AC01', 'MessageStatusChangedWebhook', 'SM01', 1, '{"status": "Sent"}', '2026-11-17 09:00:01+00', NULL);
INSERT INTO public.events_default OVERRIDING SYSTEM VALUE VALUES (2, '701', 'AC01', 'MessageStatusChangedWebhook', 'SM01', 2, '{"status": "Delivered"}', '2026-11-17 09:00:03+00', NULL);
INSERT INTO public.events_default OVERRIDING SYSTEM VALUE VALUES (512, '702', 'AC01', 'OutboundMessageStatusChanged', 'SM01', 3, '{"Sid": "SM01", "Status": "Failed"}', '2026-11-17 09:00:04+00', 'SM01	3	
SM02	3	');
INSERT INTO public.feature_requests VALUES ('FR01', 'AC01', 'Recording', 'Open', '2026-11-17 08:00:00+00', NULL);
INSERT INTO public.feature_requests VALUES ('FR02', 'AC01', 'Voice', 'Granted', '2026-11-02 08:00:00+00', '2026-11-02 09:00:00+00');
INSERT INTO public.inbound_messages VALUES ('AC01', 'SM05', '+15005551005', '+15005550001', '{}', 'Two please', '[{"sid": "ME01"}]', 1, '{"order": 7}', 'north-1', '2026-11-17 09:30:00+00');
INSERT INTO public.inbound_parts VALUES ('north', '+15005551005', '+15005550001', 17, 2, 1, '\x48', 0, 'north-1', '2026-11-18 06:50:00+00');
INSERT INTO public.inventory_numbers OVERRIDING SYSTEM VALUE VALUES (1, '+15005550009', '{Sms,Voice}', '2026-11-01 08:00:00+00', NULL);
INSERT INTO public.inventory_numbers OVERRIDING SYSTEM VALUE VALUES (2, '55501', '{Sms}', '2026-11-01 08:00:00+00', 'US');
INSERT INTO public.kept_answers VALUES ('AC01', 'order-1', '00000000-0000-4000-8000-000000000001', '\x0a', '2026-11-18 06:00:00+00', '\x7b7d');
INSERT INTO public.lease_holders VALUES (1413566038, 1, 'calls', 'boot1 pid:[4026531836]', 4711, '123456');
INSERT INTO public.live_entries OVERRIDING SYSTEM VALUE VALUES (1, 'ND02', 'SmppPdu', 'AC01', '[{"type": "SmppPdu"}]', '2026-11-19 08:00:00+00');
INSERT INTO public.live_watches VALUES ('ND01', 'SmppPdu', 'AC01', '2026-11-19 08:00:30+00');
INSERT INTO public.lookup_cache VALUES ('+15005551004', 'enum', 'Active', 'Mobile', 'Example Mobile', '2026-11-17 08:00:00+00', '2026-11-19 08:00:00+00', true);
INSERT INTO public.lookup_overrides OVERRIDING SYSTEM VALUE VALUES (1, '+15005551003', 'Active', 'Mobile', 'Example Mobile', 'reported by phone', '2026-11-12 08:00:00+00');
INSERT INTO public.media_files VALUES ('ME01', 'AC01', 'image/png', 'cake.png', 68, '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:30:00+00', NULL);
INSERT INTO public.media_files VALUES ('ME02', 'AC01', 'image/png', 'roll.png', 68, '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:30:00+00', 'ME02');
INSERT INTO public.message_steps OVERRIDING SYSTEM VALUE VALUES (1, 'SM01', '2026-11-17 09:00:01+00', 'submit', '{"link": "north-1"}');
INSERT INTO public.messaging_configs VALUES ('MC01', 'AC01', 'Bread CABC123', 'CABC123', '{"to": "20:00", "from": "09:00"}', 3600, 'Bye', 'Hi', 'Call us', '2026-11-03 08:00:00+00', '{BASTA}', '{BREAD}', '{AIUTO}');
INSERT INTO public.messaging_configs VALUES ('MC02', 'AC01', 'Without campaign', NULL, NULL, 86400, NULL, NULL, NULL, '2026-11-03 09:00:00+00', '{}', '{}', '{}');
INSERT INTO public.nodes VALUES ('ND01', 'host1', 'boot1 pid:[4026531836]', 4711, '123456', '0.2.0', '{api,worker}', 'http://127.0.0.1:8080', 'Ready', 'right', '{north-1}', '2026-11-19 05:00:00+00', '2026-11-19 08:00:00+00', NULL, '[{"isUp": true, "name": "east"}]');
INSERT INTO public.operator_tokens VALUES ('first', '\x03', '2026-11-01 07:00:00+00', 'admin');
INSERT INTO public.operator_tokens VALUES ('desk', '\x04', '2026-11-01 07:30:00+00', 'support');
INSERT INTO public.opt_outs OVERRIDING SYSTEM VALUE VALUES (1, 'AC01', '+15005551001', 'TcrCampaign', 'CABC123', 'STOP', '2026-11-10 08:00:00+00');
INSERT INTO public.opt_outs OVERRIDING SYSTEM VALUE VALUES (2, 'AC01', '+15005551002', 'SenderPhoneNumber', '+15005550001', NULL, '2026-11-11 08:00:00+00');
INSERT INTO public.outbound_messages_later VALUES ('AC01', 'SM01', '+15005550001', '+15005551005', NULL, 'Fresh bread', NULL, 'Delivered', NULL, 1, 'GSM7', 'north', 'MC01', 'CABC123', 1, 0, NULL, '{"order": 7}', 'https://example.com/status', false, '2026-11-17 09:00:00+00', NULL, '2026-11-17 10:00:00+00', 'north-1', '{n1}', 1, 3, '2026-11-17 09:00:01+00', '2026-11-17 09:00:03+00', DEFAULT, 'bread-7', 'Twilio', 'Final', NULL);
INSERT INTO public.outbound_messages_later VALUES ('AC01', 'SM02', '+15005550001', '+15005551006', '{+15005551006,+15005551007}', 'Cakes', '{https://example.com/cake.png}', 'Failed', 'the carrier did not answer', 1, 'GSM7', 'north', 'MC01', 'CABC123', 1, 3100, 'Outcome unknown', NULL, NULL, false, '2026-11-17 09:10:00+00', NULL, '2026-11-17 10:10:00+00', 'north-1', NULL, 0, 2, NULL, NULL, DEFAULT, NULL, NULL, NULL, NULL);
INSERT INTO public.outbound_messages_later VALUES ('AC01', 'SM03', '+15005550002', '+15005551008', NULL, 'Soon', NULL, 'Queued', NULL, 1, 'GSM7', NULL, 'MC01', NULL, 1, 0, NULL, NULL, NULL, false, '2026-11-18 06:00:00+00', '2026-11-18 09:00:00+00', '2026-11-18 10:00:00+00', NULL, NULL, 0, 1, NULL, NULL, DEFAULT, NULL, NULL, NULL, NULL);
INSERT INTO public.outbound_queue VALUES ('SM03', 'AC01', '+15005550002', 1, 'infinity', '2026-11-18 10:00:00+00', 1, 'any-sms-5dc1f4b2', 7, false, NULL);
INSERT INTO public.phones OVERRIDING SYSTEM VALUE VALUES (1, '+15005550001', 'AC01', 'Counter', 'Active', NULL, 'MC01', NULL, '{Sms,Voice}', 'CABC123', 'sip:counter@example.com', true, '2026-11-03 08:00:00+00', '2026-11-03 09:00:00+00', NULL, NULL);
INSERT INTO public.phones OVERRIDING SYSTEM VALUE VALUES (2, '+15005550002', 'AC01', NULL, 'PendingTcrCampaignAdd', 'waits for the campaign', 'MC01', NULL, '{Sms}', NULL, NULL, false, '2026-11-17 08:00:00+00', '2026-11-17 08:00:00+00', 'CABC123', '2026-11-18 08:00:00+00');
INSERT INTO public.phones OVERRIDING SYSTEM VALUE VALUES (3, '+15005550003', 'AC01', NULL, 'PendingPortIn', NULL, 'MC02', 'PO01', '{Sms}', NULL, NULL, false, '2026-11-17 08:00:00+00', '2026-11-17 08:00:00+00', NULL, NULL);
INSERT INTO public.phones OVERRIDING SYSTEM VALUE VALUES (4, '+15005550009', 'AC02', NULL, 'Removed', NULL, NULL, NULL, '{Sms}', NULL, NULL, false, '2026-11-02 08:00:00+00', '2026-11-05 08:00:00+00', NULL, NULL);
INSERT INTO public.port_documents VALUES ('PO01', 0, 'letter.pdf', 'application/pdf', '1111111111111111111111111111111111111111111111111111111111111111', 1, '\x25504446', '2026-11-16 08:00:00+00');
INSERT INTO public.port_order_numbers VALUES ('PO01', 0, '+15005550003', 'FocConfirmed', '{"kind": "confirmed"}', '2026-11-17 07:00:00+00', NULL, NULL);
INSERT INTO public.port_orders VALUES ('PO01', 'AC01', 'MC02', 'FocConfirmed', 3, '{"losingCarrier": "Example Telecom"}', '\x0b', NULL, '2026-11-16 08:00:00+00', '2026-11-17 08:00:00+00');
INSERT INTO public.port_requests OVERRIDING SYSTEM VALUE VALUES (1, 'PO01', 'supplement', '2026-11-18 08:00:00+00', 1, '2026-11-17 08:00:00+00');
INSERT INTO public.port_updates VALUES (true, 'u17', '2026-11-18 08:00:00+00');
INSERT INTO public.rate_windows VALUES ('AC01', 'messages', 1795000000, 3, '{"1": 2}');
INSERT INTO public.received_keys VALUES ('north', 'k1', 's1', '2026-11-18 06:50:00+00');
INSERT INTO public.reconciles VALUES ('follow-ports', '2026-11-18 06:00:00+00', '2026-11-18 06:00:01+00', 'Done', '{"count": 1}');
INSERT INTO public.recording_segments VALUES ('RE01', 0, '2026-11-17 11:00:05+00', NULL, 'host1', 80000, 'Done', 1, NULL, NULL, NULL, 2048, '2222222222222222222222222222222222222222222222222222222222222222', 'AC01/RE01/0.mp3', 'AC01');
INSERT INTO public.recording_segments VALUES ('RE02', 0, '2026-11-18 07:00:05+00', 'RE02-0.raw', 'host1', NULL, 'Recording', 0, NULL, NULL, NULL, NULL, NULL, NULL, 'AC01');
INSERT INTO public.refused_requests OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-18 06:30:00+00', 'AC01', 'messages.send', 422, 'sender-not-yours', NULL, 'trace1', 'RQ02');
INSERT INTO public.registrations VALUES ('east', 'sip:east@192.0.2.9:5060', '192.0.2.9:5060', 1, 'urn:uuid:1', 1, 'reg-1', 2, 'UDP', '192.0.2.9', 5060, '2026-11-19 09:00:00+00');
INSERT INTO public.registrations VALUES ('east', 'sip:east@192.0.2.10:5061', '192.0.2.10:5061', NULL, NULL, 0.5, 'reg-2', 7, 'TLS', '192.0.2.10', 5061, '2026-11-19 08:30:00+00');
INSERT INTO public.registry_campaigns VALUES ('CABC123', 'CNP1', 'AC01', 'Ours', NULL, '2026-11-03 08:00:00+00', '{"usecase": "MARKETING"}', 'shared', '2026-11-03 07:00:00+00', '2026-11-18 08:00:00+00', 0);
INSERT INTO public.registry_campaigns VALUES ('CGHI789', 'CNP1', NULL, 'AwaitingUs', NULL, '2026-11-17 08:00:00+00', NULL, NULL, '2026-11-17 08:00:00+00', '2026-11-18 08:00:00+00', 2);
INSERT INTO public.removed_segments OVERRIDING SYSTEM VALUE VALUES (1, 'AC01/RE00/0.mp3', NULL, 'host1');
INSERT INTO public.retention_turns VALUES ('AC02', '2026-11-20 00:00:00+00', '{"Messages": "SM01"}');
INSERT INTO public.retired_keys VALUES ('0badcafe', '\x09', '2026-11-10 08:00:00+00');
INSERT INTO public.saved_views VALUES ('SV01', 'AC01', NULL, 'What failed', '/messages?q=status%3AFailed', '2026-11-19 06:00:00+00');
INSERT INTO public.saved_views VALUES ('SV02', NULL, 'desk', 'Ports', '/operator/ports', '2026-11-19 06:00:00+00');
INSERT INTO public.schema_steps VALUES ('0001-schema', '15e6bb8f6206fb2634b25e40f1b950ade7997b61f56cc1351df062d18f8e17fe', '2026-11-18 07:37:54.971096+00', false);
INSERT INTO public.schema_steps VALUES ('0002-sending', '617c504ba7c42a479ac1addb3691b7d025e9a64e55bf031c2839dba0b55c810d', '2026-11-18 11:51:45.046286+00', false);
INSERT INTO public.schema_steps VALUES ('0003-segments-by-account', 'a607e3e0c01021614792e2cf10e5393c3991baa4ecd772f3ae3e6db4459535e7', '2026-11-18 11:51:45.064877+00', false);
INSERT INTO public.schema_steps VALUES ('0004-delivery-batches', 'c9516d7fa0122878acb8d69600c562da76bc81e40a0764a050ece89b030f7904', '2026-11-18 17:55:24.724614+00', false);
INSERT INTO public.schema_steps VALUES ('0005-messages-by-week', '5ad44bffa076ca7b8c39c16810260ef17ed186f9a30df06e1b1e637210995683', '2026-11-18 22:17:51.852563+00', false);
INSERT INTO public.schema_steps VALUES ('0006-event-batches', '934030b62a405a5886b41d53dd1c89d21aefec7325e999e9154644f18f16bb61', '2026-11-18 22:17:51.888972+00', false);
INSERT INTO public.schema_steps VALUES ('0007-active-calls-by-process', '8d82449e4aa623ca57add69496b21afbdbca779d67ebba1cd9ea0ae8f6bd96a5', '2026-11-18 22:17:51.893247+00', false);
INSERT INTO public.schema_steps VALUES ('0008-events-by-type', 'b67705038deea38c8e87b3dde5fa5f1884115b67aa3f83bcd3f78649abfa234e', '2026-11-19 20:10:24.764296+00', false);
INSERT INTO public.schema_steps VALUES ('0009-lease-holders', '222fe87b3220e533b7f95650373d7e6689eafed3ff5c96caacc104a6e0b2ebd4', '2026-11-19 20:10:24.775472+00', false);
INSERT INTO public.schema_steps VALUES ('0010-call-programs', 'a3291c4a84952cdb7c405c451d509abf6a892232f2427034e049e8a40fcb474d', '2026-11-19 20:10:24.77979+00', false);
INSERT INTO public.schema_steps VALUES ('0011-call-redirections', 'abdf54afc6dd08a826a0bdf5035413ccb9e67d0e422853b51f91a92c748068f1', '2026-11-19 20:10:24.783243+00', false);
INSERT INTO public.schema_steps VALUES ('0012-search', '63c467d2923b48cb45b4eeb445f1297c26e0c57f5fc1e32debd7b43450ce3318', '2026-11-19 20:10:24.784772+00', false);
INSERT INTO public.schema_steps VALUES ('0013-token-use', '87eed775701094b62a474cc9943dbfdf87df53a44338bda02f9732cff2e438e6', '2026-11-19 20:10:24.78892+00', false);
INSERT INTO public.schema_steps VALUES ('0014-account-changes', '95734bd9004281b5e7cec29730b654cb4c61ff631fc2881c2021cc5b43ebab45', '2026-11-19 20:10:24.789961+00', false);
INSERT INTO public.schema_steps VALUES ('0015-nodes', '3ec7d4057a6ee8f9c0a5e143c547c51d1d519007ee6b3cf135f212996ebafbd9', '2026-11-19 20:10:24.79397+00', false);
INSERT INTO public.schema_steps VALUES ('0016-additive-steps', 'a0c658fc913dce93cf0c88b974542fb26b0a195021ab4cba925ca378a76d4482', '2026-11-19 20:10:24.796462+00', false);
INSERT INTO public.schema_steps VALUES ('0017-forwarding-caller', 'f9e80f0e333ce565418101869369adbd44c9e045f4d40d8bc6ef00cb35f81251', '2026-11-19 20:10:24.797676+00', false);
INSERT INTO public.schema_steps VALUES ('0018-program-recordings', 'f6ff977ba3193203d1738e583d68b23cb8bd523e1768382692270c9a13355947', '2026-11-19 20:10:24.801654+00', false);
INSERT INTO public.schema_steps VALUES ('0019-forwarding-others', '23aaf3f94bbd0bb46da287946f19f046c9cafc51fd2baa3b99ad942b50f8cbe2', '2026-11-19 20:10:24.805273+00', false);
INSERT INTO public.schema_steps VALUES ('0020-statistics', '815401e9cbfb995dd4f772febeba491d6eb1b875a2a01b0dca0b81d447fe3975', '2026-11-19 20:10:24.807046+00', true);
INSERT INTO public.schema_steps VALUES ('0021-retention', 'fb841ec21fdbd3ad8fa13ddadb0427a6e801861c6bb5498ae825551b04f900df', '2026-11-19 20:10:24.814219+00', true);
INSERT INTO public.schema_steps VALUES ('0022-saved-views', '8e5d359afde2f795ff4d2d0c7ae94ca8dcc6be4e2a245deb45201c001ebadbfa', '2026-11-19 20:10:24.820169+00', true);
INSERT INTO public.schema_steps VALUES ('0023-support-links', '230bb29a088b1487053c5be094bce66581596d66eab4d4eeba01c9affb8210c3', '2026-11-19 20:10:24.827369+00', true);
INSERT INTO public.schema_steps VALUES ('0024-conferences', 'd94b86b26752b5e900686423ee4a44ea8a269626eb5f91a5df88b6313214ed6f', '2026-11-19 20:10:24.831659+00', true);
INSERT INTO public.schema_steps VALUES ('0025-text-blocks', 'e1e1fab9e952bc4b3fb90409af9bbf7e8820d81b6db9b6997e712ea784a39dc2', '2026-11-19 20:10:24.8362+00', true);
INSERT INTO public.schema_steps VALUES ('0026-party-hangups', 'f040181f91b425861448b2eaab4129f9d116e3d3317cbbd7f0fbc0260730e42a', '2026-11-19 20:10:24.839135+00', true);
INSERT INTO public.schema_steps VALUES ('0027-stored-media', '64f9ec89c1054e077686d9d6c20668bf12390db48134b7125fd2a58ef4fdb6c0', '2026-11-19 20:10:24.840267+00', true);
INSERT INTO public.schema_steps VALUES ('0028-watched-live', 'cc3932623f49368f871e96ff1ff86971a8c9aad9498201c2931c308b256eb285', '2026-11-19 20:10:24.842774+00', true);
INSERT INTO public.schema_steps VALUES ('0029-registrations', 'b76ee0015986abe3874ed6689370b0785bd0d4c225c37a673f7603b205af55ac', '2026-11-19 20:10:24.848975+00', true);
INSERT INTO public.schema_steps VALUES ('0030-trunks-of-nodes', '4e1b531cba8a4d9fbd89cbf2853d6eace0a66f1c026745e8695f844620c14210', '2026-11-19 20:10:24.8517+00', true);
INSERT INTO public.secret_key_check VALUES (true, '\x08');
INSERT INTO public.sending_lease VALUES (4, '2026-11-18 05:00:00+00');
INSERT INTO public.sessions VALUES ('\x05', 'AC01', 1, NULL, '2026-11-18 07:00:00+00', '2026-11-18 19:00:00+00');
INSERT INTO public.sessions VALUES ('\x06', NULL, NULL, 'desk', '2026-11-18 07:00:00+00', '2026-11-18 19:00:00+00');
INSERT INTO public.sign_in_tickets VALUES ('\x07', 'AC01', 2, '2026-11-18 07:05:00+00');
INSERT INTO public.sip_messages OVERRIDING SYSTEM VALUE VALUES (1, 'CA01', 'First', '2026-11-17 11:00:00+00', 'Sent', '192.0.2.1:5060', '192.0.2.2:5060', 'udp', 'INVITE sip:+15005551009@192.0.2.1 SIP/2.0');
INSERT INTO public.statistics_counts VALUES ('AC01', 'Messages', '2026-11-17 09:00:00+00', 'Delivered', 'north', 2);
INSERT INTO public.statistics_counts VALUES ('AC01', 'Deliveries', '2026-11-17 09:00:00+00', 'Made', '', 2);
INSERT INTO public.statistics_progress VALUES (true, '0', '702', 0, 512, '2026-11-18 08:00:00+00', '-infinity', '0', 0, '-infinity', 0, 0);
INSERT INTO public.stopped_links VALUES ('south-1', '2026-11-18 05:30:00+00');
INSERT INTO public.stopped_trunks VALUES ('west', '2026-11-18 05:30:00+00');
INSERT INTO public.stored_media VALUES ('ME02', 'host1', 1, '2026-11-19 08:00:00+00');
INSERT INTO public.stored_media VALUES ('ME00', NULL, 0, '2026-11-19 08:00:00+00');
INSERT INTO public.submits VALUES (1, 1, 'north', '{AC01,AC01}', '{SM01,SM02}');
INSERT INTO public.support_links VALUES ('SL01', 'AC01', '/messages/SM01', '2026-11-19 06:00:00+00', '2026-11-26 06:00:00+00');
INSERT INTO public.tcr_campaigns VALUES ('CABC123', 'AC01', 'BXYZ789', 'Bread news', 'Active', '{"T-Mobile": 2000}', '2026-11-03 08:00:00+00', 'Registry');
INSERT INTO public.tcr_campaigns VALUES ('CDEF456', 'AC02', 'BXYZ780', 'Old news', 'Suspended', '{}', '2026-11-04 08:00:00+00', 'Manual');
INSERT INTO public.text_blocks VALUES ('AC01', 'OM0193', ' fresh bread cakes ');
INSERT INTO public.text_blocks VALUES ('AC01', 'IM0193', NULL);
INSERT INTO public.told_links VALUES ('north-1', 'north', 'smpp', 'bound', '', '2026-11-18 05:00:00+00', 10, '2026-11-18 07:00:00+00', 4, 10, 0, 1.5, 40);
INSERT INTO public.undelivered_changes OVERRIDING SYSTEM VALUE VALUES (1, 'AC01', '2026-11-17 09:00:03+00', 1, 0);
INSERT INTO public.webhook_slots VALUES (0, NULL);
INSERT INTO public.webhook_slots VALUES (1, NULL);
INSERT INTO public.webhook_slots VALUES (2, NULL);
INSERT INTO public.webhook_slots VALUES (3, NULL);
INSERT INTO public.webhook_slots VALUES (4, NULL);
INSERT INTO public.webhook_slots VALUES (5, NULL);
INSERT INTO public.webhook_slots VALUES (6, NULL);
INSERT INTO public.webhook_slots VALUES (7, NULL);
INSERT INTO public.webhook_slots VALUES (8, NULL);
INSERT INTO public.webhook_slots VALUES (9, NULL);
INSERT INTO public.webhook_slots VALUES (10, NULL);
INSERT INTO public.webhook_slots VALUES (11, NULL);
INSERT INTO public.webhook_slots VALUES (12, NULL);
INSERT INTO public.webhook_slots VALUES (13, NULL);
INSERT INTO public.webhook_slots VALUES (14, NULL);
INSERT INTO public.webhook_slots VALUES (15, NULL);
INSERT INTO public.webhook_slots VALUES (16, NULL);
INSERT INTO public.webhook_slots VALUES (17, NULL);
INSERT INTO public.webhook_slots VALUES (18, NULL);
INSERT INTO public.webhook_slots VALUES (19, NULL);
INSERT INTO public.webhook_slots VALUES (20, NULL);
INSERT INTO public.webhook_slots VALUES (21, NULL);
INSERT INTO public.webhook_slots VALUES (22, NULL);
INSERT INTO public.webhook_slots VALUES (23, NULL);
INSERT INTO public.webhook_slots VALUES (24, NULL);
INSERT INTO public.webhook_slots VALUES (25, NULL);
INSERT INTO public.webhook_slots VALUES (26, NULL);
INSERT INTO public.webhook_slots VALUES (27, NULL);
INSERT INTO public.webhook_slots VALUES (28, NULL);
INSERT INTO public.webhook_slots VALUES (29, NULL);
INSERT INTO public.webhook_slots VALUES (30, NULL);
INSERT INTO public.webhook_slots VALUES (31, NULL);
INSERT INTO public.webhook_slots VALUES (32, NULL);
INSERT INTO public.webhook_slots VALUES (33, NULL);
INSERT INTO public.webhook_slots VALUES (34, NULL);
INSERT INTO public.webhook_slots VALUES (35, NULL);
INSERT INTO public.webhook_slots VALUES (36, NULL);
INSERT INTO public.webhook_slots VALUES (37, NULL);
INSERT INTO public.webhook_slots VALUES (38, NULL);
INSERT INTO public.webhook_slots VALUES (39, NULL);
INSERT INTO public.webhook_slots VALUES (40, NULL);
INSERT INTO public.webhook_slots VALUES (41, NULL);
INSERT INTO public.webhook_slots VALUES (42, NULL);
INSERT INTO public.webhook_slots VALUES (43, NULL);
INSERT INTO public.webhook_slots VALUES (44, NULL);
INSERT INTO public.webhook_slots VALUES (45, NULL);
INSERT INTO public.webhook_slots VALUES (46, NULL);
INSERT INTO public.webhook_slots VALUES (47, NULL);
INSERT INTO public.webhook_slots VALUES (48, NULL);
INSERT INTO public.webhook_slots VALUES (49, NULL);
INSERT INTO public.webhook_slots VALUES (50, NULL);
INSERT INTO public.webhook_slots VALUES (51, NULL);
INSERT INTO public.webhook_slots VALUES (52, NULL);
INSERT INTO public.webhook_slots VALUES (53, NULL);
INSERT INTO public.webhook_slots VALUES (54, NULL);
INSERT INTO public.webhook_slots VALUES (55, NULL);
INSERT INTO public.webhook_slots VALUES (56, NULL);
INSERT INTO public.webhook_slots VALUES (57, NULL);
INSERT INTO public.webhook_slots VALUES (58, NULL);
INSERT INTO public.webhook_slots VALUES (59, NULL);
INSERT INTO public.webhook_slots VALUES (60, NULL);
INSERT INTO public.webhook_slots VALUES (61, NULL);
INSERT INTO public.webhook_slots VALUES (62, NULL);
INSERT INTO public.webhook_slots VALUES (63, NULL);
INSERT INTO public.webhook_subscriptions VALUES ('WS01', 'AC01', 'https://example.com/hook', 'https://example.org/hook', 'MC01', NULL, 'A', true, NULL, '\x0c', '2026-11-03 08:00:00+00', '\x0d', '2026-11-03 08:00:00+00', '2026-11-17 09:00:00+00', NULL, false, '{"\\x0e"}', '{"2026-11-18 12:00:00+00"}', '{MessageStatusChangedWebhook}', 'PUT', NULL);
INSERT INTO public.webhook_subscriptions VALUES ('WS02', 'AC01', 'https://example.com/off', NULL, NULL, '+15005550001', 'Twilio', false, 'failed for three days', '\x0f', '2026-11-03 08:00:00+00', NULL, '2026-11-03 08:00:00+00', NULL, '2026-11-10 08:00:00+00', false, '{}', '{}', '{*}', NULL, NULL);
INSERT INTO public.webhook_subscriptions VALUES ('WS03', 'AC01', '', NULL, NULL, NULL, 'A', true, NULL, '\x10', '2026-11-03 08:00:00+00', NULL, '2026-11-03 08:00:00+00', NULL, NULL, true, '{}', '{}', '{MessageStatusChangedWebhook,CallStatusChangedWebhook,CallRecordingCompleted}', NULL, NULL);
INSERT INTO public.webhook_workers VALUES (1, '2026-11-18 05:00:00+00', true);
SELECT pg_catalog.setval('public.account_changes_id_seq', 2, true);
SELECT pg_catalog.setval('public.audit_log_id_seq', 1, true);
SELECT pg_catalog.setval('public.call_process_ids', 1, true);
SELECT pg_catalog.setval('public.call_steps_id_seq', 1, true);
SELECT pg_catalog.setval('public.delivery_queue_id_seq', 1, true);
SELECT pg_catalog.setval('public.events_id_seq', 256, false);
SELECT pg_catalog.setval('public.inventory_numbers_id_seq', 2, true);
SELECT pg_catalog.setval('public.live_entries_id_seq', 1, true);
SELECT pg_catalog.setval('public.lookup_overrides_id_seq', 1, true);
SELECT pg_catalog.setval('public.message_steps_id_seq', 1, true);
SELECT pg_catalog.setval('public.opt_outs_id_seq', 2, true);
SELECT pg_catalog.setval('public.phones_id_seq', 4, true);
SELECT pg_catalog.setval('public.port_requests_id_seq', 1, true);
SELECT pg_catalog.setval('public.refused_requests_id_seq', 1, true);
SELECT pg_catalog.setval('public.removed_segments_id_seq', 1, true);
SELECT pg_catalog.setval('public.sip_messages_id_seq', 1, true);
SELECT pg_catalog.setval('public.undelivered_changes_id_seq', 1, true);
SELECT pg_catalog.setval('public.webhook_worker_ids', 1, true);
ALTER TABLE ONLY public.account_changes
    ADD CONSTRAINT account_changes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_tokens
    ADD CONSTRAINT account_tokens_pkey PRIMARY KEY (account_sid, n);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.awaited_receipts
    ADD CONSTRAINT awaited_receipts_pkey PRIMARY KEY (carrier, carrier_id, sid);
ALTER TABLE ONLY public.call_legs
    ADD CONSTRAINT call_legs_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.call_recordings
    ADD CONSTRAINT call_recordings_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.call_steps
    ADD CONSTRAINT call_steps_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.calls
    ADD CONSTRAINT calls_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.conferences
    ADD CONSTRAINT conferences_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (sid, created_at);
ALTER TABLE ONLY public.deliveries_default
    ADD CONSTRAINT deliveries_default_pkey PRIMARY KEY (sid, created_at);
ALTER TABLE ONLY public.delivery_queue
    ADD CONSTRAINT delivery_queue_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id, created_at);
ALTER TABLE ONLY public.events_default
    ADD CONSTRAINT events_default_pkey PRIMARY KEY (id, created_at);
ALTER TABLE ONLY public.feature_requests
    ADD CONSTRAINT feature_requests_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.inbound_messages
    ADD CONSTRAINT inbound_messages_pkey PRIMARY KEY (account_sid, sid);
ALTER TABLE ONLY public.inbound_parts
    ADD CONSTRAINT inbound_parts_pkey PRIMARY KEY (carrier, from_number, to_number, reference, total, index);
ALTER TABLE ONLY public.inventory_numbers
    ADD CONSTRAINT inventory_numbers_id_key UNIQUE (id);
ALTER TABLE ONLY public.inventory_numbers
    ADD CONSTRAINT inventory_numbers_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.kept_answers
    ADD CONSTRAINT kept_answers_pkey PRIMARY KEY (scope, key);
ALTER TABLE ONLY public.lease_holders
    ADD CONSTRAINT lease_holders_pkey PRIMARY KEY (lock_class, id);
ALTER TABLE ONLY public.live_entries
    ADD CONSTRAINT live_entries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.live_watches
    ADD CONSTRAINT live_watches_pkey PRIMARY KEY (process, kind, account_sid);
ALTER TABLE ONLY public.lookup_cache
    ADD CONSTRAINT lookup_cache_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.lookup_overrides
    ADD CONSTRAINT lookup_overrides_id_key UNIQUE (id);
ALTER TABLE ONLY public.lookup_overrides
    ADD CONSTRAINT lookup_overrides_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.media_files
    ADD CONSTRAINT media_files_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.message_steps
    ADD CONSTRAINT message_steps_pkey PRIMARY KEY (sid, id);
ALTER TABLE ONLY public.messaging_configs
    ADD CONSTRAINT messaging_configs_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.messaging_configs
    ADD CONSTRAINT messaging_configs_tcr_campaign_id_key UNIQUE (tcr_campaign_id);
ALTER TABLE ONLY public.nodes
    ADD CONSTRAINT nodes_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.operator_tokens
    ADD CONSTRAINT operator_tokens_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.opt_outs
    ADD CONSTRAINT opt_outs_pkey PRIMARY KEY (account_sid, number, scope_type, scope);
ALTER TABLE ONLY public.outbound_messages
    ADD CONSTRAINT outbound_messages_pkey PRIMARY KEY (account_sid, sid);
ALTER TABLE ONLY public.outbound_messages_later
    ADD CONSTRAINT outbound_messages_later_pkey PRIMARY KEY (account_sid, sid);
ALTER TABLE ONLY public.outbound_messages_older
    ADD CONSTRAINT outbound_messages_older_pkey PRIMARY KEY (account_sid, sid);
ALTER TABLE ONLY public.outbound_queue
    ADD CONSTRAINT outbound_queue_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.phones
    ADD CONSTRAINT phones_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.port_documents
    ADD CONSTRAINT port_documents_order_sid_sha256_key UNIQUE (order_sid, sha256);
ALTER TABLE ONLY public.port_documents
    ADD CONSTRAINT port_documents_pkey PRIMARY KEY (order_sid, place);
ALTER TABLE ONLY public.port_order_numbers
    ADD CONSTRAINT port_order_numbers_pkey PRIMARY KEY (order_sid, place);
ALTER TABLE ONLY public.port_orders
    ADD CONSTRAINT port_orders_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.port_requests
    ADD CONSTRAINT port_requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.port_updates
    ADD CONSTRAINT port_updates_pkey PRIMARY KEY (place);
ALTER TABLE ONLY public.rate_windows
    ADD CONSTRAINT rate_windows_pkey PRIMARY KEY (subject, class);
ALTER TABLE ONLY public.received_keys
    ADD CONSTRAINT received_keys_pkey PRIMARY KEY (carrier, key);
ALTER TABLE ONLY public.reconciles
    ADD CONSTRAINT reconciles_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.recording_segments
    ADD CONSTRAINT recording_segments_pkey PRIMARY KEY (recording_sid, index);
ALTER TABLE ONLY public.refused_requests
    ADD CONSTRAINT refused_requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.registrations
    ADD CONSTRAINT registrations_pkey PRIMARY KEY (trunk, uri, place);
ALTER TABLE ONLY public.registry_campaigns
    ADD CONSTRAINT registry_campaigns_pkey PRIMARY KEY (tcr_campaign_id);
ALTER TABLE ONLY public.removed_segments
    ADD CONSTRAINT removed_segments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.retention_turns
    ADD CONSTRAINT retention_turns_pkey PRIMARY KEY (account_sid);
ALTER TABLE ONLY public.retired_keys
    ADD CONSTRAINT retired_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.schema_steps
    ADD CONSTRAINT schema_steps_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.secret_key_check
    ADD CONSTRAINT secret_key_check_pkey PRIMARY KEY (is_the_row);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.sign_in_tickets
    ADD CONSTRAINT sign_in_tickets_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.sip_messages
    ADD CONSTRAINT sip_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.statistics_counts
    ADD CONSTRAINT statistics_counts_pkey PRIMARY KEY (account_sid, kind, hour, outcome, carrier);
ALTER TABLE ONLY public.statistics_progress
    ADD CONSTRAINT statistics_progress_pkey PRIMARY KEY (is_the_row);
ALTER TABLE ONLY public.stopped_links
    ADD CONSTRAINT stopped_links_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.stopped_trunks
    ADD CONSTRAINT stopped_trunks_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.stored_media
    ADD CONSTRAINT stored_media_pkey PRIMARY KEY (file);
ALTER TABLE ONLY public.submits
    ADD CONSTRAINT submits_pkey PRIMARY KEY (term, number);
ALTER TABLE ONLY public.support_links
    ADD CONSTRAINT support_links_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.tcr_campaigns
    ADD CONSTRAINT tcr_campaigns_pkey PRIMARY KEY (tcr_campaign_id);
ALTER TABLE ONLY public.text_blocks
    ADD CONSTRAINT text_blocks_pkey PRIMARY KEY (account_sid, last_sid);
ALTER TABLE ONLY public.told_links
    ADD CONSTRAINT told_links_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.undelivered_changes
    ADD CONSTRAINT undelivered_changes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_slots
    ADD CONSTRAINT webhook_slots_pkey PRIMARY KEY (slot);
ALTER TABLE ONLY public.webhook_subscriptions
    ADD CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (sid);
ALTER TABLE ONLY public.webhook_workers
    ADD CONSTRAINT webhook_workers_pkey PRIMARY KEY (id);
CREATE INDEX account_changes_age ON public.account_changes USING btree (created_at);
CREATE INDEX account_changes_by_account ON public.account_changes USING btree (account_sid, id);
CREATE INDEX accounts_words ON public.accounts USING gin (to_tsvector('simple'::regconfig, translate(name, '-./@_'::text, '     '::text)));
CREATE INDEX attempts_by_delivery ON ONLY public.attempts USING btree (delivery_sid);
CREATE INDEX attempts_default_delivery_sid_idx ON public.attempts_default USING btree (delivery_sid);
CREATE INDEX audit_log_subject ON public.audit_log USING btree (subject, id);
CREATE INDEX awaited_receipts_age ON public.awaited_receipts USING brin (sent_at) WITH (pages_per_range='8');
CREATE INDEX call_legs_call ON public.call_legs USING btree (call_sid);
CREATE INDEX call_recordings_asked ON public.call_recordings USING btree (call_sid) WHERE (switches_asked <> switches_done);
CREATE INDEX call_recordings_by_account ON public.call_recordings USING btree (account_sid, sid);
CREATE INDEX call_recordings_failed ON public.call_recordings USING btree (account_sid, sid) WHERE ((fault IS NOT NULL) AND (status = 'Failed'::text));
CREATE INDEX call_recordings_faulty ON public.call_recordings USING btree (sid) WHERE (fault IS NOT NULL);
CREATE INDEX call_recordings_of_call ON public.call_recordings USING btree (call_sid);
CREATE INDEX call_recordings_processing ON public.call_recordings USING btree (sid) WHERE (status = 'Processing'::text);
CREATE INDEX call_steps_call ON public.call_steps USING btree (call_sid, id);
CREATE INDEX calls_account ON public.calls USING btree (account_sid, sid);
CREATE INDEX calls_active ON public.calls USING btree (account_sid, process) WHERE (status <> 'Completed'::text);
CREATE INDEX calls_by_request_of ON public.calls USING btree (request_id, account_sid, sid) WHERE (request_id IS NOT NULL);
CREATE INDEX calls_forwarding ON public.calls USING btree (forwarding_to, forwarding_from, cardinality(forwarding_chain)) WHERE ((forwarding_to IS NOT NULL) AND (status <> 'Completed'::text));
CREATE INDEX calls_forwarding_others ON public.calls USING gin (forwarding_others) WHERE ((forwarding_others IS NOT NULL) AND (status <> 'Completed'::text));
CREATE INDEX calls_from ON public.calls USING btree (from_party, sid);
CREATE INDEX calls_process ON public.calls USING btree (process) WHERE (status <> 'Completed'::text);
CREATE INDEX calls_to ON public.calls USING btree (to_party, sid);
CREATE INDEX calls_waiting ON public.calls USING btree (sid) WHERE ((process IS NULL) AND (status <> 'Completed'::text));
CREATE INDEX conferences_by_process ON public.conferences USING btree (process) WHERE (status <> 'Completed'::text);
CREATE INDEX conferences_of_account ON public.conferences USING btree (account_sid, sid);
CREATE UNIQUE INDEX conferences_open ON public.conferences USING btree (account_sid, name) WHERE (status <> 'Completed'::text);
CREATE INDEX deliveries_by_account ON ONLY public.deliveries USING btree (account_sid, sid);
CREATE INDEX deliveries_by_event ON ONLY public.deliveries USING btree (event_id);
CREATE INDEX deliveries_by_subscription ON ONLY public.deliveries USING btree (subscription_sid, sid);
CREATE INDEX deliveries_default_account_sid_sid_idx ON public.deliveries_default USING btree (account_sid, sid);
CREATE INDEX deliveries_undelivered ON ONLY public.deliveries USING btree (account_sid, sid) WHERE ((failed IS NOT NULL) OR (canceled IS NOT NULL));
CREATE INDEX deliveries_default_account_sid_sid_idx1 ON public.deliveries_default USING btree (account_sid, sid) WHERE ((failed IS NOT NULL) OR (canceled IS NOT NULL));
CREATE INDEX deliveries_default_event_id_idx ON public.deliveries_default USING btree (event_id);
CREATE INDEX deliveries_default_subscription_sid_sid_idx ON public.deliveries_default USING btree (subscription_sid, sid);
CREATE INDEX delivery_queue_by_delivery ON public.delivery_queue USING btree (delivery_sid);
CREATE INDEX delivery_queue_due ON public.delivery_queue USING btree (due_at) WHERE (NOT is_ready);
CREATE INDEX delivery_queue_ready ON public.delivery_queue USING btree (subscription_sid, id) WHERE is_ready;
CREATE INDEX delivery_queue_tried ON public.delivery_queue USING btree (first_tried_at) WHERE (first_tried_at IS NOT NULL);
CREATE INDEX delivery_queue_waiting ON public.delivery_queue USING btree (subscription_sid) WHERE (NOT is_ready);
CREATE INDEX early_receipts_age ON public.early_receipts USING btree (received_at);
CREATE INDEX early_receipts_by_id ON public.early_receipts USING btree (carrier, carrier_id);
CREATE INDEX early_receipts_due ON public.early_receipts USING btree (compare_at);
CREATE INDEX events_by_type ON ONLY public.events USING btree (account_sid, type, created_at);
CREATE INDEX events_default_account_sid_type_created_at_idx ON public.events_default USING btree (account_sid, type, created_at);
CREATE INDEX events_log ON ONLY public.events USING btree (account_sid, xid, id);
CREATE INDEX events_default_account_sid_xid_id_idx ON public.events_default USING btree (account_sid, xid, id);
CREATE INDEX events_resource ON ONLY public.events USING btree (resource_sid, sequence);
CREATE INDEX events_default_resource_sid_sequence_idx ON public.events_default USING btree (resource_sid, sequence);
CREATE UNIQUE INDEX feature_requests_open ON public.feature_requests USING btree (account_sid, feature) WHERE (status = 'Open'::text);
CREATE INDEX inbound_messages_from ON public.inbound_messages USING btree (account_sid, from_number, sid);
CREATE INDEX inbound_parts_age ON public.inbound_parts USING btree (received_at);
CREATE INDEX kept_answers_age ON public.kept_answers USING btree (claimed_at);
CREATE INDEX live_entries_age ON public.live_entries USING btree (created_at);
CREATE INDEX lookup_cache_expiry ON public.lookup_cache USING btree (expires_at);
CREATE INDEX messaging_configs_by_account ON public.messaging_configs USING btree (account_sid, sid);
CREATE INDEX messaging_configs_ids ON public.messaging_configs USING gin (public.campaign_ids_in(name));
CREATE INDEX opt_outs_by_account ON public.opt_outs USING btree (account_sid, id);
CREATE INDEX outbound_messages_by_request_of ON ONLY public.outbound_messages USING btree (request_id, account_sid, sid) WHERE (request_id IS NOT NULL);
CREATE INDEX outbound_messages_unhappy ON ONLY public.outbound_messages USING btree (account_sid, unhappy, sid) WHERE (unhappy IS NOT NULL);
CREATE INDEX outbound_messages_later_account_sid_unhappy_sid_idx ON public.outbound_messages_later USING btree (account_sid, unhappy, sid) WHERE (unhappy IS NOT NULL);
CREATE INDEX outbound_messages_members ON ONLY public.outbound_messages USING gin (recipients) WHERE (recipients IS NOT NULL);
CREATE INDEX outbound_messages_later_recipients_idx ON public.outbound_messages_later USING gin (recipients) WHERE (recipients IS NOT NULL);
CREATE INDEX outbound_messages_later_request_id_account_sid_sid_idx ON public.outbound_messages_later USING btree (request_id, account_sid, sid) WHERE (request_id IS NOT NULL);
CREATE INDEX outbound_messages_to ON ONLY public.outbound_messages USING btree (to_number, sid);
CREATE INDEX outbound_messages_later_to_number_sid_idx ON public.outbound_messages_later USING btree (to_number, sid);
CREATE INDEX outbound_messages_lost ON ONLY public.outbound_messages USING btree (to_number, sid) WHERE (error_code = 3100);
CREATE INDEX outbound_messages_later_to_number_sid_idx1 ON public.outbound_messages_later USING btree (to_number, sid) WHERE (error_code = 3100);
CREATE INDEX outbound_messages_older_by_request_of ON public.outbound_messages_older USING btree (request_id, account_sid, sid) WHERE (request_id IS NOT NULL);
CREATE INDEX outbound_messages_older_lost ON public.outbound_messages_older USING btree (to_number, sid) WHERE (error_code = 3100);
CREATE INDEX outbound_messages_older_members ON public.outbound_messages_older USING gin (recipients) WHERE (recipients IS NOT NULL);
CREATE INDEX outbound_messages_older_to ON public.outbound_messages_older USING btree (to_number, sid);
CREATE INDEX outbound_messages_older_unhappy ON public.outbound_messages_older USING btree (account_sid, unhappy, sid) WHERE (unhappy IS NOT NULL);
CREATE INDEX outbound_queue_due ON public.outbound_queue USING btree (due_at) WHERE (NOT is_ready);
CREATE INDEX outbound_queue_expiry ON public.outbound_queue USING btree (expires_at);
CREATE INDEX outbound_queue_held ON public.outbound_queue USING btree (from_number, sid) WHERE (due_at = 'infinity'::timestamp with time zone);
CREATE INDEX outbound_queue_ready ON public.outbound_queue USING btree (route, account_sid, priority, sid, shard) WHERE is_ready;
CREATE INDEX phones_activating ON public.phones USING btree (activate_at) WHERE (activate_at IS NOT NULL);
CREATE INDEX phones_by_account ON public.phones USING btree (account_sid, id);
CREATE INDEX phones_by_config ON public.phones USING btree (messaging_config_sid) WHERE (messaging_config_sid IS NOT NULL);
CREATE INDEX phones_by_number ON public.phones USING btree (number, id);
CREATE INDEX phones_pending ON public.phones USING btree (account_sid, status) WHERE (status <> ALL (ARRAY['Active'::text, 'Removed'::text]));
CREATE UNIQUE INDEX phones_served ON public.phones USING btree (number) WHERE (status <> 'Removed'::text);
CREATE INDEX port_order_numbers_by_number ON public.port_order_numbers USING btree (number);
CREATE INDEX port_orders_by_account ON public.port_orders USING btree (account_sid, sid);
CREATE INDEX port_orders_by_config ON public.port_orders USING btree (messaging_config_sid, sid);
CREATE INDEX port_orders_by_status ON public.port_orders USING btree (status, sid);
CREATE INDEX port_requests_by_order ON public.port_requests USING btree (order_sid, id);
CREATE INDEX port_requests_due ON public.port_requests USING btree (due_at);
CREATE INDEX received_keys_age ON public.received_keys USING btree (received_at);
CREATE INDEX recording_segments_needless ON public.recording_segments USING btree (raw_host) WHERE ((state = 'Done'::text) AND (raw_file IS NOT NULL));
CREATE INDEX recording_segments_open ON public.recording_segments USING btree (raw_host) WHERE (state = 'Recording'::text);
CREATE INDEX recording_segments_queue ON public.recording_segments USING btree (raw_host, due_at) WHERE (state = ANY (ARRAY['Waiting'::text, 'Encoding'::text]));
CREATE INDEX recording_segments_waiting ON public.recording_segments USING btree (raw_host, account_sid, due_at) WHERE (state = 'Waiting'::text);
CREATE INDEX refused_requests_age ON public.refused_requests USING btree (created_at);
CREATE INDEX refused_requests_by_account ON public.refused_requests USING btree (account_sid, id);
CREATE INDEX refused_requests_by_request ON public.refused_requests USING btree (request_id);
CREATE INDEX refused_requests_by_trace ON public.refused_requests USING btree (trace_id);
CREATE INDEX registry_campaigns_by_account ON public.registry_campaigns USING btree (account_sid, tcr_campaign_id);
CREATE INDEX registry_campaigns_due ON public.registry_campaigns USING btree (cnp_id, ask_at);
CREATE INDEX registry_campaigns_nobodys ON public.registry_campaigns USING btree (seen_at, tcr_campaign_id) WHERE (account_sid IS NULL);
CREATE INDEX retention_turns_due ON public.retention_turns USING btree (due_at);
CREATE UNIQUE INDEX saved_views_of_account ON public.saved_views USING btree (account_sid, name) WHERE (account_sid IS NOT NULL);
CREATE UNIQUE INDEX saved_views_of_operator ON public.saved_views USING btree (operator, name) WHERE (operator IS NOT NULL);
CREATE INDEX sessions_account ON public.sessions USING btree (account_sid, token_n) WHERE (account_sid IS NOT NULL);
CREATE INDEX sessions_age ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_operator ON public.sessions USING btree (operator) WHERE (operator IS NOT NULL);
CREATE INDEX sign_in_tickets_account ON public.sign_in_tickets USING btree (account_sid, token_n);
CREATE INDEX sip_messages_age ON public.sip_messages USING btree (at);
CREATE INDEX sip_messages_call ON public.sip_messages USING btree (call_sid, id);
CREATE INDEX statistics_counts_age ON public.statistics_counts USING btree (hour);
CREATE INDEX stored_media_unused ON public.stored_media USING btree (due_at) WHERE (uses = 0);
CREATE INDEX support_links_age ON public.support_links USING btree (expires_at);
CREATE INDEX support_links_of_account ON public.support_links USING btree (account_sid, sid);
CREATE INDEX tcr_campaigns_by_time ON public.tcr_campaigns USING btree (imported_at, tcr_campaign_id);
CREATE INDEX tcr_campaigns_inactive ON public.tcr_campaigns USING btree (account_sid, status) WHERE (status <> 'Active'::text);
CREATE INDEX tcr_campaigns_of_account ON public.tcr_campaigns USING btree (account_sid, imported_at, tcr_campaign_id);
CREATE INDEX text_blocks_to_make ON public.text_blocks USING btree (account_sid) WHERE (words IS NULL);
CREATE INDEX webhook_subscriptions_by_account ON public.webhook_subscriptions USING btree (account_sid, sid);
CREATE INDEX webhook_subscriptions_failing ON public.webhook_subscriptions USING btree (account_sid, sid) WHERE (enabled AND (failing_since IS NOT NULL));
CREATE INDEX webhook_subscriptions_off ON public.webhook_subscriptions USING btree (account_sid, sid) WHERE ((NOT enabled) AND (disabled_reason IS NOT NULL));
ALTER INDEX public.attempts_by_delivery ATTACH PARTITION public.attempts_default_delivery_sid_idx;
ALTER INDEX public.deliveries_by_account ATTACH PARTITION public.deliveries_default_account_sid_sid_idx;
ALTER INDEX public.deliveries_undelivered ATTACH PARTITION public.deliveries_default_account_sid_sid_idx1;
ALTER INDEX public.deliveries_by_event ATTACH PARTITION public.deliveries_default_event_id_idx;
ALTER INDEX public.deliveries_pkey ATTACH PARTITION public.deliveries_default_pkey;
ALTER INDEX public.deliveries_by_subscription ATTACH PARTITION public.deliveries_default_subscription_sid_sid_idx;
ALTER INDEX public.events_by_type ATTACH PARTITION public.events_default_account_sid_type_created_at_idx;
ALTER INDEX public.events_log ATTACH PARTITION public.events_default_account_sid_xid_id_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_default_pkey;
ALTER INDEX public.events_resource ATTACH PARTITION public.events_default_resource_sid_sequence_idx;
ALTER INDEX public.outbound_messages_unhappy ATTACH PARTITION public.outbound_messages_later_account_sid_unhappy_sid_idx;
ALTER INDEX public.outbound_messages_pkey ATTACH PARTITION public.outbound_messages_later_pkey;
ALTER INDEX public.outbound_messages_members ATTACH PARTITION public.outbound_messages_later_recipients_idx;
ALTER INDEX public.outbound_messages_by_request_of ATTACH PARTITION public.outbound_messages_later_request_id_account_sid_sid_idx;
ALTER INDEX public.outbound_messages_to ATTACH PARTITION public.outbound_messages_later_to_number_sid_idx;
ALTER INDEX public.outbound_messages_lost ATTACH PARTITION public.outbound_messages_later_to_number_sid_idx1;
ALTER INDEX public.outbound_messages_by_request_of ATTACH PARTITION public.outbound_messages_older_by_request_of;
ALTER INDEX public.outbound_messages_lost ATTACH PARTITION public.outbound_messages_older_lost;
ALTER INDEX public.outbound_messages_members ATTACH PARTITION public.outbound_messages_older_members;
ALTER INDEX public.outbound_messages_pkey ATTACH PARTITION public.outbound_messages_older_pkey;
ALTER INDEX public.outbound_messages_to ATTACH PARTITION public.outbound_messages_older_to;
ALTER INDEX public.outbound_messages_unhappy ATTACH PARTITION public.outbound_messages_older_unhappy;
CREATE TRIGGER release_media AFTER DELETE ON public.media_files FOR EACH ROW EXECUTE FUNCTION public.release_media();
CREATE TRIGGER removed_segment AFTER DELETE ON public.recording_segments FOR EACH ROW EXECUTE FUNCTION public.note_removed_segment();
CREATE TRIGGER undelivered AFTER UPDATE OF failed, canceled ON public.deliveries FOR EACH ROW EXECUTE FUNCTION public.note_undelivered();
ALTER TABLE ONLY public.account_changes
    ADD CONSTRAINT account_changes_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.account_tokens
    ADD CONSTRAINT account_tokens_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.call_legs
    ADD CONSTRAINT call_legs_call_sid_fkey FOREIGN KEY (call_sid) REFERENCES public.calls(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.call_recordings
    ADD CONSTRAINT call_recordings_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.call_recordings
    ADD CONSTRAINT call_recordings_call_sid_fkey FOREIGN KEY (call_sid) REFERENCES public.calls(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.call_steps
    ADD CONSTRAINT call_steps_call_sid_fkey FOREIGN KEY (call_sid) REFERENCES public.calls(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.calls
    ADD CONSTRAINT calls_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.conferences
    ADD CONSTRAINT conferences_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_requests
    ADD CONSTRAINT feature_requests_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.messaging_configs
    ADD CONSTRAINT messaging_configs_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.messaging_configs
    ADD CONSTRAINT messaging_configs_tcr_campaign_id_fkey FOREIGN KEY (tcr_campaign_id) REFERENCES public.tcr_campaigns(tcr_campaign_id);
ALTER TABLE ONLY public.opt_outs
    ADD CONSTRAINT opt_outs_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.phones
    ADD CONSTRAINT phones_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.phones
    ADD CONSTRAINT phones_messaging_config_sid_fkey FOREIGN KEY (messaging_config_sid) REFERENCES public.messaging_configs(sid);
ALTER TABLE ONLY public.port_documents
    ADD CONSTRAINT port_documents_order_sid_fkey FOREIGN KEY (order_sid) REFERENCES public.port_orders(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.port_order_numbers
    ADD CONSTRAINT port_order_numbers_order_sid_fkey FOREIGN KEY (order_sid) REFERENCES public.port_orders(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.port_orders
    ADD CONSTRAINT port_orders_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.port_requests
    ADD CONSTRAINT port_requests_order_sid_fkey FOREIGN KEY (order_sid) REFERENCES public.port_orders(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.recording_segments
    ADD CONSTRAINT recording_segments_recording_sid_fkey FOREIGN KEY (recording_sid) REFERENCES public.call_recordings(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.registry_campaigns
    ADD CONSTRAINT registry_campaigns_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE SET NULL;
ALTER TABLE ONLY public.retention_turns
    ADD CONSTRAINT retention_turns_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_operator_fkey FOREIGN KEY (operator) REFERENCES public.operator_tokens(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_account_sid_token_n_fkey FOREIGN KEY (account_sid, token_n) REFERENCES public.account_tokens(account_sid, n) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_operator_fkey FOREIGN KEY (operator) REFERENCES public.operator_tokens(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_in_tickets
    ADD CONSTRAINT sign_in_tickets_account_sid_token_n_fkey FOREIGN KEY (account_sid, token_n) REFERENCES public.account_tokens(account_sid, n) ON DELETE CASCADE;
ALTER TABLE ONLY public.sip_messages
    ADD CONSTRAINT sip_messages_call_sid_fkey FOREIGN KEY (call_sid) REFERENCES public.calls(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.support_links
    ADD CONSTRAINT support_links_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.tcr_campaigns
    ADD CONSTRAINT tcr_campaigns_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.text_blocks
    ADD CONSTRAINT text_blocks_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_subscriptions
    ADD CONSTRAINT webhook_subscriptions_account_sid_fkey FOREIGN KEY (account_sid) REFERENCES public.accounts(sid) ON DELETE CASCADE;
