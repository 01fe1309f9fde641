with held as (
  update outbound_queue set submitting = case when expires_at > $4 then $2 end where sid = any($1) and claimed_by = $3
  returning sid, submitting
), begun as (
  select sid from held where submitting is not null
)
select case when count(*) < cardinality($1) then coalesce(array_agg(sid), '{}') end as sids from begun;
