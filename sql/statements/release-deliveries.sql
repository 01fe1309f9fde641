with first as materialized (
  select queued.place from unnest($1::text[], $2::text[]) as done (subscription_sid, resource_sid) cross join lateral (
    select ctid as place, subscription_sid, resource_sid, sequence from delivery_queue
     where blocked and subscription_sid = done.subscription_sid and resource_sid = done.resource_sid
     order by sequence limit 1
  ) as queued where (
  select case when earlier.first_tried_at is null or earlier.first_tried_at > $3::timestamptz - interval '60 seconds'
              then least(earlier.first_tried_at + interval '60 seconds', $3::timestamptz + interval '30 seconds') end
    from delivery_queue as earlier
   where earlier.subscription_sid = queued.subscription_sid and earlier.resource_sid = queued.resource_sid
     and earlier.sequence < queued.sequence
   order by earlier.resource_sid desc, earlier.sequence desc limit 1) is null
)
update delivery_queue set due_at = least(queued_at, $3), blocked = false from first where ctid = first.place
returning subscription_sid;
