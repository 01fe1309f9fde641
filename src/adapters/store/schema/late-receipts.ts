// Receipts whose id is unknown are compared with messages of unknown outcome.

export const lateReceiptsSchema = {
  name: "0018-late-receipts",
  sql: `
-- The code of an unknown outcome alone: the status changes with every message, and an index on it would be touched each time.
create index outbound_messages_lost on outbound_messages (to_number, sid) where error_code = 3100;

alter table early_receipts
  -- When it is compared next, and how often it was.
  add column compare_at timestamptz not null default now(),
  add column compared smallint not null default 0;
create index early_receipts_due on early_receipts (compare_at);
`,
};
