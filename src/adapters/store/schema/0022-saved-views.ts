// Pages of the portal that people have named.

import type { SchemaStep } from "./schema-step.ts";

export const savedViews: SchemaStep = {
  name: "0022-saved-views",
  sql: `
create table saved_views (
  sid         text primary key,
  account_sid text references accounts on delete cascade,
  operator    text references operator_tokens on delete cascade,
  name        text not null,
  -- Path and query of the page.
  address     text not null,
  created_at  timestamptz not null,
  check (num_nonnulls(account_sid, operator) = 1)
);
create unique index saved_views_of_account on saved_views (account_sid, name) where account_sid is not null;
create unique index saved_views_of_operator on saved_views (operator, name) where operator is not null;
`,
};
