with given as materialized (
  select * from (select account_sid, sid, status, status_reason, error_code, error_description, link, carrier, carrier_ids::text[], sent_at
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[]) as given (account_sid, sid, status, status_reason, error_code, error_description, link, carrier, carrier_ids, sent_at)) as given
), finished as (
  delete from submits where term = $13 and number = any($12::bigint[])
), awaited as (
  insert into awaited_receipts (carrier, carrier_id, account_sid, sid, link, sent_at)
  select given.carrier, carrier_id, account_sid, sid, link, $11 from given, unnest(carrier_ids) as carrier_id
  on conflict do nothing
), moved as (
update outbound_messages as message
   set status = coalesce(given.status, 'Sent'), status_reason = given.status_reason, error_code = coalesce(given.error_code, 0),
       events_told = message.events_told + 1, event_xids = message.event_xids || (select event_position(pg_current_xact_id())), error_description = given.error_description, link = given.link,
       carrier_ids = given.carrier_ids, sent_at = given.sent_at
  from given cross join lateral (
    select tableoid, ctid from outbound_messages
     where account_sid = given.account_sid and sid = given.sid and sid between $14 and $15
       and (status = 'Queued') for update) as found
 where message.ctid = found.ctid and message.tableoid = found.tableoid and message.sid between $14 and $15
returning message.account_sid, message.sid, message.from_number, message.to_number, message.status, message.error_code,
  message.error_description, message.segment_count, message.carrier, message.messaging_config_sid, message.callback_url, message.callback_shape,
  message.callback_statuses, message.events_told, 'Queued' as previous
), ordered as materialized (
  select *, row_number() over (partition by account_sid, kind ) - 1 as number
    from (select *, concat_ws(E'\t', status, previous, error_code, error_description) as kind from (select account_sid, 'OutboundMessageStatusChanged' as type, sid as resource_sid, events_told::integer as sequence,
         from_number, to_number, status, previous, error_code, error_description, segment_count, carrier,
         from_number as phone, messaging_config_sid, case when status = 'Sent' and callback_statuses = 'Final' then '' end as only_to, callback_url, callback_shape
    from moved where status <> previous) as event) as event
), batches as materialized (
  select *, nextval('events_id_seq') as event_id
    from (select distinct account_sid, kind, number / 256 as batch from ordered order by account_sid, kind, batch) as made
), given_events as materialized (
  select ordered.*, event_id, (number % 256)::smallint as place
    from ordered join batches using (account_sid, kind) where batches.batch = number / 256
), stored as (
  insert into events (id, account_sid, type, resource_sid, sequence, fields, batch, created_at) overriding system value
  select min(id), min(account_sid), min(type), min(resource_sid) filter (where fields is not null), min(sequence) filter (where fields is not null),
         min(fields)::json, case when count(*) > 1 then string_agg(line, E'\n' order by id) end, $11::timestamptz
    from (select event_id + place as id, account_sid, type, resource_sid, sequence,
                 case when place % 16 = 0 then (select row_to_json(fields) from (select resource_sid as "Sid", from_number as "From", to_number as "To", status as "Status", previous as "PreviousStatus", error_code as "ErrorCode", error_description as "ErrorDescription", segment_count as "SegmentCount", carrier as "Carrier") as fields)::text end as fields,
                 concat_ws(E'\t', resource_sid, sequence, '', coalesce(to_json(from_number)::text, 'null'), coalesce(to_json(to_number)::text, 'null'), '', '', '', '', coalesce(to_json(segment_count)::text, 'null'), coalesce(to_json(carrier)::text, 'null')) as line
            from given_events) as told
   group by id / 16
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
  select delivery_sid($11::timestamptz) as sid, account_sid, subscription_sid, event_id, callback_shape, forced,
         array_agg(place order by place) as places,
         case when count(callback_url) > 0 then array_agg(callback_url order by place) end as urls
    from matched where rank = 1 group by account_sid, subscription_sid, event_id, callback_shape, forced
), recorded as (
  insert into deliveries (sid, account_sid, subscription_sid, event_id, created_at, payload_shape, places)
  select sid, account_sid, subscription_sid, event_id, $11::timestamptz, callback_shape, places from chosen
), queued as (
  insert into delivery_queue (delivery_sid, subscription_sid, event_id, created_at, payload_shape, forced, due_at, is_ready, places, urls)
  select sid, subscription_sid, event_id, $11::timestamptz, callback_shape, forced, $11::timestamptz, true, places, urls from chosen order by event_id
), notified as (
  select string_agg(sid, ',') as sids from (select account_sid as sid from told_of union select subscription_sid from chosen) as sids
)
select (select count(*)::int from given_events) as stored,
       case when sids is not null then pg_notify('events_stored', case when length(sids) < 7900 then sids else '' end) end
  from notified;
