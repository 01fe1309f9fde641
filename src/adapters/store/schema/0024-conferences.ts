// Conferences: those that are under way belong to a process, and there is one of a name for each account.

import type { SchemaStep } from "./schema-step.ts";

export const conferences: SchemaStep = {
  name: "0024-conferences",
  sql: `
create table conferences (
  sid          text primary key,
  account_sid  text not null references accounts on delete cascade,
  name         text not null,
  status       text not null,
  process      integer not null,
  created_at   timestamptz not null,
  started_at   timestamptz,
  completed_at timestamptz,
  end_reason   text,
  -- Those who are in it.
  participants json not null,
  -- Where the script of the first wants to be notified.
  callback     json
);
create unique index conferences_open on conferences (account_sid, name) where status <> 'Completed';
create index conferences_of_account on conferences (account_sid, sid);
create index conferences_by_process on conferences (process) where status <> 'Completed';
`,
};
