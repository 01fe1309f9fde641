with recursive endpoint as (
  (select subscription_sid as sid from delivery_queue where is_ready order by subscription_sid limit 1)
  union all
  select (select subscription_sid from delivery_queue where is_ready and subscription_sid > endpoint.sid order by subscription_sid limit 1)
    from endpoint where endpoint.sid is not null
)
select sid from endpoint
 where (select true from delivery_queue where subscription_sid = endpoint.sid and is_ready and claimed_by is null limit 1);
