// What was changed in an account by its own tokens and people.

import type { SchemaStep } from "./schema-step.ts";

export const accountChanges: SchemaStep = {
  name: "0014-account-changes",
  sql: `
create table account_changes (
  id          bigint generated always as identity primary key,
  created_at  timestamptz not null,
  account_sid text not null references accounts on delete cascade,
  -- Its place; null where none was needed.
  token       smallint,
  is_person   boolean not null,
  operation   text not null,
  resource    text,
  request_id  text not null
);
create index account_changes_by_account on account_changes (account_sid, id);
create index account_changes_age on account_changes (created_at);
`,
};
