with given as materialized (
  select id, places::smallint[] as places, status, to_timestamp(next_ms / 1000) as next_at, to_timestamp(tried_ms / 1000) as tried_at
    from unnest($2::bigint[], $3::text[], $4::text[], $5::float8[], $6::float8[]) as given (id, places, status, next_ms, tried_ms)
), touched as materialized (
  select queue.* from unnest($1::bigint[]) as named (id) cross join lateral (
    select * from delivery_queue where id = named.id for update offset 0) as queue
), settled as materialized (
  select touched.*, status, next_at, coalesce(first_tried_at, tried_at) as tried_at, found.places as chosen
    from given join touched on touched.id = given.id cross join lateral (
      select array_agg(place) as places from unnest(given.places) as place where place = any (touched.places)) as found
   where found.places is not null
), again as (
  update delivery_queue as queue set claimed_by = null, is_ready = false, due_at = next_at, first_tried_at = tried_at
    from settled where queue.id = any (array[settled.id]) and status = 'Pending' and cardinality(chosen) = cardinality(settled.places)
), apart as materialized (
  select * from settled where status <> 'Pending' or cardinality(chosen) < cardinality(places)
), leaving as materialized (
  select id, chosen as places from apart
), left_by as materialized (
  select * from touched where id in (select id from leaving)
), rest as materialized (
  select touched.id, rest.places, case when touched.urls is not null then rest.urls end as urls
    from left_by as touched cross join lateral (
      select array_agg(place order by at) as places, array_agg(url order by at) as urls
        from unnest(touched.places, touched.urls) with ordinality as queued (place, url, at)
       where not exists (select from leaving as gone where gone.id = touched.id and place = any (gone.places))) as rest
), emptied as (
  delete from delivery_queue as queue using rest where queue.id = any (array[rest.id]) and rest.places is null
), shortened as (
  update delivery_queue as queue set places = rest.places, urls = rest.urls
    from rest where queue.id = any (array[rest.id]) and rest.places is not null
), later as (
  insert into delivery_queue (attempt, is_ready, due_at, first_tried_at, forced, event_id, created_at, delivery_sid, subscription_sid, payload_shape, places, urls)
  select attempt, false, next_at, tried_at, forced, event_id, created_at, delivery_sid, subscription_sid, payload_shape, chosen, case when apart.urls is not null then array(select apart.urls[array_position(apart.places, place)] from unnest(chosen) as place) end from apart where status = 'Pending'
), undelivered as materialized (
  select delivery_sid, created_at, array_agg(place) filter (where status = 'Failed') as failed, array_agg(place) filter (where status = 'Canceled') as canceled
    from apart cross join lateral unnest(chosen) as place where status in ('Failed', 'Canceled') group by delivery_sid, created_at
), recorded as (
  update deliveries set failed = deliveries.failed || undelivered.failed, canceled = deliveries.canceled || undelivered.canceled
    from undelivered where deliveries.sid = any (array[undelivered.delivery_sid]) and deliveries.created_at = undelivered.created_at
)
insert into attempts (delivery_sid, at, places, began_ms, took_ms, statuses, details, texts)
select sid, to_timestamp(at_ms / 1000), places::smallint[], began_ms::integer[], took_ms::integer[], statuses::smallint[], details::smallint[], texts::text[]
  from unnest($7::text[], $8::float8[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[])
    as made (sid, at_ms, places, began_ms, took_ms, statuses, details, texts);
