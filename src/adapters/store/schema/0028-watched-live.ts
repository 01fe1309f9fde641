// What is watched live, and the entries that pass from one process to those where they are watched. Nothing that would
// have to survive a crash.

import type { SchemaStep } from "./schema-step.ts";

export const watchedLive: SchemaStep = {
  name: "0028-watched-live",
  sql: `
create unlogged table live_watches (
  -- Where it is watched.
  process     text not null,
  kind        text not null,
  -- Empty: those of all accounts.
  account_sid text not null,
  until_at    timestamptz not null,
  primary key (process, kind, account_sid)
);

create unlogged table live_entries (
  id          bigint generated always as identity primary key,
  -- Where they come from.
  process     text not null,
  kind        text not null,
  account_sid text not null,
  -- A list in JSON.
  entries     text not null,
  created_at  timestamptz not null
);
create index live_entries_age on live_entries (created_at);
`,
};
