select counter.subject || ' ' || counter.class as key, counter.used, counter.window_start as "windowStart",
       coalesce((counter.leases ->> $5::text)::bigint, 0) as own,
       (select coalesce(sum(leased.value::bigint), 0) from jsonb_each_text(counter.leases - $5::text) as leased) as others
  from unnest($1::text[], $2::text[], $3::bigint[]) as asked (subject, class, window_start)
  join rate_windows as counter
    on counter.subject = asked.subject and counter.class = asked.class
   and counter.window_start between asked.window_start and $4;
