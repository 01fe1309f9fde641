// Indexes of what needs attention, so that finding it costs the same however many rows need none.

export const attentionSchema = {
  name: "0200-attention",
  sql: `
create index phones_pending on phones (account_sid, status) where status not in ('Active', 'Removed');
create index webhook_subscriptions_off on webhook_subscriptions (account_sid, sid) where not enabled and disabled_reason is not null;
create index webhook_subscriptions_failing on webhook_subscriptions (account_sid, sid) where enabled and failing_since is not null;
create index call_recordings_failed on call_recordings (account_sid, sid) where fault is not null and status = 'Failed';
create index tcr_campaigns_inactive on tcr_campaigns (account_sid, status) where status <> 'Active';
`,
};
