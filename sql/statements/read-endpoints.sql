select sid as "sid", account_sid as "accountSid", url as "url", backup_url as "backupUrl", payload_shape as "payloadShape", method as "method", backup_method as "backupMethod", enabled as "enabled", failing_since as "failingSince", secret as "secret", bearer as "bearer",
  case when replaced_until[1] > $2 then array(
    select secret from unnest(replaced_secrets, replaced_until) as replaced (secret, until) where until > $2
  ) end as "replacedSecrets" from webhook_subscriptions where sid = any($1::text[]);
