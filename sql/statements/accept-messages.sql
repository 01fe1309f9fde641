with given as materialized (
  select sid, account_sid, from_number, to_number, recipients, text, media_urls, status_reason, coalesce(segment_count, '1') as segment_count, coalesce(encoding, 'GSM7') as encoding, carrier, messaging_config_sid, tcr_campaign_id, coalesce(priority, '2') as priority, conversation_metadata, callback_url, callback_shape, callback_statuses, coalesce(is_reply, 'false') as is_reply, request_id, created_at, send_at, expires_at, due_at, route, shard, submit_number, submit_link, key_scope, key, claim_id, answer from (select sid, account_sid, from_number, to_number, recipients::text[], text, media_urls::text[], status_reason, segment_count, encoding, carrier, messaging_config_sid, tcr_campaign_id, priority, conversation_metadata, callback_url, callback_shape, callback_statuses, is_reply, request_id, created_at, send_at, expires_at, due_at, route, shard, submit_number, submit_link, key_scope, key, claim_id, answer
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::smallint[], $10::text[], $11::text[], $12::text[], $13::text[], $14::smallint[], $15::text[], $16::text[], $17::text[], $18::text[], $19::boolean[], $20::text[], $21::timestamptz[], $22::timestamptz[], $23::timestamptz[], $24::timestamptz[], $25::text[], $26::smallint[], $27::bigint[], $28::text[], $29::text[], $30::text[], $31::uuid[], $32::bytea[]) as given (sid, account_sid, from_number, to_number, recipients, text, media_urls, status_reason, segment_count, encoding, carrier, messaging_config_sid, tcr_campaign_id, priority, conversation_metadata, callback_url, callback_shape, callback_statuses, is_reply, request_id, created_at, send_at, expires_at, due_at, route, shard, submit_number, submit_link, key_scope, key, claim_id, answer)) as given
), present as (
  select term from sending_lease where term = $33 for share
), stored as (
  insert into outbound_messages (sid, account_sid, from_number, to_number, recipients, text, media_urls, status_reason, segment_count, encoding, carrier, messaging_config_sid, tcr_campaign_id, priority, conversation_metadata, callback_url, callback_shape, callback_statuses, is_reply, request_id, created_at, send_at, expires_at, status) select sid, account_sid, from_number, to_number, recipients, text, media_urls, status_reason, segment_count, encoding, carrier, messaging_config_sid, tcr_campaign_id, priority, conversation_metadata, callback_url, callback_shape, callback_statuses, is_reply, request_id, created_at, send_at, expires_at, 'Queued' from given
), submitted as (
  insert into submits (term, number, link, account_sids, sids)
  select $33, submit_number, submit_link, array_agg(account_sid), array_agg(sid) from given
   where submit_number is not null and exists (select from present) group by submit_number, submit_link
), queued as (
  insert into outbound_queue (sid, account_sid, from_number, priority, expires_at, due_at, is_ready, route, shard)
  select sid, account_sid, from_number, priority, expires_at, coalesce(due_at, created_at), due_at is null, coalesce(route, ''), coalesce(shard, 0)
    from given where submit_number is null or not exists (select from present)
)
select exists (select from present) as "isOurs", '{}'::text[] as late;
