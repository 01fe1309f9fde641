with endpoint as (
  select * from unnest($1::text[], $2::int[], $3::smallint[]) as endpoint (sid, count_max, slot)
), held as materialized (
  select slot from webhook_slots where slot = any ($3) and worker = $4 for share
), picked as materialized (
  select taken.id, least(taken.count, endpoint.count_max - taken.before) as take
    from endpoint cross join lateral (
      select id, cardinality(places) as count, sum(cardinality(places)) over (order by id) - cardinality(places) as before
        from (select id, places from delivery_queue
               where subscription_sid = endpoint.sid and is_ready and claimed_by is null
               order by id limit endpoint.count_max) as oldest
    ) as taken
   where taken.before < endpoint.count_max and endpoint.slot in (select slot from held)
), locked as materialized (
  select picked.take, queue.* from picked cross join lateral (
    select * from delivery_queue where id = picked.id and claimed_by is null for update offset 0) as queue
), rest as (
  insert into delivery_queue (id, attempt, is_ready, due_at, first_tried_at, forced, event_id, created_at, delivery_sid, subscription_sid, payload_shape, places, urls) overriding system value
  select id + take, attempt, true, due_at, first_tried_at, forced, event_id, created_at, delivery_sid, subscription_sid, payload_shape, places[take + 1:], urls[take + 1:]
    from locked where take < cardinality(places)
), claimed as (
  update delivery_queue as queue set claimed_by = $4, attempt = queue.attempt + 1, places = locked.places[:take], urls = locked.urls[:take]
    from locked where queue.id = any (array[locked.id])
  returning queue.*
)
select concat_ws(',', claimed.id, subscription_sid, delivery_sid, attempt, forced, coalesce(payload_shape, ''),
                 (date_part('epoch', claimed.created_at) * 1000)::bigint, (date_part('epoch', first_tried_at) * 1000)::bigint) as plain,
       array_to_string(places, ',') as places, array_to_string(urls, E'\n') as urls, told.events
  from claimed
 cross join lateral (select min(place) as first, max(place) as last from unnest(places) as place) as place
 cross join lateral (
    select string_agg(concat_ws(E'\x1f', id - claimed.event_id, type, sequence, fields::text, resource_sid, batch), E'\x1e' order by id) as events from events
     where id between claimed.event_id + place.first - 16 and claimed.event_id + place.last and id >= claimed.event_id
       and created_at = claimed.created_at and (batch is not null or id - claimed.event_id = any (claimed.places)) offset 0) as told;
