insert into kept_answers as kept (scope, key, claim_id, request_digest, claimed_at)
select *, $5::timestamptz from unnest($1::text[], $2::text[], $3::uuid[], $4::bytea[]) as given (scope, key, claim_id, request_digest)
 order by scope, key
on conflict (scope, key) do update set
  claim_id = excluded.claim_id, request_digest = excluded.request_digest, claimed_at = excluded.claimed_at, answer = null
  where kept.claimed_at < $7 or (kept.answer is null and kept.claimed_at < $6)
returning claim_id;
