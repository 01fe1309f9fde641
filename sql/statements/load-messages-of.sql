with recursive chosen as materialized (select account_sid from unnest($2::text[]) as account_sid), share as materialized (
  select greatest($5 / greatest(count(*), 1), 1) as count from chosen
)
select chosen.account_sid, array(
    select sid from outbound_queue
     where is_ready and route = $1 and account_sid = chosen.account_sid and shard = any ($3) and expires_at > $4
     order by priority, sid limit (select count from share)) as sids, share.count::int as "perAccount"
  from chosen, share order by chosen.account_sid;
