with present as (
  select term from sending_lease where term = $4 for share
), begun as (
  delete from outbound_queue where sid = any($1) and (expires_at > $5) is true and exists (select from present)
  returning account_sid, sid
), recorded as (
  insert into submits (term, number, link, account_sids, sids)
  select $4, $3, $2, array_agg(account_sid), array_agg(sid) from begun having count(*) > 0
)
select case when count(*) < cardinality($1) then coalesce(array_agg(sid), '{}') end as sids,
       exists (select from present) as "isOurs" from begun;
