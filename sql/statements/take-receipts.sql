with found as materialized (
  select distinct on (given.place) given.place::int, named.ctid, named.account_sid, named.sid, message.status as previous
    from unnest($9::text[], $10::text[], $11::text[], $12::text[])
      with ordinality as given (carrier, carrier_id, recipient, sender, place)
   cross join lateral (
      select ctid, account_sid, sid, sent_at, bool_and(sid between $7::text and $8::text) over () as are_between from awaited_receipts
       where carrier = given.carrier and carrier_id = given.carrier_id) as named
    left join lateral (
      select status, to_number from outbound_messages where account_sid = named.account_sid and sid = named.sid and sid between $7::text and $8::text offset 0) as message on true
   where named.are_between and (given.recipient is null or right(message.to_number, 7) in (given.recipient, given.sender))
   order by given.place, named.sent_at desc, named.sid desc
), known as (
  delete from awaited_receipts as awaited using found where awaited.ctid = found.ctid
  returning found.place, found.account_sid, found.sid, found.previous
), noted as (
  insert into message_steps (sid, at, step, details)
  select sid, ($4::timestamptz[])[place], 'receipt', ($5::json[])[place] from known
   where ($5::json[])[place] is not null
), given as materialized (
  select account_sid, sid, min(previous) as previous, null::smallint as parts,
         count(*) filter (where ($1::integer[])[place] is null)::smallint as delivered,
         min(place) filter (where ($1::integer[])[place] is not null) as failed_by
    from known group by account_sid, sid
), moved as (
update outbound_messages as message
   set parts_delivered = message.parts_delivered + given.delivered,
       events_told = message.events_told + (case when given.failed_by is not null then 'Failed' when message.parts_delivered + given.delivered >= greatest(coalesce(cardinality(message.carrier_ids), 1), given.parts) then 'Delivered' else message.status end <> message.status)::integer,
       event_xids = case when case when given.failed_by is not null then 'Failed' when message.parts_delivered + given.delivered >= greatest(coalesce(cardinality(message.carrier_ids), 1), given.parts) then 'Delivered' else message.status end <> message.status then message.event_xids || (select event_position(pg_current_xact_id())) else message.event_xids end,
       status = case when given.failed_by is not null then 'Failed' when message.parts_delivered + given.delivered >= greatest(coalesce(cardinality(message.carrier_ids), 1), given.parts) then 'Delivered' else message.status end,
       status_reason = case when given.failed_by is not null then ($3::text[])[given.failed_by] when message.parts_delivered + given.delivered >= greatest(coalesce(cardinality(message.carrier_ids), 1), given.parts) then null else message.status_reason end,
       error_code = case when given.failed_by is not null then ($1::integer[])[given.failed_by] when message.parts_delivered + given.delivered >= greatest(coalesce(cardinality(message.carrier_ids), 1), given.parts) then 0 else message.error_code end,
       error_description = case when given.failed_by is not null then ($2::text[])[given.failed_by] when message.parts_delivered + given.delivered >= greatest(coalesce(cardinality(message.carrier_ids), 1), given.parts) then null else message.error_description end,
       delivered_at = case when given.failed_by is not null then message.delivered_at when message.parts_delivered + given.delivered >= greatest(coalesce(cardinality(message.carrier_ids), 1), given.parts) then greatest($6::timestamptz, message.sent_at) else message.delivered_at end
  from given
 where message.account_sid = given.account_sid and message.sid = given.sid and message.sid between $7::text and $8::text
   and (status = 'Queued' or status = 'Sent' or (status = 'Failed' and error_code = 3100))
returning message.account_sid, message.sid, message.from_number, message.to_number, message.status, message.error_code,
  message.error_description, message.segment_count, message.carrier, message.messaging_config_sid, message.callback_url, message.callback_shape,
  message.callback_statuses, message.events_told, given.previous as previous
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
         min(fields)::json, case when count(*) > 1 then string_agg(line, E'\n' order by id) end, $6::timestamptz
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
  select delivery_sid($6::timestamptz) as sid, account_sid, subscription_sid, event_id, callback_shape, forced,
         array_agg(place order by place) as places,
         case when count(callback_url) > 0 then array_agg(callback_url order by place) end as urls
    from matched where rank = 1 group by account_sid, subscription_sid, event_id, callback_shape, forced
), recorded as (
  insert into deliveries (sid, account_sid, subscription_sid, event_id, created_at, payload_shape, places)
  select sid, account_sid, subscription_sid, event_id, $6::timestamptz, callback_shape, places from chosen
), queued as (
  insert into delivery_queue (delivery_sid, subscription_sid, event_id, created_at, payload_shape, forced, due_at, is_ready, places, urls)
  select sid, subscription_sid, event_id, $6::timestamptz, callback_shape, forced, $6::timestamptz, true, places, urls from chosen order by event_id
), notified as (
  select string_agg(sid, ',') as sids from (select account_sid as sid from told_of union select subscription_sid from chosen) as sids
)
select (select count(*)::int from given_events) as stored,
       case when sids is not null then pg_notify('events_stored', case when length(sids) < 7900 then sids else '' end) end,
       case when (select count(*) from known) < cardinality($10::text[]) then array(select place from known) end as places
  from notified;
