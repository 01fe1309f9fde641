// How long an account's records are kept, and which account's old ones are deleted next.

import type { SchemaStep } from "./schema-step.ts";

export const retention: SchemaStep = {
  name: "0021-retention",
  sql: `
-- In days; null: for ever, or as long as those of all accounts.
alter table accounts
  add column message_days integer,
  add column call_days integer,
  add column event_days integer;

-- The accounts that have set any of them.
create table retention_turns (
  account_sid text primary key references accounts on delete cascade,
  due_at      timestamptz not null,
  -- How far the present pass over its old records has got, by their kind; empty at the beginning.
  reached     jsonb not null default '{}'
);
create index retention_turns_due on retention_turns (due_at);
`,
};
