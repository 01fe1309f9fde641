with endpoint as (
  select * from unnest($1::text[], $2::int[]) with ordinality as endpoint (sid, count_max, number)
), picked as materialized (
  select endpoint.number as endpoint, taken.* from endpoint cross join lateral (
    select ctid as place, subscription_sid, resource_sid, sequence from delivery_queue
     where subscription_sid = endpoint.sid and due_at <= $3 and (leased_until is null or leased_until <= $3)
     order by due_at, sequence limit endpoint.count_max for update skip locked
  ) as taken
), judged as materialized (
  select endpoint, place, case when sequence > 1 then (
  select case when earlier.first_tried_at is null or earlier.first_tried_at > $3 - interval '60 seconds'
              then least(earlier.first_tried_at + interval '60 seconds', $3 + interval '30 seconds') end
    from delivery_queue as earlier
   where earlier.subscription_sid = picked.subscription_sid and earlier.resource_sid = picked.resource_sid
     and earlier.sequence < picked.sequence
   order by earlier.resource_sid desc, earlier.sequence desc limit 1) end as held_until from picked
), claimed as (
  update delivery_queue as queue
     set due_at = coalesce(held_until, due_at),
         leased_until = case when held_until is null then $4::timestamptz end,
         attempt = attempt + (held_until is null)::int,
         claimed_by = case when held_until is null then $5::int end,
         blocked = held_until is not null
    from judged where queue.ctid = judged.place
  returning judged.endpoint, queue.*
)
select concat_ws(',', endpoint, delivery_sid, claimed.sequence, attempt, forced, blocked, coalesce(event.type, ''), coalesce(payload_shape, ''),
                 (date_part('epoch', claimed.created_at) * 1000)::bigint, (date_part('epoch', nullif(queued_at, claimed.created_at)) * 1000)::bigint) as plain,
       claimed.resource_sid as "resourceSid", url, event.fields::text as fields
  from claimed
  left join events as event on event.id = any (array[claimed.event_id]) and event.created_at = claimed.created_at;
