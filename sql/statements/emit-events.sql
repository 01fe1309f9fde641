with ordered as materialized (
  select *, row_number() over (partition by account_sid order by happened) - 1 as number
    from (select *, row_number() over () as happened from (select account_sid, type, resource_sid, fields, phone, messaging_config_sid, only_to, callback_url, callback_shape,
          coalesce(known_sequence,
                   coalesce((select max(sequence) from events
                              where events.resource_sid = event.resource_sid and events.account_sid = event.account_sid), 0)
                   + row_number() over (partition by account_sid, resource_sid order by place)) as sequence
     from unnest($1::text[], $2::text[], $3::text[], $4::json[], $5::text[], $6::text[], $7::text[], $9::text[], $10::text[], $11::integer[])
       with ordinality as event (account_sid, type, resource_sid, fields, phone, messaging_config_sid, only_to, callback_url, callback_shape, known_sequence, place)
    order by place) as event) as event
), batches as materialized (
  select *, nextval('events_id_seq') as event_id
    from (select distinct account_sid, number / 256 as batch from ordered order by account_sid, batch) as made
), given_events as materialized (
  select ordered.*, event_id, (number % 256)::smallint as place
    from ordered join batches using (account_sid) where batches.batch = number / 256
), stored as (
  insert into events (id, account_sid, type, resource_sid, sequence, fields, created_at) overriding system value
  select event_id + place, account_sid, type, resource_sid, sequence, fields, $8::timestamptz from given_events
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
  select delivery_sid($8::timestamptz) as sid, account_sid, subscription_sid, event_id, callback_shape, forced,
         array_agg(place order by place) as places,
         case when count(callback_url) > 0 then array_agg(callback_url order by place) end as urls
    from matched where rank = 1 group by account_sid, subscription_sid, event_id, callback_shape, forced
), recorded as (
  insert into deliveries (sid, account_sid, subscription_sid, event_id, created_at, payload_shape, places)
  select sid, account_sid, subscription_sid, event_id, $8::timestamptz, callback_shape, places from chosen
), queued as (
  insert into delivery_queue (delivery_sid, subscription_sid, event_id, created_at, payload_shape, forced, due_at, is_ready, places, urls)
  select sid, subscription_sid, event_id, $8::timestamptz, callback_shape, forced, $8::timestamptz, true, places, urls from chosen order by event_id
), notified as (
  select string_agg(sid, ',') as sids from (select account_sid as sid from told_of union select subscription_sid from chosen) as sids
)
select (select count(*)::int from given_events) as stored,
       case when sids is not null then pg_notify('events_stored', case when length(sids) < 7900 then sids else '' end) end
  from notified;
