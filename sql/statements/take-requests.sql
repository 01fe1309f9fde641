insert into rate_windows as counter (subject, class, window_start, used, leases)
select asked.subject, asked.class, asked.window_start, asked.cost + asked.leased,
       case when asked.leased > 0 then jsonb_build_object($8::text, asked.leased) else '{}' end
  from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $9::bigint[])
    as asked (subject, class, window_start, cost, allowed, leased)
 where asked.cost + asked.leased <= asked.allowed
on conflict (subject, class) do update set
  window_start = case when counter.window_start between excluded.window_start and $7 then counter.window_start else excluded.window_start end,
  used = excluded.used + case when counter.window_start between excluded.window_start and $7 then counter.used - least((($6::jsonb -> (counter.subject || ' ' || counter.class)) ->> 'held')::bigint, coalesce((counter.leases ->> $8::text)::bigint, 0)) else 0 end,
  leases = case when not counter.window_start between excluded.window_start and $7 then excluded.leases
    when excluded.leases = '{}' then counter.leases - $8::text
    else counter.leases || jsonb_build_object($8::text, (excluded.leases ->> $8::text)::bigint + least((($6::jsonb -> (counter.subject || ' ' || counter.class)) ->> 'kept')::bigint, coalesce((counter.leases ->> $8::text)::bigint, 0))) end
where excluded.used + case when counter.window_start between excluded.window_start and $7 then counter.used - least((($6::jsonb -> (counter.subject || ' ' || counter.class)) ->> 'held')::bigint, coalesce((counter.leases ->> $8::text)::bigint, 0)) else 0 end <= (($6::jsonb -> (counter.subject || ' ' || counter.class)) ->> 'allowed')::bigint
returning subject || ' ' || class as key, used, window_start as "windowStart";
