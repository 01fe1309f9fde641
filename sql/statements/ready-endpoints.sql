with recursive endpoint as (
  select (select subscription_sid from delivery_queue
      where is_ready and claimed_by is null and subscription_sid > $1::text order by subscription_sid limit 1) as sid, 1 as number
  union all
  select (select subscription_sid from delivery_queue
      where is_ready and claimed_by is null and subscription_sid > endpoint.sid order by subscription_sid limit 1), number + 1 from endpoint where endpoint.sid is not null and number < $2::int
)
select sid from endpoint where sid is not null;
