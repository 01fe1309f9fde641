// Every secret that was replaced within the last day also signs, not only the last one.

export const replacedSecretsSchema = {
  name: "0016-replaced-secrets",
  sql: `
-- The newest first, as many as may sign at once; each signs until the moment at its place.
alter table webhook_subscriptions
  add column replaced_secrets bytea[] not null default '{}',
  add column replaced_until timestamptz[] not null default '{}';
update webhook_subscriptions set replaced_secrets = array[previous_secret], replaced_until = array[previous_until]
 where previous_secret is not null;
alter table webhook_subscriptions drop column previous_secret, drop column previous_until;
`,
};
