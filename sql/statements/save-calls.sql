with saved as (
  insert into calls (sid, account_sid, direction, from_party, to_party, caller_id, status, end_reason, ended_by, created_at, answered_at, completed_at, phone, messaging_config_sid, events_told, callback, process, forwarding_from, forwarding_to, forwarding_others, forwarding_chain) select given.sid, given.account_sid, given.direction, given.from_party, given.to_party, given.caller_id, given.status, given.end_reason, given.ended_by, given.created_at, given.answered_at, given.completed_at, given.phone, given.messaging_config_sid, given.events_told, given.callback, given.process, given.forwarding_from, given.forwarding_to, given.forwarding_others, given.forwarding_chain from (select sid, account_sid, direction, from_party, to_party, caller_id, status, end_reason, ended_by, created_at, answered_at, completed_at, phone, messaging_config_sid, events_told, callback, process, forwarding_from, forwarding_to, forwarding_others::text[], forwarding_chain::text[]
  from unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[], $16::timestamptz[], $17::timestamptz[], $18::text[], $19::text[], $20::integer[], $21::json[], $22::integer[], $23::text[], $24::text[], $25::text[], $26::text[]) as given (sid, account_sid, direction, from_party, to_party, caller_id, status, end_reason, ended_by, created_at, answered_at, completed_at, phone, messaging_config_sid, events_told, callback, process, forwarding_from, forwarding_to, forwarding_others, forwarding_chain)) as given
  on conflict (sid) do update set status = excluded.status, end_reason = excluded.end_reason, ended_by = excluded.ended_by,
     answered_at = excluded.answered_at, completed_at = excluded.completed_at, events_told = excluded.events_told,
     forwarding_from = excluded.forwarding_from, forwarding_to = excluded.forwarding_to,
     forwarding_others = excluded.forwarding_others, forwarding_chain = excluded.forwarding_chain
   where calls.process = excluded.process and calls.status <> 'Completed'
  returning sid
), saved_legs as (
  insert into call_legs (sid, call_sid, leg, direction, from_party, to_party, status, rang_at, answered_at, completed_at, end_reason, sip_code, media, dialog)
  select given.sid, given.call_sid, given.leg, given.direction, given.from_party, given.to_party, given.status, given.rang_at, given.answered_at, given.completed_at, given.end_reason, given.sip_code, given.media, given.dialog from (select sid, call_sid, leg, direction, from_party, to_party, status, rang_at, answered_at, completed_at, end_reason, sip_code, media, dialog
  from unnest($27::text[], $28::text[], $29::text[], $30::text[], $31::text[], $32::text[], $33::text[], $34::timestamptz[], $35::timestamptz[], $36::timestamptz[], $37::text[], $38::smallint[], $39::json[], $40::text[]) as given (sid, call_sid, leg, direction, from_party, to_party, status, rang_at, answered_at, completed_at, end_reason, sip_code, media, dialog)) as given join saved on saved.sid = given.call_sid
  on conflict (sid) do update set sid = excluded.sid, call_sid = excluded.call_sid, leg = excluded.leg, direction = excluded.direction, from_party = excluded.from_party, to_party = excluded.to_party, status = excluded.status, rang_at = excluded.rang_at, answered_at = excluded.answered_at, completed_at = excluded.completed_at, end_reason = excluded.end_reason, sip_code = excluded.sip_code, media = excluded.media, dialog = excluded.dialog
), saved_steps as (
  insert into call_steps (call_sid, at, step, details)
  select call_sid, at, step, details from json_to_recordset($1) as given (call_sid text, at timestamptz, step text, details json)
    join saved on saved.sid = given.call_sid
), saved_recordings as (
  insert into call_recordings (sid, call_sid, account_sid, status, switches_done, fault, source, callback)
  select given.sid, given.call_sid, given.account_sid, given.status, given.switches_done, given.fault, given.source, given.callback from json_to_recordset($4) as given (sid text, call_sid text, account_sid text, status text, switches_done integer, fault text, source text, callback json) join saved on saved.sid = given.call_sid
  on conflict (sid) do update set switches_done = excluded.switches_done,
     fault = coalesce(call_recordings.fault, excluded.fault),
     -- That of a program is made while its call goes on.
     status = case when call_recordings.status in ('Completed', 'Failed') then call_recordings.status else excluded.status end
  returning sid
), saved_segments as (
  insert into recording_segments (recording_sid, index, started_at, samples, account_sid, raw_file, raw_host, state, due_at)
  select given.recording_sid, given.index, given.started_at, given.samples, given.account_sid, given.raw_file, given.raw_host, given.state, given.due_at from json_to_recordset($5) as given (recording_sid text, index integer, started_at timestamptz, samples integer, account_sid text, raw_file text, raw_host text, state text, due_at timestamptz) join saved_recordings on saved_recordings.sid = given.recording_sid
  on conflict (recording_sid, index) do update set samples = excluded.samples, state = excluded.state, due_at = excluded.due_at
   where recording_segments.state = 'Recording' and excluded.state = 'Waiting'
), ordered as materialized (
  select *, row_number() over (partition by account_sid order by happened) - 1 as number
    from (select *, row_number() over () as happened from (select account_sid, type, resource_sid, sequence, fields, phone, messaging_config_sid, only_to, callback_url, callback_shape
     from rows from (json_to_recordset($2) as (call_sid text, account_sid text, type text, resource_sid text, sequence integer, fields json, phone text, messaging_config_sid text,
                                              only_to text, callback_url text, callback_shape text))
       with ordinality as given (call_sid, account_sid, type, resource_sid, sequence, fields, phone, messaging_config_sid, only_to, callback_url, callback_shape, place)
     join saved on saved.sid = given.call_sid order by place) as event) as event
), batches as materialized (
  select *, nextval('events_id_seq') as event_id
    from (select distinct account_sid, number / 256 as batch from ordered order by account_sid, batch) as made
), given_events as materialized (
  select ordered.*, event_id, (number % 256)::smallint as place
    from ordered join batches using (account_sid) where batches.batch = number / 256
), stored as (
  insert into events (id, account_sid, type, resource_sid, sequence, fields, created_at) overriding system value
  select event_id + place, account_sid, type, resource_sid, sequence, fields, $3::timestamptz from given_events
), told_of as materialized (
  select distinct account_sid, type from given_events
), listening as materialized (
  select told_of.type, subscription.* from told_of cross join lateral (
    select sid, account_sid, enabled, is_callback, phone, messaging_config_sid from webhook_subscriptions
     where account_sid = told_of.account_sid
       -- The account's own one takes every callback.
       and (is_callback or told_of.type = any (types) or ('*' = any (types) and told_of.type <> 'InboundCallReceivedWebhook'))
    offset 0) as subscription
), matched as (
  select subscription.sid as subscription_sid, event.event_id, event.place, event.account_sid,
         event.only_to is not null as forced, event.callback_url, event.callback_shape,
         rank() over (partition by event.event_id, event.place order by (subscription.phone is not null) desc,
                                                     (subscription.messaging_config_sid is not null) desc) as rank
    from listening as subscription
    join given_events as event on event.account_sid = subscription.account_sid and event.type = subscription.type
   where case when event.only_to is not null then subscription.sid = event.only_to
              when event.callback_url is not null then subscription.sid = 'WS' || substr(event.account_sid, 3)
              else subscription.enabled and not subscription.is_callback
                and (subscription.phone is null or subscription.phone = event.phone)
                and (subscription.messaging_config_sid is null or subscription.messaging_config_sid = event.messaging_config_sid)
         end
), chosen as materialized (
  select delivery_sid($3::timestamptz) as sid, account_sid, subscription_sid, event_id, callback_shape, forced,
         array_agg(place order by place) as places,
         case when count(callback_url) > 0 then array_agg(callback_url order by place) end as urls
    from matched where rank = 1 group by account_sid, subscription_sid, event_id, callback_shape, forced
), recorded as (
  insert into deliveries (sid, account_sid, subscription_sid, event_id, created_at, payload_shape, places)
  select sid, account_sid, subscription_sid, event_id, $3::timestamptz, callback_shape, places from chosen
), queued as (
  insert into delivery_queue (delivery_sid, subscription_sid, event_id, created_at, payload_shape, forced, due_at, is_ready, places, urls)
  select sid, subscription_sid, event_id, $3::timestamptz, callback_shape, forced, $3::timestamptz, true, places, urls from chosen order by event_id
), notified as (
  select string_agg(sid, ',') as sids from (select account_sid as sid from told_of union select subscription_sid from chosen) as sids
)
select (select count(*)::int from given_events) as stored,
       case when sids is not null then pg_notify('events_stored', case when length(sids) < 7900 then sids else '' end) end, (select array_agg(sid) from saved) as saved
  from notified;
