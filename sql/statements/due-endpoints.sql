with recursive endpoint as (
  (select subscription_sid as sid from delivery_queue order by subscription_sid limit 1)
  union all
  select (select subscription_sid from delivery_queue where subscription_sid > endpoint.sid order by subscription_sid limit 1)
    from endpoint where endpoint.sid is not null
)
select sid from endpoint
 where (select true from delivery_queue
         where subscription_sid = endpoint.sid and due_at <= $1 and (leased_until is null or leased_until <= $1) limit 1);
