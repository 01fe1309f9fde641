with recursive found as (
  (select route from outbound_queue where is_ready order by route limit 1)
  union all
  select (select route from outbound_queue where is_ready and route > found.route order by route limit 1)
    from found where found.route is not null
)
select route from found where route is not null;
