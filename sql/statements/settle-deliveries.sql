with settled as materialized (
  select sid, to_timestamp(created_ms / 1000) as created_at, to_timestamp(coalesce(queued_ms, created_ms) / 1000) as queued_at,
         status, to_timestamp(tried_ms / 1000) as tried_at, to_timestamp(next_attempt_ms / 1000) as next_attempt_at, attempt_count
    from unnest($1::text[], $2::float8[], $3::float8[], $4::text[], $5::float8[], $6::float8[], $7::int[])
      as given (sid, created_ms, queued_ms, status, tried_ms, next_attempt_ms, attempt_count)
), gone as (
  delete from delivery_queue as queue using settled
   where queue.delivery_sid = any (array[settled.sid]) and queue.queued_at = settled.queued_at and settled.status <> 'Pending'
  returning settled.sid
), later as (
  update delivery_queue as queue
     set due_at = settled.next_attempt_at, leased_until = null, claimed_by = null,
         first_tried_at = coalesce(queue.first_tried_at, settled.tried_at)
    from settled
   where queue.delivery_sid = any (array[settled.sid]) and queue.queued_at = settled.queued_at and settled.status = 'Pending'
  returning settled.sid
), judged as materialized (
  select settled.*, sid not in (select sid from gone union all select sid from later)
                    and exists (select from delivery_queue
                                 where delivery_sid = settled.sid and queued_at <> settled.queued_at) as is_replayed
    from settled
), recorded as (
  update deliveries
     set status = case when is_replayed then deliveries.status else judged.status end,
         next_attempt_at = case when is_replayed then deliveries.next_attempt_at else judged.next_attempt_at end,
         attempt_count = deliveries.attempt_count + judged.attempt_count,
         finished_at = case when not is_replayed and judged.status <> 'Pending' then $8::timestamptz end
    from judged where deliveries.sid = any (array[judged.sid]) and deliveries.created_at = judged.created_at
)
insert into attempts (delivery_sid, at, url, status, failure, ms, answer, exchange)
select sid, to_timestamp(ms_at / 1000), url, status, failure, ms, answer, exchange
  from unnest($9::text[], $10::float8[], $11::text[], $12::int[], $13::text[], $14::int[], $15::text[], $16::text[])
    as made (sid, ms_at, url, status, failure, ms, answer, exchange);
